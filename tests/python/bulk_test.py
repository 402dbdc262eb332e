"""mine, merge, refine and sweep: the lists of the program, whatever form the data has."""

import csv
import gzip
import io
import json
import mmap
import pathlib
import pickle
import random
import subprocess
import types

import numpy
import pandas
import polars
import pyarrow
import pytest

import qdedup

SETTINGS = {  # file in expected/: min_top_score, min_score, max_cluster_size
    "top0.5_min0.3_cap200.tsv": (0.5, 0.3, 200),
    "top0.3_min0.1_cap200.tsv": (0.3, 0.1, 200),
    "top0.5_min0.3_cap20.tsv": (0.5, 0.3, 20),
}
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
COLUMNS = ["delete_id", "keep_id", "distance", "length", "confidence", "reasons", "risk"]


def rows_of(deletions):
    """As the program exports them."""
    return [[f"{row[name]:.4f}" if name == "risk" else str(row[name]) for name in COLUMNS] for row in deletions]


def exported(program, state, *arguments, config=()):
    def run(*words):
        return subprocess.run([program, *config, "--state", state, *words], check=True, capture_output=True).stdout

    for words in arguments:
        run(*map(str, words))
    table = csv.DictReader(io.StringIO(run("export", "--format", "tsv").decode()), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [[row[name] for name in COLUMNS] for row in table]


@pytest.mark.parametrize("name", SETTINGS)
def test_the_lists_of_a_real_bank_come_out_exactly(dev, dev_texts, name):
    top, least, cap = SETTINGS[name]
    lists, counts = qdedup.mine((dev / "search.log").read_bytes(), min_top_score=top, min_score=least)
    assert counts.lines == 60000 == counts.selected + counts.unselected + sum(counts.rejected.values())
    clusters, merged = qdedup.merge(lists, max_cluster_size=cap)
    assert len(clusters) <= merged.clusters
    deletions = qdedup.refine(clusters, dev_texts).deletions
    got = "".join("\t".join(row[:4]) + "\n" for row in rows_of(deletions))
    assert got == (dev / "expected" / name).read_text()


def test_rows_are_those_of_the_program(dev, dev_texts, program, tmp_path):
    expected = exported(program, tmp_path / "state", ["import", dev / "bank.jsonl"], ["run", dev / "search.log"])
    clusters = qdedup.merge(qdedup.mine((dev / "search.log").read_bytes()).lists).clusters
    assert rows_of(qdedup.refine(clusters, dev_texts).deletions) == expected


def test_a_sweep_of_a_real_bank_comes_out_exactly(dev, dev_texts):
    deletions = qdedup.sweep(list(dev_texts), list(dev_texts.values())).deletions
    got = "".join("\t".join(row[:4]) + "\n" for row in rows_of(deletions))
    assert got == (dev / "expected/sweep.tsv").read_text()


def test_the_sample_gives_the_rows_of_the_program(program, tmp_path, sample_texts, sample_answers):
    expected = exported(program, tmp_path / "state", ["import", EXAMPLES / "bank.jsonl"], ["sweep"])
    assert expected
    assert rows_of(qdedup.sweep(list(sample_texts), list(sample_texts.values()), sample_answers).deletions) == expected


def test_a_question_with_an_answer_that_is_too_long_is_not_compared(program, tmp_path):
    texts, answers = ["小明买了三本书，一共花了多少钱？"] * 3, ["3", "3", "3" * 70_000]
    with open(tmp_path / "bank.jsonl", "w", encoding="utf-8") as bank:
        for number in (1, 2, 3):
            print(json.dumps({"id": number, "text": texts[number - 1], "answer": answers[number - 1]}), file=bank)
    expected = exported(program, tmp_path / "state", ["import", tmp_path / "bank.jsonl"], ["sweep"])
    assert len(expected) == 1
    assert rows_of(qdedup.sweep([1, 2, 3], texts, answers).deletions) == expected
    table = pyarrow.table({"id": [1, 2, 3], "text": texts, "answer": answers})
    assert rows_of(qdedup.refine([[1, 2, 3]], table).deletions) == expected


def test_texts_and_answers_that_are_too_long_with_their_markup_are_not_compared(program, tmp_path):
    text, long = "小明买了三本书，一共花了多少钱？", "<b></b>" * 160_000
    rows = [(1, long + text, None), (2, text, None), (3, text, long + "8"), (4, text, "8")]
    with open(tmp_path / "bank.jsonl", "w", encoding="utf-8") as bank:
        for number, text, answer in rows:
            print(json.dumps({"id": number, "text": text, "answer": answer}), file=bank)
    (tmp_path / "qdedup.toml").write_text('[text]\nmarkup = "auto"\n')
    expected = exported(program, tmp_path / "state", ["import", tmp_path / "bank.jsonl"], ["sweep"], config=["--config", tmp_path / "qdedup.toml"])
    ids, texts, answers = zip(*rows)
    assert rows_of(qdedup.sweep(ids, qdedup.plain(texts), qdedup.plain(answers)).deletions) == expected
    assert [row[:2] for row in expected] == [["4", "2"]]


@pytest.fixture
def world():
    """A small bank, of which many questions are duplicates, and its log."""
    chance = random.Random(7)
    texts = {number: "小明有" + "".join(chance.choices("甲乙丙", k=8)) + str(chance.randrange(3)) for number in range(1, 400)}
    lines = []
    for _ in range(300):
        ids = chance.sample(range(1, 420), chance.randrange(1, 8))
        scores = sorted((round(chance.random(), 3) for _ in ids), reverse=True)
        lines.append("[" + ",".join(f"[{number},{score}]" for number, score in zip(ids, scores)) + "]")
    return texts, lines


def all_of(column):
    return list(column)


def test_every_form_of_lines_gives_the_same(world):
    lines = world[1]
    whole = qdedup.mine(("\n".join(lines) + "\n").encode())
    assert whole.counts.lines == 300
    forms = [lines, [line.encode() for line in lines], [line + "\n" for line in lines], pyarrow.array(lines),
             pyarrow.array(lines, pyarrow.large_string()), pyarrow.array([line.encode() for line in lines]),
             pyarrow.array(lines, pyarrow.string_view()), polars.Series(lines),
             pyarrow.chunked_array([lines[:100], lines[100:]]), pyarrow.array(["x", *lines])[1:]]
    for form in forms:
        mined = qdedup.mine(form)
        assert all_of(mined.lists) == all_of(whole.lists)
        assert mined.counts == whole.counts


def test_the_bytes_of_a_log_may_be_in_any_buffer_of_bytes(world, tmp_path):
    log = ("\n".join(world[1]) + "\n").encode()
    whole = qdedup.mine(log)
    (tmp_path / "search.log").write_bytes(log)
    with open(tmp_path / "search.log", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for form in (bytearray(log), memoryview(log), memoryview(b"x" + log)[1:], numpy.frombuffer(log, numpy.uint8), mapped):
            mined = qdedup.mine(form)
            assert all_of(mined.lists) == all_of(whole.lists)
            assert mined.counts == whole.counts
    assert qdedup.mine(bytearray()).counts.lines == 0
    assert qdedup.mine(numpy.array([line.encode() for line in world[1]])).counts == whole.counts  # an array of lines


def test_what_lists_and_texts_are_in_python_is_taken_again(world):
    texts, lines = world
    lists = qdedup.mine(lines).lists
    merged = qdedup.merge(lists)
    again = qdedup.merge(all_of(lists))
    assert again.counts == merged.counts
    refined = all_of(qdedup.refine(merged.clusters, texts).deletions)
    frame = pandas.DataFrame({"id": list(texts), "text": list(texts.values()), "other": [{}, "x", *range(2, len(texts))]})
    for form in (types.MappingProxyType(texts), frame):
        assert all_of(qdedup.refine(all_of(again.clusters), form).deletions) == refined


def test_a_struct_of_one_column_is_that_column():
    """So columns of a query come."""
    ids, texts = (pyarrow.table({name: values}) for name, values in (("id", [1, 2]), ("text", ["小明买了多少本书"] * 2)))
    assert len(qdedup.sweep(ids, texts).deletions) == 1
    masked = pyarrow.StructArray.from_arrays([pyarrow.array(["x", "y"])], ["text"], mask=pyarrow.array([True, False]))
    for other in (pyarrow.table({"a": ["x", "y"], "b": ["x", "y"]}), masked):
        with pytest.raises(TypeError, match="type '.s', not one of texts"):
            qdedup.sweep(ids, other)


def test_a_query_is_no_table():
    """Its columns would be two queries, in two orders."""
    query = types.SimpleNamespace(columns=["id", "text"], fetchall=list)
    with pytest.raises(TypeError, match=r"give its table, relation\.to_arrow_table\(\)"):
        qdedup.refine([[1, 2]], query)


def test_bytes_that_are_packed_are_refused(world):
    text = "\n".join(world[1]).encode()
    with pytest.raises(qdedup.DataError, match="packed with gzip or zstd"):
        qdedup.mine(gzip.compress(text))


def test_a_line_without_its_end_is_no_line_yet(world):
    text = "\n".join(world[1]).encode()
    assert qdedup.mine(text).counts.lines == 299


def test_every_form_of_lists_and_clusters_gives_the_same(world):
    texts, lines = world
    lists = qdedup.mine(lines).lists
    merged = qdedup.merge(lists)
    pairs = [(row["top_score"], row["ids"]) for row in lists]
    for form in (pairs, pyarrow.array(lists), pyarrow.chunked_array([pyarrow.array(lists)]), polars.Series("", pyarrow.array(lists))):
        assert all_of(qdedup.merge(form).clusters) == all_of(merged.clusters)
    refined = qdedup.refine(merged.clusters, texts)
    assert len(refined.deletions) > 10
    assert refined.missing == len({number for cluster in merged.clusters for number in cluster} - set(texts))
    for form in (all_of(merged.clusters), [numpy.array(ids) for ids in merged.clusters], pyarrow.array(merged.clusters),
                 polars.Series(all_of(merged.clusters))):
        assert all_of(qdedup.refine(form, texts).deletions) == all_of(refined.deletions)


def test_every_form_of_questions_gives_the_same(world):
    texts, lines = world
    ids, values = list(texts), list(texts.values())
    swept = all_of(qdedup.sweep(ids, values).deletions)
    assert len(swept) > 10
    order = list(range(len(ids)))
    random.Random(8).shuffle(order)
    forms = [(numpy.array(ids), values), (numpy.array(ids, numpy.uint64), values), (numpy.repeat(ids, 2)[::2], values), (pyarrow.array(ids), pyarrow.array(values)), (polars.Series(ids), polars.Series(values)),
             (pyarrow.array(ids, pyarrow.int32()), values), ([ids[i] for i in order], [values[i] for i in order]),
             (numpy.array([ids[i] for i in order]), pyarrow.chunked_array([[values[i]] for i in order]))]
    for form in forms:
        for threads in (1, 3):
            assert all_of(qdedup.sweep(*form, threads=threads).deletions) == swept
    clusters = qdedup.merge(qdedup.mine(lines).lists).clusters
    refined = all_of(qdedup.refine(clusters, texts).deletions)
    table = pyarrow.table({"id": ids, "text": values})
    for form in (table, table.to_batches()[0], polars.from_arrow(table), table.append_column("answer", [[None] * len(ids)])):
        assert all_of(qdedup.refine(clusters, form).deletions) == refined


def test_results_go_to_arrow_and_polars(world):
    texts = world[0]
    deletions = qdedup.sweep(list(texts), list(texts.values())).deletions
    table = pyarrow.Table.from_struct_array(pyarrow.array(deletions))
    assert table.column_names == COLUMNS
    assert table.to_pylist() == all_of(deletions)
    assert polars.Series(pyarrow.array(deletions)).to_list() == all_of(deletions)
    assert list(iter(deletions)) == all_of(deletions)
    assert deletions[-1] == deletions[len(deletions) - 1]
    with pytest.raises(IndexError):
        deletions[len(deletions)]  # pylint: disable=pointless-statement


def test_answers_count():
    texts = ["小明买了多少本书", "小明买了多少本书"]
    assert qdedup.sweep([1, 2], texts, ["3", "3"]).deletions[0]["confidence"] == "safe"
    row = qdedup.sweep([1, 2], texts, ["3", "4"]).deletions[0]
    assert (row["confidence"], row["reasons"]) == ("doubtful", "answer-differs")
    table = pyarrow.table({"id": [1, 2], "text": texts, "answer": ["3", "4"]})
    assert qdedup.refine([[1, 2]], table).deletions[0] == row


def test_what_pandas_has_for_none_is_none():
    frame = pandas.DataFrame({"id": [1, 2, 3], "text": ["小明有3个苹果", "小明有3个苹果吗", None], "answer": ["8", None, None]}, dtype=object)
    expected = all_of(qdedup.sweep([1, 2, 3], list(frame["text"]), list(frame["answer"])).deletions)
    assert len(expected) == 1
    for missing in (float("nan"), numpy.float64("nan"), pandas.NA):
        form = frame.fillna(missing).astype(object)
        assert form["answer"][1] is not None
        assert all_of(qdedup.refine([[1, 2, 3]], form).deletions) == expected
        assert all_of(qdedup.sweep(form["id"], list(form["text"]), form["answer"]).deletions) == expected
    assert all_of(qdedup.refine([[1, 2, 3]], frame.astype({"text": "string", "answer": "string"})).deletions) == expected


class Consumed:
    """Gives the same capsules each time, which may be read once."""

    def __init__(self, array):
        self.capsules = array.__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


def test_an_arrow_array_that_was_read_already_is_refused():
    once = Consumed(pyarrow.array([1, 2]))
    assert not qdedup.sweep(once, ["a", "b"]).deletions
    with pytest.raises(qdedup.DataError, match="given to somebody else"):
        qdedup.sweep(once, ["a", "b"])


def test_empty_data_is_no_error():
    assert not qdedup.mine(b"").lists
    assert not qdedup.merge([]).clusters
    assert not qdedup.refine([], {}).deletions
    assert not qdedup.sweep([], []).deletions
    assert not qdedup.sweep(pyarrow.array([], pyarrow.int64()), pyarrow.array([], pyarrow.string())).deletions


def test_missing_texts_are_nobodys_duplicates():
    assert not qdedup.sweep([1, 2, 3, 4], [None, None, "", ""]).deletions
    assert qdedup.refine([[1, 2, 3]], {1: "甲", 2: None}).missing == 2
    longest = "1" * 65536
    assert len(qdedup.sweep([1, 2], [longest] * 2).deletions) == 1
    assert not qdedup.sweep([1, 2], [longest + "1"] * 2).deletions


def test_character_counts_of_parts_are_those_of_the_whole(sample_texts):
    values = list(sample_texts.values())
    whole = qdedup.CharacterCounts()
    whole.add(values)
    parts = qdedup.CharacterCounts()
    for part in (values[::2], values[1::2]):
        counts = qdedup.CharacterCounts()
        counts.add(part)
        parts.merge(pickle.loads(pickle.dumps(counts)))
    assert parts == whole
    assert whole.texts == len(values)
    assert whole != qdedup.CharacterCounts() and whole != 1
    with pytest.raises(TypeError):
        hash(whole)
    given = qdedup.sweep(list(sample_texts), values, characters=whole)
    assert all_of(given.deletions) == all_of(qdedup.sweep(list(sample_texts), values).deletions)


@pytest.mark.parametrize("call, place", [
    (lambda: qdedup.sweep([1, 0], ["a", "b"]), "ids[1]: 0 is no id"),
    (lambda: qdedup.sweep([1, 2**63], ["a", "b"]), "ids[1]: is no id"),
    (lambda: qdedup.sweep(numpy.array([5, -1]), ["a", "b"]), "ids[1]: -1 is no id"),
    (lambda: qdedup.sweep(pyarrow.array([5, 2**63], pyarrow.uint64()), ["a", "b"]), "ids[1]: 9223372036854775808 is no id"),
    (lambda: qdedup.sweep(pyarrow.array([None, 2**64 - 1], pyarrow.uint64())[1:], ["a"]), "ids[0]: 18446744073709551615 is no id"),
    (lambda: qdedup.sweep(pyarrow.array([5, None]), ["a", "b"]), "ids[1]: is null"),
    (lambda: qdedup.sweep([7, 3, 7], ["a", "b", "c"]), "ids[2]: 7 is there already, at 0"),
    (lambda: qdedup.sweep([1, 2], ["a"]), "texts: has 1 values, but there are 2 ids"),
    (lambda: qdedup.sweep([1], ["a"], []), "answers: has 0 values"),
    (lambda: qdedup.sweep([1, 2], ["a", "\ud800"]), "texts[1]: cannot be written as UTF-8"),
    (lambda: qdedup.sweep([1, 2], ["a", b"\xff"]), "texts[1]: is not UTF-8"),
    (lambda: qdedup.sweep([1, 2], pyarrow.array(["a", "\0"])), "texts[1]: contains NUL"),
    (lambda: qdedup.merge([(0.5, [1, 2]), (0.5, [3, 3])]), "lists[1]: 3 is there twice"),
    (lambda: qdedup.merge([(float("nan"), [1, 2])]), "lists[0]: the top score is no finite number"),
    (lambda: qdedup.merge([(1, [])]), "lists[0]: has no ids"),
    (lambda: qdedup.refine([[1, 2], [2, 2]], {}), "clusters[1]: 2 is there twice"),
    (lambda: qdedup.refine([], pyarrow.table({"id": [1]})), "texts: there is no column text"),
    (lambda: qdedup.mine(["[]\n[]"]), "lines[0]: is more than one line"),
    (lambda: qdedup.mine([None]), "lines[0]: is missing"),
    (lambda: qdedup.contrast("a", "b", keeper_answer="\0"), "keeper_answer[0]: contains NUL"),
    (lambda: qdedup.contrast("a", "b", question_answer="\ud83d"), "question_answer[0]: cannot be written as UTF-8"),
    (lambda: qdedup.parts("\ud83d"), "text[0]: cannot be written as UTF-8"),
    (lambda: qdedup.is_duplicate("a", "\ud83d"), "b[0]: cannot be written as UTF-8"),
    (lambda: qdedup.explain("\ud83d", "b"), "a[0]: cannot be written as UTF-8"),
])
def test_wrong_data_is_named_by_its_place(call, place):
    with pytest.raises(qdedup.DataError) as raised:
        call()
    assert str(raised.value).startswith(place)


@pytest.mark.parametrize("call, place", [
    (lambda: qdedup.merge([(0.5, [1, 2]), ("a", [1, 2])]), "lists[1]: the top score is no float"),
    (lambda: qdedup.merge([(10**400, [1, 2])]), "lists[0]: the top score is no float"),
    (lambda: qdedup.merge([{"ids": [1, 2]}]), "lists[0]: is no pair of top_score and ids"),
    (lambda: qdedup.refine([], pyarrow.table({"id": [1], "text": ["a"]}).to_reader()), "texts: the columns of this object cannot"),
])
def test_a_wrong_type_is_named_by_its_place(call, place):
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value).startswith(place)


@pytest.mark.parametrize("call, error", [
    (lambda: qdedup.sweep([1.5], ["a"]), TypeError),
    (lambda: qdedup.sweep(pyarrow.array([1]).dictionary_encode(), ["a"]), TypeError),
    (lambda: qdedup.sweep([1], pyarrow.array(["a"]).dictionary_encode()), TypeError),
    (lambda: qdedup.sweep([1], "a"), TypeError),
    (lambda: qdedup.sweep({1, 2}, ["a", "b"]), TypeError),
    (lambda: qdedup.sweep([1, 2], frozenset("ab")), TypeError),
    (lambda: qdedup.sweep(pyarrow.array(["1"]), ["a"]), TypeError),
    (lambda: qdedup.sweep([1], pyarrow.array([1])), TypeError),
    (lambda: qdedup.sweep([1], pyarrow.array(["a"]).dictionary_encode()), TypeError),
    (lambda: qdedup.sweep([1], ["a"], min_similarity=0), ValueError),
    (lambda: qdedup.sweep([1], ["a"], similarity="hamming"), ValueError),
    (lambda: qdedup.sweep([1], ["a"], signs="some"), ValueError),
    (lambda: qdedup.sweep([1], ["a"], compare="words"), ValueError),
    (lambda: qdedup.sweep([1], ["a"], similarity="cosine", gram=65), ValueError),
    (lambda: qdedup.merge(7), TypeError),
    (lambda: qdedup.merge([(1.0, [1, 2], 3)]), TypeError),
    (lambda: qdedup.merge([], max_cluster_size=1), ValueError),
    (lambda: qdedup.refine([[1, 2]], [1, 2]), TypeError),
    (lambda: qdedup.mine([], format="json"), ValueError),
    (lambda: qdedup.mine([], min_top_score=float("nan")), ValueError),
    (lambda: qdedup.mine([], min_score=float("-inf")), ValueError),
    (lambda: qdedup.mine([], pointer="results", format="object"), ValueError),
])
def test_wrong_types_and_settings_are_refused(call, error):
    with pytest.raises(error):
        call()
