"""From questions and a log to a deletion list: what one iteration lists, what the next one does, and what export writes."""

import contextlib
import html.parser
import json
from program import EXAMPLES, SAMPLE_LOGS, ProgramTest, database, main

COLUMNS = ("iteration delete_id keep_id similarity distance length confidence reasons risk status decision note "
           "delete_text keep_text").split()


def log(*lists):
    return "".join(json.dumps([[i, 0.9] for i in ids]) + "\n" for ids in lists)


class Texts(html.parser.HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.tags, self.text = set(), ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text += data


class Export(ProgramTest):
    def test_the_known_answers(self):
        self.import_questions({
            1: "A比B大10", 2: "B比A小10", 3: "小红买10本书", 4: "小明买10本书", 5: "今天空气温度为10度",
            6: "今天的空气温度为10度",
        })
        self.qdedup("run", self.write("a.log", log([1, 2], [3, 4], [5, 6])))
        self.assertEqual([(r["delete_id"], r["keep_id"], r["similarity"], r["distance"], r["length"])
                          for r in self.listed()], [("4", "3", "80.00", "1", "5"), ("6", "5", "88.89", "1", "9")])

    def test_explain_says_why_in_words(self):
        self.import_questions({1: "A比B大10", 2: "B比A小10", 3: "小红买10本书", 4: "小明买10本书",
                               5: "今天空气温度为10度", 6: "今天的空气温度为10度", 7: "今天天气很好10度",
                               8: "", 9: ""})
        said = self.qdedup("explain", 1, 2).out
        self.assertIn("Numbers, letters and signs: different", said)
        self.assertIn("Not duplicates", said)
        said = self.qdedup("explain", 4, 3).out
        self.assertIn("1 of 5 differ", said)
        self.assertIn("80.00 % alike", said)
        self.assertIn("小[红]买本书", said)
        self.assertIn("Duplicates: 4 can be deleted, and 3, the smaller id, stays", said)
        self.assertIn("Duplicates: 6 can be deleted", self.qdedup("explain", 5, 6).out)
        self.assertIn("not alike enough", self.qdedup("explain", 5, 7).out)
        self.assertIn("Not compared", self.qdedup("explain", 8, 9).out)
        self.assertFalse(self.qdedup("--json", "explain", 8, 9).json()["duplicate"])
        explained = self.qdedup("--json", "explain", 3, 4).json()
        self.assertEqual((explained["duplicate"], explained["distance"], explained["length"]), (True, 1, 5))
        self.qdedup("explain", 3, 99, expect=66)
        self.qdedup("explain", 3, 3, expect=64)
        self.qdedup("explain", 0, 3, expect=64)

    def test_a_chain_keeps_the_smallest(self):
        self.import_questions({10: "一二三四五六七八九十", 20: "一二三四五六七八九零", 30: "一二三四五六七八零零",
                               40: "一二三四五六七零零零"})
        self.qdedup("run", self.write("a.log", log([40, 30, 20, 10])))
        self.assertEqual(self.pairs(), [(20, 10), (30, 10)])

    def test_ids_without_text_are_missing(self):
        self.import_questions({1: "甲", 2: "甲"})
        counts = self.qdedup("--json", "run", self.write("a.log", log([1, 2, 3]))).json()["iteration"]
        self.assertEqual((counts["missing"], counts["deletions"]), (1, 1))

    def test_an_empty_bank_consumes_nothing(self):
        a = self.write("a.log", log([1, 2]))
        self.assertIn("the bank is empty; load it with `qdedup import`, or, if it is in a lake, see `qdedup spark`",
                      self.qdedup("run", a, expect=66).err)
        self.import_questions({1: "甲", 2: "甲"})
        self.qdedup("run", a)
        self.assertEqual(self.pairs(), [(2, 1)])

    def test_a_rejection_is_remembered_until_a_text_changes(self):
        self.import_questions({1: "甲乙丙丁戊", 2: "甲乙丙丁戊"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        with contextlib.closing(database(self.folder / "state/qdedup.db")) as store:
            store.execute("UPDATE deletion SET status = 'rejected'")
            store.commit()
        self.qdedup("run", self.write("b.log", log([1, 2], [2, 1])))
        self.assertEqual(self.pairs(), [])
        self.import_questions({2: "甲乙丙丁己"})
        self.qdedup("iterate")
        self.assertEqual(self.pairs(), [(2, 1)])
        self.assertIn("nothing new", self.qdedup("iterate").out)

    def test_a_second_iteration_lists_nothing_twice(self):
        self.import_questions({1: "甲乙丙", 2: "甲乙丙", 3: "甲乙丙", 4: "丁", 5: "丁"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        self.qdedup("run", self.write("b.log", log([1, 2], [2, 3], [4, 5])))
        self.assertEqual(self.pairs("--iteration", 1), [(2, 1)])
        self.assertEqual(self.pairs("--iteration", 2), [(3, 1), (5, 4)])

    def test_nothing_new_makes_no_iteration(self):
        self.import_questions({1: "甲", 2: "甲"})
        a = self.write("a.log", log([1, 2]))
        self.qdedup("run", a)
        listed = self.qdedup("export").bytes
        self.assertIn("nothing new", self.qdedup("run", a).out)
        self.assertIsNone(self.qdedup("--json", "iterate").json())
        self.assertEqual(self.qdedup("export").bytes, listed)
        self.assertEqual(len(self.qdedup("--json", "iterations").json()), 1)

    def test_the_weights_of_an_iteration_are_named(self):
        self.import_questions({1: "甲", 2: "甲"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        (iteration,) = self.qdedup("--json", "iterations").json()
        self.assertNotEqual(iteration["weights"], "")
        self.assertIn(f"weights={iteration['weights']}\n", self.qdedup("iterations").out)
        self.assertIn(f'<th scope="row">weights</th><td>{iteration["weights"]}</td>', self.qdedup("export", "--format", "html").out)

    def test_a_keeper_is_replaced_by_a_smaller_one(self):
        self.import_questions({1: "甲乙丙", 5: "甲乙丙", 9: "甲乙丙"})
        self.qdedup("run", self.write("a.log", log([5, 9])))
        counts = self.qdedup("--json", "run", self.write("b.log", log([1, 9]))).json()["iteration"]
        self.assertEqual((counts["deletions"], counts["repointed"]), (1, 1))
        self.assertEqual(self.pairs("--iteration", 1), [(9, 1)])
        self.assertEqual(self.pairs("--iteration", 2), [(5, 1)])

    def test_a_changed_text_is_decided_anew(self):
        self.import_questions({1: "甲乙丙", 2: "甲乙丙", 3: "甲乙丙"})
        self.qdedup("run", self.write("a.log", log([1, 2, 3])))
        self.import_questions({2: "另一道题", 3: "甲乙丙"})
        counts = self.qdedup("--json", "iterate").json()
        self.assertEqual((counts["withdrawn"], counts["deletions"]), (1, 0))
        self.assertEqual([(r["delete_id"], r["status"]) for r in self.listed("--iteration", 1)],
                         [("2", "withdrawn"), ("3", "pending")])
        self.import_questions({2: "甲乙丙"})
        self.qdedup("run", self.write("b.log", log([2, 1])))
        self.assertEqual(self.pairs(), [(2, 1)])

    def test_a_keeper_that_leaves_takes_its_deletions_with_it(self):
        self.import_questions({1: "甲乙丙", 2: "甲乙丙", 3: "甲乙丙"})
        self.qdedup("run", self.write("a.log", log([1, 2, 3])))
        self.qdedup("import", "--remove", self.write("gone.txt", "1\n"))
        self.qdedup("run", self.write("b.log", log([3, 2])))
        self.assertEqual([r["status"] for r in self.listed("--iteration", 1)], ["withdrawn", "withdrawn"])
        self.assertEqual(self.pairs(), [(3, 2)])

    def test_lcs_and_thresholds_come_from_the_config(self):
        self.import_questions({1: "一二三四五", 2: "二三四五一"})
        config = self.write("c.toml", '[refine]\nsimilarity = "lcs"\n')
        self.qdedup("run", self.write("a.log", log([1, 2])), config=config)
        self.assertEqual([(r["distance"], r["length"]) for r in self.listed()], [("1", "5")])

    def test_formats(self):
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        self.qdedup("run", *SAMPLE_LOGS)
        rows = self.listed()
        self.assertEqual(list(rows[0]), COLUMNS)
        ids = [int(row["delete_id"]) for row in rows]
        self.assertEqual(ids, sorted(ids))
        objects = [json.loads(line) for line in self.qdedup("export", "--format", "jsonl").out.splitlines()]
        self.assertEqual([list(o) for o in objects[:1]], [COLUMNS])
        self.assertEqual([o["delete_id"] for o in objects], ids)
        table = self.qdedup("export", "--format", "tsv").out.splitlines()
        self.assertEqual(table[0].split("\t"), COLUMNS)
        self.assertEqual(len(table), len(rows) + 1)
        self.assertTrue(self.qdedup("export").bytes.startswith(b"\xef\xbb\xbfiteration,"))

    def test_the_report_stands_alone(self):
        self.import_questions({1: "<script>alert(1)</script>甲乙丙", 2: "<script>alert(1)</script>甲乙丙！"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        self.qdedup("export", "--format", "html", "-o", self.folder / "report.html")
        page = (self.folder / "report.html").read_text()
        seen = Texts(page)
        self.assertNotIn("script", seen.tags)
        self.assertIn("<script>alert(1)</script>", seen.text)
        for loading in ("http://", "https://", "<link", "<img"):
            self.assertNotIn(loading, page)

    def test_only_some(self):
        self.import_questions({1: "甲", 2: "甲"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        self.assertEqual(self.pairs("--status", "pending,approved"), [(2, 1)])
        self.assertEqual(self.pairs("--status", "approved"), [])
        self.qdedup("export", "--status", "doubtful", expect=64)

    def test_open_deletions_of_other_iterations_are_told_of(self):
        self.import_questions({1: "甲", 2: "甲", 3: "乙", 4: "乙", 5: "丙", 6: "丙"})
        self.qdedup("run", self.write("a.log", log([1, 2], [3, 4])))
        self.qdedup("run", self.write("b.log", log([5, 6])))
        for chosen in ([], ["--status", "pending,rejected"]):
            self.assertIn("not in this list: 2 pending deletions of earlier iterations, from 1 on (--iteration all)",
                          self.qdedup("export", *chosen).err)
        for iteration in (1, 2):
            self.qdedup("review", "approve", "--iteration", iteration)
        list_path = self.folder / "approved.tsv"
        export = ["export", "--status", "approved", "-o", list_path]
        said = self.qdedup(*export).err
        self.assertIn("not in this list: 2 approved deletions of earlier iterations, from 1 on (--iteration all)", said)
        self.assertIn(f"iteration 2: 1 deletion written to {list_path} as tsv\n", said)
        self.assertEqual(self.pairs("--status", "approved"), [(6, 5)])
        for other in ([*export, "--iteration", 2], ["export", "-o", list_path], ["--quiet", *export]):
            self.assertNotIn("not in this list", self.qdedup(*other).err)
        self.qdedup("applied", self.write("gone.txt", "2\n4\n"))
        self.assertNotIn("not in this list", self.qdedup(*export).err)

    def test_all_iterations(self):
        self.import_questions({1: "甲", 2: "甲", 3: "乙", 4: "乙", 5: "丙", 6: "丙"})
        self.qdedup("run", self.write("a.log", log([1, 2], [5, 6])))
        self.qdedup("run", self.write("b.log", log([3, 4])))
        self.assertEqual(self.pairs("--iteration", "all"), [(2, 1), (4, 3), (6, 5)])
        for pair in ((2, 1), (4, 3)):
            self.qdedup("review", "approve", *pair)
        list_path = self.folder / "approved.tsv"
        said = self.qdedup("export", "--iteration", "all", "--status", "approved", "-o", list_path).err
        self.assertEqual(said, f"all iterations: 2 deletions written to {list_path} as tsv\n")
        undo = [json.loads(line)["id"] for line in (self.folder / "approved.tsv.undo.jsonl").read_text().splitlines()]
        self.assertEqual(undo, [2, 4])
        for words, count in ((["--undo", "--iteration", "all", "-o", "undo.jsonl"], "2 questions"), (["--classes", "-o", "c.tsv"], "3 lines")):
            self.assertEqual(self.qdedup("export", *words).err, f"{count} written to {words[-1]}\n")
        self.assertEqual(self.qdedup("applied", list_path).out, "2 applied\n")
        self.qdedup("import", self.write("changed.jsonl", '{"id":6,"text":"丁"}\n'))
        self.qdedup("iterate")
        self.qdedup("import", self.write("changed.jsonl", '{"id":6,"text":"丙"}\n'))
        self.qdedup("run", self.write("c.log", log([5, 6])))
        self.assertEqual([row["status"] for row in self.listed("--iteration", "all") if row["delete_id"] == "6"], ["withdrawn", "pending"])
        everything = ["--iteration", "all", "--status", "pending,withdrawn"]
        self.assertEqual(self.qdedup("export", "--undo", *everything).out.count('"id":6'), 1)
        for ending in ("html", "xlsx"):
            self.qdedup("export", "--iteration", "all", "-o", f"list.{ending}", expect=64)
        self.assertIn('"none" is not a whole number', self.qdedup("export", "--iteration", "none", expect=64).err)

    def test_what_the_store_says_controls_no_terminal(self):
        self.import_questions({1: "甲", 2: "甲"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        with contextlib.closing(database(self.folder / "state/qdedup.db")) as store:
            store.execute("UPDATE log SET last_mined_at = ?", ("\x1b[2J",))
            store.execute("UPDATE iteration SET finished_at = ?, settings = ?", ("\x1b[3J", '{"a":"\\u001b[4J\\u009b"}'))
            store.commit()
        for command in (["status"], ["iterations"]):
            self.assertNotRegex(self.qdedup(*command).out, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    def test_no_iteration(self):
        self.import_questions({1: "甲"})
        self.assertIn("no iteration yet", self.qdedup("export", expect=66).err)
        self.qdedup("export", "--iteration", 7, expect=66)

    def test_an_output_keeps_its_link_and_its_mode(self):
        self.import_questions({1: "甲", 2: "甲"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        target = self.write("target.csv", "old")
        target.chmod(0o600)
        link = self.folder / "link.csv"
        link.symlink_to(target)
        self.qdedup("export", "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertIn("delete_id", target.read_text("utf-8-sig"))
        self.assertEqual(target.stat().st_mode & 0o777, 0o600)

    def test_the_name_of_the_output_tells_the_format(self):
        self.import_questions({1: "甲", 2: "甲"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        for ending, start in (("html", "<!"), ("jsonl", "{"), ("ndjson", "{"), ("tsv", "iteration\t"), ("tab", "iteration\t"), ("csv", "\ufeffiteration,")):
            path = self.folder / f"list.{ending}"
            self.assertIn(str(path), self.qdedup("export", "-o", path).err)
            self.assertTrue(path.read_text("utf-8").startswith(start), ending)

    def test_what_does_not_apply_to_a_format_is_refused(self):
        for words in ([], ["-o", "list.csv"], ["--classes"], ["--undo"]):
            self.assertIn("--max-pairs: does not apply to other formats than html",
                          self.qdedup("export", "--max-pairs", "5", *words, expect=64).err)
        self.assertIn("qdedup: --format: this list cannot be written as html", self.qdedup("export", "--classes", "--format", "html", expect=64).err)

    def test_an_output_that_cannot_be_written(self):
        self.import_questions({1: "甲", 2: "甲"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        self.qdedup("export", "-o", "/dev/full", expect=74)
        self.assertIn(f"there is no folder {self.folder}/none; make it", self.qdedup("export", "-o", "none/list.csv", expect=73).err)
        self.qdedup("export", "-o", self.folder / ("x" * 300), expect=73)

    def test_the_sample_gives_what_its_readme_says(self):
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        run = self.qdedup("--json", "run", *SAMPLE_LOGS).json()
        self.assertEqual((run["mine"]["lines"], sum(run["mine"]["rejected"].values())), (2405, 5))
        self.assertEqual((run["iteration"]["deletions"], run["iteration"]["missing"]), (88, 4))


if __name__ == "__main__":
    main()
