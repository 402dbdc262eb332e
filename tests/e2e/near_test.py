"""Questions that are near each other by one measure alone."""

import json
import random
import subprocess

from program import QDEDUP, ProgramTest, gzipped, main


class NearTest(ProgramTest):
    def near(self, *arguments):
        out = self.qdedup("near", "--format", "jsonl", *arguments).out
        return [json.loads(line) for line in out.splitlines()]

    def pairs_of(self, *arguments, value="similarity"):
        return {(row["id"], row["near_id"]): row[value] for row in self.near(*arguments)}


class Near(NearTest):
    def test_word_lists_and_hashes_through_pipes(self):
        self.qdedup("import", "-", stdin='{"id":1,"text":"今天空气好"}\n{"id":2,"text":"今天空气坏"}\n'.encode())
        hashes = self.qdedup("simhash").bytes
        stopped = self.write("stop.txt", "好\n坏\n")
        for command in (["near", "--gram", "1", "--format", "tsv"], ["simhash", "--gram", "1"],
                        ["explain", "1", "2", "--measures", "--gram", "1"]):
            for option in ("--stop-words", "/dev/stdin"), ("--stop-words", "-"):
                self.assertEqual(self.qdedup(*command, *option, stdin=stopped.read_bytes()).bytes,
                                 self.qdedup(*command, "--stop-words", stopped).bytes)
        file = self.write("hashes.tsv", hashes)
        expected = self.qdedup("hamming", file, file).bytes
        self.assertEqual(self.qdedup("hamming", "/dev/stdin", file, stdin=hashes).bytes, expected)
        self.assertEqual(self.qdedup("hamming", file, "/dev/fd/0", stdin=hashes).bytes, expected)

    def test_pairs_classes_and_columns(self):
        self.import_questions({1: "甲乙丙丁", 2: "甲乙丙丁戊", 5: "子丑寅卯", 7: "甲乙丙丁戊己", 9: "=甲乙丙丁"})
        rows = self.near("--gram", "1")
        self.assertEqual(list(rows[0]), ["id", "near_id", "similarity", "distance", "text", "near_text"])
        self.assertEqual([(row["id"], row["near_id"], row["similarity"], row["distance"]) for row in rows],
                         [(1, 2, 80.00, None), (1, 9, 100.00, None), (2, 7, 83.33, None)])
        classes = self.near("--gram", "1", "--classes")
        self.assertEqual([(row["representative"], row["members"], row["id"]) for row in classes],
                         [(1, 4, 1), (1, 4, 2), (1, 4, 7), (1, 4, 9)])
        csv = self.qdedup("near", "--gram", "1").bytes.decode("utf-8-sig").splitlines()
        self.assertEqual(csv[2], "1,9,100.00,,甲乙丙丁,\"'=甲乙丙丁\"")
        self.assertEqual(csv, self.qdedup("--json", "near", "--gram", "1", "--format", "csv").bytes.decode("utf-8-sig").splitlines())
        for arguments in [(), ("--classes",)]:
            lines = self.qdedup("near", "--gram", "1", "--json", *arguments).out.splitlines()
            self.assertEqual([json.loads(line) for line in lines], self.near("--gram", "1", *arguments))
        self.qdedup("near", "--gram", "1", "--json", "-o", "near.csv")
        self.assertEqual((self.folder / "near.csv").read_text("utf-8-sig").splitlines(), csv)
        self.assertEqual(self.pairs_of("--measure", "hamming", "--distance", "0", value="distance"), {(1, 9): 0})
        self.assertEqual(self.qdedup("--json", "iterations").json(), [])
        self.qdedup("verify")

    def test_what_is_compared(self):
        self.import_questions({1: "我们学习数学1", 2: "学习数学我们", 3: "数学作业很多。今天的天气真的很好啊。",
                               4: "今天的天气真的很好啊。明天呢？"})
        same = ("--min-similarity", "100")
        self.assertEqual(self.pairs_of("--features", "words", *same), {(1, 2): 100.0})
        self.assertEqual(self.near("--features", "grams", "--gram", "3"), self.near("--gram", "3"))
        self.assertEqual(self.pairs_of("--features", "words", "--compare", "text", *same), {})
        self.assertEqual(self.pairs_of(*same), {})
        self.assertEqual(self.pairs_of("--sentences", "1", *same), {(3, 4): 100.0})
        stop = self.write("stop.txt", "我们\n\n作业\n")
        self.assertEqual(self.pairs_of("--features", "words", "--stop-words", stop, *same), {(1, 2): 100.0})
        self.assertIn("stop.txt: line 2: is too long",
                      self.qdedup("near", "--features", "words", "--stop-words", self.write("stop.txt", "甲\n" + "乙" * 6_000_000), expect=65).err)
        weights = self.write("weights.txt", "数学\t5\n天气 4\n")
        heaviest = self.pairs_of("--features", "words", "--weights", weights, "--keywords", "1", *same)
        self.assertEqual(heaviest, {(1, 2): 100.0, (1, 3): 100.0, (2, 3): 100.0})

    def test_equal_texts(self):
        """Wide and narrow digits are one in the normal form; the Han parts of all are equal."""
        self.import_questions({1: "小明有5元", 2: "小明有５元", 3: "小明有6元", 4: "甲"})
        self.assertEqual(self.pairs_of("--measure", "equal", "--compare", "text"), {(1, 2): 100.0})
        self.assertEqual(self.pairs_of("--measure", "equal"), {(1, 2): 100.0, (1, 3): 100.0})
        new = self.write("new.jsonl", '{"id":9,"text":"甲"}\n{"id":10}\n')
        report = self.folder / "equal.jsonl"
        told = self.qdedup("import", "--strict", "--report-duplicates", report, new, expect=65)
        self.assertIn("2 questions of the bank with the text of another: listed in", told.err)
        rows = [json.loads(line) for line in report.read_text().splitlines()]
        self.assertEqual([(row["id"], row["near_id"], row["near_text"]) for row in rows],
                         [(1, 2, "小明有５元"), (4, 9, "甲")])

    def test_mistakes_say_what_to_do(self):
        self.import_questions({1: "甲"})
        for arguments, reason in [
            (["--measure", "hamming", "--min-similarity", "80"], "does not apply to the measure hamming"),
            (["--distance", "3"], "does not apply to the measure jaccard"),
            (["--measure", "equal", "--keywords", "3"], "does not apply to the measure equal"),
            (["--features", "words", "--gram", "3"], "--gram: does not apply to --features words"),
            (["--weights", "weights.txt"], "only chooses the --keywords of the measure jaccard"),
            (["-o", "near.html"], "cannot be written as html"),
            (["-o", "near.xlsx"], "cannot be written as xlsx"),
        ]:
            self.assertIn(reason, self.qdedup("near", *arguments, expect=64).err)
        weights = self.write("weights.txt", "数学\t5\n天气\t6\n")
        self.assertIn("weights.txt: line 2: expected a word, a tab and its weight from 1 to 5",
                      self.qdedup("near", "--weights", weights, "--keywords", 3, expect=65).err)
        self.assertIn("needs a file of its own", self.qdedup("import", weights, "--report-duplicates", weights, expect=64).err)
        self.assertIn("needs a file of its own",
                      self.qdedup("import", "--remove", weights, "--report-duplicates", weights, expect=64).err)
        self.assertIn("天气", weights.read_text())
        self.assertIn("cannot be written as xlsx", self.qdedup("import", "--report-duplicates", "d.xlsx", weights, expect=64).err)
        self.assertIn("none.txt", self.qdedup("near", "--stop-words", "none.txt", expect=66).err)

    def test_hashes_and_distances_agree(self):
        self.import_questions({1: "甲乙丙丁戊己庚辛", 2: "甲乙丙丁戊己庚壬", 3: "子丑寅卯辰巳午未", 4: "，"})
        rows = [line.split("\t") for line in self.qdedup("simhash").out.splitlines()]
        hashes = {int(question): hash_ for question, hash_ in rows}
        self.assertEqual(hashes[4], "")
        distance = bin(int(hashes[1], 16) ^ int(hashes[2], 16)).count("1")
        told = self.qdedup("--json", "explain", "1", "2", "--measures").json()["measures"]
        self.assertEqual(told, {"jaccard": 75.0, "cosine": 85.71, "hamming": distance})
        self.assertIn(f"Jaccard 75.00 %, cosine 85.71 %; {distance} bits of their simhashes differ",
                      self.qdedup("explain", "1", "2", "--measures").out)
        self.assertIsNone(self.qdedup("--json", "explain", "1", "4", "--measures").json()["measures"]["hamming"])
        self.assertIsNone(self.qdedup("--json", "explain", "1", "2").json()["measures"])
        new = self.write("new.jsonl.gz", gzipped('{"id":8,"text":"甲乙丙丁戊己庚辛"}\n{"id":9}\n'.encode()))
        told = self.qdedup("--json", "simhash", "--strict", new, expect=65)
        self.assertEqual(told.json(), {"id": 8, "simhash": hashes[1]})


class Hamming(ProgramTest):
    """Hashes that differ in few bits from those asked, among many."""

    def hashes(self, name, hashes):
        return self.write(name, "".join(f"{number}\t{hash_:016x}\n" for number, hash_ in hashes.items()))

    def test_finds_what_a_comparison_of_all_finds(self):
        chance = random.Random(5)
        there = {i: chance.getrandbits(64) for i in range(1, 2000)}
        there[2**63 - 1] = there[1]
        asked = {i: there[i] ^ sum(1 << bit for bit in chance.sample(range(64), i % 8)) for i in range(1, 500)}
        files = self.hashes("there.tsv", there), self.hashes("asked.tsv", asked)
        for distance in (0, 3, 6, 15):
            told = self.qdedup("hamming", *files, "--distance", distance).out
            expected = ""
            for number, hash_ in asked.items():
                distances = sorted((bin(hash_ ^ other).count("1"), near) for near, other in there.items())
                expected += "\t".join([str(number), *(f"{near}:{far}" for far, near in distances if far <= distance)]) + "\n"
            self.assertEqual(told, expected)

    def test_answers_each_request_at_once(self):
        there = self.write("there.tsv.gz", gzipped(b"7\t00000000000000ff\r\n\n8\t\n9\t00000000000000FE\n"))
        with subprocess.Popen([QDEDUP, "hamming", there, "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as tool:
            self.assertEqual(tool.stderr.readline(), "2 hashes to look among\n")
            for asked, near in [("00000000000000fe", [{"id": 9, "distance": 0}, {"id": 7, "distance": 1}]),
                                ("ffff000000000000", []), ("", [])]:
                tool.stdin.write(f"5\t{asked}\n")
                tool.stdin.flush()
                self.assertEqual(json.loads(tool.stdout.readline()), {"id": 5, "near": near})
            tool.stdin.close()
            self.assertEqual(tool.wait(), 0)

    def test_bad_lines_are_reported_and_the_others_used(self):
        there = self.write("there.tsv", "7\t00000000000000ff\n8\tff\n0\t00000000000000ff\n9 00000000000000ff\n")
        told = self.qdedup("hamming", there, self.write("asked.tsv", b"1\t00000000000000ff\n\xff\n"))
        self.assertEqual(told.out, "1\t7:0\n")
        for line in ("there.tsv:2: expected an id, a tab and a hash of 16 hexadecimal digits", "there.tsv:3",
                     "there.tsv:4", "asked.tsv:2"):
            self.assertIn(line, told.err)
        self.qdedup("hamming", "--strict", there, there, expect=65)
        self.assertIn("ASKED", self.qdedup("hamming", "-", expect=64).err)
        self.assertIn("none.tsv", self.qdedup("hamming", "none.tsv", expect=66).err)


if __name__ == "__main__":
    main()
