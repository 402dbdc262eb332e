"""Killed, or failed by the disk, at every write and fsync: rows 1, 2 and 6 of doc/reliability.md."""

import pathlib
import shutil
import sqlite3
import unittest

import fault
import injection
import program

KILLED = "signal=KILL"
FAILED = "error=EIO"
SKIP = injection.reason_to_skip()

# What the second version of the schema brought.
BACK_TO_VERSION_1 = """ALTER TABLE log DROP COLUMN file_size; ALTER TABLE log DROP COLUMN file_modified_ns;
                       ALTER TABLE log DROP COLUMN born_ns;
                       DROP TABLE slot; DROP TABLE score;
                       ALTER TABLE iteration DROP COLUMN withheld; ALTER TABLE iteration DROP COLUMN released_at;
                       ALTER TABLE iteration DROP COLUMN released_by; DROP TABLE reopened;
                       DROP TABLE class_change; DROP TABLE class_member; DROP TABLE verified_pair;
                       DROP INDEX deletion_queue; DROP TABLE sample_pair; DROP TABLE sample;
                       PRAGMA user_version = 1;"""


@unittest.skipIf(SKIP, SKIP)
class InterruptedTool(fault.FaultTest):
    """The tool alone. Each command is interrupted at one place, and everything is then done again."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.old = pathlib.Path(shutil.copytree(cls.given / "mined", cls.given / "old"))
        with sqlite3.connect(cls.old / "qdedup.db") as store:
            store.executescript(BACK_TO_VERSION_1)
        store.close()

    def interrupt(self, given, command, then, fault_kind, calls, least):
        """Interrupts `command` on a copy of the state `given` (None: no state yet); does it and `then` after that."""

        def trial(folder, call, number):
            state = folder / "state"
            if given:
                shutil.copytree(self.given / given, state)
            wrapper = injection.strace(call, fault_kind, number, folder / "trace")
            outcome = fault.run(*command, state=state, wrapper=wrapper)
            hit = injection.was_hit(folder / "trace", fault_kind, outcome.code)
            self.expect_told(outcome, hit, fault_kind)
            self.expect_consistent(state)
            self.expect_whole_schema(state)
            for further in then:
                fault.run(*further, state=state, expect=0)
            self.expect_undisturbed(state)
            return hit

        self.assertGreaterEqual(injection.at_every_call(calls, fault_kind, trial), least)

    def expect_told(self, outcome, hit, fault_kind):
        if not hit:
            self.assertEqual(outcome.code, 0, outcome.err)
        elif fault_kind == FAILED:
            self.assertIn(outcome.code, (0, 73, 74), outcome.err)

    def expect_whole_schema(self, state):
        """Of one of the versions: what a version brought is all there, and the version says so, or nothing of it."""
        path = state / "qdedup.db"
        if not path.exists():
            return
        copy = shutil.copytree(state, state.with_name("looked-at"))
        store = sqlite3.connect(copy / "qdedup.db")
        version, = store.execute("PRAGMA user_version").fetchone()
        tables = {name for name, in store.execute("SELECT name FROM sqlite_schema")}
        tables &= {"slot", "score", "reopened", "sample", "sample_pair", "deletion_queue", "verified_pair", "class_member",
                   "class_change"}
        columns = {row[1] for table in ("log", "iteration") for row in store.execute(f"PRAGMA table_info({table})")}
        columns &= {"file_size", "file_modified_ns", "withheld", "released_at", "released_by", "born_ns"}
        store.close()
        self.assertIn((version, len(tables), len(columns)), {(1, 0, 0), (2, 2, 2), (3, 3, 5), (4, 6, 5), (5, 9, 5), (6, 9, 6)})

    def interrupt_the_first_import(self, *how, least):
        self.interrupt(None, ["import", self.bank], [["import", self.bank], ["run", *self.logs]], *how, least=least)

    def interrupt_mining(self, *how, least):
        self.interrupt("imported", ["mine", *self.logs], [["run", *self.logs]], *how, least=least)

    def interrupt_an_iteration(self, *how, given="mined", least):
        self.interrupt(given, ["iterate"], [["iterate"]], *how, least=least)

    def test_row_01_killed_at_every_write_of_the_first_import(self):
        self.interrupt_the_first_import(KILLED, injection.CHANGING, least=100)

    def test_row_01_killed_at_every_write_of_a_later_import(self):
        later = self.write("later.jsonl", self.bank.read_text(encoding="utf-8").replace("多少", "几何"))
        gone = program.EXAMPLES / "remove.txt"
        self.interrupt("mined", ["import", later, "--remove", gone], [["import", self.bank], ["iterate"]],
                       KILLED, injection.CHANGING, least=20)

    def test_row_01_killed_at_every_write_of_mining(self):
        self.interrupt_mining(KILLED, injection.CHANGING, least=40)

    def test_row_01_killed_at_every_write_of_an_iteration(self):
        self.interrupt_an_iteration(KILLED, injection.CHANGING, least=40)

    def test_row_02_an_io_error_at_every_write_of_the_first_import(self):
        self.interrupt_the_first_import(FAILED, injection.FAILING, least=100)

    def test_row_02_an_io_error_at_every_write_of_mining(self):
        self.interrupt_mining(FAILED, injection.FAILING, least=40)

    def test_row_02_an_io_error_at_every_write_of_an_iteration(self):
        self.interrupt_an_iteration(FAILED, injection.FAILING, least=40)

    def test_row_06_killed_at_every_write_of_a_migration(self):
        self.interrupt_an_iteration(KILLED, injection.CHANGING, given="old", least=40)

    def test_row_06_an_io_error_at_every_write_of_a_migration(self):
        self.interrupt_an_iteration(FAILED, injection.FAILING, given="old", least=40)


if __name__ == "__main__":
    program.main()
