"""Killed, or failed by the disk, at every write while questions are added or expire: row 46 of doc/reliability.md."""

import contextlib
import json
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
ROOT, LEAF, FAR_LEAF = "一二三四五六七八九十", "甲乙三四五六七八九十", "甲乙丙丁五六七八九十"
BANK = [{"id": 1000, "text": ROOT, "arrived_at": 1}, {"id": 1001, "text": ROOT, "arrived_at": 1}]
ADDED = [{"id": 1002, "text": LEAF}, {"id": 1003, "text": FAR_LEAF}, {"id": 1004, "text": "东南西北"}, {"id": 1005, "text": ROOT}]


def jsonl(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def content(state):
    """Who is where: in the bank, beside it, and in which class."""
    with contextlib.closing(sqlite3.connect(state / "bank.db")) as bank:
        questions = bank.execute("SELECT id FROM question WHERE id BETWEEN 1000 AND 1009 ORDER BY id").fetchall()
    with contextlib.closing(sqlite3.connect(state / "qdedup.db")) as store:
        return (questions, store.execute("SELECT id FROM arrived ORDER BY id").fetchall(),
                store.execute("SELECT question_id, representative FROM class_member WHERE question_id BETWEEN 1000 AND 1009 ORDER BY 1").fetchall())


@unittest.skipIf(SKIP, SKIP)
class InterruptedArrivals(fault.FaultTest):
    """All is there or nothing; done once more, all is as in the undisturbed run."""

    def setUp(self):
        super().setUp()
        self.state = self.copy_of("iterated", to="ready")
        fault.run("import", "-", state=self.state, stdin=jsonl(BANK), expect=0)
        fault.run("sweep", state=self.state, expect=0)
        self.none = self.write("none.txt", "999999\n")
        self.entering = self.write("entering.txt", "1003\n")
        self.added = self.write("added.jsonl", jsonl(ADDED))

    def interrupt(self, command, fault_kind, calls, others=()):
        before = content(self.state)
        whole_state = pathlib.Path(shutil.copytree(self.state, self.folder / "whole"))
        fault.run(*command, state=whole_state, expect=0)
        whole = content(whole_state)
        self.assertNotEqual(before, whole)

        def trial(folder, call, number):
            state = pathlib.Path(shutil.copytree(self.state, folder / "state"))
            wrapper = injection.strace(call, fault_kind, number, folder / "trace")
            outcome = fault.run(*command, state=state, wrapper=wrapper)
            hit = injection.was_hit(folder / "trace", fault_kind, outcome.code)
            if not hit:
                self.assertEqual(outcome.code, 0, outcome.err)
            self.expect_consistent(state)
            removed = pathlib.Path(shutil.copytree(state, folder / "removed"))
            fault.run("import", "--remove", self.entering, state=removed, expect=0)
            self.assertNotIn((1003,), content(removed)[0], "it was about to enter, and is not to come back")
            fault.run("import", "--remove", self.none, state=state, expect=0)
            self.assertIn(content(state), (before, whole, *others))
            fault.run("verify", state=state, expect=0)
            fault.run(*command, state=state, expect=0)
            self.assertEqual(content(state), whole)
            fault.run("verify", state=state, expect=0)
            return hit

        self.assertGreaterEqual(injection.at_every_call(calls, fault_kind, trial), 5)

    def test_row_46_killed_at_every_write_of_an_add(self):
        self.interrupt(["check", "--add", self.added], KILLED, injection.CHANGING)

    def test_row_46_an_io_error_at_every_write_of_an_add(self):
        self.interrupt(["check", "--add", self.added], FAILED, injection.FAILING)

    def test_row_46_killed_at_every_write_of_an_expiry(self):
        (in_bank, _, _) = content(self.state)
        self.interrupt(["expire", "--days", "1"], KILLED, injection.CHANGING, others=[(in_bank, [], [])])


if __name__ == "__main__":
    program.main()
