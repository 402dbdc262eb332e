"""Bytes that flip in a database or its write-ahead log: row 35 of doc/reliability.md.

QDEDUP_FLIPS says how many (default 50, with scripts/test full 100), QDEDUP_SEED which."""

import contextlib
import os
import random
import re
import shutil
import sqlite3

import fault
import program

FLIPS = int(os.environ.get("QDEDUP_FLIPS", "100" if program.FULL else "50"))
SEED = int(os.environ.get("QDEDUP_SEED", "1"))
PAGE = 4096


class DamagedPages(fault.FaultTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.unsettled = cls.given / "unsettled"
        cls.leave_unsettled(cls.given / "mined", cls.unsettled)
        cls.new = cls.given / "new.jsonl"
        cls.new.write_bytes(b"".join(cls.bank.read_bytes().splitlines(keepends=True)[:20]).replace(b'"id":', b'"id":9'))

    @classmethod
    def leave_unsettled(cls, given, to):
        """A state with all of an iteration, of decisions and of an import in its -wal files, as a kill leaves it."""
        with contextlib.ExitStack() as stack:
            working = shutil.copytree(given, cls.given / "working")
            for name in ("qdedup.db", "bank.db"):
                reader = stack.enter_context(contextlib.closing(sqlite3.connect(working / name)))
                reader.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            fault.run("import", program.EXAMPLES / "questions.csv", state=working)
            fault.run("iterate", state=working, expect=0)
            fault.run("review", "approve", "--confidence", "safe", state=working, expect=0)
            shutil.copytree(working, to)

    def outcomes(self, state):
        """Of every command that reads; of an iteration the list."""
        ids = [line.split(b",")[1:3] for line in self.undisturbed.splitlines()[1:3]]
        commands = [["export"], ["export", "--classes"], ["verify"], ["iterations"], ["check", self.new],
                    ["similar", ids[0][0].decode()], ["explain", *(i.decode() for i in ids[1])]]
        for command in commands:
            yield command, fault.run(*command, state=state)
        iterated = fault.run("iterate", state=state)
        yield ["iterate"], fault.run("export", state=state) if iterated.code == 0 else iterated

    @staticmethod
    def flip(path, rng):
        """One bit; where it matters most half of the time."""
        size = path.stat().st_size
        page = rng.randrange(size // PAGE) * PAGE
        place = rng.choice((rng.randrange(size), rng.randrange(size), page + rng.randrange(12), page + PAGE - 1 - rng.randrange(8),
                            rng.randrange(100)))
        with open(path, "r+b") as file:
            file.seek(place)
            byte, = file.read(1)
            file.seek(place)
            file.write(bytes([byte ^ (1 << rng.randrange(8))]))
        return place

    @staticmethod
    def exchange(path, rng):
        """Two whole pages, each with its checksum."""
        first, second = (number * PAGE for number in rng.sample(range(path.stat().st_size // PAGE), 2))
        content = bytearray(path.read_bytes())
        content[first:first + PAGE], content[second:second + PAGE] = content[second:second + PAGE], content[first:first + PAGE]
        path.write_bytes(content)
        return first

    def flips(self, given, files, count, damage=flip):
        expected = [(outcome.code, outcome.bytes) for _, outcome in self.outcomes(shutil.copytree(given, self.folder / "sound"))]
        rng = random.Random(SEED)
        told = 0
        for number in range(count):
            name = rng.choice(files)
            state = shutil.copytree(given, self.folder / f"flip-{number}")
            place = damage(state / name, rng)
            for (command, outcome), (code, content) in zip(self.outcomes(state), expected):
                if (outcome.code, outcome.bytes) == (code, content):
                    continue
                said = f"seed {SEED}, flip {number}: {name} at {place}: {command} ended with {outcome.code}: {outcome.err}"
                self.assertEqual(outcome.code, 65, said)
                self.assertRegex(outcome.err + outcome.out, r"\.db: .*(damaged|no SQLite database|cut off|another program|earlier qdedup|newer qdedup)", said)
                told += 1
            shutil.rmtree(state)
        self.assertGreater(told, count, "the flips hit hardly anything")

    def test_row_35_a_bit_flips_in_a_database(self):
        self.flips(self.given / "mined", ["qdedup.db", "bank.db"], FLIPS // 2)

    def test_row_35_pages_change_places(self):
        self.flips(self.given / "mined", ["qdedup.db", "bank.db"], FLIPS // 10, self.exchange)

    def test_row_35_a_bit_flips_in_a_log_that_is_not_settled(self):
        self.flips(self.unsettled, ["qdedup.db-wal", "bank.db-wal"], FLIPS // 2)

    def test_row_35_verify_names_page_table_and_rows(self):
        state = self.copy_of("iterated")
        with contextlib.closing(sqlite3.connect(f"file:{state}/bank.db?mode=ro", uri=True)) as bank:
            page, = bank.execute("SELECT pageno FROM dbstat WHERE name = 'question' AND pagetype = 'leaf' "
                                 "ORDER BY pageno LIMIT 1 OFFSET 2").fetchone()
        content = bytearray((state / "bank.db").read_bytes())
        content[page * PAGE - 100] ^= 1
        (state / "bank.db").write_bytes(content)
        said = fault.run("verify", state=state, expect=65).out
        self.assertIn(f"bank.db: page {page} is damaged", said)
        self.assertRegex(said, r"table question has damaged pages: rows (after \d+ )?(and )?before \d+")
        self.assertIn("import the questions again", said)
        self.assertIn("damaged pages; no deletion was checked", said)
        self.assertIsNone(fault.run("--json", "verify", state=state, expect=65).json()["open"])
        first, last = map(int, re.search(r"after (\d+) and before (\d+)", said).groups())
        self.assertLess(first, last)
        self.assertIn(f"page {page} is damaged", fault.run("export", state=state, expect=65).err)

    def test_row_35_pages_without_checksums_are_refused_whatever_the_header_says(self):
        for reserved in (0, 16):
            state = self.copy_of("iterated", f"reserved-{reserved}")
            content = bytearray((state / "bank.db").read_bytes())
            content[20] = reserved
            (state / "bank.db").write_bytes(content)
            self.assertIn("bank.db: page 1 is damaged", fault.run("export", state=state, expect=65).err)
            self.assertEqual((state / "bank.db").read_bytes(), content)

    def test_row_35_what_lies_beyond_the_end_changes_nothing(self):
        state = self.copy_of("iterated")
        for name in ("qdedup.db", "bank.db"):
            with open(state / name, "ab") as file:
                file.write(b"more" * 3000)
        self.expect_undisturbed(state)

    def test_row_35_a_program_that_only_reads_settles_the_log_without_harm(self):
        state = shutil.copytree(self.unsettled, self.folder / "state")
        listed = fault.run("export", state=shutil.copytree(self.unsettled, self.folder / "other"), expect=0).bytes
        for name in ("qdedup.db", "bank.db"):
            with contextlib.closing(sqlite3.connect(state / name)) as reader:
                reader.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            self.assertFalse((state / f"{name}-wal").exists(), "it was not the last one")
        self.assertEqual(self.list_of(state), listed)


if __name__ == "__main__":
    program.main()
