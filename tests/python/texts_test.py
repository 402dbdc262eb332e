"""What is asked about one text or two: parts, is_duplicate, explain, contrast, plain."""

import gzip
import json
import random
import subprocess
import sys
import threading

import pyarrow
import pytest

import qdedup


def test_parts_of_a_real_bank(dev, dev_texts):
    with gzip.open(dev / "parts.tsv.gz", "rt", encoding="utf-8") as rows:
        for row in rows:
            number, signs, han = row.rstrip("\n").split("\t")
            assert qdedup.parts(dev_texts[int(number)]) == (json.loads(signs), han)


def test_the_limit_is_where_the_rules_have_it():
    for length in (1, 5, 63, 64, 65, 100, 128):
        for percent in (79, 80, 81, 100):
            for distance in range(length + 1):
                expected = (length - distance) * 100 >= percent * length
                changed = "乙" * distance + "甲" * (length - distance)
                assert qdedup.is_duplicate("甲" * length, changed, min_similarity=percent) == expected


def test_explain_says_what_the_program_says(program, tmp_path, sample_texts):
    chance = random.Random(3)
    state = tmp_path / "state"
    bank = tmp_path / "bank.jsonl"
    bank.write_text("".join(json.dumps({"id": number, "text": text}) + "\n" for number, text in sample_texts.items()))
    subprocess.run([program, "--state", state, "import", bank], check=True, capture_output=True)
    characters = qdedup.CharacterCounts()
    characters.add(list(sample_texts.values()))
    for _ in range(30):
        keeper, question = sorted(chance.sample(list(sample_texts), 2))
        said = json.loads(subprocess.run([program, "--json", "--state", state, "explain", str(keeper), str(question)],
                                         check=True, capture_output=True).stdout)
        got = qdedup.explain(sample_texts[question], sample_texts[keeper], characters=characters)
        assert (got.duplicate, got.same_signs, got.distance, got.length) == (
            said["duplicate"], said["same_signs"], said["distance"], said["length"])
        assert got.a == (said["delete"]["signs"], said["delete"]["han"])
        if got.duplicate:
            assert (got.contrast.confidence, got.contrast.risk) == (said["confidence"], said["risk"])


def test_what_counts_as_alike_is_a_choice():
    assert not qdedup.is_duplicate("The cat sat.", "The cat sat!", compare="text")
    assert qdedup.is_duplicate("The cat sat.", "The cat sat!", compare="text", signs="any")
    assert not qdedup.is_duplicate("1+1=2", "1+1=2", signs="any")
    assert qdedup.is_duplicate("甲乙丙丁", "丁乙甲丙", similarity="jaccard", gram=1, min_similarity=100)
    told = qdedup.explain("甲乙丙丁", "甲乙丙丁戊", similarity="cosine", gram=1)
    assert (told.duplicate, told.distance, told.length, told.similarity) == (True, None, None, 89.44)
    assert qdedup.explain("甲", "乙").similarity is None
    by_sets = qdedup.refine([[1, 2]], {1: "甲乙丙丁", 2: "丁乙甲丙"}, similarity="jaccard", gram=1)
    assert by_sets.deletions[0]["similarity"] == 100.0
    assert "distance" not in by_sets.deletions[0]


@pytest.mark.parametrize("call", [qdedup.is_duplicate, qdedup.explain])
def test_others_work_while_two_texts_are_compared(call):
    """In the end: a thread that waits is not always the next one."""
    text, begun, worked = "".join(random.Random(1).choices("甲乙丙丁", k=10_000)), threading.Event(), []
    other = threading.Thread(target=lambda: begun.wait() and worked.append(True))
    other.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # so only this call lets it go on
    try:
        begun.set()
        while_others_work = next((count for count in range(1000) if call(text, text[::-1]) is not None and worked), None)
    finally:
        sys.setswitchinterval(interval)
        other.join()
    assert while_others_work is not None


def test_a_contrast_shows_what_differs_and_where():
    question, keeper = "小明比小红多3本书，小明有几本？", "小明比小红少3本书，小明有几本？"
    found = qdedup.contrast(question, keeper)
    assert found.confidence == "doubtful"
    finding = next(one for one in found.reasons if one.kind.startswith("polarity"))
    assert question[slice(*finding.question)] == "多"
    assert keeper[slice(*finding.keeper)] == "少"
    assert qdedup.contrast(keeper, keeper).confidence == "safe"
    assert qdedup.contrast(keeper, keeper, question_answer="1", keeper_answer="2").reasons[0].kind == "answer-differs"


def test_plain_reads_markup():
    text = "<p>求$\\dfrac{1}{2}$ 的值</p>"
    assert qdedup.plain(text) == "求(1/2) 的值"
    assert qdedup.plain(text, markup="plain") == text
    assert list(qdedup.plain([text, None])) == ["求(1/2) 的值", None]
    assert pyarrow.array(qdedup.plain(pyarrow.array([text]))).to_pylist() == ["求(1/2) 的值"]
    answers = pyarrow.array([None, *"ab", "", None, *"cdef", None])
    assert pyarrow.array(qdedup.plain(answers)) == answers.cast(pyarrow.large_string())
    assert qdedup.plain("12. 求和", numbering="drop") == "求和"


def test_one_text_is_checked_as_many_are():
    with pytest.raises(qdedup.DataError, match="NUL"):
        qdedup.parts("\0")
    with pytest.raises(TypeError):
        qdedup.parts(None)
    with pytest.raises(ValueError):
        qdedup.plain("", markup="html")


def test_version_and_rules_are_named(program):
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    assert qdedup.__version__ in version
    assert "weights" in qdedup.rules
