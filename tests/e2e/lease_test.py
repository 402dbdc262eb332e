"""Commands that change the state beside a daemon: as without one, one after the other, with its leave."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import unittest

import program
from daemon import Daemon, Lease, UnixConnection

DAEMON_USER = 543  # a service's
MEMBER, STRANGER = 54322, 54323
# None of them has a name on this machine.
GROUP = 54320


class LeaseTest(program.ProgramTest):
    def setUp(self):
        super().setUp()
        for number, log in enumerate(program.SAMPLE_LOGS):
            shutil.copy(log, self.folder / log.name)
        self.config = self.write("qdedup.toml", f'''
[schedule]
every = "off"
[state]
folder = "{self.folder}/state"
''')

    def start(self):
        return Daemon(self, self.config)

    def both(self, *arguments, stdin=None, expect=0):
        """Runs a command where a daemon works, and where none does: it says the same."""
        beside = self.qdedup(*arguments, stdin=stdin, expect=expect)
        alone = self.qdedup(*arguments, stdin=stdin, expect=expect, state="alone")
        self.assertEqual(beside.code, alone.code)
        self.assertEqual((self.without_times(beside.out), self.without_progress(beside.err).replace("/state/", "/alone/")),
                         (self.without_times(alone.out), self.without_progress(alone.err)))
        return beside

    @staticmethod
    def without_progress(text):
        """Without what a busy machine makes of it: what takes longer than ten seconds, the end of its own first lease, and what the
        daemon has begun by itself."""
        text = re.sub(r"^qdedup: waits until the daemon is done with: [a-z ]+\n", "", text, flags=re.MULTILINE)
        return re.sub(r"^[a-z ]+: [0-9,.]+ [a-zA-Z]+ \([0-9]+ %\).*\n", "", text, flags=re.MULTILINE)

    @staticmethod
    def without_times(text):
        """JSON without the moments at which things were done."""
        def strip(value):
            if isinstance(value, dict):
                return {key: strip(inner) for key, inner in value.items() if not key.endswith("_at")}
            return value
        return json.dumps(strip(json.loads(text))) if text.startswith("{") else text

    def test_each_command_says_and_does_the_same(self):
        daemon = self.start()
        bank = (program.EXAMPLES / "bank.jsonl").read_bytes()
        self.both("import", program.EXAMPLES / "bank.jsonl")
        self.both("import", "-", "--format", "jsonl", stdin=bank)
        self.both("import", program.EXAMPLES / "questions.csv", "--remove", program.EXAMPLES / "remove.txt")
        self.both("mine", *[log.name for log in program.SAMPLE_LOGS[:2]])
        self.both("iterate")
        self.both("--json", "mine", program.SAMPLE_LOGS[2].name)
        self.both("iterate", "--json")
        self.both("iterate")
        self.assertEqual(self.qdedup("export").bytes, self.qdedup("export", state="alone").bytes)
        daemon.stop()
        self.assertEqual(daemon.said().count("error"), 0)

    def test_run_in_one_go_does_the_same(self):
        daemon = self.start()
        self.both("import", program.EXAMPLES / "bank.jsonl")
        self.both("run", *[log.name for log in program.SAMPLE_LOGS])
        self.assertEqual(self.qdedup("export").bytes, self.qdedup("export", state="alone").bytes)
        daemon.stop()

    def test_errors_are_the_same(self):
        daemon = self.start()
        self.both("mine", program.SAMPLE_LOGS[2].name)
        self.both("iterate", expect=66)
        self.both("import", "nothing-here.jsonl", expect=66)
        self.both("mine", "nothing-here.log", expect=66)
        self.both("mine", "-", expect=64)
        self.both("import", self.folder, expect=None)
        self.both("import", "-", "--format", "csv", stdin=b"id,text\n1,\"a\n\xff\"\nx,y\n2,b\n")
        self.both("import", "-", "--format", "csv", "--strict", stdin=b"id,text\nx,y\n", expect=65)
        self.write("bad\u2028name.jsonl", b'{"id":1}\n')
        self.both("import", "bad\u2028name.jsonl")
        daemon.stop()

    def test_the_config_of_the_command_counts(self):
        daemon = self.start()
        strict = self.write("strict.toml", "[selection]\nmin_top_score = 0.9\n")
        self.both("import", program.EXAMPLES / "bank.jsonl")
        beside = self.qdedup("mine", program.SAMPLE_LOGS[2].name, config=strict)
        alone = self.qdedup("mine", program.SAMPLE_LOGS[2].name, config=strict, state="alone")
        self.assertEqual(beside.out, alone.out)
        daemon.stop()

    def test_the_daemons_config_counts_where_the_command_has_none(self):
        self.config.write_text(self.config.read_text() + "[selection]\nmin_top_score = 0.9\n")
        daemon = self.start()
        self.qdedup("import", program.EXAMPLES / "bank.jsonl")
        beside = self.qdedup("mine", program.SAMPLE_LOGS[2].name)
        self.qdedup("import", program.EXAMPLES / "bank.jsonl", state="alone")
        alone = self.qdedup("mine", program.SAMPLE_LOGS[2].name, state="alone", config=self.config)
        self.assertEqual(beside.out, alone.out)
        daemon.stop()

    def test_who_asks_what_is_alike_goes_by_the_daemons_rules(self):
        self.config.write_text(self.config.read_text() + "[refine]\nmin_similarity = 95\n")
        daemon = self.start()
        text = "一本故事书有240页，小华每天看30页，看完这本书一共需要多少天？"
        self.import_questions({1: text, 2: text.replace("一共", "")})
        new = self.write("new.jsonl", json.dumps({"id": 3, "text": text.replace("一共", "")}))
        pairs = self.write("pairs.tsv", "small_id\tlarge_id\tlabel\n1\t2\tsame\n")
        for words in (("check", new), ("explain", "1", "2"), ("evaluate", pairs)):
            asked = self.qdedup(*words)
            self.assertEqual(asked.out, self.qdedup(*words, config=self.config).out)
            self.assertNotIn("default settings", asked.err)
        self.assertIn("95 % is needed", self.qdedup("explain", "1", "2").out)
        daemon.stop()
        (self.folder / "state/qdedupd.sock").symlink_to("elsewhere")
        refused = self.qdedup("--quiet", "explain", "1", "2", expect=66)
        self.assertEqual(refused.out, "")
        self.assertIn("qdedupd.sock: is not used, as it is a symbolic link", refused.err)
        self.assertEqual(self.qdedup("explain", "1", "2", config=self.config).err, "")

    def test_commands_at_the_same_time_are_done_one_after_the_other(self):
        daemon = self.start()
        parts = []
        for part in range(8):
            rows = "".join(json.dumps({"id": 100 * part + i + 1, "text": f"第{i}题"}) + "\n" for i in range(100))
            parts.append(self.write(f"part{part}.jsonl", rows))
        tools = [subprocess.Popen([program.QDEDUP, "--state", str(daemon.state), "import", str(part)],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) for part in parts]
        for tool in tools:
            out, err = tool.communicate()
            self.assertEqual(tool.returncode, 0, err)
            self.assertIn(b"100 inserted", out)
        self.assertEqual(self.qdedup("status", "--json").json()["questions"], 800)
        daemon.stop()

    def test_a_tool_that_is_killed_leaves_what_it_committed_and_the_daemon_goes_on(self):
        daemon = self.start()
        rows = "".join(json.dumps({"id": i, "text": f"第{i}题"}) + "\n" for i in range(1, 50_001))
        bank = self.write("bank.jsonl", rows)
        self.import_questions({100_000: "一题"})
        for questions in range(1, 40_000, 5_000):
            tool = self.begin("import", bank)
            while self.questions() < questions and tool.poll() is None:
                pass
            tool.kill()
            tool.communicate()
            self.assertEqual(self.questions() % 10_000, 1)
        self.import_questions({100_001: "又一题"})
        self.qdedup("import", bank)
        self.assertEqual(self.questions(), 50_002)
        self.assertEqual(self.qdedup("verify").code, 0)
        daemon.stop()

    def questions(self):
        with sqlite3.connect(f"file:{self.folder}/state/bank.db?mode=ro", uri=True) as bank:
            count, = bank.execute("SELECT questions FROM total").fetchone()
        bank.close()
        return count

    def begin(self, *arguments, **options):
        return subprocess.Popen([program.QDEDUP, "--state", str(self.folder / "state"), *map(str, arguments)],
                                **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.folder} | options)

    @program.without_sanitizers("no program is traced with them")
    @unittest.skipIf(shutil.which("strace") is None, "strace is not installed")
    def test_a_lease_that_cannot_be_watched_takes_no_processor(self):
        daemon = self.start()
        trace = self.write("trace", "")
        subprocess.run(["strace", "-f", "-qq", "-o", trace, "-e", "signal=none", "-e", "trace=poll", "-P", "anon_inode:[eventfd]",
                        "-e", "inject=poll:error=ENOMEM:when=1..3", program.QDEDUP, "--state", self.folder / "state",
                        "import", program.EXAMPLES / "bank.jsonl"], check=True, capture_output=True)
        self.assertEqual(trace.read_text(encoding="utf-8").count("(INJECTED)"), 1)
        daemon.stop()

    def begin_import(self, number):
        return self.begin("import", self.write(f"one{number}.jsonl", json.dumps({"id": number, "text": "一题"})))

    def hold_the_bank(self, daemon):
        """Whoever writes the bank waits until the answer is closed, or for 10 s. The daemon is idle."""
        self.import_questions({1_000_000: "题"})
        while daemon.status()["working_on"] is not None:
            pass  # a command has its answer a moment before its job is over
        holder = sqlite3.connect(self.folder / "state/bank.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        return holder

    def end_of(self, tool, code):
        """The tool ends with that code; what it said on standard error."""
        tool.wait()  # before what it says is read, for which one may wait
        _, err = tool.communicate()
        self.assertEqual(tool.returncode, code, err)
        return err.decode()

    def test_a_command_that_has_to_wait_says_for_what_and_is_not_begun_when_it_goes_meanwhile(self):
        daemon = self.start()
        lease = Lease(daemon, "sweep")
        lease.granted()
        first, second = self.begin_import(1), self.begin_import(2)
        for tool in (first, second):
            self.assertIn(b"waits until the daemon is done with: sweep", tool.stderr.readline())
        second.kill()
        second.communicate()
        lease.close()
        self.end_of(first, 0)
        self.import_questions({3: "又一题"})
        self.assertEqual(self.questions(), 2)
        daemon.wait_until_said("was given up before its turn came")
        daemon.stop()

    def test_what_is_exported_as_approved_is_what_was_rechecked(self):
        """Not what was the latest iteration before the export had to wait."""
        daemon = self.start()
        self.import_questions({1: "甲乙丙丁戊", 2: "甲乙丙丁戊", 3: "子丑寅卯辰", 4: "子丑寅卯辰"})
        self.qdedup("run", self.write("a.log", "[[1,0.9],[2,0.9]]\n[[3,0.9],[4,0.9]]\n"))
        self.qdedup("review", "approve", "--iteration", 1)
        self.import_questions({4: "另一道题目"})
        lease = Lease(daemon)
        lease.granted()
        export = self.begin("export", "--status", "approved", "-o", self.folder / "list.csv")
        self.assertIn(b"waits until", export.stderr.readline())
        with contextlib.closing(program.database(daemon.state / "qdedup.db")) as store:
            store.executescript("CREATE TEMP TABLE next AS SELECT * FROM iteration; UPDATE next SET id = 2; "
                                "INSERT INTO iteration SELECT * FROM next; "
                                "UPDATE deletion SET iteration_id = 2 WHERE question_id = 4; "
                                "CREATE TEMP TABLE tally AS SELECT * FROM deletion_tally; UPDATE tally SET iteration_id = 2, deletions = 1; "
                                "UPDATE deletion_tally SET deletions = 1; INSERT INTO deletion_tally SELECT * FROM tally;")
        lease.close()
        said = self.end_of(export, 0)
        self.assertIn("1 approved deletion withdrawn, no longer valid", said)
        self.assertIn("iteration 2: 0 deletions written", said)
        self.assertEqual((self.folder / "list.csv").read_text("utf-8-sig").count("\n"), 1)
        self.assertEqual((self.folder / "list.csv.undo.jsonl").read_text(), "")
        daemon.stop()

    def test_nothing_that_a_daemon_says_controls_a_terminal(self):
        control = "\x1b[2J\x9b"
        (self.folder / "state").mkdir()
        self.import_questions({1: "甲"})
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(self.folder / "state/qdedupd.sock"))
        listener.listen()
        one = self.write("one.jsonl", '{"id":2,"text":"乙"}\n')
        strings = {"started_at": control, "next_slot": control, "trouble": f"trouble {control}\n",
                   "working_on": {"job": control, "since": control}, "lease": {"holder": control},
                   "waiting_slot": {"slot": control}}
        answers = {"status": (["status"], json.dumps(strings)), "lease": (["lease", "end"], f"ended: {control}\n"),
                   "import": (["--config", self.config, "import", one], f"waits {control}\n")}
        for name, (command, body) in answers.items():
            with self.subTest(name):
                tool = self.begin(*command)
                client, _ = listener.accept()
                while not client.recv(65536):  # a connection that only looked whether there is a daemon
                    client.close()
                    client, _ = listener.accept()
                sent = body.encode()
                client.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(sent)}\r\n\r\n".encode() + sent)
                out, err = tool.communicate()
                client.close()
                said = (out + err).decode()
                self.assertIn("\\x1b[2J\\xc2\\x9b", said)
                self.assertNotRegex(said, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        listener.close()

    def test_too_many_commands_of_one_user_are_told_to_come_again_and_questions_are_answered(self):
        daemon = self.start()
        lease = Lease(daemon)
        lease.granted()
        tools = [self.begin_import(number) for number in range(1, 20)]
        refused = 0
        while refused < 12:  # seven wait
            refused = sum(tool.poll() is not None for tool in tools)
        self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
        lease.close()
        said = [tool.communicate()[1] for tool in tools]
        self.assertEqual(sorted(tool.returncode for tool in tools), [0] * 7 + [75] * 12)
        self.assertEqual(sum(b"8 of your commands are at work or wait already" in err for err in said), 12)
        self.assertEqual(self.questions(), 7)
        daemon.stop()

    def decide(self, daemon):
        """A request of the review page that has been sent."""
        connection = UnixConnection(daemon.state / "qdedupd.sock")
        connection.request("POST", "/api/review/decisions", '{"decisions":[]}', {"Content-Type": "application/json"})
        return connection

    def test_decisions_of_one_user_that_wait_shut_nobody_out(self):
        daemon = self.start()
        lease = Lease(daemon, "sweep")
        lease.granted()
        waiting = [self.decide(daemon) for _ in range(8)]
        daemon.wait_until(lambda one: one.status()["working_on"]["waiting"] == 8)
        refused = self.decide(daemon).getresponse()
        self.assertEqual(refused.status, 503)
        self.assertIn(b"8 of your decisions are at work or wait already", refused.read())
        tool = self.begin_import(1)
        self.assertIn(b"waits until", tool.stderr.readline())
        for connection in waiting[:4]:
            connection.close()
        daemon.wait_until(lambda one: one.status()["working_on"]["waiting"] == 5)
        waiting = waiting[4:] + [self.decide(daemon) for _ in range(4)]
        daemon.wait_until(lambda one: one.status()["working_on"]["waiting"] == 9)
        lease.close()
        self.assertEqual([connection.getresponse().status for connection in waiting], [200] * 8)
        self.end_of(tool, 0)
        daemon.stop()

    def test_a_daemon_that_stops_refuses_what_waits_so_that_it_is_asked_again(self):
        daemon = self.start()
        lease = Lease(daemon, "sweep")
        lease.granted()
        adding = UnixConnection(daemon.state / "qdedupd.sock")
        adding.request("POST", "/v1/check", json.dumps({"questions": [{"id": 3, "text": "又一题"}], "add": True}),
                       {"Content-Type": "application/json"})
        waiting = [adding, self.decide(daemon)]
        daemon.wait_until(lambda one: one.status()["working_on"]["waiting"] == 2)
        daemon.signal(signal.SIGTERM)
        for connection in waiting:
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.headers["Retry-After"], answer.headers["Connection"]), (503, "5", "close"))
            self.assertIn(b"the daemon stops", answer.read())
        lease.close()
        daemon.end()

    def test_following_the_logs_goes_on_beside_a_lease_but_for_one_that_mines(self):
        log = self.write("followed.log", b"")
        self.config.write_text(self.config.read_text() + f'[logs]\npaths = ["{log}"]\n')
        daemon = self.start()
        lines = program.SAMPLE_LOGS[2].read_bytes().splitlines(keepends=True)
        for number, mines in enumerate((False, True)):
            lease = Lease(daemon, "mine", mines=mines)
            lease.granted()
            with open(log, "ab") as out:
                out.writelines(lines[10 * number:10 * number + 10])
            if mines:
                daemon.wait_until(lambda one: one.status()["lagging_logs"])
            else:
                daemon.wait_until_mined(10)
            lease.close()
        daemon.wait_until_mined(20)
        daemon.stop()

    def test_two_iterations_at_once_use_no_evidence_twice(self):
        daemon = self.start()
        self.qdedup("import", program.EXAMPLES / "bank.jsonl")
        self.qdedup("mine", *[log.name for log in program.SAMPLE_LOGS])
        lease = Lease(daemon)
        lease.granted()
        tools = [self.begin("iterate", "--json") for _ in range(3)]
        for tool in tools:
            tool.stderr.readline()  # waits
        lease.close()
        made = [json.loads(tool.communicate()[0]) for tool in tools]
        self.assertEqual(sorted(iteration is None for iteration in made), [False, True, True])
        self.qdedup("import", program.EXAMPLES / "bank.jsonl", state="alone")
        self.qdedup("run", *[log.name for log in program.SAMPLE_LOGS], state="alone")
        self.assertEqual(self.qdedup("export").bytes, self.qdedup("export", state="alone").bytes)
        daemon.stop()

    def test_a_pipe_that_nobody_writes_keeps_nobody_else_waiting(self):
        daemon = self.start()
        tool = self.begin("import", "-", stdin=subprocess.PIPE)
        self.import_questions({1: "一题"})
        self.assertIsNone(tool.poll())
        tool.stdin.write(b'{"id":2,"text":"x"}\n')
        tool.communicate()
        self.assertEqual((tool.returncode, self.questions()), (0, 2))
        end, pipe = os.pipe()
        tool = self.begin("import", f"/dev/fd/{end}", pass_fds=[end])  # as of <(zcat bank.gz)
        os.close(end)
        self.import_questions({3: "又一题"})
        self.assertIsNone(tool.poll())
        os.write(pipe, b'{"id":4,"text":"y"}\n')
        os.close(pipe)
        self.end_of(tool, 0)
        self.assertEqual(self.questions(), 4)
        daemon.stop()

    def begin_blocked(self, daemon):
        """A command that has the lease, and waits for somebody to read what it says."""
        self.import_questions({1_000_000: "一题"})
        rows = "".join(json.dumps({"id": i, "text": f"问{i}"}) + "\n" for i in range(1, 5_001))
        tool = self.begin("check", "--add", self.write("asked.jsonl", rows))
        daemon.wait_until(lambda at_work: (at_work.status()["lease"] or {}).get("command") == "check")
        while self.questions() < 5_001:
            pass
        return tool

    def test_a_lease_that_stands_still_is_reported_and_can_be_ended(self):
        self.config.write_text(self.config.read_text().replace("[state]", "[state]\nidle_lease_seconds = 1"))
        daemon = Daemon(self, self.config, wrapper=["sh", "-c", 'WATCHDOG_PID=$$ exec "$@"', "sh"],
                        environment={"WATCHDOG_USEC": "3000000"})
        tool = self.begin_blocked(daemon)
        while (health := daemon.get("/healthz"))[0] == 200:
            pass
        expected = f"check of {self.user()} (process {tool.pid}) has had the lease of the writer since "
        self.assertIn(expected, health[1])
        self.assertIn(expected, self.qdedup("status").out)
        self.assertGreaterEqual(daemon.metric("qdedup_lease_idle_seconds"), 1)
        daemon.wait_until_said(expected)
        waiting = self.begin_import(1_000_001)
        self.assertIn(b"waits until the daemon is done with: check", waiting.stderr.readline())
        self.assertEqual(self.qdedup("lease", "end").out, f"ended: check of {self.user()} (process {tool.pid})\n")
        self.end_of(waiting, 0)
        self.assertIn("ended this command's lease", self.end_of(tool, 75))
        while daemon.status()["lease"]:
            pass
        self.qdedup("lease", "end", expect=66)
        self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
        daemon.wait_until_said(f"given the lease back: ended by {self.user()} (process ")
        self.assertNotIn("does not get on", daemon.said())
        daemon.stop()

    @staticmethod
    def user():
        return subprocess.run(["id", "-un"], capture_output=True, check=True, text=True).stdout.strip()

    def stop_in_a_turn(self, daemon):
        """An import that is stopped while it has the state's lock, and writes."""
        holder = self.hold_the_bank(daemon)
        tool = self.begin_import(1)
        while not self.has_the_lock(tool):
            self.assertIsNone(tool.poll(), "it ended without the lock")
        tool.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, tool.pid, os.WSTOPPED)
        self.assertTrue(self.has_the_lock(tool), "it gave the lock back before it was stopped")
        return holder, tool

    @staticmethod
    def has_the_lock(tool):
        for file in pathlib.Path(f"/proc/{tool.pid}/fdinfo").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed since
                if "FLOCK" in file.read_text():
                    return True
        return False

    def test_a_lease_that_was_ended_commits_nothing_more_and_the_daemon_goes_on_when_the_lock_is_free(self):
        daemon = self.start()
        holder, tool = self.stop_in_a_turn(daemon)
        self.qdedup("lease", "end")
        waiting = self.begin_import(2)
        self.assertIn(b"waits until the daemon is done with: import", waiting.stderr.readline())
        holder.close()
        self.assertIsNone(waiting.poll())
        tool.send_signal(signal.SIGCONT)
        self.end_of(tool, 75)
        self.end_of(waiting, 0)
        with sqlite3.connect(self.folder / "state/bank.db") as bank:
            self.assertEqual(bank.execute("SELECT id FROM question ORDER BY id").fetchall(), [(2,), (1_000_000,)])
        bank.close()
        daemon.stop()

    def test_a_daemon_that_is_killed_or_stopped_ends_the_lease(self):
        for end in (signal.SIGKILL, signal.SIGTERM):
            daemon = self.start()
            tool = self.begin_blocked(daemon)
            daemon.signal(end)
            self.assertIn("run it again", self.end_of(tool, 75))
            daemon.process.wait()
            self.assertEqual(daemon.process.returncode, -end if end == signal.SIGKILL else 0)
            shutil.rmtree(self.folder / "state")

    def test_a_daemon_stops_though_a_process_keeps_the_lock(self):
        daemon = self.start()
        holder, tool = self.stop_in_a_turn(daemon)
        daemon.stop()
        self.assertIn("stopped\n", daemon.said())
        holder.close()
        tool.send_signal(signal.SIGCONT)
        self.end_of(tool, 75)
        daemon = self.start()
        self.qdedup("import", "one1.jsonl")
        self.assertEqual(self.questions(), 2)
        daemon.stop()

    def test_a_daemon_that_does_not_answer_is_reported(self):
        daemon = self.start()
        lease = Lease(daemon)
        lease.granted()
        waiting = self.begin_import(1)
        self.assertIn(b"waits until", waiting.stderr.readline())
        daemon.signal(signal.SIGSTOP)
        new = self.write("new.jsonl", '{"id":9,"text":"一题"}')
        tools = [waiting, self.begin("iterate"), self.begin("lease", "end"), self.begin("--quiet", "check", new),
                 self.begin("simhash", new)]
        for words in (["text", new], ["simhash"], ["--config", self.config, "check", new]):
            self.assertNotIn("daemon", self.qdedup(*words).err)  # which they do not ask
        for tool in tools:
            self.assertIn("the daemon does not answer", self.end_of(tool, 75))
        self.assertIn("daemon     cannot be asked: ", self.qdedup("status").out)
        daemon.signal(signal.SIGCONT)
        lease.close()
        daemon.stop()

    def post(self, daemon, path, body):
        connection = UnixConnection(daemon.state / "qdedupd.sock")
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        status = answer.status
        connection.close()
        return status

    def test_a_turn_hears_nothing_once_it_is_granted_as_nobody_listens(self):
        daemon = self.start()
        lease = Lease(daemon)
        lease.granted()
        turn = lease.turn()
        for _ in range(3):
            self.assertEqual(lease.answer.readline(), b"alive\n")
        with self.assertRaises(BlockingIOError):
            turn.sock.recv(1, socket.MSG_DONTWAIT)
        turn.close()
        lease.close()
        daemon.stop()

    def test_commands_that_were_given_up_keep_no_places(self):
        daemon = self.start()
        present = Lease(daemon)
        present.granted()
        waiting = [Lease(daemon) for _ in range(7)]
        self.assertEqual([lease.answer.status for lease in waiting], [200] * 7)
        self.assertEqual(daemon.status()["working_on"]["waiting"], 7)
        for lease in waiting:
            lease.close()
        daemon.wait_until(lambda one: one.status()["working_on"]["waiting"] == 0)
        waiting = self.begin_import(1)
        self.assertIn(b"waits until", waiting.stderr.readline())
        present.close()
        self.end_of(waiting, 0)
        daemon.stop()
        self.assertEqual(daemon.said().count("was given up before its turn came"), 7)

    def test_another_process_gets_no_turn_of_a_lease(self):
        daemon = self.start()
        lease = Lease(daemon)
        body = json.dumps({"lease": lease.granted()})
        asked = subprocess.run([sys.executable, "-c", f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from daemon import UnixConnection
connection = UnixConnection({str(daemon.state / 'qdedupd.sock')!r})
connection.request("POST", "/api/lease/turn", {body!r}, {{"Content-Type": "application/json"}})
print(connection.getresponse().status)"""], capture_output=True, check=True)
        self.assertEqual(asked.stdout, b"403\n")
        lease.turn().close()
        lease.close()
        daemon.stop()

    def test_requests_that_are_none_are_refused(self):
        daemon = self.start()
        version = daemon.status()["version"]
        good = {"version": version, "command": "iterate", "mines": False}
        for body in ("", "[]", "{}", json.dumps(good | {"command": "a\nb"}), json.dumps(good | {"command": ""}),
                     json.dumps(good | {"mines": 1}), json.dumps(good | {"version": 1})):
            self.assertEqual(self.post(daemon, "/api/lease", body), 400, body)
        self.assertEqual(self.post(daemon, "/api/lease", json.dumps(good | {"version": "0.0.1"})), 409)
        self.assertEqual(self.post(daemon, "/api/lease/turn", "{}"), 400)
        self.assertEqual(self.post(daemon, "/api/lease/turn", '{"lease":"1"}'), 409)
        self.assertEqual(self.post(daemon, "/api/lease/end", "{}"), 404)
        self.assertEqual(self.post(daemon, "/api/command", json.dumps({"arguments": ["status"], "user": "ann"})), 404)
        daemon.stop()


@unittest.skipIf(os.geteuid() != 0, "skipped: only root can be other users")
class StrangersTest(program.ProgramTest):
    """A daemon of one user, and others: one of the group that may write its state, and one of none."""

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        (self.folder / "home").mkdir()
        os.chown(self.folder / "home", DAEMON_USER, DAEMON_USER)
        (self.folder / "state").mkdir()
        os.chown(self.folder / "state", DAEMON_USER, GROUP)
        (self.folder / "state").chmod(0o2770)
        (self.folder / "state/lock").touch()
        os.chown(self.folder / "state/lock", DAEMON_USER, GROUP)
        (self.folder / "state/lock").chmod(0o660)
        self.config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n')
        self.daemon = Daemon(self, self.config, wrapper=[
            "setpriv", f"--reuid={DAEMON_USER}", f"--regid={GROUP}", "--clear-groups", "sh", "-c", 'umask 007; exec "$@"', "sh"])
        for file in (self.folder / "state").glob("*.db*"):
            file.chmod(0o660)
        self.import_questions({1: "第一题", 2: "第二题"})

    def as_user(self, user, *arguments, expect=0, groups=(), stdin=None):
        command = [program.QDEDUP, "--state", str(self.folder / "state"), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, check=False, cwd="/", input=stdin, user=user,
                              group=user, extra_groups=groups)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stdout.decode() + done.stderr.decode()

    def as_member(self, *arguments, **options):
        return self.as_user(MEMBER, *arguments, groups=[GROUP], **options)

    def test_a_member_writes_the_state_under_its_own_name(self):
        mined = program.SAMPLE_LOGS[0]
        self.as_member("import", "-", stdin=(program.EXAMPLES / "bank.jsonl").read_bytes())
        self.as_member("run", mined)
        self.daemon.wait_until_said(f"run of {MEMBER} (process ")
        row = self.listed()[0]
        self.as_member("review", "approve", row["delete_id"], row["keep_id"])
        with sqlite3.connect(self.folder / "state/qdedup.db") as store:
            self.assertEqual(store.execute("SELECT decided_by FROM decision").fetchall(), [(str(MEMBER),)])
        store.close()
        self.daemon.stop()

    def test_a_member_in_a_namespace_of_its_own_has_no_other_name(self):
        self.as_member("import", "-", stdin=(program.EXAMPLES / "bank.jsonl").read_bytes())
        self.as_member("run", program.SAMPLE_LOGS[0])
        row = self.listed()[0]
        done = subprocess.run(["setpriv", f"--reuid={MEMBER}", f"--regid={GROUP}", "--clear-groups",
                               "unshare", "--user", "--map-root-user", program.QDEDUP, "--config", self.config,
                               "review", "approve", str(row["delete_id"]), str(row["keep_id"])],
                              capture_output=True, text=True, check=False, cwd="/")
        if "unshare" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        with sqlite3.connect(self.folder / "state/qdedup.db") as store:
            self.assertEqual(store.execute("SELECT decided_by FROM decision").fetchall(), [(str(MEMBER),)])
        store.close()
        self.daemon.stop()

    def write_secret(self):
        secret = self.write("home/token", "precious,content\n")
        secret.chmod(0o600)
        os.chown(secret, DAEMON_USER, DAEMON_USER)
        return secret

    def run_by_the_daemon(self, *arguments):
        """Asks the daemon as a member, without the tool, to run a command; what it answers."""
        body = json.dumps({"version": self.daemon.status()["version"], "name": arguments[0], "config": None, "user": "ann",
                           "arguments": [str(argument) for argument in arguments], "inputs": []})
        connection = UnixConnection(self.daemon.state / "qdedupd.sock")
        own_groups = os.getgroups()
        os.setgroups([GROUP])
        os.seteuid(MEMBER)
        connection.connect()
        os.seteuid(0)
        os.setgroups(own_groups)
        connection.request("POST", "/api/command", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        said = answer.read().decode()
        connection.close()
        return answer.status, said

    def test_the_daemon_runs_no_command_for_a_member(self):
        self.as_member("import", program.EXAMPLES / "bank.jsonl")
        self.as_member("run", program.SAMPLE_LOGS[0])
        row = self.listed()[0]
        secret = self.write_secret()
        store = (self.folder / "state/qdedup.db").stat().st_ino
        for command in (["import", "--format", "csv", secret], ["import", "-"], ["export", "-o", self.folder / "home/.profile"],
                        ["export", "-o", self.folder / "state/qdedup.db"],
                        ["review", "reject", row["delete_id"], row["keep_id"]]):
            status, said = self.run_by_the_daemon(*command)
            self.assertEqual(status, 404, said)
            self.assertNotIn("precious", said)
        self.assertEqual([file.name for file in (self.folder / "home").iterdir()], ["token"])
        self.assertEqual((self.folder / "state/qdedup.db").stat().st_ino, store)
        self.assertEqual(self.listed()[0]["status"], "pending")
        self.daemon.stop()

    def test_a_member_reads_no_file_of_the_daemon(self):
        secret = self.write_secret()
        for command in (["import", "--format", "csv", secret], ["applied", secret], ["review", "import", secret],
                        ["mine", secret], ["check", "--add", secret]):
            said = self.as_member(*command, expect=66)
            self.assertIn("Permission denied", said)
            self.assertNotIn("precious", said)
        self.daemon.stop()

    def test_a_member_writes_no_file_where_only_the_daemon_may(self):
        for option in ([], ["--status", "approved"]):
            self.as_member("run", program.SAMPLE_LOGS[0])
            said = self.as_member("export", *option, "-o", self.folder / "home/.profile", expect=73)
            self.assertIn("Permission denied", said)
        self.assertEqual(list((self.folder / "home").iterdir()), [])
        self.daemon.stop()

    def test_who_is_no_member_gets_nothing(self):
        for command in (["lease", "end"], ["iterate"]):
            said = self.as_user(STRANGER, *command, expect=66)
            self.assertIn("Permission denied", said)
        self.daemon.stop()

    def test_who_may_only_read_goes_by_the_defaults_and_is_told_why(self):
        (self.folder / "state").chmod(0o755)
        for file in (self.folder / "state").glob("*.db*"):
            file.chmod(0o664)
        for options in ([], ["--quiet"]):
            said = self.as_user(STRANGER, *options, "explain", "1", "2")
            self.assertIn("80 % is needed", said)
            self.assertIn("qdedupd.sock: Permission denied", said)
            self.assertIn("goes by the default settings, as the daemon does not tell its own", said)
        self.assertNotIn("default settings", self.as_user(STRANGER, "--config", self.config, "explain", "1", "2"))
        self.daemon.stop()

    def test_a_daemon_of_another_person_does_not_choose_what_is_read(self):
        """Who may write to somebody's state would mine the logs that its config names, with rights of their own."""
        self.daemon.stop()
        for file in (self.folder / "state", *(self.folder / "state").iterdir()):
            os.chown(file, STRANGER, GROUP)
        daemon = Daemon(self, self.config, wrapper=["setpriv", f"--reuid={STRANGER}", f"--regid={GROUP}", "--clear-groups", "--"])
        said = self.as_member("run", expect=64)
        self.assertIn(f"its daemon runs as {STRANGER}, who may not choose what you read: give --config FILE", said)
        self.as_member("--config", self.config, "run", program.SAMPLE_LOGS[0])
        daemon.stop()

    def test_a_strangers_socket_is_told_nothing(self):
        self.daemon.stop()
        secret = self.write("secret.jsonl", '{"id":3,"text":"precious"}\n')
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(self.folder / "state/qdedupd.sock"))
        os.seteuid(STRANGER)
        listener.listen()
        os.seteuid(0)
        os.chown(self.folder / "state/qdedupd.sock", DAEMON_USER, GROUP)
        for mode, why in ((0o2770, f"it is of {STRANGER}"), (0o3777, "chmod o-w")):
            (self.folder / "state").chmod(mode)
            said = self.qdedup("import", secret, expect=66).err
            self.assertIn("qdedupd.sock: is not used", said)
            self.assertIn(why, said)
            self.assertIn("is not used", self.qdedup("status").out)
            for _ in range(2):  # connections
                client, _ = listener.accept()
                self.assertEqual(client.recv(1), b"")
                client.close()
        listener.close()


if __name__ == "__main__":
    program.main()
