"""Weights of the risk, learned from decisions: qdedup learn."""

import contextlib
import csv
import io
import json
import random
import sqlite3

from daemon import Daemon, UnixConnection
from program import ProgramTest, database, main

# Two questions each, with numbers of their own. This bank's reviewers delete what only tells a story otherwise.
SAME = [("果园里有{a}棵桃树，{b}棵梨树，桃树和梨树共有多少棵？", "果园里有{a}棵桃树，新种{b}棵梨树，桃树和梨树共有多少棵？"),
        ("商店运来{a}筐苹果，又运来{b}筐梨，一共运来多少筐水果？", "商店购进{a}筐苹果，又运来{b}筐梨，一共运来多少筐水果？")]
DIFFERENT = ("小红比小明少{a}本书，小明有{b}本书，小红有多少本书？", "小红比小明多{a}本书，小明有{b}本书，小红有多少本书？")


class Learn(ProgramTest):
    def pairs_of(self, count, first=1):
        """Lists `count` pairs, and says of each question to be deleted, what reviewers say."""
        questions, verdicts = {}, {}
        for number in range(first, first + count):
            verdict, texts = ("approve", SAME[number % 2]) if number % 3 else ("reject", DIFFERENT)
            numbers = {"a": 100 + number, "b": 1000 + 7 * number}
            questions |= {2 * number: texts[0].format(**numbers), 2 * number + 1: texts[1].format(**numbers)}
            verdicts[2 * number + 1] = verdict
        self.import_questions(questions)
        self.qdedup("sweep")
        self.assertEqual({int(row["delete_id"]) for row in self.listed("--status", "pending")}, set(verdicts))
        return verdicts

    def decide(self, verdicts):
        for question, verdict in verdicts.items():
            self.qdedup("review", verdict, question, question - 1)

    def confidence_of(self, question):
        return self.qdedup("--json", "explain", question - 1, question).json()["confidence"]

    def newest_weights(self):
        with contextlib.closing(sqlite3.connect(self.folder / "state/qdedup.db")) as store:
            return store.execute("SELECT weights FROM iteration ORDER BY id DESC LIMIT 1").fetchone()[0]

    def test_what_this_bank_deletes_becomes_safe_and_undo_returns(self):
        verdicts = self.pairs_of(150)
        shipped = self.newest_weights()
        self.decide(verdicts)
        self.assertEqual({self.confidence_of(question) for question in verdicts}, {"doubtful"})

        trial = self.qdedup("--json", "learn", "--dry-run").json()
        self.assertFalse(trial["learned"])
        self.assertEqual((trial["approved"], trial["rejected"]), (100, 50))
        self.assertEqual(trial["before"]["weights"], shipped)
        self.assertEqual(self.confidence_of(3), "doubtful")

        said = self.qdedup("learn", "--by", "ann").out
        learned = trial["after"]["weights"]
        self.assertIn(f"{shipped}  {learned}", said)
        self.assertLess(trial["after"]["log_loss"], trial["before"]["log_loss"] / 2)
        self.assertGreater(trial["after"]["safe_approved"], trial["before"]["safe_approved"])
        self.assertEqual(trial["after"]["safe_rejected"], 0)
        self.assertEqual(self.confidence_of(3), "safe")
        self.assertEqual(self.confidence_of(7), "doubtful")

        self.pairs_of(30, first=1000)
        self.assertEqual(self.newest_weights(), learned)
        rows = {int(row["delete_id"]): row["confidence"] for row in self.listed("--status", "pending")}
        self.assertEqual(rows[2003], "safe")
        self.assertIn("better than before", self.qdedup("learn", expect=65).err)

        self.assertIn(shipped, self.qdedup("learn", "--undo").out)
        self.assertEqual(self.confidence_of(3), "doubtful")
        self.qdedup("learn", "--undo", expect=66)

    def test_what_nobody_looked_at_does_not_count(self):
        verdicts = self.pairs_of(120)
        for verdict, iteration in (("approve", 1), ("reset", 1)):
            self.qdedup("review", verdict, "--iteration", iteration)
        rows = self.listed()
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"decision": verdicts[int(row["delete_id"])]} for row in rows)
        self.qdedup("review", "import", self.write("list.csv", text.getvalue()))
        self.assertIn("a word, 0 were decided one by one", self.qdedup("learn", expect=65).err)
        self.decide({3: "reject", 5: "reset"})
        self.assertIn("a word, 1 were decided one by one", self.qdedup("learn", expect=65).err)

    def test_too_few_pairs_are_refused(self):
        self.decide(self.pairs_of(17))
        equal, answers = "甲乙丙丁戊己庚辛", "子丑寅卯辰巳午未"
        rows = [{"id": 901, "text": equal}, {"id": 902, "text": equal}, {"id": 903, "text": answers + "？", "answer": "A"},
                {"id": 904, "text": answers, "answer": "B"}]
        self.qdedup("import", self.write("more.jsonl", "".join(json.dumps(row) + "\n" for row in rows)))
        self.qdedup("sweep")
        self.decide({902: "approve", 904: "reject"})
        refused = self.qdedup("learn", expect=65)
        self.assertIn("a word, 17 were decided one by one, 12 approved and 5 rejected; at least 100 are needed", refused.err)
        self.assertFalse(self.qdedup("--json", "learn", expect=65).json()["learned"])

    def test_decisions_at_random_are_refused(self):
        verdicts = self.pairs_of(150)
        shuffled = list(verdicts.values())
        random.Random(1).shuffle(shuffled)
        self.decide(dict(zip(verdicts, shuffled)))
        self.assertIn("nothing was learned", self.qdedup("learn", expect=65).err)
        self.assertEqual(self.confidence_of(3), "doubtful")

    def test_pairs_count_as_they_were_when_they_were_decided(self):
        verdicts = self.pairs_of(150)
        self.decide(verdicts)
        approved = [question for question, verdict in verdicts.items() if verdict == "approve"]
        gone = self.write("gone.txt", "".join(f"{question}\n" for question in approved))
        self.qdedup("applied", gone)
        self.qdedup("import", "--remove", gone)
        self.import_questions({6: "另一道题目，和以前的不一样"})
        learned = self.qdedup("--json", "learn").json()
        self.assertEqual((learned["approved"], learned["rejected"]), (100, 50))

    def test_decisions_from_before_texts_were_kept_count_while_the_bank_has_these(self):
        self.decide(self.pairs_of(20))
        with contextlib.closing(database(self.folder / "state/qdedup.db")) as store, store:
            store.execute("DELETE FROM decided_text")
        self.import_questions({3: "另一道题目，和以前的不一样"})
        self.assertIn("a word, 19 were decided", self.qdedup("learn", expect=65).err)

    def test_a_daemon_uses_what_was_learned_beside_it(self):
        verdicts = self.pairs_of(150)
        config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n')
        daemon = Daemon(self, config)

        def checked():
            connection = UnixConnection(self.folder / "state/qdedupd.sock")
            question = {"text": SAME[0][1].format(a=102, b=1014)}
            connection.request("POST", "/v1/check", json.dumps(question), {"Content-Type": "application/json"})
            result = json.loads(connection.getresponse().read())["results"][0]
            connection.close()
            return result["duplicate_of"], result["confidence"]

        self.decide(verdicts)
        self.assertEqual(checked(), (4, "doubtful"))
        self.qdedup("learn")
        self.assertEqual(checked(), (4, "safe"))
        self.qdedup("learn", "--undo")
        self.assertEqual(checked(), (4, "doubtful"))
        daemon.stop()


if __name__ == "__main__":
    main()
