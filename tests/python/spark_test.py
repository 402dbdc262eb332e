"""qdedup.spark: plan, run and commit give the rows that `qdedup run` gives."""

import collections
import functools
import gzip
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import zlib
from unittest.mock import Mock

import pyarrow
import pyarrow.parquet
import pytest

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("needs Java", allow_module_level=True)
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["LC_ALL"] = "C.UTF-8"

from py4j.protocol import Py4JNetworkError  # noqa: E402
from pyspark.errors import PySparkException  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402  # with that interpreter

import qdedup  # noqa: E402
from conftest import FULL, OWN_DAEMON, SPARK_SETTINGS, cases  # noqa: E402
from qdedup import spark as job  # noqa: E402
from qdedup import spark_frames  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
TABLES = {  # all that an iteration leaves, but for times
    "iteration": "SELECT id, kind, version, settings, weights, withheld, lines, selected, unselected, rejected, distinct_lists, ids, "
                 "joins, refused_joins, clusters, largest_cluster, missing, deletions, repointed, held, withdrawn FROM iteration",
    "cluster_size": "SELECT * FROM cluster_size ORDER BY 1, 2",
    "deletion": "SELECT * FROM deletion ORDER BY id",
    "repointing": "SELECT * FROM repointing ORDER BY 1, 2",
    "decision": "SELECT deletion_id, decided_by, old_status, new_status, note FROM decision ORDER BY id",
    "verified_pair": "SELECT * FROM verified_pair ORDER BY 1, 2",
    "class_member": "SELECT * FROM class_member ORDER BY 1",
    "class_change": "SELECT * FROM class_change ORDER BY id",
    "reopened": "SELECT question_id, keep_id FROM reopened",
}


@pytest.fixture(scope="module")
def spark():
    session = SparkSession.builder.master("local[2]").appName("qdedup tests").config(map={**SPARK_SETTINGS, **OWN_DAEMON}).getOrCreate()
    yield session
    session.stop()


class State:
    """A state folder and the program on it."""

    def __init__(self, program, folder, config=None):
        self.program, self.folder, self.config = program, folder, config

    def call(self, *words):
        config = ["--config", str(self.config)] if self.config else []
        return subprocess.run([self.program, *config, "--state", str(self.folder), *map(str, words)], capture_output=True,
                              text=True, check=False)

    def run(self, *words):
        done = self.call(*words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def rows(self, query):
        connection = sqlite3.connect(f"file:{self.folder}/qdedup.db?mode=ro", uri=True)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def tables(self):
        return {name: self.rows(query) for name, query in TABLES.items()}


class Lake:
    """A bank and logs as files, a state for them, and one that `qdedup run` works on."""

    def __init__(self, spark, program, folder, settings=""):
        self.spark, self.folder, self.runs, self.merge, self.lines = spark, folder, 0, "one-task", None
        config = folder / "qdedup.toml"
        config.write_text(settings, encoding="utf-8")
        self.here, self.lake = State(program, folder / "here", config), State(program, folder / "lake", config)
        self.bank, self.logs = {}, folder / "logs"
        self.logs.mkdir()

    def put(self, bank, seed=0):
        """Rows {id, text, answer} are the bank now: in files of a random order, and imported."""
        removed = sorted(self.bank.keys() - {row["id"] for row in bank})
        self.bank = {row["id"]: row for row in bank}
        if removed:
            gone = self.folder / "gone.txt"
            gone.write_text("".join(f"{number}\n" for number in removed), encoding="utf-8")
            self.here.run("import", "--remove", gone)
        lines = self.folder / "bank.jsonl"
        lines.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in bank), encoding="utf-8")
        self.here.run("import", lines)
        place = self.folder / "bank"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        shuffled = random.Random(seed).sample(bank, len(bank))
        for part in range(3):
            rows = shuffled[part::3]
            table = {name: pyarrow.array([row.get(name) for row in rows], kind)
                     for name, kind in (("id", pyarrow.int64()), ("text", pyarrow.string()), ("answer", pyarrow.string()))}
            pyarrow.parquet.write_table(pyarrow.table(table), place / f"part-{part}.parquet")

    def log(self, name, content):
        (self.logs / name).write_bytes(content)

    def decide(self, sweep=False, **options):
        """plan and run; returns the draft's folder."""
        self.runs += 1
        plan, draft = self.folder / "plan", self.folder / f"draft{self.runs}"
        plan.mkdir(exist_ok=True)
        self.lake.run("spark", "plan", plan)
        bank = job.read_bank(self.spark, self.folder / "bank", **options)
        given = self.spark, (plan / "plan.jsonl").read_bytes(), bank
        if sweep:
            job.run_sweep(*given, draft)
        else:
            self.lines = job.run(*given, self.logs, draft, self.merge)
        return draft

    def iterate(self):
        self.here.run("run", *sorted(self.logs.iterdir()))
        said = self.lake.run("spark", "commit", self.decide())
        assert f"{self.lines.selected:,} selected, {self.lines.unselected:,} unselected, {sum(self.lines.rejected.values()):,} rejected" in said
        assert all(f"rejected {count:,}: {reason}\n" in said for reason, count in self.lines.rejected.items())

    def sweep(self):
        self.here.run("sweep")
        self.lake.run("spark", "commit", self.decide(sweep=True))

    def expect_same(self):
        here, lake = self.here.tables(), self.lake.tables()
        for name in TABLES:
            assert lake[name] == here[name], name
        assert self.lake.run("export", "--format", "tsv") == self.here.run("export", "--format", "tsv")

    def both(self, *words):
        assert self.lake.run(*words) == self.here.run(*words)


@pytest.fixture
def lake(spark, program, tmp_path):
    return Lake(spark, program, tmp_path)


def sample_bank():
    with open(EXAMPLES / "bank.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def put_sample(lake):
    lake.put(sample_bank())
    for log in EXAMPLES.glob("search.log*"):
        shutil.copy(log, lake.logs)


@pytest.mark.parametrize(("partitions", "adaptive", "few"),
                         cases([(1, True, 500_000), (7, False, 0)], full=[(7, True, 0), (64, True, 500_000)]))
def test_the_sample_gives_the_rows_of_the_program(lake, monkeypatch, partitions, adaptive, few):
    monkeypatch.setattr(spark_frames, "FEW", few)
    lake.spark.conf.set("spark.sql.shuffle.partitions", partitions)
    lake.spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    put_sample(lake)
    lake.iterate()
    lake.expect_same()
    assert lake.lake.tables()["deletion"]
    assert not list(lake.folder.glob("*.bands"))
    lake.both("verify")
    lake.both("review", "approve", "--confidence", "safe")
    lake.both("export", "--status", "approved")
    lake.spark.conf.set("spark.sql.shuffle.partitions", 4)
    lake.spark.conf.set("spark.sql.adaptive.enabled", True)


@pytest.mark.parametrize(("name", "settings"), cases([("top0.5_min0.3_cap20.tsv", "[merge]\nmax_cluster_size = 20\n")], full=[
    ("top0.5_min0.3_cap200.tsv", ""), ("top0.3_min0.1_cap200.tsv", "[selection]\nmin_top_score = 0.3\nmin_score = 0.1\n")]))
def test_a_real_bank_gives_the_expected_list(spark, program, dev, tmp_path, name, settings):
    lake = Lake(spark, program, tmp_path, settings)
    with open(dev / "bank.jsonl", encoding="utf-8") as lines:
        lake.put([json.loads(line) for line in lines])
    lines = (dev / "search.log").read_bytes().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    for part in range(5):  # and half a line, which is none
        lake.log(f"search.log.{part}", b"".join(lines[part::5]) + lines[part][:7])
    lake.lake.run("spark", "commit", lake.decide())
    listed = [line.split("\t") for line in lake.lake.run("export", "--format", "tsv").splitlines()[1:]]
    expected = [line.split("\t") for line in (dev / "expected" / name).read_text(encoding="utf-8").splitlines()]
    assert [row[1:3] for row in listed] == [row[:2] for row in expected]
    shutil.copy(dev / "search.log", lake.folder)
    lake.here.run("run", lake.folder / "search.log")
    lake.expect_same()


@pytest.mark.parametrize(("adaptive", "questions_per_block"), cases([(True, 8), (False, 100_000)], full=[(True, 100_000), (False, 8)]))
def test_a_sweep_of_the_sample_gives_the_rows_of_the_program(lake, monkeypatch, adaptive, questions_per_block):
    monkeypatch.setattr(job, "sweep", functools.partial(job.sweep, ids_per_bucket=30, questions_per_block=questions_per_block))
    lake.spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    lake.put(sample_bank())
    lake.sweep()
    lake.expect_same()
    assert lake.lake.tables()["deletion"]
    lake.spark.conf.set("spark.sql.adaptive.enabled", True)


@pytest.mark.parametrize("rule", cases(['compare = "text"\nsigns = "any"\nsimilarity = "cosine"\ngram = 3'],
                                      full=['similarity = "jaccard"', 'signs = "any"']))
def test_other_rules_give_the_rows_of_the_program(spark, program, tmp_path, monkeypatch, rule):
    monkeypatch.setattr(job, "sweep", functools.partial(job.sweep, ids_per_bucket=30, questions_per_block=40))
    lake = Lake(spark, program, tmp_path, f"[refine]\n{rule}\n")
    put_sample(lake)
    lake.iterate()
    lake.expect_same()
    lake.sweep()
    lake.expect_same()
    assert lake.lake.tables()["deletion"]


@pytest.mark.skipif(not FULL, reason="with QDEDUP_FULL=1")
def test_a_sweep_of_a_real_bank_gives_the_rows_of_the_program(spark, program, dev, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "sweep", functools.partial(job.sweep, questions_per_block=6_000))
    lake = Lake(spark, program, tmp_path)
    with open(dev / "bank.jsonl", encoding="utf-8") as lines:
        lake.put([json.loads(line) for line in lines])
    lake.sweep()
    lake.expect_same()
    expected = [line.split("\t")[:2] for line in (dev / "expected/sweep.tsv").read_text(encoding="utf-8").splitlines()]
    assert [line.split("\t")[1:3] for line in lake.lake.run("export", "--format", "tsv").splitlines()[1:]] == expected


# ---- weeks in a row ------------------------------------------------------------------------------------------------------

WORDS = "小明买了三本书一共花去多少元钱还剩几个苹果和梨树上有鸟飞走又来了甲乙丙丁"


def random_text(dice):
    return "".join(dice.choice(WORDS) for _ in range(dice.randint(12, 20))) + str(dice.choice([3, 5]))


def altered(dice, text):
    for _ in range(dice.randint(0, 3)):
        place = dice.randrange(len(text) - 1)
        text = text[:place] + dice.choice(WORDS) + text[place + 1:]
    return text


def random_log(dice, ids, lines):
    log = []
    for _ in range(lines):
        near = dice.sample(ids, dice.randint(1, 6))
        scores = sorted((round(dice.uniform(0.2, 1), 3) for _ in near), reverse=True)
        log.append(json.dumps([list(pair) for pair in zip(near, scores)]) if dice.random() < 0.97 else "no list")
    return "".join(line + "\n" for line in log).encode()


def decide_some(dice, lake):
    pending = lake.here.rows("SELECT question_id, keep_id FROM deletion WHERE status = 'pending' ORDER BY id")
    for question, keeper in dice.sample(pending, len(pending) // 2):
        lake.both("review", dice.choice(["approve", "approve", "reject"]), question, keeper)


@pytest.mark.parametrize(("seed", "merge"), cases([(6, "bands")], full=[(2, "one-task")]))  # with deletions held, and re-pointed
def test_weeks_in_a_row_give_the_rows_of_the_program(lake, monkeypatch, seed, merge):
    lake.merge = merge
    monkeypatch.setattr(job, "decide_in_bands", functools.partial(job.decide_in_bands, lists_per_band=25, ids_per_bucket=20))
    monkeypatch.setattr(job, "sweep", functools.partial(job.sweep, ids_per_bucket=20, questions_per_block=8))
    dice = random.Random(seed)
    stems = [random_text(dice) for _ in range(4)]
    bank = {number: {"id": number, "text": altered(dice, dice.choice(stems)), "answer": dice.choice([None, "3", "5"])}
            for number in range(1, 70)}
    for week in range(4):
        for number in dice.sample(sorted(bank), 6 if week else 0):
            if dice.random() < 0.5:
                bank[number] = {**bank[number], "text": altered(dice, dice.choice(stems))}
            else:
                del bank[number]
        lake.put(list(bank.values()), week)
        ids = [*bank, 900, 901]  # two are not in the bank
        packed = random_log(dice, ids, 60)
        lake.log(f"week{week}.log", random_log(dice, ids, 60))
        lake.log(f"week{week}.log.gz", gzip.compress(packed[:100]) + gzip.compress(packed[100:]))
        lake.iterate()
        lake.expect_same()
        decide_some(dice, lake)
        if week % 2 == 1:  # decides what the logs do not name, and meets what they did
            lake.sweep()
            lake.expect_same()
            decide_some(dice, lake)
    tables = lake.here.tables()
    repointed, held, withdrawn = (sum(row[column] for row in tables["iteration"]) for column in (-3, -2, -1))
    assert repointed + held > 0
    assert withdrawn > 0
    assert tables["verified_pair"]


def test_approved_pairs_are_compared_with_the_last_draft_that_was_committed(lake):
    put_sample(lake)
    lake.iterate()
    lake.lake.run("review", "approve", "--confidence", "safe")
    export = ["export", "--iteration", "1", "--status", "approved", "--format", "tsv"]
    approved = lake.lake.run(*export).splitlines()
    question = int(approved[1].split("\t")[1])
    lake.put([{**row, "text": "另一道题"} if row["id"] == question else row for row in sample_bank()])
    assert lake.lake.run(*export).splitlines() == approved
    lake.lake.run("spark", "commit", lake.decide())
    assert lake.lake.run(*export).splitlines() == [line for line in approved if str(question) not in line.split("\t")[1:3]]


TEXT = "小红今天买了十本书，一共花了多少钱？"


def weeks_of_a_pair(lake, weeks, logs_of_all_weeks):
    """Its first week lists it. Whoever applied it finds what to put back in the bank as it is now."""
    for week, rows in enumerate(weeks):
        lake.put(rows)
        if logs_of_all_weeks or week == 0:
            lake.log(f"{week}.log", b"[[1,0.9],[2,0.%d]]\n" % (8 - week))
        lake.iterate()
        if week == 0:
            lake.both("review", "approve", "--confidence", "safe")
        lake.expect_same()
        lake.both("export", "--iteration", 1, "--undo")
        lake.both("export", "--iteration", 1, "--format", "jsonl")


@pytest.mark.parametrize("logs_of_all_weeks", cases([False], full=[True]))
def test_a_question_that_was_missing_for_a_week_has_its_text_again(lake, logs_of_all_weeks):
    bank = [{"id": 1, "text": TEXT, "answer": "3"}, {"id": 2, "text": TEXT, "answer": "3"}, {"id": 3, "text": "甲"}]
    weeks_of_a_pair(lake, [bank, [bank[0], bank[2]], bank], logs_of_all_weeks)
    assert TEXT in lake.lake.run("export", "--iteration", 1, "--undo")


@pytest.mark.parametrize("logs_of_all_weeks", cases([True], full=[False]))
def test_an_answer_and_markup_that_changed_are_put_back_as_they_are_now(spark, program, tmp_path, logs_of_all_weeks):
    lake = Lake(spark, program, tmp_path, '[text]\nmarkup = "auto"\n')
    bank = [{"id": number, "text": TEXT, "answer": "3"} for number in (1, 2)]
    weeks_of_a_pair(lake, [bank, [bank[0], {**bank[1], "answer": "4"}], [bank[0], {**bank[1], "text": f"<p>{TEXT}</p>"}]], logs_of_all_weeks)
    assert f"<p>{TEXT}" in lake.lake.run("export", "--iteration", 1, "--undo")


def test_a_question_with_an_answer_that_is_too_long_counts_as_one_without_text(lake):
    bank = [{"id": number, "text": TEXT, "answer": "3"} for number in range(1, 5)]
    weeks_of_a_pair(lake, [bank, [{**bank[0], "answer": "3" * 70_000}, *bank[1:]]], True)
    lake.put([*bank[:2], *({**row, "answer": "3" * 70_000} for row in bank[2:])])
    lake.sweep()
    lake.expect_same()


# ---- packed logs ---------------------------------------------------------------------------------------------------------


def gzip_of_many_members():
    return b"[[1,0.9],[2,0.8]]\n" * 100_000, gzip.compress(b"[[1,0.9],[2,0.8]]\n") * 100_000


def gzip_of_one_big_member():
    content = random.Random(1).randbytes(2**25)
    return content, gzip.compress(content, 1)


@pytest.mark.parametrize("log", [gzip_of_many_members, gzip_of_one_big_member])
def test_gzip_is_unpacked_in_linear_time(monkeypatch, log):
    content, packed = log()
    handed = 0

    class Counting:
        def __init__(self, wbits):
            self.member = decompressobj(wbits)

        def __getattr__(self, name):
            return getattr(self.member, name)

        def decompress(self, slice, most):
            nonlocal handed
            handed += len(slice)
            assert handed <= 10 * len(packed)
            return self.member.decompress(slice, most)

    decompressobj = zlib.decompressobj
    monkeypatch.setattr(zlib, "decompressobj", Counting)
    pieces = list(job._unpacked(packed, "gzip"))
    assert max(map(len, pieces)) <= job.PIECE
    assert b"".join(pieces) == content


def test_gzip_is_unpacked_wherever_slices_end():
    dice = random.Random(1)
    for _ in range(50):
        parts = [random_log(dice, [1, 2, 3, 4, 5, 6], dice.choice([0, 1, 20, 2000])) for _ in range(dice.randint(1, 5))]
        packed = b"".join(gzip.compress(part, dice.randint(0, 9)) for part in parts)
        assert b"".join(job._unpacked(packed + bytes(dice.choice([0, 1, 1000])), "gzip")) == b"".join(parts)
        with pytest.raises(qdedup.DataError, match="ends within a gzip member"):
            list(job._unpacked(packed[:-dice.randint(1, 15)], "gzip"))
        with pytest.raises(zlib.error):
            list(job._unpacked(packed + bytes(3) + b"x", "gzip"))


def skippable(dice, size):
    return struct.pack("<II", 0x184D2A50 + dice.randrange(16), size) + dice.randbytes(size)


def test_zstd_with_skippable_frames_is_read_as_the_program_reads_it(lake):
    put_sample(lake)
    dice = random.Random(1)
    log = (lake.logs / "search.log").read_bytes()
    (lake.logs / "search.log").unlink()
    frames = [pyarrow.compress(log[:1000], "zstd", asbytes=True), pyarrow.compress(log[1000:], "zstd", asbytes=True)]
    lake.log("search.log.zst", skippable(dice, 4) + frames[0] + skippable(dice, 0) + frames[1] + skippable(dice, 100_000))
    lake.iterate()
    lake.expect_same()


def test_zstd_is_unpacked_wherever_frames_end():
    dice = random.Random(1)
    for _ in range(50):
        parts = [dice.randbytes(dice.choice([0, 1, 100, 65_520, 65_523, 65_536, 200_000])) for _ in range(dice.randint(1, 5))]
        packed = [skippable(dice, dice.choice([0, 4, 65_528, 65_536])) + pyarrow.compress(part, "zstd", asbytes=True) for part in parts]
        assert b"".join(job._unpacked(b"".join(packed), "zstd")) == b"".join(parts)
        for damaged in (b"".join(packed)[:-1], b"".join(packed) + skippable(dice, 9)[:dice.randint(1, 16)], b"".join(packed) + b"x"):
            with pytest.raises((OSError, pyarrow.ArrowException)):
                list(job._unpacked(damaged, "zstd"))


# ---- what is refused -----------------------------------------------------------------------------------------------------


def refused(lake, draft, words):
    before = lake.lake.tables()
    done = lake.lake.call("spark", "commit", draft)
    assert done.returncode == 65, done
    assert words in done.stderr
    assert lake.lake.tables() == before


@pytest.fixture
def drafted(lake):
    put_sample(lake)
    return lake, lake.decide()


def lines_of(draft):
    return [line for part in sorted(draft.glob("part-*")) for line in gzip.open(part, "rt", encoding="utf-8")]


def rewritten(draft, lines):
    other = draft.with_name("other")
    shutil.rmtree(other, ignore_errors=True)
    other.mkdir()
    (other / "_SUCCESS").touch()
    (other / "part-0").write_text("".join(lines), encoding="utf-8")
    return other


def test_an_incomplete_draft_is_refused(drafted):
    lake, draft = drafted
    lines = lines_of(draft)
    for kind in ("deletion", "bucket", "log", "merge", "qdedup_spark_draft", "question"):
        number = next(i for i, line in enumerate(lines) if kind in json.loads(line))
        refused(lake, rewritten(draft, lines[:number] + lines[number + 1:]), "is no complete draft")
        refused(lake, rewritten(draft, lines[:number] + lines[number:number + 1] + lines[number:]),
                "is there twice" if kind in ("deletion", "log", "question") else "is no complete draft")
    (draft / "_SUCCESS").unlink()
    refused(lake, draft, "_SUCCESS is missing")
    lake.lake.run("spark", "commit", rewritten(draft, random.Random(1).sample(lines, len(lines))))


def test_a_draft_of_another_plan_is_refused(drafted):
    lake, draft = drafted
    lake.lake.config.write_text("[refine]\nmin_similarity = 81\n", encoding="utf-8")
    refused(lake, draft, "since then the settings changed")
    lake.lake.config.write_text("", encoding="utf-8")
    lines = lines_of(draft)
    number = next(i for i, line in enumerate(lines) if "qdedup_spark_draft" in json.loads(line))
    for subject in ("version", "rules", "weights"):
        head = json.loads(lines[number])
        head["plan"][subject] += "0"
        refused(lake, rewritten(draft, [*lines[:number], json.dumps(head) + "\n", *lines[number + 1:]]),
                f"since then the {subject} changed")
    lake.lake.run("spark", "commit", draft)
    refused(lake, draft, "since then the consumed logs changed")
    assert not lake.lake.call("spark", "plan", lake.folder / "plan").stderr
    lake.lake.config.write_text('[text]\nnumbering = "drop"\n', encoding="utf-8")
    assert 'are all read again with markup = "plain", numbering = "drop"' in lake.lake.call("spark", "plan", lake.folder / "plan").stderr


def test_a_draft_from_before_a_rejection_is_refused_but_approvals_may_go_on(drafted):
    lake, draft = drafted
    lake.lake.run("spark", "commit", draft)
    lake.log("again.log", b"[[1029226565,0.9],[1234965919,0.8]]\n")
    next_draft = lake.decide()
    lake.lake.run("review", "reject", 1234965919, 1029226565)
    refused(lake, next_draft, "since then the listed pairs changed")
    next_draft = lake.decide()
    lake.lake.run("review", "approve", "--confidence", "safe")
    lake.lake.run("spark", "commit", next_draft)


def test_a_plan_of_another_version_is_refused(lake):
    (lake.folder / "plan").mkdir()
    lake.lake.run("spark", "plan", lake.folder / "plan")
    plan = (lake.folder / "plan/plan.jsonl").read_bytes()
    for old, new in ((b'"version":"', b'"version":"0'), (b'"rules":"', b'"rules":"0')):
        with pytest.raises(qdedup.DataError, match="install the wheel"):
            job.SparkJob(plan.replace(old, new), "run")
    with pytest.raises(qdedup.DataError, match="^line 1 of the plan: is no JSON object$"):
        job.SparkJob(b"[]\n", "run")
    with pytest.raises(qdedup.DataError, match="cut off"):
        job.SparkJob(plan[:plan.rindex(b"{")], "run")


def test_a_state_with_a_bank_or_logs_of_its_own_is_refused(lake):
    put_sample(lake)
    done = lake.here.call("spark", "plan", lake.folder)
    assert done.returncode == 64
    assert "has a bank of its own" in done.stderr
    lake.lake.run("mine", EXAMPLES / "search.log")
    assert "logs were mined into this state" in lake.lake.call("spark", "plan", lake.folder).stderr


def test_what_would_need_the_bank_here_is_refused(drafted):
    lake, draft = drafted
    lake.lake.run("spark", "commit", draft)
    expect_lake(lake.lake)
    lake.decide()


def expect_lake(state):
    for words in (["mine", EXAMPLES / "search.log"], ["run", EXAMPLES / "search.log"], ["sweep"], ["check", EXAMPLES / "questions.csv"],
                  ["check", "--add", EXAMPLES / "questions.csv"], ["import", EXAMPLES / "bank.jsonl"], ["near", "--measure", "hamming"]):
        done = state.call(*words)
        assert done.returncode == 64, words
        assert "the bank of this state is in a lake" in done.stderr


@pytest.mark.parametrize("second", [TEXT, "别的题目"])
def test_a_state_is_of_a_lake_with_and_without_pairs_and_when_it_is_restored(lake, second):
    lake.put([{"id": 1, "text": TEXT}, {"id": 2, "text": second}])
    lake.log("search.log", b"[[1,0.9],[2,0.8]]\n")
    lake.lake.run("spark", "commit", lake.decide())
    assert len(lake.lake.rows("SELECT * FROM deletion")) == (second == TEXT)
    expect_lake(lake.lake)
    lake.lake.run("backup", lake.folder / "copy.db")
    shutil.rmtree(lake.lake.folder)
    lake.lake.folder.mkdir()
    shutil.copy(lake.folder / "copy.db", lake.lake.folder / "qdedup.db")
    for words in (["status"], ["verify"], ["export"]):
        done = lake.lake.call(*words)
        assert done.returncode == 66, words
        assert "`qdedup spark plan` makes it" in done.stderr
    lake.decide()
    lake.lake.run("status")
    lake.lake.run("verify")
    expect_lake(lake.lake)


def test_a_repeated_id_is_refused_with_both_places(lake):
    put_sample(lake)
    shutil.copy(lake.folder / "bank/part-1.parquet", lake.folder / "bank/题 9.parquet")
    with pytest.raises(qdedup.DataError, match=r"id \d+ is there in .*part-1.parquet and in .*题 9.parquet"):
        lake.decide()


def test_ids_that_are_there_twice_meet_in_a_bucket(monkeypatch):
    monkeypatch.setattr(job.IdBuckets, "MOST", 100)
    numbers = random.Random(3)
    for size in (0, 1, 99, 100, 1000):
        ids = [numbers.choice([numbers.randint(1, 2**63 - 1), numbers.randint(1, 500), 2**63 - 1]) for _ in range(size)]
        buckets, waiting = collections.defaultdict(list), job.IdBuckets()
        for begin in range(0, size, 30):
            for bucket, part in waiting.add(pyarrow.array(ids[begin:begin + 30], pyarrow.int64())).items():
                buckets[bucket].append(part)
        for bucket, part in waiting.take().items():
            buckets[bucket].append(part)
        found = [job.repeated(pyarrow.table({"ids": parts}))["id"].to_pylist() for parts in buckets.values()]
        assert sum(len(part) for parts in buckets.values() for part in parts) == 8 * size
        assert min(sum(found, []), default=None) == min((one for one, count in collections.Counter(ids).items() if count > 1), default=None)


LINES = """\ufeff{"id":1,"text":"小红今天买了十本书，一共花了多少钱？","answer":2.50}
{"id":"2","text":"小红今天买了十本书，一共花了多少钱？","answer":2.5}\r

{"text":"被覆盖", "id":3, "text":"小红今天买了十本书，一共花了多少钱？", "answer":-0, "other":[1e99,{"text":7}]}
{"id":4,"text":"小红今天买了\\u5341本书\\n，一共花了多少钱？\\ud83d\\ude00","answer":99999999999999999999}
{"id":9223372036854775807,"text":"小红今天买了十本书，一共花了多少钱？","answer":null}
{"id":"000000000000000000000006","text":"小红今天买了十本书，一共花了多少钱？"}
{"id":5,"text":" 小红今天买了十本书，一共花了多少钱？\u2028","answer":"2.50"}"""


@pytest.mark.parametrize("name", ["bank.jsonl", "题库.json.gz"])
def test_lines_of_json_are_read_as_import_reads_them(lake, name):
    file = lake.folder / name
    file.write_bytes(gzip.compress(LINES.encode()) if name.endswith(".gz") else LINES.encode())
    lake.here.run("import", file)
    bank = sqlite3.connect(lake.folder / "here/bank.db")
    rows = bank.execute("SELECT id, text, answer FROM question ORDER BY id").fetchall()
    bank.close()
    assert len(rows) == 7
    assert [tuple(row) for row in job.read_bank(lake.spark, str(file)).select("id", "text", "answer").orderBy("id").collect()] == rows


def test_images_count_that_name_something(lake):
    said = {'["a"]': True, '[null]': True, '"a;b"': True, "[]": False, '" ;\\t"': False, '""': False, "null": False, "7": False, "{}": False,
            '{"a":"x"}': True, '{"a":{}}': False, "[[]]": False, "[true]": False, "[7]": True, '{"a":null}': True, '[""]': True}
    for images, names in said.items():
        assert job._question(b'{"id":1,"text":"x","images":%s}' % images.encode(), "id", "text", "answer")["has_images"] == names, images
    for column, names in (("images string", {"a": True, " ;\t": False, "": False, None: False, "[]": True}),
                          ("images array<string>", {("a",): True, (): False, None: False, ("",): True, (";",): True, (None,): True}),
                          ("images array<int>", {(7,): True, (): False}), ("images binary", {b"a": True, b"": False})):
        rows = [(number, "x", list(images) if isinstance(images, tuple) else images) for number, images in enumerate(names, 1)]
        place = str(lake.folder / column)
        lake.spark.createDataFrame(rows, "id long, text string, " + column).write.parquet(place)
        bank = job.read_bank(lake.spark, place)
        assert [row.has_images for row in bank.orderBy("id").collect()] == list(names.values())


def test_what_is_read_in_random_lines_import_reads_too(lake):
    dice, bank, taken = random.Random(5), {}, []
    pieces = [*b'{}[]",:0123456789.eE+-\\unrx \t\r', b"null", b"true", b"\\ud83d", b"\\u0041", b'"id"', b'"text"', b"\xff", b"\xe4", b"1e400", b"\0"]
    for number in range(10_000):
        line = bytearray(re.sub(rb'("id": *"?)[0-9]+', b"\\g<1>%d" % (10_000 + number), dice.choice(LINES.encode().split(b"\n"))))
        for _ in range(dice.choice([1, 1, 2, 4]) if line else 0):
            begin, piece = dice.randrange(len(line)), dice.choice(pieces)
            line[begin:begin + dice.choice([0, 0, 1, 3])] = piece if isinstance(piece, bytes) else bytes([piece])
        try:
            row = job._question(bytes(line), "id", "text", "answer")
        except ValueError:
            continue
        if row["id"] in bank:
            continue
        taken.append(bytes(line) + b"\n")
        bank[row["id"]] = row["text"], row["answer"]
    assert len(taken) > 500
    file = lake.folder / "bank.jsonl"
    file.write_bytes(b"".join(taken))
    counts = json.loads(lake.here.run("--json", "import", file))
    assert counts["rejected"] == {}
    database = sqlite3.connect(lake.folder / "here/bank.db")
    rows = database.execute("SELECT id, text, answer FROM question").fetchall()
    database.close()
    assert {id: (text, answer) for id, text, answer in rows} == bank


@pytest.mark.parametrize("line", ['{"id":7,"text":["甲"]}', '{"id":7,"text":1.50}', '{"id":7,"text":"甲","answer":["A"]}', "[7]", "7 ",
                                  '{"id":7,"text":"甲","answer":true}', '{"id":7,"text":"甲"}{"id":8,"text":"乙"}', '{"id":7,"text":"甲',
                                  '{"id":7,"text":"\\ud83d"}', '{"id":7,"text":"甲","answer":NaN}', "{'id':7,'text':'甲'}", '{"id":7}',
                                  '{"id":7.0,"text":"甲"}', '{"id":-7,"text":"甲"}', '{"id":9223372036854775808,"text":"甲"}',
                                  '{"text":"甲"}', '{"id":"７","text":"甲"}', '{"id":7,"text":"甲\udcff"}', '{"id":7,"text":"甲\t"}',
                                  '{"id":7,"text":"甲","other":1e999}', '{"id":7,"text":"甲","\\udc00":1}', "[" * 100_000])
def test_lines_that_import_rejects_or_takes_apart_are_refused(line):
    with pytest.raises((ValueError, RecursionError)):
        job._question(line.encode(errors="surrogateescape"), "id", "text", "answer")


def test_a_line_that_cannot_be_used_is_refused_with_its_place(lake):
    put_sample(lake)
    (lake.folder / "bank.jsonl").write_text(LINES + '\n{"id":7,"text":["甲"]}\n', encoding="utf-8")
    lake.lake.run("spark", "plan", lake.folder)
    bank = job.read_bank(lake.spark, str(lake.folder / "bank.jsonl"))
    with pytest.raises(qdedup.DataError, match=re.escape('bank.jsonl: {"id":7,"text":["甲"]}: id 7: text is no string')):
        job.run(lake.spark, (lake.folder / "plan.jsonl").read_bytes(), bank, [str(lake.logs)], str(lake.folder / "draft"))


def test_a_line_that_import_finds_too_long_is_refused(lake):
    (lake.folder / "bank.jsonl").write_text(json.dumps({"id": 7, "text": "甲", "other": "a" * 2**24}), encoding="utf-8")
    with pytest.raises(PySparkException, match="bank.jsonl: .* is longer than 16 MiB"):
        job.read_bank(lake.spark, str(lake.folder / "bank.jsonl")).collect()


def test_files_in_folders_within_the_bank_count(lake):
    for number, folder in enumerate(["bank", "bank/2026", "bank/2026/subject=3", "bank/_temporary"], start=1):
        (lake.folder / folder).mkdir()
        pyarrow.parquet.write_table(pyarrow.table({"id": [number], "text": ["甲"]}), lake.folder / folder / "part-0.parquet")
        (lake.folder / folder / "part-0.jsonl").write_text(json.dumps({"id": number, "text": "甲"}), encoding="utf-8")
    (lake.folder / "bank").rename(lake.folder / "both.jsonl")
    for file in lake.folder.glob("both.jsonl/**/*.parquet"):
        other = lake.folder / "bank" / file.relative_to(lake.folder / "both.jsonl")
        other.parent.mkdir(parents=True, exist_ok=True)
        file.rename(other)
    for place in ("bank", "both.jsonl"):
        rows = job.read_bank(lake.spark, str(lake.folder / place)).select("id", "text").orderBy("id").collect()
        assert [tuple(row) for row in rows] == [(1, "甲"), (2, "甲"), (3, "甲")]


@pytest.mark.parametrize(("files", "place"), [(["a/part-0.json", "a/b/part-1.ndjson.gz"], "a"), (["part-0.json", "part-1.jsonl.gz"], "part-*.json*"),
                                              (["bank.json.parquet"], "bank.json.parquet"), (["bank.jsonl/part-0"], "bank.jsonl"), (["a/part-0"], "a"),
                                              (["bank.jsonl/part-0.snappy.parquet"], "bank.jsonl")])
def test_what_a_bank_is_the_names_of_its_files_tell(spark, tmp_path, files, place):
    for number, name in enumerate(files, start=1):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if "json" in name and "parquet" not in name:
            line = json.dumps({"id": number, "text": "甲"}).encode()
            file.write_bytes(gzip.compress(line) if name.endswith(".gz") else line)
        else:
            pyarrow.parquet.write_table(pyarrow.table({"id": [number], "text": ["甲"]}), file)
    assert sorted(row["id"] for row in job.read_bank(spark, tmp_path / place).collect()) == [*range(1, len(files) + 1)]


def test_what_is_no_bank_is_refused_with_its_name(spark, tmp_path):
    for name, said in [("nowhere", "nowhere: there is no such file"), ("nowhere.jsonl", "there is no such file"), ("empty", "empty: there is no file in it"),
                       ("mixed", r"mixed: has JSON lines \(file:.*/题 1.json\) and Parquet \(.*part-1\)"), ("mixed/*.zst", "part.jsonl.zst: a bank packed")]:
        (tmp_path / "mixed").mkdir(exist_ok=True)
        (tmp_path / "empty").mkdir(exist_ok=True)
        for file in "题 1.json", "part-0", "part.jsonl.zst" if name.endswith("zst") else "part-1":
            (tmp_path / "mixed" / file).touch()
        with pytest.raises(qdedup.DataError, match=said):
            job.read_bank(spark, tmp_path / name)
    with pytest.raises(qdedup.DataError, match="no.table: there is no such file, folder or table"):
        job.read_bank(spark, "no.table")


def test_what_is_not_one_of_the_ways_to_merge_is_refused(spark):
    with pytest.raises(ValueError, match="merge: band is none of one-task, bands"):
        job.run(spark, b"", None, [], "draft", "band")


def test_a_column_that_only_some_files_have_counts(lake):
    text = "小红今天买了十本书，一共花了多少钱？"
    (lake.folder / "bank").mkdir()
    pyarrow.parquet.write_table(pyarrow.table({"id": [3], "text": ["甲"]}), lake.folder / "bank/2025.parquet")
    pyarrow.parquet.write_table(pyarrow.table({"id": [1, 2], "text": [text, text], "answer": ["三元", "五元"]}),
                                lake.folder / "bank/2026.parquet")
    lake.log("search.log", b"[[1,0.9],[2,0.8]]\n")
    lake.lake.run("spark", "commit", lake.decide())
    assert lake.lake.rows("SELECT confidence FROM deletion") == [("doubtful",)]


def test_a_column_whose_name_has_a_dot_is_found(lake):
    file = lake.folder / "bank.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"question.id": [1], "question.题干": ["甲"], "answer": ["3"], "answers.1": ["5"]}), file)
    [row] = job.read_bank(lake.spark, str(file), "question.id", "question.题干", "answers.1").collect()
    assert (row["id"], row["text"], row["answer"]) == (1, "甲", "5")


def test_names_in_chinese_are_found_in_any_locale(lake):
    put_sample(lake)
    lines = (lake.folder / "bank.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for name, part in (("bank", lines[::2]), ("题库", lines[1::2])):
        (lake.folder / f"bank/{name}.jsonl").write_text("".join(part), encoding="utf-8")
    os.rename(lake.logs / "search.log", lake.logs / "第一周.log")
    lake.here.run("run", *sorted(lake.logs.iterdir()))
    plan = lake.folder / "plan"
    plan.mkdir()
    lake.lake.run("spark", "plan", plan)
    settings = [word for setting in SPARK_SETTINGS.items() for word in ("--conf", "=".join(setting))]
    subprocess.run([sys.executable, "-m", "qdedup.spark", "run", plan, "--bank", lake.folder / "bank/*.jsonl", "--logs", lake.logs,
                    "--output", lake.folder / "draft", "--master", "local[2]", *settings],
                   env={**os.environ, "LC_ALL": "C"}, check=True, capture_output=True)
    lake.lake.run("spark", "commit", lake.folder / "draft")
    lake.expect_same()


def test_java_that_does_not_find_names_in_chinese_is_refused(lake):
    put_sample(lake)
    system = lake.spark.sparkContext._jvm.java.lang.System
    system.setProperty("sun.jnu.encoding", "ANSI_X3.4-1968")
    try:
        with pytest.raises(qdedup.DataError, match="ANSI_X3.4-1968 .*set LC_ALL=C.UTF-8"):
            lake.decide()
    finally:
        system.setProperty("sun.jnu.encoding", "UTF-8")


LONGEST = 2**24  # bytes of a question


@pytest.mark.parametrize(("row", "words"), cases(
    [((7, None), "id 7: .*is missing"), ((7, "甲", "\0"), "id 7: answers: contains NUL"), ((7, "a" * LONGEST, "b"), "id 7: .*has 16777217 bytes")],
    full=[((0, "甲"), "id 0: .*0 is no id"), ((7, "甲\0"), "id 7: .*contains NUL"), ((7, "a", "b" * LONGEST), "id 7: .*has 16777217 bytes")]))
def test_a_row_that_cannot_be_used_is_refused_with_its_place(lake, row, words):
    put_sample(lake)
    table = pyarrow.table({"id": pyarrow.array([row[0]], pyarrow.int64()), "text": pyarrow.array([row[1]], pyarrow.string()),
                           "answer": pyarrow.array([row[2] if len(row) > 2 else None], pyarrow.string())})
    pyarrow.parquet.write_table(table, lake.folder / "bank/part-9.parquet")
    with pytest.raises(qdedup.DataError, match=f"part-9.parquet: {words}"):
        lake.decide()


def test_the_longest_question_can_be_committed(lake):
    """In a draft control characters have six bytes each."""
    text = "小明买了三本书一共花去多少元"
    answer = "\x01" * 65_536
    (lake.folder / "bank").mkdir()
    pyarrow.parquet.write_table(pyarrow.table({"id": [1, 2], "text": [text, text], "answer": ["3", answer]}),
                                lake.folder / "bank/part-0.parquet")
    lake.log("search.log", b"[[1,0.9],[2,0.8]]\n")
    lake.lake.run("spark", "commit", lake.decide())
    assert lake.lake.rows("SELECT id, length(answer) FROM lake_question ORDER BY id") == [(1, 1), (2, len(answer))]


def test_a_line_that_is_too_long_for_a_draft_is_refused(drafted):
    lake, draft = drafted
    other = rewritten(draft, lines_of(draft))
    (other / "part-1").write_bytes(gzip.compress(b"[" * (2**28 + 1), 1))
    refused(lake, other, "part-1: line 1: is longer than any line of a draft")


def test_what_would_lose_data_is_refused(lake):
    put_sample(lake)
    lake.spark.conf.set("spark.sql.files.ignoreCorruptFiles", "true")
    with pytest.raises(qdedup.DataError, match="setting spark.sql.files.ignoreCorruptFiles is not supported"):
        lake.decide()
    lake.spark.conf.unset("spark.sql.files.ignoreCorruptFiles")
    (lake.folder / "draft2").mkdir()
    with pytest.raises(qdedup.DataError, match="draft2: is there already"):
        lake.decide()
    shutil.rmtree(lake.folder / "bank")
    (lake.folder / "bank").mkdir()
    table = pyarrow.table({"id": pyarrow.array([1.5]), "text": pyarrow.array(["甲"])})
    pyarrow.parquet.write_table(table, lake.folder / "bank/part-0.parquet")
    with pytest.raises(qdedup.DataError, match="column id is of type double"):
        lake.decide()
    pyarrow.parquet.write_table(pyarrow.table({"id": [1], "text": ["甲"], "answer": [2.5]}), lake.folder / "bank/part-0.parquet")
    with pytest.raises(qdedup.DataError, match="column answer is of type double"):
        lake.decide()


def test_logs_that_cannot_be_used_are_refused(lake):
    put_sample(lake)
    lake.lake.run("spark", "commit", lake.decide())
    packed = gzip.compress(random_log(random.Random(1), [1, 2, 3, 4, 5, 6], 500))
    lake.log("cut.log.gz", packed[:-20])
    with pytest.raises(qdedup.DataError, match="cut.log.gz: ends within a gzip member"):
        lake.decide()
    lake.log("cut.log.gz", packed[:40] + bytes([packed[40] ^ 1]) + packed[41:])
    with pytest.raises(qdedup.DataError, match="cut.log.gz: "):
        lake.decide()
    (lake.logs / "cut.log.gz").unlink()
    for content, said in [(b"\xfd7zXZ\0\0\4", "is packed with xz"), (gzip.compress(packed), "is packed twice")]:
        lake.log("other.log", content)
        with pytest.raises(qdedup.DataError, match=f"other.log: {said}"):
            lake.decide()
    (lake.logs / "other.log").unlink()
    lake.log("search.10:00.log", b"[[1,0.9],[2,0.8]]\n")
    with pytest.raises(qdedup.DataError, match="search.10:00.log: a name with : is not supported"):
        lake.decide()
    (lake.logs / "search.10:00.log").unlink()
    with open(lake.logs / "search.log", "ab") as log:
        log.write(b"[[1,0.9],[2,0.8]]\n")
    with pytest.raises(qdedup.DataError, match="search.log: was consumed before, with other content"):
        lake.decide()


def test_a_log_of_another_format_is_refused_and_rejected_lines_are_counted(lake):
    put_sample(lake)
    lake.log("other.log", b'{"results":[[2,0.9],[1,0.8]]}\n' * 5 + b"\n")
    with pytest.raises(qdedup.DataError, match=r'other.log: none of its 6 lines could be used: 5 as not_a_list; the first of these begins `{"res.*does \[logs\] fit'):
        lake.decide()
    lake.log("other.log", b"\n" * 6)
    lake.log("half.log", b'7\n"a"\n[[2,0.9],[1,0.8]]\n')
    lake.iterate()
    lake.expect_same()
    assert lake.lines.rejected["not_a_list"] == 2


def test_hidden_files_and_folders_are_passed_over_and_refused_by_name(spark, tmp_path):
    hidden = ["_SUCCESS", ".part.log.crc", "part.log._COPYING_", "_temporary/0/part.log", ".staging/part.log", "week/_old/part.log"]
    for name in ["part.log", "week/part.log", *hidden]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"[]\n")

    def found(*places):
        return sorted(job._plain(path) for path, _ in job._files(spark, [str(place) for place in places]))

    logs = [f"file:{tmp_path}/part.log", f"file:{tmp_path}/week/part.log"]
    assert found(tmp_path) == found(tmp_path / "*") == logs
    assert found(tmp_path / "_temporary/0/part.log") == [f"file:{tmp_path}/_temporary/0/part.log"]
    for name in ["_SUCCESS", "part.log._COPYING_", "_temporary", ".staging/", "_*", "week/_old/../_old"]:
        with pytest.raises(qdedup.DataError, match=f"{re.escape(name)}: .* is no log to Spark; rename it"):
            found(tmp_path / "part.log", f"{tmp_path}/{name}")


def test_a_copy_of_a_log_counts_once(lake):
    put_sample(lake)
    shutil.copy(lake.logs / "search.log", lake.logs / "search.log.copy")
    lake.log("packed.gz", gzip.compress((lake.logs / "search.log").read_bytes()))
    lake.iterate()
    lake.expect_same()


def test_nothing_new_makes_no_iteration(lake):
    put_sample(lake)
    lake.iterate()
    assert "nothing new" in lake.lake.run("spark", "commit", lake.decide())
    lake.expect_same()


FOREIGN = "甲\x1b[31m\x9b\u202e\u200b\udcff"
SHOWN = r"甲\x1b[31m\xc2\x9b\xe2\x80\xae\xe2\x80\x8b\xff"


@pytest.mark.parametrize(("problem", "said"), [(qdedup.DataError(f"{FOREIGN}\n乙"), rf"qdedup-spark: {SHOWN}\n乙"),
                                               (PySparkException(f"[A_CLASS] {FOREIGN}"), f"qdedup-spark: Spark failed: [A_CLASS] {SHOWN}"),
                                               (None, f"draft     {SHOWN}; now: qdedup spark commit {SHOWN}")])
def test_what_is_printed_is_escaped(monkeypatch, tmp_path, capsys, problem, said):
    (tmp_path / "plan.jsonl").touch()
    monkeypatch.setattr(job, "SparkSession", Mock())
    monkeypatch.setattr(job, "read_bank", Mock())
    monkeypatch.setattr(job, "run", Mock(side_effect=problem, return_value=None))
    monkeypatch.setattr(sys, "argv", ["qdedup-spark", "run", str(tmp_path), "--bank", "b", "--logs", "l", "--output", FOREIGN])
    job.main()
    assert "".join(capsys.readouterr()) == said + "\n"


@pytest.mark.parametrize(("end", "code", "said"), [
    ({"side_effect": KeyboardInterrupt}, 130, "qdedup-spark: interrupted: run it again, into a new folder\n"),
    ({"return_value": qdedup.LineCounts(1007, 1000, 3, {"blank": 1, "bad_id": 3})}, 0,
     "mine      1,007 lines: 1,000 selected, 3 unselected, 4 rejected\n          rejected 3: bad_id\n          rejected 1: blank\ndraft     o; now")])
def test_how_a_run_ends_is_said(monkeypatch, tmp_path, capsys, end, code, said):
    (tmp_path / "plan.jsonl").touch()
    for name, replacement in [("SparkSession", Mock()), ("read_bank", Mock()), ("run", Mock(**end))]:
        monkeypatch.setattr(job, name, replacement)
    monkeypatch.setattr(sys, "argv", ["qdedup-spark", "run", str(tmp_path), "--bank", "b", "--logs", "l", "--output", "o"])
    assert job.main() == code
    assert "".join(capsys.readouterr()).startswith(said)


@pytest.mark.parametrize(("place", "problem", "said"), [
    ("start", PySparkException("[JAVA_GATEWAY_EXITED] Java gateway process exited before sending its port number."), "[JAVA_GATEWAY_EXITED] Java"),
    ("run", Py4JNetworkError("Answer from Java side is empty"), "Answer from Java side is empty"), ("run", ConnectionResetError(), "ConnectionResetError"),
    ("run", Py4JNetworkError("An error occurred while calling o7.x.\n: a.Failure: 甲\n\tat a.b(C.java:7)\n\t... 9 more"), "a.Failure: 甲\n"),
    ("run", Py4JNetworkError(": a.Failure: 甲\n\tat a.b(C.java:7)\nCaused by: b.Reason: 乙\n\t... 9 more"), "Caused by: b.Reason: 乙\n")])
def test_spark_that_fails_is_no_traceback(monkeypatch, tmp_path, capsys, place, problem, said):
    (tmp_path / "plan.jsonl").touch()
    session = Mock()
    start = session.builder.appName.return_value.config.return_value.getOrCreate
    start.return_value.stop.side_effect = Py4JNetworkError("there is no Java")
    monkeypatch.setattr(job, "SparkSession", session)
    monkeypatch.setattr(job, "read_bank", Mock())
    monkeypatch.setattr(job, "run", Mock())
    (start if place == "start" else job.run).side_effect = problem
    monkeypatch.setattr(sys, "argv", ["qdedup-spark", "run", str(tmp_path), "--bank", "b", "--logs", "l", "--output", "o"])
    assert job.main() == 74
    assert capsys.readouterr().err.startswith(f"qdedup-spark: Spark failed: {said}")


@pytest.mark.parametrize(("words", "said"), [([], "No such file"), (["--conf", FOREIGN], "is no KEY=VALUE"),
                                             ([FOREIGN], "unrecognized arguments")])
def test_what_is_said_about_arguments_is_escaped(monkeypatch, capsys, words, said):
    monkeypatch.setattr(sys, "argv", ["qdedup-spark", "run", FOREIGN, "--bank", "b", "--logs", "l", "--output", "o", *words])
    try:
        job.main()
    except SystemExit as end:
        assert end.code == 64
    printed = capsys.readouterr().err.splitlines()[-1]
    assert SHOWN in printed
    assert said in printed
