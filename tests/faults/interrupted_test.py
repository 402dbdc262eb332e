"""Killed, or failed by the disk, at every write and fsync: rows 1 and 2 of doc/reliability.md."""

import shutil
import unittest

import fault
import injection
import program

KILLED = "signal=KILL"
FAILED = "error=EIO"
SKIP = injection.reason_to_skip()


@unittest.skipIf(SKIP, SKIP)
class InterruptedTool(fault.FaultTest):
    """The tool alone. Each command is interrupted at one place, and everything is then done again."""

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

    def interrupt_the_first_import(self, *how, least):
        self.interrupt(None, ["import", self.bank], [["import", self.bank], ["run", *self.logs]], *how, least=least)

    def interrupt_mining(self, *how, least):
        self.interrupt("imported", ["mine", *self.logs], [["run", *self.logs]], *how, least=least)

    def interrupt_an_iteration(self, *how, least):
        self.interrupt("mined", ["iterate"], [["iterate"]], *how, least=least)

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


if __name__ == "__main__":
    program.main()
