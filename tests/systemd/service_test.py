"""The package on a machine where systemd runs: the daemon in its sandbox. service_test.py PACKAGE.deb; needs root."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
PACKAGE = None


def boot(trial, files):
    """Runs the script on a machine of its own; its output, and the folder with what else it left there."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="qdedup-boot-"))
    shutil.copy(trial, folder / "trial")
    for name, file in files.items():
        shutil.copy(file, folder / name)
    try:
        messages = subprocess.run([HERE / "boot", folder], capture_output=True, text=True, check=False, timeout=300,
                                  stdin=subprocess.DEVNULL).stderr
    except subprocess.TimeoutExpired:
        messages = "it did not end"
    output = folder / "output"
    return (output.read_text(encoding="utf-8") if output.exists() else ""), messages, folder


def can_boot():
    """Whether this machine lets us have one of our own."""
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "hello").write_text("echo hello\n", encoding="utf-8")
    output, messages, left = boot(folder / "hello", {})
    shutil.rmtree(folder)
    shutil.rmtree(left)
    return output == "hello\n", messages


class Service(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        output, messages, folder = boot(HERE / "service_trial", {
            "package.deb": PACKAGE, "search.log": EXAMPLES / "search.log", "bank.jsonl": EXAMPLES / "bank.jsonl"})
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.found = dict(line.split(": ", 1) for line in output.splitlines() if ": " in line)
        journal = folder / "journal"
        cls.journal = journal.read_text(encoding="utf-8") if journal.exists() else ""
        cls.report = f"{output}\n{messages}\n{cls.journal}"

    def expect(self, name, value):
        self.assertEqual(self.found.get(name), value, self.report)

    def test_it_is_started_and_says_what_it_does(self):
        self.expect("after installing", "active, enabled")
        self.assertTrue(self.found["status text"], self.report)

    def test_it_reads_what_adm_may_read(self):
        self.expect("mined", "732 lists")

    def test_it_takes_commands_and_the_files_of_whoever_gives_them(self):
        self.expect("import by root", "0")
        self.expect("iterate", "0")
        self.expect("listed", "88 deletions")
        self.expect("owners", "qdedup:qdedup")
        self.expect("socket", "qdedup:qdedup:660")

    def test_members_decide_under_their_names(self):
        self.expect("audit", "alice approved, bob rejected")

    def test_readers_read_and_nothing_else(self):
        self.expect("read by a reader", "88 deletions")
        self.expect("verified by a reader", "0")
        self.expect("decided by a reader", "Permission denied")
        self.expect("read by a stranger", "Permission denied")

    def test_a_bad_config_changes_nothing(self):
        self.expect("a reload of nonsense", "refused")
        self.expect("after a reload of nonsense", "active, the same process")
        self.assertIn("nonsense", self.journal)

    def test_the_watchdog_restarts_it(self):
        self.expect("after it hung", "success")

    def test_it_stops(self):
        self.expect("after stopping", "inactive, success")
        self.expect("after purging", "0 left")


def reason_to_skip():
    if os.geteuid() != 0:
        return "only root can boot a systemd"
    contents = subprocess.run(["dpkg-deb", "-c", PACKAGE], capture_output=True, text=True, check=True).stdout
    if "./usr/bin/qdedupd\n" not in contents:
        return "qdedupd is not in the package"
    booted, messages = can_boot()
    return None if booted else f"this machine cannot boot a systemd of its own\n{messages}"


if __name__ == "__main__":
    PACKAGE = pathlib.Path(sys.argv.pop(1))
    reason = reason_to_skip()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(0)
    unittest.main()
