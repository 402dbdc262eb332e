"""Makes system calls of a program fail, one after the other, with strace."""

import concurrent.futures
import itertools
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile

from fault import program

# Each call in turn, or a choice of them by the seed.
EVERY = os.environ.get("QDEDUP_EVERY_CALL") == "1"
SEED = int(os.environ.get("QDEDUP_SEED", "1"))
FIRST, SHARE = (8, 1 / 8) if program.FULL else (4, 1 / 16)

# What changes files; SQLite writes with pwrite64 and settles with fdatasync.
CHANGING = ("pwrite64", "fdatasync", "fsync", "ftruncate", "rename", "unlink")
FAILING = ("pwrite64", "fdatasync", "fsync", "ftruncate", "rename")


def reason_to_skip():
    """Why strace cannot inject faults here; None when it can."""
    if program.SANITIZERS:
        return "skipped: with sanitizers no program is traced: LeakSanitizer cannot look at one that is"
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", "inject=chdir:error=EIO", "true"],
                           capture_output=True, text=True, check=False)
    return None if tried.returncode == 0 else f"strace may not trace here: {tried.stderr.strip()}"


def strace(call, fault, number, trace, detached=False):
    """What to put before a command so that the `number`-th `call` of each of its threads meets `fault`."""
    return ["strace", "-f", *(["-D"] if detached else []), "-qq", "-o", str(trace),
            "-e", f"trace={call}", "-e", "signal=none", "-e", f"inject={call}:{fault}:when={number}"]


def was_hit(trace, fault, code):
    """Whether the fault came, by what strace noted and the command's exit code."""
    if fault == "signal=KILL":
        return code == -signal.SIGKILL
    return "(INJECTED)" in pathlib.Path(trace).read_text(encoding="utf-8", errors="replace")


def at_every_call(calls, fault, trial):
    """Has `trial(folder, call, number)` meet the fault at the first, second, … call of each kind, each in a folder
    of its own, until it answers that the fault was not hit; unless EVERY, at the FIRST and a SHARE of those after them.
    Returns how many calls there were."""
    chosen = random.Random(SEED)
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        return sum(calls_met(threads, call, trial, chosen) for call in calls)


def calls_met(threads, call, trial, chosen):
    def attempt(number):
        with tempfile.TemporaryDirectory(prefix="qdedup-trial-") as folder:
            try:
                return trial(pathlib.Path(folder), call, number)
            except AssertionError as failure:
                raise AssertionError(f"at {call} number {number}: {failure}") from failure
    numbers = (number for number in itertools.count(1) if EVERY or number <= FIRST or chosen.random() < SHARE)
    last = 0
    while True:
        batch = list(itertools.islice(numbers, 4))
        met = [number for number, hit in zip(batch, threads.map(attempt, batch)) if hit]
        last = max([last, *met])
        if len(met) < len(batch):
            return last
