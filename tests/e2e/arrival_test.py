"""Questions that come to be added are in their classes at once, until they expire."""

import contextlib
import json
import sqlite3

from daemon import Daemon, UnixConnection
from program import ProgramTest, database, main

ROOT, LEAF, FAR_LEAF = "一二三四五六七八九十", "甲乙三四五六七八九十", "甲乙丙丁五六七八九十"
UNLIKE = "子丑寅卯辰巳午未申酉"
LONG_AGO = "2001-09-09T01:46:40Z"


def jsonl(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


class Arrival(ProgramTest):
    def setUp(self):
        super().setUp()
        self.import_questions({5: ROOT, 90: UNLIKE})

    def add(self, *rows):
        out = self.qdedup("--json", "check", "--add", "-", stdin=jsonl(*rows)).out
        return [json.loads(line) for line in out.splitlines()]

    def similar(self, question):
        told = self.qdedup("--json", "similar", question).json()
        return told["representative"], told["questions"], [row["id"] for row in told["similar"]]

    def expect_agreement(self, *rows):
        """What was answered is what `similar` tells now, sweep or no sweep."""
        for row in rows:
            self.assertEqual((row["representative"], row["questions"], row["similar"]), self.similar(row["id"]))
        self.qdedup("verify")

    def test_the_answer_is_what_similar_tells_from_then_on(self):
        first, = self.add({"id": 6, "text": LEAF})
        self.assertEqual((first["duplicate"], first["duplicate_of"], first["added"], first["joined"]), (True, 5, False, True))
        self.assertEqual((first["representative"], first["questions"], first["similar"]), (5, 2, [6]))
        self.expect_agreement(first)
        second, = self.add({"id": 2, "text": FAR_LEAF})
        self.assertEqual((second["duplicate"], second["added"], second["joined"]), (False, True, False))
        self.assertEqual((second["representative"], second["questions"], second["similar"]), (5, 3, [2, 6]))
        self.expect_agreement(second)
        alone, = self.add({"id": 8, "text": "东南西北"})
        self.assertEqual((alone["representative"], alone["questions"], alone["similar"]), (8, 1, []))
        self.qdedup("sweep")
        self.expect_agreement(second, alone)
        self.assertEqual(self.qdedup("status", "--json").json()["questions"], 4)

    def test_its_lines_are_as_ever(self):
        outcome = self.qdedup("check", "--add", "-", stdin=jsonl({"id": 6, "text": LEAF}, {"id": 7, "text": "东南西北"}))
        self.assertEqual([line.split("\t")[:4] for line in outcome.out.splitlines()],
                         [["6", "duplicate", "5", "80.00"], ["7", "added", "", ""]])

    def test_lists_and_exports_tell_it_apart(self):
        self.add({"id": 6, "text": LEAF}, {"id": 2, "text": FAR_LEAF})
        rows = [json.loads(line) for line in self.qdedup("export", "--classes", "--format", "jsonl").out.splitlines()]
        self.assertEqual([(row["id"], row["status"], row["iteration"], row["compared_with"]) for row in rows],
                         [(2, "kept", None, 6), (6, "arrived", None, 5)])
        text = self.qdedup("similar", 5).out
        self.assertIn("80.00 %, ", text)
        self.assertIn(f"arrived  {LEAF}", text)
        self.assertIn("6 joined 5 (arrived)", text)

    def test_what_is_removed_leaves_at_once(self):
        self.add({"id": 6, "text": LEAF}, {"id": 2, "text": FAR_LEAF})
        self.qdedup("import", "--remove", self.write("gone.txt", "5\n"))
        self.assertEqual(self.similar(2), (2, 1, []))
        self.assertIn("is neither in the bank", self.qdedup("similar", 6, expect=66).err)
        self.qdedup("verify")

    def test_what_is_imported_later_leaves_what_arrived(self):
        self.add({"id": 6, "text": LEAF})
        self.import_questions({6: LEAF})
        self.assertEqual(self.similar(6), (5, 2, [6]))
        self.assertIn("kept", self.qdedup("similar", 6).out)
        self.qdedup("sweep")
        self.assertEqual(self.similar(6), (5, 2, [6]))
        self.assertIn("pending", self.qdedup("similar", 6).out)
        self.qdedup("review", "reject", 6, 5)
        self.assertEqual(self.similar(6), (6, 1, []))
        self.qdedup("verify")

    def hang_on_a_listed_one(self):
        self.import_questions({20: LEAF})
        self.assertTrue(self.add({"id": 30, "text": FAR_LEAF})[0]["joined"])
        self.qdedup("sweep")
        self.assertEqual(self.similar(30), (5, 3, [20, 30]))

    def test_what_hangs_on_a_listed_one_that_is_gone_leaves_with_its_deletion(self):
        self.hang_on_a_listed_one()
        self.qdedup("import", "--remove", self.write("gone.txt", "20\n"))
        self.assertEqual(self.similar(30), (5, 3, [20, 30]))
        self.qdedup("review", "reject", 20, 5)
        self.assertIn("is neither in the bank", self.qdedup("similar", 30, expect=66).err)
        self.qdedup("verify")

    def test_what_arrived_again_leaves_with_the_deletion_that_an_export_withdraws(self):
        self.import_questions({31: ROOT})
        self.qdedup("sweep")
        self.qdedup("review", "approve", 31, 5)
        self.qdedup("import", "--remove", self.write("gone.txt", "31\n"))
        self.assertTrue(self.add({"id": 31, "text": ROOT})[0]["joined"])
        self.qdedup("import", "--remove", self.write("gone.txt", "5\n"))
        self.assertIn("keeper-gone: 1\n", self.qdedup("export", "--status", "approved").err)
        self.qdedup("verify")
        self.assertIn("is neither in the bank", self.qdedup("similar", 31, expect=66).err)

    def test_decisions_count_though_what_arrived_cannot_follow(self):
        self.hang_on_a_listed_one()
        with contextlib.closing(database(self.folder / "state/bank.db", isolation_level=None)) as bank:
            bank.execute("DELETE FROM total")
        self.assertEqual(self.qdedup("review", "reject", 20, 5).out, "1 rejected\n")
        self.assertEqual(self.qdedup("--json", "review", "reset", 20, 5).json()["reset"], 1)

    def test_a_listed_one_returns_with_another_text_by_an_import_alone(self):
        self.hang_on_a_listed_one()
        self.qdedup("import", "--remove", self.write("gone.txt", "20\n"))
        again, other = self.add({"id": 20, "text": "甲乙丙丁戊六七八九十"}, {"id": 40, "text": UNLIKE})
        self.assertEqual((again["added"], other["joined"]), (False, True))
        self.assertIn("with another text; import it", again["refused"])
        self.import_questions({20: "甲乙丙丁戊六七八九十"})
        self.qdedup("sweep")
        self.qdedup("verify")

    def test_texts_that_are_read_in_another_way_stay_where_they_are_duplicates(self):
        plain, auto = (self.write(f"{name}.toml", f'[text]\nmarkup = "{name}"\n') for name in ("plain", "auto"))
        self.qdedup("import", "-", stdin=jsonl({"id": 5, "text": f"<p>{ROOT}</p>"}), config=plain)
        self.qdedup("check", "--add", "-", stdin=jsonl({"id": 30, "text": f"<p>{LEAF}</p>"}), config=plain)
        self.assertEqual(self.similar(30), (5, 2, [30]))
        self.qdedup("import", "-", stdin=jsonl({"id": 99, "text": UNLIKE}), config=auto)
        self.qdedup("sweep", config=auto)
        self.assertEqual(self.similar(30), (5, 2, [30]))
        self.assertIn(f"arrived  {LEAF}", self.qdedup("similar", 5, config=auto).out)
        self.qdedup("verify", config=auto)

    def test_figures_are_known_by_their_hashes(self):
        self.config = self.write("auto.toml", f'[text]\nmarkup = "auto"\n[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n')
        text = ROOT + '<img src="fig/%s.png">'
        self.qdedup("import", "-", stdin=jsonl({"id": 91, "text": text % "a77", "images": ["abcd"]}), config=self.config)
        rows = ({"id": 92, "text": text % "b88", "images": ["abcd"]}, {"id": 93, "text": text % "a77", "images": ["h1"]},
                {"id": 94, "text": text % "a77", "images": ["h2"]}, {"id": 95, "text": text % "b88", "images": "h2"})
        duplicates = [91, None, None, 94]
        out = self.qdedup("--json", "check", "--add", "-", stdin=jsonl(*rows), config=self.config).out
        self.assertEqual([json.loads(line).get("duplicate_of") for line in out.splitlines()], duplicates)
        self.assertIn("no iteration was made", self.qdedup("sweep", config=self.config).out)
        daemon = Daemon(self, self.config)
        asked = [{"text": row["text"], "images": row["images"]} for row in rows]
        self.assertEqual([row.get("duplicate_of") for row in self.post({"questions": asked})], [91, 93, 94, 94])
        daemon.stop()
        self.qdedup("verify", config=self.config)

    def test_figures_stay_known_where_texts_are_read_in_another_way(self):
        plain, auto = (self.write(f"{name}.toml", f'[text]\nmarkup = "{name}"\n') for name in ("plain", "auto"))
        text = ROOT + '<img src="a.png">'
        self.qdedup("import", "-", stdin=jsonl({"id": 91, "text": text, "images": ["h"]}), config=plain)
        self.qdedup("check", "--add", "-", stdin=jsonl({"id": 92, "text": text, "images": ["h"]}), config=plain)
        self.qdedup("import", "-", stdin=jsonl({"id": 99, "text": UNLIKE}), config=auto)
        self.qdedup("sweep", config=auto)
        self.assertEqual(self.similar(92), (91, 2, [92]))

    def test_a_question_keeps_the_time_that_it_brings(self):
        self.add({"id": 6, "text": LEAF, "arrived_at": LONG_AGO}, {"id": 7, "text": "东南西北", "arrived_at": LONG_AGO},
                 {"id": 8, "text": FAR_LEAF}, {"id": 9, "text": "春夏秋冬"})
        counts = self.qdedup("--json", "expire", "--days", 1, "--dry-run").json()
        self.assertEqual((counts["arrived"], counts["bank"]), (1, 1))

    def test_an_undo_list_brings_the_time_back(self):
        self.qdedup("import", "-", stdin=jsonl({"id": 81, "text": UNLIKE}, {"id": 82, "text": UNLIKE, "arrived_at": "1970-01-02T00:00:00Z"}))
        self.qdedup("sweep")
        self.qdedup("review", "approve", 82, 81)
        self.qdedup("export", "--status", "approved", "-o", self.folder / "approved.tsv")
        undo = self.folder / "approved.tsv.undo.jsonl"
        self.assertEqual(json.loads(undo.read_text())["arrived_at"], 86_400)
        self.qdedup("import", "--remove", self.write("gone.txt", "82\n"))
        self.qdedup("import", undo)
        with contextlib.closing(sqlite3.connect(self.folder / "state/bank.db")) as bank:
            self.assertEqual(bank.execute("SELECT id, arrived_at FROM arrival").fetchall(), [(82, 86_400)])

    def test_another_bank_is_noticed(self):
        self.add({"id": 6, "text": LEAF})
        for path in (self.folder / "state").glob("bank.db*"):
            path.unlink()
        self.import_questions({5: UNLIKE})
        self.assertIn("is neither in the bank", self.qdedup("similar", 6, expect=66).err)
        self.qdedup("verify")

    def test_an_add_may_be_sent_again(self):
        rows = {"id": 6, "text": LEAF}, {"id": 7, "text": "东南西北"}
        self.assertEqual([(row["joined"], row["added"]) for row in self.add(*rows)], [(True, False), (False, True)])
        self.assertEqual([(row["joined"], row["added"]) for row in self.add(*rows)], [(True, False), (False, False)])
        self.assertEqual(self.similar(6), (5, 2, [6]))
        self.assertEqual(self.add({"id": 6, "text": ROOT})[0]["refused"], "the id has arrived already")

    def test_arrival_times_are_imported(self):
        table = self.write("bank.csv", f"id,text,arrived_at\n11,{ROOT}1,{LONG_AGO}\n12,{ROOT}2,1000000000\n13,{ROOT}3,\n"
                                       f"14,{ROOT}4,yesterday\n15,{ROOT}5,-1\n16,{ROOT}6,2024-02-30T00:00:00Z\n")
        outcome = self.qdedup("import", table)
        self.assertEqual(outcome.err.count("arrived_at is neither"), 3)
        lines = jsonl({"id": 21, "text": ROOT + "1.5", "arrived_at": 1000000000}, {"id": 22, "text": "x", "arrived_at": None},
                      {"id": 23, "text": "y", "arrived_at": [1]}, {"id": 24, "text": ROOT + "2.5", "arrived_at": "2001-09-09 09:46:40.5+08:00"})
        self.assertEqual(self.qdedup("import", "-", stdin=lines).err.count("arrived_at is neither"), 1)
        counts = self.qdedup("--json", "expire", "--days", 1, "--dry-run").json()
        self.assertEqual((counts["arrived"], counts["bank"], counts["dry_run"]), (0, 4, True))
        self.import_questions({21: ROOT + "1.5"})
        self.assertEqual(self.qdedup("--json", "expire", "--days", 1).json()["bank"], 4)
        self.assertEqual(self.qdedup("--json", "expire", "--days", 1).json()["bank"], 0)
        self.assertEqual(self.qdedup("status", "--json").json()["questions"], 4)

    def test_a_dry_run_changes_nothing(self):
        self.add({"id": 6, "text": LEAF})
        with contextlib.closing(database(self.folder / "state/qdedup.db", isolation_level=None)) as store:
            store.execute("UPDATE followed_bank SET identity = 'another'")
            self.qdedup("expire", "--days", 1, "--dry-run")
            self.assertEqual(store.execute("SELECT identity FROM followed_bank").fetchone(), ("another",))
            self.qdedup("expire", "--days", 1)
            self.assertNotEqual(store.execute("SELECT identity FROM followed_bank").fetchone(), ("another",))

    def test_a_representative_goes_last(self):
        self.qdedup("import", "-", stdin=jsonl({"id": 5, "text": ROOT, "arrived_at": LONG_AGO}))
        self.add({"id": 6, "text": LEAF})
        config = self.write("keep.toml", "[check]\nkeep_days = 30\n")
        outcome = self.qdedup("expire", config=config)
        self.assertIn("0 duplicates and 0 questions of the bank expired", outcome.out)
        self.qdedup("import", "--remove", self.write("gone.txt", "90\n"))
        self.assertEqual(self.similar(6), (5, 2, [6]))
        self.assertIn("keep_days is 0", self.qdedup("expire", expect=64).err)
        self.qdedup("expire", "--days", 0, expect=64)

    def test_the_daemon_tells_the_same(self):
        config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n[check]\nkeep_days = 30\n')
        self.qdedup("import", "-", stdin=jsonl({"id": 77, "text": "古今中外", "arrived_at": LONG_AGO}))
        daemon = Daemon(self, config)
        daemon.wait_until_said("expired: 0 duplicates, 1 questions of the bank")
        row = self.post({"id": 6, "text": LEAF, "add": True})[0]
        self.assertEqual((row["representative"], row["questions"], row["similar"]), (5, 2, [6]))
        rows = self.post({"questions": [{"id": 2, "text": FAR_LEAF}, {"id": 3, "text": ROOT}, {"text": ROOT}], "add": True})
        self.assertEqual([(row["added"], row["joined"]) for row in rows], [(True, False), (False, True), (False, False)])
        self.assertEqual(rows[2]["refused"], "a question enters with an id only")
        for _ in range(2):
            for number in (2, 3, 5, 6):
                told = json.loads(daemon.get(f"/v1/similar/{number}")[1])
                self.assertEqual((told["representative"], told["questions"], [row["id"] for row in told["similar"]]),
                                 self.similar(number))
                self.assertEqual(self.similar(number), (5, 4, [2, 3, 6]))
            self.assertEqual(json.loads(daemon.get("/v1/classes")[1])["classes"], [{"representative": 5, "questions": 4}])
            self.qdedup("sweep")
        daemon.stop()
        daemon = Daemon(self, config)
        self.assertEqual(json.loads(daemon.get("/v1/similar/3")[1])["questions"], 4)
        self.qdedup("import", "--remove", self.write("gone.txt", "5\n"))
        self.assertEqual(daemon.get("/v1/similar/3")[0], 404)
        self.assertNotIn("representative", self.post({"text": UNLIKE})[0])
        daemon.stop()
        self.qdedup("verify")

    def post(self, body):
        connection = UnixConnection(self.folder / "state/qdedupd.sock")
        connection.request("POST", "/v1/check", json.dumps(body).encode(), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        told = json.loads(answer.read())
        connection.close()
        self.assertEqual(answer.status, 200, told)
        return told["results"]


if __name__ == "__main__":
    main()
