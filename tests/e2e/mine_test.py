"""qdedup mine: every complete line counts once, whatever becomes of the log's name, place and compression."""

import json
import os
import subprocess
import unittest.mock

from program import QDEDUP, ProgramTest, gzipped, zstandard, main


def line(first, second):
    return f"[[{first},0.9],[{second},0.8]]\n".encode()


def log_of(begin, end):
    return b"".join(line(2 * i + 1, 2 * i + 2) for i in range(begin, end))


class Mine(ProgramTest):
    def mine(self, *logs, expect=0):
        return self.qdedup("--json", "mine", *logs, expect=expect).json()

    def total_lines(self):
        mined = self.qdedup("--json", "status").json()["mined"]
        self.assertEqual(mined["lines"], mined["selected"] + mined["unselected"] + sum(mined["rejected"].values()))
        return mined["lines"]

    def test_a_log_that_leads_to_a_file_of_the_state_is_not_read(self):
        log = self.write("a.log", log_of(0, 100))
        self.mine(log)
        for name in ("qdedup.db", "bank.db"):
            link = self.folder / f"{name}.log"
            link.symlink_to(self.folder / "state" / name)
            self.assertIn("a file of the state", self.qdedup("mine", link, expect=66).err)
        self.assertEqual(self.total_lines(), 100)

    @unittest.skipIf(os.geteuid() != 0, "needs root, to make somebody else's link")
    def test_a_link_of_somebody_else_leads_only_to_their_own_files(self):
        private = self.write("private.log", log_of(0, 10))
        private.chmod(0o600)
        (self.folder / "logs").mkdir()
        (self.folder / "logs/a.log").symlink_to(private)
        (self.folder / "folder").symlink_to(".")
        for link in "logs/a.log", "folder":
            os.lchown(self.folder / link, 1, 1)
        for path in "logs/a.log", "folder/private.log":
            self.assertIn("a link of daemon to a file of root; it is not read", self.qdedup("mine", self.folder / path, expect=66).err)
        os.chown(private, 1, 1)
        self.qdedup("mine", self.folder / "logs/a.log")
        os.lchown(self.folder / "logs/a.log", 0, 0)
        os.chown(private, 2, 2)
        self.qdedup("mine", self.folder / "logs/a.log")

    def test_the_same_bytes_add_nothing(self):
        log = self.write("a.log", log_of(0, 100))
        self.assertEqual(self.mine(log)["lines"], 100)
        self.assertEqual(self.mine(log)["lines"], 0)
        self.assertEqual(self.total_lines(), 100)

    def test_a_log_without_a_complete_line_says_so(self):
        for name, begin in ("short.log", b""), ("long.log", 100_000 * b"[[1,0.7],"):
            log = self.write(name, begin + line(1, 2).rstrip())
            result = self.qdedup("--json", "mine", log)
            self.assertIn(f"{log}: holds no complete line", result.err)
            self.assertTrue(result.json()["logs"][0]["no_complete_line"])
            with log.open("ab") as file:
                file.write(b"\n[[")
            mined = self.mine(log)
            self.assertEqual(mined["lines"], 1)
            self.assertFalse(mined["logs"][0]["no_complete_line"])
        self.assertFalse(self.mine(self.write("empty.log", b""))["logs"][0]["no_complete_line"])

    def test_what_was_appended_is_read_on(self):
        log = self.write("a.log", log_of(0, 100))
        self.mine(log)
        with log.open("ab") as file:
            file.write(log_of(100, 130))
        self.assertEqual(self.mine(log)["lines"], 30)

    def test_a_line_counts_once_it_is_complete(self):
        log = self.write("a.log", log_of(0, 10)[:-1])
        self.assertEqual(self.mine(log)["lines"], 9)
        with log.open("ab") as file:
            file.write(b"\n")
        self.assertEqual(self.mine(log)["lines"], 1)

    def test_a_renamed_log_is_known(self):
        log = self.write("a.log", log_of(0, 100))
        self.mine(log)
        renamed = log.rename(self.folder / "a.log.1")
        new = self.write("a.log", log_of(500, 510))
        self.assertEqual(self.mine(new, renamed)["lines"], 10)

    def test_a_compressed_log_is_read_on_from_the_same_place(self):
        for ending, compress in (("gz", gzipped), ("zst", zstandard)):
            with self.subTest(ending):
                content = log_of(0, 100) if ending == "gz" else log_of(1000, 1100)
                log = self.write("half.log", content[:len(content) // 2])
                before = self.mine(log)["lines"]
                log.unlink()
                packed = self.write(f"half.log.1.{ending}", compress(content))
                self.assertEqual(before + self.mine(packed)["lines"], 100)

    def test_a_compressed_copy_beside_its_log_adds_nothing(self):
        log = self.write("a.log", log_of(0, 100))
        packed = self.write("a.log.gz", gzipped(log_of(0, 100)))
        report = self.mine(log, packed)
        self.assertEqual(report["lines"], 100)
        self.assertTrue(report["logs"][1]["copy"])
        self.assertEqual(self.mine(packed)["lines"], 0)

    def test_copytruncate_loses_and_repeats_nothing(self):
        log = self.write("a.log", log_of(0, 100))
        self.mine(log)
        with log.open("ab") as file:
            file.write(log_of(100, 120))
        copy = self.write("a.log.1", log.read_bytes())
        os.truncate(log, 0)
        with log.open("ab") as file:
            file.write(log_of(200, 205))
        report = self.mine(log, copy)
        self.assertEqual(report["lines"], 25)
        self.assertTrue(report["logs"][0]["possible_loss"])

    def test_logs_that_begin_alike_are_each_read(self):
        first = self.write("a.log", log_of(0, 100) + log_of(300, 310))
        second = self.write("b.log", log_of(0, 100) + log_of(400, 420))
        self.assertEqual(self.mine(first, second)["lines"], 230)
        self.assertEqual(self.mine(first, second)["lines"], 0)

    def test_a_file_that_goes_on_where_a_log_ends_begins_there(self):
        first = self.write("a.log", log_of(0, 100))
        self.mine(first)
        second = self.write("b.log", log_of(0, 101))
        self.assertEqual(self.mine(first, second)["lines"], 1)

    def test_a_log_that_is_compressed_while_it_is_mined_counts_once(self):
        log = self.write("app.log", log_of(0, 200))
        packed = self.write("app.log.1.gz", b"")
        self.mine(log, packed)
        packed.write_bytes(gzipped(log_of(0, 200))[:10])
        self.mine(log, packed)
        packed.write_bytes(gzipped(log_of(0, 200)))
        log.unlink()
        self.mine(packed)
        self.assertEqual(self.total_lines(), 200)

    def test_a_replaced_log_may_be_a_loss(self):
        log = self.write("a.log", log_of(0, 10))
        self.mine(log)
        log.rename(self.folder / "gone")
        new = self.write("a.log", log_of(20, 25))
        (self.folder / "gone").unlink()
        report = self.mine(new)
        self.assertEqual(report["lines"], 5)
        self.assertTrue(report["logs"][0]["possible_loss"])

    def test_a_rotation_that_is_seen_is_no_loss(self):
        log = self.write("a.log", log_of(0, 10))
        self.mine(log)
        old = log.rename(self.folder / "a.log.1")
        new = self.write("a.log", log_of(20, 25))
        report = self.mine(new, old)
        self.assertEqual([entry["possible_loss"] for entry in report["logs"]], [False, False])

    def test_leading_nul_bytes_are_counted(self):
        report = self.mine(self.write("a.log", b"\0" * 1000 + line(1, 2)))
        self.assertEqual((report["lines"], report["selected"], report["nul_bytes"]), (1, 1, 1000))

    def test_a_name_that_is_not_utf8(self):
        path = os.fsencode(self.folder) + b"/b\xffd.log"
        with open(path, "wb") as file:
            file.write(log_of(0, 3))
        self.assertEqual(self.qdedup("--json", "mine", os.fsdecode(path)).json()["lines"], 3)
        self.assertEqual(self.total_lines(), 3)

    def test_a_log_that_is_called_like_standard_input(self):
        self.write("-", log_of(0, 3))
        config = self.write("qdedup.toml", '[logs]\npaths = ["-*"]\n')
        self.assertIn("3 lines: 3 selected", self.qdedup("mine", config=config).out)

    def test_standard_input_is_no_log(self):
        self.assertIn("standard input cannot be mined", self.qdedup("mine", "-", expect=64).err)
        self.assertFalse((self.folder / "state").exists())

    def test_a_descriptor_is_no_log(self):
        for path in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            with open(self.write("a.log", log_of(0, 3)), "rb") as log:
                done = subprocess.run([QDEDUP, "--state", self.folder / "state", "mine", path], stdin=log, capture_output=True, check=False)
            self.assertEqual(done.returncode, 64)
            self.assertIn(f"{path}: names a descriptor", done.stderr.decode())
        self.assertFalse((self.folder / "state").exists())

    def test_a_log_is_the_same_by_every_path(self):
        log = self.write("a.log", log_of(0, 10))
        (self.folder / "sub").mkdir()
        self.assertEqual(self.mine("a.log")["logs"][0]["path"], "a.log")
        log.rename(self.folder / "gone")
        self.write("a.log", log_of(20, 25))
        (self.folder / "gone").unlink()
        for name, lost in (("sub/../a.log", True), ("./a.log", False), (log, False)):
            report = self.mine(name)["logs"][0]
            self.assertEqual((report["path"], report["possible_loss"]), (str(name), lost))
        self.assertEqual({entry["path"] for entry in self.qdedup("--json", "status").json()["logs"]}, {str(log)})
        self.assertIn("a.log: acknowledged", self.qdedup("acknowledge", "sub/../a.log").out)
        self.assertIn("none.log: No such file", self.qdedup("mine", "./none.log", expect=66).err)
        self.qdedup("forget", "a.log")
        self.assertIn("2 logs taken back", self.qdedup("forget", "--undo", "./a.log").out)

    def test_a_log_without_a_good_line_gives_a_hint(self):
        outcome = self.qdedup("mine", self.write("a.log", b'{"results":[[1,0.9],[2,0.8]]}\n' * 2), expect=65)
        self.assertIn("does [logs] format fit it?", outcome.err)
        self.assertIn("qdedup: none of the lines could be used", outcome.err)
        for pointer, hint in (("/hits/hits", "nothing is at"), ("", "no list is at")):
            config = self.write("c.toml", f'[logs]\nformat = "object"\npointer = "{pointer}"\n')
            self.assertIn(f'{hint} "{pointer}" in it; does [logs] pointer fit it?',
                          self.qdedup("mine", "--dry-run", self.folder / "a.log", config=config, expect=65).err)
        self.qdedup("mine", self.write("blank.log", b"\n\n"))
        self.qdedup("mine", self.write("one.log", b"nonsense\n"))

    def test_empty_logs(self):
        logs = [self.write("a.log", b""), self.write("b.log", b""), self.write("c.log.gz", gzipped(b""))]
        self.assertEqual(self.mine(*logs)["lines"], 0)
        logs[0].write_bytes(log_of(0, 5))
        self.assertEqual(self.mine(*logs)["lines"], 5)

    def test_every_outcome_is_counted(self):
        log = self.write("a.log", b"".join([
            b"[[1,0.9],[2,0.8]]\r\n", b"\xef\xbb\xbf[[3,0.9],[4,0.8]]\n", b"[]\n", b"[[1,0.2],[2,0.1]]\n", b"\n",
            b"[[0,0.9],[2,0.8]]\n", b"[[9223372036854775808,0.9],[2,0.8]]\n", b"[[\"7\",0.9],[2,0.8]]\n",
            b"[[1,1e999],[2,0.8]]\n", b"[[1],[2,0.8]]\n", b"[[1,0.9],[2,0.8]][]\n", b"{\n", b"{}\n",
            b"[[1,0.9],\xff]\n", b"[[1,0.9],\0]\n", b"\0\0\0[[5,0.9],[6,0.8]]\n",
        ]))
        report = self.mine(log)
        self.assertEqual(report["lines"], 16)
        self.assertEqual(report["selected"], 3)
        self.assertEqual(report["unselected"], 2)
        self.assertEqual(report["rejected"], {
            "bad_id": 3, "bad_json": 1, "bad_pair": 1, "bad_score": 1, "bad_utf8": 1, "blank": 1, "not_a_list": 1,
            "nul_byte": 1, "trailing_data": 1,
        })

    def test_lines_of_any_length_and_depth(self):
        log = self.write("a.log", line(1, 2) + b"[" * 100_000 + b"\n" + b"9" * 5_000_000 + b"\n" + line(3, 4))
        report = self.mine(log)
        self.assertEqual(report["selected"], 2)
        self.assertEqual(report["lines"], 4)
        self.assertEqual(report["rejected"]["too_long"], 1)

    def test_strict(self):
        log = self.write("a.log", b"nonsense\n[[1,0.9],[2,0.8]]\n")
        self.qdedup("mine", log)
        self.qdedup("mine", "--strict", log, state="strict", expect=65)

    def test_a_dry_run_stores_nothing(self):
        log = self.write("a.log", b"[[1,0.9],[2,0.8]]\n[[1,0.4],[2,0.35]]\nnonsense\n")
        config = self.write("c.toml", "[selection]\nmin_top_score = 0.4\n")
        for _ in range(2):
            told = self.qdedup("--json", "mine", "--dry-run", log, config=config).json()
            self.assertEqual((told["lines"], told["selected"], told["rejected"]), (3, 2, {"bad_json": 1}))
        self.assertEqual(sum(score["lists"] for score in told["scores"]), 2)
        self.assertFalse((self.folder / "state").exists())
        self.qdedup("mine", log)
        text = self.qdedup("mine", "--dry-run", log).out
        self.assertIn("dry run, nothing is stored: 3 lines: 1 selected, 1 unselected, 1 rejected", text)
        self.assertIn("Best scores of 2 searches", text)
        self.assertEqual(self.qdedup("--json", "status").json()["mined"]["lines"], 3)

    def test_a_wrong_folder_for_temporary_files_is_named(self):
        log = self.write("a.log", b"[[1,0.9],[2,0.8]]\n")
        self.import_questions({1: "甲", 2: "乙"})
        self.qdedup("run", log)
        with unittest.mock.patch.dict(os.environ, TMPDIR="/nowhere"):
            for words in (("mine", "--dry-run", log), ("export", "-o", self.folder / "list.xlsx")):
                self.assertIn("/nowhere: nothing temporary can be made here (No such file or directory); set TMPDIR",
                              self.qdedup(*words, expect=73).err)

    def test_object_lines(self):
        log = self.write("a.log", b'{"q":"\xe9\xa2\x98","results":[[1,0.9],[2,0.8]]}\n{"q":1}\n')
        config = self.write("c.toml", '[logs]\nformat = "object"\npointer = "/results"\n')
        report = self.qdedup("--json", "mine", log, config=config).json()
        self.assertEqual((report["selected"], report["rejected"]), (1, {"no_results": 1}))

    def mined_with(self, keys, log):
        config = self.write("c.toml", f"[logs]\n{keys}\n")
        report = self.qdedup("--json", "mine", self.write("a.log", log), config=config).json()
        return report["selected"], report["unselected"], report["rejected"]

    def test_lists_in_text(self):
        log = (b"2026-01-02 03:04:05 [info] tags=[] hits=[[1,0.9],[2,0.8]] took=3\n\xff [x [[3,0.9],[4,0.8]]\n"
               b"[info] hits=[]\n[info] nothing\n" + line(5, 6) + b"[" * 1_000_000 + b"\n" + b" \n")
        self.assertEqual(self.mined_with('format = "embedded"', log), (3, 1, {"blank": 1, "no_results": 2}))

    def test_hits_of_elasticsearch(self):
        def response(*hits):
            found = [{"_index": "q", "_id": str(number), "_score": score, "_source": {"tags": []}} for number, score in hits]
            return json.dumps({"took": 3, "hits": {"total": {"value": 2}, "hits": found}}).encode() + b"\n"
        keys = ('pointer = "/hits/hits"', 'id = "/_id"', 'score = "/_score"', "quoted_numbers = true")
        log = response((1, 0.9), (2, 0.8)) + response((1, None)) + response() + b'{"hits":{"hits":[[1,0.9]]}}\n'
        outcome = (1, 1, {"bad_pair": 1, "bad_score": 1})
        self.assertEqual(self.mined_with("\n".join(('format = "object"', *keys)), log), outcome)

    def test_lists_in_no_order(self):
        log = b"[[1,0.4],[2,0.9],[3,0.9],[2,0.1]]\n"
        self.assertEqual(self.mined_with('order = "listed"', log), (0, 1, {}))
        self.import_questions({1: "一题", 2: "一题", 3: "一题"}, state="sorted")
        config = self.write("c.toml", '[logs]\norder = "score"\n')
        self.qdedup("run", self.write("a.log", log), config=config, state="sorted")
        self.assertEqual(self.pairs(state="sorted"), [(2, 1), (3, 1)])

    def test_settings_that_contradict_each_other(self):
        config = self.write("c.toml", '[logs]\nid = "/_id"\n')
        outcome = self.qdedup("mine", self.write("a.log", line(1, 2)), config=config, expect=78)
        self.assertIn("c.toml:2:6: logs.id needs logs.score", outcome.err)

    def test_hints_name_what_was_seen_and_the_key(self):
        text = self.write("text.log", "2026-01-02 [info] \x1b 小明 [[1,0.9],[2,0.8]]\n".encode() * 9 + line(1, 2))
        scores = self.write("scores.log", b"[[1,0.25],[2,0.2]]\n" + b"[[3,0.375],[4,0.3]]\n" * 2)
        few = self.write("few.log", log_of(0, 20) + b"x\n" + b"[[1,0.2],[2,0.1]]\n")
        outcome = self.qdedup("mine", text, scores, few, self.write("more.log", b"\n[[5,0.125]]\n" + b"y\n" * 2))
        self.assertIn("text.log: 9 of 10 lines rejected, 9 as trailing_data; the first of these begins "
                      "`2026-01-02 [info] \\x1b 小明 [[1,0.9],[2,0.8]]`: does [logs] format fit it? \"embedded\"", outcome.err)
        self.assertIn("scores.log: none of 3 lists selected; their first scores lie between 0.25 and 0.3906, half of them "
                      "from 0.375 on. It takes a best score of 0.5 ([selection] min_top_score)", outcome.err)
        self.assertEqual(outcome.err.count("the same goes for 1 other log"), 1)
        self.assertNotIn("few.log", outcome.err)
        self.assertEqual(self.qdedup("--quiet", "mine", text, scores, state="quiet").err, "")

    def test_logs_of_the_config(self):
        self.write("x1.log", log_of(0, 3))
        self.write("x2.log.gz", gzipped(log_of(3, 5)))
        config = self.write("c.toml", f'[logs]\npaths = ["{self.folder}/x*.log*"]\n')
        self.assertEqual(self.qdedup("--json", "mine", config=config).json()["lines"], 5)
        config = self.write("c.toml", f'[logs]\npaths = ["{self.folder}/x*.log*", "{self.folder}/y*.log"]\n')
        said = f"{self.folder}/y*.log: no file matches this pattern of [logs] paths\n"
        for command in ("mine", "run"):
            self.assertEqual(self.qdedup(command, config=config, expect=None).err.count(said), 1, command)
        self.assertEqual(self.qdedup("--quiet", "mine", config=config).err, "")
        self.assertIn("  " + said, self.qdedup("status", config=config).out)
        self.assertEqual(self.qdedup("--json", "status", config=config).json()["patterns_without_files"], [f"{self.folder}/y*.log"])

    def test_trouble_with_one_log_does_not_stop_the_others(self):
        good = self.write("good.log", log_of(0, 10))
        os.mkfifo(self.folder / "fifo")
        outcome = self.qdedup("mine", self.folder / "none.log", self.folder / "fifo", self.folder, good, expect=66)
        self.assertIn("10 lines", outcome.out)
        self.assertIn("none.log: No such file", outcome.err)
        self.assertIn("fifo", outcome.err)
        self.assertEqual(self.total_lines(), 10)

    def test_a_damaged_log_keeps_what_came_before(self):
        packed = bytearray(gzipped(log_of(0, 100)) + gzipped(log_of(100, 20000)))
        packed[-6] ^= 0xFF  # the checksum of the second member
        log = self.write("a.log.gz", bytes(packed))
        outcome = self.qdedup("--json", "mine", log, expect=65)
        self.assertEqual(outcome.json()["lines"], 100)
        self.assertIn("a.log.gz", outcome.err)

    def test_a_compressed_log_that_is_not_complete_is_read_on_later(self):
        packed = gzipped(log_of(0, 20000))
        log = self.write("a.log.gz", packed[:len(packed) // 2])
        first = self.mine(log)
        self.assertTrue(first["logs"][0]["waits"])
        self.assertEqual(first["lines"], 0)
        log.write_bytes(packed)
        self.assertEqual(self.mine(log)["lines"], 20000)

    def test_the_scores_that_were_seen(self):
        self.assertIn("No scores yet", self.scores().out)
        log = self.write("a.log", "[[32,0.75],[1,0.3]]\n[[17,0.75]]\n[]\nno list\n[[5,0.25]]\n")
        self.mine(log)
        self.mine(log)
        seen = {row["from"]: (row["lists"], row["pairs"]) for row in self.scores("--json").json()["scores"]}
        self.assertEqual(seen, {0.25: (1, 0), 0.296875: (0, 1), 0.75: (2, 1)})
        table = self.scores().out
        self.assertIn("Best scores of 3 searches", table)
        self.assertRegex(table, r"\n +0\.75 +2 +66\.7 %")

    def test_results_are_shown_below_the_best_scores_too(self):
        """Where min_score is chosen."""
        lists = [[[i, 0.9]] + [[i + j, 0.9 - 0.08 * j] for j in range(1, 9)] for i in range(16, 1600, 16)]
        self.mine(self.write("a.log", "".join(json.dumps(each) + "\n" for each in lists)))
        rows = [line.split() for line in self.scores().out.splitlines()[2:]]
        self.assertGreater(sum(row[-1] != "0" and row[1] == "0" for row in rows), 5, rows)

    def scores(self, *arguments):
        self.import_questions({1: "一题"})
        return self.qdedup("status", "--scores", *arguments)


if __name__ == "__main__":
    main()
