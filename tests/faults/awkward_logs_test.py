"""Logs that cannot be watched or read, and lines that are none: rows 19 to 25 of doc/reliability.md."""

import itertools
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import unittest

import fault
import followed
import program
from daemon import UnixConnection

# Limits of inotify are set in a user namespace of the daemon's own.
LIMITED = ["unshare", "--user", "--map-root-user", "sh", "-c"]
A_SERVICE = 543
AS_SERVICE = ["setpriv", f"--reuid={A_SERVICE}", f"--regid={A_SERVICE}", "--clear-groups", "--"]


class Unwatched(followed.FollowedTest):
    def limited(self, setting):
        """What to put before the daemon so that the setting, "name=value", holds for it."""
        name, value = setting.split("=")
        said = subprocess.run([*LIMITED, f"echo {value} > /proc/sys/user/{name}"], capture_output=True, text=True,
                              check=False)
        if said.returncode != 0:
            self.skipTest(f"no limits of inotify can be set: {said.stderr.strip()}")
        return [*LIMITED, f'echo {value} > /proc/sys/user/{name} && exec "$@"', "sh"]

    def follow(self, **how):
        with self.place.daemon(**how) as daemon:
            self.append(self.lines[:100])
            daemon.wait_until_mined(100)
            self.append(self.lines[100:300])
            self.rotate("create")
            self.append(self.lines[300:])
            self.finish(daemon)

    def test_row_19_no_inotify_at_all(self):
        self.follow(wrapper=self.limited("max_inotify_instances=0"))

    def test_row_19_no_watches_left(self):
        self.follow(wrapper=self.limited("max_inotify_watches=1"))

    def test_row_19_more_events_than_the_queue_holds(self):
        most = int(pathlib.Path("/proc/sys/fs/inotify/max_queued_events").read_text(encoding="ascii"))
        with self.place.daemon() as daemon:
            self.append(self.lines[:100])
            daemon.wait_until_mined(100)
            daemon.signal(signal.SIGSTOP)
            one, other = self.logs_folder / "search.log.x", self.logs_folder / "search.log.y"
            for _ in range(most // 2 + 10):
                one.touch()
                one.rename(other)
                other.unlink()
            self.append(self.lines[100:])
            daemon.signal(signal.SIGCONT)
            self.finish(daemon)


class Unreadable(followed.FollowedTest):
    @unittest.skipUnless(os.geteuid() == 0, "skipped: only root may start a daemon that may not read everything")
    def test_row_20_no_permission_later_granted(self):
        for path in [self.folder, *self.folder.rglob("*")]:
            os.chown(path, A_SERVICE, A_SERVICE)
        closed = self.logs_folder / "search.log.1"
        self.append(self.lines[:300], closed)
        closed.chmod(0)
        with self.place.daemon(wrapper=AS_SERVICE) as daemon:
            self.append(self.lines[300:])
            daemon.wait_until_mined(300)
            daemon.wait_until(lambda one: one.status()["log_problems"])
            problem, = daemon.status()["log_problems"]
            self.assertIn("ermission denied", problem["reason"])
            os.chown(closed, A_SERVICE, A_SERVICE)
            closed.chmod(0o600)
            self.finish(daemon)

    def test_row_20_no_regular_files(self):
        os.mkfifo(self.logs_folder / "search.log.fifo")
        (self.logs_folder / "search.log.device").symlink_to("/dev/zero")
        (self.logs_folder / "search.log.dangling").symlink_to("nowhere")
        (self.logs_folder / "search.log.folder").mkdir()
        with self.place.daemon() as daemon:
            self.append(self.lines)
            daemon.wait_until_mined(len(self.lines))
            daemon.wait_until(lambda one: {"search.log.fifo", "search.log.device"} <= {
                pathlib.Path(problem["path"]).name for problem in one.status()["log_problems"]})
            self.finish(daemon)

    def test_row_20_a_link_to_a_log(self):
        self.append(self.lines, self.folder / "elsewhere.log")
        self.log.symlink_to(self.folder / "elsewhere.log")
        self.finish_with_a_new_daemon()

    def test_row_21_a_last_line_without_newline(self):
        with self.place.daemon() as daemon:
            self.append([*self.lines[:100], self.lines[100][:-1]])
            daemon.wait_until_mined(100)
            self.append(self.lines[5:6], self.logs_folder / "search.log.other")
            daemon.wait_until_mined(101)
            daemon.stop()
        self.assertEqual(fault.lines_in(self.state), 101)
        self.append([b"\n", *self.lines[101:]])
        self.finish_with_a_new_daemon(len(self.lines) + 1)


class Lines(fault.FaultTest):
    """With the tool: what a line becomes."""

    def outcome_of(self, content, state="lines"):
        log = self.write("one.log", content)
        shutil.rmtree(self.folder / state, ignore_errors=True)
        self.qdedup("import", self.bank, state=state)
        mined = self.qdedup("mine", log, "--json", state=state).json()
        self.assertEqual(mined["lines"], mined["selected"] + mined["unselected"] + sum(mined["rejected"].values()))
        return mined

    def expect_undisturbed_beside(self, disturbing, rejected):
        """Lines that are rejected between good ones cost nothing but themselves."""
        log = self.folder / "disturbed.log"
        with log.open("wb") as out:
            out.writelines(self.lines[:300])
            out.writelines(disturbing)
            out.writelines(self.lines[300:])
        shutil.copytree(self.given / "imported", self.folder / "state")
        done = subprocess.Popen([program.QDEDUP, "--state", self.folder / "state", "run", log],
                                stdout=subprocess.DEVNULL)
        _, code, used = os.wait4(done.pid, 0)
        done.returncode = os.waitstatus_to_exitcode(code)
        self.assertEqual(done.returncode, 0)
        self.expect_memory_below(200, used.ru_maxrss >> 10)
        self.expect_undisturbed(self.folder / "state", len(self.lines) + sum(rejected.values()))
        counted = fault.run("status", "--json", state=self.folder / "state").json()["mined"]["rejected"]
        before = fault.run("status", "--json", state=self.given / "iterated").json()["mined"]["rejected"]
        more = {reason: counted[reason] - before.get(reason, 0) for reason in counted}
        self.assertEqual({reason: lines for reason, lines in more.items() if lines}, rejected)

    def test_row_22_a_line_of_100_megabytes(self):
        self.expect_undisturbed_beside(itertools.chain(itertools.repeat(b"[[1,0.9]," * 10_000, 1_100), [b"]\n"]),
                                       {"too_long": 1})

    def test_row_22_nesting_100000_deep(self):
        self.expect_undisturbed_beside([b"[" * 100_000, b"]" * 100_000, b"\n"], {"too_deep": 1})

    def test_row_23_ids_and_scores(self):
        ids = ["0", "-1", str(2**63), str(2**64), "1.5", '"7"', "1.0", "1e3", "null"]
        scores = ["1e999", "-1e999", '"0.5"', "null"]
        lines = [f"[[5,0.9],[{one},0.8]]\n" for one in ids] + [f"[[5,0.9],[6,{one}]]\n" for one in scores]
        lines += ["[[5,0.9],[6,NaN]]\n", "[[5,0.9],[6,Infinity]]\n", "[[5,0.9],[6]]\n", "[[5,0.9],[6,0.8,1]]\n"]
        self.expect_undisturbed_beside([line.encode() for line in lines], {
            "bad_id": len(ids), "bad_score": len(scores), "bad_json": 2, "bad_pair": 2})

    def test_row_23_the_largest_id_is_taken_as_it_is(self):
        largest = 2**63 - 1
        self.import_questions({largest: "一样的题目", largest - 1: "一样的题目"})
        self.qdedup("run", self.write("a.log", f"[[{largest},0.9],[{largest - 1},0.8]]\n"))
        self.assertEqual(self.pairs(), [(largest, largest - 1)])

    def test_row_24_bytes_that_do_not_belong(self):
        good = b"[[5,0.9],[6,0.8]]"
        outcomes = {
            good + b"\r\n": "selected",
            b"\xef\xbb\xbf" + good + b"\n": "selected",
            b"\0\0\0" + good + b"\n": "selected",
            b"[]\n": "unselected",
            b"\n": "blank",
            b" \t\r\n": "blank",
            good + good + b"\n": "trailing_data",
            good + b" x\n": "trailing_data",
            b'[[5,"\xff"]]\n': "bad_utf8",
            b"[[5,0.9],\0[6,0.8]]\n": "nul_byte",
            b"\xff\n": "bad_utf8",
            b"[[5,0.9],[6,0.8]\n": "bad_json",
            b"{}\n": "not_a_list",
        }
        for content, outcome in outcomes.items():
            with self.subTest(content):
                mined = self.outcome_of(content)
                self.assertEqual(mined["lines"], 1)
                self.assertEqual(mined.get(outcome, mined["rejected"].get(outcome)), 1, json.dumps(mined))

    def seconds_for(self, lists):
        """Processor time for a log of so many lists with one question in each."""
        log = self.write("one.log", "".join(f"[[7,0.9],[{100 + i},0.8]]\n" for i in range(lists)))
        state = self.folder / f"state-{lists}"
        shutil.copytree(self.given / "imported", state)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        fault.run("run", log, state=state, expect=0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with self.subTest(lists=lists):
            told, = fault.run("iterations", "--json", state=state, expect=0).json()
            self.assertLessEqual(told["largest_cluster"], 200)
            self.assertEqual(told["distinct_lists"], lists)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_row_25_one_question_in_100000_lists(self):
        self.assertLess(self.seconds_for(100_000), 20 * max(self.seconds_for(25_000), 0.05))


class Outside(followed.FollowedTest):
    def test_a_name_that_would_pass_for_a_message_or_move_the_cursor(self):
        name = "search.log\n2026-01-01T00:00:00.000+00:00 info: stopped\x1b[2J\nREADY=1"
        (self.logs_folder / name).symlink_to("/dev/null")
        (self.logs_folder / "search.log\x1b[31m").write_bytes(b"".join(self.lines[:7]))
        with self.place.daemon() as daemon:
            self.append(self.lines[7:])
            daemon.wait_until_mined(len(self.lines))
            daemon.wait_until(lambda one: one.status()["log_problems"])
            daemon.wait_until_said("not a regular file")
            daemon.wait_until_said("\\n2026-01-01")
            self.assertNotIn("\n2026-01-01", daemon.said())
            self.assertEqual(daemon.messages.count("READY=1"), 1)
            shown = fault.run("status", "--logs", state=self.state, expect=0).out
            self.assertIn("search.log\\x1b[31m", shown)
            self.assertNotIn("\x1b", daemon.said() + shown)
            self.finish(daemon)

    @program.without_sanitizers("it needs descriptors of its own")
    def test_many_logs_and_few_descriptors(self):
        for number in range(400):  # no two begin alike
            self.append([b"log %d\n" % number, *self.lines[number:number + 1]], self.logs_folder / f"search.log.{number}")
        self.append(self.lines[400:])
        lines = 400 + len(self.lines)
        with self.place.daemon(wrapper=["sh", "-c", 'ulimit -n 48; exec "$@"', "sh"]) as daemon:
            daemon.wait_until_mined(lines)
            self.append(self.lines[:2], self.logs_folder / "search.log.3")
            self.append(self.lines[:2], self.logs_folder / "search.log.377")
            daemon.wait_until_mined(lines + 4)
            self.assertEqual(daemon.status()["log_problems"], [])
            self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
            self.finish(daemon, lines + 4)

    @program.without_sanitizers("it needs descriptors of its own")
    def test_no_descriptor_left(self):
        self.append(self.lines)
        with self.place.daemon(wrapper=["sh", "-c", 'ulimit -n 64; exec "$@"', "sh"]) as daemon:
            daemon.wait_until_mined(len(self.lines))
            connection = UnixConnection(daemon.state / "qdedupd.sock")  # later ones could not be accepted
            self.addCleanup(connection.close)

            def health():
                connection.request("GET", "/healthz")
                return connection.getresponse().read().decode()

            self.assertEqual(health(), "ok\n")
            resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (0, 64))
            self.append([b"no list\n", self.lines[0]], self.logs_folder / "search.log.other")
            self.until(daemon, lambda: "Too many open files" in health())
            resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (64, 64))
            self.append(self.lines[2:3], self.logs_folder / "search.log.other")
            self.until(daemon, lambda: health() == "ok\n")
            daemon.wait_until_mined(len(self.lines) + 3)
            self.finish(daemon, len(self.lines) + 3)


if __name__ == "__main__":
    program.main()
