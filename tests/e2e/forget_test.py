"""Logs that people take out again, losses that they acknowledge, and logs by pattern in what is shown."""

import gzip
import json
import re
import shutil

import program
from daemon import Daemon, Lease, UnixConnection


def lines(begin, end):
    return "".join(f"[[{2 * i + 2},0.9],[{2 * i + 1},0.8]]\n" for i in range(begin, end))


class ForgetTest(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.import_questions({i: f"第{i}题" for i in range(1, 50)})
        self.wrong = self.write("wrong.log", lines(0, 20) + "no list\n")
        self.right = self.write("right.log", lines(100, 110))

    def mine(self, *logs):
        return self.qdedup("mine", *logs)

    def test_logs_are_shown_by_name(self):
        names = [f"{name}.log" for name in "zaqm"]
        for name in names:
            self.qdedup("mine", self.write(name, f'[[1,0.9],[2,0.8]]\n{name}\n'))
        shown = [line.split(":")[0].strip() for line in self.qdedup("status", "--logs").out.splitlines() if ".log: " in line]
        self.assertEqual(shown, sorted(str(self.folder / name) for name in names))

    def status(self):
        return self.qdedup("status", "--json").json()

    def test_a_wrong_log_goes_with_all_that_was_mined_of_it(self):
        self.mine(self.wrong, self.right)
        trial = self.qdedup("forget", "--dry-run", self.wrong, "--json").json()
        (gone,) = trial["forgotten"]
        self.assertLessEqual(gone.pop("first_seen_at"), gone.pop("last_mined_at"))
        self.assertEqual(gone, {"path": str(self.wrong), "lines": 21, "selected": 20, "rejected": 1})
        trial = self.qdedup("forget", "--dry-run", self.wrong)
        self.assertRegex(trial.out, r"wrong\.log: 21 lines would be forgotten \(20 selected, 1 rejected\), mined from 20\S+ to 20\S+\n$")
        self.assertEqual(self.status()["mined"]["lines"], 31)
        done = self.qdedup("forget", self.wrong)
        self.assertRegex(done.out, r"wrong\.log: 21 lines forgotten \(20 selected, 1 rejected\), .*; it is left out from now on")
        status = self.status()
        self.assertEqual((status["mined"]["lines"], status["mined"]["rejected"], status["waiting_lists"]), (10, {}, 10))
        self.assertEqual([log["path"] for log in status["logs"]], [str(self.right)])
        self.assertEqual([log["path"] for log in status["forgotten_logs"]], [str(self.wrong)])
        self.assertRegex(self.qdedup("status").out, r"wrong\.log: left out, forgotten by \S+ on 20")
        self.qdedup("verify")

    def test_it_is_left_out_by_any_name(self):
        self.mine(self.wrong, self.right)
        self.qdedup("forget", self.wrong)
        said = self.mine(self.wrong)
        self.assertIn("wrong.log: is left out, as somebody forgot this log", said.err)
        self.assertTrue(self.qdedup("mine", "--json", self.wrong).json()["logs"][0]["left_out"])
        copy = self.write("copy.log", self.wrong.read_bytes())
        self.mine(copy)
        with open(self.wrong, "a", encoding="utf-8") as log:
            log.write(lines(20, 30))
        self.mine(self.wrong)
        packed = self.write("wrong.log.2.gz", gzip.compress(self.wrong.read_bytes()))
        self.wrong.rename(self.folder / "wrong.log.1")
        copy.unlink()
        self.mine(packed, self.folder / "wrong.log.1")
        (self.folder / "wrong.log.1").unlink()
        self.mine(packed)
        self.qdedup("run", packed, expect=None)
        self.assertEqual(self.status()["mined"]["lines"], 10)
        self.assertEqual([log["path"] for log in self.status()["forgotten_logs"]], [str(packed)])
        self.write("wrong.log", lines(200, 203))
        self.mine(self.write("search.log.2", lines(0, 20) + "no list\n" + lines(20, 40)))
        self.assertEqual(self.status()["mined"]["lines"], 10)
        said = self.mine(self.wrong)
        self.assertEqual(self.status()["mined"]["lines"], 13)
        self.assertNotIn("lost", said.err)

    def test_it_can_be_taken_back(self):
        self.mine(self.wrong, self.right)
        self.qdedup("forget", self.wrong)
        self.assertIn("1 log taken back", self.qdedup("forget", "--undo", self.wrong).out)
        self.mine(self.wrong)
        self.assertEqual(self.status()["mined"]["lines"], 31)
        self.assertEqual(self.status()["forgotten_logs"], [])
        self.assertIn("is left out", self.qdedup("forget", "--undo", self.wrong, expect=66).err)

    def test_what_an_iteration_consumed_is_refused(self):
        self.mine(self.wrong)
        self.qdedup("iterate")
        self.mine(self.right)
        said = self.qdedup("forget", self.wrong, self.right, expect=65).err
        self.assertIn("wrong.log: cannot be forgotten, iteration 1 consumed evidence of it; nothing was changed", said)
        self.assertEqual(self.status()["mined"]["lines"], 31)
        self.qdedup("forget", self.right)
        self.assertEqual(self.status()["waiting_lists"], 0)

    def test_a_log_that_took_the_place_of_another(self):
        self.mine(self.right)
        self.right.rename(self.folder / "elsewhere")
        (self.folder / "elsewhere").unlink()
        self.qdedup("mine", self.write("right.log", "no list\n" * 3), expect=65)
        said = self.qdedup("forget", "--dry-run", self.right).out
        self.assertRegex(said, r"10 lines would be forgotten .*, mined from 20(.*\n)*.*3 lines would be forgotten .*, mined from 20")
        self.assertIn("has nothing new, and all that was mined of it was rejected", self.mine(self.right).err)

    def test_unknown_names(self):
        self.qdedup("mine", "wrong.log")
        said = self.qdedup("forget", "worng.log", expect=66).err
        self.assertIn(f'no log of that name is mined (did you mean "{self.wrong}"?); `qdedup status --logs` lists them', said)
        self.qdedup("acknowledge", "wrong.log", expect=66)
        self.qdedup("forget", expect=64)
        self.qdedup("acknowledge", expect=64)

    def test_losses_are_acknowledged_and_new_ones_shown(self):
        self.mine(self.right)
        self.right.write_text(lines(300, 320))
        self.mine(self.right)
        self.assertRegex(self.qdedup("status").out, r"right\.log, possible loss; `qdedup acknowledge`")
        self.assertEqual(self.qdedup("acknowledge", self.right, "--json").json(), {"acknowledged": [str(self.right)]})
        self.assertNotIn("possible loss", self.qdedup("status").out)
        self.assertRegex(self.qdedup("status", "--logs").out, r"right\.log: .*, acknowledged by \S+ on 20")
        self.right.write_text(lines(400, 430))
        self.mine(self.right)
        self.assertIn("possible loss", self.qdedup("status").out)
        self.qdedup("acknowledge", "--all")
        self.assertFalse(any(log["possible_loss"] for log in self.status()["logs"]))
        self.assertIn("nothing to acknowledge", self.qdedup("acknowledge", "--all").out)

    def test_logs_are_shown_by_pattern(self):
        for number in range(1, 4):
            self.write(f"search.log.{number}", lines(1000 * number, 1000 * number + number))
        self.mine(self.right, *[f"{self.folder}/search.log.{number}" for number in range(1, 4)])
        said = self.qdedup("status").out
        self.assertRegex(said, r"\n  \S+/search\.log: 3 logs, 6 lines \(6 selected, 0 rejected\), .* B, last 20")
        self.assertNotIn("search.log.1", said)
        self.assertIn("search.log.1: 1 line ", self.qdedup("status", "--logs").out)
        config = self.write("qdedup.toml", f'[logs]\npaths = ["{self.folder}/*.log*"]\n')
        patterns = self.qdedup("status", "--json", config=config).json()["log_patterns"]
        self.assertEqual([(row["pattern"], row["logs"], row["lines"]) for row in patterns],
                         [(f"{self.folder}/*.log*", 4, 16)])


class ForgetBesideTheDaemonTest(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.import_questions({i: f"第{i}题" for i in range(1, 50)})
        (self.folder / "logs").mkdir()
        self.log = self.write("logs/a.log", lines(0, 20))
        self.pattern = f"{self.folder}/logs/*.log*"
        self.config = self.write("qdedup.toml", f'''
[logs]
paths = ["{self.pattern}"]
[tail]
poll_seconds = 3600
[schedule]
every = "off"
[state]
folder = "{self.folder}/state"
''')
        self.daemon = Daemon(self, self.config)
        self.daemon.wait_until_mined(20)

    def append(self, log, text):
        with open(log, "a", encoding="utf-8") as file:
            file.write(text)

    def test_a_log_of_which_all_is_rejected_is_named_once(self):
        self.write("logs/b.log", "no list\n" * 3)
        self.daemon.wait_until_said("b.log: all of its 3 lines so far were rejected, most as bad_json; does [logs] format fit it?")
        self.append(self.folder / "logs/b.log", "no list\n" * 3)
        self.daemon.wait_until_mined(26)
        self.assertEqual(self.daemon.said().count("does [logs] format fit it?"), 1)

    def lines_mined(self):
        return self.qdedup("status", "--json").json()["mined"]["lines"]

    def test_the_daemon_drops_it_and_goes_on_with_others(self):
        self.qdedup("forget", self.log)
        self.daemon.wait_until_said("has given the lease back: its process is done with it; lines 20, logs 1")
        self.daemon.wait_until_said("a.log: was forgotten by ")
        self.append(self.log, lines(20, 30))
        other = self.write("logs/b.log", lines(100, 105))
        self.daemon.wait_until_mined(5)
        self.log.rename(self.folder / "logs/a.log.1")
        self.write("logs/a.log", lines(200, 207))
        self.daemon.wait_until_mined(12)
        self.append(other, lines(105, 110))
        self.daemon.wait_until_mined(17)
        self.assertEqual(self.lines_mined(), 17)
        self.assertEqual(self.daemon.metric("qdedup_possible_loss_logs"), 0)
        self.daemon.wait_until(lambda daemon: "a.log.1: left out" in self.qdedup("status").out)
        self.qdedup("forget", "--undo", f"{self.folder}/logs/a.log.1")
        self.daemon.wait_until_mined(47)
        self.daemon.stop()
        self.assertEqual(self.lines_mined(), 47)
        self.assertIn("forget of ", self.daemon.said())

    def test_losses_count_until_they_are_acknowledged(self):
        def cut(begin, end):
            self.log.write_text(lines(begin, end))
            self.daemon.wait_until(lambda daemon: daemon.metric("qdedup_possible_loss_logs") == 1)
        cut(300, 310)
        name = f'qdedup_log_possible_loss{{path="{self.log}"}}'
        self.assertEqual(self.daemon.metric(name), 1)
        self.qdedup("acknowledge", self.log)
        self.assertEqual(self.daemon.metric("qdedup_possible_loss_logs"), 0)
        self.assertNotIn(name, self.daemon.get("/metrics")[1])
        self.append(self.log, lines(310, 315))
        self.daemon.wait_until_mined(35)
        self.assertEqual(self.daemon.metric("qdedup_possible_loss_logs"), 0)
        cut(400, 405)
        self.assertRegex(self.daemon.said(), r"acknowledge of \S+ \(process \d+\) has given the lease back: .*; logs 1\n")

    def test_metrics_are_by_pattern(self):
        for number in range(3):
            self.write(f"logs/a.log.{number}", lines(1000 * (number + 1), 1000 * (number + 1) + 5))
        self.daemon.wait_until_mined(35)
        pattern = f'{{pattern="{self.pattern}"}}'
        self.daemon.wait_until(lambda daemon: daemon.metric("qdedup_logs" + pattern) == 4)
        self.daemon.wait_until(lambda daemon: daemon.metric("qdedup_log_lag_bytes" + pattern) == 0)
        self.assertGreater(self.daemon.metric("qdedup_log_last_mined_timestamp_seconds" + pattern), 1.7e9)
        self.assertNotIn("path=", self.daemon.get("/metrics")[1])

    def test_the_journal_has_who_did_what_with_which_counts(self):
        def expect(command, counts):
            line = rf"{command} of \S+ \(process \d+\) has given the lease back: its process is done with it; {counts}\n"
            self.daemon.wait_until(lambda daemon: re.search(line, daemon.said()))
        done = self.qdedup("import", program.EXAMPLES / "bank.jsonl", "--json").json()
        expect("import", f"inserted {done['inserted']}, replaced {done['replaced']}, rows {done['rows']}")
        for log in program.SAMPLE_LOGS:
            shutil.copy(log, self.folder / log.name)
        mined = self.qdedup("mine", *[log.name for log in program.SAMPLE_LOGS], "--json").json()
        expect("mine", f"lines {mined['lines']}, rejected {sum(mined['rejected'].values())}, "
                       f"selected {mined['selected']}, unselected {mined['unselected']}")
        made = self.qdedup("iterate", "--json").json()
        expect("iterate", f"deletions {made['deletions']}, iteration 1, .*")
        self.qdedup("iterate")
        expect("iterate", "nothing to do")
        self.qdedup("sweep")
        expect("sweep", "nothing to do")  # the logs led to all there are
        rows = self.listed("--iteration", "1")
        self.qdedup("review", "approve", rows[0]["delete_id"], rows[0]["keep_id"])
        expect("review", "approved 1")
        approved = self.write("approved.tsv", self.qdedup("export", "--status", "approved", "--format", "tsv",
                                                          "--iteration", "1").bytes)
        self.qdedup("applied", approved)
        expect("applied", "applied 1")
        self.decide_on_the_page(rows[1])
        self.daemon.wait_until_said("1 rejected")
        self.assertRegex(self.daemon.said(), r"review page of \S+: 1 rejected\n")

    def decide_on_the_page(self, row):
        connection = UnixConnection(self.daemon.state / "qdedupd.sock")
        decision = {"iteration": int(row["iteration"]), "question": row["delete_id"], "keeper": row["keep_id"],
                    "seen": "pending", "decision": "reject"}
        connection.request("POST", "/api/review/decisions", json.dumps({"decisions": [decision]}),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200, answer.read())
        connection.close()

    def test_notes_of_a_lease_are_its_own_and_plain(self):
        lease = Lease(self.daemon)
        number = lease.granted()

        def note(body):
            connection = UnixConnection(self.daemon.state / "qdedupd.sock")
            connection.request("POST", "/api/lease/note", json.dumps(body), {"Content-Type": "application/json"})
            status = connection.getresponse().status
            connection.close()
            return status
        self.assertEqual(note({"lease": number, "counts": {"rows": 5}}), 200)
        self.assertEqual(note({"lease": "another", "counts": {"rows": 6}}), 409)
        for counts in ({"x\ny": 1}, {"": 1}, {"rows": -1}, {"rows": "7"}, {"rows": 1.5}, 3, {f"r{'x' * i}": i for i in range(17)}):
            self.assertEqual(note({"lease": number, "counts": counts}), 400, counts)
        lease.close()
        self.daemon.wait_until_said("its process is done with it; rows 5\n")


if __name__ == "__main__":
    program.main()
