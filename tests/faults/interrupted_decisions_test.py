"""Killed, or failed by the disk, at every write while decisions are taken: rows 1 and 2 of doc/reliability.md."""

import contextlib
import csv
import io
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


def decisions(state):
    """All that was decided, in its order, but for the time."""
    with contextlib.closing(sqlite3.connect(state / "qdedup.db")) as store:
        return store.execute("SELECT deletion_id, decided_by, old_status, new_status, note FROM decision ORDER BY id").fetchall()


@unittest.skipIf(SKIP, SKIP)
class InterruptedDecisions(fault.FaultTest):
    """They are all taken or none; taken once more, they are those of the undisturbed run, and nothing is written twice."""

    def setUp(self):
        super().setUp()
        rows = list(csv.DictReader(io.StringIO(self.undisturbed.decode("utf-8-sig"), newline="")))
        for number, row in enumerate(rows):
            row.update(decision=("approve", "reject", "")[number % 3], note=f"第 {number} 行")
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, rows[0])
        writer.writeheader()
        writer.writerows(rows)
        self.list = self.write("decided.csv", text.getvalue())

    def undisturbed_outcome(self, command):
        """The decisions and the list when nothing disturbs."""
        state = self.copy_of("iterated", to="whole")
        fault.run(*command, state=state, expect=0)
        self.assertGreater(len(decisions(state)), 3)
        return decisions(state), self.list_of(state)

    def interrupt(self, command, fault_kind, calls):
        whole, listed = self.undisturbed_outcome(command)

        def trial(folder, call, number):
            state = pathlib.Path(shutil.copytree(self.given / "iterated", folder / "state"))
            wrapper = injection.strace(call, fault_kind, number, folder / "trace")
            outcome = fault.run(*command, state=state, wrapper=wrapper)
            hit = injection.was_hit(folder / "trace", fault_kind, outcome.code)
            if not hit:
                self.assertEqual(outcome.code, 0, outcome.err)
            elif fault_kind == FAILED:
                self.assertIn(outcome.code, (0, 74), outcome.err)
            self.expect_consistent(state)
            self.assertIn(decisions(state), ([], whole))
            fault.run(*command, state=state, expect=0)
            self.assertEqual(decisions(state), whole)
            self.assertEqual(self.list_of(state), listed)
            return hit

        self.assertGreaterEqual(injection.at_every_call(calls, fault_kind, trial), 5)

    def test_row_01_killed_at_every_write_of_an_import_of_decisions(self):
        self.interrupt(["review", "import", self.list], KILLED, injection.CHANGING)

    def test_row_01_killed_at_every_write_of_an_approval(self):
        self.interrupt(["review", "approve", "--confidence", "safe"], KILLED, injection.CHANGING)

    def test_row_02_an_io_error_at_every_write_of_an_import_of_decisions(self):
        self.interrupt(["review", "import", self.list], FAILED, injection.FAILING)

    def test_row_02_an_io_error_at_every_write_of_an_approval(self):
        self.interrupt(["review", "approve", "--confidence", "safe"], FAILED, injection.FAILING)


if __name__ == "__main__":
    program.main()
