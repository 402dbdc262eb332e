"""Which lines were written, which of them stand in files, and which of them a store counted."""

import collections
import contextlib
import gzip
import hashlib
import pathlib
import re
import sqlite3
import struct
import subprocess
import zlib

import fault
from fault import program

FIRST_ID = 10_000_000
SECOND_ID = 1_000_000_000  # so much greater is the second id than the first


class Ledger:
    """Lines with ids of their own, so that each list in the store tells which line it was made of."""

    def __init__(self):
        self.texts = []
        self.written = set()   # the complete ones
        self.spoiled = set()   # they stand in no file as they were meant to

    def new_line(self):
        """The number and the text of a line; one in eight is not selected. A function of the number alone, for
        writers in other threads take numbers as well."""
        number = len(self.texts)
        score = 0.9 if self.is_selected(number) else 0.2
        self.texts.append(f"[{','.join(f'[{one},{score}]' for one in self.ids_of(number))}]\n".encode())
        return number, self.texts[number]

    @staticmethod
    def ids_of(number):
        dice = hashlib.blake2b(number.to_bytes(4, "little"), digest_size=2).digest()
        return [FIRST_ID + number + more * SECOND_ID for more in range(2 + dice[1] % 12)]

    @staticmethod
    def is_selected(number):
        return number % 8 != 5

    def lines_in(self, content):
        """The numbers of the complete lines in the content of a file, and how many lines are none of them."""
        numbers = set()
        others = 0
        for line in content[:content.rfind(b"\n") + 1].splitlines(keepends=True):
            line = line.lstrip(b"\0")
            match = re.match(rb"\[\[(\d+),", line)
            number = int(match[1]) - FIRST_ID if match else -1
            if 0 <= number < len(self.texts) and self.texts[number] == line:
                numbers.add(number)
            else:
                others += 1
        return numbers, others


class Unpacker:
    """The content of files, packed ones unpacked once only."""

    def __init__(self):
        self.known = {}

    def content(self, path):
        status = path.stat()
        packed = path.read_bytes()
        if not packed.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")):
            return packed
        key = status.st_ino, status.st_mtime_ns, status.st_size
        if key not in self.known:
            self.known[key] = gzip.decompress(packed) if packed.startswith(b"\x1f\x8b") else program.unzstandard(packed)
        return self.known[key]

    def content_if_sound(self, path):
        """None of what logrotate copied of a damaged file."""
        try:
            return self.content(path)
        except (EOFError, OSError, zlib.error, subprocess.CalledProcessError):
            return None


class Counted:
    """What the store of a state counted. The only place that knows its tables."""

    def __init__(self, state):
        self.state = pathlib.Path(state)
        self.lists = collections.Counter()  # by line
        self.places = collections.defaultdict(list)
        self.strange = []  # lists that are no line's
        with contextlib.closing(open_to_read(state)) as store:
            rows = store.execute("SELECT evidence.id, path, iteration_id, begin_offset, end_offset, lists "
                                 "FROM evidence JOIN log ON log.id = log_id WHERE evidence.selected > 0").fetchall()
            self.totals = store.execute("SELECT coalesce(sum(lines), 0), coalesce(sum(selected), 0), "
                                        "coalesce(sum(unselected), 0) FROM log").fetchone()
            self.used = store.execute("SELECT id, distinct_lists FROM iteration").fetchall()
            self.scored = store.execute("SELECT coalesce(sum(lists), 0) FROM score").fetchone()[0]
        for row in rows:
            for ids in lists_of(row[-1]):
                number = ids[0] - FIRST_ID
                if not 0 <= number < SECOND_ID or ids != Ledger.ids_of(number) or not Ledger.is_selected(number):
                    self.strange.append((row[:-1], ids))  # two halves of lines, say
                    continue
                self.lists[number] += 1
                self.places[number].append(row[:-1])

    def iterations(self):
        """Of each: its number, how many distinct lists it says it used, and those that it consumed: of lines, and strange ones."""
        return [(iteration, used, {number for number, rows in self.places.items() if any(row[2] == iteration for row in rows)}
                 | {tuple(ids) for row, ids in self.strange if row[2] == iteration})
                for iteration, used in self.used]

    def twice(self):
        return sorted(number for number, times in self.lists.items() if times > 1)


def open_to_read(state):
    return sqlite3.connect(f"file:{pathlib.Path(state) / 'qdedup.db'}?mode=ro", uri=True, timeout=60)


def lines_of_log(store, path):
    """How many lines were mined of the log that stands at that path."""
    return store.execute("SELECT coalesce(sum(lines), 0) FROM log WHERE path = ?", [str(path)]).fetchone()[0]


def reports(state):
    """What `status` says about logs: (path, what)."""
    logs = fault.run("status", "--json", state=state, expect=0).json()["logs"]
    return [(log["path"], key) for log in logs for key, value in log.items() if key.startswith("possible_") and value]


def lists_of(chunk):
    """The lists of an evidence chunk (miner/evidence_chunk.h), each as its ids."""
    position = 1

    def varint():
        nonlocal position
        value = shift = 0
        while True:
            byte = chunk[position]
            position += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    if chunk[0] != 1:
        raise AssertionError(f"an evidence chunk of version {chunk[0]}")
    for _ in range(varint()):
        struct.unpack_from("<d", chunk, position)
        position += 8
        ids = []
        for index in range(varint()):
            code = varint()
            ids.append(code if index == 0 else ids[-1] + (code >> 1 ^ -(code & 1)))
        yield ids
