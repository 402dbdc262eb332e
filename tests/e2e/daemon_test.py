"""The daemon at work: start, reload, stop, messages to systemd, questions over its socket."""

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import threading

import program
from daemon import QDEDUPD, Daemon
from visitor import TOKEN, free_port


class DaemonTest(program.ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "logs").mkdir()
        self.import_questions_of_sample()

    def import_questions_of_sample(self):
        self.qdedup("import", program.EXAMPLES / "bank.jsonl")

    def config(self, text="", every="off"):
        return self.write("qdedup.toml", f'''
[logs]
paths = ["{self.folder}/logs/*.log*"]
[tail]
commit_ms = 10
[schedule]
every = "{every}"
[state]
folder = "{self.folder}/state"
{text}''')

    def append(self, content, name="search.log"):
        with open(self.folder / "logs" / name, "ab") as log:
            log.write(content)

    def sample_lines(self):
        return (program.EXAMPLES / "search.log").read_bytes().splitlines(keepends=True)

    def test_mines_what_is_there_and_what_is_appended(self):
        lines = self.sample_lines()
        self.append(b"".join(lines[:100]))
        daemon = Daemon(self, self.config())
        daemon.wait_until_mined(100)
        self.append(lines[100][:20])
        self.append(lines[100][20:])
        self.append(b"".join(lines[101:]), name="other.log")
        daemon.wait_until_mined(len(lines))
        daemon.stop()
        self.qdedup("iterate")
        self.qdedup("import", program.EXAMPLES / "bank.jsonl", state="undisturbed")
        self.qdedup("run", program.EXAMPLES / "search.log", state="undisturbed")
        self.assertEqual(self.qdedup("export").bytes, self.qdedup("export", state="undisturbed").bytes)

    def test_tells_systemd_what_it_does(self):
        daemon = Daemon(self, self.config())
        self.assertTrue(daemon.wait_for("STATUS=files followed: 0, lines mined: 0, no file matches [logs] paths"))
        self.append(b"[]\n")
        self.assertTrue(daemon.wait_for("STATUS=files followed: 1, lines mined: 1"))
        self.assertNotIn("WATCHDOG=1", daemon.messages)
        daemon.stop()
        self.assertIn("STOPPING=1", daemon.messages)
        self.assertLess(daemon.messages.index("READY=1"), daemon.messages.index("STOPPING=1"))

    def test_feeds_the_watchdog(self):
        config = self.config()
        # The program that is watched is the one that systemd started: the shell passes its id on.
        daemon = Daemon(self, config, wrapper=["sh", "-c", 'WATCHDOG_PID=$$ exec "$@"', "sh"],
                        environment={"WATCHDOG_USEC": "1500000"})
        first = daemon.messages.index(daemon.wait_for("WATCHDOG=1"))
        daemon.wait_for("WATCHDOG=1", after=first + 1)
        daemon.stop()

    def test_reloads_a_good_config_and_keeps_the_old_one_when_the_new_one_is_bad(self):
        daemon = Daemon(self, self.config())
        mark = len(daemon.messages)
        self.config(every="hourly")
        daemon.signal(signal.SIGHUP)
        daemon.wait_for("RELOADING=1", after=mark)
        daemon.wait_for("READY=1", after=mark)
        self.assertIsNotNone(daemon.status()["next_slot"])
        mark = len(daemon.messages)
        self.config(text="[selection]\nmin_top_score = 2000000000000000000000000")
        self.write("qdedup.toml", "[logs]\nno_such_key = 1\n")
        daemon.signal(signal.SIGHUP)
        daemon.wait_for("READY=1", after=mark)
        self.assertIsNotNone(daemon.status()["next_slot"])
        daemon.wait_until_said("no_such_key")
        self.assertIn("no_such_key", daemon.status()["config_problem"])
        self.assertIn("is not used: ", self.qdedup("status").out)
        self.assertEqual(daemon.metric("qdedup_config_last_reload_successful"), 0)
        self.append(b"".join(self.sample_lines()))
        daemon.wait_until_mined(len(self.sample_lines()))
        daemon.stop()

    def test_a_reload_that_ends_http_over_tcp_keeps_it_until_the_next_start(self):
        token = self.write("token", TOKEN)
        token.chmod(0o600)
        port = free_port()
        over_tcp = f'[http]\nlisten = "127.0.0.1:{port}"\ntoken_file = "{token}"\nhosts = ["localhost:{port}"]'
        daemon = Daemon(self, self.config(over_tcp))
        mark = len(daemon.messages)
        self.config(over_tcp.replace(f'listen = "127.0.0.1:{port}"', f'listen = "127.0.0.1:{free_port()}"')
                    .replace(str(token), f"{token}.new"))
        daemon.signal(signal.SIGHUP)
        daemon.wait_for("READY=1", after=mark)
        self.assertIn("token.new", daemon.status()["config_problem"])
        mark = len(daemon.messages)
        self.config(every="hourly")
        token.unlink()
        daemon.signal(signal.SIGHUP)
        daemon.wait_for("READY=1", after=mark)
        self.assertIsNone(daemon.status()["config_problem"])
        self.assertIsNotNone(daemon.status()["next_slot"])
        connection = http.client.HTTPConnection("localhost", port)
        connection.request("GET", "/healthz", headers={"Authorization": f"Bearer {TOKEN}"})
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        daemon.stop()

    def test_new_globs_are_followed_after_a_reload(self):
        config = self.config()
        daemon = Daemon(self, config)
        (self.folder / "more").mkdir()
        (self.folder / "more/new.log").write_bytes(b"".join(self.sample_lines()[:10]))
        config.write_text(config.read_text().replace('logs/*.log*"]', f'logs/*.log*", "{self.folder}/more/*.log"]'))
        daemon.signal(signal.SIGHUP)
        daemon.wait_until_mined(10)
        config.write_text(config.read_text().replace("paths = [", "paths = []  # "))
        daemon.signal(signal.SIGHUP)
        daemon.wait_until_said("no log is followed")
        daemon.stop()

    def test_a_second_daemon_exits_with_75_at_once(self):
        config = self.config()
        daemon = Daemon(self, config)
        second = subprocess.run([QDEDUPD, "--config", str(config)], capture_output=True, text=True, check=False)
        self.assertEqual(second.returncode, 75, second.stderr)
        self.assertIn("another qdedup works on this state", second.stderr)
        self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
        daemon.stop()

    def test_a_killed_daemon_leaves_no_obstacle(self):
        config = self.config()
        Daemon(self, config).kill()
        self.assertTrue((self.folder / "state/qdedupd.sock").exists())
        self.qdedup("mine", program.EXAMPLES / "search.log")
        daemon = Daemon(self, config)
        self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
        daemon.stop()
        self.assertFalse((self.folder / "state/qdedupd.sock").exists())

    def test_bad_settings_and_states_are_refused(self):
        bad = self.write("bad.toml", "[logs]\nno_such_key = 1\n")
        outcome = subprocess.run([QDEDUPD, "--config", str(bad)], capture_output=True, text=True, check=False)
        self.assertEqual(outcome.returncode, 78)
        self.assertIn("bad.toml:2:", outcome.stderr)
        (self.folder / "state/qdedup.db").write_bytes(b"")
        outcome = subprocess.run([QDEDUPD, "--config", str(self.config())], capture_output=True, text=True, check=False)
        self.assertEqual(outcome.returncode, 65, outcome.stderr)
        self.assertEqual((self.folder / "state/qdedup.db").read_bytes(), b"")

    def test_the_status_tells_of_the_daemon(self):
        self.assertIsNone(self.qdedup("status", "--json").json()["daemon"])
        daemon = Daemon(self, self.config(every="daily 03:00"))
        told = self.qdedup("status", "--json").json()["daemon"]
        self.assertTrue(told["healthy"])
        self.assertEqual(self.qdedup("status", "--json").json()["patterns_without_files"], told["log_paths"])
        self.assertIn("next iteration", self.qdedup("status").out)
        daemon.stop()
        self.assertIn("does not run", self.qdedup("status").out)

    def test_the_status_tells_of_a_daemon_that_cannot_be_asked(self):
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(self.folder / "state/qdedupd.sock"))
            server.listen()
            closer = threading.Thread(target=lambda: server.accept()[0].close())
            closer.start()
            self.assertIn("daemon     cannot be asked: ", self.qdedup("status").out)
            closer.join()

    def test_the_status_takes_what_a_daemon_of_another_version_says_as_it_comes(self):
        said = {"started_at": 5, "working_on": {"job": []}, "next_slot": "soon", "waiting_slot": {"bytes": "3"}, "trouble": None,
                "log_problems": [1, {"reason": 2}], "lagging_logs": [1, {"path": 3, "bytes": -1}, {"path": "x.log", "bytes": 5}]}
        body = json.dumps(said).encode()

        def answer(server):
            for _ in range(2):
                with server.accept()[0] as client:
                    client.recv(1 << 16)
                    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                                   b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(self.folder / "state/qdedupd.sock"))
            server.listen()
            answering = threading.Thread(target=answer, args=(server,))
            answering.start()
            self.assertIn("runs since ?; ? since ?; next iteration soon", self.qdedup("status", "--logs").out)
            self.assertEqual(self.qdedup("status", "--json").json()["daemon"], said)
            answering.join()

    @program.needs_conformance_data
    def test_an_iteration_that_is_cut_short_is_made_anew_with_the_same_list(self):
        dev = program.CONFORMANCE_DATA
        for state in ("state", "undisturbed"):
            for bank in (program.EXAMPLES, dev):
                self.qdedup("import", bank / "bank.jsonl", state=state)
            self.qdedup("mine", dev / "search.log", state=state)
        daemon = Daemon(self, self.config())
        holder = sqlite3.connect(self.folder / "state/qdedup.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")  # so that it cannot be committed in time
        tool = subprocess.Popen([program.QDEDUP, "--state", str(daemon.state), "iterate"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        daemon.wait_until_said("iterate of ")
        daemon.stop()
        self.assertIn("the daemon stops", daemon.said())
        holder.close()
        tool.communicate()
        self.assertEqual(tool.returncode, 75)
        self.assertEqual(self.qdedup("iterations", "--json").json(), [])
        daemon = Daemon(self, self.config())
        self.qdedup("iterate")
        daemon.stop()
        self.qdedup("iterate", state="undisturbed")
        self.assertEqual(self.qdedup("iterations", "--json").json()[0]["id"], 1)
        self.assertEqual(self.qdedup("export").bytes, self.qdedup("export", state="undisturbed").bytes)

    def test_a_log_that_cannot_be_read_is_told_and_the_others_go_on(self):
        os.mkfifo(self.folder / "logs/pipe.log")
        self.append(b"".join(self.sample_lines()[:10]))
        daemon = Daemon(self, self.config())
        daemon.wait_until_mined(10)
        daemon.wait_until(lambda daemon: daemon.status()["log_problems"])
        problem, = daemon.status()["log_problems"]
        self.assertIn("pipe.log", problem["path"])
        daemon.wait_until_said("pipe.log")
        daemon.stop()


if __name__ == "__main__":
    program.main()
