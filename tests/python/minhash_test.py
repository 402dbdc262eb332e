"""What `sweep --finder minhash` finds, beside datasketch with the same parameters."""

import csv
import gzip
import json
import math
import subprocess

import pytest
from datasketch import MinHash, MinHashLSH

from conftest import FULL

BANDS, ROWS, SHARED = 20, 4, 60  # the program's defaults


def found_by_datasketch(texts):
    """The root of each text's group; texts are near as the program has it: a band in common, and `SHARED` percent of all values."""
    hashes = {text: MinHash(num_perm=BANDS * ROWS) for text in set(texts.values())}
    lsh = MinHashLSH(num_perm=BANDS * ROWS, params=(BANDS, ROWS))
    for text, values in hashes.items():
        values.update_batch([text[i:i + 2].encode() for i in range(max(len(text) - 1, 1))])
        lsh.insert(text, values)
    roots = {}

    def root(text):
        while roots.setdefault(text, text) != text:
            text = roots[text]
        return text

    for text, values in hashes.items():
        for other in lsh.query(values):
            if values.jaccard(hashes[other]) * 100 >= SHARED:
                roots[root(text)] = root(other)
    return {question: root(text) for question, text in texts.items()}


def listed(program, bank, state, *options):
    def run(*arguments):
        return subprocess.run([program, "--state", state, *arguments], check=True, capture_output=True, text=True).stdout
    run("import", bank)
    run("sweep", *options)
    return {(int(row["delete_id"]), int(row["keep_id"])) for row in csv.DictReader(run("export").lstrip("\ufeff").splitlines())}


@pytest.mark.skipif(not FULL, reason="with QDEDUP_FULL=1")
def test_as_many_duplicates_as_datasketch(program, dev, tmp_path):
    with gzip.open(dev / "parts.tsv.gz", "rt") as parts:
        rows = [line.rstrip("\n").split("\t") for line in parts]
    han = {int(question): text for question, _, text in rows}
    duplicates = [pair for pair in listed(program, dev / "bank.jsonl", tmp_path / "exact")
                  if len(han[pair[0]]) > 1 and len(han[pair[1]]) > 1 and han[pair[0]] != han[pair[1]]]
    questions = {question: han[question] for question in han if len(han[question]) > 1}
    groups = found_by_datasketch(questions)
    theirs = sum(groups[delete] == groups[keep] for delete, keep in duplicates)
    ours = listed(program, dev / "bank.jsonl", tmp_path / "minhash", "--finder", "minhash")
    deleted = {delete for delete, _ in ours}
    found = sum(delete in deleted for delete, _ in duplicates)
    count = len(duplicates)
    print(json.dumps({"duplicates": count, "ours": found, "datasketch": theirs}))
    share = (found + theirs) / (2 * count)
    assert count > 500 and abs(found - theirs) <= 4 * math.sqrt(2 * count * share * (1 - share)) + 1
