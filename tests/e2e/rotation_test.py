"""The daemon follows a log that is written line by line while the real logrotate rotates it."""

import gzip
import os
import random
import signal
import subprocess

import program
from daemon import Daemon

LOGROTATE = "/usr/sbin/logrotate"


def sample_lines():
    packed = subprocess.run(["zstd", "-dcq", program.SAMPLE_LOGS[0]], capture_output=True, check=True).stdout
    return (packed + gzip.decompress(program.SAMPLE_LOGS[1].read_bytes())
            + program.SAMPLE_LOGS[2].read_bytes()).splitlines(keepends=True)


class RotationTest(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.logs = self.folder / "logs"
        self.logs.mkdir()
        self.log = self.logs / "search.log"
        self.config = self.write("qdedup.toml", f'''
[logs]
paths = ["{self.logs}/search.log*"]
[tail]
commit_ms = 5
[schedule]
every = "off"
[state]
folder = "{self.folder}/state"
''')
        for state in ("state", "undisturbed"):
            self.qdedup("import", program.EXAMPLES / "bank.jsonl", state=state)
        self.qdedup("run", *program.SAMPLE_LOGS, state="undisturbed")
        self.lines = sample_lines()

    def rotate(self, how):
        config = self.write("logrotate.conf", f'''
{self.log} {{
  rotate 1000
  missingok
  {how}
}}
''')
        config.chmod(0o644)
        subprocess.run([LOGROTATE, "--force", "--state", self.folder / "logrotate.state", config], check=True)

    def expect_the_undisturbed_list(self, daemon):
        daemon.wait_for("READY=1")
        daemon.wait_until_mined(len(self.lines))
        self.qdedup("iterate")
        mined = self.qdedup("status", "--json").json()["mined"]
        self.assertEqual(mined["lines"], len(self.lines))
        self.assertEqual(mined["lines"], mined["selected"] + mined["unselected"] + sum(mined["rejected"].values()))
        self.assertEqual(self.qdedup("export").bytes, self.qdedup("export", state="undisturbed").bytes)
        daemon.stop()

    def write_while_rotating(self, rotate, seed):
        """Writes line by line; now and then rotates, and then sometimes ends a line on the old file first."""
        chance = random.Random(seed)
        log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        for line in self.lines:
            if chance.random() < 0.02:
                cut = chance.randrange(len(line))
                os.write(log, line[:cut])
                rotate()
                os.write(log, line[cut:])
                os.close(log)
                log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            else:
                os.write(log, line)
        os.close(log)

    def test_rotation_by_rename_with_delayed_compression(self):
        daemon = Daemon(self, self.config)
        self.write_while_rotating(lambda: self.rotate("create\n  compress\n  delaycompress"), seed=1)
        self.expect_the_undisturbed_list(daemon)

    def test_rotation_by_rename_with_zstd(self):
        daemon = Daemon(self, self.config)
        self.write_while_rotating(
            lambda: self.rotate("create\n  compress\n  delaycompress\n  compresscmd /usr/bin/zstd\n"
                                "  compressext .zst\n  compressoptions -q --rm"), seed=2)
        self.expect_the_undisturbed_list(daemon)

    def test_rotation_while_the_daemon_is_killed_and_restarted(self):
        daemons = [Daemon(self, self.config)]

        def rotate():
            daemons[-1].kill()
            self.rotate("create\n  compress\n  delaycompress")
            daemons.append(Daemon(self, self.config, wait=False))

        self.write_while_rotating(rotate, seed=3)
        self.expect_the_undisturbed_list(daemons[-1])

    def test_copytruncate_where_nothing_is_in_flight(self):
        daemon = Daemon(self, self.config)
        chance = random.Random(4)
        with open(self.log, "ab", buffering=0) as log:
            for written, line in enumerate(self.lines, start=1):
                log.write(line)
                if chance.random() < 0.02:
                    daemon.wait_until_mined(written)
                    self.rotate("copytruncate\n  compress\n  delaycompress")
        self.expect_the_undisturbed_list(daemon)
        self.assertTrue(any(log["possible_loss"] for log in self.qdedup("status", "--json").json()["logs"]))

    @program.needs_conformance_data
    @program.without_sanitizers("no program is traced")
    def test_sigterm_in_the_middle_of_an_iteration(self):
        bank = program.CONFORMANCE_DATA / "bank.jsonl"
        log = program.CONFORMANCE_DATA / "search.log"
        for state in ("dev", "dev-undisturbed"):
            self.qdedup("import", bank, state=state)
        self.qdedup("run", log, state="dev-undisturbed")
        os.rename(self.folder / "dev", self.folder / "dev-mined")
        self.qdedup("mine", log, state="dev-mined")
        (self.folder / "state").rename(self.folder / "sample")
        (self.folder / "dev-mined").rename(self.folder / "state")
        # Each write of the iteration's commit takes a while, so that the signal comes in the middle.
        slow = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=pwrite64:delay_enter=20000"]
        daemon = Daemon(self, self.config, wrapper=slow)
        tool = subprocess.Popen([program.QDEDUP, "--state", str(daemon.state), "iterate"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        daemon.wait_for("STATUS=", after=len(daemon.messages))
        daemon.wait_until(lambda at_work: any("iterate since" in message for message in at_work.messages))
        for child in subprocess.run(["pgrep", "-P", str(daemon.process.pid)], capture_output=True, text=True,
                                    check=True).stdout.split():
            os.kill(int(child), signal.SIGTERM)
        tool.communicate()
        self.assertNotEqual(tool.returncode, 0)
        daemon.end()
        self.assertEqual(self.qdedup("iterations", "--json").json(), [])
        daemon = Daemon(self, self.config)
        self.qdedup("iterate")
        self.assertEqual(self.qdedup("export").bytes, self.qdedup("export", state="dev-undisturbed").bytes)
        daemon.stop()


if __name__ == "__main__":
    program.main()
