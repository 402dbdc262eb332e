"""What is compared of questions that hold markup: qdedup text."""

import json

from program import EXAMPLES, ProgramTest, main

QUESTIONS = [
    {"id": 1, "text": "<p>如图，求x<sup>2</sup>=<span>4</span>的解</p><img src=\"a/cone.png\">"},
    {"id": 2, "text": "5．（5分）求$\\foo x$ (A)1 (B)2"},
]


class Text(ProgramTest):
    def questions(self):
        return self.write("new.jsonl", "".join(json.dumps(question) + "\n" for question in QUESTIONS))

    def rows(self, *options):
        return [json.loads(line) for line in self.qdedup("--json", "text", self.questions(), *options).out.splitlines()]

    def test_it_shows_what_is_compared(self):
        first, second = self.rows()
        self.assertEqual(first["original"], QUESTIONS[0]["text"])
        self.assertTrue(first["text"].startswith("如图，求x^2=4的解"))
        self.assertEqual(first["signs"][:5], ["x", "^", "2", "=", "4"])
        self.assertEqual(first["figures"], [{"kind": "file", "name": "cone", "in_place": False}])
        self.assertEqual(second["unknown"], {"\\foo": 1})

    def test_unknown_commands_are_counted_at_the_end(self):
        said = self.qdedup("text", self.questions())
        self.assertIn("如图，求x^2=4的解", said.out)
        self.assertIn("figure   file cone", said.out)
        self.assertIn("unknown: \\foo (1)", said.err)
        self.assertIn("2 questions: 2 with markup, 0 rejected", said.err)

    def test_plain_texts_stay_as_they_are(self):
        self.assertEqual([row["text"] for row in self.rows("--markup", "plain")], [q["text"] for q in QUESTIONS])
        self.assertEqual(self.rows("--markup", "plain", "--numbering", "drop")[1]["text"], "求$\\foo x$  A. 1  B. 2")

    def test_numbering_is_as_the_config_says(self):
        config = self.write("config.toml", '[text]\nnumbering = "drop"\n')
        rows = [self.qdedup("--config", config, "text", self.questions(), *more).out for more in ((), ("--numbering", "keep"))]
        self.assertIn("\n  text     求", rows[0])
        self.assertIn("\n  text     5．（5分）求", rows[1])

    def test_it_reads_what_import_reads(self):
        self.assertIn("0 rejected", self.qdedup("text", EXAMPLES / "questions.csv").err)
        bad = self.write("bad.jsonl", "{}\n")
        self.assertIn("1 rejected", self.qdedup("text", bad).err)
        self.qdedup("text", "--strict", bad, expect=65)
        self.qdedup("text", "--markup", "html", bad, expect=64)
        self.qdedup("text", self.folder / "missing.jsonl", expect=66)


if __name__ == "__main__":
    main()
