"""Sweeps of the whole bank: the list that the rules give for a real one, at once and part by part."""

import json
import random

from program import CONFORMANCE_DATA, EXAMPLES, ProgramTest, main, needs_conformance_data


@needs_conformance_data
class Conformance(ProgramTest):
    def listed_as_expected(self, *arguments, state="state"):
        return "".join("\t".join([row["delete_id"], row["keep_id"], row["distance"], row["length"]]) + "\n"
                       for row in self.listed(*arguments, state=state))

    def union_of_lists(self, state):
        """What stands on all lists together, as deletions stand now: {delete_id: keep_id}."""
        open_deletions = {}
        for iteration in self.qdedup("--json", "iterations", state=state).json():
            open_deletions.update(self.pairs("--iteration", iteration["id"], state=state))
        return open_deletions

    def sweep_in_parts(self, lines, state):
        size = len(lines) // 5 + 1
        for begin in range(0, len(lines), size):
            self.qdedup("import", "--format", "jsonl", "-", state=state, stdin=b"".join(lines[begin:begin + size]))
            self.qdedup("sweep", state=state)
            self.qdedup("verify", state=state)
        return self.union_of_lists(state)

    def test_the_list_comes_out_exactly(self):
        self.qdedup("import", CONFORMANCE_DATA / "bank.jsonl")
        counts = self.qdedup("--json", "sweep").json()
        self.assertEqual((counts["kind"], counts["ids"], counts["largest_cluster"]), ("sweep", 51605, 21538))
        self.assertEqual(self.listed_as_expected(), (CONFORMANCE_DATA / "expected/sweep.tsv").read_text())
        self.assertIn("no iteration was made", self.qdedup("sweep").out)
        self.qdedup("verify")

    def test_parts_by_id_give_the_same_deletions(self):
        lines = (CONFORMANCE_DATA / "bank.jsonl").read_bytes().splitlines(keepends=True)
        lines.sort(key=lambda line: json.loads(line)["id"])
        expected = {}
        for line in (CONFORMANCE_DATA / "expected/sweep.tsv").read_text().splitlines():
            question, keeper = line.split("\t")[:2]
            expected[int(question)] = int(keeper)
        self.assertEqual(self.sweep_in_parts(lines, "ordered"), expected)

    def test_parts_in_any_order_leave_only_duplicates_that_are_held(self):
        """A keeper stays (doc/rules.md, 5) where a question deleted in its favour is no duplicate of the new keeper."""
        lines = (CONFORMANCE_DATA / "bank.jsonl").read_bytes().splitlines(keepends=True)
        random.Random(5).shuffle(lines)
        deleted = self.sweep_in_parts(lines, "shuffled")
        self.assertFalse(set(deleted) & set(deleted.values()))
        rows = [line.split("\t")[:2] for line in (CONFORMANCE_DATA / "pairs.tsv").read_text().splitlines()[1:]]
        duplicates = {(int(small), int(large)) for small, large in rows}
        self.assertLessEqual({(keeper, question) for question, keeper in deleted.items()}, duplicates)
        left = [(small, large) for small, large in duplicates if small not in deleted and large not in deleted]
        for small, large in left:
            dependants = [question for question, keeper in deleted.items() if keeper == large]
            self.assertTrue(any((small, dependant) not in duplicates for dependant in dependants), (small, large))


class Sweep(ProgramTest):
    def test_an_empty_bank_is_refused(self):
        self.import_questions({1: "甲"})
        self.qdedup("import", "--remove", self.write("gone.txt", "1\n"))
        self.assertIn("the bank is empty", self.qdedup("sweep", expect=66).err)

    def test_a_setting_belongs_to_its_finders(self):
        self.import_questions({1: "小红买10本书", 2: "小红买10本书"})
        for arguments in (("exact", "--bands", 3), ("exact", "--gram", 2), ("simhash", "--shared", 50),
                          ("minhash", "--distance", 3), ("substring", "--rows", 2),
                          ("minhash", "--stop-share", 10), ("minhash", "--window", 2), ("simhash", "--common", 100),
                          ("substring", "--gram", 3), ("minhash", "--gram", "auto"), ("substring", "--pairs-found", 90)):
            self.assertIn(arguments[1], self.qdedup("sweep", "--finder", *arguments, expect=64).err)
        told = self.qdedup("sweep", "--finder", "minhash", "--bands", 20, "--shared", 10).out
        self.assertIn("questions found near each other", told)
        self.assertRegex(told, r"looked at [\d,]+ candidates?, [\d,]+\.\d for each question")

    def test_the_length_of_grams_is_chosen_by_known_pairs(self):
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        self.assertIn("only 0 known pairs", self.qdedup("sweep", "--finder", "substring", "--gram", "auto", expect=66).err)
        self.qdedup("run", EXAMPLES / "search.log")
        self.import_questions({10**9: "春夏秋冬又一年了", 10**9 + 1: "春夏秋冬又一年了"})
        told = self.qdedup("--json", "sweep", "--finder", "substring", "--gram", "auto", "--pairs-found", 90).json()["gram"]
        self.assertGreaterEqual(told["found"], 0.9 * told["pairs"])
        self.assertLess(told["found_longer"], 0.9 * told["pairs"])
        text = self.qdedup("sweep", "--finder", "substring", "--gram", "auto").out
        self.assertRegex(text, r"gram +\d+, the longest that finds 95 % of \d+ known pairs: it finds [\d.]+ %, and \d+ find [\d.]+ %\n")
        self.assertIn("--pairs-found", self.qdedup("sweep", "--finder", "substring", "--gram", "auto", "--pairs-found", 100,
                                                   "--shared", 100, expect=78).err)

    def test_evidence_of_logs_waits_for_an_iteration(self):
        self.import_questions({1: "小红买10本书", 2: "小明买10本书", 3: "今天"})
        self.qdedup("mine", self.write("a.log", "[[1,0.9],[2,0.8]]\n"))
        self.qdedup("sweep")
        self.assertEqual(self.pairs(), [(2, 1)])
        self.assertEqual(self.qdedup("--json", "iterate").json()["lines"], 1)


if __name__ == "__main__":
    main()
