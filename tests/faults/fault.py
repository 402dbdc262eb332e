"""A sample that is small enough for hundreds of faults, and what has to hold after each of them."""

import contextlib
import gzip
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import program  # noqa: E402  pylint: disable=wrong-import-position

LINES = (program.EXAMPLES / "search.log").read_bytes().splitlines(keepends=True)


def run(*arguments, state, wrapper=(), expect=None, stdin=None, environment=None):
    """Runs the tool; an AssertionError unless it exits with `expect` (None: with anything)."""
    command = [*wrapper, program.QDEDUP, "--state", state, *arguments]
    done = subprocess.run([str(word) for word in command], input=stdin, capture_output=True, check=False,
                          env=dict(os.environ, **(environment or {})))
    if expect is not None and done.returncode != expect:
        raise AssertionError(f"{command} exited with {done.returncode}\n{done.stderr.decode('utf-8', 'replace')}")
    return program.Outcome(done)


def damage(path):
    """What SQLite finds wrong with a database."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return [row[0] for row in database.execute("PRAGMA integrity_check") if row[0] != "ok"]


# Each finds nothing while each line is counted once and each iteration is there whole.
CONTRADICTIONS = {
    "lines = selected + unselected + rejected": """
        SELECT path, lines FROM log WHERE lines <> selected + unselected +
          (SELECT coalesce(sum(lines), 0) FROM rejection WHERE log_id = log.id)""",
    "the lines of a log are those of its stretches": """
        SELECT path, lines FROM log WHERE lines <>
          (SELECT coalesce(sum(lines), 0) FROM evidence WHERE log_id = log.id)""",
    "each stretch has its lines": """
        SELECT id, lines FROM evidence WHERE lines <> selected + unselected + rejected""",
    "a stretch begins where the one before ended": """
        SELECT id, begin_offset FROM evidence AS one WHERE begin_offset <>
          (SELECT max(end_offset) FROM evidence WHERE log_id = one.log_id AND id < one.id)""",
    "the last stretch ends at the offset": """
        SELECT path, offset FROM log WHERE offset <> (SELECT max(end_offset) FROM evidence WHERE log_id = log.id)""",
    "an iteration has its deletions": """
        SELECT id, deletions FROM iteration WHERE deletions <>
          (SELECT count(*) FROM deletion WHERE iteration_id = iteration.id)""",
    "an iteration has its clusters": """
        SELECT id, clusters FROM iteration WHERE clusters <>
          (SELECT coalesce(sum(clusters), 0) FROM cluster_size WHERE iteration_id = iteration.id)""",
    "an iteration has its evidence": """
        SELECT id, lines FROM iteration WHERE lines <>
          (SELECT coalesce(sum(lines), 0) FROM evidence WHERE iteration_id = iteration.id)""",
    "what is openly deleted is in a class": """
        SELECT question_id, keep_id FROM deletion WHERE status IN ('pending', 'approved', 'applied')
          AND question_id NOT IN (SELECT question_id FROM class_member)""",
    "a class is as its history says": """
        SELECT question_id, representative FROM class_member AS member WHERE representative IS NOT
          (SELECT new_representative FROM class_change WHERE question_id = member.question_id
           ORDER BY id DESC LIMIT 1)""",
}

def contradictions(state):
    """What does not hold in a state that nobody uses now."""
    databases = [path for path in map(pathlib.Path(state).joinpath, ("qdedup.db", "bank.db")) if path.exists()]
    found = [f"{path.name}: {what}" for path in databases for what in damage(path)]
    for path in databases:
        if path.name == "qdedup.db":
            with contextlib.closing(sqlite3.connect(path)) as store:
                found += [f"not true: {claim}: {row}" for claim, query in CONTRADICTIONS.items()
                          for row in store.execute(query)]
    return found


def contradictions_left(state):
    """The same of a copy, so that the state stays as the fault left it."""
    with tempfile.TemporaryDirectory(prefix="qdedup-look-") as folder:
        for file in pathlib.Path(state).glob("*.db*"):
            shutil.copy(file, folder)
        return contradictions(folder)


def lines_in(state):
    with contextlib.closing(sqlite3.connect(pathlib.Path(state) / "qdedup.db")) as store:
        return store.execute("SELECT coalesce(sum(lines), 0) FROM log").fetchone()[0]


class FaultTest(program.ProgramTest):
    """Has a small sample for all its tests, and the list that an undisturbed run makes of it."""

    bank = program.EXAMPLES / "bank.jsonl"

    @classmethod
    def setUpClass(cls):
        cls.given = pathlib.Path(tempfile.mkdtemp(prefix="qdedup-faults-"))
        cls.addClassCleanup(shutil.rmtree, cls.given, ignore_errors=True)
        cls.lines = LINES[:600]
        cls.logs = cls.write_logs(cls.given / "logs")
        run("import", cls.bank, state=cls.given / "imported", expect=0)
        shutil.copytree(cls.given / "imported", cls.given / "mined")
        run("mine", *cls.logs, state=cls.given / "mined", expect=0)
        shutil.copytree(cls.given / "mined", cls.given / "iterated")
        run("iterate", state=cls.given / "iterated", expect=0)
        cls.undisturbed = cls.list_of(cls.given / "iterated")
        assert cls.undisturbed.count(b"\n") > 5, "the sample lists too little to compare"

    @classmethod
    def write_logs(cls, folder):
        """The sample's lines as three logs, oldest first."""
        folder.mkdir()
        parts = [b"".join(cls.lines[begin:begin + 200]) for begin in (0, 200, 400)]
        logs = [folder / name for name in ("search.log.2.zst", "search.log.1.gz", "search.log")]
        for log, content in zip(logs, (program.zstandard(parts[0]), gzip.compress(parts[1], mtime=0), parts[2])):
            log.write_bytes(content)
        return logs

    @staticmethod
    def list_of(state):
        return run("export", state=state, expect=0).bytes

    def copy_of(self, name, to="state"):
        """One of the states `imported`, `mined`, `iterated`, as the test's own."""
        return pathlib.Path(shutil.copytree(self.given / name, self.folder / to))

    def expect_memory_below(self, most, peak):
        """In MiB; sanitizers take many times what the program does, so with them nothing is expected."""
        if not program.SANITIZERS:
            self.assertLess(peak, most)

    def expect_consistent(self, state):
        """What the fault left holds together, and is left as it is."""
        self.assertEqual(contradictions_left(state), [])

    def expect_undisturbed(self, state, lines=None):
        """The state holds each line once, and its latest list is that of the undisturbed run."""
        self.assertEqual(contradictions(state), [])
        self.assertEqual(lines_in(state), len(self.lines) if lines is None else lines)
        self.assertEqual(self.list_of(state), self.undisturbed)
