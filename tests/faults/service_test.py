"""Signals, clocks, hangs, backups and stalled journals: rows 8, 26 to 28, 39 and 44 of doc/reliability.md."""

import contextlib
import datetime
import os
import pathlib
import signal
import sqlite3
import subprocess
import time
import unittest

import clock
import fault
import injection
import place
import program

SKIP = injection.reason_to_skip()


@unittest.skipIf(SKIP, SKIP)
class Backup(fault.FaultTest):
    def test_row_08_a_backup_during_an_iteration(self):
        state = self.copy_of("mined")
        slow = injection.strace("pwrite64", "delay_enter=20000", "1+", self.folder / "trace")
        iteration = subprocess.Popen([*slow, program.QDEDUP, "--state", state, "iterate"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(iteration.wait)
        backups = []
        while iteration.poll() is None:
            backups.append(self.folder / f"backup{len(backups)}")
            backups[-1].mkdir()
            fault.run("backup", backups[-1] / "qdedup.db", "--bank", backups[-1] / "bank.db", state=state, expect=0)
            self.expect_consistent(backups[-1])
        self.assertGreater(len(backups), 1, "the iteration was over at once")
        self.expect_undisturbed(state)
        for backup in (backups[0], backups[-1]):
            fault.run("iterate", state=backup, expect=0)
            self.expect_undisturbed(backup)


@program.without_sanitizers("the clock cannot be set: their library has to be preloaded first")
class Clock(fault.FaultTest):
    """The daemon by a clock that the test sets; tests/daemon/slot_keeper_test.cc and tests/schedule/due_test.cc have
    the rest of row 26."""

    def setUp(self):
        super().setUp()
        self.place = place.Place(self.folder, self.given / "logs")
        config = self.place.config.read_text(encoding="utf-8")
        config = config.replace('every = "off"', 'every = "daily 03:00"\ntime_zone = "UTC"')
        self.place.config.write_text(config, encoding="utf-8")
        self.state = self.copy_of("imported")
        self.clock = clock.Clock(self.folder)

    def set_clock(self, day):
        """To noon of that day of January 2026."""
        noon = datetime.datetime(2026, 1, day, 12, tzinfo=datetime.timezone.utc).timestamp()
        self.clock.set_by(noon - time.time())

    def slots(self):
        """The days whose slots were dealt with."""
        with contextlib.closing(sqlite3.connect(self.state / "qdedup.db")) as store:
            return [day for day, in store.execute("SELECT DISTINCT strftime('%d', at, 'unixepoch') + 0 FROM slot ORDER BY at")]

    def wait_for_slots(self, daemon, days):
        daemon.wait_until(lambda one: len(self.slots()) >= len(days))
        self.assertEqual(self.slots(), days)

    def lists_made(self):
        return len(fault.run("iterations", "--json", state=self.state, expect=0).json())

    # Each step: the day to which the clock is set, and the slots that are dealt with then. The first is only noted;
    # the third day's was never dealt with when the clock comes back to it.
    STEPS = [(1, [1]), (5, [1, 5]), (4, [1, 4, 5]), (1, [1, 4, 5]), (5, [1, 4, 5]), (2, [1, 2, 4, 5]), (9, [1, 2, 4, 5, 9])]

    def test_row_26_the_clock_is_set_while_the_daemon_is_down(self):
        for day, slots in self.STEPS:
            self.set_clock(day)
            with self.place.daemon(environment=self.clock.environment) as daemon:
                daemon.wait_until_mined(len(self.lines))
                self.wait_for_slots(daemon, slots)
                daemon.stop()
        self.assertEqual(self.lists_made(), 1)
        self.expect_undisturbed(self.state)

    def test_row_26_the_clock_is_set_while_the_daemon_works(self):
        self.set_clock(1)
        with self.place.daemon(environment=self.clock.environment) as daemon:
            daemon.wait_until_mined(len(self.lines))
            for day, slots in self.STEPS:
                self.set_clock(day)
                mark = len(daemon.messages)
                daemon.signal(signal.SIGHUP)  # it looks at the clock at once, not only after half a minute
                daemon.wait_for("READY=1", after=mark)
                self.wait_for_slots(daemon, slots)
            daemon.stop()
        self.assertEqual(self.lists_made(), 1)
        self.expect_undisturbed(self.state)

    def test_row_39_down_over_a_slot_with_lines_unmined(self):
        logs = self.folder / "logs"
        logs.mkdir()
        config = self.place.config.read_text(encoding="utf-8")
        config = config.replace(str(self.given / "logs"), str(logs))
        self.place.config.write_text(config, encoding="utf-8")
        self.set_clock(1)
        with self.place.daemon(environment=self.clock.environment) as daemon:
            self.wait_for_slots(daemon, [1])
            daemon.stop()
        times = 1000  # so that mining takes longer than coming to the slot; the list is the same
        (logs / "search.log.1").write_bytes(b"".join(self.lines[:400] * times))
        (logs / "search.log").write_bytes(b"".join(self.lines[400:] * times))
        self.set_clock(5)
        with self.place.daemon(environment=self.clock.environment) as daemon:
            self.wait_for_slots(daemon, [1, 5])
            daemon.wait_until_said("waits until")
            self.assertTrue(any("waits for" in message for message in daemon.messages))
            self.assertIsNone(daemon.status()["waiting_slot"])
            daemon.stop()
        self.assertEqual(self.lists_made(), 1)
        self.assertEqual(fault.run("status", "--json", state=self.state, expect=0).json()["waiting_lists"], 0)
        self.expect_undisturbed(self.state, times * len(self.lines))


@unittest.skipIf(SKIP, SKIP)
class Signals(fault.FaultTest):
    def setUp(self):
        super().setUp()
        self.state = self.copy_of("mined")
        self.place = place.Place(self.folder, self.given / "logs")
        self.place.miss_a_slot()

    def slow(self, call="pwrite64", microseconds=20_000, which="1+"):
        return injection.strace(call, f"delay_enter={microseconds}", which, self.folder / "trace", detached=True)

    @staticmethod
    def wait_until_it_iterates(daemon):
        daemon.wait_until(lambda one: any("iteration since" in message for message in one.messages))

    @staticmethod
    def wait_until_it_has_iterated(daemon):
        daemon.wait_until(lambda one: one.metric('qdedup_iterations_total{result="success"}') == 1)

    def test_row_27_sigterm_in_the_middle_of_an_iteration(self):
        """Which would last for much longer than what a daemon that is told to stop has."""
        with self.place.daemon(wrapper=self.slow(microseconds=1_000_000)) as daemon:
            self.wait_until_it_iterates(daemon)
            daemon.stop()
            self.assertIn("the iteration is given up", daemon.said())
        self.expect_consistent(self.state)
        with self.place.daemon() as daemon:
            fault.run("iterate", state=self.state, expect=0)
            daemon.stop()
        self.expect_undisturbed(self.state)

    def test_row_27_sigterm_while_the_state_is_opened(self):
        """Which may take long."""
        with self.place.daemon(wrapper=self.slow("flock", 5_000_000), wait=False) as daemon:
            while not self.has_opened(daemon, self.state / "lock"):
                time.sleep(0.05)
            daemon.stop(expect=-signal.SIGTERM)
        with self.place.daemon() as daemon:
            daemon.stop()
        self.expect_consistent(self.state)

    @staticmethod
    def has_opened(daemon, path):
        for descriptor in pathlib.Path(f"/proc/{daemon.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                if descriptor.readlink() == path:
                    return True
        return False

    def test_row_27_sighup_and_a_bad_config_in_the_middle_of_an_iteration(self):
        with self.place.daemon(wrapper=self.slow()) as daemon:
            self.wait_until_it_iterates(daemon)
            good = self.place.config.read_text(encoding="utf-8")
            self.place.config.write_text(good + "[merge]\nmax_cluster_size = -1\n", encoding="utf-8")
            mark = len(daemon.messages)
            daemon.signal(signal.SIGHUP)
            daemon.wait_for("READY=1", after=mark)
            daemon.wait_until_said("the new config is not used")
            self.place.config.write_text(good, encoding="utf-8")
            mark = len(daemon.messages)
            daemon.signal(signal.SIGHUP)
            daemon.wait_for("READY=1", after=mark)
            self.wait_until_it_has_iterated(daemon)
            daemon.stop()
        self.expect_undisturbed(self.state)

    @staticmethod
    def heard(daemon):
        """What it told and nobody has looked at yet."""
        told = []
        while not daemon.arrived.empty():
            told += daemon.next_message()
        return told

    @staticmethod
    def wait_for_hangs(daemon, times):
        while daemon.said().count("does not get on") < times:
            time.sleep(0.05)

    def watched(self, wrapper, seconds):
        """A daemon that systemd would watch with this period."""
        return self.place.daemon(wrapper=[*wrapper, "sh", "-c", 'WATCHDOG_PID=$$ exec "$@"', "sh"],
                                 environment={"WATCHDOG_USEC": str(seconds * 1_000_000)})

    def test_row_28_an_iteration_under_the_watchdog(self):
        """In small; tests/daemon/daemon_status_test.cc has the iteration of hours."""
        with self.watched(self.slow(), 4) as daemon:
            self.wait_until_it_iterates(daemon)
            self.wait_until_it_has_iterated(daemon)
            self.heard(daemon)
            daemon.wait_for("WATCHDOG=1", after=len(daemon.messages))
            self.assertNotIn("does not get on", daemon.said())
            daemon.stop()
        self.expect_undisturbed(self.state)

    def test_row_28_a_slow_commit_under_the_watchdog(self):
        """Two periods for one call, of which nothing is heard meanwhile."""
        with self.watched(self.slow("fdatasync", 8_000_000, "1"), 4) as daemon:
            self.wait_until_it_has_iterated(daemon)
            self.assertNotIn("does not get on", daemon.said())
            daemon.stop()
        self.expect_undisturbed(self.state)

    def test_row_28_a_worker_that_hangs(self):
        """A commit that does not come back, for more than its ten periods: the signs of life stop, and systemd would
        kill the daemon."""
        with self.watched(self.slow("fdatasync", 40_000_000, "1"), 1) as daemon:
            self.wait_until_it_iterates(daemon)
            self.wait_for_hangs(daemon, 1)
            self.heard(daemon)
            self.wait_for_hangs(daemon, 2)  # so it has looked at itself once more
            self.assertNotIn("WATCHDOG=1", self.heard(daemon))
            self.assertEqual(daemon.get("/healthz")[0], 503)
            daemon.kill()
        with self.place.daemon() as daemon:
            fault.run("iterate", state=self.state, expect=0)
            daemon.stop()
        self.expect_undisturbed(self.state)


class StalledJournal(fault.FaultTest):
    """Standard error leads to a pipe that is full."""

    def setUp(self):
        super().setUp()
        self.state = self.copy_of("imported")
        self.place = place.Place(self.folder, self.given / "logs")
        os.mkfifo(self.folder / "journal")
        self.pipe = os.open(self.folder / "journal", os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, self.pipe)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(self.pipe, b"full ")

    def daemon(self):
        return self.place.daemon(wrapper=["sh", "-c", 'exec "$@" 2>"$0"', self.folder / "journal"])

    def read_until(self, text):
        """What was written to the pipe up to that text."""
        said = b""
        while text not in said:
            with contextlib.suppress(BlockingIOError):
                said += os.read(self.pipe, 1 << 16)
        return said.decode().lstrip("full ")

    def test_row_44_nobody_reads_it(self):
        with self.daemon() as daemon:
            daemon.wait_until_mined(len(self.lines))
            self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
            fault.run("iterate", state=self.state, expect=0)
            daemon.stop()
        self.expect_undisturbed(self.state)

    def test_row_44_read_again_after_messages_were_dropped(self):
        right = self.place.config.read_text(encoding="utf-8")
        with self.daemon() as daemon:
            self.place.config.write_text("x" * 30_000 + " = 1", encoding="utf-8")
            while daemon.metric("qdedup_dropped_messages_total") < 2:
                daemon.signal(signal.SIGHUP)
                daemon.wait_for("READY=1", after=len(daemon.messages))
            dropped = int(daemon.metric("qdedup_dropped_messages_total"))
            self.assertRegex(self.read_until(b"xxx"), r"^\S+ info: qdedupd .+ works on ")
            self.place.config.write_text(right, encoding="utf-8")
            os.set_blocking(self.pipe, True)
            daemon.signal(signal.SIGHUP)
            said = self.read_until(b"the new config is in force")
            self.assertIn(f"warning: messages dropped because nothing took them: {dropped}\n", said)
            daemon.stop()

    def test_row_44_its_reader_goes(self):
        with self.daemon() as daemon:
            with open(os.devnull, "rb") as other:
                os.dup2(other.fileno(), self.pipe)
            daemon.wait_until(lambda one: one.metric("qdedup_dropped_messages_total") > 0)
            daemon.wait_until_mined(len(self.lines))
            daemon.stop()


if __name__ == "__main__":
    program.main()
