"""The daemon killed, or failed by the disk, at every write and fsync: rows 1 and 2 of doc/reliability.md."""

import shutil
import signal
import unittest

import fault
import injection
import place
import program

KILLED = "signal=KILL"
FAILED = "error=EIO"
SKIP = injection.reason_to_skip()


def wait_for_start(daemon):
    """Whether it got ready."""
    while "READY=1" not in daemon.messages:
        if daemon.next_message() is None:
            return False
    return True


def ended(daemon):
    """Its exit code; it is asked to end where it still works."""
    if daemon.process.poll() is None:
        daemon.signal(signal.SIGTERM)
    while daemon.next_message() is not None:
        pass
    return daemon.process.returncode


@unittest.skipIf(SKIP, SKIP)
class InterruptedDaemon(fault.FaultTest):
    """A daemon that mines what it finds, and gives its lock to commands that mine and iterate."""

    def interrupt(self, fault_kind, calls, least):
        def trial(folder, call, number):
            at = place.Place(folder, self.given / "logs")
            shutil.copytree(self.given / "imported", at.state)
            wrapper = injection.strace(call, fault_kind, number, folder / "trace", detached=True)
            with at.daemon(wrapper=wrapper, wait=False) as daemon:
                started = wait_for_start(daemon)
                self.work(at)
                code = ended(daemon)
                said = daemon.said()
            hit = injection.was_hit(folder / "trace", fault_kind, code)
            if started and (fault_kind == FAILED or not hit):
                self.assertEqual(code, 0, said)
            self.expect_consistent(at.state)
            with at.daemon() as daemon:
                self.assertTrue(self.work(at))
                daemon.stop()
            self.expect_undisturbed(at.state)
            return hit

        self.assertGreaterEqual(injection.at_every_call(calls, fault_kind, trial), least)

    def work(self, at):
        """Mines and iterates, beside the daemon while it is there; what an error stopped is done once more."""
        return self.done("mine", *self.logs, state=at.state) and self.done("iterate", state=at.state)

    @staticmethod
    def done(*command, state):
        return any(fault.run(*command, state=state).code == 0 for _ in range(3))

    def test_row_01_killed_at_every_write_of_the_daemon(self):
        self.interrupt(KILLED, ("pwrite64", "fdatasync"), least=30)

    def test_row_02_an_io_error_at_every_write_of_the_daemon(self):
        self.interrupt(FAILED, ("pwrite64", "fdatasync"), least=30)


if __name__ == "__main__":
    program.main()
