"""Runs the built qdedup for end-to-end tests."""

import csv
import ctypes
import gzip
import io
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
# A real bank and log, and what the rules make of them; they may be missing.
CONFORMANCE_DATA = pathlib.Path(os.environ.get("QDEDUP_SHARED", ROOT.parent / "shared")) / "data/dev"
QDEDUP = os.environ.get("QDEDUP", str(ROOT / "build/release/bin/qdedup"))
os.environ["LC_ALL"] = "C.UTF-8"  # messages in English, whatever the tester's language
# What the programs were built with: "", "address,undefined" or "thread".
SANITIZERS = os.environ.get("QDEDUP_SANITIZERS", "")
# With scripts/test full, more of what takes long.
FULL = os.environ.get("QDEDUP_FULL") == "1"

SAMPLE_LOGS = [EXAMPLES / name for name in ("search.log.2.zst", "search.log.1.gz", "search.log")]


def database(path, **how):
    """A database of a state, to write to: each page gets its checksum, as from the programs themselves."""
    ctypes.CDLL(str(pathlib.Path(QDEDUP).with_name("checked_layer.so"))).register_layer()
    return sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?vfs=qdedup", uri=True, **how)


class Outcome:
    """What a run of the program gave."""

    def __init__(self, done):
        self.code = done.returncode
        self.bytes = done.stdout
        self.out = done.stdout.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    def json(self):
        return json.loads(self.out)


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own and a state in it."""

    maxDiff = 4000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="qdedup-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def qdedup(self, *arguments, state="state", stdin=None, expect=0, config=None):
        """Runs the program on the state of that name; expects the exit code `expect` (None: any)."""
        command = [QDEDUP]
        if state is not None:
            command += ["--state", str(self.folder / state)]
        if config is not None:
            command += ["--config", str(config)]
        command += [str(argument) for argument in arguments]
        outcome = Outcome(subprocess.run(command, input=stdin, capture_output=True, check=False, cwd=self.folder))
        if expect is not None:
            self.assertEqual(outcome.code, expect, f"{command}\n{outcome.out}\n{outcome.err}")
        return outcome

    def import_questions(self, questions, state="state"):
        """Imports {id: text}."""
        lines = "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in questions.items())
        return self.qdedup("import", "--format", "jsonl", "-", state=state, stdin=lines.encode())

    def listed(self, *arguments, state="state"):
        """The deletion list as rows of strings."""
        text = self.qdedup("export", *arguments, state=state).bytes.decode("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def pairs(self, *arguments, state="state"):
        return [(int(row["delete_id"]), int(row["keep_id"])) for row in self.listed(*arguments, state=state)]


def needs_conformance_data(test):
    return unittest.skipUnless(CONFORMANCE_DATA.is_dir(), f"skipped: no conformance data in {CONFORMANCE_DATA}")(test)


def without_sanitizers(reason):
    """For a test whose means a sanitizer forbids, and the reason."""
    return unittest.skipIf(SANITIZERS, f"skipped: with sanitizers {reason}")


def gzipped(content):
    return gzip.compress(content, mtime=0)


def zstandard(content):
    return subprocess.run(["zstd", "-q", "-c"], input=content, capture_output=True, check=True).stdout


def unzstandard(content):
    return subprocess.run(["zstd", "-q", "-d", "-c"], input=content, capture_output=True, check=True).stdout


def main():
    """Runs the tests of the calling file; exits with 77 where all were skipped, which ctest shows as skipped."""
    program = unittest.main(exit=False)
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    if result.testsRun == len(result.skipped):
        print("\n".join(sorted({reason for _, reason in result.skipped})))
        sys.exit(77)
