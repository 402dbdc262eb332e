"""Commands that change the state, with and without a daemon: the same output, the same state."""

import json
import re
import resource
import shutil
import signal
import sqlite3
import subprocess

import program
from daemon import Daemon


class HandedTest(program.ProgramTest):
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
        handed = self.qdedup(*arguments, stdin=stdin, expect=expect)
        alone = self.qdedup(*arguments, stdin=stdin, expect=expect, state="alone")
        self.assertEqual(handed.code, alone.code)
        self.assertEqual((self.without_times(handed.out), self.without_progress(handed.err).replace("/state/", "/alone/")),
                         (self.without_times(alone.out), self.without_progress(alone.err)))
        return handed

    @staticmethod
    def without_progress(text):
        """Without the lines about what takes longer than ten seconds, as it may on a busy machine."""
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
        self.assertEqual(daemon.said().count("error"), 0)
        daemon.stop()

    def test_run_in_one_go_does_the_same(self):
        daemon = self.start()
        self.both("import", program.EXAMPLES / "bank.jsonl")
        self.both("run", *[log.name for log in program.SAMPLE_LOGS])
        self.assertEqual(self.qdedup("export").bytes, self.qdedup("export", state="alone").bytes)
        daemon.stop()

    def test_iterations_are_counted(self):
        daemon = self.start()

        def counted():
            return [daemon.metric(f'qdedup_iterations_total{{result="{result}"}}')
                    for result in ("success", "failure")]
        self.qdedup("iterate", expect=66)
        self.assertEqual(counted(), [0, 1])
        self.qdedup("import", program.EXAMPLES / "bank.jsonl")
        self.qdedup("mine", program.SAMPLE_LOGS[0].name)
        self.assertEqual(counted(), [0, 1])
        for successes, command in enumerate([["iterate"], ["iterate"], ["run", program.SAMPLE_LOGS[1].name],
                                             ["sweep"], ["sweep", "--finder", "simhash"]], start=1):
            self.qdedup(*command)
            self.assertEqual(counted(), [successes, 1], command)
        self.qdedup("run", "nothing-here.log", expect=66)  # reads no log, and makes an iteration
        self.assertEqual(counted(), [6, 1])
        daemon.stop()

    def test_errors_are_the_same(self):
        daemon = self.start()
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
        handed = self.qdedup("mine", program.SAMPLE_LOGS[2].name, config=strict)
        alone = self.qdedup("mine", program.SAMPLE_LOGS[2].name, config=strict, state="alone")
        self.assertEqual(handed.out, alone.out)
        daemon.stop()

    def test_the_daemons_config_counts_where_the_command_has_none(self):
        self.config.write_text(self.config.read_text() + "[selection]\nmin_top_score = 0.9\n")
        daemon = self.start()
        self.qdedup("import", program.EXAMPLES / "bank.jsonl")
        handed = self.qdedup("mine", program.SAMPLE_LOGS[2].name)
        self.qdedup("import", program.EXAMPLES / "bank.jsonl", state="alone")
        alone = self.qdedup("mine", program.SAMPLE_LOGS[2].name, state="alone", config=self.config)
        self.assertEqual(handed.out, alone.out)
        daemon.stop()

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

    def test_a_client_that_goes_away_does_not_stop_its_command(self):
        daemon = self.start()
        rows = "".join(json.dumps({"id": i, "text": f"第{i}题"}) + "\n" for i in range(1, 200_001))
        bank = self.write("bank.jsonl", rows)
        tool = subprocess.Popen([program.QDEDUP, "--state", str(daemon.state), "import", str(bank)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        daemon.wait_until(lambda at_work: at_work.status()["working_on"] is not None
                          or self.qdedup("status", "--json").json()["questions"] == 200_000)
        tool.kill()
        tool.wait()
        self.import_questions({300_000: "又一题"})
        self.assertEqual(self.qdedup("status", "--json").json()["questions"], 200_001)
        daemon.stop()

    def begin_import(self, number):
        questions = self.write(f"one{number}.jsonl", json.dumps({"id": number, "text": "一题"}))
        return subprocess.Popen([program.QDEDUP, "--state", str(self.folder / "state"), "import", str(questions)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def hold_the_bank(self, daemon):
        """Whoever writes the bank waits until the answer is closed, or for 10 s. The daemon is idle."""
        self.import_questions({1_000_000: "题"})
        while daemon.status()["working_on"] is not None:
            pass  # a command has its answer a moment before its job is over
        holder = sqlite3.connect(self.folder / "state/bank.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        return holder

    def begin_two_imports(self, daemon):
        """One that waits for the bank that somebody holds, and one that waits for that one to end."""
        while True:
            first = self.begin_import(1)
            daemon.wait_until(lambda at_work: at_work.status()["working_on"] is not None)
            second = self.begin_import(2)
            while (work := daemon.status()["working_on"]) and work["waiting"] == 0:
                pass
            if work:
                return first, second
            for too_slow in (first, second):  # the first one had given up before the second one came
                too_slow.communicate()

    def test_a_command_whose_client_goes_while_it_waits_is_not_begun(self):
        daemon = self.start()
        holder = self.hold_the_bank(daemon)
        first, second = self.begin_two_imports(daemon)
        second.kill()
        second.communicate()
        holder.close()
        first.communicate()
        self.import_questions({3: "又一题"})
        self.assertEqual(self.qdedup("status", "--json").json()["questions"], 3)
        self.assertIn("import: given up by its client", daemon.said())
        self.assertIn("import ended with exit code 0", daemon.said())
        daemon.stop()

    def test_a_command_that_has_to_wait_says_for_what(self):
        daemon = self.start()
        holder = self.hold_the_bank(daemon)
        first, second = self.begin_two_imports(daemon)
        self.assertIn(b"waits until the daemon is done with: import", second.stderr.readline())
        holder.close()
        first.communicate()
        second.communicate()
        self.assertEqual(second.returncode, 0)
        daemon.stop()

    def test_too_many_commands_at_once_are_told_to_come_again_and_questions_are_answered(self):
        daemon = self.start()
        holder = self.hold_the_bank(daemon)
        tools = [self.begin_import(number) for number in range(1, 40)]
        self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
        holder.close()
        done = 0
        for tool in tools:
            _, err = tool.communicate()
            self.assertIn(tool.returncode, (0, 75), err)
            done += tool.returncode == 0
            if tool.returncode == 75:
                self.assertIn(b"too many commands wait", err)
        self.assertEqual(self.qdedup("status", "--json").json()["questions"], 1 + done)
        daemon.stop()

    def test_what_hangs_is_told(self):
        daemon = Daemon(self, self.config, wrapper=["sh", "-c", 'WATCHDOG_PID=$$ exec "$@"', "sh"],
                        environment={"WATCHDOG_USEC": "300000"})
        holder = self.hold_the_bank(daemon)
        tool = self.begin_import(1)
        while "the import does not get on" not in daemon.said():
            pass
        holder.close()
        tool.communicate()
        self.assertEqual(tool.returncode, 0)
        daemon.stop()

    def test_more_files_than_the_tool_may_have_open_at_first(self):
        daemon = self.start()
        files = [self.write(f"{i}.jsonl", json.dumps({"id": i, "text": "题"})) for i in range(1, 201)]
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        tool = subprocess.run([program.QDEDUP, "--state", str(daemon.state), "import", *files], capture_output=True,
                              check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard)))
        self.assertEqual(tool.returncode, 0, tool.stderr)
        self.assertIn(b"200 inserted", tool.stdout)
        daemon.stop()

    def test_a_command_that_ends_while_the_daemon_does_says_so(self):
        daemon = self.start()
        holder = self.hold_the_bank(daemon)
        tool = self.begin_import(1)
        daemon.wait_until(lambda at_work: at_work.status()["working_on"] is not None)
        daemon.signal(signal.SIGTERM)
        holder.close()
        _, said = tool.communicate()
        daemon.end()
        done = "import ended with exit code 0" in daemon.said()
        self.assertEqual(tool.returncode, 0 if done else 74, said)

    def test_when_the_daemon_ends_first_the_tool_says_so(self):
        daemon = self.start()
        daemon.signal(signal.SIGSTOP)
        tool = subprocess.Popen([program.QDEDUP, "--state", str(daemon.state), "iterate"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        daemon.kill()
        _, err = tool.communicate()
        self.assertNotEqual(tool.returncode, 0)
        self.assertIn(b"qdedup: ", err)


if __name__ == "__main__":
    program.main()
