"""Signals, clocks, hangs and backups: rows 8 and 26 to 28 of doc/reliability.md."""

import os
import signal
import subprocess
import time
import unittest

import fault
import injection
import place
import program

SKIP = injection.reason_to_skip()


class Backup(fault.FaultTest):
    def test_row_08_a_backup_during_an_iteration(self):
        if b"backup" not in subprocess.run([program.QDEDUP, "--help"], capture_output=True, check=True).stdout:
            self.skipTest("this version has no qdedup backup")
        state = self.copy_of("mined")
        slow = injection.strace("pwrite64", "delay_enter=20000", "1+", self.folder / "trace")
        iteration = subprocess.Popen([*slow, program.QDEDUP, "--state", state, "iterate"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(iteration.wait)
        for number in range(1000):
            backup = self.folder / f"backup{number}"
            backup.mkdir()
            fault.run("backup", backup / "qdedup.db", state=state, expect=0)
            self.expect_consistent(backup)
            if iteration.poll() is not None:
                break
        self.expect_undisturbed(state)


class Clock(fault.FaultTest):
    """Row 26 with a real clock only where Debian's faketime is there; tests/daemon/slot_keeper_test.cc and
    tests/schedule/due_test.cc set the clock of the very code instead."""

    FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"

    def slots(self):
        return int(subprocess.run(["sqlite3", self.folder / "state/qdedup.db", "SELECT count(*) FROM slot"],
                                  capture_output=True, text=True, check=True).stdout)

    @unittest.skipUnless(os.path.exists(FAKETIME), "skipped: faketime is not installed; see slot_keeper_test.cc")
    def test_row_26_a_missed_slot_is_caught_up_once(self):
        at = place.Place(self.folder, self.given / "logs")
        at.config.write_text(at.config.read_text(encoding="utf-8").replace('"off"', '"daily 03:00"'), encoding="utf-8")
        self.copy_of("imported")

        def works_at(moment, iterations):
            faked = {"LD_PRELOAD": self.FAKETIME, "FAKETIME": f"@{moment}", "DONT_FAKE_MONOTONIC": "1", "TZ": "UTC"}
            with at.daemon(environment=faked) as daemon:
                daemon.wait_until_mined(len(self.lines))
                daemon.wait_until(lambda one: self.slots() == iterations)
                daemon.stop()

        works_at("2026-01-01 12:00:00", 1)
        works_at("2026-01-05 12:00:00", 2)
        works_at("2026-01-05 13:00:00", 2)
        works_at("2026-01-03 12:00:00", 2)
        self.expect_undisturbed(at.state)


@unittest.skipIf(SKIP, SKIP)
class Signals(fault.FaultTest):
    def setUp(self):
        super().setUp()
        self.state = self.copy_of("mined")
        self.place = place.Place(self.folder, self.given / "logs")

    def slow(self, call="pwrite64", microseconds=20_000, first="1+"):
        return injection.strace(call, f"delay_enter={microseconds}", first, self.folder / "trace", detached=True)

    def iterate(self):
        tool = subprocess.Popen([program.QDEDUP, "--state", self.state, "iterate"], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        self.addCleanup(tool.wait)
        return tool

    @staticmethod
    def wait_until_it_iterates(daemon):
        daemon.wait_until(lambda one: any("iterate since" in message for message in one.messages))

    def test_row_27_sigterm_in_the_middle_of_an_iteration(self):
        with self.place.daemon(wrapper=self.slow()) as daemon:
            tool = self.iterate()
            self.wait_until_it_iterates(daemon)
            began = time.monotonic()
            daemon.stop()
            self.assertLess(time.monotonic() - began, 5)
            self.assertNotEqual(tool.wait(), 0)
        self.expect_consistent(self.state)
        with self.place.daemon() as daemon:
            fault.run("iterate", state=self.state, expect=0)
            daemon.stop()
        self.expect_undisturbed(self.state)

    def test_row_27_sighup_and_a_bad_config_in_the_middle_of_an_iteration(self):
        with self.place.daemon(wrapper=self.slow()) as daemon:
            tool = self.iterate()
            self.wait_until_it_iterates(daemon)
            good = self.place.config.read_text(encoding="utf-8")
            self.place.config.write_text(good + "[merge]\nmax_cluster_size = -1\n", encoding="utf-8")
            mark = len(daemon.messages)
            daemon.signal(signal.SIGHUP)
            daemon.wait_for("READY=1", after=mark)
            self.assertIn("the new config is not used", daemon.said())
            self.place.config.write_text(good, encoding="utf-8")
            mark = len(daemon.messages)
            daemon.signal(signal.SIGHUP)
            daemon.wait_for("READY=1", after=mark)
            self.assertEqual(tool.wait(), 0)
            daemon.stop()
        self.expect_undisturbed(self.state)

    @staticmethod
    def heard(daemon):
        """What it told and nobody has looked at yet."""
        told = []
        while not daemon.arrived.empty():
            told += daemon.next_message()
        return told

    def watched(self, wrapper, seconds):
        """A daemon that systemd would watch with this period."""
        return self.place.daemon(wrapper=[*wrapper, "sh", "-c", 'WATCHDOG_PID=$$ exec "$@"', "sh"],
                                 environment={"WATCHDOG_USEC": str(seconds * 1_000_000)})

    def test_row_28_an_iteration_under_the_watchdog(self):
        """In small; tests/daemon/watchdog_test.cc has the iteration of hours."""
        with self.watched(self.slow(), 4) as daemon:
            tool = self.iterate()
            self.wait_until_it_iterates(daemon)
            self.assertEqual(tool.wait(), 0)
            self.heard(daemon)
            daemon.wait_for("WATCHDOG=1", after=len(daemon.messages))
            self.assertNotIn("does not get on", daemon.said())
            daemon.stop()
        self.expect_undisturbed(self.state)

    def test_row_28_a_worker_that_hangs(self):
        """A write to the disk that does not come back for ten periods: the signs of life stop, and systemd would kill the daemon."""
        with self.watched(self.slow("fdatasync", 10_000_000, "1"), 1) as daemon:
            self.iterate()
            self.wait_until_it_iterates(daemon)
            while "does not get on" not in daemon.said():
                time.sleep(0.05)
            self.heard(daemon)
            time.sleep(1)
            self.assertNotIn("WATCHDOG=1", self.heard(daemon))
            self.assertEqual(daemon.get("/healthz")[0], 503)
            daemon.kill()
        with self.place.daemon() as daemon:
            fault.run("iterate", state=self.state, expect=0)
            daemon.stop()
        self.expect_undisturbed(self.state)


if __name__ == "__main__":
    program.main()
