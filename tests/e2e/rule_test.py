"""What counts as alike is a setting: runs, sweeps, checks, lists, decisions and explanations by other rules."""

import csv
import io
import json
import random

from daemon import Daemon, UnixConnection
from program import ProgramTest, main

JACCARD = '[refine]\nsimilarity = "jaccard"\n'
TEXT = '[refine]\ncompare = "text"\nsigns = "any"\n'

WORDS = ("river mountain early people winter market small bridge water letter station morning garden evening silver "
         "paper window summer travel forest children teacher country village harbour music answer yellow").split()


def grams(text, size=2):
    return {text[at:at + size] for at in range(len(text) - size + 1)} or ({text} if text else set())


def jaccard(a, b):
    a, b = grams(a), grams(b)
    return 100 * len(a & b), len(a | b)


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, one in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            before, row[j] = row[j], min(before + (one != other), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def keepers(questions, are_alike):
    """All pairs from the smallest id up (doc/rules.md, 4)."""
    kept, deleted = [], []
    for question in sorted(questions):
        keeper = next((each for each in kept if are_alike(questions[each], questions[question])), None)
        if keeper is None:
            kept.append(question)
        else:
            deleted.append((question, keeper))
    return deleted


def chinese_questions(count):
    """Some of them copies with stretches moved or changed."""
    chance = random.Random(3)
    questions = {}
    for question in range(1, count + 1):
        if question % 3 == 1:
            text = "".join(chr(0x4E00 + chance.randrange(300)) for _ in range(chance.randrange(1, 40)))
        else:
            text = questions[chance.randrange(max(1, question - 9), question)]
            at = chance.randrange(len(text) + 1)
            if chance.random() < 0.5:
                text = text[at:] + text[:at]
            for _ in range(chance.randrange(3)):
                at = chance.randrange(len(text) + 1)
                text = text[:at] + chance.choice("甲乙") + text[at + 1:]
        questions[question] = text
    return questions


def english_articles(count):
    """Some of them copies with words exchanged."""
    chance = random.Random(4)
    articles = {}
    for article in range(1, count + 1):
        if article % 3 == 1:
            words = [chance.choice(WORDS) for _ in range(chance.randrange(5, 30))]
        else:
            words = articles[article - 1].rstrip(".").lower().split()
            for _ in range(chance.randrange(1 + len(words) // 2)):
                words[chance.randrange(len(words))] = chance.choice(WORDS)
        articles[article] = " ".join(words).capitalize() + "."
    return articles


class Rule(ProgramTest):
    def with_config(self, text):
        config = self.write("qdedup.toml", text)
        return lambda *arguments, **more: self.qdedup(*arguments, config=config, **more)

    def load(self, questions):
        self.import_questions(questions)
        self.questions = questions

    def expect_same_everywhere(self, qdedup, expected, logs):
        """A sweep, a run over logs that name all questions, and checks one by one come to the same."""
        qdedup("run", logs, state="run")
        self.assertEqual(self.pairs(state="run"), expected)
        qdedup("verify", state="run")
        qdedup("sweep")
        self.assertEqual(self.pairs(), expected)
        self.assertIn("no iteration was made", qdedup("sweep").out)
        qdedup("verify")

    def log_of_all(self):
        return self.write("all.log", json.dumps([[question, 0.9] for question in self.questions]) + "\n")


class Jaccard(Rule):
    def setUp(self):
        super().setUp()
        self.load(chinese_questions(150))
        self.expected = keepers(self.questions, lambda a, b: jaccard(a, b)[0] >= 80 * jaccard(a, b)[1])
        self.by_jaccard = self.with_config(JACCARD)

    def similarity(self, question, keeper):
        common, together = jaccard(self.questions[question], self.questions[keeper])
        return f"{(20_000 * common // 100 + together) // (2 * together) / 100:.2f}"

    def test_runs_and_sweeps_list_what_all_pairs_give(self):
        self.assertGreater(len(self.expected), 20)
        self.assertNotEqual(self.expected, keepers(self.questions, lambda a, b: 5 * distance(a, b) <= max(len(a), len(b))))
        self.import_questions(self.questions, state="run")
        self.expect_same_everywhere(self.by_jaccard, self.expected, self.log_of_all())

    def test_lists_have_the_similarity_alone(self):
        self.by_jaccard("sweep")
        for row in self.listed():
            similarity = self.similarity(int(row["delete_id"]), int(row["keep_id"]))
            self.assertEqual((row["similarity"], row["distance"], row["length"]), (similarity, "", ""))
        lines = self.qdedup("export", "--format", "jsonl").out.splitlines()
        self.assertEqual({(json.loads(line)["distance"], json.loads(line)["length"]) for line in lines}, {(None, None)})
        self.assertIn(f"\"similarity\":{self.listed()[0]['similarity']},", lines[0])
        classes = list(csv.DictReader(io.StringIO(self.qdedup("export", "--classes").bytes.decode("utf-8-sig"))))
        self.assertEqual({(row["distance"], row["length"]) for row in classes}, {("", "")})
        self.qdedup("export", "--output", self.folder / "list.xlsx")
        self.assertNotIn(", distance ", self.qdedup("export", "--output", "-", "--format", "html").out)
        question, keeper = self.expected[0]
        self.assertIn(self.similarity(question, keeper).rstrip("0").rstrip("."), self.qdedup("similar", question).out)

    def test_decisions_come_back_from_such_a_list(self):
        self.by_jaccard("sweep")
        rows = self.listed()
        for row in rows:
            row["decision"] = "approve"
        out = io.StringIO()
        writer = csv.DictWriter(out, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
        self.qdedup("review", "import", self.write("list.csv", out.getvalue()))
        self.assertEqual(self.pairs("--status", "approved"), self.expected)
        self.qdedup("verify")
        above = [row for row in rows if float(row["similarity"]) >= 95]
        self.qdedup("review", "reset", "--min-similarity", 95)
        self.assertEqual(len(self.pairs("--status", "pending")), len(above))
        self.assertTrue(0 < len(above) < len(rows))

    def test_other_settings_do_not_break_what_was_listed(self):
        """Each pair is verified by the rule of the iteration that compared it last."""
        self.by_jaccard("sweep")
        self.qdedup("verify")
        self.qdedup("sweep")  # by levenshtein, with what that finds beyond
        self.qdedup("verify")
        self.by_jaccard("sweep")
        self.by_jaccard("verify")
        settings = [json.loads(record["settings"]) if isinstance(record["settings"], str) else record["settings"]
                    for record in self.qdedup("--json", "iterations").json()]
        self.assertIn(("jaccard", "grams", 2), [(each["similarity"], each.get("features"), each.get("gram")) for each in settings])

    def test_explains_itself(self):
        question, keeper = self.expected[0]
        text = self.by_jaccard("explain", question, keeper).out
        self.assertIn(f"by jaccard of their runs of 2 characters they are {self.similarity(question, keeper)} % alike", text)
        told = self.by_jaccard("--json", "explain", question, keeper).json()
        self.assertEqual((told["duplicate"], told["distance"], told["length"]), (True, None, None))
        self.assertEqual(told["rule"], {"min_similarity": 80, "similarity": "jaccard", "signs": "equal", "compare": "han",
                                        "features": "grams", "gram": 2})

    def test_checks_find_the_smallest(self):
        asked = "".join(json.dumps({"id": 1000 + question, "text": text}) + "\n" for question, text in self.questions.items())
        found = [json.loads(line) for line in self.by_jaccard("--json", "check", "-", stdin=asked.encode()).out.splitlines()]
        for answer in found:
            text = self.questions[answer["id"] - 1000]
            expected = min(each for each, other in self.questions.items() if jaccard(other, text)[0] >= 80 * jaccard(other, text)[1])
            self.assertEqual((answer["duplicate_of"], answer["distance"], answer["length"]), (expected, None, None))

    def test_a_daemon_checks_by_reading_the_bank(self):
        daemon = Daemon(self, self.write("qdedup.toml", JACCARD + f'[state]\nfolder = "{self.folder}/state"\n'))
        question, keeper = self.expected[0]
        connection = UnixConnection(self.folder / "state/qdedupd.sock")
        connection.request("POST", "/v1/check", json.dumps({"text": self.questions[question]}), {"Content-Type": "application/json"})
        answer, = json.loads(connection.getresponse().read())["results"]
        self.assertEqual((answer["duplicate_of"], answer["distance"]), (keeper, None))
        self.assertIsNone(daemon.status()["check_index"])
        connection.close()
        daemon.stop()


class WholeTexts(Rule):
    def test_english_articles(self):
        self.load(english_articles(60))
        by_text = self.with_config(TEXT)
        expected = keepers(self.questions, lambda a, b: 5 * distance(a, b) <= max(len(a), len(b)))
        self.assertGreater(len(expected), 20)
        self.import_questions(self.questions, state="run")
        self.expect_same_everywhere(by_text, expected, self.log_of_all())
        for row in self.listed():
            a, b = (self.questions[int(row[key])] for key in ("delete_id", "keep_id"))
            self.assertEqual((int(row["distance"]), int(row["length"])), (distance(a, b), max(len(a), len(b))))
            if "".join(a.split()).strip(".") != "".join(b.split()).strip("."):
                self.assertEqual(row["confidence"], "doubtful")
        question, keeper = expected[0]
        self.assertIn("Whole texts: ", by_text("explain", question, keeper).out)
        answer = by_text("--json", "check", "-", stdin=json.dumps({"id": 999, "text": self.questions[question]}).encode()).json()
        self.assertEqual(answer["duplicate_of"], keeper)

    def test_signs_count_unless_they_need_not(self):
        self.import_questions({1: "The cat sat.", 2: "The cat sat!", 3: "The cat, sat", 4: "The dog sat."})
        self.with_config('[refine]\ncompare = "text"\n')("sweep")
        self.assertEqual(self.pairs(), [(3, 1)])
        self.with_config(TEXT)("sweep")
        self.assertEqual(self.pairs("--status", "pending", "--iteration", 2), [(2, 1)])

    def test_nothing_that_differs_in_signs_is_approved_by_itself(self):
        self.import_questions({1: "小明买了3本书，还剩几本书呢", 2: "小明买了4本书，还剩几本书呢", 3: "小明买了3本书，还剩几本书呢?"})
        self.with_config('[refine]\nsigns = "any"\n[review]\nauto_approve = "safe"\n[contrast]\nshort_text = 0\n')("sweep")
        rows = {row["delete_id"]: row for row in self.listed()}
        self.assertEqual((rows["2"]["status"], "signs-differ" in rows["2"]["reasons"]), ("pending", True))
        self.assertEqual(rows["3"]["status"], "approved")

    def test_words_are_counted_too(self):
        self.import_questions({1: "the cat sat on the mat today", 2: "today the cat on the mat sat", 3: "a dog ran"})
        self.with_config(TEXT + 'similarity = "jaccard"\nfeatures = "words"\nmin_similarity = 100\n')("sweep")
        self.assertEqual(self.pairs(), [(2, 1)])

    def test_other_finders_decide_by_the_rule(self):
        self.load(english_articles(60))
        by_text = self.with_config(TEXT + 'similarity = "jaccard"\n')
        expected = keepers(self.questions, lambda a, b: jaccard(a, b)[0] >= 80 * jaccard(a, b)[1])
        by_text("sweep", "--finder", "minhash", "--bands", 60, "--rows", 2, "--shared", 10)
        self.assertEqual(self.pairs(), expected)


class Settings(Rule):
    def test_what_does_not_fit_together_is_refused(self):
        for text, problem in (("gram = 3", "refine.gram needs refine.similarity"),
                              ('features = "words"', "refine.features needs refine.similarity"),
                              ('similarity = "cosine"\nfeatures = "words"\ngram = 3', 'refine.gram needs refine.features = "grams"'),
                              ('similarity = "jaccard"\ngram = 0', "from 1 to 64"), ('signs = "none"', '"any" or "equal"')):
            config = self.write("bad.toml", f"[refine]\n{text}\n")
            self.assertIn(problem, self.qdedup("config", "check", config, expect=78).err)
        config = self.write("odd.toml", '[refine]\nsigns = "any"\n')
        self.assertIn('set refine.compare = "text"', self.qdedup("config", "check", config).err)

    def test_explain_shows_whole_texts_on_a_line(self):
        self.import_questions({1: "the cat\nsat. 4 questions", 2: "the cat\nsat! 4 questions"}, state="lines")
        config = self.write("text.toml", '[refine]\ncompare = "text"\nsigns = "any"\n')
        said = self.qdedup("explain", 1, 2, config=config, state="lines").out
        self.assertIn("    the cat\\nsat[.] 4 questions\n    the cat\\nsat[!] 4 questions\n", said)

    def test_words_are_refused_where_there_is_no_dictionary(self):
        words = self.with_config('[refine]\nsimilarity = "cosine"\nfeatures = "words"\n')
        (self.folder / "plan").mkdir()
        self.assertIn("refine.features", words("spark", "plan", "plan", state="lake", expect=78).err)


if __name__ == "__main__":
    main()
