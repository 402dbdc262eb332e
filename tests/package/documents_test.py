"""The man pages and files that are made for the package."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
QDEDUP = os.environ.get("QDEDUP", str(ROOT / "build/release/bin/qdedup"))
QDEDUPD = os.environ.get("QDEDUPD", str(ROOT / "build/release/bin/qdedupd"))
MAINTAINER = "qdedup maintainers <maintainers@qdedup.example.org>"

sys.path.insert(0, str(ROOT / "package"))
from help_text import commands_of, help_of  # noqa: E402


def output_of(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="qdedup-documents-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        changelog = cls.folder / "CHANGELOG.md"
        changelog.write_text("# Changelog\n\n## 2.0.0, not yet released\n\n- One change\n  of two lines.\n- Another.\n"
                             "\n## 1.0.0, 2026-01-02\n\n- First.\n", encoding="utf-8")
        output_of(sys.executable, ROOT / "package/make_documents.py", "--qdedup", QDEDUP, "--qdedupd", QDEDUPD,
                  "--version", "2.0.0", "--changelog", changelog, "--maintainer", MAINTAINER,
                  "--date", "Fri, 20 Nov 2026 09:00:00 +0000", "--output", cls.folder)
        cls.pages = sorted(cls.folder.glob("*.[158].gz"))

    def shown(self, page):
        """The page as a reader sees it."""
        text = gzip.decompress((self.folder / f"{page}.gz").read_bytes())
        done = subprocess.run(["groff", "-man", "-k", "-Tutf8", "-P-cbou", "-rLL=1000n", "-rHY=0"], input=text,
                              capture_output=True, check=True)
        return done.stdout.decode().replace("\u2010", "-")

    def test_pages_have_no_errors(self):
        self.assertEqual([page.name for page in self.pages], ["qdedup.1.gz", "qdedup.toml.5.gz", "qdedupd.8.gz"])
        for page in self.pages:
            with self.subTest(page=page.name):
                done = subprocess.run(["groff", "-man", "-ww", "-z", "-k", "-Tutf8"],
                                      input=gzip.decompress(page.read_bytes()), capture_output=True, check=True)
                self.assertEqual(done.stderr.decode(), "")
                self.assertNotRegex(gzip.decompress(page.read_bytes()).decode(), r"@[A-Z]+@")

    def test_every_command_and_option_is_in_the_page(self):
        page = self.shown("qdedup.1")
        for option in help_of(QDEDUP).options:
            self.assertRegex(page, rf"(?m)^ +.*{option.names[-1]}\b")
        parts = re.split(r"(?m)^   (?=qdedup )", page)
        for command, help_page in commands_of(QDEDUP):
            usage = " ".join(["qdedup", *command])
            part = [text for text in parts if re.match(rf"{usage}( [^a-z].*)?\n", text)]
            self.assertEqual(len(part), 1, usage)
            self.assertIn(help_page.summary, part[0])
            for entry in help_page.options:
                self.assertNotIn(" ", entry.value, usage)
            for entry in help_page.options + help_page.entries("Positionals"):
                for name in entry.names:
                    self.assertRegex(part[0], rf"(?m)^ +.*{name}\b", usage)
                self.assertIn(entry.meaning, part[0])

    def test_every_option_of_the_daemon_is_in_its_page(self):
        page = self.shown("qdedupd.8")
        for option in help_of(QDEDUPD).options:
            self.assertRegex(page, rf"(?m)^ +.*{option.names[-1]}\b")

    def test_every_key_is_in_the_page(self):
        page = self.shown("qdedup.toml.5")
        for line in filter(None, output_of(QDEDUP, "config", "dump").splitlines()):
            self.assertRegex(page, rf"(?m)^ +{re.escape(line.split(' = ')[0])}( = |$)")
        self.assertRegex(page, r"(?m)^ +\"levenshtein\": .*; \"jaccard\" and \"cosine\": by what they have in common")
        self.assertRegex(page, r"(?m)^ +\"embedded\": each line is text")

    def test_the_config_is_the_default_with_the_state_of_a_service(self):
        config = (self.folder / "qdedup.toml").read_text(encoding="utf-8")
        output_of(QDEDUP, "config", "check", self.folder / "qdedup.toml")
        self.assertEqual(config.replace("/var/lib/qdedup", "./qdedup-data"), output_of(QDEDUP, "config", "default"))
        self.assertIn('\nfolder = "/var/lib/qdedup"\n', config)

    def test_the_changelog_is_one_for_debian(self):
        made = gzip.decompress((self.folder / "changelog.gz").read_bytes()).decode()
        self.assertEqual(made, "qdedup (2.0.0) stable; urgency=medium\n\n  * One change of two lines.\n  * Another.\n\n"
                               f" -- {MAINTAINER}  Fri, 20 Nov 2026 09:00:00 +0000\n\n"
                               "qdedup (1.0.0) stable; urgency=medium\n\n  * First.\n\n"
                               f" -- {MAINTAINER}  Fri, 20 Nov 2026 09:00:00 +0000\n")


if __name__ == "__main__":
    if shutil.which("groff") is None:
        print("skipped: groff is not installed")
        sys.exit(77)
    unittest.main()
