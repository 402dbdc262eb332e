"""verify names each breach of what every deletion rests on."""

import contextlib
import json

from program import EXAMPLES, SAMPLE_LOGS, ProgramTest, database, main


def log(*lists):
    return "".join(json.dumps([[i, 0.9] for i in ids]) + "\n" for ids in lists)


class Verify(ProgramTest):
    def sample(self):
        self.import_questions({1: "甲乙丙丁戊", 2: "甲乙丙丁戊", 3: "甲乙丙丁己", 5: "一二三", 6: "一二三"})
        self.qdedup("run", self.write("a.log", log([1, 2, 3], [5, 6])))

    def breaches(self, expect=65):
        found = self.qdedup("verify", "--json", expect=expect).json()["breaches"]
        return [(b["kind"], b.get("delete_id"), b.get("keep_id")) for b in found]

    def alter(self, *statements):
        """With the tallies in step."""
        self.alter_alone(*statements, "DELETE FROM deletion_tally",
                         "INSERT INTO deletion_tally SELECT status, iteration_id, confidence, reasons, iif(length = 0, 100, (length - "
                         "distance) * 100 / length), (SELECT min(value) FROM json_each('[10,50,100,200,500,1000,2000,5000,10000]') "
                         "WHERE value >= risk), count(*) FROM deletion GROUP BY 1, 2, 3, 4, 5, 6")

    def alter_alone(self, *statements):
        with contextlib.closing(database(self.folder / "state/qdedup.db")) as store:
            for statement in statements:
                store.execute(statement)
            store.commit()

    def test_a_sound_store(self):
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        self.qdedup("run", *SAMPLE_LOGS)
        self.assertEqual(self.qdedup("verify").out, "88 open deletions: all hold\n")
        self.qdedup("review", "approve", "--confidence", "safe")
        self.qdedup("review", "reject", "--confidence", "doubtful")
        self.assertEqual(self.breaches(expect=0), [])
        self.qdedup("verify", state="none", expect=66)

    def test_what_changed_in_the_bank_holds_again_after_the_next_iteration(self):
        self.sample()
        self.import_questions({2: "又一题"})
        self.qdedup("import", "--remove", self.write("gone.txt", "5\n3\n"))
        self.assertEqual(self.breaches(), [("text-changed", 2, 1), ("keeper-gone", 6, 5)])
        self.assertIn("text-changed: 2 in favour of 1\n", self.qdedup("verify", expect=65).out)
        self.qdedup("iterate")
        self.assertEqual(self.breaches(expect=0), [])

    def test_what_was_applied_outlives_its_keeper(self):
        self.sample()
        self.qdedup("review", "approve", 6, 5)
        self.qdedup("applied", "-", stdin=b"6\n")
        removed = self.qdedup("import", "--remove", self.write("gone.txt", "5\n"))
        self.assertIn("1 question left the bank that applied deletions rest on", removed.err)
        self.assertEqual(self.breaches(expect=0), [])

    def test_what_was_put_back_after_its_keeper_left_counts_again_once_it_is_reset(self):
        self.sample()
        self.qdedup("review", "approve", 6, 5)
        self.qdedup("export", "--status", "approved", "-o", self.folder / "approved.tsv")
        self.qdedup("applied", self.folder / "approved.tsv")
        self.qdedup("import", "--remove", self.write("gone.txt", "6\n5\n"))
        self.qdedup("import", self.folder / "approved.tsv.undo.jsonl")
        self.qdedup("review", "reset", 6, 5)
        self.assertEqual(self.breaches(), [("keeper-gone", 6, 5)])
        self.assertIn("1 deletion withdrawn", self.qdedup("sweep").out)
        self.assertEqual(self.breaches(expect=0), [])
        asked = json.dumps({"id": 7, "text": "一二三"}).encode()
        self.assertIn("7\tduplicate\t6\t", self.qdedup("check", "-", stdin=asked).out)

    def test_a_keeper_that_went_after_what_was_deleted_for_it(self):
        self.sample()
        self.qdedup("review", "approve", 6, 5)
        self.qdedup("applied", "-", stdin=b"6\n")
        self.assertNotIn("rest on", self.qdedup("import", "--remove", self.write("gone.txt", "6\n")).err)
        self.assertEqual(self.breaches(expect=0), [])
        self.assertIn("1 question left the bank", self.qdedup("import", "--remove", self.write("gone.txt", "5\n")).err)
        self.assertEqual(self.breaches(expect=0), [])

    def test_a_bank_that_is_missing_or_older(self):
        self.sample()
        older = self.folder / "older.db"
        self.qdedup("backup", "copy.db", "--bank", older)
        self.qdedup("import", "--remove", self.write("gone.txt", "6\n"))
        self.qdedup("iterate")
        self.qdedup("run", self.write("b.log", log([3, 2])))
        for suffix in ("", "-wal", "-shm"):
            (self.folder / f"state/bank.db{suffix}").unlink(missing_ok=True)
        for command in ("status", "verify", "iterate", "export"):
            self.assertIn("bank.db: is missing, though qdedup.db remembers its questions", self.qdedup(command, expect=65).err)
        older.rename(self.folder / "state/bank.db")
        self.qdedup("iterate", expect=65)
        self.assertIn("older-bank", [kind for kind, _, _ in self.breaches()])

    def test_a_chain(self):
        self.sample()
        self.alter("INSERT INTO deletion SELECT NULL, iteration_id, 9, 3, distance, length, confidence, reasons, risk, status, "
                   "question_hash, keep_hash, '', 0 FROM deletion WHERE question_id = 3")
        self.assertEqual(self.breaches(), [("class-missing", None, None), ("keeper-listed", 9, 3)])

    def test_what_is_no_duplicate(self):
        self.sample()
        self.alter("UPDATE iteration SET settings = replace(settings, ':80', ':90')")
        self.assertEqual(self.breaches(), [("not-duplicates", 3, 1)])
        self.alter("UPDATE iteration SET settings = '{}'", "UPDATE deletion SET distance = 2 WHERE question_id = 3")
        self.assertEqual(self.breaches(), [("other-distance", 3, 1)])

    def test_the_audit(self):
        self.sample()
        self.alter("UPDATE deletion SET status = 'approved' WHERE question_id = 2")
        self.assertEqual(self.breaches(), [("audit-incomplete", 2, 1)])
        self.alter("INSERT INTO decision SELECT NULL, id, '', '', 'rejected', 'approved', '', '', 0, '' FROM deletion "
                   "WHERE question_id = 2")
        self.assertEqual(self.breaches(), [("audit-broken", 2, 1)])

    def test_repointings(self):
        self.import_questions({1: "甲乙丙", 5: "甲乙丙", 9: "甲乙丙"})
        self.qdedup("run", self.write("a.log", log([5, 9])))
        self.qdedup("run", self.write("b.log", log([1, 9])))
        self.assertEqual(self.breaches(expect=0), [])
        self.alter("UPDATE repointing SET new_keep_id = 2")
        self.assertEqual(self.breaches(), [("repointing-broken", 9, 1)])

    def test_held_and_rejected(self):
        self.sample()
        self.qdedup("review", "approve", 2, 1)
        self.qdedup("review", "reject", 6, 5)
        self.alter("UPDATE iteration SET withheld = 1",
                   "INSERT INTO iteration SELECT 2, kind, started_at, finished_at, version, settings, weights, 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
                   "0,'','' FROM iteration",
                   "INSERT INTO deletion SELECT NULL, 2, 6, 5, distance, length, confidence, reasons, risk, 'pending', question_hash, "
                   "keep_hash, '', 0 FROM deletion WHERE question_id = 6")
        self.assertEqual(self.breaches(), [("held-approved", 2, 1), ("rejected-listed", 6, 5),
                                           ("class-missing", None, None)])

    def test_classes(self):
        self.sample()
        self.alter("UPDATE class_member SET representative = 1 WHERE question_id = 6")
        self.assertEqual([kind for kind, _, _ in self.breaches()], ["class-broken", "class-history"])
        self.assertIn("class-broken: 6 with 1\n", self.qdedup("verify", expect=65).out)
        self.alter("UPDATE class_member SET representative = 5 WHERE question_id = 6",
                   "INSERT INTO verified_pair SELECT 6, 2, 1, 0, 3, 'safe', '', 100, question_hash, keep_hash, 0 FROM deletion "
                   "WHERE question_id = 6")
        self.assertEqual(self.breaches(), [("text-changed", None, None)])

    def test_tallies(self):
        self.sample()
        self.alter_alone("UPDATE deletion_tally SET deletions = deletions + 2 WHERE similarity = 100")
        self.assertEqual(self.breaches(), [("tally-wrong", None, None)])
        self.assertIn("tally-wrong: iteration 1, pending, doubtful, too-short, 100 % alike: 2 too many counted\n", self.qdedup("verify", expect=65).out)

    def test_damage(self):
        self.sample()
        self.alter("PRAGMA foreign_keys = OFF", "UPDATE deletion SET iteration_id = 7 WHERE question_id = 2")
        self.assertIn("damaged: row 1 of deletion has no row in iteration\n", self.qdedup("verify", expect=65).out)


if __name__ == "__main__":
    main()
