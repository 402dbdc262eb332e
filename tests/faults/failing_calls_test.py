"""Every system call on a file of the state fails: row 32 of doc/reliability.md. A few of them each time; with
QDEDUP_EVERY_CALL=1 each in turn. QDEDUP_SEED chooses."""

import concurrent.futures
import pathlib
import random
import shutil
import tempfile
import unittest

import fault
import injection
import program

SKIP = injection.reason_to_skip()

ERRORS = {
    "openat": ("EIO", "ENOSPC", "EMFILE"),
    "close": ("EIO", "EINTR"),
    "newfstatat": ("EIO",),
    "fcntl": ("EIO", "EINTR", "ENOLCK"),
    "flock": ("EIO", "EINTR"),
    "pread64": ("EIO", "EINTR"),
    "pwrite64": ("EIO", "ENOSPC", "EINTR"),
    "fdatasync": ("EIO", "ENOSPC", "EINTR"),
    "fsync": ("EIO", "ENOSPC", "EINTR"),
    "ftruncate": ("EIO", "ENOSPC", "EINTR"),
    "fchown": ("EPERM",),
    "mmap": ("ENOMEM",),
    "unlink": ("EIO", "EACCES"),
    "rename": ("EIO", "ENOSPC"),
    "link": ("EIO", "ENOSPC"),
    "mkdir": ("EIO", "ENOSPC"),
}
NAMES = [f"{database}{suffix}" for database in ("qdedup.db", "bank.db") for suffix in ("", "-wal", "-shm")]
NAMES += ["qdedup.db.new", "bank.db.new", "lock", "."]
# done, no such input, cannot create, I/O, busy; and what was written could not be read again
ALLOWED = (0, 65, 66, 70, 73, 74, 75)


@unittest.skipIf(SKIP, SKIP)
class FailingCalls(fault.FaultTest):
    @staticmethod
    def wrapper(state, call, trace, inject=None):
        paths = [word for name in NAMES for word in ("-P", str(state / name) if name != "." else str(state))]
        return ["strace", "-f", "-qq", "-o", str(trace), "-e", "signal=none", "-e", f"trace={call}",
                *(["-e", f"inject={call}:{inject}"] if inject else []), *paths]

    def state_in(self, folder, given):
        state = folder / "state"
        if given:
            shutil.copytree(self.given / given, state)
        return state

    def how_often(self, given, command, call):
        with tempfile.TemporaryDirectory(prefix="qdedup-trial-") as name:
            folder = pathlib.Path(name)
            state = self.state_in(folder, given)
            fault.run(*self.placed(command, folder), state=state, expect=0, wrapper=self.wrapper(state, call, folder / "trace"))
            return len((folder / "trace").read_text(encoding="utf-8", errors="replace").splitlines())

    @staticmethod
    def placed(command, folder):
        return [str(word).replace("FOLDER", str(folder)) for word in command]

    def trial(self, given, command, then, call, error, number):
        what = f"{command[0]}: {error} from {call} number {number}"
        with tempfile.TemporaryDirectory(prefix="qdedup-trial-") as name:
            folder = pathlib.Path(name)
            state = self.state_in(folder, given)
            outcome = fault.run(*self.placed(command, folder), state=state,
                                wrapper=self.wrapper(state, call, folder / "trace", f"error={error}:when={number}"))
            self.assertIn(outcome.code, ALLOWED, f"{what}: {outcome.err}")
            self.assertNotIn("lost its -wal", outcome.err, what)
            try:
                self.expect_consistent(state)
                for further in then:
                    fault.run(*self.placed(further, folder), state=state, expect=0)
                self.expect_undisturbed(state)
            except AssertionError as failure:
                raise AssertionError(f"{what}, which ended with {outcome.code} ({outcome.err.strip()}): {failure}") from failure

    def fail_calls(self, given, command, then):
        rng = random.Random(injection.SEED)
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            trials = []
            for call, errors in ERRORS.items():
                count = self.how_often(given, command, call)
                for error in errors if injection.EVERY else rng.sample(errors, 1):
                    few = count if injection.EVERY or call == "unlink" else min(count, 2)
                    trials += [threads.submit(self.trial, given, command, then, call, error, number)
                               for number in sorted(rng.sample(range(1, count + 1), few))]
            for one in trials:
                one.result()
        self.assertGreater(len(trials), 10)

    def test_row_32_the_first_import(self):
        self.fail_calls(None, ["import", self.bank], [["import", self.bank], ["run", *self.logs]])

    def test_row_32_mining(self):
        self.fail_calls("imported", ["mine", *self.logs], [["run", *self.logs]])

    def test_row_32_an_iteration(self):
        self.fail_calls("mined", ["iterate"], [["iterate"]])

    def test_row_32_a_list(self):
        self.fail_calls("iterated", ["export", "-o", "FOLDER/list.csv"], [["export", "-o", "FOLDER/list.csv"]])

    def test_row_32_a_backup(self):
        self.fail_calls("iterated", ["backup", "FOLDER/copy.db", "--bank", "FOLDER/bank.db"],
                  [["backup", "FOLDER/copy.db", "--bank", "FOLDER/bank.db", "--force"]])

    @program.without_sanitizers("they have to come first")
    def test_row_32_whatever_is_read_or_written_is_cut_short(self):
        short = {"LD_PRELOAD": str(pathlib.Path(program.QDEDUP).with_name("fault_short.so"))}
        state = self.folder / "state"
        for command in (["import", self.bank], ["mine", *self.logs], ["iterate"]):
            fault.run(*command, state=state, expect=0, environment=short)
        self.assertEqual(fault.run("export", state=state, expect=0, environment=short).bytes, self.undisturbed)
        self.expect_undisturbed(state)


if __name__ == "__main__":
    program.main()
