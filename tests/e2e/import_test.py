"""qdedup import: every format, every bad row, and a kill half-way."""

import gzip
import io
import json
import signal
import sqlite3
import subprocess
import zipfile
from program import EXAMPLES, QDEDUP, ProgramTest, gzipped, zstandard, main


class Import(ProgramTest):
    def count(self, state="state"):
        return self.qdedup("--json", "status", state=state).json()["questions"]

    def text(self, question):
        with sqlite3.connect(f"file:{self.folder}/state/bank.db?mode=ro", uri=True) as bank:
            return bank.execute("SELECT text, answer FROM question WHERE id = ?", (question,)).fetchone()

    def test_every_format_and_compression(self):
        jsonl = '{"id":1,"text":"小红买10本书","answer":"十"}\n{"id":2,"text":"x"}\n'.encode()
        csv = '\ufeffanswer,text,id\r\n十,"小红买10本书",1\r\n,"x",2\r\n'.encode()
        tsv = "id\ttext\tanswer\n1\t小红买10本书\t十\n2\tx\t\n".encode()
        for ending, content in (("jsonl", jsonl), ("csv", csv), ("tsv", tsv)):
            for packing, pack in (("", bytes), (".gz", gzipped), (".zst", zstandard)):
                with self.subTest(ending + packing):
                    path = self.write(f"bank.{ending}{packing}", pack(content))
                    counts = self.qdedup("--json", "import", path).json()
                    self.assertEqual((counts["rows"], sum(counts["rejected"].values())), (2, 0))
                    self.assertEqual(self.text(1), ("小红买10本书", "十"))
                    self.assertEqual(self.text(2), ("x", None))

    def test_standard_input_of_any_format(self):
        for content in (b'{"id":1,"text":"a"}\n', b"id,text\n1,a\n", b"id\ttext\n1\ta\n", gzipped(b'{"id":1,"text":"a"}')):
            self.assertEqual(self.qdedup("--json", "import", "-", stdin=content).json()["rows"], 1)

    def test_pipes_by_any_name(self):
        self.qdedup("import", "/dev/stdin", stdin=b'{"id":1,"text":"a"}\n')
        self.qdedup("import", "/proc/self/fd/0", stdin=b'{"id":2,"text":"a"}\n')
        self.qdedup("import", "--remove", "/dev/fd/0", stdin=b"1\n2\n")
        self.assertEqual(self.count(), 0)
        self.import_questions({1: "小红买10本书"})
        for words in (("check",), ("text",), ("simhash",)):
            self.assertIn("2", self.qdedup(*words, "/dev/stdin", stdin=b'{"id":2,"text":"a"}\n').out)

    def test_another_pipe_of_the_same_name_completes_no_import(self):
        members = [gzipped("".join(json.dumps({"id": i, "text": f"第{i}题"}) + "\n" for i in ids).encode())
                   for ids in (range(1, 11), range(11, 21))]
        self.qdedup("import", "/dev/stdin", stdin=members[0] + members[1][:-4], expect=65)
        self.assertEqual(self.count(), 10)
        self.qdedup("import", "/dev/stdin", stdin=b'{"id":30,"text":"a"}\n')
        self.assertIn("was interrupted", self.qdedup("sweep", expect=65).err)
        self.qdedup("import", "/dev/stdin", stdin=b"".join(members))
        self.qdedup("sweep")

    def test_standard_input_is_read_once(self):
        for words in (["-", "-"], ["-", "--remove", "-"]):
            self.assertIn("standard input is named twice", self.qdedup("import", *words, stdin=b'{"id":1,"text":"a"}\n', expect=64).err)

    def test_an_interruption_says_what_stays(self):
        with subprocess.Popen([QDEDUP, "--state", self.folder / "state", "import", "-"], stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE) as running:
            running.stdin.write(b'{"id":1,"text":"a"}\n' * 100_000)  # more than a pipe holds: so it is being read
            running.send_signal(signal.SIGINT)
            self.assertIn(b"qdedup: interrupted: the rows stored so far stay; import the same files again", running.communicate()[1])
        self.assertEqual(running.returncode, -signal.SIGINT)

    def test_who_has_interruptions_ignored_is_not_interrupted(self):
        with subprocess.Popen([QDEDUP, "--state", self.folder / "state", "import", "-"], stdin=subprocess.PIPE,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as running:
            running.stdin.write(b'{"id":1,"text":"a"}\n' * 100_000)
            running.send_signal(signal.SIGINT)
            running.stdin.close()
            self.assertEqual(running.wait(), 0)

    def test_a_pointer_names_no_column(self):
        rows = self.write("bank.jsonl", '{"data":{"id":1,"text":"a"}}\n' * 2)
        said = self.qdedup("import", "--id-column", "/data/id", "--text-column", "/data/text", rows, expect=65).err
        self.assertIn("columns are keys of the row itself, not JSON pointers", said)
        self.assertNotIn("pointers", self.qdedup("import", rows, expect=65).err)

    def test_bad_rows_are_told_by_line_and_lose_nothing_else(self):
        path = self.write("bank.jsonl", b"\n".join([
            b'{"id":1,"text":"a"}', b'{"id":"x2","text":"a"}', b'{"id":9223372036854775808,"text":"a"}',
            b'{"text":"a"}', b'{"id":5}', b'{"id":6,"text":"\xff"}', b"[]", b"nonsense", b'{"id":1,"text":"again"}',
            b'{"id":0,"text":"a"}', b'{"id":11,"text":"b"}',
        ]) + b"\n")
        outcome = self.qdedup("--json", "import", path)
        counts = outcome.json()
        self.assertEqual(counts["inserted"], 2)
        self.assertEqual(counts["rows"], counts["inserted"] + sum(counts["rejected"].values()))
        for line in (2, 3, 4, 5, 6, 7, 8, 9, 10):
            self.assertIn(f"bank.jsonl:{line}: ", outcome.err)
        self.assertEqual(self.text(1), ("a", None))
        self.assertEqual(self.text(11), ("b", None))

    def test_strict(self):
        path = self.write("bank.jsonl", b'nonsense\n{"id":1,"text":"a"}\n')
        self.qdedup("import", path)
        error = json.loads(self.qdedup("--json", "import", "--strict", path, expect=65).err)["error"]
        self.assertEqual((error["code"], error["message"][:len(f"{path}:1: ")]), (65, f"{path}:1: "))

    def test_a_file_without_a_single_question(self):
        outcome = self.qdedup("--json", "import", self.write("bank.jsonl", b"nonsense\n" * 2), self.write("b.jsonl", b'{"id":1,"text":"a"}'),
                              expect=65)
        self.assertEqual(outcome.json()["inserted"], 1)
        error = json.loads(outcome.err.splitlines()[-1])["error"]
        self.assertEqual(error["code"], 65)
        self.assertIn("bank.jsonl: no row could be used", error["message"])
        self.qdedup("import", self.write("empty.jsonl", b""), self.write("one.jsonl", b"nonsense\n"))

    def test_a_mistake_makes_no_state(self):
        self.write("bank.parquet", b"PAR1" + bytes(100) + b"PAR1")
        self.assertIn("bank.parquet: is a Parquet file: read it with the Python package",
                      self.qdedup("import", "bank.parquet", expect=65).err)
        self.qdedup("import", "absent.jsonl", "bank.parquet", expect=65)
        self.assertFalse((self.folder / "state").exists())

    def test_replace_and_remove(self):
        self.import_questions({1: "a", 2: "b", 3: "c"})
        counts = self.qdedup("--json", "import", self.write("new.csv", "id,text\n1,a2\n4,d\n")).json()
        self.assertEqual((counts["inserted"], counts["replaced"]), (1, 1))
        counts = self.qdedup("--json", "import", "--remove", self.write("ids.txt", "2\n3\n9\n")).json()
        self.assertEqual((counts["removed"], counts["absent"]), (2, 1))
        self.assertEqual(self.count(), 2)
        self.assertEqual(self.text(1), ("a2", None))

    def test_gb18030(self):
        text = "小红买10本书𠮷"
        for name, content in (("bank.csv", f"text,id\n{text},1\n"), ("bank.jsonl", json.dumps({"id": 1, "text": text}, ensure_ascii=False))):
            path = self.write(name, content.encode("gb18030"))
            refused = self.qdedup("import", path, expect=65)
            self.assertRegex(refused.err, rf"{name}: seems to be GB18030 \(GBK\), not UTF-8: .*--encoding gb18030")
            self.assertNotIn(f"{name}:", refused.err.split("seems", maxsplit=1)[1])
            for encoding in ("gb18030", "GBK"):
                self.assertEqual(self.qdedup("--json", "import", "--encoding", encoding, path).json()["rejected"], {})
                self.assertEqual(self.text(1), (text, None))
        path = self.write("broken.csv", b"id,text\n1,\xff\n2,\xb0\xa1\n")
        outcome = self.qdedup("--json", "import", "--encoding", "gb18030", path)
        self.assertIn("broken.csv:2: bytes that are no character of the file's encoding", outcome.err)
        self.assertEqual(self.text(2), ("啊", None))

    def test_utf_16(self):
        content = "id,text\r\n1,小红\r\n".encode("utf-16")
        path = self.write("bank.csv", content)
        self.assertIn("--encoding utf-16", self.qdedup("import", path, expect=65).err)
        self.qdedup("import", "--encoding", "utf-16", "-", stdin=gzipped(content))
        self.assertEqual(self.text(1), ("小红", None))
        self.qdedup("import", "--encoding", "latin-9", path, expect=64)

    def test_columns(self):
        columns = ["--id-column", "qid", "--text-column", "stem,options", "--answer-column", "key"]
        questions = [{"qid": "1", "stem": "选一个", "options": {"A": "甲", "B": "乙"}, "key": "A"},
                     {"qid": 2, "stem": "再选", "options": ["甲", "B．乙"], "id": 9, "text": "no", "answer": "no"}]
        for name, content in (("bank.json", json.dumps(questions, indent=1)), ("bank.jsonl", "\n".join(map(json.dumps, questions)))):
            self.qdedup("import", *columns, self.write(name, content))
        counts = self.qdedup("--json", "import", *columns, "bank.json").json()
        self.assertEqual((counts["rows"], counts["unchanged"]), (2, 2))
        self.assertEqual(self.text(1), ("选一个\nA. 甲\nB. 乙", "A"))
        self.assertEqual(self.text(2), ("再选\nA. 甲\nB．乙", None))
        self.write("bank.csv", "key,B,A,stem,qid\nB,乙,甲,选,3\n")
        several = ["--text-column", "stem", "--text-column", "A", "--text-column", "B"]
        self.qdedup("import", *columns[:2], *several, *columns[4:], "bank.csv")
        self.assertEqual(self.text(3), ("选\nA. 甲\nB. 乙", "B"))
        self.assertEqual(self.qdedup("--json", "import", "--id-column", "qid", "--remove", "bank.csv").json()["removed"], 1)
        self.assertIn("no column stem", self.qdedup("import", *columns, self.write("x.csv", "qid,key\n"), expect=65).err)
        self.qdedup("import", "--text-column", "", "bank.csv", expect=64)

    def test_an_array_names_the_lines_of_its_rows(self):
        outcome = self.qdedup("import", self.write("bank.json", '[\n{"id": 1, "text": "a"},\n\n{"id": 0},\n{"id": 2, "text": "b"}\n]\n'))
        self.assertIn("bank.json:4: id is not", outcome.err)
        self.assertEqual(self.count(), 2)
        outcome = self.qdedup("import", self.write("cut.json", '[{"id": 3, "text": "c"},{"id": 4'), expect=65)
        self.assertIn("cut.json: the JSON array has no end", outcome.err)
        self.assertEqual(self.count(), 3)

    def test_what_is_no_text_is_named(self):
        book = io.BytesIO()
        with zipfile.ZipFile(book, "w") as parts:
            parts.writestr("[Content_Types].xml", "<Types/>")
            parts.writestr("xl/workbook.xml", "<workbook/>")
        self.write("bank.csv", book.getvalue())
        self.assertIn("bank.csv: is an XLSX workbook: save it as CSV UTF-8", self.qdedup("import", "bank.csv", expect=65).err)
        self.import_questions({1: "a"})
        outcome = self.qdedup("import", self.folder / "state/bank.db", state="other", expect=65)
        self.assertIn("bank.db: is an SQLite database", outcome.err)

    def test_text_and_check_read_the_same(self):
        options = ["--encoding", "gbk", "--id-column", "n", "--text-column", "stem"]
        path = self.write("bank.json", '[{"n":"7","stem":"看图[图]计算","images":["0a1b"]}]'.encode("gbk"))
        found = self.qdedup("--json", "text", *options, path).json()
        self.assertEqual((found["id"], found["figures"][0]["name"]), (7, "0a1b"))
        self.import_questions({1: "小红买10本书"})
        self.assertIn("7\tnew", self.qdedup("check", *options, path).out)

    def test_a_text_that_is_too_long_is_kept_and_not_compared(self):
        too_long, longest = "甲" * 21_846, "乙" * 21_845 + "a"
        told = self.import_questions({1: too_long, 2: too_long, 3: longest, 4: longest}).out
        self.assertIn("2 questions kept, and not compared: text or answer of more than 65,536 bytes", told)
        self.qdedup("sweep")
        self.assertEqual(self.pairs(), [(4, 3)])
        self.qdedup("run", self.write("a.log", "[[1,0.9],[2,0.8]]\n"))
        self.assertEqual(self.pairs("--iteration", "2"), [])
        self.assertEqual(self.qdedup("--json", "explain", 1, 2).json()["keep"]["original"], too_long)
        self.assertIn("Not compared", self.qdedup("explain", 1, 2).out)
        rows = json.dumps({"id": 1, "text": too_long}) + "\n" + json.dumps({"id": 2, "text": "乙"}) + "\n"
        counts = self.qdedup("--json", "import", self.write("again.jsonl", rows)).json()
        self.assertEqual((counts["unchanged"], counts["replaced"], counts["too_long"]), (1, 1, 1))

    def test_the_length_counts_without_markup(self):
        config = self.write("qdedup.toml", '[text]\nmarkup = "auto"\n')
        row = json.dumps({"id": 1, "text": "甲" + "<b></b>" * 10_000}) + "\n"
        counts = self.qdedup("--json", "import", self.write("bank.jsonl", row), config=config).json()
        self.assertEqual(counts["too_long"], 0)
        self.assertEqual(self.text(1), ("甲", None))

    def test_the_sample(self):
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        before = self.count()
        counts = self.qdedup("--json", "import", EXAMPLES / "questions.csv").json()
        self.assertEqual(counts["rejected"], {})
        self.assertGreater(self.count(), before)

    def test_a_missing_file(self):
        outcome = self.qdedup("import", self.folder / "none.jsonl", expect=66)
        self.assertIn("none.jsonl: No such file", outcome.err)

    def test_a_header_without_text(self):
        self.qdedup("import", self.write("bank.csv", "id,title\n1,a\n"), expect=65)

    def test_no_file(self):
        self.qdedup("import", expect=64)

    def test_killed_half_way_a_rerun_completes_it(self):
        rows = [json.dumps({"id": i, "text": f"question {i}"}).encode() + b"\n" for i in range(1, 25_001)]
        command = [QDEDUP, "--state", str(self.folder / "state"), "import", "-"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        process.stdin.write(b"".join(rows))
        process.stdin.flush()  # the pipe stays open: the import waits for more
        while not self.committed(20_000):
            self.assertIsNone(process.poll())
        process.kill()
        process.wait()
        process.stdin.close()
        self.assertEqual(self.count(), 20_000)
        self.assertIn("was interrupted", self.qdedup("iterate", expect=65).err)
        new = self.write("new.jsonl", '{"id":99999,"text":"新"}\n')
        self.assertIn("the import of standard input was interrupted", self.qdedup("check", "--add", new, expect=65).err)
        self.assertIn("Until it was run again to its end", self.qdedup("expire", "--days", 1, expect=65).err)
        run = ["run", self.write("a.log", "[[1,0.9],[2,0.9]]\n")]
        self.assertIn("1 line", self.qdedup(*run, expect=65).out)
        self.assertEqual(list(self.qdedup("--json", *run, expect=65).json()), ["mine"])
        self.assertRegex(self.qdedup("status").out, "\n  the import of .* is not complete: no iteration")
        self.assertTrue(self.qdedup("status", "--json").json()["incomplete_import"])
        counts = self.qdedup("--json", "import", "-", stdin=b"".join(rows)).json()
        self.assertEqual((counts["inserted"], counts["unchanged"]), (5_000, 20_000))
        self.assertEqual(self.count(), 25_000)

    def test_what_came_of_half_a_file_decides_nothing(self):
        many = "".join(json.dumps({"id": i, "text": f"甲乙丙丁{chr(0x4e00 + i // 2)}"}) + "\n" for i in range(2, 2002))
        self.qdedup("import", self.write("bank.jsonl", many))
        self.qdedup("mine", self.write("a.log", "[[2,0.9],[3,0.9]]\n"))
        self.qdedup("iterate")
        self.qdedup("review", "approve", 3, 2)
        (self.folder / "state/bank.db").unlink()
        rest = [gzipped("".join(many.splitlines(True)[begin:end]).encode()) for begin, end in ((10, 1500), (1500, None))]
        self.write("bank.jsonl.gz", rest[0] + rest[1][:-5])
        self.qdedup("import", "bank.jsonl.gz", expect=65)
        self.qdedup("import", self.write("few.jsonl", '{"id":9001,"text":"一"}\n'))
        self.qdedup("import", "-", "--format", "jsonl", stdin='{"id":9002,"text":"二"}\n'.encode())
        self.qdedup("import", "--remove", self.write("gone.txt", "9001\n"))
        for command in (["iterate"], ["sweep"], ["export", "--status", "approved"]):
            self.assertIn("the import of bank.jsonl.gz was interrupted", self.qdedup(*command, expect=65).err)
        self.assertEqual([row["status"] for row in self.listed()], ["approved"])
        self.qdedup("import", "bank.jsonl")
        self.assertEqual([row["status"] for row in self.listed("--status", "approved")], ["approved"])
        self.assertIn("nothing new", self.qdedup("iterate").out)

    def test_another_part_of_the_bank_completes_none(self):
        parts = ["".join(json.dumps({"id": i, "text": f"甲乙丙丁{chr(0x4e00 + i // 2)}"}) + "\n" for i in range(first, first + 100))
                 for first in (2, 102)]
        self.qdedup("import", self.write("bank.jsonl", "".join(parts)))
        self.qdedup("mine", self.write("a.log", "[[2,0.9],[3,0.9]]\n"))
        self.qdedup("iterate")
        self.qdedup("review", "approve", 3, 2)
        (self.folder / "state/bank.db").unlink()
        self.write("part-1.jsonl.gz", gzipped(parts[0].encode())[:-5])
        self.qdedup("import", "--remove", self.write("gone.txt", "9001\n"), expect=65)
        outcome = self.qdedup("import", "part-1.jsonl.gz", self.write("part-2.jsonl", parts[1]), expect=65)
        self.assertIn("bank.db: is missing, though qdedup.db remembers its questions; it is made anew", outcome.err)
        self.qdedup("import", "part-2.jsonl")
        self.assertIn("bank.db: was lost and is made anew", self.qdedup("sweep", expect=65).err)
        self.write("part-1.jsonl.gz", gzipped(parts[0].encode()))
        self.assertNotIn("missing", self.qdedup("import", "part-1.jsonl.gz").err)
        self.assertEqual([row["status"] for row in self.listed("--status", "approved")], ["approved"])

    def test_an_import_that_fails_in_part_lets_go_of_nothing_that_arrived(self):
        rows = [f'{{"id":{i},"text":"{text}"}}\n' for i, text in ((1, "一二三四五六"), (2, "甲乙丙丁戊己"))]
        self.qdedup("import", self.write("bank.jsonl", "".join(rows)))
        self.qdedup("check", "--add", self.write("new.jsonl", '{"id":12,"text":"甲乙丙丁戊己"}\n'))
        (self.folder / "state/bank.db").unlink()
        self.qdedup("import", self.write("part-1.jsonl", rows[0]), "mistyped.jsonl", expect=66)
        self.assertIn("bank.db: was lost and is made anew", self.qdedup("sweep", expect=65).err)
        self.qdedup("import", self.write("part-2.jsonl", rows[1]))
        self.qdedup("sweep")
        self.assertIn("12", self.qdedup("similar", 2).out)

    def lose_bank_with_pending_pairs(self):
        """Of 40 questions, half of which a.jsonl has; returns all as a file."""
        rows = [json.dumps({"id": i, "text": chr(0x4e00 + i // 2) * 5}) + "\n" for i in range(2, 42)]
        self.write("a.jsonl", "".join(rows[:20]))
        self.qdedup("import", self.write("all.jsonl", "".join(rows)))
        self.qdedup("sweep")
        for path in (self.folder / "state").glob("bank.db*"):
            path.unlink()
        return "".join(rows)

    def test_a_lost_bank_is_made_once_it_has_what_is_listed(self):
        rows = self.lose_bank_with_pending_pairs()
        self.qdedup("import", self.write("junk.jsonl", "junk\n"))
        self.qdedup("import", self.write("new.jsonl", '{"id":90,"text":"新"}\n'))
        self.qdedup("import", self.write("all questions", ""))
        self.qdedup("import", "--remove", self.write("gone.txt", "91\n"))
        self.assertIn("lacks 10 of 20 questions", self.qdedup("import", "a.jsonl").err)
        status = self.qdedup("status", "--json").json()
        self.assertEqual(status["incomplete_import"], "all questions")
        self.assertIn("it was lost and is made anew", self.qdedup("status").out)
        for command in (["sweep"], ["iterate"], ["export", "--status", "approved"], ["expire", "--days", "1"]):
            self.assertIn("bank.db: was lost and is made anew", self.qdedup(*command, expect=65).err)
        self.assertNotIn("lacks", self.qdedup("import", "-", stdin=rows.encode()).err)
        self.qdedup("sweep")
        self.assertEqual({row["status"] for row in self.listed()}, {"pending"})

    def test_what_is_gone_for_good_is_not_waited_for(self):
        rows = self.lose_bank_with_pending_pairs().splitlines(True)
        self.qdedup("import", "a.jsonl")
        self.assertIn("lacks 9 of 20", self.qdedup("import", self.write("b.jsonl", rows[20])).err)
        for part in ("a.jsonl", "b.jsonl"):
            self.assertIn("lacks 9 of 20", self.qdedup("import", part).err)
        self.assertIn("was lost", self.qdedup("sweep", expect=65).err)
        self.assertNotIn("lacks", self.qdedup("import", "a.jsonl", "b.jsonl").err)
        self.qdedup("sweep")

    def test_a_lost_bank_is_waited_for_where_all_was_applied(self):
        rows = [f'{{"id":{i},"text":"{text}"}}\n' for i, text in ((1, "甲乙丙丁戊己"), (2, "甲乙丙丁戊己"), (3, "一二三四五六"))]
        self.qdedup("import", self.write("all.jsonl", "".join(rows)))
        self.qdedup("sweep")
        self.qdedup("review", "approve", "--iteration", 1)
        self.qdedup("applied", "-", stdin=b"2\n")
        self.qdedup("import", "--remove", self.write("gone.txt", "2\n"))
        self.qdedup("check", "--add", self.write("new.jsonl", '{"id":12,"text":"甲乙丙丁戊己"}\n'))
        (self.folder / "state/bank.db").unlink()
        self.assertIn("lacks 1 of 1 question ", self.qdedup("import", self.write("part.jsonl", rows[2])).err)
        self.assertIn("was lost", self.qdedup("sweep", expect=65).err)
        self.assertNotIn("lacks", self.qdedup("import", self.write("rest.jsonl", rows[0])).err)
        self.qdedup("sweep")
        self.assertIn("12", self.qdedup("similar", 1).out)

    def test_a_lost_bank_is_waited_for_after_a_kill(self):
        rows = self.lose_bank_with_pending_pairs()
        begun = [QDEDUP, "--state", str(self.folder / "state"), "import", "-"]
        process = subprocess.Popen(begun, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (self.folder / "state/bank.db").exists():
            self.assertIsNone(process.poll())
        process.kill()
        process.wait()
        process.stdin.close()
        self.assertIn("lacks 10 of 20 questions", self.qdedup("import", "a.jsonl").err)
        self.assertIn("was lost", self.qdedup("sweep", expect=65).err)
        self.qdedup("import", "-", stdin=rows.encode())
        self.qdedup("sweep")

    def test_a_damaged_file_leaves_no_question_that_nobody_wrote(self):
        rows = b'{"id":71,"text":"a"}\n{"id":72,"text":"b"}\n'
        for name, whole in (("a.jsonl.gz", gzip.compress(rows, 0, mtime=0)),
                            ("a.jsonl.zst", zstandard(rows))):
            self.assertIn(b":71,", whole)
            self.import_questions({1: "a"})
            damaged = whole.replace(b":71,", b":11,")
            self.qdedup("import", self.write(name, damaged), expect=65)
            self.qdedup("import", "-", stdin=damaged, expect=65)
            self.assertEqual(self.count(), 1)
            self.qdedup("import", "-", stdin=whole)
            self.assertEqual(self.count(), 3)
            self.qdedup("import", "--remove", "-", stdin=b"71\n72\n")

    def test_nothing_approved_is_withdrawn_on_an_empty_bank(self):
        self.import_questions({1: "甲乙丙", 2: "甲乙丙"})
        self.qdedup("run", self.write("a.log", "[[1,0.9],[2,0.9]]\n"))
        self.qdedup("review", "approve", 2, 1)
        self.qdedup("import", "--remove", self.write("gone.txt", "1\n2\n"))
        self.assertIn("the bank is empty", self.qdedup("export", "--status", "approved", expect=66).err)
        self.assertEqual([row["status"] for row in self.listed()], ["approved"])

    def committed(self, rows):
        path = self.folder / "state/bank.db"
        if not path.exists():
            return False
        bank = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)
        try:
            return bank.execute("SELECT count(*) FROM question").fetchone()[0] >= rows
        except sqlite3.OperationalError:
            return False
        finally:
            bank.close()


if __name__ == "__main__":
    main()
