"""Installs, uses, removes and purges the package on this machine: deb_test.py PACKAGE.deb. Needs root."""

import json
import os
import pathlib
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = None
STATE = pathlib.Path("/var/lib/qdedup")
CONFIG = pathlib.Path("/etc/qdedup/qdedup.toml")
UNIT = pathlib.Path("/lib/systemd/system/qdedupd.service")
PAGES = pathlib.Path("usr/share/doc/qdedup")
ENABLED = pathlib.Path("/etc/systemd/system/multi-user.target.wants/qdedupd.service")
TIMED = pathlib.Path("/etc/systemd/system/timers.target.wants/qdedup-sweep.timer")


def output_of(*command, expect=0):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    if done.returncode != expect:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def apt(*arguments):
    return output_of("apt-get", "-qy", "-o", "DPkg::Lock::Timeout=600", *arguments)


def as_service(*command):
    """Runs a command as the service does: as its user, with the groups of that user."""
    return output_of("setpriv", "--reuid=qdedup", "--regid=qdedup", "--init-groups", *command)


def linked_files(page):
    """The files that the relative links of a page in Markdown lead to."""
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    return [page.parent / link for link in links if "://" not in link]


def user_exists():
    try:
        pwd.getpwnam("qdedup")
        return True
    except KeyError:
        return False


def remove_users():
    output_of("userdel", "qdedup")
    output_of("groupdel", "qdedup-read")


class Installed(unittest.TestCase):
    """One life of the package, from installing to purging; the tests run in the order of their names."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="qdedup-deb-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.folder.chmod(0o755)
        cls.package = pathlib.Path(shutil.copy(PACKAGE, cls.folder))  # where apt's own user may read it
        if not user_exists():
            cls.addClassCleanup(lambda: user_exists() and remove_users())
        cls.addClassCleanup(output_of, "dpkg", "--purge", "qdedup")
        apt("install", "--no-install-recommends", cls.package)

    def test_1_lintian_finds_no_errors(self):
        output_of("lintian", "--allow-root", "--fail-on", "error", self.package)

    def test_1_links_of_the_pages_lead_to_files(self):
        unpacked = self.folder / "unpacked"  # as a machine may be told to install no documents
        output_of("dpkg-deb", "--extract", self.package, unpacked)
        installed = sorted((unpacked / PAGES).rglob("*.md"))
        pages = [page.relative_to(ROOT) for page in [*ROOT.glob("*.md"), *(ROOT / "doc").glob("*.md")]]
        self.assertLessEqual(set(pages), {page.relative_to(unpacked / PAGES) for page in installed})
        for page in installed:
            for file in linked_files(page):
                with self.subTest(page=str(page.relative_to(unpacked)), link=str(file)):
                    self.assertTrue(file.is_file())

    def test_1_the_bill_of_materials_is_true(self):
        unpacked = self.folder / "materials"
        output_of("dpkg-deb", "--extract", self.package, unpacked)
        bill = json.loads((unpacked / PAGES / "qdedup.spdx.json").read_text(encoding="utf-8"))
        self.assertEqual(bill["spdxVersion"], "SPDX-2.3")
        versions = {package["name"]: package["versionInfo"] for package in bill["packages"]}
        needed = output_of("dpkg-deb", "--field", self.package, "Depends").split(", ")
        libraries = {one.split()[0] for one in needed if one.startswith("lib")}
        provided = {one.split()[0] for name in set(versions) - {"qdedup"}
                    for one in output_of("dpkg-query", "-W", "-f", "${Provides}", name).split(",") if one.strip()}
        self.assertLessEqual(libraries | {"nlohmann-json3-dev", "libcli11-dev", "libsqlitecpp-dev"}, set(versions) | provided)
        for name in set(versions) - {"qdedup"}:
            self.assertEqual(versions[name], output_of("dpkg-query", "-W", "-f", "${Version}", name))

    def test_2_what_it_installed(self):
        self.assertEqual(output_of("dpkg", "--verify", "qdedup"), "")
        self.assertIn("qdedup ", output_of("qdedup", "--version"))
        self.assertIn("ok", output_of("qdedup", "config", "check", CONFIG))
        self.assertIn(f" {CONFIG} ", output_of("dpkg-query", "-W", "-f", "${Conffiles}", "qdedup"))
        self.assertEqual(os.path.realpath(ENABLED), os.path.realpath(UNIT))
        state = STATE.stat()
        self.assertEqual((STATE.owner(), STATE.group(), stat.S_IMODE(state.st_mode)), ("qdedup", "qdedup", 0o2770))
        self.assertIn("system.posix_acl_default", os.listxattr(STATE))
        groups = output_of("id", "-nG", "qdedup").split()
        self.assertEqual(groups, ["qdedup", "adm"])
        self.assertEqual(pwd.getpwnam("qdedup").pw_shell, "/usr/sbin/nologin")

    def test_3_the_daemon_starts(self):
        if shutil.which("qdedupd") is None:
            self.skipTest("qdedupd is not in the package")
        self.assertIn("qdedupd ", output_of("qdedupd", "--version"))

    def test_4_the_service_user_does_the_work(self):
        log = pathlib.Path(shutil.copy(ROOT / "examples/search.log", self.folder))
        shutil.chown(log, "root", "adm")
        log.chmod(0o640)
        questions = shutil.copy(ROOT / "examples/bank.jsonl", self.folder)
        qdedup = ["qdedup", "--quiet", "--config", CONFIG]
        as_service(*qdedup, "import", questions)
        as_service(*qdedup, "run", log)
        self.assertGreater(len(as_service(*qdedup, "export").splitlines()), 1)
        [sweep] = re.findall("ExecStart=(.*)", pathlib.Path("/lib/systemd/system/qdedup-sweep.service").read_text(encoding="utf-8"))
        self.assertIn("sweep ", as_service(*sweep.split()))

    def test_4_then_the_documented_restore_leaves_readers_their_rights(self):
        section = (ROOT / "doc/operations.md").read_text(encoding="utf-8").partition("## Back up and restore")[2]
        back_up, restore = re.findall(r"(?s)```sh\n(.*?)```", section.partition("\n## ")[0])
        rights = (STATE / "qdedup.db").stat().st_mode, os.getxattr(STATE / "qdedup.db", "system.posix_acl_access")
        for folder in ("/var/lib/qdedup.broken", "/var/backups/qdedup"):
            self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        script = f"""set -e; umask 022; cd {ROOT}/examples
systemctl() {{ :; }}
sudo() {{ setpriv --reuid="$2" --regid="$2" --init-groups "${{@:3}}"; }}
qd() {{ sudo -u qdedup qdedup --config {CONFIG} "$@"; }}
"""
        output_of("bash", "-c", script + back_up + restore.replace("DATE", "$(date +%F)"))
        for name in ("qdedup.db", "bank.db"):
            restored = STATE / name
            self.assertEqual((restored.stat().st_mode, os.getxattr(restored, "system.posix_acl_access")), rights)
            self.assertEqual((restored.owner(), restored.group()), ("qdedup", "qdedup"))

    def test_5_a_config_that_was_edited_stays(self):
        with CONFIG.open("a", encoding="utf-8") as config:
            config.write("# ours\n")
        apt("install", "--reinstall", self.package)
        self.assertTrue(CONFIG.read_text(encoding="utf-8").endswith("# ours\n"))

    def test_5_the_timer_can_be_enabled(self):
        output_of("systemctl", "enable", TIMED.name)
        self.assertTrue(os.path.lexists(TIMED))

    def test_6_removing_leaves_state_and_config(self):
        apt("remove", "qdedup")
        self.assertIsNone(shutil.which("qdedup"))
        self.assertFalse(UNIT.exists())
        self.assertTrue(CONFIG.exists())
        self.assertTrue((STATE / "qdedup.db").exists())

    def test_7_purging_leaves_nothing(self):
        apt("purge", "qdedup")
        for path in (CONFIG.parent, STATE, ENABLED, TIMED, UNIT):
            self.assertFalse(os.path.lexists(path), path)


def reason_to_skip():
    if os.geteuid() != 0:
        return "only root can install a package"
    if shutil.which("lintian") is None:
        return "lintian is not installed"
    for path in (STATE, CONFIG.parent, UNIT):
        if path.exists():
            return f"qdedup is installed already: {path}"
    return None


if __name__ == "__main__":
    PACKAGE = pathlib.Path(sys.argv.pop(1))
    reason = reason_to_skip()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(0)
    unittest.main()
