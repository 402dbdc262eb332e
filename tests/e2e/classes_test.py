"""Classes over several iterations, with decisions and imports in between, and what is told of their history."""

import csv
import io
import json

from daemon import Daemon
from program import ProgramTest, main

# 20 differs in one character from 1, and from 3; these differ in two from each other.
FIRST = {1: "一二三四五", 3: "一二三六七", 10: "一二三六八", 11: "一二九六七"}
BETWEEN = {20: "一二三六五"}


class Classes(ProgramTest):
    def setUp(self):
        super().setUp()
        self.import_questions(FIRST)
        self.qdedup("sweep")
        self.import_questions(BETWEEN)
        self.qdedup("sweep")

    def similar(self, question):
        return self.qdedup("--json", "similar", question).json()

    def class_of(self, question):
        told = self.similar(question)
        self.assertEqual(told["questions"], len(told["similar"]) + 1)
        return told["representative"], [row["id"] for row in told["similar"]]

    def changes(self, question):
        return [(row["id"], row["from"], row["to"], row["reason"]) for row in self.similar(question)["changes"]]

    def exported(self, *options):
        text = self.qdedup("export", "--classes", *options).bytes.decode("utf-8-sig")
        return [(int(row["representative"]), int(row["id"]), int(row["compared_with"]), row["status"])
                for row in csv.DictReader(io.StringIO(text, newline=""))]

    def test_a_question_joins_the_largest_class_and_is_deleted_for_the_smallest_id(self):
        self.assertEqual(self.pairs(), [(20, 1)])
        self.assertEqual(self.class_of(20), (3, [10, 11, 20]))
        self.assertEqual(self.class_of(1), (1, []))
        self.assertEqual(self.exported(), [(3, 10, 3, "pending"), (3, 11, 3, "pending"), (3, 20, 3, "pending")])
        row = self.similar(20)["similar"][2]
        self.assertEqual((row["compared_with"], row["similarity"], row["iteration"]), (3, 80.0, 2))
        self.qdedup("verify")

    def test_by_size(self):
        self.import_questions({5: "春夏秋冬又一年", 6: "春夏秋冬又一年", 30: "东西南北中间站", 31: "东西南北中间站", 32: "东西南北中间站"})
        self.qdedup("sweep")
        classes = {"representative": [3, 3, 3, 5, 30, 30], "largest": [3, 3, 3, 30, 30, 5], "smallest": [5, 30, 30, 3, 3, 3]}
        for order, representatives in classes.items():
            self.assertEqual([row[0] for row in self.exported("--sort", order)], representatives)
        self.assertIn("--sort", self.qdedup("export", "--sort", "largest", expect=64).err)
        self.assertIn("largest", self.qdedup("export", "--classes", "--sort", "biggest", expect=64).err)

    def test_another_pair_holds_what_was_rejected(self):
        self.qdedup("review", "reject", 20, 1)
        self.assertEqual(self.class_of(20), (3, [10, 11, 20]))
        self.assertEqual(self.exported()[2], (3, 20, 3, "rejected"))
        self.qdedup("sweep")
        self.assertEqual(self.pairs(), [(20, 3)])
        self.qdedup("review", "reject", 20, 3)
        self.assertEqual(self.class_of(20), (20, []))
        self.assertEqual(self.changes(20), [(20, None, 3, "listed"), (20, 3, None, "reject")])
        self.assertIn("20 left 3 (reject by", self.qdedup("similar", 3).out)
        self.qdedup("review", "reset", 20, 3)
        self.assertEqual(self.class_of(20), (3, [10, 11, 20]))
        self.qdedup("verify")

    def test_a_changed_text_ends_a_class_and_its_history_stays(self):
        self.import_questions({3: "天地玄黄宇"})
        self.qdedup("iterate")
        self.assertEqual(self.class_of(3), (3, []))
        self.assertEqual(self.class_of(20), (1, [20]))
        self.assertEqual(self.changes(3)[-3:], [(10, 3, None, "text-changed"), (11, 3, None, "text-changed"),
                                                (20, 3, 1, "text-changed")])
        self.import_questions({3: FIRST[3]})
        self.qdedup("sweep")
        self.assertEqual(self.class_of(10), (3, [10, 11]))
        self.assertEqual(self.class_of(20), (1, [20]))
        self.qdedup("verify")

    def test_a_pair_that_is_lost_alone_is_no_iteration(self):
        self.qdedup("review", "reject", 20, 1)
        self.qdedup("import", "--remove", self.write("gone.txt", "20\n"))
        self.qdedup("verify", expect=0)
        self.qdedup("iterate")
        self.assertEqual(self.class_of(10), (3, [10, 11]))
        self.assertEqual(self.changes(3)[-1], (20, 3, None, "question-gone"))
        self.assertEqual(len(self.qdedup("--json", "iterations").json()), 2)
        self.qdedup("verify")

    def test_a_class_joins_that_of_the_question_its_representative_is_deleted_for(self):
        self.import_questions({2: FIRST[3]})
        self.qdedup("sweep")
        self.assertEqual(self.class_of(3), (2, [3, 10, 11, 20]))
        self.assertEqual(self.changes(2)[-4:], [(3, None, 2, "listed"), (10, 3, 2, "followed"),
                                                (11, 3, 2, "followed"), (20, 3, 2, "followed")])
        self.assertEqual([row[:3] for row in self.exported()], [(2, 3, 2), (2, 10, 2), (2, 11, 2), (2, 20, 3)])
        self.assertIn("with 3,", self.qdedup("similar", 2).out)
        self.qdedup("verify")

    def test_a_backup_has_the_history_and_the_daemon_tells_it(self):
        before = self.similar(20)
        self.qdedup("backup", self.folder / "kept.db")
        self.qdedup("review", "reject", 20, 1)
        for name in ("qdedup.db", "qdedup.db-wal", "qdedup.db-shm"):
            (self.folder / "state" / name).unlink(missing_ok=True)
        (self.folder / "kept.db").rename(self.folder / "state/qdedup.db")
        config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n')
        daemon = Daemon(self, config)
        told = json.loads(daemon.get("/v1/similar/20")[1])
        self.import_questions({5: "春夏秋冬又一年", 6: "春夏秋冬又一年"})
        self.qdedup("sweep")
        listed = {order: json.loads(daemon.get(f"/v1/classes?sort={order}")[1]) for order in ("representative", "largest", "smallest")}
        three, five = {"representative": 3, "questions": 4}, {"representative": 5, "questions": 2}
        self.assertEqual(listed["representative"], {"classes": [three, five], "total": 2})
        self.assertEqual(listed["largest"], listed["representative"])
        self.assertEqual(listed["smallest"]["classes"], [five, three])
        self.assertEqual(json.loads(daemon.get("/v1/classes?offset=1&limit=1")[1]), {"classes": [five], "total": 2})
        for wrong in ("sort=biggest", "limit=0", "limit=201", "offset=-1"):
            self.assertEqual(daemon.get(f"/v1/classes?{wrong}")[0], 400)
        daemon.stop()
        del before["history"]
        self.assertEqual(told, before)
        self.assertEqual(len(told["changes"]), 3)


if __name__ == "__main__":
    main()
