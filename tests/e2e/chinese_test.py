"""The tool in a Chinese locale: messages, summaries, help and progress are in Chinese, whatever programs read stays as it is."""

import collections
import getpass
import json
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import program
from daemon import Daemon
from program import EXAMPLES, SAMPLE_LOGS, ProgramTest, main

sys.path.insert(0, str(program.ROOT / "package"))
from help_text import commands_of, help_of  # noqa: E402

TERMS = program.ROOT / "cli/data/zh_terms.txt"
CHINESE = {"LC_ALL": "zh_CN.UTF-8"}  # which need not be installed
ENGLISH = {"LC_ALL": "C"}

# Words that stay in a Chinese sentence: names of programs, formats and measures, and what one types.
NAMES = set("""qdedup qdedupd JSON CSV TSV XLSX UTF GB GBK HTML LaTeX ZIP PDF SQLite NUL TOML Jaccard simhash simhashes kB MB GB TB MiB
 Excel CSV Python Parquet gram substring minhash exact jaccard cosine hamming equal words grams text han id ids score pointer
 markup format order chmod xlsx csv tsv jsonl html auto gzip zstd bzip zip stem options import iterate mine run sweep approve reject reset
 pair same different reordered unclear unknown none off daily hourly Sun FILE LOG ID KEEPER PAIRS DIR TEXT UINT INT true false
 embedded object decision lease fsck tzdata http https http_hosts levenshtein lcs bin wal shm title row
 negation polarity filler misspelling renamed repeated synonym quantity unit safe doubtful pending approved rejected applied withdrawn
 export all bad blank not list too short empty Word XLS DOC GiB exact array plain keep drop small large label FIRST SECOND OTHER
 answer near subject cp duplicate new gb utf gbk worst distance levels stop above xz Spark iteration index table deletion text-changed keeper-gone not-duplicates damaged duplicates Wilson HTTP
 status ICU RFC NAME HASHES ASKED""".split())


def words_left(text, allowed=()):
    """The English words of a Chinese text that are no names, nor parts of paths, options, keys, or what is quoted."""
    text = re.sub(r"`[^`]*`|“[^”]*”|\"[^\"]*\"|'[^']*'", " ", text)
    text = re.sub(r"\{[^}]*\}|\[[a-z]+\]( [a-z_]+)?", " ", text)  # choices, and keys of the config
    text = re.sub(r"[\w.,~+-]*[./_=:][\w./~+:=-]+|--?[a-z][\w-]*|[a-z]+(-[a-z]+)+", " ", text, flags=re.ASCII)
    return [word for word in re.findall(r"[A-Za-z]{2,}", text) if word not in NAMES | {getpass.getuser()} and word not in allowed]


def numbers(text):
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", " ", text)
    return collections.Counter(re.findall(r"\d[\d,.]*\d|\d", text))


class ChineseTest(ProgramTest):
    """Runs each command twice, on states of their own: in English and in Chinese."""

    def run_in(self, language, *arguments, stdin=None, cwd=None):
        state = self.folder / ("zh" if language is CHINESE else "en")
        command = [program.QDEDUP, "--state", str(state), *map(str, arguments)]
        done = subprocess.run(command, input=stdin or b"", capture_output=True, check=False, cwd=cwd or self.folder,
                              env={**os.environ, **language})
        return program.Outcome(done)

    def same(self, text):
        """Without what differs between the states."""
        return re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z", "TIME", text.replace(f"{self.folder}/zh", f"{self.folder}/en"))

    def expect_chinese(self, english, chinese, arguments):
        english, chinese = self.same(english), self.same(chinese)
        self.assertEqual(words_left(chinese, {"TIME", *map(str, arguments)}), [], f"in Chinese:\n{chinese}\nin English:\n{english}")
        self.assertEqual(numbers(chinese), numbers(english), f"{english}\n{chinese}")
        for path in re.findall(r"(?:/[\w.-]+)+", english):
            self.assertIn(path, chinese)
        if words_left(english):
            self.assertRegex(chinese, r"[一-鿿]")

    def both(self, *arguments, expect=0, stdin=None, data=False, cwd=None, names=()):
        """With `data`, standard output is for programs. `names` are words that stay."""
        english, chinese = (self.run_in(language, *arguments, stdin=stdin, cwd=cwd) for language in (ENGLISH, CHINESE))
        self.assertEqual((english.code, chinese.code), (expect, expect), f"{arguments}\n{english.err}\n{chinese.err}")
        self.expect_chinese(english.err, chinese.err, [*arguments, *names])
        if data:
            self.assertEqual(self.same(chinese.out), self.same(english.out))
        else:
            self.expect_chinese(english.out, chinese.out, [*arguments, *names])
        return chinese


class Help(ProgramTest):
    def test_every_text_of_the_help_has_its_chinese(self):
        lines = [line for line in TERMS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
        known = set(lines[::2])
        pages = [help_of(program.QDEDUP), *(page for _, page in commands_of(program.QDEDUP))]
        pages += [help_of(program.QDEDUP, name) for name in ("review", "reviewer", "config", "lease", "spark")]
        texts = {page.summary for page in pages}
        texts |= {entry.meaning for page in pages for entries in page.sections.values() for entry in entries if entry.meaning}
        missing = sorted(texts - known)
        self.assertEqual(missing, [], f"add each to {TERMS}, with its Chinese on the next line")

    def test_the_help_is_chinese(self):
        for command in [(), *(command for command, _ in commands_of(program.QDEDUP)), ("review",), ("reviewer",), ("spark",)]:
            done = subprocess.run([program.QDEDUP, *command, "--help"], capture_output=True, check=True, text=True,
                                  env={**os.environ, **CHINESE})
            self.assertEqual(done.stderr, "")
            self.assertIn("\n用法: qdedup", done.stdout)
            for line in done.stdout.splitlines():
                form, _, meaning = line.strip().partition("  ")
                self.assertEqual(words_left(meaning if line.startswith("  ") else form.partition("qdedup ")[0]), [], line)


class Locales(ProgramTest):
    def language(self, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("LANG", "LANGUAGE") and not name.startswith("LC_")}
        done = subprocess.run([program.QDEDUP, "nonsense"], capture_output=True, text=True, check=False,
                              env={**environment, **variables})
        self.assertEqual((done.returncode, done.stdout), (64, ""))
        return {"qdedup: unknown": "en", "qdedup: 没有命令": "zh"}[re.match(r"qdedup: (unknown|没有命令)", done.stderr).group(0)]

    def test_the_locale_decides(self):
        for variables, language in [
            ({}, "en"),
            ({"LANG": "zh_CN.UTF-8"}, "zh"),
            ({"LANG": "zh_CN.utf8"}, "zh"),
            ({"LANG": "zh_CN.GB18030"}, "en"),
            ({"LANG": "zh_CN"}, "en"),
            ({"LANG": "en_US.UTF-8"}, "en"),
            ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "C"}, "en"),
            ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": ""}, "zh"),
            ({"LANG": "C", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
            ({"LC_ALL": "C", "LC_MESSAGES": "zh_CN.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
            ({"LC_ALL": "zh_CN.UTF-8", "LANG": "C"}, "zh"),
            ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:en"}, "zh"),
            ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en"}, "en"),
            ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "de:fr"}, "zh"),
            ({"LANG": "C.UTF-8", "LANGUAGE": "zh_CN"}, "en"),
            ({"LC_ALL": "POSIX", "LANGUAGE": "zh_CN"}, "en"),
        ]:
            self.assertEqual(self.language(**variables), language, variables)


class Commands(ChineseTest):
    def test_a_week_from_import_to_backup(self):
        """The usual commands, in their usual order."""
        self.both("import", EXAMPLES / "bank.jsonl")
        self.both("mine", "--dry-run", *SAMPLE_LOGS)
        self.both("run", *SAMPLE_LOGS)
        self.both("run", *SAMPLE_LOGS)
        self.both("sweep")
        self.both("sweep", "--finder", "simhash")
        self.both("sweep", "--finder", "substring", "--gram", "auto")
        self.both("status")
        self.both("status", "--scores")
        self.both("iterations")
        self.both("diff", 1, 1, data=True)
        self.both("near", data=True)
        self.both("near", "--classes", "--measure", "hamming", data=True)
        self.both("check", EXAMPLES / "questions.csv", data=True)
        first, *others = self.listed(state="en")
        pair = (first["delete_id"], first["keep_id"])
        self.both("explain", *pair)
        self.both("explain", "--measures", *pair)
        self.both("explain", others[0]["delete_id"], pair[1])
        self.both("similar", pair[0])
        self.both("review", "reject", *pair, "--note", "no duplicate")
        self.both("review", "approve", "--confidence", "safe", "--dry-run")
        self.both("review", "approve", "--confidence", "safe")
        self.both("similar", pair[0])
        self.both("export", data=True)
        for language in (ENGLISH, CHINESE):
            self.run_in(language, "export", "--status", "approved", "-o", "approved.tsv")
        self.both("export", "-o", "list.csv", data=True)
        self.both("export", "--status", "approved", "-o", "approved.tsv", data=True)
        self.both("review", "import", "list.csv", "--dry-run")
        self.both("applied", "approved.tsv")
        self.both("verify")
        self.both("import", "--remove", EXAMPLES / "remove.txt")
        self.both("verify", expect=self.run_in(ENGLISH, "verify").code)
        self.both("iterate")
        self.both("backup", "copy.db", "--bank", "bank-copy.db", "--force")
        self.both("config", "check", EXAMPLES / "qdedup.toml")
        self.both("config", "default", data=True)
        self.both("config", "dump", data=True)

    def test_markup_and_labelled_pairs(self):
        markup = self.write("markup.jsonl", "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in {
            1: "<p>小红比小明<u>少</u>5本书，<i>几</i>小红有多少本书？</p>", 2: "求\\(x^2\\)<x-tag>的值</x-tag>",
            3: "小红比小明多5本书，小红有多少本书？", 4: "小红比小明少5本书，请问小红有多少本书？", 5: "乙" * 30_000,
            6: "小红比小明少5本书，小红有多少本书？"}.items()))
        self.both("import", markup)
        self.both("text", markup)
        self.both("explain", 3, 4)
        self.both("explain", 4, 6)
        self.both("explain", 3, 5)
        pairs = self.write("pairs.tsv", "small_id\tlarge_id\tlabel\tsubject\n3\t6\tdifferent\t数学\n4\t6\tsame\t\n1\t9\tsame\t\n3\t6\tsame\tworst\n"
                           + "4\t6\tdifferent\t\n" * 30)
        self.both("evaluate", pairs)
        self.both("features", self.write("two.tsv", "small_id\tlarge_id\tlabel\n3\t6\tdifferent\n"), data=True)
        self.both("learn", expect=65)
        self.both("learn", "--undo", expect=66)

    def test_what_is_wrong_with_logs_and_files(self):
        self.both("import", "--format", "jsonl", "-", stdin='{"id":1,"text":"甲"}\n{"id":2,"text":"甲"}\n'.encode())
        self.both("mine", self.write("low.log", "[[1,0.1],[2,0.1]]\n" * 20))
        self.both("mine", self.write("bad.log", "2026 query [[1,0.9],[2,0.8]]\n" * 20), expect=65)
        self.both("--config", self.write("c.toml", f'[logs]\npaths = ["{self.folder}/l*.log", "{self.folder}/none*.log"]\n'), "mine")
        self.both("--config", self.folder / "c.toml", "status")
        self.both("mine", self.write("some.log", "[[1,0.9],[2,0.8]]\n" * 20 + "{}\n" * 5))
        self.both("mine", self.write("cut.log.gz", program.gzipped(b"[[1,0.9],[2,0.8]]\n" * 200)[:60]), expect=0)
        rows = ('{"id":0,"text":"a"}\n{"id":3}\n{"text":"a"}\n{"id":4,"text":5}\n[1]\n{"id"\n{"id":5,"text":"\\u0000"}\n'
                '{"id":"x","text":"a"}\n{"id":6,"text":"a","answer":[1]}\n{"id":7,"text":"七"}\n{"id":7,"text":"七"}\n')
        self.both("import", self.write("rows.jsonl", rows.encode() + b'{"id":8,"text":"\xff"}\n'))
        self.both("import", "--strict", self.write("rows.csv", 'id,text\n1,a,b\n2\n3,"a"b\n4,"a\n'), expect=65)
        self.both("import", self.write("many.csv", "id,text\n" + "x,a\n" * 150 + "9,a\n"))
        self.both("--quiet", "import", self.write("few.csv", "id,text\n11,a\n"))
        self.both("--json", "import", self.write("more.csv", "id,text\n12,a\nx,a\n"), data=True)
        self.both("import", self.write("arrived.jsonl", '{"id":13,"text":"a","arrived_at":"soon"}\n{"id":14,"text":"a","arrived_at":1790000000}\n'), names=["soon"])

    def test_logs_are_forgotten_and_losses_acknowledged(self):
        self.both("import", "--format", "jsonl", "-", stdin='{"id":1,"text":"甲"}\n{"id":2,"text":"甲"}\n'.encode())
        wrong = self.write("wrong.log", "[[1,0.9],[2,0.8]]\n" * 3 + "[[1,0.9],[5,0.8]]\n")
        right = self.write("right.log", "[[2,0.9],[1,0.8]]\n" * 3 + "[[1,0.9],[6,0.8]]\n")
        self.both("mine", wrong, right)
        self.both("status", "--logs")
        self.both("forget", "--dry-run", wrong)
        self.both("forget", wrong)
        self.both("forget", wrong, expect=66)
        self.both("forget", self.folder / "rihgt.log", expect=66)
        for arguments in [("status",), ("status", "--logs"), ("mine", wrong)]:
            self.both(*arguments)
        self.both("forget", "--undo", wrong)
        self.both("forget", "--undo", wrong, expect=66)
        self.both("acknowledge", wrong, expect=66)
        right.write_text("[[3,0.9],[4,0.8]]\n[[7,0.9],[8,0.8]]\n", encoding="utf-8")
        self.both("mine", right)
        self.both("status")
        self.both("acknowledge", "--all")
        self.both("acknowledge", "--all")
        self.both("status", "--logs")
        self.both("run", right)
        self.both("forget", right, expect=65)

    def test_hashes_arrivals_and_expiry(self):
        self.both("import", EXAMPLES / "bank.jsonl")
        hashes = self.write("hashes.tsv", "1\t00000000000000ff\n2\t00000000000000fe\n3\t0f\n")
        self.both("hamming", hashes, hashes, data=True)
        self.both("hamming", hashes, "-", stdin=b"7\t00000000000000f0\n", data=True)
        self.both("check", EXAMPLES / "questions.csv", "--add", data=True)
        self.both("--json", "expire", "--days", 1, "--dry-run", data=True)
        self.both("expire", expect=64)

    def test_other_rules(self):
        rows = {1: "甲有3个苹果", 2: "甲有4个苹果", 3: "小红比小明多买书多少本", 4: "小红比小明少买书多少本", 5: "7"}
        self.both("import", "--format", "jsonl", "-",
                  stdin="".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in rows.items()).encode())
        for number, rule in enumerate(['compare = "text"', 'compare = "text"\nsimilarity = "jaccard"', 'similarity = "cosine"\nfeatures = "words"',
                                       'similarity = "lcs"', 'similarity = "jaccard"\ngram = 1', 'compare = "text"\nsimilarity = "cosine"\nfeatures = "words"']):
            config = self.write(f"{number}.toml", f'[refine]\nsigns = "any"\n{rule}\n')
            self.both("config", "check", config)
            for pair in [(1, 2), (3, 4), (1, 5), (3, 5)]:
                with self.subTest(rule=rule, pair=pair):
                    self.both("--config", config, "explain", *pair)


class Mistakes(ChineseTest):
    def test_typical_mistakes(self):
        self.both("import", "--format", "jsonl", "-", stdin='{"id":1,"text":"甲"}\n{"id":2,"text":"甲"}\n'.encode())
        self.both("sweep")
        list_ = self.write("list.csv", "iteration,delete_id,keep_id,decision\n1,2,1,approved\n1,3,1,approve\n1,2,9,approve\n1,x,1,reject\n")
        config = self.write("bad.toml", '[selection]\nmin_topscore = 0.5\nmin_score = "x"\n[nosuch]\na = 1\n[refine]\nmin_similarity = 0.8\n'
                            '[logs]\npaths = "x"\nformat = "xml"\nid = "/id"\n[schedule]\nevery = "never"\ntime_zone = "Mars"\nwait_for_logs = 5\n'
                            '[review]\nauto_approve = "all"\nimage_url = "x"\nmax_deletions_per_iteration = "x"\n[http]\nlisten = "0.0.0.0:80"\n'
                            '[text]\nmarkup = "x"\nnumbering = true\n[state]\nfolder = ""\n[check]\nkeep_days = -1\n')
        rules = self.write("rules.toml", '[refine]\nsigns = "some"\ncompare = "all"\nsimilarity = "near"\ngram = 0\n[http]\npublic_url = "http://x"\n')
        needs = self.write("needs.toml", '[refine]\nfeatures = "words"\ngram = 3\n[http]\nlisten = "127.0.0.1:9631"\n')
        words = self.write("words.toml", '[refine]\nsimilarity = "cosine"\nfeatures = "words"\ngram = 3\n')
        for arguments, code in [
            ([], 64), (["nonsense"], 64), (["exprot"], 64), (["mine", "--dryrun"], 64), (["status", "extra"], 64),
            (["explain", "1"], 64), (["explain", "1", "1"], 64), (["explain", "1", "x"], 64), (["explain", "1", "0"], 64),
            (["explain", "1", "77"], 66), (["similar", "77"], 66), (["import"], 64), (["import", "none.jsonl"], 66),
            (["import", "."], 66), (["import", "--format", "xml", "x"], 64), (["import", "--id-column", "", "x"], 64),
            (["import", list_], 65), (["import", "--text-column", "stem", list_], 65), (["mine"], 64), (["mine", "-"], 64),
            (["mine", "none.log"], 66), (["mine", "."], 66), (["run", "none.log", "nor.log"], 66), (["--config", config, "status"], 78),
            (["config", "check", config], 78), (["config", "check"], 64), (["config", "check", "none.toml"], 66), (["config"], 64),
            (["--config", ".", "status"], 66), (["export", "--iteration", "9"], 66), (["export", "--iteration", "0"], 64),
            (["export", "--status", "open"], 64), (["export", "-o", "/none/list.csv"], 73), (["export", "-o", "list.ods"], 64),
            (["export", "--confidence", "sure"], 64), (["near", "-o", "near.xlsx"], 64), (["near", "--distance", "3"], 64),
            (["near", "--features", "words", "--gram", "3"], 64), (["near", "--weights", list_, "--keywords", "2"], 65),
            (["near", "--min-similarity", "101"], 64), (["sweep", "--gram", "auto"], 64), (["sweep", "--bands", "3"], 64),
            (["sweep", "--finder", "substring", "--gram", "3"], 64), (["sweep", "--finder", "substring", "--gram", "auto"], 66),
            (["review"], 64), (["review", "approve"], 64), (["review", "approve", "2"], 64), (["review", "approve", "2", "9"], 66),
            (["review", "approve", "2", "1", "--reason", "polarity"], 64), (["review", "approve", "--reason", "polarty"], 64),
            (["review", "approve", "--max-risk", "2"], 64), (["review", "approve", "--by", "a\nb", "2", "1"], 64),
            (["review", "approve", "--note", "a\tb", "2", "1"], 64), (["review", "import", list_], 65),
            (["review", "import", "none.csv"], 66), (["review", "import", config], 65), (["review", "release", "1"], 66),
            (["review", "reset", "1", "2"], 66), (["review", "import", self.write("report.html", "<!DOCTYPE html>")], 65),
            (["review", "reset", "2", "1", "extra"], 64), (["applied", "none.tsv"], 66), (["applied", self.write("a.txt", "2\n9\n")], 65),
            (["evaluate", "none.tsv"], 66), (["evaluate", list_], 65), (["backup", "list.csv"], 73), (["backup"], 64),
            (["learn"], 65), (["lease", "end"], 66), (["lease"], 64), (["diff", "1", "9"], 66), (["check", "none.jsonl"], 66),
            (["text", "none.jsonl"], 66), (["spark", "plan", "none"], None), (["spark", "commit", "none"], 66),
            (["--state"], 64), (["features", list_], 65), (["config", "check", rules], 78), (["config", "check", needs], 78),
            (["config", "check", words], 78), (["forget"], 64), (["forget", "none.log"], 66), (["acknowledge"], 64),
            (["acknowledge", "none.log"], 66), (["acknowledge", "--all", "x"], 64), (["status", "--logs", "--scores"], 64),
            (["hamming"], 64), (["hamming", "-"], 64), (["hamming", "none.tsv"], 66), (["hamming", "--distance", "16", list_], 64),
            (["expire"], 64), (["expire", "--days", "0"], 64), (["expire", "--days", "x"], 64), (["reviewer"], 64),
        ]:
            with self.subTest(arguments=arguments):
                if code is None:
                    code = self.run_in(ENGLISH, *arguments).code
                    self.assertNotEqual(code, 0)
                self.both(*arguments, expect=code)
        for name, content in [("a.xlsx", b"PK\x03\x04 xl/"), ("a.zip", b"PK\x03\x04"), ("a.pdf", b"%PDF-1"), ("a.xz", b"\xfd7zXZ\x00"),
                              ("a.html", b"<html>"), ("gbk.csv", "id,text\n1,小红比小明少五本书，小红有多少本书？\n".encode("gb18030")),
                              ("a.csv", b"id,id,text\n1,2,a\n"), ("empty.csv", b""), ("a.json", b'[{"id":1,"text":"a"}'),
                              ("cut.csv.gz", program.gzipped(b"id,text\n" + os.urandom(999))[:500])]:
            with self.subTest(name=name):
                code = self.run_in(ENGLISH, "import", self.write(name, content)).code
                self.both("import", self.folder / name, expect=code)

    def test_reviewers(self):
        file = self.write("reviewers", "")
        file.chmod(0o600)
        config = self.write("qdedup.toml", f'[http]\nreviewers_file = "{file}"\n')
        english, chinese = (self.run_in(language, "--config", config, "reviewer", "add", name)
                            for language, name in ((ENGLISH, "ann"), (CHINESE, "bob")))
        self.expect_chinese(english.err, chinese.err, ["bob"])
        self.assertNotRegex(chinese.out, r"[一-鿿]")
        self.both("--config", config, "reviewer", "list", data=True)
        for arguments, code in [(["add", "ann"], 65), (["remove", "eve"], 66), (["add", "ann "], 64), (["add"], 64), ([], 64)]:
            self.both("--config", config, "reviewer", *arguments, expect=code)
        for content, mode in [("ann:secret\n", 0o600), (file.read_text(encoding="utf-8"), 0o644), (file.read_text(encoding="utf-8") * 2, 0o600)]:
            file.write_text(content, encoding="utf-8")
            file.chmod(mode)
            self.both("--config", config, "reviewer", "list", expect=78, names=["ann"])
        file.unlink()
        self.both("--config", config, "reviewer", "list", expect=66)
        self.both("reviewer", "list", expect=78)

    def test_workbooks(self):
        """Decisions in the list as export writes it, with cells that spreadsheets may leave in it."""
        rows = {1: "甲乙丙丁戊己庚辛", 2: "甲乙丙丁戊己庚辛", 5: "一二三四五六七八", 6: "一二三四五六七八"}
        self.both("import", "--format", "jsonl", "-",
                  stdin="".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in rows.items()).encode())
        self.both("sweep")
        self.run_in(ENGLISH, "export", "-o", "list.xlsx")
        with zipfile.ZipFile(self.folder / "list.xlsx") as whole:
            parts = {name: whole.read(name).decode() for name in whole.namelist()}
        sheet = "xl/worksheets/sheet1.xml"

        def edited(pattern, becomes, part=sheet):
            with zipfile.ZipFile(self.folder / "edited.xlsx", "w", zipfile.ZIP_DEFLATED) as book:
                for name, content in parts.items():
                    book.writestr(name, re.subn(pattern, becomes, content, count=1)[0] if name == part else content)
            return self.folder / "edited.xlsx"

        def decision(cell):
            return edited(r'<c r="K2" s="\d+"/>', f'<c r="K2" {cell}</c>')

        for cell in ('t="str"><f>A1</f><v>approve</v>', 't="e"><v>#N/A</v>', 't="q"><v>1</v>', 't="b"><v>2</v>', 't="s"><v>99999</v>',
                     't="n"><v>x</v>', 's="9999"><v>1</v>', '><v>1</v><v>2</v>', 't="inlineStr"><is><t>select</t></is>',
                     f't="inlineStr"><is><t>{"a" * 33_000}</t></is>'):
            with self.subTest(cell=cell[:50]):
                code = self.run_in(ENGLISH, "review", "import", decision(cell)).code
                self.both("review", "import", decision(cell), expect=code, names=["deletions", "select"])
        names = ["deletions", "sheetData", "worksheet", "chartsheet", "no", "element", "found"]  # what expat says stays, too
        for pattern, becomes in ((r"<sheetData>", "<sheetData><sheetData>"), (r"<row ", '<row hidden="1" '), (r'<row r="2"', '<row r="2" hidden="1"'),
                                 (r'<row r="2"', '<row r="1"'), (r"</sheetData>", '</sheetData><mergeCells><mergeCell ref="K1:K2"/></mergeCells>'),
                                 (r"<worksheet", "<chartsheet"), (r"delete_id", "id"), (r">decision<", ">delete_id<"), (r"</worksheet>", "")):
            with self.subTest(becomes=becomes):
                code = self.run_in(ENGLISH, "review", "import", edited(pattern, becomes)).code
                self.both("review", "import", edited(pattern, becomes), expect=code, names=names)
        whole = (self.folder / "list.xlsx").read_bytes()
        for content in (whole[:len(whole) // 2], whole + b"\0", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)):
            self.both("review", "import", self.write("list.xls", content), expect=65)
        self.both("review", "import", decision('t="inlineStr"><is><t>approve</t></is>'))

    def test_without_a_state(self):
        for command in ("status", "iterate", "sweep", "export", "verify", "iterations", "near"):
            with self.subTest(command=command):
                self.both(command, expect=self.run_in(ENGLISH, command).code, data=False)

    def test_json_is_english(self):
        for arguments in [("--json", "nonsense"), ("status", "--json"), ("--json", "explain", "1", "x")]:
            english, chinese = (self.run_in(language, *arguments) for language in (ENGLISH, CHINESE))
            self.assertEqual(self.same(chinese.err), self.same(english.err))
            self.assertIn("error", json.loads(chinese.err))


class Values(ChineseTest):
    """Names and texts that look like messages stay what they are."""

    def test_names_of_files(self):
        self.both("import", "--format", "jsonl", "-", stdin='{"id":1,"text":"甲"}\n'.encode())
        for number, name in enumerate(["no such iteration", "row 17: text is not UTF-8", "Permission denied", "header: there is no header", "warning",
                     "a; there is no such deletion", "x (did you mean \"y\"?)", "qdedup: nothing was changed: no change"]):
            said = self.run_in(CHINESE, "mine", name)
            self.assertEqual((said.code, said.err), (66, f"qdedup: {name}: 没有这个文件或目录\nqdedup: 1 份日志无法读取，或没能读到末尾\n"))
            said = self.run_in(CHINESE, "mine", self.write(name, f"[[1,0.9],[{100 + number},0.8]]\n{{}}\n"))
            self.assertIn(f"/{name}: 2 行中有 1 行被拒", said.err)
            self.assertIn(f"/{name}：2 行（入选 1", self.run_in(CHINESE, "status", "--logs").out)

    def test_texts_of_questions(self):
        texts = {1: "nothing was changed: no change", 2: "3 approved; 2 were so already", 3: "5 lines: 1 selected, 2 unselected, 3 rejected",
                 4: "listed", 5: "Duplicates: 4 can be deleted, and 3, the smaller id, stays.", 6: "x is required"}
        rows = "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in texts.items())
        self.both("import", "--format", "jsonl", "-", stdin=rows.encode())
        for question, text in texts.items():
            said = self.run_in(CHINESE, "explain", question, question % 6 + 1).out
            self.assertIn(f"\n{question}  {text}\n", "\n" + said)
            self.assertIn(f"\n  原文     {text}\n  比较     ", self.run_in(CHINESE, "text", "-", stdin=rows.encode()).out)


class BesideTheDaemon(ProgramTest):
    def test_status_is_chinese_and_the_journal_english(self):
        config = self.write("qdedup.toml", f'[state]\nfolder = "{self.folder}/state"\n[logs]\npaths = ["{self.folder}/*.log"]\n')
        self.write("a.log", "[[1,0.9],[2,0.8]]\n")
        daemon = Daemon(self, config, environment=CHINESE)
        daemon.wait_until_mined(1)
        done = subprocess.run([program.QDEDUP, "--state", str(self.folder / "state"), "status"], capture_output=True, check=True, text=True,
                              env={**os.environ, **CHINESE})
        self.assertEqual(words_left(done.stdout), [])
        self.assertIn("\n守护进程   ", done.stdout)
        daemon.stop()
        self.assertNotRegex(daemon.said(), r"[一-鿿]")


if __name__ == "__main__":
    main()
