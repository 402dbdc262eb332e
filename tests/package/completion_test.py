"""The completions, in real shells."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPLETIONS = ROOT / "package/completions"
QDEDUP = pathlib.Path(os.environ.get("QDEDUP", ROOT / "build/release/bin/qdedup"))

sys.path.insert(0, str(ROOT / "package"))
from help_text import commands_of, help_of  # noqa: E402

COMMANDS = [entry.form for entry in help_of(QDEDUP).entries("Subcommands")]


class ShellTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="qdedup-completion-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "search.log").touch()
        (self.folder / "search logs").mkdir()
        self.environment = {"PATH": f"{QDEDUP.parent}:{os.environ['PATH']}", "HOME": str(self.folder), "TERM": "dumb",
                            "LC_ALL": "C.UTF-8"}


class Bash(ShellTest):
    def completed(self, *words):
        """What bash offers for the last of the words."""
        script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; ' \
                 '_qdedup "$1" && printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script, "-", str(COMPLETIONS / "qdedup.bash"), *words], text=True,
                              capture_output=True, check=True, cwd=self.folder, env=self.environment)
        self.assertEqual(done.stderr, "")
        return sorted(done.stdout.split("\n")[:-1]) if done.stdout.strip() else []

    def test_commands(self):
        self.assertEqual(self.completed("qdedup", ""), sorted(COMMANDS))
        self.assertEqual(self.completed("qdedup", "ex"), [name for name in sorted(COMMANDS) if name.startswith("ex")])
        self.assertEqual(self.completed("qdedup", "--quiet", "config", ""), ["check", "default", "dump"])
        self.assertEqual(self.completed("qdedup", "--state", "run", "iter"), ["iterate", "iterations"])

    def test_commands_in_a_chinese_shell(self):
        del self.environment["LC_ALL"]
        self.environment["LC_MESSAGES"] = "zh_CN.UTF-8"
        self.assertEqual(self.completed("qdedup", ""), sorted(COMMANDS))

    def test_options_of_every_command(self):
        for command, page in commands_of(QDEDUP):
            with self.subTest(command=command):
                offered = self.completed("qdedup", *command, "-")
                for option in [name for entry in page.options for name in entry.names]:
                    self.assertIn(option, offered)
                self.assertIn("--config", offered)

    def test_values(self):
        self.assertEqual(self.completed("qdedup", "export", "--confidence", ""), ["doubtful", "safe"])
        self.assertEqual(self.completed("qdedup", "export", "--confidence", "=", "s"), ["safe"])
        self.assertEqual(self.completed("qdedup", "export", "--status", "pending,ap"),
                         ["pending,applied", "pending,approved"])
        self.assertEqual(self.completed("qdedup", "export", "--iteration", ""), [])
        self.assertEqual(self.completed("qdedup", "export", "--classes", "--sort", "l"), ["largest"])

    def test_files(self):
        self.assertEqual(self.completed("qdedup", "run", "sea"), ["search logs", "search.log"])
        self.assertEqual(self.completed("qdedup", "--state", "sea"), ["search logs"])
        self.assertEqual(self.completed("qdedup", "explain", ""), [])

    def test_both_programs_are_completed(self):
        done = subprocess.run(["bash", "-c", 'source "$1"; complete -p', "-", str(COMPLETIONS / "qdedup.bash")],
                              text=True, capture_output=True, check=True)
        for program in ("qdedup", "qdedupd"):
            self.assertIn(f"complete -F _qdedup {program}\n", done.stdout)


@unittest.skipIf(shutil.which("zsh") is None, "zsh is not installed")
class Zsh(ShellTest):
    def setUp(self):
        super().setUp()
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**self.environment, "PS1": "% "})
        self.addCleanup(os.waitpid, process, 0)
        self.addCleanup(os.close, self.terminal)
        self.shown = ""
        self.type(f"fpath=({COMPLETIONS} $fpath); unsetopt zle_bracketed_paste prompt_cr prompt_sp; LISTMAX=10000; "
                  "autoload -Uz compinit && compinit -u -D; print re''ady\n")
        self.wait_for("ready\r\n")

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def wait_for(self, pattern):
        """Reads until the terminal shows the pattern; everything up to then is forgotten."""
        end = time.monotonic() + 120
        while not re.search(pattern, self.shown):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"no {pattern!r} in {self.shown!r}")
            self.shown += os.read(self.terminal, 65536).decode("utf-8", "replace")
        self.shown = self.shown[re.search(pattern, self.shown).end():]

    def test_what_can_only_go_on_in_one_way(self):
        for typed, completed in (("qdedup expl", "explain "), ("qdedup config de", "config default "),
                                 ("qdedup export --max-p", "--max-pairs "),
                                 ("qdedup export --confidence sa", "safe "), ("qdedup run search.", "search.log "),
                                 ("qdedup export --status wi", "withdrawn")):
            with self.subTest(typed=typed):
                self.type(f"{typed}\t")
                self.wait_for(re.escape(completed))
                self.type("\x15")  # clears the line

    def test_a_choice_is_listed_with_what_each_does(self):
        self.type("qdedup \t")
        self.wait_for(r"import +-- Load questions")
        self.type("\x15unset LC_ALL; export LC_CTYPE=C.UTF-8 LC_MESSAGES=zh_CN.UTF-8; print chi''nese\n")
        self.wait_for("chinese\r\n")
        self.type("qdedup \t")
        self.wait_for(r"import +-- 把题目导入题库")
        self.type("\x15")


if __name__ == "__main__":
    unittest.main()
