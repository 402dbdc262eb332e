"""Killed, or failed by the disk, at every write while a log is forgotten: rows 1 and 2 of doc/reliability.md."""

import contextlib
import pathlib
import shutil
import sqlite3
import unittest

import fault
import injection
import program

SKIP = injection.reason_to_skip()


def what_is_kept(state):
    """The lines of each log, and the number of stretches in the evidence."""
    with contextlib.closing(sqlite3.connect(state / "qdedup.db")) as store:
        return (store.execute("SELECT path, lines, forgotten_at <> '' FROM log ORDER BY path").fetchall(),
                store.execute("SELECT count(*) FROM evidence").fetchone())


@unittest.skipIf(SKIP, SKIP)
class InterruptedForgetting(fault.FaultTest):
    """All of the log goes, or nothing; once it is forgotten again, the state is that of the undisturbed run."""

    def interrupt(self, fault_kind, calls):
        command = ["forget", self.logs[0]]
        before = what_is_kept(self.given / "mined")
        whole = self.copy_of("mined", to="whole")
        fault.run(*command, state=whole, expect=0)
        after = what_is_kept(whole)
        self.assertNotEqual(before, after)

        def trial(folder, call, number):
            state = pathlib.Path(shutil.copytree(self.given / "mined", folder / "state"))
            wrapper = injection.strace(call, fault_kind, number, folder / "trace")
            outcome = fault.run(*command, state=state, wrapper=wrapper)
            self.expect_consistent(state)
            self.assertIn(what_is_kept(state), (before, after))
            if what_is_kept(state) == before:
                fault.run(*command, state=state, expect=0)
            fault.run("mine", *self.logs, state=state, expect=0)
            self.assertEqual(what_is_kept(state), after)
            return injection.was_hit(folder / "trace", fault_kind, outcome.code)

        self.assertGreaterEqual(injection.at_every_call(calls, fault_kind, trial), 2)

    def test_row_01_killed_at_every_write(self):
        self.interrupt("signal=KILL", injection.CHANGING)

    def test_row_02_an_io_error_at_every_write(self):
        self.interrupt("error=EIO", injection.FAILING)


if __name__ == "__main__":
    program.main()
