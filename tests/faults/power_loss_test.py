"""The power fails: row 40 of doc/reliability.md. At each sync of a short scenario, what was not synced is dropped, torn, or
there in part and in another order. POWER_LOSSES is how many such disks are tried for each scenario (default 12), `all` for
several at each sync; POWER_LOSS_SEED repeats them."""

import contextlib
import csv
import io
import os
import pathlib
import random
import shutil
import sqlite3
import tempfile

import disk
import fault
import place
import program

LOSSES = os.environ.get("POWER_LOSSES", "12")
SEED = int(os.environ.get("POWER_LOSS_SEED", "1"))
VARIANTS = 8  # of each moment, with `all`


@contextlib.contextmanager
def copy_of(state):
    """For looking, which may change what it looks at."""
    with tempfile.TemporaryDirectory(prefix="qdedup-look-") as folder:
        yield shutil.copytree(state, pathlib.Path(folder) / "state")


def facts(state):
    """What a state holds: (questions, lines, iterations, decisions)."""
    with copy_of(state) as copy:
        return facts_in(copy)


def facts_in(state):
    def ask(name, query):
        path = state / name
        if not path.exists():
            return None
        with contextlib.closing(sqlite3.connect(path)) as database:
            return database.execute(query).fetchall()

    def number(rows):
        return rows[0][0] if rows else 0

    return (number(ask("bank.db", "SELECT count(*) FROM question")),
            number(ask("qdedup.db", "SELECT coalesce(sum(lines), 0) FROM log")),
            ask("qdedup.db", "SELECT id, lines, deletions FROM iteration ORDER BY id") or [],
            ask("qdedup.db", "SELECT deletion_id, old_status, new_status, note FROM decision ORDER BY id") or [])


@program.without_sanitizers("no library is preloaded before theirs")
class PowerLoss(fault.FaultTest):
    def try_losses(self, recorder, acknowledged, rerun):
        """`acknowledged[n]` are the facts after mark n; `rerun(state, n)` does what was not acknowledged by then, and
        compares with the undisturbed run."""
        moments = self.moments(recorder)
        self.assertGreater(len(moments), 10)
        chance = random.Random(SEED)
        if LOSSES == "all":
            chosen = [(moment, variant) for moment in moments for variant in range(VARIANTS)]
        else:
            chosen = [(chance.choice(moments), chance.randrange(VARIANTS)) for _ in range(int(LOSSES))]
        for moment, variant in sorted(chosen):
            with self.subTest(moment=moment, variant=variant, seed=SEED):
                self.try_loss(recorder, (moment, variant), acknowledged, rerun)

    def moments(self, recorder):
        """The numbers of the notes before which something is about to be synced, or was just marked; and that the notes
        tell the whole story."""
        whole = recorder.disk()
        moments = []
        for number, note in enumerate(recorder.notes()):
            if note.what in (disk.SYNC, disk.SYNC_FOLDER, disk.MARK):
                moments.append(number)
            whole.do(note)
        told = {name: content for name, content in whole.whole().items() if not name.endswith("-shm")}
        there = {path.name: path.read_bytes() for path in recorder.folder.iterdir()
                 if path.is_file() and not path.name.endswith("-shm")}
        self.assertEqual(sorted(told), sorted(there))
        self.assertTrue(told == there, "files were written in a way that was not noted")
        return moments

    def try_loss(self, recorder, which, acknowledged, rerun):
        moment, variant = which
        lost = recorder.disk()
        for _, note in zip(range(moment), recorder.notes()):
            lost.do(note)
        left = lost.bare() if variant == 0 else lost.whole() if variant == 1 else lost.after_a_loss(
            random.Random(f"{SEED}/{moment}/{variant}"))
        with tempfile.TemporaryDirectory(prefix="qdedup-power-") as folder:
            state = pathlib.Path(folder) / "state"
            disk.put(state, left)
            self.expect_promised(state, acknowledged[lost.marks], acknowledged[min(lost.marks + 1, len(acknowledged) - 1)])
            rerun(state, lost.marks)
            self.assertEqual(fault.contradictions(state), [])

    def expect_promised(self, state, before, after):
        """All that was acknowledged, and what was under way whole or not at all, or as many lines or questions as were
        committed of it."""
        self.assertEqual(fault.contradictions_left(state), [])
        questions, lines, iterations, decisions = facts(state)
        self.assertTrue(before[0] <= questions <= after[0], questions)
        self.assertTrue(before[1] <= lines <= after[1], lines)
        self.assertIn(iterations, (before[2], after[2]))
        self.assertIn(decisions, (before[3], after[3]))

    def decided_list(self):
        rows = list(csv.DictReader(io.StringIO(self.undisturbed.decode("utf-8-sig"), newline="")))
        for number, row in enumerate(rows):
            row.update(decision=("approve", "reject", "")[number % 3])
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, rows[0])
        writer.writeheader()
        writer.writerows(rows)
        return self.write("decided.csv", text.getvalue())

    def test_row_40_the_tool(self):
        later = self.write("later.log", b"".join(fault.LINES[600:700]))
        commands = [["import", self.bank], ["mine", *self.logs], ["iterate"], ["review", "import", self.decided_list()],
                    ["run", *self.logs, later]]
        state = self.folder / "state"
        state.mkdir()
        recorder = disk.Recorder(state, self.folder / "trace")
        acknowledged = [facts(state)]
        for command in commands:
            fault.run(*command, state=state, expect=0, environment=recorder.environment)
            recorder.mark()
            acknowledged.append(facts(state))
        with copy_of(state) as copy:
            whole = self.list_of(copy)

        def rerun(state, done):
            for command in commands[done:]:
                fault.run(*command, state=state, expect=0)
            self.assertEqual(self.list_of(state), whole)
            self.assertEqual(facts(state), acknowledged[-1])

        self.try_losses(recorder, acknowledged, rerun)

    def test_row_40_the_daemon(self):
        state = self.copy_of("imported")
        logs = self.folder / "logs"
        logs.mkdir()
        log = logs / "search.log"
        recorder = disk.Recorder(state, self.folder / "trace")
        at = place.Place(self.folder, logs)
        acknowledged = [facts(state)]
        with at.daemon(environment=recorder.environment) as daemon:
            for begin in range(0, 600, 100):
                with open(log, "ab", buffering=0) as end:
                    end.write(b"".join(self.lines[begin:begin + 100]))
                daemon.wait_until_mined(begin + 100)
                recorder.mark()
                acknowledged.append((acknowledged[0][0], begin + 100, [], []))
            fault.run("iterate", state=state, expect=0, environment=recorder.environment)
            recorder.mark()
            daemon.stop()
        acknowledged.append(facts(state))

        def rerun(state, _done):
            fault.run("run", log, state=state, expect=0)
            self.expect_undisturbed(state)

        self.try_losses(recorder, acknowledged, rerun)


if __name__ == "__main__":
    program.main()
