"""Disks that are full, locks that are held, databases that are damaged: rows 3, 4, 5, 7 and 29 of doc/reliability.md."""

import contextlib
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest

import fault
import place
import program
from daemon import QDEDUPD


def cannot_mount():
    """Why no file system can be mounted here; None when one can."""
    if os.geteuid() != 0:
        return "only root may mount a small file system"
    tried = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, text=True,
                           check=False)
    return None if tried.returncode == 0 else f"no mount is allowed: {tried.stderr.strip()}"


class FullDisk(fault.FaultTest):
    def setUp(self):
        super().setUp()
        reason = cannot_mount()
        if reason:
            self.skipTest(reason)
        self.state = self.folder / "state"
        self.state.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", self.state], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.state], check=False)
        shutil.copytree(self.given / "imported", self.state, dirs_exist_ok=True)

    def fill(self):
        """Takes all the room there is."""
        with open(self.state / "filler", "ab", buffering=0) as filler, contextlib.suppress(OSError):
            while True:
                filler.write(bytes(4096))

    def make_room(self):
        (self.state / "filler").unlink()

    def offsets(self):
        return {log["path"]: log["offset"] for log in
                fault.run("status", "--json", state=self.state, expect=0).json()["logs"]}

    def test_row_03_disk_full_for_the_tool(self):
        for command in (["mine", *self.logs], ["iterate"]):
            before = self.offsets()
            self.fill()
            outcome = fault.run(*command, state=self.state)
            self.assertIn(outcome.code, (73, 74), outcome.err)
            self.assertIn("full", outcome.err)
            self.make_room()
            self.assertEqual(self.offsets(), before)
            self.expect_consistent(self.state)
            fault.run(*command, state=self.state, expect=0)
        self.expect_undisturbed(self.state)

    def test_row_03_disk_full_for_a_backup(self):
        roomy = shutil.copytree(self.state, self.folder / "roomy")
        self.fill()
        copy = self.state / "copy.db"
        self.assertIn(f"{copy}: database or disk is full", fault.run("backup", copy, state=roomy, expect=74).err)
        self.assertFalse(copy.exists())

    def test_row_03_disk_full_at_any_moment(self):
        """As much room as is left decides where it ends: from nothing at all to enough."""
        keep = shutil.copytree(self.state, self.folder / "keep")
        done = False
        for room in range(0, 512, 16 if program.FULL else 32):
            for file in self.state.iterdir():
                file.unlink()
            shutil.copytree(keep, self.state, dirs_exist_ok=True)
            self.fill()
            os.truncate(self.state / "filler", max(0, (self.state / "filler").stat().st_size - room * 1024))
            outcome = fault.run("run", *self.logs, state=self.state)
            done = outcome.code == 0
            self.expect_consistent(self.state)
            self.make_room()
            fault.run("run", *self.logs, state=self.state, expect=0)
            self.assertEqual(fault.lines_in(self.state), len(self.lines))
        self.assertTrue(done, "even the most room was too little")

    def test_row_03_disk_full_for_the_daemon(self):
        logs = self.folder / "logs"
        logs.mkdir()
        at = place.Place(self.folder, logs)
        with at.daemon() as daemon:
            self.fill()
            shutil.copy(self.logs[0], logs)
            daemon.wait_for("STATUS=cannot store what is mined")
            self.assertEqual(self.offsets(), {})
            self.assertEqual(daemon.get("/healthz")[0], 503)
            self.assertIn("full", daemon.get("/healthz")[1])
            self.assertGreater(daemon.metric("qdedup_failed_commits_total"), 0)
            self.make_room()
            shutil.copy(self.logs[1], logs)
            shutil.copy(self.logs[2], logs)
            daemon.wait_until_mined(len(self.lines))
            self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
            fault.run("iterate", state=self.state, expect=0)
            daemon.stop()
        self.expect_undisturbed(self.state)


class Limits(fault.FaultTest):
    """Limits of the process that end a program which does not know them."""

    FILE_SIZE = 16 * 1024

    def setUp(self):
        super().setUp()
        self.state = self.copy_of("imported")

    def limited(self, command, limits):
        def set_limits():
            for limit, value in limits.items():
                resource.setrlimit(limit, (value, value))

        return subprocess.run([program.QDEDUP, "--state", self.state, *map(str, command)], capture_output=True, text=True,
                              check=False, preexec_fn=set_limits)

    def test_row_03_a_file_at_its_limit_for_the_tool(self):
        for command in (["mine", *self.logs], ["iterate"]):
            done = self.limited(command, {resource.RLIMIT_FSIZE: self.FILE_SIZE})
            self.assertEqual(done.returncode, 74, done.stderr)
            self.expect_consistent(self.state)
            fault.run(*command, state=self.state, expect=0)
        self.expect_undisturbed(self.state)

    def test_row_03_a_copy_at_its_limit(self):
        done = self.limited(["backup", self.folder / "copy.db"], {resource.RLIMIT_FSIZE: 4 * self.FILE_SIZE})  # -shm needs 32 KiB
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("copy.db: disk I/O error", done.stderr)
        self.assertNotIn("qdedup.db", done.stderr)
        self.assertEqual(list(self.folder.glob("copy.db*")), [])
        self.expect_consistent(self.state)

    def test_row_03_a_file_at_its_limit_for_the_daemon(self):
        logs = self.folder / "logs"
        logs.mkdir()
        at = place.Place(self.folder, logs)
        with at.daemon() as daemon:
            _, most = resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (self.FILE_SIZE, most))
            for log in self.logs:
                shutil.copy(log, logs)
            daemon.wait_for("STATUS=cannot store what is mined")
            resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (most, most))
            daemon.wait_until_mined(len(self.lines))
            fault.run("iterate", state=self.state, expect=0)
            daemon.stop()
        self.expect_undisturbed(self.state)

    @program.without_sanitizers("the address space cannot be limited")
    def test_row_29_no_more_threads(self):
        """A thread's stack has the size of the main one's limit; there is no room for that."""
        limits = {resource.RLIMIT_AS: 4 << 30, resource.RLIMIT_STACK: 8 << 30}
        done = self.limited(["import", self.bank], limits)
        self.assertEqual(done.returncode, 75, done.stderr)
        self.assertIn("no more threads can be had", done.stderr)
        fault.run("import", self.bank, state=self.state, expect=0)
        fault.run("mine", *self.logs, state=self.state, expect=0)
        done = self.limited(["iterate"], limits)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_undisturbed(self.state)


class Locks(fault.FaultTest):
    def setUp(self):
        super().setUp()
        self.state = self.copy_of("imported")

    def database(self):
        return contextlib.closing(sqlite3.connect(self.state / "qdedup.db", isolation_level=None))

    def test_row_04_the_write_lock_is_held_for_longer_than_the_bound(self):
        with self.database() as other:
            other.execute("BEGIN IMMEDIATE")
            outcome = fault.run("mine", *self.logs, state=self.state, expect=75)
            self.assertIn("locked", outcome.err)
            self.assertEqual(fault.lines_in(self.state), 0)
        fault.run("run", *self.logs, state=self.state, expect=0)
        self.expect_undisturbed(self.state)

    def test_row_04_the_daemon_waits_for_the_write_lock(self):
        at = place.Place(self.folder, self.given / "logs")
        with self.database() as other:
            other.execute("BEGIN IMMEDIATE")
            with at.daemon() as daemon:
                daemon.wait_for("STATUS=cannot store what is mined")
                self.assertIn("locked", daemon.get("/healthz")[1])
                self.assertEqual(fault.lines_in(self.state), 0)
                other.execute("ROLLBACK")
                daemon.wait_until_mined(len(self.lines))
                fault.run("iterate", state=self.state, expect=0)
                daemon.stop()
        self.expect_undisturbed(self.state)

    def test_row_04_a_reader_that_stays_open_stops_nothing_and_the_metric_shows_it(self):
        at = place.Place(self.folder, self.given / "logs")
        with self.database() as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM log").fetchall()
            with at.daemon() as daemon:
                daemon.wait_until_mined(len(self.lines))
                fault.run("iterate", state=self.state, expect=0)
                wal = (self.state / "qdedup.db-wal").stat().st_size
                self.assertGreater(wal, 0)
                self.assertEqual(daemon.metric("qdedup_store_wal_bytes"), wal)
                self.assertEqual(reader.execute("SELECT count(*) FROM log").fetchone(), (0,))
                daemon.stop()
        self.expect_undisturbed(self.state)

    def test_row_07_a_second_daemon_on_the_same_state(self):
        at = place.Place(self.folder, self.given / "logs")
        with at.daemon() as daemon:
            second = subprocess.run([QDEDUPD, "--config", at.config], capture_output=True, text=True, check=False)
            self.assertEqual(second.returncode, 75, second.stderr)
            self.assertIn("another qdedup works on this state", second.stderr)
            daemon.wait_until_mined(len(self.lines))
            fault.run("iterate", state=self.state, expect=0)
            daemon.stop()
        self.expect_undisturbed(self.state)


class DamagedDatabase(fault.FaultTest):
    def setUp(self):
        super().setUp()
        self.state = self.copy_of("mined")

    def content(self):
        """Of the databases and what is not settled of them; looking at one may leave an empty -wal."""
        files = [*self.state.glob("*.db"), *self.state.glob("*.db-wal")]
        return {path.name: path.read_bytes() for path in files if path.stat().st_size > 0 or path.suffix == ".db"}

    def expect_refused(self, names):
        """By every command and the daemon, untouched; with a backup in its place the list is the undisturbed one."""
        before = self.content()
        for command in (["status"], ["mine", *self.logs], ["iterate"], ["run", *self.logs], ["export"]):
            outcome = fault.run(*command, state=self.state, expect=65)
            self.assertIn(names, outcome.err)
            self.assertIn("cp --remove-destination BACKUP qdedup.db", outcome.err)
        at = place.Place(self.folder, self.given / "logs")
        daemon = subprocess.run([QDEDUPD, "--config", at.config], capture_output=True, text=True, check=False)
        self.assertEqual(daemon.returncode, 65, daemon.stderr)
        self.assertIn("cp --remove-destination BACKUP qdedup.db", daemon.stderr)
        self.assertEqual(self.content(), before)
        for file in self.state.glob("qdedup.db*"):
            file.unlink()
        shutil.copy(self.given / "mined/qdedup.db", self.state)
        fault.run("run", *self.logs, state=self.state, expect=0)
        self.expect_undisturbed(self.state)

    def test_row_05_the_database_is_zeroed(self):
        store = self.state / "qdedup.db"
        store.write_bytes(bytes(store.stat().st_size))
        self.expect_refused("is no SQLite database")

    def test_row_05_the_database_is_empty(self):
        (self.state / "qdedup.db").write_bytes(b"")
        self.expect_refused("is no SQLite database")

    def test_row_05_the_database_is_cut(self):
        store = self.state / "qdedup.db"
        os.truncate(store, store.stat().st_size // 2)
        self.expect_refused("was cut off")

    def test_row_05_the_database_is_gone(self):
        (self.state / "qdedup.db").unlink()
        self.expect_refused("is missing")

    def test_row_05_the_bank_is_gone(self):
        """Only an import makes it anew: in an empty bank, all that is listed would be withdrawn."""
        fault.run("run", *self.logs, state=self.state, expect=0)
        before = fault.run("export", state=self.state, expect=0).out
        bank = self.state / "bank.db"
        bank.rename(self.folder / "bank.db")
        one = self.folder / "one.jsonl"
        one.write_text('{"id":7,"text":"甲乙丙丁"}\n')
        for command in (["iterate"], ["sweep"], ["mine", *self.logs], ["check", "--add", one], ["review", "approve", "--confidence", "safe"]):
            self.assertIn("bank.db: ", fault.run(*command, state=self.state, expect=65).err)
            self.assertFalse(bank.exists(), command)
        daemon = subprocess.run([QDEDUPD, "--state", self.state], capture_output=True, text=True, check=False)
        self.assertEqual(daemon.returncode, 65)
        self.assertIn("bank.db: is missing, though qdedup.db remembers its questions", daemon.stderr)
        fault.run("backup", self.folder / "copy.db", state=self.state, expect=0)
        fault.run("import", self.bank, state=self.state, expect=0)
        self.assertIn("nothing new", fault.run("iterate", state=self.state, expect=0).out)
        self.assertEqual(fault.run("export", state=self.state, expect=0).out, before)

    def test_row_05_the_bank_is_an_older_one(self):
        """Where an iteration or a class rests on a newer one, what that listed would be withdrawn."""
        one = self.folder / "one.jsonl"
        one.write_text('{"id":999999,"text":"甲乙丙丁"}\n')
        older, newer = self.folder / "older.db", self.folder / "newer.db"
        fault.run("backup", self.folder / "copy.db", "--bank", older, state=self.state, expect=0)
        fault.run("import", one, state=self.state, expect=0)
        fault.run("run", *self.logs, state=self.state, expect=0)
        before = fault.run("export", state=self.state, expect=0).out
        fault.run("backup", self.folder / "store.db", "--bank", newer, state=self.state, expect=0)

        def put(bank):
            for file in self.state.glob("bank.db*"):
                file.unlink()
            shutil.copy(bank, self.state / "bank.db")

        put(older)
        for command in (["iterate"], ["sweep"], ["mine", *self.logs], ["import", one], ["review", "approve", "--confidence", "safe"]):
            refused = fault.run(*command, state=self.state, expect=65).err
            self.assertIn("bank.db: is older than the one that qdedup.db rests on; nothing was changed. Move bank.db, ", refused)
        daemon = subprocess.run([QDEDUPD, "--state", self.state], capture_output=True, text=True, check=False)
        self.assertEqual(daemon.returncode, 65, daemon.stderr)
        put(newer)
        self.assertIn("nothing new", fault.run("iterate", state=self.state, expect=0).out)
        put(older)
        for file in self.state.glob("bank.db*"):
            file.unlink()
        fault.run("import", self.bank, one, state=self.state, expect=0)
        self.assertIn("nothing new", fault.run("iterate", state=self.state, expect=0).out)
        self.assertEqual(fault.run("export", state=self.state, expect=0).out, before)
        for file in self.state.glob("*.db*"):
            file.unlink()
        shutil.copy(self.folder / "copy.db", self.state / "qdedup.db")
        shutil.copy(newer, self.state / "bank.db")
        fault.run("run", *self.logs, state=self.state, expect=0)
        self.assertEqual(fault.run("export", state=self.state, expect=0).out, before)

    def test_row_05_the_wal_of_a_killed_daemon_is_gone(self):
        at = place.Place(self.folder, self.given / "logs")
        with at.daemon() as daemon:
            daemon.wait_until_mined(len(self.lines))
            fault.run("iterate", state=self.state, expect=0)
            daemon.kill()
        (self.state / "qdedup.db-wal").unlink()
        self.expect_refused("has lost its -wal file")

    def test_row_06_a_newer_version_is_refused_untouched(self):
        with contextlib.closing(program.database(self.state / "qdedup.db")) as store:
            version, = store.execute("PRAGMA user_version").fetchone()
            store.execute("PRAGMA user_version = 99")
        before = self.content()
        for command in (["status"], ["mine", *self.logs], ["iterate"], ["export"]):
            self.assertIn("newer qdedup", fault.run(*command, state=self.state, expect=65).err)
        self.assertEqual(self.content(), before)
        with contextlib.closing(program.database(self.state / "qdedup.db")) as store:
            store.execute(f"PRAGMA user_version = {version}")
        fault.run("run", *self.logs, state=self.state, expect=0)
        self.expect_undisturbed(self.state)


@program.without_sanitizers("the address space is terabytes from the start")
class OutOfMemory(fault.FaultTest):
    """Address space, or data, from too little to begin with to enough, in small steps."""

    def limited(self, command, state, limit, mebibytes):
        size = mebibytes << 20
        return subprocess.run([program.QDEDUP, "--state", state, *command], capture_output=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(limit, (size, size)))

    def expect_told(self, limit, most):
        codes = set()
        for mebibytes in most:
            with self.subTest(mebibytes=mebibytes):
                state = self.copy_of("imported", to=f"state-{mebibytes}")
                for command in (["mine", *self.logs], ["iterate"]):
                    done = self.limited(command, state, limit, mebibytes)
                    codes.add(done.returncode)
                    # 127: the libraries did not fit. A log that there was no memory to unpack counts as one that could
                    # not be read (65).
                    self.assertIn(done.returncode, (0, 65, 70, 74, 75, 127), done.stderr)
                    self.expect_consistent(state)
                    fault.run(*command, state=state, expect=0)
                self.expect_undisturbed(state)
                shutil.rmtree(state)
        self.assertLessEqual({0, 75}, codes, "memory was never short, or always")

    def test_row_29_too_little_address_space_for_the_tool(self):
        self.expect_told(resource.RLIMIT_AS, range(40, 84, 2 if program.FULL else 4))

    def test_row_29_too_little_data_for_the_tool(self):
        self.expect_told(resource.RLIMIT_DATA, range(2, 124, 6 if program.FULL else 12))

    def test_row_29_too_little_data_for_the_daemon(self):
        """For its threads' stacks to begin with, then for what they do."""
        codes = set()
        for mebibytes in range(4, 104, 4 if program.FULL else 8):
            with self.subTest(mebibytes=mebibytes), tempfile.TemporaryDirectory(prefix="qdedup-trial-") as folder:
                at = place.Place(pathlib.Path(folder), self.given / "logs")
                shutil.copytree(self.given / "imported", at.state)
                with at.daemon(wrapper=["prlimit", f"--data={mebibytes << 20}"], wait=False) as daemon:
                    while "READY=1" not in daemon.messages and daemon.next_message() is not None:
                        pass
                    if daemon.process.poll() is None:
                        fault.run("mine", *self.logs, state=at.state)
                        fault.run("iterate", state=at.state)
                        daemon.signal(signal.SIGTERM)
                    while daemon.next_message() is not None:
                        pass
                    codes.add(daemon.process.returncode)
                    # SIGTERM: it was ending by itself, and took no signals any more.
                    self.assertIn(daemon.process.returncode, (0, 75, -signal.SIGTERM), daemon.said())
                self.expect_consistent(at.state)
        self.assertLessEqual({0, 75}, codes, "memory was never short, or always")

    def test_row_29_out_of_memory_in_the_daemon(self):
        at = place.Place(self.folder, self.given / "logs")
        shutil.copytree(self.given / "imported", at.state)
        with at.daemon(wait=False) as daemon:
            daemon.wait_for("READY=1")
            used = int(pathlib.Path(f"/proc/{daemon.process.pid}/statm").read_text(encoding="ascii").split()[0]) * 4096
            resource.prlimit(daemon.process.pid, resource.RLIMIT_AS, (used, used))
            for _ in range(3):
                fault.run("import", self.bank, state=at.state)
                fault.run("mine", *self.logs, state=at.state)
            if daemon.process.poll() is None:
                daemon.signal(signal.SIGTERM)
            while daemon.next_message() is not None:
                pass
        self.expect_consistent(at.state)
        with at.daemon() as daemon:
            daemon.wait_until_mined(len(self.lines))
            fault.run("import", self.bank, state=at.state, expect=0)
            fault.run("iterate", state=at.state, expect=0)
            daemon.stop()
        self.expect_undisturbed(at.state)


if __name__ == "__main__":
    program.main()
