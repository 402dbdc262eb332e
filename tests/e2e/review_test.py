"""Decisions on deletions: on the command line and in lists that come back; and the deletions carried out."""

import contextlib
import csv
import getpass
import gzip
import io
import json
import os
import re
import sqlite3
import subprocess
import zipfile

from daemon import Daemon
from program import QDEDUP, ProgramTest, main

HOSTILE = ("=1+1\"甲\"", "+甲,乙", "-甲\n乙", "@甲\r\n乙", "\t甲", "\r甲", "'甲", "'=甲", "<script>alert(1)</script>甲", "\u202e甲\u200f乙",
           "\"甲\"\"", "甲;乙\t丙", "’＝甲", " 甲 ")


def log(*lists):
    return "".join(json.dumps([[i, 0.9] for i in ids]) + "\n" for ids in lists)


class ReviewTest(ProgramTest):
    def sample(self, state="state"):
        """Deletions 2>1 (safe), 4>3 (doubtful) and 6>5 (safe), pending."""
        self.import_questions({1: "甲乙丙丁戊己庚辛", 2: "甲乙丙丁戊己庚辛", 3: "小红比小明多买书多少本", 4: "小红比小明少买书多少本",
                               5: "一二三四五六七八", 6: "一二三四五六七八"}, state=state)
        self.qdedup("run", self.write("a.log", log([1, 2], [3, 4], [5, 6])), state=state)

    def statuses(self, *arguments, state="state"):
        return {int(row["delete_id"]): row["status"] for row in self.listed(*arguments, state=state)}

    def query(self, sql):
        with contextlib.closing(sqlite3.connect(self.folder / "state/qdedup.db")) as store:
            return store.execute(sql).fetchall()

    def decided(self, rows, name="list.csv"):
        """Writes rows back as a spreadsheet would."""
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        return self.write(name, "\ufeff" + text.getvalue())

    def with_decisions(self, decisions, **changes):
        """The list with these decisions by question, as a file."""
        rows = self.listed()
        for row in rows:
            row["decision"] = decisions.get(int(row["delete_id"]), "")
            row.update(changes)
        return self.decided(rows)


class OnTheCommandLine(ReviewTest):
    def test_one_pair(self):
        self.sample()
        self.assertEqual(self.qdedup("review", "approve", 2, 1).out, "1 approved\n")
        self.qdedup("review", "reject", 4, 3, "--note", "另一问", "--by", "ann")
        self.assertEqual(self.statuses(), {2: "approved", 4: "rejected", 6: "pending"})
        self.assertEqual(self.qdedup("review", "approve", 2, 1).out, "no change; 1 were so already\n")
        self.assertEqual(self.query("SELECT decided_by, given_name, old_status, new_status, note FROM decision ORDER BY id"),
                         [(getpass.getuser(), "", "pending", "approved", ""), (getpass.getuser(), "ann", "pending", "rejected", "另一问")])
        self.assertEqual(self.listed()[1]["note"], "另一问")
        self.qdedup("review", "reset", 2, 1)
        self.assertEqual(self.statuses()[2], "pending")

    def test_what_is_refused(self):
        self.sample()
        self.assertIn("there is no deletion of 3 in favour of 4, but one of 4 in favour of 3", self.qdedup("review", "approve", 3, 4, expect=66).err)
        self.assertIn("there is no deletion of 3 in favour of 5\n", self.qdedup("review", "approve", 3, 5, expect=66).err)
        self.qdedup("review", "reject", 4, 3)
        self.assertIn("is rejected", self.qdedup("review", "approve", 4, 3, expect=65).err)
        self.import_questions({2: "甲乙丙丁己己庚辛"})
        self.assertIn("text has changed", self.qdedup("review", "approve", 2, 1, expect=65).err)
        self.qdedup("import", "--remove", self.write("gone.txt", "5\n"))
        self.assertIn("left the bank", self.qdedup("review", "approve", 6, 5, expect=65).err)
        self.assertEqual(self.statuses(), {2: "pending", 4: "rejected", 6: "pending"})
        for wrong in (["approve"], ["approve", 2], ["approve", 2, 1, "--confidence", "safe"], ["approve", 0, 1],
                      ["reject", "--confidence", "sure"], ["import"], ["approve", "--min-similarity", "101"], []):
            self.qdedup("review", *wrong, expect=64)

    def test_a_name_of_a_list_is_shown_without_control_characters(self):
        self.sample()
        path = self.write("\x1b[31mred.jsonl", b"[1]\n")
        for command in (["review", "import"], ["applied"]):
            self.assertNotIn("\x1b", self.qdedup(*command, path, expect=None).err)
        for command in (["export", "-o", "\x1b[31mred.tsv"], ["backup", "\x1b[31mred.db", "--bank", "\x1b[31mbank.db"],
                        ["export", "--status", "pending", "--undo", "-o", "\x1b[31mundo.jsonl"]):
            self.assertIn("\\x1b", self.qdedup(*command).err)

    def test_decisions_in_two_languages(self):
        self.sample()
        rows = self.listed()
        for words, outcome in ((("批准", "Yes", " approved "), "3 approved"), (("驳回", "NO", "否"), "3 rejected"),
                               (("重置", "reset", "RESET"), "3 reset")):
            filled = "".join(f"{row['delete_id']},{row['keep_id']},{word}\n" for row, word in zip(rows, words))
            path = self.write("list.csv", "delete_id,keep_id,decision\n" + filled)
            self.assertIn(outcome, self.qdedup("review", "import", path).out)

    def test_filters(self):
        self.sample()
        self.assertEqual(self.qdedup("review", "approve", "--confidence", "safe", "--dry-run").out,
                         "dry run, nothing is changed: 2 approved\n")
        self.assertEqual(set(self.statuses().values()), {"pending"})
        self.assertEqual(self.qdedup("--json", "review", "approve", "--confidence", "safe").json(),
                         {"dry_run": False, "approved": 2, "rejected": 0, "reset": 0, "applied": 0, "unchanged": 0,
                          "undecided": 0, "refused": {}})
        self.assertEqual(self.statuses(), {2: "approved", 4: "pending", 6: "approved"})
        reason = self.listed()[1]["reasons"].split(";")[0].split(":")[0]
        self.assertEqual(self.qdedup("review", "reject", "--reason", reason).out, "1 rejected\n")
        self.assertEqual(self.qdedup("review", "reset", "--iteration", 1).out, "3 reset\n")
        self.assertIn("there is no iteration 2", self.qdedup("review", "approve", "--iteration", 2, expect=66).err)
        self.assertEqual(self.qdedup("review", "approve", "--min-similarity", 100).out, "2 approved\n")
        self.qdedup("review", "reset", "--iteration", 1)
        self.import_questions({6: "一二三四五七"})
        self.assertEqual(self.qdedup("review", "approve", "--iteration", 1).out,
                         "2 approved\n  refused 1: a text has changed since; the next iteration decides anew\n")

    def test_a_rejection_is_remembered_until_it_is_reset_or_a_text_changes(self):
        self.sample()
        self.qdedup("review", "reject", 2, 1)
        self.qdedup("run", self.write("b.log", log([1, 2], [2, 1])))
        self.assertEqual(self.pairs(), [])
        self.qdedup("review", "reset", 2, 1)
        self.qdedup("review", "reject", 2, 1)
        self.import_questions({2: "甲乙丙丁己己庚辛"})
        self.qdedup("iterate")
        self.assertEqual(self.pairs(), [(2, 1)])
        self.assertEqual(self.statuses("--iteration", 1)[2], "withdrawn")
        self.assertIn("there is", self.qdedup("review", "reset", 2, 7, expect=66).err)

    def test_what_was_carried_out_is_what_is_open(self):
        """Though a newer deletion of the same question was rejected."""
        self.import_questions({1: "一二三四五六七八九十", 2: "甲乙丙丁五六七八九十", 3: "甲乙三四五六七八九十"})
        for keeper in (1, 2):
            self.qdedup("sweep")
            self.qdedup("review", "reject", 3, keeper)
        self.qdedup("review", "reset", 3, 1)
        self.qdedup("review", "approve", 3, 1)
        self.assertEqual(self.qdedup("applied", "-", stdin=b"3\n").out, "1 applied\n")
        self.qdedup("applied", self.write("none.txt", ""))

    def test_what_was_carried_out(self):
        self.sample()
        self.qdedup("review", "approve", "--confidence", "safe")
        applied = self.qdedup("applied", self.write("ids.txt", "2\n4\n99\n"))
        self.assertEqual(applied.out.splitlines()[0], "1 applied")
        self.assertEqual(applied.err.splitlines(), [f"{self.folder}/ids.txt:2: is pending",
                                                    f"{self.folder}/ids.txt:3: 99 was never listed for deletion"])
        self.qdedup("applied", self.folder / "ids.txt", "--strict", expect=65)
        self.qdedup("export", "--status", "approved", "-o", self.folder / "approved.csv")
        self.qdedup("import", "--remove", self.write("gone.txt", "6\n"))
        self.assertEqual(self.qdedup("applied", self.folder / "approved.csv").out, "1 applied\n")
        self.assertEqual(self.statuses(), {2: "applied", 4: "pending", 6: "applied"})
        self.assertEqual(self.qdedup("applied", "-", stdin=b"2\r\n\n6\n").out, "no change; 2 were so already\n")
        self.assertIn("is applied", self.qdedup("review", "reject", 2, 1, expect=65).err)
        self.qdedup("review", "reset", "--iteration", 1)
        self.assertEqual(self.statuses()[2], "applied")
        self.qdedup("review", "reset", 2, 1)
        self.assertEqual(self.statuses()[2], "pending")

    def test_another_question_was_not_carried_out(self):
        self.sample()
        self.qdedup("review", "approve", "--confidence", "safe")
        self.qdedup("export", "--status", "approved", "-o", self.folder / "approved.csv")
        self.import_questions({2: "甲乙丙丁己己庚辛"})
        other = "2 has another text than the one that was to be deleted; if it was deleted, put it back"
        refused = self.qdedup("applied", self.folder / "approved.csv")
        self.assertEqual((refused.err, refused.out.splitlines()[0]), (f"{self.folder}/approved.csv:2: {other}\n", "1 applied"))
        self.assertEqual(self.statuses(), {2: "approved", 4: "pending", 6: "applied"})
        # What a list shows counts as well, though the pair was approved again with the text of now.
        self.qdedup("iterate")
        self.qdedup("review", "approve", 2, 1)
        row = {"delete_id": 2, "delete_text": "甲乙丙丁戊己庚辛"}
        self.assertIn(other, self.qdedup("applied", self.decided([row]), expect=65).err)
        self.assertEqual(self.qdedup("applied", "-", stdin=b"2\n").out, "1 applied\n")
        # What was carried out already is so, whatever question has the id now.
        self.import_questions({2: "一个新题目", 6: "另一个新题目"})
        again = self.qdedup("applied", self.folder / "approved.csv")
        self.assertEqual((again.out, again.err), ("no change; 1 were so already\n  refused 1: is withdrawn\n",
                                                  f"{self.folder}/approved.csv:2: is withdrawn\n"))

    def test_nothing_that_was_asked_for_can_be_used(self):
        self.sample()
        wrong = self.qdedup("applied", self.write("wrong.txt", "77\n78\n"), expect=65)
        self.assertIn("wrong.txt: nothing was marked: every row was refused", wrong.err)
        self.qdedup("review", "approve", "--iteration", 1, "--min-similarity", 100)
        self.assertIn("there is no iteration 9", self.qdedup("review", "release", 9, expect=66).err)
        self.assertIn(", or all", self.qdedup("export", "--iteration", "x", expect=64).err)

    def test_an_id_alone_is_taken_at_its_word(self):
        self.sample()
        self.qdedup("review", "approve", 2, 1)
        self.import_questions({2: "甲乙丙丁己己庚辛"})
        self.assertEqual(self.qdedup("applied", "-", stdin=b"2\n").out, "1 applied\n")

    def test_a_question_that_is_read_otherwise_was_carried_out(self):
        self.import_questions({1: "求$x^2$的值是多少呢", 2: "求$x^2$的值是多少呢"})
        self.qdedup("sweep")
        self.qdedup("review", "approve", 2, 1)
        self.qdedup("export", "--status", "approved", "-o", self.folder / "approved.csv")
        self.qdedup("import", "-", config=self.write("auto.toml", '[text]\nmarkup = "auto"\n'), stdin=b'{"id":9,"text":"1+1"}\n')
        self.assertEqual(self.qdedup("--json", "explain", 1, 2).json()["recorded"]["standing"], "text-changed")
        self.assertEqual(self.qdedup("applied", self.folder / "approved.csv", "--strict").out, "1 applied\n")

    def test_while_a_daemon_works(self):
        self.sample()
        config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n')
        daemon = Daemon(self, config)
        self.assertEqual(self.qdedup("review", "approve", 2, 1).out, "1 approved\n")
        path = self.with_decisions({4: "reject"})
        self.assertEqual(self.qdedup("review", "import", path).out, "1 rejected; 2 without a decision\n")
        self.assertEqual(self.qdedup("review", "import", "-", stdin=path.read_bytes()).out,
                         "no change; 1 were so already; 2 without a decision\n")
        self.assertEqual(self.qdedup("applied", "-", stdin=b"2\n").out, "1 applied\n")
        self.assertEqual(self.statuses(), {2: "applied", 4: "rejected", 6: "pending"})
        daemon.stop()
        self.assertEqual(self.query("SELECT DISTINCT decided_by FROM decision"), [(getpass.getuser(),)])


class FromAList(ReviewTest):
    def test_the_decisions_are_taken(self):
        self.sample()
        path = self.with_decisions({2: "approve", 4: " Reject "}, note="看过")
        self.assertEqual(self.qdedup("review", "import", "--dry-run", path).out,
                         "dry run, nothing is changed: 1 approved, 1 rejected; 1 without a decision\n")
        self.assertEqual(set(self.statuses().values()), {"pending"})
        self.assertEqual(self.qdedup("review", "import", path).out, "1 approved, 1 rejected; 1 without a decision\n")
        self.assertEqual(self.statuses(), {2: "approved", 4: "rejected", 6: "pending"})
        self.assertEqual([row["note"] for row in self.listed()], ["看过", "看过", ""])
        audit = self.query("SELECT * FROM decision")
        self.assertEqual(self.qdedup("review", "import", path).out,
                         "no change; 2 were so already; 1 without a decision\n")
        self.assertEqual(self.query("SELECT * FROM decision"), audit)
        self.qdedup("review", "import", self.with_decisions({2: "reset", 4: "reset"}))
        self.assertEqual(set(self.statuses().values()), {"pending"})

    def test_one_bad_row_and_nothing_is_changed(self):
        self.sample()
        rows = self.listed()
        for row in rows:
            row["decision"] = "approve"
        rows[1]["keep_id"] = "1"
        rows.append(dict(rows[0], delete_id="77"))
        rows.append(dict(rows[0]))
        rows.append(dict(rows[2], decision="delete", keep_id="5"))
        rows.append(dict(rows[2], delete_id="1.2E+09"))
        path = self.decided(rows)
        refused = self.qdedup("review", "import", path, expect=65)
        self.assertEqual([line.removeprefix(f"{path}:") for line in refused.err.splitlines()], [
            "3: its keeper is 3 by now", "5: there is no such deletion", "6: is in line 2 already",
            "7: decision must be approve, reject or reset (found delete)",
            "8: delete_id is not an integer from 1 to 2^63-1 (1.2E+09)"])
        self.assertIn("nothing was changed", refused.out)
        self.assertEqual(set(self.statuses().values()), {"pending"})

    def test_many_bad_rows_are_counted_by_kind(self):
        self.sample()
        rows = "".join(f"{row},{row - 1},decision{row}\n" for row in range(2, 400)) + "2,x,approve\n2,y,approve\n"
        path = self.write("list.csv", "delete_id,keep_id,decision\n" + rows)
        refused = self.qdedup("--json", "review", "import", path, expect=65)
        self.assertEqual(refused.json()["refused"], {"decision must be approve, reject or reset": 398,
                                                     "keep_id is not an integer from 1 to 2^63-1": 2})
        lines = self.qdedup("review", "import", path, expect=65).err.splitlines()
        self.assertEqual([json.loads(line)["error"] for line in refused.err.splitlines()], [{"code": 65, "message": line} for line in lines])
        self.assertEqual(lines[0], f"{path}:2: decision must be approve, reject or reset (found decision2)")
        self.assertEqual((len(lines), lines[-1]), (101, f"{path}: 300 more rows were refused; they are only counted"))

    def test_outdated_rows_are_refused(self):
        self.sample()
        path = self.with_decisions({2: "approve", 6: "approve"})
        self.import_questions({2: "甲乙丙丁己己庚辛"})
        self.assertIn(f"{path}:2: a text has changed since", self.qdedup("review", "import", path, expect=65).err)
        self.qdedup("iterate")
        self.assertIn(f"{path}:2: is withdrawn", self.qdedup("review", "import", path, expect=65).err)
        rows = self.listed()
        rows[0].update(decision="approve", delete_text="甲乙丙丁戊己庚辛")
        self.assertIn("the text of 2 in the list is not the one in the bank",
                      self.qdedup("review", "import", self.decided(rows), expect=65).err)
        self.assertEqual(self.statuses("--iteration", 1)[6], "pending")

    def test_explain_says_what_a_deletion_waits_for(self):
        config = self.write("few.toml", "[review]\nmax_deletions_per_iteration = 1\n")
        self.import_questions({1: "甲乙丙丁戊己庚辛", 2: "甲乙丙丁戊己庚辛", 5: "一二三四五六七八", 6: "一二三四五六七八"})
        self.qdedup("sweep", config=config)
        self.import_questions({2: "甲乙丙丁己己庚辛"})
        held = "Iteration 1 is held, as it lists too many; nothing of it is approved before `qdedup review release 1`.\n"
        changed = "A text has changed since the two were compared; the next iteration decides anew.\n"
        for pair, standing, said in ((5, 6), "holds", held), ((1, 2), "text-changed", changed + held):
            self.assertTrue(self.qdedup("explain", *pair).out.endswith(said))
            recorded = self.qdedup("--json", "explain", *pair).json()["recorded"]
            self.assertEqual((recorded["standing"], recorded["withheld"]), (standing, True))
        self.qdedup("review", "release", 1)
        self.assertNotIn("is held", self.qdedup("explain", 5, 6).out)
        self.qdedup("import", "--remove", self.write("gone.txt", "1\n"))
        self.qdedup("sweep")  # withdraws it
        self.import_questions({1: "甲乙丙丁戊己庚辛"})
        recorded = self.qdedup("--json", "explain", 1, 2).json()["recorded"]
        self.assertEqual((recorded["status"], recorded["standing"]), ("withdrawn", None))
        self.assertTrue(self.qdedup("explain", 1, 2).out.splitlines()[-1].startswith("Iteration 1 lists 2 for deletion in favour of 1: withdrawn"))

    def test_an_old_keeper_is_refused(self):
        self.import_questions({1: "甲乙丙甲乙丙甲乙丙", 5: "甲乙丙甲乙丙甲乙丙", 9: "甲乙丙甲乙丙甲乙丙"})
        self.qdedup("run", self.write("a.log", log([5, 9])))
        path = self.with_decisions({9: "approve"})
        self.qdedup("run", self.write("b.log", log([1, 9])))
        self.assertIn(":2: its keeper is 1 by now", self.qdedup("review", "import", path, expect=65).err)
        self.assertIn(":2: is pending again, as its keeper is 1 by now", self.qdedup("applied", path, expect=65).err)

    def test_columns_in_any_order_and_no_more_than_are_needed(self):
        self.sample()
        self.qdedup("review", "import", self.write("short.csv", "decision,keep_id,delete_id\napprove,1,2\n"))
        self.qdedup("review", "import", self.write("short.tsv", "keep_id\tdelete_id\tdecision\n3\t4\treject\n"))
        self.qdedup("review", "import", self.write("short", '{"delete_id":6,"keep_id":"5","decision":"approve"}\n'))
        self.assertEqual(self.statuses(), {2: "approved", 4: "rejected", 6: "approved"})
        for header in ("delete_id,decision", "keep_id,decision", "delete_id,keep_id", "decision,decision,delete_id,keep_id",
                       "delete_id;keep_id;decision"):
            refused = self.qdedup("review", "import", self.write("bad.csv", header + "\n"), expect=65)
            self.assertIn("the header names", refused.err)
        self.assertIn("there is no header", self.qdedup("review", "import", self.write("e.csv", ""), expect=65).err)
        self.qdedup("export", "-o", "report.html")
        self.assertIn("is an HTML page: export it as JSON, CSV or TSV", self.qdedup("review", "import", "report.html", expect=65).err)
        self.qdedup("review", "import", self.folder / "none.csv", expect=66)
        bad = self.write("bad.jsonl", '{"delete_id":6}\n[1]\n{"delete_id":6.0,"keep_id":5,"decision":""}\n')
        self.assertEqual(len(self.qdedup("review", "import", bad, expect=65).err.splitlines()), 3)

    def hostile(self, state):
        texts = {}
        for number, text in enumerate(HOSTILE):
            texts[100 + 2 * number] = texts[101 + 2 * number] = text
        self.import_questions(texts, state=state)
        self.qdedup("run", self.write("h.log", log(*[[i, i + 1] for i in range(100, 100 + len(texts), 2)])), state=state)
        return texts

    def test_hostile_texts_survive_the_round_trip(self):
        for ending in ("csv", "tsv", "jsonl"):
            with self.subTest(ending):
                texts = self.hostile(ending)
                path = self.folder / f"hostile.{ending}"
                self.qdedup("export", "-o", path, state=ending)
                lines = path.read_bytes().decode("utf-8-sig")
                if ending == "jsonl":
                    rows = [dict(json.loads(line), decision="approve", note=HOSTILE[i % len(HOSTILE)])
                            for i, line in enumerate(lines.splitlines())]
                    self.write(path.name, "".join(json.dumps(row) + "\n" for row in rows))
                else:
                    form = "excel" if ending == "csv" else "excel-tab"
                    quoting = csv.QUOTE_MINIMAL if ending == "csv" else csv.QUOTE_NONE
                    rows = list(csv.DictReader(io.StringIO(lines, newline=""), dialect=form, quoting=quoting))
                    text = io.StringIO(newline="")
                    writer = csv.DictWriter(text, list(rows[0]), dialect=form, quoting=quoting, quotechar=None
                                            if quoting == csv.QUOTE_NONE else '"')
                    writer.writeheader()
                    for row in rows:
                        self.assertNotIn(row["delete_text"][:1], "=+-@\t\r" if ending == "csv" else "\t")
                        writer.writerow(dict(row, decision="approve"))
                    self.write(path.name, "\ufeff" + text.getvalue())
                self.assertEqual(len(rows), len(texts) // 2)
                approved = self.qdedup("review", "import", path, state=ending)
                self.assertEqual(approved.out, f"{len(rows)} approved\n")
                if ending == "jsonl":
                    kept = [json.loads(line)["note"] for line in
                            self.qdedup("export", "--format", "jsonl", state=ending).out.splitlines()]
                    as_kept = [re.sub("\r\n?", "\n", row["note"]).replace("\t", " ") for row in rows]
                    self.assertEqual(kept, as_kept)

    def refuse_what_no_audit_takes(self):
        self.qdedup("review", "approve", 2, 1, "--by", "名" * 21, "--note", "一\n二")
        for name in ("a\nb", "a\x1b[2J", "\x7f", "a\u0085", "a\u202eb", "a\u2028b", "x" * 65, "\udcff"):
            for command in (["review", "reset", 2, 1], ["review", "import", "list.csv"], ["review", "release", 1],
                            ["applied", "list.csv"]):
                refused = self.qdedup(*command, "--by", name, expect=64)
                self.assertIn("--by: a name is UTF-8 without control and format characters, at most 64 bytes", refused.err)
        for note in ("\udcff", "a\x1b[2J", "a\rb", "\u0085", "x" * 4097):
            self.assertIn("--note: a note is UTF-8", self.qdedup("review", "reset", 2, 1, "--note", note, expect=64).err)
        self.assertEqual(self.query("SELECT decided_by, given_name, note FROM decision"), [(getpass.getuser(), "名" * 21, "一\n二")])

    def test_the_audit_takes_names_and_notes_as_the_page_does(self):
        self.sample()
        self.refuse_what_no_audit_takes()

    def test_the_audit_takes_the_same_from_a_daemon(self):
        self.sample()
        config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n')
        daemon = Daemon(self, config)
        self.refuse_what_no_audit_takes()
        daemon.stop()

    def test_notes_keep_their_formulas_through_a_csv(self):
        self.sample()
        self.qdedup("review", "approve", 2, 1, "--note", "=HYPERLINK(\"http://x\")")
        rows = self.listed()
        self.assertEqual(rows[0]["note"], "'=HYPERLINK(\"http://x\")")
        rows[0]["decision"] = "approve"
        self.assertIn("1 were so already", self.qdedup("review", "import", self.decided(rows)).out)
        self.assertEqual(self.query("SELECT note FROM deletion WHERE question_id = 2"), [("=HYPERLINK(\"http://x\")",)])


class AsAWorkbook(ReviewTest):
    def test_notes_come_back_as_they_were(self):
        self.sample()
        notes = {2: "'=1", 4: "=1", 6: "''+1"}
        for question, note in notes.items():
            self.qdedup("review", "reject", question, question - 1, "--note", note)
        path = self.edited({question: self.TEXT.format("reject") for question in notes})
        self.assertEqual(self.qdedup("review", "import", path).out, "no change; 3 were so already\n")
        self.assertEqual(dict(self.query("SELECT question_id, note FROM deletion")), notes)

    def test_differences_are_red_and_decisions_can_be_chosen(self):
        self.sample()
        self.qdedup("export", "-o", "list.xlsx")
        with zipfile.ZipFile(self.folder / "list.xlsx") as parts:
            sheet = parts.read("xl/worksheets/sheet1.xml").decode()
        self.assertEqual(re.findall(r'<color rgb="FFFF0000"/>(?:(?!<t>).)*<t>(.*?)</t>', sheet), ["少", "多"])
        self.assertIn('<formula1>"approve,reject,reset"</formula1>', sheet)
        self.assertIn("take csv, tsv or jsonl", self.qdedup("export", "--classes", "-o", "c.xlsx", expect=64).err)

    def edited(self, decisions, text=None, becomes=None):
        """The list as a workbook with these cells by question: XML of what stands in the column of decisions."""
        self.qdedup("export", "-o", "list.xlsx")
        path = self.folder / "edited.xlsx"
        with zipfile.ZipFile(self.folder / "list.xlsx") as parts, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            for part in parts.namelist():
                content = parts.read(part).decode()
                if part == "xl/worksheets/sheet1.xml":
                    for question, cell in decisions.items():
                        row = re.search(rf'<row r="(\d+)">(?=<c [^>]*><v>1</v></c><c [^>]*><is><t>{question}</t>)', content)[1]
                        content, count = re.subn(rf'<c r="K{row}" s="\d+"/>', cell.replace("REF", f"K{row}"), content)
                        self.assertEqual(count, 1)
                out.writestr(part, content.replace(text, becomes) if text else content)
        return path

    TEXT = '<c r="REF" t="inlineStr"><is><t>{}</t></is></c>'

    def test_the_decisions_come_back(self):
        self.sample()
        path = self.edited({2: self.TEXT.format("approve"), 4: self.TEXT.format("驳回")})
        self.assertEqual(self.qdedup("review", "import", path, "--dry-run").out,
                         "dry run, nothing is changed: 1 approved, 1 rejected; 1 without a decision\n")
        self.assertEqual(set(self.statuses().values()), {"pending"})
        self.assertEqual(self.qdedup("review", "import", path).out, "1 approved, 1 rejected; 1 without a decision\n")
        self.assertEqual(self.statuses(), {2: "approved", 4: "rejected", 6: "pending"})
        self.qdedup("export", "--status", "approved", "-o", "approved.xlsx")
        self.assertIn("1 applied", self.qdedup("applied", "-", stdin=(self.folder / "approved.xlsx").read_bytes()).out)

    def test_one_bad_row_and_nothing_is_changed(self):
        self.sample()
        path = self.edited({2: self.TEXT.format("approve"), 4: '<c r="REF" t="str"><f>A1</f><v>approve</v></c>', 6: self.TEXT.format("maybe")})
        refused = self.qdedup("review", "import", path, expect=65)
        self.assertEqual([line.removeprefix(f"{path}: ") for line in refused.err.splitlines()], [
            "row 3 of sheet deletions: decision is a formula, which is not calculated: paste it as a value (K3)",
            "row 4 of sheet deletions: decision must be approve, reject or reset (found maybe)"])
        self.assertEqual(set(self.statuses().values()), {"pending"})

    def test_texts_that_were_cut_are_compared_as_far_as_they_go(self):
        self.import_questions({1: "题" + "a" * 40_000, 2: "题" + "a" * 40_000})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        path = self.edited({2: self.TEXT.format("approve")})
        self.assertEqual(self.qdedup("review", "import", path, "--dry-run").out, "dry run, nothing is changed: 1 approved\n")
        for text, becomes in (("题a", "题b"), ("aa… [cut]", "a… [cut]"), ("… [cut]", "")):
            path = self.edited({2: self.TEXT.format("approve")}, text, becomes)
            self.assertIn("row 2 of sheet deletions: the text of 2 in the list is not the one in the bank",
                          self.qdedup("review", "import", path, "--dry-run", expect=65).err)

    def test_what_is_no_such_workbook_is_refused(self):
        self.sample()
        path = self.edited({2: self.TEXT.format("approve")})
        whole = path.read_bytes()
        for name, content, reason in (("half.xlsx", whole[:len(whole) // 2], "is cut off, or no ZIP archive"),
                                      ("more.xlsx", whole + b"\0", "is cut off, or no ZIP archive"),
                                      ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "or one with a password: save it as CSV UTF-8")):
            with self.subTest(name):
                refused = self.qdedup("review", "import", self.write(name, content), expect=65).err
                self.assertIn(f"{name}: is", refused)
                self.assertIn(reason, refused)
        with zipfile.ZipFile(self.folder / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as bomb, zipfile.ZipFile(path) as parts:
            for part in parts.namelist():
                filler = b" " * 100_000_000 if part == "xl/worksheets/sheet1.xml" else b""
                bomb.writestr(part, parts.read(part).replace(b"<sheetData>", b"<sheetData>" + filler))
        self.assertIn("bomb.xlsx: xl/worksheets/sheet1.xml: unpacks to more than 250 times its size",
                      self.qdedup("review", "import", "bomb.xlsx", expect=65).err)
        self.assertEqual(set(self.statuses().values()), {"pending"})

    def test_the_list_is_the_same_each_time(self):
        self.sample()
        self.qdedup("export", "-o", "a.xlsx")
        self.assertEqual((self.folder / "a.xlsx").read_bytes(), self.qdedup("export", "--format", "xlsx").bytes)

    def test_it_is_whole_or_not_there(self):
        self.sample()
        whole = self.qdedup("export", "--format", "xlsx").bytes
        codes = set()
        for blocks in range(1, 100, 4):
            limited = f'ulimit -f {blocks}; exec "$0" --state state export -o limited.xlsx'
            code = subprocess.run(["bash", "-c", limited, QDEDUP], cwd=self.folder, capture_output=True, check=False).returncode
            codes.add(code)
            self.assertEqual((self.folder / "limited.xlsx").exists(), code == 0, blocks)
            if code == 0:
                self.assertEqual((self.folder / "limited.xlsx").read_bytes(), whole)
                (self.folder / "limited.xlsx").unlink()
        self.assertEqual(codes, {0, 74})


class GuardRails(ReviewTest):
    def config_with(self, review):
        return self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[review]\n{review}\n[state]\nfolder = "{self.folder}/state"\n')

    def test_the_policy_approves_what_is_safe(self):
        self.sample(state="none")
        self.assertEqual(set(self.statuses(state="none").values()), {"pending"})
        self.import_questions({1: "甲乙丙丁戊己庚辛", 2: "甲乙丙丁戊己庚辛", 3: "小红比小明多买书多少本", 4: "小红比小明少买书多少本"})
        self.qdedup("run", self.write("a.log", log([1, 2], [3, 4])), config=self.config_with('auto_approve = "safe"'))
        self.assertEqual(self.statuses(), {2: "approved", 4: "pending"})
        self.assertEqual(self.query("SELECT deletion_id, decided_by, old_status, new_status FROM decision"),
                         [(1, "policy", "pending", "approved")])
        self.qdedup("review", "reset", 2, 1)

    def test_the_policy_approves_what_is_safe_up_to_a_risk(self):
        self.sample(state="none")
        risks = {float(row["risk"]) for row in self.listed(state="none")}
        for limit in sorted(risks | {0, 0.0001, 1}):
            state = f"up-to-{limit}"
            self.qdedup("config", "check", self.config_with(f"auto_approve = {limit}"), state=None)
            self.import_questions({1: "甲乙丙丁戊己庚辛", 2: "甲乙丙丁戊己庚辛", 3: "小红比小明多买书多少本", 4: "小红比小明少买书多少本"}, state=state)
            self.qdedup("run", self.write("a.log", log([1, 2], [3, 4])), config=self.config_with(f"auto_approve = {limit}"),
                        state=state)
            for row in self.listed(state=state):
                approved = row["confidence"] == "safe" and float(row["risk"]) <= limit
                self.assertEqual(row["status"], "approved" if approved else "pending", (limit, row))

    def test_a_filter_takes_the_highest_risk(self):
        self.sample()
        highest = max(self.listed(), key=lambda row: float(row["risk"]))
        self.assertEqual(highest["delete_id"], "4")
        safe = max(row["risk"] for row in self.listed("--confidence", "safe"))
        self.assertEqual([row["delete_id"] for row in self.listed("--max-risk", safe)], ["2", "6"])
        self.assertEqual(self.qdedup("review", "approve", "--max-risk", safe).out, "2 approved\n")
        self.assertEqual(self.statuses(), {2: "approved", 4: "pending", 6: "approved"})
        self.assertIn("is not a number from 0 to 1", self.qdedup("review", "approve", "--max-risk", "1%", expect=64).err)

    def test_lists_with_and_without_risks_are_read(self):
        self.sample()
        rows = self.listed()
        rows[0]["decision"] = "approve"
        self.qdedup("review", "import", self.decided(rows))
        rows = [{name: value for name, value in row.items() if name != "risk"} for row in rows]
        rows[0]["decision"], rows[1]["decision"] = "", "reject"
        self.qdedup("review", "import", self.decided(rows))
        self.assertEqual(self.statuses(), {2: "approved", 4: "rejected", 6: "pending"})

    def repoint(self, review, text="小红比小明少买书多少本"):
        """Deletion 200>100, approved as safe by the policy; then the log of an iteration that re-points it to 10."""
        many = "小红比小明多买书多少本"
        self.import_questions({100: many, 200: many})
        self.qdedup("run", self.write("a.log", log([100, 200])), config=self.config_with('auto_approve = "safe"'))
        self.assertEqual(self.statuses(), {200: "approved"})
        self.import_questions({10: text})
        self.qdedup("run", self.write("b.log", log([10, 100])), config=self.config_with(review))
        self.qdedup("verify")
        self.assertEqual(self.query("SELECT keep_id FROM deletion ORDER BY id"), [(10,), (10,)])
        return self.query("SELECT status FROM deletion ORDER BY id"), self.query("SELECT * FROM decision WHERE id > 1")

    def test_an_approval_does_not_go_over_to_a_doubtful_pair(self):
        statuses, decisions = self.repoint('auto_approve = "safe"')
        self.assertEqual(statuses, [("pending",), ("pending",)])
        self.assertEqual([decision[3:7] for decision in decisions], [("qdedup", "approved", "pending", "re-pointed")])
        self.assertEqual(self.listed("--iteration", 1, "--status", "approved"), [])
        self.assertEqual(self.qdedup("review", "approve", 200, 10).out, "1 approved\n")
        self.qdedup("verify")

    def test_an_approval_goes_over_to_a_safe_pair_by_the_policy_alone(self):
        self.assertEqual(self.repoint('auto_approve = "safe"', "小红比小明多买书多少本")[0], [("approved",), ("approved",)])

    def test_no_approval_goes_over_where_people_decide(self):
        self.assertEqual(self.repoint("", "小红比小明多买书多少本")[0], [("pending",), ("pending",)])

    def test_no_approval_goes_over_in_an_iteration_that_is_held(self):
        held = 'auto_approve = "safe"\nmax_deletions_per_iteration = "1%"'
        self.assertEqual(self.repoint(held, "小红比小明多买书多少本")[0], [("pending",), ("pending",)])

    def test_an_iteration_with_too_many_deletions_is_held(self):
        config = self.config_with('auto_approve = "safe"\nmax_deletions_per_iteration = "40%"')
        self.import_questions({1: "甲乙丙甲乙丙甲乙丙", 2: "甲乙丙甲乙丙甲乙丙", 3: "一二三一二三一二三", 4: "一二三一二三一二三", 5: "另"})
        self.qdedup("run", self.write("a.log", log([1, 2], [3, 4])), config=config)
        self.assertEqual(set(self.statuses().values()), {"approved"})
        self.import_questions({6: "另", 7: "另", 8: "另"})
        ran = self.qdedup("run", self.write("b.log", log([5, 6, 7, 8])), config=config)
        self.assertNotIn("held until", ran.out)
        self.import_questions({i: "又" * 8 for i in range(11, 31)})
        ran = self.qdedup("run", self.write("c.log", log(list(range(11, 31)))), config=config)
        self.assertIn("held until `qdedup review release 3`", ran.out)
        self.assertIn("\n  iteration 3 lists more than", self.qdedup("status").out)
        self.assertEqual(self.qdedup("status", "--json").json()["held_iterations"], [3])
        self.assertIn("  held  ", self.qdedup("iterations").out)
        self.assertEqual([i["withheld"] for i in self.qdedup("--json", "iterations").json()], [False, False, True])
        self.assertEqual(set(self.statuses().values()), {"pending"})
        self.assertIn("iteration 3 is held", self.qdedup("review", "approve", 12, 11, expect=65).err)
        self.assertEqual(self.qdedup("review", "approve", "--confidence", "safe", expect=65).out,
                         "no change\n  refused 19: iteration 3 is held; see `qdedup review release`\n")
        self.qdedup("review", "reject", 12, 11)
        self.assertEqual(self.listed("--status", "approved"), [])
        self.assertEqual(self.qdedup("review", "release", 3, "--by", "ann").out,
                         "iteration 3: released; its deletions can be approved\n")
        self.qdedup("review", "release", 3, expect=66)
        self.assertEqual(self.qdedup("status", "--json").json()["held_iterations"], [])
        self.assertEqual(self.query("SELECT released_by, withheld FROM iteration WHERE id = 3"),
                         [(f"ann (as {getpass.getuser()})", 0)])
        self.assertEqual(self.qdedup("review", "approve", "--confidence", "safe").out, "18 approved\n")

    def test_a_number_is_a_limit_too(self):
        self.import_questions({1: "甲", 2: "甲", 3: "甲"})
        ran = self.qdedup("run", self.write("a.log", log([1, 2, 3])), config=self.config_with("max_deletions_per_iteration = 1"))
        self.assertIn("held", ran.out)
        released = self.qdedup("--json", "review", "release", 1, "--by", "ann").json()
        self.assertEqual(released, {"iteration": 1, "released_by": f"ann (as {getpass.getuser()})"})

    def approve_four(self):
        self.import_questions({i: text for i in range(1, 9, 2) for text in [f"{i}{'甲乙丙丁'[i // 2] * 8}"]})
        self.import_questions({i + 1: text for i in range(1, 9, 2) for text in [f"{i}{'甲乙丙丁'[i // 2] * 8}"]})
        self.qdedup("run", self.write("a.log", log([1, 2], [3, 4], [5, 6], [7, 8])))
        self.qdedup("review", "approve", "--confidence", "safe")

    def change_the_bank(self):
        self.import_questions({2: "1乙"})
        self.qdedup("import", "--remove", self.write("gone.txt", "3\n6\n"))

    def check_what_leaves(self, exported):
        """2 changed, and 4 lost its keeper; 6 has left the bank, which harms nobody."""
        self.assertIn("2 approved deletions withdrawn, no longer valid:\n  keeper-gone: 1\n  text-changed: 1",
                      exported.err)
        self.assertEqual(self.statuses(), {2: "withdrawn", 4: "withdrawn", 6: "approved", 8: "approved"})
        self.assertEqual(self.query("SELECT decided_by, old_status, new_status, note FROM decision WHERE new_status = 'withdrawn'"
                                    " ORDER BY id"), [("qdedup", "approved", "withdrawn", "text-changed"),
                                                      ("qdedup", "approved", "withdrawn", "keeper-gone")])

    def test_what_was_approved_is_checked_before_it_leaves(self):
        self.approve_four()
        self.change_the_bank()
        exported = self.qdedup("export", "--status", "approved", "-o", self.folder / "out.csv")
        self.check_what_leaves(exported)
        rows = list(csv.DictReader(io.StringIO((self.folder / "out.csv").read_text("utf-8-sig"), newline="")))
        self.assertEqual([row["delete_id"] for row in rows], ["6", "8"])
        undo = [json.loads(line) for line in (self.folder / "out.csv.undo.jsonl").read_text().splitlines()]
        self.assertEqual(undo, [{"id": 8, "text": "7丁丁丁丁丁丁丁丁", "keep_id": 7}])
        self.assertIn("1 question left the bank before", exported.err)
        self.assertEqual(self.qdedup("export", "--status", "approved", "--quiet").err, "")

    def refused_as_applied(self, reason):
        refused = self.qdedup("applied", "--strict", self.folder / "approved.csv", expect=65).err
        self.assertIn(f"8 {reason}; if it was deleted, put it back", refused)
        self.assertEqual(self.statuses()[8], "approved")

    def test_what_lost_its_twin_was_not_carried_out(self):
        self.approve_four()
        self.qdedup("export", "--status", "approved", "-o", self.folder / "approved.csv")
        kept = {"id": 7, "text": "7丁丁丁丁丁丁丁丁"}
        self.import_questions({7: "7丁丁丁丁丁丁丁"})
        self.refused_as_applied("was to be deleted in favour of one that has another text by now")
        self.qdedup("import", "--remove", self.write("gone.txt", "7\n"))
        self.refused_as_applied("was to be deleted in favour of one that has left the bank")
        self.qdedup("import", "-", stdin=json.dumps(kept | {"answer": "1"}).encode())
        self.qdedup("import", "-", stdin=json.dumps(kept | {"id": 8, "answer": "2"}).encode())
        self.refused_as_applied("has an answer by now that contradicts the one of the question that is kept")
        self.qdedup("import", "-", stdin=json.dumps(kept | {"id": 8, "answer": " "}).encode())
        self.assertEqual(self.qdedup("applied", "--strict", self.folder / "approved.csv").out, "1 applied; 3 were so already\n")

    def test_what_came_back_as_it_was_can_be_carried_out(self):
        self.approve_four()
        self.qdedup("import", "--remove", self.write("gone.txt", "6\n8\n"))
        self.qdedup("export", "--status", "approved", "-o", self.folder / "approved.csv")
        self.import_questions({6: "5丙丙丙丙丙丙丙丙", 8: "7丁丁丁丁丁丁丁乙"})
        self.qdedup("applied", "--strict", self.folder / "approved.csv", expect=65)
        self.assertEqual(self.statuses(), {2: "applied", 4: "applied", 6: "applied", 8: "approved"})

    def test_answers_that_came_later_and_contradict_each_other_stop_it_once(self):
        self.approve_four()
        rows = [(7, "3"), (8, "4"), (5, "2"), (6, " 2")]
        answered = [{"id": i, "text": f"{(i - 1) // 2 * 2 + 1}{'甲乙丙丁'[(i - 1) // 2] * 8}", "answer": answer} for i, answer in rows]
        self.qdedup("import", "-", stdin="".join(json.dumps(row) + "\n" for row in answered).encode())
        for written_as in ("csv", "html"):
            self.assertIn("1 approved deletion of the list must not be applied", self.qdedup("export", "--format", written_as).err)
        exported = self.qdedup("export", "--status", "approved", "-o", "/dev/fd/1")
        self.assertIn("1 approved deletion withdrawn, no longer valid:\n  answer-differs: 1", exported.err)
        self.assertEqual(self.statuses(), {2: "approved", 4: "approved", 6: "approved", 8: "withdrawn"})
        self.qdedup("iterate")
        self.assertEqual([(row["delete_id"], row["reasons"]) for row in self.listed("--status", "pending")], [("8", "answer-differs")])
        self.qdedup("review", "approve", 8, 7)
        self.assertNotIn("withdrawn", self.qdedup("export", "--status", "approved").err)

    def test_what_was_withdrawn_is_decided_anew(self):
        self.approve_four()
        self.change_the_bank()
        self.qdedup("export", "--status", "approved")
        self.import_questions({2: "1甲甲甲甲甲", 1: "1甲甲甲甲乙"})
        self.qdedup("iterate")
        self.assertEqual(self.pairs("--iteration", 2), [(2, 1)])
        self.assertIn("nothing new", self.qdedup("iterate").out)

    def test_what_was_withdrawn_and_then_removed_makes_no_iteration(self):
        self.approve_four()
        self.qdedup("sweep")
        self.import_questions({2: "1乙"})
        self.qdedup("sweep")
        self.import_questions({4: "3甲"})
        self.qdedup("export", "--status", "approved")
        self.qdedup("import", "--remove", self.write("gone.txt", "4\n"))
        before = self.query("SELECT max(id) FROM iteration")
        self.qdedup("sweep")
        self.qdedup("iterate")
        self.assertEqual(self.query("SELECT max(id) FROM iteration"), before)

    def test_the_same_while_a_daemon_works(self):
        self.approve_four()
        self.change_the_bank()
        daemon = Daemon(self, self.config_with(""))
        exported = self.qdedup("export", "--status", "approved", "-o", "out.csv")
        self.check_what_leaves(exported)
        self.assertTrue((self.folder / "out.csv").exists())
        self.assertTrue((self.folder / "out.csv.undo.jsonl").exists())
        daemon.stop()

    def test_the_undo_list_puts_questions_back(self):
        self.import_questions({1: "=甲", 2: "=甲"})
        self.qdedup("import", "--format", "jsonl", "-", stdin=b'{"id":3,"text":"=\\u7532","answer":"7"}\n')
        self.qdedup("run", self.write("a.log", log([1, 2, 3])))
        self.qdedup("review", "approve", "--iteration", 1)
        self.qdedup("export", "--undo", "-o", self.folder / "undo.jsonl")
        for arguments in (["-o", "undo.csv"], ["-o", "undo.XLSX"], ["-o", "undo.xls"], ["--format", "html", "-o", "undo.jsonl"], ["--format", "csv"]):
            self.assertIn("take jsonl", self.qdedup("export", "--undo", *arguments, expect=64).err)
        self.qdedup("export", "--undo", "-o", self.folder / "undo")
        self.qdedup("applied", "-", stdin=b"2\n3\n")
        self.assertEqual(self.qdedup("export", "--undo").bytes, (self.folder / "undo.jsonl").read_bytes())
        self.qdedup("import", "--remove", self.write("gone.txt", "2\n3\n"))
        self.assertIn("2 inserted", self.qdedup("import", self.folder / "undo.jsonl").out)
        self.assertEqual(self.query("SELECT count(*) FROM deletion WHERE status = 'applied'"), [(2,)])
        self.assertIn("nothing new", self.qdedup("iterate").out)

    def test_an_undo_list_that_has_other_questions_is_kept(self):
        self.import_questions({1: "=甲", 2: "=甲", 7: "=乙", 8: "=乙"})
        self.qdedup("run", self.write("a.log", log([1, 2]) + log([7, 8])))
        self.qdedup("review", "approve", "8", "7")
        undo, kept = self.folder / "out.csv.undo.jsonl", self.folder / "out.csv.undo.jsonl.~1~"
        for _ in range(2):
            self.assertNotIn("kept", self.qdedup("export", "--status", "approved", "-o", self.folder / "out.csv").err)
        first = undo.read_bytes()
        self.qdedup("applied", self.folder / "out.csv")
        self.qdedup("import", "--remove", self.write("gone", "8\n"))
        self.qdedup("review", "approve", "2", "1")
        self.assertIn(f"it is kept as {kept}", self.qdedup("export", "--status", "approved", "-o", self.folder / "out.csv").err)
        self.assertEqual(kept.read_bytes(), first)
        self.assertEqual([json.loads(line)["id"] for line in undo.read_text().splitlines()], [2])
        undo.unlink()
        (self.folder / "elsewhere").mkdir()
        real = self.write("elsewhere/undo", first.decode())
        undo.symlink_to(real)
        self.qdedup("export", "--status", "approved", "-o", self.folder / "out.csv")
        self.assertEqual((self.folder / "elsewhere/undo.~1~").read_bytes(), first)
        undo.unlink()
        undo.write_text("my notes")
        self.qdedup("export", "--status", "approved", "-o", self.folder / "out.csv")
        self.assertEqual((self.folder / "out.csv.undo.jsonl.~2~").read_text(), "my notes")
        for number, there in enumerate((b'{"id":2}\n{"id":2}\n', gzip.compress(b'{"id":2}\n'), b'{"id":2}\n' + bytes(1 << 21)), 3):
            undo.write_bytes(there)
            self.qdedup("export", "--status", "approved", "-o", self.folder / "out.csv")
            self.assertEqual((self.folder / f"out.csv.undo.jsonl.~{number}~").read_bytes(), there)

    def test_a_list_and_its_undo_list_are_of_one_moment(self):
        self.sample()
        self.qdedup("review", "approve", 2, 1)
        for name in ("out.csv", "out.csv.undo.jsonl"):
            os.mkfifo(self.folder / name)
        with subprocess.Popen([QDEDUP, "--state", self.folder / "state", "export", "--status", "approved", "-o",
                               self.folder / "out.csv", "--quiet"]) as export:
            undo = (self.folder / "out.csv.undo.jsonl").read_text()
            self.qdedup("review", "approve", 6, 5)
            self.import_questions({2: "另一道"})
            rows = list(csv.DictReader(io.StringIO((self.folder / "out.csv").read_text("utf-8-sig"), newline="")))
        self.assertEqual(export.returncode, 0)
        self.assertEqual([json.loads(line)["id"] for line in undo.splitlines()], [2])
        self.assertEqual([(row["delete_id"], row["delete_text"]) for row in rows], [("2", "甲乙丙丁戊己庚辛")])

    def test_no_command_makes_a_state_but_those_that_bring_questions_or_logs(self):
        listed, ids = self.write("list.csv", "delete_id,keep_id,decision\n"), self.write("ids.txt", "1\n")
        for command in (["export", "--status", "approved"], ["expire", "--days", 1], ["forget", "a.log"], ["forget", "--undo", "a.log"],
                        ["acknowledge", "--all"], ["review", "approve", 2, 1], ["review", "import", listed], ["review", "release", 1],
                        ["applied", ids], ["learn"], ["learn", "--undo"], ["iterate"], ["sweep"], ["import", "--remove", ids],
                        ["check", "--add", ids]):
            self.assertIn("qdedup.db: does not exist", self.qdedup(*command, expect=66).err)
            self.assertFalse((self.folder / "state").exists(), command)

    def test_what_two_lists_have_in_common(self):
        self.import_questions({1: "甲乙丙甲乙丙甲乙丙", 5: "甲乙丙甲乙丙甲乙丙", 9: "甲乙丙甲乙丙甲乙丙", 10: "一一一一一一一一", 11: "一一一一一一一一"})
        self.qdedup("run", self.write("a.log", log([5, 9], [10, 11])))
        self.import_questions({9: "另一道"})
        self.qdedup("iterate")
        self.import_questions({9: "甲乙丙甲乙丙甲乙丙"})
        self.qdedup("run", self.write("b.log", log([1, 5, 9])))
        self.assertEqual(self.qdedup("diff", 1, 3).out, "where\tdelete_id\tfirst_keep_id\tsecond_keep_id\n"
                         "only-second\t5\t\t1\nother-keeper\t9\t5\t1\nonly-first\t11\t10\t\n")
        self.assertEqual(self.qdedup("--json", "diff", 1, 1).json(),
                         {"same": 2, "other_keeper": 0, "only_first": 0, "only_second": 0})
        self.qdedup("diff", 1, 7, expect=66)
        self.qdedup("diff", 1, expect=64)


if __name__ == "__main__":
    main()
