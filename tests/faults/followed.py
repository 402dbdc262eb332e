"""A daemon that follows logs which a test writes and rotates."""

import contextlib
import pathlib
import subprocess
import time

import fault
import place

LOGROTATE = "/usr/sbin/logrotate"


class FollowedTest(fault.FaultTest):
    """Has an empty folder of logs, and a state with the bank in it."""

    def setUp(self):
        super().setUp()
        self.logs_folder = self.folder / "logs"
        self.logs_folder.mkdir()
        self.log = self.logs_folder / "search.log"
        self.state = self.copy_of("imported")
        self.place = place.Place(self.folder, self.logs_folder)

    @contextlib.contextmanager
    def case(self, **parameters):
        """As subTest, with everything made anew."""
        with self.subTest(**parameters):
            self.doCleanups()
            self.setUp()
            yield

    def append(self, lines, path=None):
        with open(path or self.log, "ab", buffering=0) as log:
            log.write(b"".join(lines))

    def rotate(self, how):
        config = self.write("logrotate.conf", f"{self.log} {{\n  rotate 1000\n  missingok\n  {how}\n}}\n")
        config.chmod(0o644)
        subprocess.run([LOGROTATE, "--force", "--state", self.folder / "logrotate.state", config], check=True)

    def mine_with_a_daemon(self, lines):
        """One daemon's life: from what is there it mines so many lines in all."""
        with self.place.daemon() as daemon:
            daemon.wait_until_mined(lines)
            daemon.stop()

    def finish(self, daemon, lines=None):
        """Mines what is left and compares with the undisturbed run."""
        lines = len(self.lines) if lines is None else lines
        daemon.wait_until_mined(lines)
        fault.run("iterate", state=self.state, expect=0)
        daemon.stop()
        self.expect_undisturbed(self.state, lines)

    def finish_with_a_new_daemon(self, lines=None):
        with self.place.daemon() as daemon:
            self.finish(daemon, lines)

    def until(self, daemon, condition):
        """Waits for what the daemon does not tell by itself."""
        while not condition():
            self.assertIsNone(daemon.process.poll(), daemon.said())
            time.sleep(0.02)

    def status(self):
        return fault.run("status", "--json", state=self.state, expect=0).json()

    def losses(self):
        """The names of the logs that may have lost something."""
        return sorted(pathlib.Path(log["path"]).name for log in self.status()["logs"] if log["possible_loss"])

    @staticmethod
    def peak_of(process):
        """The most memory that a process held at once, in MiB."""
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        return int(status.split("VmHWM:")[1].split()[0]) >> 10
