"""What the tool does when its state is busy, damaged or from another time."""

import contextlib
import fcntl
import os
import pathlib
import shutil
import unittest

from program import ProgramTest, database, main


class Faults(ProgramTest):
    def setUp(self):
        super().setUp()
        self.import_questions({1: "甲", 2: "甲"})
        self.log = self.write("a.log", "[[1,0.9],[2,0.8]]\n")
        self.state = self.folder / "state"

    @contextlib.contextmanager
    def database(self, name):
        with contextlib.closing(database(self.state / name)) as opened:
            yield opened
            opened.commit()

    def content(self):
        return {path.name: path.read_bytes() for path in self.state.iterdir() if path.suffix == ".db"}

    def test_a_state_in_use_is_busy(self):
        with (self.state / "lock").open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for command in (["mine", self.log], ["iterate"], ["run", self.log], ["import", self.log]):
                self.assertIn("another qdedup", self.qdedup(*command, expect=75).err)
            self.qdedup("status")
        self.qdedup("run", self.log)

    def test_a_state_that_is_not_there(self):
        for command in (["status"], ["iterations"], ["export"], ["explain", "1", "2"]):
            self.qdedup(*command, state="none", expect=66)
        self.assertFalse((self.folder / "none").exists())

    def test_a_damaged_store_is_refused_and_left_alone(self):
        store = self.state / "qdedup.db"
        for damaged in (b"", b"\0" * 8192, b"not a database, but long enough to look like a file\n" * 100):
            store.write_bytes(damaged)
            for command in (["status"], ["mine", self.log], ["iterate"]):
                outcome = self.qdedup(*command, expect=65)
                self.assertIn("qdedup.db", outcome.err)
                self.assertIn("backup", outcome.err)
            self.assertEqual(store.read_bytes(), damaged)

    def test_a_newer_store_is_refused_and_left_alone(self):
        for name in ("qdedup.db", "bank.db"):
            with self.subTest(name):
                with self.database(name) as opened:
                    version, = opened.execute("PRAGMA user_version").fetchone()
                    opened.execute("PRAGMA user_version = 99")
                before = self.content()
                for command in (["status"], ["mine", self.log], ["iterate"]):
                    self.assertIn("newer qdedup", self.qdedup(*command, expect=65).err)
                self.assertEqual(self.content(), before)
                with self.database(name) as opened:
                    opened.execute(f"PRAGMA user_version = {version}")

    def test_a_newer_store_with_pages_in_its_wal_is_left_alone_too(self):
        with contextlib.closing(database(self.state / "qdedup.db")) as store:
            store.execute("PRAGMA user_version = 99")
            store.commit()
            before = {path.name: path.read_bytes() for path in self.state.glob("qdedup.db*") if "shm" not in path.name}
            shutil.copytree(self.state, self.folder / "killed")
        self.qdedup("mine", self.log, state="killed", expect=65)
        after = {path.name: path.read_bytes() for path in (self.folder / "killed").glob("qdedup.db*")
                 if "shm" not in path.name}
        self.assertGreater(len(before["qdedup.db-wal"]), 0)
        self.assertEqual(after, before)

    def test_a_store_that_lost_its_wal_is_refused(self):
        with self.database("qdedup.db") as store:
            store.execute("CREATE TABLE scratch (x)")
            store.commit()
            shutil.copytree(self.state, self.folder / "killed")
        (self.folder / "killed/qdedup.db-wal").unlink()
        self.assertIn("has lost its -wal", self.qdedup("mine", self.log, state="killed", expect=65).err)

    def test_evidence_that_was_tampered_with_is_not_used(self):
        self.qdedup("mine", self.log)
        with self.database("qdedup.db") as store:
            store.execute("UPDATE evidence SET lists = zeroblob(length(lists))")
        self.assertIn("evidence 1", self.qdedup("iterate", expect=65).err)
        self.assertIn("no iteration yet", self.qdedup("export", expect=66).err)

    def test_fingerprints_of_other_rules_are_made_anew(self):
        with self.database("bank.db") as bank:
            bank.execute("UPDATE question SET signs = id")
            bank.execute("DELETE FROM sketch_run")
            bank.execute("UPDATE meta SET value = '0/unicode-1.1'")
        self.qdedup("run", self.log)
        self.assertEqual(self.pairs(), [(2, 1)])

    @unittest.skipIf(os.geteuid() == 0, "skipped: root may read every file")
    def test_a_log_without_permission(self):
        self.log.chmod(0)
        self.qdedup("mine", self.log, expect=66)
        self.log.chmod(0o600)
        self.qdedup("mine", self.log)

    def test_standard_output_that_is_full(self):
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("no /dev/full")
        self.qdedup("run", self.log)
        for words in ("status", "--help", "--version"):
            code = os.waitstatus_to_exitcode(os.system(
                f"{os.environ.get('QDEDUP', 'qdedup')} --state {self.state} {words} >/dev/full 2>/dev/null"))
            self.assertEqual(code, 74, words)


if __name__ == "__main__":
    main()
