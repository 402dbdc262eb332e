"""The command line and the config file: options, places of mistakes, exit codes."""

import json
import os
import subprocess

from daemon import QDEDUPD
from program import EXAMPLES, ProgramTest, main


class Config(ProgramTest):
    def test_the_default_is_what_is_in_force(self):
        default = self.write("default.toml", self.qdedup("config", "default", state=None).bytes)
        self.assertIn("ok", self.qdedup("config", "check", default, state=None).out)
        dumped = self.qdedup("config", "dump", state=None).out
        self.assertEqual(self.qdedup("config", "dump", state=None, config=default).out, dumped)

    def test_a_mistake_is_told_with_its_place(self):
        bad = self.write("bad.toml", "[merge]\nmax_cluster_size = 1\nmax = 2\n")
        outcome = self.qdedup("config", "check", bad, state=None, expect=78)
        self.assertIn(f"{bad}:2:20: merge.max_cluster_size must be", outcome.err)
        self.assertIn(f"{bad}:3:1: unknown key", outcome.err)
        self.qdedup("status", config=bad, expect=78)

    def test_what_is_hardly_meant_is_a_warning(self):
        odd = self.write("odd.toml", "[selection]\nmin_top_score = 50\nmin_score = 90\n")
        outcome = self.qdedup("config", "check", odd, state=None)
        self.assertIn("warning: selection.min_top_score has no effect", outcome.err)
        self.assertEqual(len(self.qdedup("--json", "config", "check", odd, state=None).json()["warnings"]), 1)
        for key in ('token_file = "t"', 'hosts = ["h"]', 'reviewers_file = "r"', 'public_url = "https://a.example"'):
            self.assertIn("warning: http.listen is empty",
                          self.qdedup("config", "check", self.write("http.toml", f"[http]\n{key}\n"), state=None).err)

    def test_a_missing_config(self):
        self.qdedup("config", "check", self.folder / "none.toml", state=None, expect=66)

    def test_only_a_regular_file_is_a_config(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for other in (pipe, self.folder, "/dev/zero"):
            self.assertEqual(self.qdedup("status", config=other, expect=66).err,
                             f"qdedup: {other}: is no regular file, so it is no config\n")

    def test_what_is_too_long_for_a_config(self):
        key = self.write("key.toml", ".".join(["a"] * 200_000) + " = 1\n")
        self.assertEqual(self.qdedup("config", "check", key, state=None, expect=78).err,
                         f"qdedup: {key}: is longer than the 32768 bytes that are read\n")
        parts = self.write("parts.toml", "[" + ".".join(["a"] * 16_000) + "]\n")
        self.assertIn("unknown section [a]", self.qdedup("config", "check", parts, state=None, expect=78).err)

    def test_a_config_that_cannot_be_read(self):
        self.assertIn("Input/output error", self.qdedup("config", "check", "/proc/self/mem", state=None, expect=74).err)

    def test_a_file_is_no_state(self):
        self.write("file", "x")
        self.assertIn("is not a folder", self.qdedup("status", state="file", expect=66).err)

    def test_the_example_config(self):
        self.qdedup("config", "check", EXAMPLES / "qdedup.toml", state=None)

    def test_global_options_stand_before_or_behind_the_command(self):
        self.import_questions({1: "甲"})
        before = self.qdedup("--json", "status").out
        state = self.folder / "state"
        self.assertEqual(self.qdedup("status", "--json", "--state", state, state=None).out, before)

    def test_the_state_option_wins_over_the_config(self):
        config = self.write("c.toml", '[state]\nfolder = "/nowhere"\n')
        self.assertIn(str(self.folder / "state"), self.qdedup("config", "dump", config=config).out)

    def test_an_empty_name_does_not_mean_the_default(self):
        for option in ("--config", "--state"):
            self.assertIn(f"{option}: must not be empty",
                          self.qdedup(option, "", "status", state=None, expect=64).err)
        for words in (["backup", "copy.db", "--bank", ""], ["import", "bank.jsonl", "--report-duplicates", ""],
                      ["export", "--undo", "--output", ""], ["near", "--classes", "--output", ""], ["near", "--classes", "--stop-words", ""],
                      ["explain", "1", "2", "--measures", "--weights", ""]):
            self.assertIn(f"{words[-2]}: must not be empty", self.qdedup(*words, expect=64).err)
        self.assertIn("FILE: must not be empty", self.qdedup("simhash", "", expect=64).err)
        for option in ("--config", "--state"):
            daemon = subprocess.run([QDEDUPD, option, "", "--log-level", "none"], capture_output=True, text=True, check=False)
            self.assertEqual(daemon.returncode, 64)
            self.assertIn(f"{option}: must not be empty", daemon.stderr)

    def test_usage_errors(self):
        self.assertIn('unknown command "frobnicate"', self.qdedup("frobnicate", expect=64).err)
        for words, expected in ((["exprot"], 'unknown command "exprot" (did you mean "export"?); `qdedup --help` lists'),
                                (["exprot", "--help"], 'unknown command "exprot"'),
                                (["review", "aprove", "1"], '"aprove" (did you mean "approve"?); `qdedup review --help` lists'),
                                (["export", "--formta", "csv"], 'unknown option "--formta" (did you mean "--format"?)'),
                                (["explain", "1", "2", "3"], 'unexpected "3"; see `qdedup explain --help`'),
                                (["review", "approve", "--reason", "negatio"], 'no reason "negatio" (did you mean "negation"?)'),
                                (["export", "-o", "list.ods"], "no such files are written"),
                                (["export", "-o", "list.JSON"], "name it .csv, .tsv or .jsonl"),
                                (["export", "--classes", "-o", "list.csv.gz"], "no such files are written"),
                                (["review", "approve", "1"], "KEEPER is required; see `qdedup review approve --help`")):
            outcome = self.qdedup(*words, expect=64)
            self.assertIn(expected, outcome.err)
            self.assertEqual(outcome.out, "")
            reported = json.loads(self.qdedup("--json", *words, expect=64).err)["error"]
            self.assertEqual(reported["code"], 64)
            self.assertIn(expected, reported["message"])
        for arguments in ([], ["explain", "010", "2"], ["explain", "99999999999999999999", "2"], ["explain", "0x8", "2"],
                          ["export", "--max-pairs", "-1"], ["export", "--iteration", "99999999999999999999"], ["frobnicate"], ["mine", "--wrong"], ["mine"], ["export", "--format", "xml"],
                          ["explain", "1"], ["explain", "x", "2"], ["export", "--iteration", "x"]):
            self.qdedup(*arguments, expect=64)

    def test_help_and_version(self):
        self.assertIn("import", self.qdedup("--help").out)
        self.assertIn("--remove", self.qdedup("import", "--help").out)
        self.assertRegex(self.qdedup("--version").out, r"^qdedup \d+\.\d+\.\d+\n$")

    def test_quiet(self):
        self.assertEqual(self.qdedup("--quiet", "import", EXAMPLES / "bank.jsonl").err, "")


if __name__ == "__main__":
    main()
