"""Near questions of a real bank, against an independent count."""

import collections
import gzip
import json
import math
import random

from near_test import NearTest
from program import CONFORMANCE_DATA, main, needs_conformance_data


def grams_of(text, size=2):
    return {text[i:i + size] for i in range(max(len(text) - size + 1, 1))} if text else set()


def near_pairs(texts, least):
    """By measure, pairs of ids with the hundredths of a percent that they share, by counting what all pairs have in common."""
    sets = {question: grams_of(text) for question, text in texts.items()}
    postings = collections.defaultdict(list)
    pairs = {measure: {} for measure in least}
    for question in sorted(sets):
        common = collections.Counter()
        for gram in sets[question]:
            common.update(postings[gram])
            postings[gram].append(question)
        for other, shared in common.items():
            a, b = len(sets[question]), len(sets[other])
            halves = {"jaccard": 20_000 * shared // (a + b - shared), "cosine": math.isqrt(20_000 ** 2 * shared ** 2 // (a * b))}
            for measure, percent in least.items():
                if halves[measure] >= 200 * percent:
                    pairs[measure][other, question] = (halves[measure] + 1) // 2
    return pairs


@needs_conformance_data
class RealQuestions(NearTest):
    def setUp(self):
        super().setUp()
        lines = (CONFORMANCE_DATA / "bank.jsonl").read_bytes().splitlines(keepends=True)[:20_000]
        self.qdedup("import", "--format", "jsonl", "-", stdin=b"".join(lines))
        ids = {json.loads(line)["id"] for line in lines}
        with gzip.open(CONFORMANCE_DATA / "parts.tsv.gz", "rt") as parts:
            rows = [line.rstrip("\n").split("\t") for line in parts]
        compared = {int(question): han or "".join(sign + "\0" for sign in json.loads(signs))
                    for question, signs, han in rows if int(question) in ids}
        self.firsts, self.equal = {}, {}
        for question, text in sorted(compared.items()):
            first = self.firsts.setdefault(text, question)
            if first != question:
                self.equal[first, question] = 100.0

    def test_sets_by_an_exhaustive_count(self):
        texts = {question: text for text, question in self.firsts.items()}
        least = {"jaccard": 60, "cosine": 80}
        for measure, pairs in near_pairs(texts, least).items():
            expected = {pair: hundredths / 100 for pair, hundredths in pairs.items()}
            self.assertGreater(len(expected), 500)
            found = self.pairs_of("--measure", measure, "--min-similarity", least[measure])
            self.assertEqual(found, expected | self.equal)

    def test_hashes_by_comparing_all(self):
        rows = [line.split("\t") for line in self.qdedup("simhash").out.splitlines()]
        rows = sorted((int(question), int(hash_, 16)) for question, hash_ in rows if hash_)
        firsts = {}
        for question, hash_ in rows:
            firsts.setdefault(hash_, question)
        found = self.pairs_of("--measure", "hamming", "--distance", "7", value="distance")
        self.assertEqual(sum(distance == 0 for distance in found.values()), len(rows) - len(firsts))
        expected = {}
        chosen = set(random.Random(3).sample(sorted(firsts.values()), 1000))
        for hash_, question in firsts.items():
            if question in chosen:
                for other_hash, other in firsts.items():
                    if 0 < (distance := (hash_ ^ other_hash).bit_count()) <= 7:
                        expected[min(question, other), max(question, other)] = distance
        self.assertGreater(len(expected), 20)
        of_chosen = {pair: distance for pair, distance in found.items() if distance > 0 and set(pair) & chosen}
        self.assertEqual(of_chosen, expected)


if __name__ == "__main__":
    main()
