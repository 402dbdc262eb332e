"""One random history of writers, logrotate, kills and damage, and the judgement of what a store counted of it."""

import contextlib
import functools
import gzip
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

import clock
import database_test
import fault
import ledger
import place
from fault import program
from followed import LOGROTATE

ROTATIONS = ("create", "copytruncate", "copy", "renamecopy", "nocreate")
PACKERS = {"none": "nocompress", "gzip": "compress",
           "zstd": "compress\n  compresscmd /usr/bin/zstd\n  compressext .zst\n  compressoptions -q"}


@functools.cache
def may_mount():
    return database_test.cannot_mount() is None


class Stuck(Exception):
    """What should have happened did not, for as long as anybody waits."""


class Family:
    """A log with its generations, and the program that writes it."""

    def __init__(self, history, name):
        self.history = history
        self.chance = history.chance
        self.folder = history.folder / "logs"
        self.path = self.folder / name
        self.rotation = self.chance.choice(history.rotations)
        self.packer = self.chance.choice(tuple(PACKERS))
        self.delayed = self.chance.random() < 0.5
        self.generations = self.chance.choice((1, 2, 3, 5, 100))
        self.dated = self.chance.random() < 0.2
        self.olddir = self.chance.random() < 0.15
        self.appends = self.chance.random() < 0.9
        self.file = None
        self.inode = 0
        self.half = b""       # what is left to write of a line
        self.half_line = -1
        self.dirty = False    # the file that is written to ends within a line that nobody ends
        self.excuses = {}     # why a loss may be reported though there was none, by what was done
        self.gone = {}        # line: what it went with
        self.damaged = {}     # inode: the good content
        self.packed_seen = set()  # inodes of packed generations that had a record when all was mined last
        self.by_inode = {}    # lines that were written to a file until a while after it was renamed or removed
        self.at_path_at = 0   # when the file that is written to was last seen at the path
        self.lines = {}       # all of them, with a number for each file
        self.file_number = 0
        self.stood = set()    # those that were seen in a file with a name

    def __str__(self):
        return (f"{self.path.name}: {self.rotation}, {self.packer}{', delayed' if self.delayed else ''}, {self.generations} generations"
                f"{', dateext' if self.dated else ''}{', olddir' if self.olddir else ''}{'' if self.appends else ', no O_APPEND'}")

    def config(self):
        lines = [self.rotation, f"rotate {self.generations}", "missingok", PACKERS[self.packer]]
        lines += ["delaycompress"] if self.delayed and self.packer != "none" else []
        lines += ["dateext", "dateformat -%Y%m%d-%s"] if self.dated else []
        lines += [f"olddir {self.folder}/old"] if self.olddir else []
        return f"{self.path} {{\n  " + "\n  ".join(lines) + "\n}\n"

    def reopen(self):
        self.close()
        self.file = os.open(self.path, os.O_WRONLY | os.O_CREAT | (os.O_APPEND if self.appends else 0), 0o644)
        if not self.appends:
            os.lseek(self.file, 0, os.SEEK_END)
        self.inode = os.fstat(self.file).st_ino
        self.dirty = False
        if self.half:  # its writer has gone
            self.history.lines.spoiled.add(self.half_line)
            self.half = b""
        size = os.fstat(self.file).st_size
        if size == 0:  # perhaps another file had this inode before
            self.history.forget(self.inode)
            self.file_number += 1
        if size:
            with open(self.path, "rb") as before:
                before.seek(size - 1)
                self.dirty = before.read(1) != b"\n"

    def close(self):
        if self.file is not None:
            os.close(self.file)
            self.file = None

    def write_line(self):
        """A line, or what is left of one."""
        number, text = (self.half_line, self.half) if self.half else self.history.lines.new_line()
        self.half = b""
        os.write(self.file, text)
        if self.dirty:
            self.history.lines.spoiled.add(number)
        self.dirty = False
        self.history.lines.written.add(number)
        self.note_place()
        if time.monotonic() - self.at_path_at < self.history.rotate_wait:  # later, who held the file may have closed it
            self.by_inode.setdefault(self.inode, set()).add(number)
        self.lines[number] = self.file_number

    def note_place(self):
        if self.writing():
            self.at_path_at = time.monotonic()

    def write_half(self):
        if self.half:
            self.write_line()
        self.half_line, text = self.history.lines.new_line()
        cut = self.chance.randrange(1, len(text))
        os.write(self.file, text[:cut])
        if self.dirty:
            self.history.lines.spoiled.add(self.half_line)
            self.dirty = False
        self.half = text[cut:]

    def files(self):
        """What the globs match."""
        return sorted(path for path in [*self.folder.glob(self.path.name + "*"), *self.folder.glob(f"old/{self.path.name}*")]
                      if path.is_file())

    def standing(self):
        """The lines in each file that can be read, by inode."""
        found = {}
        for path in self.files():
            inode = path.stat().st_ino
            content = None if inode in self.damaged else self.history.unpacker.content_if_sound(path)
            if content is not None:
                found[inode], _ = self.history.lines.lines_in(content)
                self.stood |= found[inode]
        return found

    def packed_files(self):
        return [path for path in self.files() if path.suffix in (".gz", ".zst")]

    def writing(self):
        """Whether the file that is written to is the one at the path."""
        return self.file is not None and self.inode_at_path() == self.inode

    def inode_at_path(self):
        """Of the file at the path, which logrotate may be renaming; 0 if there is none."""
        try:
            return self.path.stat().st_ino
        except FileNotFoundError:
            return 0

    @contextlib.contextmanager
    def destruction(self, what, was_cut):
        """Finds out which lines have gone with it; `was_cut` says whether the log is cut in place."""
        half = self.half_line if self.half else None
        lines = self.history.lines
        before = self.standing()
        inode_before = self.inode_at_path()
        written_before = set(lines.written)
        yield
        after = self.standing()
        still_there = set().union(*after.values())
        gone = (set().union(*before.values()) | (lines.written - written_before) & set(self.lines)) - still_there - lines.spoiled
        if half is not None and half not in still_there and was_cut:
            lines.spoiled.add(half)
        if was_cut:
            self.excuses.setdefault("cut", what)
            if inode_before in self.by_inode:
                self.by_inode[inode_before] &= after.get(inode_before, set())
            if inode_before in after and self.file is not None and self.inode == inode_before:
                size = os.fstat(self.file).st_size
                self.dirty = size > 0 and not self.half and self.ends_within_a_line(size)
        removed = set(before) - set(after)
        for number in gone:
            self.gone[number] = f"{what}, {'cut' if was_cut else 'removed'}"
        if not was_cut and gone - self.history.mined_packed_lines(self):
            self.excuses.setdefault("removed", what)
        if was_cut:
            self.history.note_cut(self, inode_before, gone)
        for inode in removed - {self.inode} - self.history.held:
            self.history.forget(inode)

    def ends_within_a_line(self, size):
        with open(f"/proc/self/fd/{self.file}", "rb") as file:
            file.seek(size - 1)
            return file.read(1) != b"\n"


class History:  # pylint: disable=too-many-instance-attributes
    """Everything random comes from the seed; what the machine's timing adds is in the verdict only."""

    def __init__(self, seed, imported):
        self.seed = seed
        self.chance = random.Random(seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="qdedup-history-"))
        self.state = self.folder / "state"
        self.trail = []
        self.findings = []
        self.lines = ledger.Ledger()
        self.unpacker = ledger.Unpacker()
        self.must = set()      # lines that the store must have counted
        self.must_tell = []    # (family, lines): if one of them is not counted, a loss must be reported
        self.cuts = []         # (family, inode, lines), since the last look
        self.held = set()      # inodes that the daemon that lives now has seen with lines, and keeps open
        self.seen = {}         # inode: lines in it when all was mined last
        self.program = self.chance.choice(("daemon", "daemon", "daemon", "mixed", "tool"))
        self.mode = self.chance.choice(("rename", "rename", "rename", "copytruncate", "any", "cut", "damage"))
        self.rotations = {"rename": ("create", "nocreate", "renamecopy"), "copytruncate": ("copytruncate",)}.get(self.mode, ROTATIONS)
        self.rotate_wait = self.chance.choice((2, 10, 20))
        self.lives = contextlib.ExitStack()
        self.readers = contextlib.ExitStack()
        self.world = random.Random(f"{seed}/world")  # what is wrong with the machine itself
        self.clock = clock.Clock(self.folder) if self.world.random() < 0.1 and not program.SANITIZERS else None
        self.small_disk = self.world.random() < 0.1 and may_mount()
        self.unpacks = self.world.random() < 0.15
        self.state.mkdir()
        if self.small_disk:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", self.state], check=True)
        shutil.copytree(imported, self.state, dirs_exist_ok=True)
        (self.folder / "logs" / "old").mkdir(parents=True)
        (self.folder / "beat").mkdir()
        self.beats = 0
        logs = self.folder / "logs"
        self.families = [Family(self, "search.log")] + ([Family(self, "query.log")] if self.chance.random() < 0.3 else [])
        paths = [f"{where}/{family.path.name}*" for family in self.families for where in (logs, logs / "old")]
        self.place = place.Place(self.folder, [*paths, f"{self.folder}/beat/beat.log"],
                                 "kept_iterations = 1000\n[resources]\nthreads = 1\n",
                                 f"rotate_wait_seconds = {self.rotate_wait}\npoll_seconds = 1\n")
        self.daemon = None
        self.frozen = False

    # What the steps are made of

    def forget(self, inode):
        """The file is no more, or not the one that had the inode."""
        for family in self.families:
            family.by_inode.pop(inode, None)
        self.held.discard(inode)
        self.seen.pop(inode, None)

    def mined_packed_lines(self, family):
        """Those of packed generations that were mined to their end: nobody adds to these."""
        return set().union(*(lines for inode, lines in self.seen.items() if inode in family.packed_seen))

    def note_cut(self, family, inode, gone):
        if self.seen.get(inode, set()) & gone:
            self.cuts.append((family, inode, set(gone)))

    def start(self, wait=True):
        if self.daemon is None:
            self.make_room()
            environment = self.clock.environment if self.clock else None
            self.daemon = self.lives.enter_context(self.place.daemon(wait=False, environment=environment))
            self.held = set()
        if wait:
            self.thaw()
            self.daemon.wait_for("READY=1")

    def end_daemon(self, how):
        if self.daemon is None:
            return
        if how == "stop":
            self.start()
            self.daemon.stop()
        else:
            self.daemon.kill()
        self.lives.close()
        self.daemon = None
        self.frozen = False
        self.held = set()

    def thaw(self):
        if self.frozen:
            self.daemon.signal(signal.SIGCONT)
            self.frozen = False

    def tool(self, *arguments, killed_after=None):
        """Runs the tool, perhaps not to its end. It may be refused where logs are damaged, or hold nothing but pieces of lines."""
        if self.daemon is not None:
            self.start()
        command = [program.QDEDUP, "--state", str(self.state), *map(str, arguments)]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tool:
            if killed_after is not None:
                time.sleep(killed_after)
                tool.kill()
            out = tool.communicate()[0].decode("utf-8", "replace")
        has_pieces_only = "none of the lines could be used" in out
        if killed_after is None and tool.returncode != 0 and not self.is_full() and not has_pieces_only and not any(
                family.damaged for family in self.families):
            self.findings.append(("failed", f"{arguments[0]} exited with {tool.returncode}: {out}"))

    def mine(self, killed_after=None):
        files = [path for family in self.families for path in family.files()]
        if files:
            self.chance.shuffle(files)
            self.tool("mine", *files, killed_after=killed_after)

    def rotate(self, family, meanwhile=None):
        config = self.folder / f"{family.path.name}.conf"
        config.write_text(family.config(), encoding="utf-8")
        config.chmod(0o644)
        family.note_place()
        with family.destruction(f"step {len(self.trail)}, {family.rotation}", family.rotation == "copytruncate"):
            with subprocess.Popen([LOGROTATE, "--force", "--state", self.folder / f"{family.path.name}.rotated", config],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as logrotate:
                if meanwhile is not None:
                    meanwhile(logrotate)
                out = logrotate.communicate()[0].decode("utf-8", "replace")
            if logrotate.returncode != 0 and "already exists" not in out:
                raise AssertionError(f"logrotate: {out}")

    # The steps

    def step(self):
        family = self.chance.choice(self.families)
        steps = {self.write: 30, self.write_half: 6, self.reopen: 6, self.rotate_quietly: 10, self.rotate_busily: 6,
                 self.pause: 8, self.sync: 3, self.iterate: 2}
        if self.program != "tool":
            steps |= {self.kill: 5, self.stop: 3, self.begin: 6, self.freeze: 3, self.rotate_and_kill: 3}
        if self.program != "daemon":
            steps |= {self.mine_now: 8, self.mine_killed: 5}
        if self.mode in ("cut", "any"):
            steps |= {self.cut: 6}
        if self.mode in ("damage", "any"):
            steps |= {self.damage: 12, self.restore: 4, self.rotate_quietly: 15}
        if self.unpacks:
            steps |= {self.unpack: 8}
        if self.clock:
            steps |= {self.step_clock: 8}
        if self.small_disk:
            steps |= {self.fill: 4, self.make_room: 4, self.read_on: 2, self.reload: 2}
        step = self.chance.choices(list(steps), list(steps.values()))[0]
        self.trail.append([step.__name__, family.path.name])
        step(family)

    def tell(self, *words):
        self.trail[-1] += words

    def write(self, family):
        if family.file is None:
            family.reopen()
        for _ in range(self.chance.choice((1, 3, 10, 40))):
            family.write_line()
        self.tell(f"up to line {len(self.lines.texts) - 1}")

    def write_half(self, family):
        if family.file is None:
            family.reopen()
        family.write_half()
        self.tell(f"of line {family.half_line}")

    def reopen(self, family):
        if family.half and family.file is not None:
            family.write_line()
        family.reopen()

    def after_rotation(self, family):
        """Some programs reopen their log at once, others go on writing to the old one."""
        if family.rotation not in ("copytruncate", "copy") and self.chance.random() < 0.5:
            self.reopen(family)
            self.tell("reopened")
        self.tell(" ".join(f"{path.name}({path.stat().st_ino % 1000})" for path in family.files()))

    def rotate_quietly(self, family):
        self.rotate(family)
        self.after_rotation(family)

    def rotate_busily(self, family):
        """Its writer goes on meanwhile."""
        if family.file is None:
            family.reopen()

        def write(logrotate):
            while logrotate.poll() is None:
                family.write_line()
                time.sleep(0.0003)
        first = len(self.lines.texts)
        self.rotate(family, write)
        self.tell(f"lines {first} to {len(self.lines.texts) - 1}")
        self.after_rotation(family)

    def rotate_and_kill(self, family):
        after = self.chance.random() * 0.006

        def kill(_logrotate):
            time.sleep(after)
            self.end_daemon("kill")
        self.rotate(family, kill)
        self.after_rotation(family)

    def pause(self, _family):
        time.sleep(self.chance.choice((0.001, 0.005, 0.02, 0.02, 0.1, 1.1)))

    def kill(self, _family):
        self.end_daemon("kill")

    def stop(self, _family):
        self.end_daemon("stop")

    def begin(self, _family):
        self.start(wait=self.chance.random() < 0.5)

    def freeze(self, _family):
        if self.daemon is not None:
            if self.frozen:
                self.thaw()
                self.tell("thawed")
            else:
                self.start()
                self.daemon.signal(signal.SIGSTOP)
                self.frozen = True

    def reload(self, _family):
        if self.daemon is not None:
            self.start()
            self.daemon.signal(signal.SIGHUP)

    def step_clock(self, _family):
        """Forth or back, by up to three weeks; the daemon's alone, the tool keeps the right one."""
        self.clock.set_by(self.world.randrange(-20, 21) * 86_400 + self.world.randrange(86_400))

    def fill(self, _family):
        if self.daemon is not None:
            self.start()  # it cannot begin without room
        with open(self.state / "filler", "ab", buffering=0) as filler, contextlib.suppress(OSError):
            while True:
                filler.write(bytes(4096))

    def is_full(self):
        return (self.state / "filler").exists()

    def make_room(self, _family=None):
        with contextlib.suppress(FileNotFoundError):
            (self.state / "filler").unlink()

    def read_on(self, _family):
        """A reader that keeps its snapshot until the end."""
        reader = self.readers.enter_context(contextlib.closing(ledger.open_to_read(self.state)))
        with contextlib.suppress(sqlite3.OperationalError):  # no room for it
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM log").fetchall()

    def iterate(self, _family):
        self.tool("iterate", killed_after=self.chance.choice((None, None, self.chance.random() * 0.02)))

    def mine_now(self, _family):
        self.mine()

    def mine_killed(self, _family):
        self.mine(killed_after=self.chance.random() * 0.02)

    def cut(self, family):
        """Somebody cuts the log back to its beginning, now and then in the middle of a line."""
        if not family.path.exists() or family.path.stat().st_size == 0:
            return
        content = family.path.read_bytes()
        size = self.chance.randrange(len(content))
        if self.chance.random() < 0.7:
            size = content[:size].rfind(b"\n") + 1
        with family.destruction(f"step {len(self.trail)}, cut", True):
            os.truncate(family.path, size)
        self.tell(f"from {len(content)} to {size}")

    def damage(self, family):
        """A packed generation goes bad, and so it does best before anybody has read it."""
        whole = [path for path in family.packed_files() if path.stat().st_ino not in family.damaged]
        if not whole:
            return
        path = min(whole, key=lambda one: -one.stat().st_mtime_ns) if self.chance.random() < 0.7 else self.chance.choice(whole)
        good = path.read_bytes()
        bad = bytearray(good)
        kind = self.chance.choice(("checksum", "flip", "cut", "members"))
        if kind == "members" and path.suffix == ".gz":  # damage in the second of two
            content = gzip.decompress(good)
            middle = content.rfind(b"\n", 0, len(content) // 2) + 1
            first, second = gzip.compress(content[:middle], mtime=0), gzip.compress(content[middle:], mtime=0)
            good, bad = first + second, bytearray(first + second)
            bad[len(first) + self.chance.randrange(10, len(second))] ^= 0x20
        elif kind == "cut":
            del bad[self.chance.randrange(1, len(bad)):]
        elif kind == "flip":
            bad[self.chance.randrange(10, len(bad))] ^= 1 << self.chance.randrange(8)
        else:
            bad[-6 if path.suffix == ".gz" else -2] ^= 0x55
        if bytes(bad) == good:
            return
        self.put(path, bytes(bad))
        family.damaged[path.stat().st_ino] = good
        family.excuses.setdefault("damaged", f"step {len(self.trail)}")
        self.tell(path.name, kind)

    def unpack(self, family):
        """Somebody wants to look into a packed generation."""
        whole = [path for path in family.packed_files()
                 if path.stat().st_ino not in family.damaged and not path.with_suffix("").exists()]
        if whole:
            path = self.chance.choice(whole)
            path.with_suffix("").write_bytes(self.unpacker.content(path))
            if self.chance.random() < 0.5:
                path.unlink()
            self.tell(path.name)

    def put(self, path, content):
        if self.chance.random() < 0.5:
            path.write_bytes(content)
        else:
            path.with_name("#new").write_bytes(content)
            path.with_name("#new").rename(path)

    def restore(self, family):
        for path in family.packed_files():
            good = family.damaged.pop(path.stat().st_ino, None)
            if good is not None:
                self.put(path, good)
                self.tell(path.name)
        family.damaged = {}

    # Looking at what came of it

    def sync(self, _family=None):
        """Has all that there is be mined, and looks whether it was."""
        self.make_room()
        if self.program == "tool" or (self.program == "mixed" and self.daemon is None):
            self.mine()
        else:
            self.start()
            self.drain()
        self.look()

    def drain(self):
        """Waits until the daemon has looked at everything, and has nothing left to do."""
        for _ in range(2):  # the second beat is heard when the turn of the first is over
            self.beat()
        self.wait(lambda: not self.daemon.status()["lagging_logs"], "the daemon still lags", 0.02)

    def beat(self):
        beat = self.folder / "beat" / "beat.log"
        with open(beat, "ab", buffering=0) as log:
            log.write(b"[]\n")
        self.beats += 1
        with contextlib.closing(ledger.open_to_read(self.state)) as store:
            self.wait(lambda: ledger.lines_of_log(store, beat) >= self.beats, "the daemon reads nothing", 0.003)

    def wait(self, condition, otherwise, pause, patience=300):
        end = time.monotonic() + patience
        while not condition():
            if self.daemon is not None and self.daemon.process.poll() is not None:
                raise Stuck(f"the daemon ended with {self.daemon.process.returncode}")
            if time.monotonic() > end:
                raise Stuck(otherwise)
            time.sleep(pause)

    def look(self):
        """What is in a file now must have been counted, and what was counted stays so."""
        standing = {}
        with contextlib.closing(ledger.open_to_read(self.state)) as store:
            recorded = {inode for inode, in store.execute("SELECT inode FROM log")}
        for family in self.families:
            of_family = family.standing()
            family.packed_seen = {path.stat().st_ino for path in family.packed_files()} & recorded
            for inode, lines in of_family.items():
                self.must |= lines
            for number in set().union(*of_family.values()):
                family.gone.pop(number, None)
            if self.daemon is not None and family.writing():
                self.held.add(family.inode)
            if self.daemon is not None:
                for inode in self.held & set(family.by_inode):
                    self.must |= family.by_inode[inode]
            standing |= of_family
        for family, inode, lines in self.cuts:
            if inode in standing:
                self.must_tell.append((family, lines))
        self.cuts = []
        self.seen = standing
        counted = ledger.Counted(self.state)
        missing = self.must - self.lines.spoiled - set(counted.lists) - self.unselected(self.must)
        if missing and self.daemon is not None:
            with contextlib.suppress(Stuck):  # one look more a second after a change is part of how it works
                self.wait(lambda: not missing - set(ledger.Counted(self.state).lists), "", 0.1, patience=15)
        twice = ledger.Counted(self.state).twice()
        if (missing or twice) and len(self.trail[-1]) < 5:
            counted = ledger.Counted(self.state)
            self.tell(f"missing {spans(missing - set(counted.lists))}", f"twice {spans(counted.twice())}")

    @staticmethod
    def unselected(numbers):
        return {number for number in numbers if not ledger.Ledger.is_selected(number)}

    # The whole

    def run(self):
        """All steps, and the end: damage is made good, daemons come and go until nothing is left to be read."""
        try:
            if self.program == "daemon" and self.chance.random() < 0.8:
                self.start(wait=False)
            for _ in range(self.chance.randrange(8, 36)):
                self.step()
            self.trail.append(["the end"])
            for family in self.families:
                if family.half and family.file is not None:
                    family.write_line()
                if self.chance.random() < 0.8:
                    self.restore(family)
            self.sync()
            self.trail.append(["once more"])
            if self.program != "tool":
                self.start()
                self.end_daemon("stop")
            if self.chance.random() < 0.3:
                self.iterate(None)
            if self.program != "tool":
                self.start()
            self.sync()
            self.end_daemon("stop")
            self.readers.close()
            self.judge()
        except (AssertionError, Stuck) as failure:
            said = f"\n{self.daemon.status()}" if isinstance(failure, Stuck) and self.daemon and self.daemon.process.poll() is None else ""
            self.findings.append(("stuck", f"{failure}{said}"))

    def judge(self):
        counted = ledger.Counted(self.state)
        self.findings += [("contradiction", what) for what in fault.contradictions(self.state)]
        told = ledger.reports(self.state)
        for family in self.families:
            self.judge_family(family, counted, [what for path, what in told if pathlib.Path(path).name.startswith(family.path.name)])
        self.findings += [("iteration", f"number {number} used {used} lists of {len(there)}")
                          for number, used, there in counted.iterations() if used != len(there)]
        lines, selected, unselected = counted.totals
        if counted.strange and not self.lines.spoiled and not any(family.damaged for family in self.families):
            self.findings.append(("strange lists", str(counted.strange[:3])))
        if selected + unselected - self.beats != counted.scored and not any(family.damaged for family in self.families):
            self.findings.append(("scores", f"{selected} + {unselected} - {self.beats} lists, {counted.scored} in the histogram"))
        if not any(kind.startswith(("lost", "twice")) for kind, _ in self.findings):
            least = len(self.unselected(self.must - self.lines.spoiled))
            most = len(self.unselected(self.lines.written) | self.lines.spoiled)  # two halves may make a list
            found = unselected - self.beats
            is_excused = found > most and any(what == "possible_twice" for _, what in told)
            if not any(family.damaged for family in self.families) and not least <= found <= most and not is_excused:
                self.findings.append(("unselected", f"{found}, not {least} to {most}"))

    def judge_family(self, family, counted, told):
        mine = set(family.lines)
        lost = {number for number in self.must & mine - self.lines.spoiled
                if ledger.Ledger.is_selected(number) and number not in counted.lists}
        twice = {number for number in counted.twice() if number in mine}
        silent = {number for whose, numbers in self.must_tell if whose is family for number in numbers - lost
                  if ledger.Ledger.is_selected(number) and number not in counted.lists and number in family.gone}
        unread = {number for number in mine - self.lines.spoiled - lost
                  if ledger.Ledger.is_selected(number) and number not in counted.lists}
        perhaps = self.unselected(mine - self.lines.spoiled - self.must)
        by_report = ", reported" if "possible_loss" in told else ""
        if lost:
            self.findings.append((f"lost{by_report}", f"{family.path.name}: {spans(lost)}"))
        if twice:
            places = {counted.places[number][0][1] + " and " + counted.places[number][1][1] for number in twice}
            also = ", reported" if "possible_twice" in told else ""
            self.findings.append((f"twice{also}", f"{family.path.name}: {spans(twice)} in {sorted(places)}"))
        if silent and not told:
            self.findings.append(("a loss in silence", f"{family.path.name}: {spans(silent)}: {family.gone[min(silent)]}"))
        if unread and not silent:
            first = {}  # line counted of each file
            for number in sorted(mine & set(counted.lists), reverse=True):
                first[family.lines[number]] = number
            known = {number for number in unread if first.get(family.lines[number], number) < number}
            self.findings.append((f"gone unread{' of a known log' if known else ''}{by_report}", f"{family.path.name}: {spans(known or unread)}: "
                                  f"{family.gone.get(min(known or unread), 'written to a file that was removed')}"))
        if mine - family.stood - set(family.gone) - self.lines.spoiled:
            family.excuses.setdefault("late", "written to a file that was removed")
        why = ", ".join(sorted(family.excuses))
        if "possible_loss" in told and not (lost or silent or unread or perhaps):
            self.findings.append((f"reported without a loss, {why}" if why else "false alarm", f"{family.path.name}: {family.excuses}"))
        if "possible_twice" in told and not twice:
            self.findings.append((f"reported without a line twice, {why}" if why else "false alarm of lines twice",
                                  f"{family.path.name}: {family.excuses}"))

    def close(self, keep=False):
        self.readers.close()
        self.lives.close()
        self.place.doCleanups()
        if self.small_disk:
            if keep:
                shutil.copytree(self.state, self.folder / "state.kept")
            subprocess.run(["umount", "-l", self.state], check=False)
        for family in self.families:
            family.close()
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)

    def story(self):
        """What was done, for people."""
        machine = ", a clock that is set" * bool(self.clock) + ", a small disk" * self.small_disk + ", unpacked generations" * self.unpacks
        return "\n".join([f"{self.mode}, {self.program}, rotate_wait {self.rotate_wait} s{machine}", *map(str, self.families),
                          *(f"  {number:3} {' '.join(map(str, step))}" for number, step in enumerate(self.trail, 1))])


def spans(numbers):
    """1-3 7: numbers in short."""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return f"{len(numbers)} lines: " + " ".join(f"{first}-{last}" if first < last else str(first) for first, last in parts[:12])
