"""Banks with markup: [text] markup and numbering, and questions that their text does not tell apart."""

import json
from contextlib import closing

from daemon import Daemon
from program import ProgramTest, database, main

AUTO = '[text]\nmarkup = "auto"\nnumbering = "drop"\n'

# Two writings of each; the first is the smaller id.
SAME = [
    ("<p>求方程x<sup>2</sup>-4=0的所有实数解</p>", "5．求方程$x^{2}-4=0$的所有实数解"),
    ("一根绳子长\\(\\dfrac{1}{2}\\)米，用去它的一半，还剩多少米", "一根绳子长 $\\frac12$ 米，用去它的一半，还剩多少米"),
    ("（5分）下列各数中最小的是&nbsp;<br>A．1<br>B．2", "下列各数中最小的是(A)1(B)2"),
]
OTHER = ("求方程x<sub>2</sub>-4=0的所有实数解", "求方程x<sup>3</sup>-4=0的所有实数解")


class Markup(ProgramTest):
    def setUp(self):
        super().setUp()
        self.auto = self.write("auto.toml", AUTO)

    def import_pairs(self, pairs, config=None):
        rows = [{"id": 10 * number + side + 1, "text": text} for number, pair in enumerate(pairs) for side, text in enumerate(pair)]
        questions = self.write("bank.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        return self.qdedup("import", questions, config=config)

    def swept(self, config=None):
        self.qdedup("sweep", config=config)
        return self.pairs("--status", "pending")

    def test_writings_of_one_question_are_duplicates_and_lists_have_the_originals(self):
        self.import_pairs([*SAME, OTHER], config=self.auto)
        self.assertEqual(self.swept(self.auto), [(2, 1), (12, 11), (22, 21)])
        row = self.listed()[0]
        self.assertEqual((row["delete_text"], row["keep_text"]), (SAME[0][1], SAME[0][0]))
        self.qdedup("verify")
        reviewed = self.write("reviewed.csv", self.qdedup("export").bytes.replace(b",pending,,", b",pending,approve,"))
        self.assertIn("3 approved", self.qdedup("review", "import", reviewed).out)
        undo = self.qdedup("export", "--undo").out.splitlines()
        self.assertEqual(json.loads(undo[0])["text"], SAME[0][1])

    def test_what_is_loaded_is_read_anew_when_the_setting_changes(self):
        plain = ("一共有多少个苹果和梨子呢", "一共有多少个苹果和梨子呀")
        self.import_pairs([*SAME, plain])
        self.assertEqual(self.swept(), [(32, 31)])
        self.qdedup("review", "approve", "32", "31")
        changed = self.swept_anew(self.auto)
        self.assertIn("3 questions to delete", changed.out)
        self.assertEqual(self.pairs("--status", "pending"), [(2, 1), (12, 11), (22, 21)])
        self.assertEqual(self.qdedup("--json", "explain", "32", "31").json()["recorded"]["status"], "approved")
        back = self.swept_anew(None, "--json").json()
        self.assertEqual((back["withdrawn"], back["deletions"]), (3, 0))
        self.assertEqual(self.qdedup("--json", "explain", "1", "2").json()["keep"]["text"], SAME[0][0])
        self.qdedup("verify")

    def swept_anew(self, config, *options):
        """With other settings, which an import changes."""
        said = self.qdedup("import", "-", config=config, stdin=b'{"id":90,"text":"1+1"}\n').err
        self.assertIn("are all read again with", said)
        return self.qdedup(*options, "sweep", config=config)

    def test_nothing_is_decided_by_texts_that_are_read_otherwise(self):
        self.import_pairs(SAME, config=self.auto)
        refused = self.qdedup("sweep", expect=78).err
        self.assertIn('imported with [text] markup = "auto", numbering = "drop"; in force is markup = "plain", numbering = "keep"', refused)
        self.assertIn("import any question with it", refused)
        self.swept(self.auto)
        log = self.write("search.log", "[[1,0.9],[2,0.8]]\n")
        self.qdedup("run", log, expect=78)
        self.qdedup("iterate", expect=78)
        self.qdedup("import", "--remove", self.write("gone.txt", "12\n"))  # reads no texts
        self.assertEqual(self.pairs("--status", "pending"), [(2, 1), (12, 11), (22, 21)])
        self.qdedup("verify")
        self.qdedup("sweep", config=self.auto)

    def test_a_bank_that_was_lost_is_read_as_before(self):
        self.import_pairs(SAME, config=self.auto)
        self.swept(self.auto)
        for path in (self.folder / "state").glob("bank.db*"):
            path.unlink()
        refused = self.qdedup("import", self.folder / "bank.jsonl", expect=78).err
        self.assertIn('the last iteration read texts with [text] markup = "auto", numbering = "drop"', refused)
        self.qdedup("import", self.folder / "bank.jsonl", config=self.auto)
        self.assertEqual(self.qdedup("--json", "sweep", config=self.auto).json(), None)
        self.qdedup("verify")

    def test_hashes_of_a_file_are_of_texts_as_the_bank_reads_them(self):
        self.import_pairs(SAME, config=self.auto)
        self.assertEqual(self.qdedup("simhash", self.folder / "bank.jsonl").out, self.qdedup("simhash").out)

    def test_an_empty_bank_may_be_read_in_another_way(self):
        self.qdedup("import", self.write("bad.jsonl", '{"id":0,"text":"x"}\n'))
        self.import_pairs(SAME, config=self.auto)
        self.swept(self.auto)

    def test_a_daemon_says_that_it_reads_otherwise(self):
        self.import_pairs(SAME, config=self.auto)
        config = self.write("plain.toml", f'[state]\nfolder = "{self.folder}/state"\n[schedule]\nevery = "hourly"\n')
        with closing(database(self.folder / "state/qdedup.db")) as store, store:
            store.execute("INSERT INTO slot (at, recorded_at) VALUES (0, '')")  # so that an iteration is due
        daemon = Daemon(self, config)
        daemon.wait_until_said("its texts were imported with")
        self.assertIn("its texts were imported with", daemon.status()["trouble"])
        daemon.stop()
        self.assertEqual(self.qdedup("--json", "iterations").json(), [])

    def test_only_markup_that_counts_withdraws(self):
        self.import_pairs(SAME, config=self.auto)
        self.swept(self.auto)
        self.import_questions_auto({2: "<div>" + SAME[0][1] + "</div>"})
        self.assertEqual(self.qdedup("--json", "sweep", config=self.auto).json(), None)
        self.import_questions_auto({2: SAME[0][1].replace("4", "9")})
        self.assertEqual(self.qdedup("--json", "sweep", config=self.auto).json()["withdrawn"], 1)

    def import_questions_auto(self, questions):
        lines = "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in questions.items())
        return self.qdedup("import", "-", config=self.auto, stdin=lines.encode())

    def test_answers_are_read_too(self):
        rows = [{"id": 1, "text": "一半的一半是多少", "answer": "$\\dfrac{1}{4}$"},
                {"id": 2, "text": "一半的一半是多少", "answer": "<p>\\(\\frac{1}{4}\\)</p>"}]
        self.qdedup("import", "-", config=self.auto, stdin="".join(json.dumps(row) + "\n" for row in rows).encode())
        self.swept(self.auto)
        self.assertEqual([row["confidence"] for row in self.listed()], ["safe"])

    def test_import_says_what_a_plain_bank_holds(self):
        said = self.import_pairs(SAME).err
        self.assertIn("5 of 6 texts looked at hold markup (HTML 2, LaTeX 3, figures 0)", said)
        late = [{"id": number, "text": f"{number}个苹果" if number < 12_000 else f"<p>{number}个苹果</p>"} for number in range(1, 13_000)]
        rows = "".join(json.dumps(row) + "\n" for row in late).encode()
        self.assertIn("looked at hold markup (HTML 50,", self.qdedup("import", "-", state="late", stdin=rows).err)
        self.assertEqual(self.qdedup("--quiet", "import", "-", state="quiet", stdin=rows).err, "")
        self.assertIn('[text] markup = "auto"', said)
        self.assertNotIn("markup", self.qdedup("import", "-", state="clean", stdin=b'{"id":1,"text":"1+1"}\n').err)

    def test_import_counts_what_has_no_rule(self):
        counts = self.import_pairs([("求\\foo x的值", "<widget>求x的值</widget> \\foo")], config=self.auto)
        self.assertIn("unknown: \\foo (2)", counts.err)
        self.assertIn("unknown: <widget> (1)", counts.err)

    def test_checks_read_as_the_bank_does(self):
        self.import_pairs(SAME, config=self.auto)
        asked = self.write("asked.jsonl", json.dumps({"id": 99, "text": "<b>3.</b> 求方程 x² − 4 = 0 的所有实数解"}) + "\n")
        self.assertIn("99\tduplicate\t1", self.qdedup("check", asked).out)

    def test_explain_shows_what_was_read(self):
        self.import_pairs(SAME, config=self.auto)
        said = self.qdedup("explain", "1", "2", config=self.auto).out
        self.assertIn("求方程x^2-4=0的所有实数解", said)
        self.assertIn("read from: " + SAME[0][0], said)


if __name__ == "__main__":
    main()
