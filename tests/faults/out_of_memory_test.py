"""Allocations that fail, one or all from one on, in steps through a whole run: row 29 of doc/reliability.md."""

import concurrent.futures
import pathlib
import random
import shutil
import signal
import tempfile

import fault
import injection
import place
import program

STEPS = 20 if program.FULL else 10


def failing(number, all_after, count=None):
    """The environment in which that allocation fails (0: none does); how many there were goes to the file `count`."""
    library = pathlib.Path(program.QDEDUP).with_name("fault_memory.so")
    environment = {"LD_PRELOAD": str(library), "FAULT_ALLOCATION": str(number)}
    if all_after:
        environment["FAULT_ALLOCATION_ALL"] = "1"
    if count:
        environment["FAULT_ALLOCATIONS"] = str(count)
    return environment


def in_steps(allocations):
    """Some of the numbers up to that: the first, the last, and one of each stretch between."""
    chance = random.Random(29)
    stretch = max(1, allocations // STEPS)
    return sorted({1, allocations, *(min(allocations, begin + chance.randrange(stretch))
                                     for begin in range(1, allocations + 1, stretch))})


@program.without_sanitizers("none of them fails: their library has its own")
class OutOfMemory(fault.FaultTest):
    def at_allocations(self, numbers, trial, kinds=(False, True)):
        """Has `trial(folder, number, all_after)` meet each, in a folder of its own."""
        def attempt(number, all_after):
            with tempfile.TemporaryDirectory(prefix="qdedup-trial-") as folder:
                try:
                    trial(pathlib.Path(folder), number, all_after)
                except AssertionError as failure:
                    raise AssertionError(f"at allocation {number}, all after it: {all_after}: {failure}") from failure
        cases = [(number, all_after) for number in numbers for all_after in kinds]
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            for _ in threads.map(attempt, *zip(*cases)):
                pass

    def allocations_of(self, given, command):
        count = self.folder / "count"
        fault.run(*command, state=self.copy_of(given, to="counted"), expect=0, environment=failing(0, False, count))
        return int(count.read_text(encoding="ascii"))

    TOLD = (0, 65, 70, 73, 74, 75)

    def run_short_of_memory(self, given, command, then):
        def trial(folder, number, all_after):
            state = pathlib.Path(shutil.copytree(self.given / given, folder / "state"))
            outcome = fault.run(*command, state=state, environment=failing(number, all_after))
            self.assertIn(outcome.code, self.TOLD, outcome.err)
            self.expect_consistent(state)
            for further in then:
                fault.run(*further, state=state, expect=0)
            self.expect_undisturbed(state)

        self.at_allocations(in_steps(self.allocations_of(given, command)), trial)

    def test_row_29_in_mining(self):
        self.run_short_of_memory("imported", ["mine", *self.logs], [["run", *self.logs]])

    def test_row_29_in_an_iteration(self):
        self.run_short_of_memory("mined", ["iterate"], [["iterate"]])

    def test_row_29_in_an_import(self):
        later = self.write("later.jsonl", self.bank.read_text(encoding="utf-8").replace("多少", "几何"))
        self.run_short_of_memory("mined", ["import", later], [["import", self.bank], ["iterate"]])

    def work(self, at):
        """Mines and, if all was mined, iterates: through the daemon while it is there. Whether both were done."""
        return all(fault.run(*command, state=at.state).code == 0 for command in (["mine", *self.logs], ["iterate"]))

    def end(self, daemon):
        if daemon.process.poll() is None:
            daemon.signal(signal.SIGTERM)
        while daemon.next_message() is not None:
            pass
        return daemon.process.returncode

    def daemon_allocations(self, work):
        count = self.folder / "count"
        at = place.Place(self.folder, self.given / "logs")
        state = shutil.copytree(self.given / "imported", at.state)
        with at.daemon(environment=failing(0, False, count)) as daemon:
            work(at)
            self.assertEqual(self.end(daemon), 0)
        shutil.rmtree(state)
        return int(count.read_text(encoding="ascii"))

    def daemon_trial(self, folder, number, all_after):
        at = place.Place(folder, self.given / "logs")
        shutil.copytree(self.given / "imported", at.state)
        with at.daemon(environment=failing(number, all_after), wait=False) as daemon:
            while "READY=1" not in daemon.messages and daemon.next_message() is not None:
                pass
            self.work(at)
            # 78: the time zone could not be read; SIGTERM: it was ending by itself, and took no signals any more.
            self.assertIn(self.end(daemon), (*self.TOLD, 78, -signal.SIGTERM), daemon.said())
        self.expect_consistent(at.state)
        with at.daemon() as daemon:
            self.assertTrue(self.work(at))
            daemon.stop()
        self.expect_undisturbed(at.state)

    def test_row_29_in_the_daemon(self):
        self.at_allocations(in_steps(self.daemon_allocations(self.work)), self.daemon_trial)

    def test_row_29_while_commands_ask_for_the_lease(self):
        """What is lost there would have them wait for ever. In full with QDEDUP_EVERY_CALL."""
        idle, busy = self.daemon_allocations(lambda at: None), self.daemon_allocations(self.work)
        step = 1 if injection.EVERY else max(1, (busy - idle) // STEPS)
        self.at_allocations(range(idle - step, busy, step), self.daemon_trial, kinds=[False])


if __name__ == "__main__":
    program.main()
