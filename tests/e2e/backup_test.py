"""backup: a copy as of one moment, while others write; restoring is cp."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import threading

import program
from daemon import Daemon
from program import EXAMPLES, SAMPLE_LOGS, ProgramTest, main


class Backup(ProgramTest):
    def sample(self):
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        self.qdedup("run", *SAMPLE_LOGS)
        self.qdedup("review", "approve", "--confidence", "safe")

    def test_restoring_is_cp(self):
        self.sample()
        copied = self.qdedup("backup", self.folder / "copy.db", "--bank", self.folder / "bank.db")
        self.assertIn("copied to", copied.err)
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.db*")), ["bank.db", "copy.db"])
        listed = self.qdedup("export").bytes
        shutil.rmtree(self.folder / "state")
        (self.folder / "state").mkdir()
        shutil.copy(self.folder / "copy.db", self.folder / "state/qdedup.db")
        shutil.copy(self.folder / "bank.db", self.folder / "state/bank.db")
        self.expect_readable(listed)
        self.qdedup("review", "reset", "--confidence", "safe")
        self.qdedup("review", "approve", "--confidence", "safe")
        self.expect_readable(listed)
        self.assertIn("nothing new", self.qdedup("run", *SAMPLE_LOGS).out)

    def expect_readable(self, listed):
        """By whoever only reads, and so leaves nothing in the folder."""
        before = sorted((self.folder / "state").iterdir())
        self.qdedup("verify")
        self.qdedup("status")
        self.assertEqual(self.qdedup("export").bytes, listed)
        self.qdedup("explain", *self.pairs()[0])
        self.assertEqual(sorted((self.folder / "state").iterdir()), before)

    def test_standard_output_gets_no_copy(self):
        self.sample()
        for words in (["-"], [self.folder / "copy.db", "--bank", "-"]):
            self.assertIn("must be a file, not standard output", self.qdedup("backup", *words, expect=64).err)
        self.assertEqual(list(self.folder.glob("*.db")), [])

    def test_files_that_are_there_stay(self):
        self.sample()
        there = self.write("copy.db", "precious")
        self.assertIn("File exists", self.qdedup("backup", there, expect=73).err)
        self.assertEqual(there.read_text(), "precious")
        there.chmod(0o600)
        self.qdedup("backup", there, "--force")
        self.assertEqual(there.stat().st_mode & 0o777, 0o600)
        there.chmod(0o440)
        self.qdedup("backup", there, "--force")
        self.assertEqual(there.stat().st_mode & 0o777, 0o440)
        self.assertTrue(there.read_bytes().startswith(b"SQLite format 3"))
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        there.write_text("replaced only if both can be")
        for option in ("", "--bank"):
            self.assertIn("pipe: is there, and no regular file",
                          self.qdedup("backup", "--force", *([there, option] if option else []), pipe, expect=73).err)
            self.assertTrue(pipe.is_fifo())
            self.assertEqual(there.read_text(), "replaced only if both can be")
        self.qdedup("backup", self.folder / "none/copy.db", expect=73)
        self.qdedup("backup", self.folder / "state/qdedup.db", "--force", expect=73)
        self.qdedup("backup", self.folder / "other.db", state="none", expect=66)
        self.assertFalse((self.folder / "other.db").exists())
        self.assertEqual(list(self.folder.glob("*.part*")), [])

    def test_the_bank_needs_a_file_of_its_own(self):
        self.sample()
        (self.folder / "link").symlink_to(self.folder)
        for force in ([], ["--force"]):
            for bank in ("same.db", "./same.db", "state/../same.db", "link/same.db", self.folder / "same.db"):
                refused = self.qdedup("backup", *force, "--bank", bank, "same.db", expect=64)
                self.assertIn("needs a file of its own", refused.err)
        self.assertFalse((self.folder / "same.db").exists())
        first = self.write("first.db", "precious")
        (self.folder / "second.db").hardlink_to(first)
        self.qdedup("backup", "--force", "--bank", "second.db", "first.db", expect=64)
        self.assertEqual(first.read_text(), "precious")

    def test_nothing_is_written_where_the_bank_cannot_go(self):
        self.sample()
        self.write("bank.db", "precious")
        self.assertIn("bank.db: File exists", self.qdedup("backup", "copy.db", "--bank", "bank.db", expect=73).err)
        self.assertFalse((self.folder / "copy.db").exists())

    def test_while_a_daemon_works(self):
        config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n')
        daemon = Daemon(self, config)
        self.sample()
        stop = threading.Event()

        def decide():
            while not stop.is_set():
                for decision in ("reset", "approve"):
                    subprocess.run([program.QDEDUP, "--state", str(daemon.state), "review", decision, "--iteration", "1"],
                                   check=True, capture_output=True)

        reviewer = threading.Thread(target=decide)
        reviewer.start()
        try:
            for number in range(10):
                copy = self.folder / f"copy{number}.db"
                self.qdedup("backup", copy)
                with contextlib.closing(sqlite3.connect(copy)) as store:
                    self.assertEqual(store.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
                    # One transaction decides on all of them.
                    self.assertEqual(store.execute("SELECT count(DISTINCT status) FROM deletion WHERE confidence = 'safe'")
                                     .fetchone(), (1,))
                    self.assertEqual(store.execute("SELECT count(*) FROM deletion d WHERE status <> (SELECT new_status "
                                                   "FROM decision WHERE deletion_id = d.id ORDER BY id DESC LIMIT 1)").fetchone(),
                                     (0,))
        finally:
            stop.set()
            reviewer.join()
        daemon.stop()


if __name__ == "__main__":
    main()
