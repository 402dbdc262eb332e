"""Safe or doubtful: in the list, in explain and report, and measured by qdedup evaluate."""

import os
import unittest

from program import CONFORMANCE_DATA, EXAMPLES, SAMPLE_LOGS, ProgramTest, gzipped, main, needs_conformance_data

# Deletions of the sample that pass the duplicate test and would be wrong (examples/README.md).
WRONG = {
    1672270331, 1399339011, 22623147042183, 1983586313, 2052595546, 1826513396, 2012597331, 1653626914, 1616344467,
    1640045397, 2112875225, 1997563711, 1936039893, 1957372890, 4442864212, 2033774467,
}

HEADER = "small_id\tlarge_id\tlabel\n"


class Evaluate(ProgramTest):
    def evaluate(self, pairs):
        return self.qdedup("--json", "evaluate", self.write("pairs.tsv", pairs)).json()

    def test_the_wrong_deletions_of_the_sample_are_doubtful(self):
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        self.qdedup("run", *SAMPLE_LOGS)
        doubtful = {int(row["delete_id"]) for row in self.listed("--confidence", "doubtful")}
        safe = {int(row["delete_id"]) for row in self.listed("--confidence", "safe")}
        self.assertEqual(WRONG - doubtful, set())
        self.assertGreater(len(safe), 55)
        for row in self.listed():
            self.assertEqual(row["reasons"] != "", row["confidence"] == "doubtful")

    def test_the_table_counts_each_pair(self):
        self.import_questions({1: "小红比小明少5本书，小红有多少本书？", 2: "小红比小明多5本书，小红有多少本书？",
                               3: "小红比小明少5本书，请问小红有多少本书？", 4: "", 5: ""})
        table = self.evaluate(HEADER + "1\t2\tdifferent\n1\t3\tsame\n1\t9\tsame\n4\t5\tdifferent\n")
        self.assertEqual(table["different"], {"safe": 0, "doubtful": 1})
        self.assertEqual(table["same"], {"safe": 1, "doubtful": 0})
        self.assertEqual((table["precision_of_safe"], table["missing"]), (100, 2))
        self.assertEqual(table["unequal"]["different"], {"safe": 0, "doubtful": 1})
        self.assertEqual(sum(row["pairs"] for row in table["reliability"]), 2)
        said = self.qdedup("evaluate", self.folder / "pairs.tsv").out
        self.assertIn("precision of safe  100.00 %", said)
        self.assertIn("reliability of the risk\n", said)

    def test_some_of_the_worst_stand_for_all(self):
        self.import_questions({1: "小红比小明少5本书，小红有多少本书？", 2: "小红比小明少5本书，小红有多少本书？"})
        table = self.evaluate(HEADER + "1\t2\tdifferent\n" * 50)
        self.assertEqual((len(table["worst"]), table["more_wrong"]), (20, 30))
        self.assertIn("  and 30 more\n", self.qdedup("evaluate", self.folder / "pairs.tsv").out)

    def test_explain_says_where(self):
        self.import_questions({1: "小红比小明少5本书，小红有多少本书？", 2: "小红比小明多5本书，小红有多少本书？"})
        said = self.qdedup("explain", 1, 2).out
        self.assertIn("Doubtful", said)
        self.assertIn("polarity:多/少: “少” in 1, “多” in 2", said)

    def test_the_report_says_why_at_the_characters(self):
        self.import_questions({1: "小红比小明少5本书，小红有多少本书？", 2: "小红比小明多5本书，小红有多少本书？"})
        self.qdedup("run", self.write("a.log", "[[1,0.9],[2,0.8]]\n"))
        page = self.qdedup("export", "--format", "html").out
        self.assertIn('<del>多</del><small class="why">polarity:多/少</small>', page)

    def test_what_the_whole_texts_lack_is_not_at_the_first_characters(self):
        """So a report is the same by whatever settings it is made; they have made its reasons before."""
        self.import_questions({1: "问小红买书多少本呢你算一算", 2: "小红买书多少本呢你算一算"})
        strict = self.write("strict.toml", "[contrast]\nshort_text = 100\n")
        self.qdedup("sweep", config=strict)
        page = self.qdedup("export", "--format", "html", config=strict).out
        self.assertIn("<li>too-short</li>", page)
        self.assertIn("<ins>问</ins>小红", page)
        self.assertEqual(self.qdedup("export", "--format", "html").out, page)

    def test_answers_that_differ(self):
        rows = '{"id":1,"text":"甲乙丙丁戊己庚辛","answer":"A"}\n{"id":2,"text":"甲乙丙丁戊己庚辛","answer":"B"}\n'
        self.qdedup("import", self.write("bank.jsonl", rows))
        self.qdedup("run", self.write("a.log", "[[1,0.9],[2,0.8]]\n"))
        self.assertEqual([row["reasons"] for row in self.listed()], ["answer-differs"])

    def test_bad_input(self):
        self.import_questions({1: "甲"})
        self.assertIn("pairs.tsv:2", self.qdedup("evaluate", self.write("pairs.tsv", HEADER + "1\tx\tsame\n"), expect=65).err)
        self.qdedup("evaluate", self.write("pairs.tsv", "a\tb\n"), expect=65)
        self.qdedup("evaluate", self.folder / "none.tsv", expect=66)
        os.mkfifo(self.folder / "pipe.tsv")
        self.assertIn("not a regular file", self.qdedup("evaluate", self.folder / "pipe.tsv", expect=66).err)

    def test_pairs_through_a_pipe(self):
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        pairs = (HEADER + "1348833927\t1661640494\tsame\n").encode()
        for name in ("/dev/stdin", "-"):
            self.assertIn("1 ", self.qdedup("evaluate", name, stdin=pairs).out)

    def test_pairs_that_are_packed_or_in_another_encoding(self):
        self.import_questions({1: "甲", 2: "甲"})
        pairs = (HEADER + "\r\n1\t2\tsame\r\n").encode()
        for command in "evaluate", "features":
            self.assertIn("same", self.qdedup(command, self.write("pairs.tsv.gz", gzipped(pairs))).out)
            said = self.qdedup(command, self.write("pairs.tsv", pairs.decode().encode("utf-16")), expect=65).err
            self.assertIn("seems to be UTF-16, not UTF-8: save it as UTF-8, or convert it with `iconv -f utf-16 -t utf-8`", said)

    @unittest.skipIf(os.geteuid() != 0, "needs root, to make somebody else's link")
    def test_pairs_through_a_link_of_somebody_else(self):
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        (self.folder / "link.tsv").symlink_to(self.write("pairs.tsv", HEADER))
        os.lchown(self.folder / "link.tsv", 1, 1)
        for command in "evaluate", "features":
            self.assertIn("a link of daemon", self.qdedup(command, self.folder / "link.tsv", expect=66).err)

    @needs_conformance_data
    def test_the_labelled_pairs_of_a_real_bank(self):
        self.qdedup("import", CONFORMANCE_DATA / "bank.jsonl")
        table = self.qdedup("--json", "evaluate", CONFORMANCE_DATA / "pairs_labelled.tsv").json()["subjects"]
        self.assertGreaterEqual(table["math"]["precision_of_safe"], 99.5)
        self.assertGreaterEqual(table["math"]["same_kept_safe"], 90)
        self.assertGreaterEqual(table["text"]["precision_of_safe"], 97)
        self.assertGreaterEqual(table["text"]["same_kept_safe"], 80)
        self.assertLessEqual(table["text"]["reordered"]["safe"], 3)


if __name__ == "__main__":
    main()
