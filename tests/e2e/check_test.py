"""New questions held against the bank, and the classes of those that are in it."""

import csv
import http.client
import io
import json
import random
import sqlite3
import threading
from contextlib import closing

from daemon import Daemon, Lease, UnixConnection
from program import ProgramTest, database, gzipped, main

BANK = {1: "小红买10本书", 2: "小明买10本书", 3: "今天空气温度为10度", 4: "甲"}


def jsonl(questions):
    return "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in questions.items()).encode()


class Check(ProgramTest):
    def check(self, questions, *arguments, expect=0):
        outcome = self.qdedup("--json", "check", "--strict", *arguments, "-", stdin=jsonl(questions), expect=expect)
        return [json.loads(line) for line in outcome.out.splitlines()]

    def test_tells_duplicates_from_new_questions(self):
        self.import_questions(BANK)
        told = self.check({7: "小刚买10本书", 8: "今天的空气温度为10度", 9: "小刚买11本书", 3: "今天空气温度为10度"})
        self.assertEqual([row.get("duplicate_of") for row in told], [1, 3, None, None])
        self.assertEqual((told[0]["similarity"], told[0]["distance"], told[0]["length"]), (80.0, 1, 5))
        self.assertEqual([row["reasons"] for row in told[:2]], [["renamed", "too-short"], []])
        self.assertFalse(any(row["added"] for row in told))

    def test_a_question_that_is_deleted_stands_for_nothing(self):
        self.import_questions({1: "一二三四五", 2: "一二三四六", 3: "甲"})
        self.qdedup("sweep")
        told = self.check({9: "甲二三四六", 8: "一二三四七"})
        self.assertEqual([row.get("duplicate_of") for row in told], [None, 1])

    def test_adds_what_is_new_once(self):
        self.import_questions(BANK)
        new = {10: "子丑寅卯辰", 11: "子丑寅卯巳", 12: "小刚买10本书", 13: "东南西北"}
        self.assertEqual([row["added"] for row in self.check(new, "--add")], [True, False, False, True])
        again = self.check(new, "--add")
        self.assertEqual([row.get("duplicate_of") for row in again], [None, 10, 1, None])
        self.assertEqual([row.get("refused", "") for row in again],
                         ["the question is in the bank already", "", "", "the question is in the bank already"])
        self.assertEqual(self.check({10: "子丑寅卯巳"}, "--add")[0]["refused"],
                         "the id is in the bank already, with another text, answer or images")

    def test_a_text_that_is_too_long_does_not_enter(self):
        self.import_questions(BANK)
        told = self.check({10: "子" * 21_846, 11: "子" * 21_845}, "--add")
        self.assertEqual([row["added"] for row in told], [False, True])
        self.assertEqual(told[0]["refused"], "text or answer of more than 65,536 bytes, or 1,048,576 with markup")

    def test_long_questions_are_checked_a_few_at_a_time(self):
        """The first are told before all have been read, of a file that is cut off."""
        self.import_questions(BANK)
        texts = random.Random(1)
        rows = jsonl({i: texts.randbytes(1 << 20).hex() for i in range(10, 20)})
        path = self.write("new.jsonl.gz", gzipped(rows) + gzipped(rows)[:-10])
        outcome = self.qdedup("check", path, expect=None)
        self.assertNotEqual(outcome.code, 0)
        self.assertEqual(outcome.out.split()[:2], ["10", "new"])

    def test_a_text_that_is_not_compared_is_told(self):
        self.import_questions(BANK)
        rows = jsonl({10: "", 11: "____", 12: "全新的题目"})
        for options in ([], ["--add"]):
            lines = [line.split("\t") for line in self.qdedup("check", *options, "-", stdin=rows).out.splitlines()]
            self.assertEqual([line[5] for line in lines], ["it has no text", "nothing of its text is compared", ""])
        told = [json.loads(line) for line in self.qdedup("--json", "check", "-", stdin=rows).out.splitlines()]
        self.assertEqual([row.get("refused") for row in told], ["it has no text", "nothing of its text is compared", None])

    def test_a_row_that_is_none_is_told(self):
        self.import_questions(BANK)
        outcome = self.qdedup("check", "--strict", "-", stdin=b'{"id":0,"text":"x"}\n', expect=65)
        self.assertIn("id is not an integer", outcome.err)

    def test_rows_that_are_none_are_counted(self):
        self.import_questions(BANK)
        rows = b'{"id":0,"text":"x"}\n' * 150 + jsonl({9: "小刚买10本书"})
        outcome = self.qdedup("check", "-", stdin=rows)
        self.assertEqual(outcome.err.count("id is not an integer"), 100)
        self.assertIn("50 more rows were rejected", outcome.err)
        self.assertIn("1 question: 1 duplicate, 0 added, 150 rejected", outcome.err)
        self.assertNotIn("1 question", self.qdedup("--quiet", "check", "-", stdin=rows).err)


class Similar(ProgramTest):
    def setUp(self):
        super().setUp()
        self.import_questions({1: "一二三四五", 2: "一二三四六", 3: "一二三四五", 9: "甲"})
        self.qdedup("sweep")

    def test_the_class_of_any_member_is_the_same(self):
        for question in (1, 2, 3):
            told = self.qdedup("--json", "similar", question).json()
            self.assertEqual((told["representative"], told["questions"]), (1, 3))
            self.assertEqual([(row["id"], row["similarity"]) for row in told["similar"]], [(2, 80.0), (3, 100.0)])
        self.assertIn("3 questions; 1 stands for them", self.qdedup("similar", 2).out)

    def test_a_question_alone_is_its_own_class(self):
        self.assertEqual(self.qdedup("--json", "similar", 9).json(),
                         {"id": 9, "representative": 9, "questions": 1, "similar": [], "changes": [], "history": []})
        self.assertIn("is neither in the bank", self.qdedup("similar", 77, expect=66).err)

    def test_history_keeps_what_was_withdrawn(self):
        self.qdedup("review", "reject", 2, 1)
        told = self.qdedup("--json", "similar", 1).json()
        self.assertEqual([row["id"] for row in told["similar"]], [3])
        self.assertEqual([(row["delete_id"], row["status"]) for row in told["history"]],
                         [(2, "rejected"), (3, "pending")])

    def test_all_classes_are_exported(self):
        text = self.qdedup("export", "--classes").bytes.decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual([(row["representative"], row["id"], row["similarity"]) for row in rows],
                         [("1", "2", "80.00"), ("1", "3", "100.00")])
        lines = self.qdedup("export", "--classes", "--format", "jsonl").out.splitlines()
        self.assertEqual(json.loads(lines[0])["representative"], 1)
        for narrowing in (("--status", "pending"), ("--iteration", 1), ("--confidence", "safe"), ("--undo",)):
            self.assertIn(narrowing[0], self.qdedup("export", "--classes", *narrowing, expect=64).err)


class CheckOverHttp(ProgramTest):
    def setUp(self):
        super().setUp()
        self.import_questions(BANK)
        self.config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n')

    def post(self, body):
        connection = UnixConnection(self.folder / "state/qdedupd.sock")
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request("POST", "/v1/check", content, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        told = json.loads(answer.read())
        connection.close()
        return answer.status, told

    def test_an_add_that_the_config_rules_out_is_not_to_be_tried_again(self):
        with closing(database(self.folder / "state/bank.db")) as bank, bank:
            bank.execute("UPDATE meta SET value = '0/' || value WHERE name = 'fingerprint_version'")  # of another version
        self.config.write_text(self.config.read_text() + '[text]\nmarkup = "auto"\n')
        daemon = Daemon(self, self.config)
        (added, told), (checked, _) = (self.post({"id": 90, "text": "1+1", "add": add}) for add in (True, False))
        self.assertEqual((added, checked), (500, 503))
        self.assertIn("Set the former in the config", told["error"])
        daemon.stop()

    def test_answers_one_question_or_many(self):
        daemon = Daemon(self, self.config)
        status, told = self.post({"text": "小刚买10本书"})
        self.assertEqual((status, told["results"][0]["duplicate_of"]), (200, 1))
        status, told = self.post({"questions": [{"id": 5, "text": "甲"}, {"id": 6, "text": "乙"}], "add": True})
        self.assertEqual([row["added"] for row in told["results"]], [False, True])
        self.assertEqual(self.post({"text": "乙"})[1]["results"][0]["duplicate_of"], 6)
        self.assertEqual(json.loads(daemon.get("/v1/similar/6")[1])["representative"], 6)
        self.assertEqual(daemon.get("/v1/similar/99")[0], 404)
        self.assertEqual(daemon.get("/v1/similar/x")[0], 400)
        self.assertEqual(daemon.get("/v1/classes?sort=x")[0], 400)
        daemon.stop()

    def test_a_bank_that_is_away_is_not_a_question_that_is_unknown(self):
        daemon = Daemon(self, self.config)
        bank = self.folder / "state/bank.db"
        away = bank.rename(self.folder / "away.db")
        for path in ("/v1/similar/1", "/api/review/queue"):
            self.assertEqual(daemon.get(path)[0], 503, path)
        away.rename(bank)
        daemon.stop()

    def test_an_index_answers_the_same(self):
        self.import_questions({i: f"{chr(0x4E00 + i % 50) * 10}{i % 3}" for i in range(1, 300)})
        daemon = Daemon(self, self.config)
        while not (index := daemon.status()["check_index"])["built_at"]:
            self.assertEqual(index["failure"], "")
        asked = {"questions": [{"id": i, "text": f"{chr(0x4E00 + i % 70) * 9}{i % 4}"} for i in range(1, 500)]}
        told = self.post(asked)[1]
        self.post({"id": 1000, "text": "东南西北", "add": True})
        self.assertEqual(self.post({"text": "东南西北"})[1]["results"][0]["duplicate_of"], 1000)
        daemon.stop()
        self.config.write_text(self.config.read_text() + "[check]\nmemory_mb = 0\n")
        daemon = Daemon(self, self.config)
        self.assertIsNone(daemon.status()["check_index"])
        self.assertEqual(self.post(asked)[1], told)
        daemon.stop()

    def test_forty_clients_are_all_answered(self):
        daemon = Daemon(self, self.config)
        statuses = []
        body = {"questions": [{"text": "小刚买10本书"}] * 100}
        clients = [threading.Thread(target=lambda: statuses.extend(self.post(body)[0] for _ in range(5)))
                   for _ in range(40)]
        for thread in clients:
            thread.start()
        for thread in clients:
            thread.join()
        self.assertEqual(statuses, [200] * 200)
        daemon.stop()

    def long_questions(self):
        """Thousands of comparisons of long texts."""
        chance = random.Random(1)
        characters = [chr(0x4E00 + i) for i in range(3000)]
        text = chance.choices(characters, k=12_000)
        questions = []
        for number in range(100, 140):
            other = list(text)
            for place in chance.sample(range(len(text)), len(text) // 8):
                other[place] = chance.choice(characters)
            questions.append({"id": number, "text": "".join(other)})
        return questions

    def test_how_many_wait_is_a_setting(self):
        config = self.write("few.toml", self.config.read_text() + "[check]\nmax_requests = 1\n")
        daemon = Daemon(self, config)
        lease = Lease(daemon)
        lease.granted()
        connection = UnixConnection(self.folder / "state/qdedupd.sock")
        connection.request("POST", "/v1/check", json.dumps({"text": "乙", "id": 100, "add": True}), {"Content-Type": "application/json"})
        daemon.wait_until(lambda one: one.status()["working_on"]["waiting"] == 1)
        status, told = self.post({"text": "甲"})
        self.assertEqual((status, told["error"]), (503, "too many checks wait already; try again later"))
        connection.close()
        while self.post({"text": "甲"})[0] != 200:
            pass
        lease.close()
        daemon.stop()

    def test_work_ends_when_its_client_goes(self):
        """None of them enters the bank."""
        questions = self.long_questions()
        daemon = Daemon(self, self.config)
        connection = UnixConnection(self.folder / "state/qdedupd.sock")
        connection.request("POST", "/v1/check", json.dumps({"questions": questions, "add": True}),
                           {"Content-Type": "application/json"})
        while (daemon.status()["working_on"] or {}).get("job") != "check":
            pass
        connection.close()
        self.assertTrue(self.post({"id": 99, "text": "东南西北", "add": True})[1]["results"][0]["added"])
        self.assertEqual(daemon.metric("qdedup_bank_questions"), len(BANK) + 1)
        daemon.stop()

    def test_refuses_what_is_no_request(self):
        daemon = Daemon(self, self.config)
        many = {"questions": [{"text": "甲"}] * 1001}
        deep = b"[" * 100_000
        much = b'{"questions":[{}],"x":[{}' + b",{}" * 1_398_000 + b"]}"
        for body in (b"", b"[]", b"{}", b'{"text":1}', b'{"text":"x","id":0}', b'{"text":"x","id":9223372036854775808}',
                     b'{"text":"x","id":1.0}', b'{"questions":{}}', b'{"text":"x","add":1}', deep, many, much,
                     b'{"text":"\\u0000"}', b'{"text":"x","answer":[]}'):
            self.assertEqual(self.post(body)[0], 400, str(body)[:80])
        daemon.stop()

    def test_two_hundred_clients_lose_nothing_and_add_nothing_twice(self):
        randomness = random.Random(1)
        characters = [chr(0x4E00 + i) for i in range(2000)]
        texts = ["".join(randomness.choices(characters, k=12)) for _ in range(300)]
        asked = [(1000 + number, texts[number % len(texts)]) for number in range(1000)]
        randomness.shuffle(asked)
        up = threading.Event()
        trouble = []

        def client(questions):
            for number, text in questions:
                while not trouble:
                    up.wait()
                    try:
                        status, told = self.post({"id": number, "text": text, "add": True})
                    except (OSError, http.client.HTTPException, json.JSONDecodeError):
                        continue
                    if status == 200:
                        break
                    if status != 503 and status != 500:
                        trouble.append((status, told))

        clients = [threading.Thread(target=client, args=(asked[i::200],)) for i in range(200)]
        daemon = Daemon(self, self.config)
        up.set()
        for thread in clients:
            thread.start()
        for wanted in (20, 100):
            while self.added() < wanted:
                pass
            up.clear()
            daemon.kill()
            daemon = Daemon(self, self.config)
            up.set()
        for thread in clients:
            thread.join()
        daemon.stop()
        self.assertEqual(trouble, [])
        with sqlite3.connect(self.folder / "state/bank.db") as bank:
            entered = [text for text, in bank.execute("SELECT text FROM question WHERE id >= 1000")]
        self.assertEqual(sorted(entered), sorted(texts))

    def added(self):
        with sqlite3.connect(f"file:{self.folder}/state/bank.db?mode=ro", uri=True) as bank:
            return bank.execute("SELECT count(*) FROM question").fetchone()[0] - len(BANK)


if __name__ == "__main__":
    main()
