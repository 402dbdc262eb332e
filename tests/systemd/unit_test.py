"""The units: what systemd says of them, and that the sandbox lets the programs do their work."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNITS = ROOT / "systemd"
UNIT = UNITS / "qdedupd.service"
SWEEP, TIMER = UNITS / "qdedup-sweep.service", UNITS / "qdedup-sweep.timer"
TCP = UNITS / "examples" / "qdedupd.service.d"
QDEDUP = os.environ.get("QDEDUP", str(ROOT / "build/release/bin/qdedup"))


def output_of(*command, check=True):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout + done.stderr


def settings(unit):
    """The settings of a unit file, as (key, value) in their order."""
    lines = [line.strip() for line in unit.read_text(encoding="utf-8").splitlines()]
    return [tuple(line.split("=", 1)) for line in lines if "=" in line and not line.startswith(("#", ";"))]


class UnitTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="qdedup-units-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def copy(self, with_tcp=False, of=UNIT):
        """A unit with a program that is there in place of ours, which may not be installed."""
        unit = self.folder / of.name
        unit.write_text(re.sub("/usr/bin/qdedupd?", "/bin/true", of.read_text(encoding="utf-8")), encoding="utf-8")
        if with_tcp:
            shutil.copytree(TCP, self.folder / TCP.name)
        return unit

    @staticmethod
    def exposure_of(unit):
        report = output_of("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
        return float(re.search(r"Overall exposure level for \S+: ([0-9.]+)", report).group(1)), report

    def test_the_unit_is_hardly_exposed(self):
        exposure, report = self.exposure_of(self.copy())
        self.assertLessEqual(exposure, 0.5, report)

    def test_nor_is_the_sweep(self):
        exposure, report = self.exposure_of(self.copy(of=SWEEP))
        self.assertLessEqual(exposure, 1.0, report)

    def test_with_tcp_it_is_a_little_more(self):
        exposure, report = self.exposure_of(self.copy(with_tcp=True))
        self.assertLessEqual(exposure, 1.2, report)
        self.assertIn("Service has access to the host's network", report, "the drop-in was not read")

    def test_systemd_finds_no_fault(self):
        for with_tcp in (False, True):
            with self.subTest(with_tcp=with_tcp):
                self.assertEqual(output_of("systemd-analyze", "verify", "--man=no", self.copy(with_tcp)), "")
                shutil.rmtree(self.folder / TCP.name, ignore_errors=True)

    def test_systemd_finds_no_fault_with_the_sweep(self):
        self.copy(of=SWEEP)
        self.assertEqual(output_of("systemd-analyze", "verify", "--man=no", self.copy(of=TIMER)), "")

    def test_a_sweep_is_on_the_first_sunday_of_a_month(self):
        times = output_of("systemd-analyze", "calendar", "--base-time=2026-01-01 00:00 UTC", "--iterations=3",
                          dict(settings(TIMER))["OnCalendar"])
        self.assertEqual(re.findall(r"Sun (2026-\d\d-\d\d 04:00:00)", times),
                         ["2026-01-04 04:00:00", "2026-02-01 04:00:00", "2026-03-01 04:00:00"])

    def test_the_sweep_works_on_the_state_of_the_daemon(self):
        for key in ("User", "Group", "StateDirectory", "StateDirectoryMode", "UMask"):
            self.assertEqual(dict(settings(SWEEP))[key], dict(settings(UNIT))[key], key)

    def test_bringing_the_state_up_to_date_may_take_its_time(self):
        self.assertEqual(dict(settings(UNIT))["TimeoutStartSec"], "infinity")

    def test_the_user_is_made_as_the_unit_wants_it(self):
        unit = dict(settings(UNIT))
        root = self.folder / "root"
        (root / "etc").mkdir(parents=True)
        (root / "etc/group").write_text("root:x:0:\nadm:x:4:\n", encoding="utf-8")
        output_of("systemd-sysusers", f"--root={root}", UNITS / "sysusers.conf")
        users = (root / "etc/passwd").read_text(encoding="utf-8")
        groups = (root / "etc/group").read_text(encoding="utf-8")
        self.assertRegex(users, rf"(?m)^{unit['User']}:.*:/var/lib/{unit['StateDirectory']}:/usr/sbin/nologin$")
        self.assertRegex(groups, rf"(?m)^{unit['Group']}:")
        self.assertRegex(groups, rf"(?m)^adm:x:4:{unit['User']}$")


@unittest.skipIf(shutil.which("strace") is None, "strace is not installed")
class SystemCalls(unittest.TestCase):
    """What the programs ask of the kernel is in the unit's filter."""

    @staticmethod
    def group(name):
        """The calls of a group like @file-system, those of the groups in it included."""
        calls = set()
        for line in output_of("systemd-analyze", "syscall-filter", name).splitlines()[1:]:
            word = line.strip()
            if word.startswith("@"):
                calls |= SystemCalls.group(word)
            elif word and not word.startswith("#"):
                calls.add(word)
        return calls

    @staticmethod
    def allowed():
        calls = SystemCalls.group("@default")
        for key, value in settings(UNIT):
            if key == "SystemCallFilter":
                named = set().union(*map(SystemCalls.group, value.lstrip("~").split()))
                calls = calls - named if value.startswith("~") else calls | named
        return calls

    def test_the_filter_has_what_the_work_needs(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="qdedup-calls-"))
        self.addCleanup(shutil.rmtree, folder)
        examples = ROOT / "examples"
        logs = [examples / name for name in ("search.log.2.zst", "search.log.1.gz", "search.log")]
        for arguments in (["import", examples / "bank.jsonl"], ["run", *logs], ["sweep"],
                          ["export", "--output", folder / "list.csv"]):
            output_of("strace", "-f", "-qq", "-A", "-o", folder / "trace", QDEDUP, "--state", folder / "state",
                      *arguments)
        trace = (folder / "trace").read_text(encoding="utf-8", errors="replace")
        used = set(re.findall(r"(?m)^\d+ +([a-z0-9_]+)\(", trace))
        self.assertIn("fdatasync", used)
        # SQLite gives its files to the owner of the database, but only as root, which the daemon is not.
        self.assertEqual(used - self.allowed() - {"fchown"}, set())


if __name__ == "__main__":
    if shutil.which("systemd-analyze") is None:
        print("skipped: systemd-analyze is not installed")
        sys.exit(77)
    unittest.main()
