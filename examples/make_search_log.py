#!/usr/bin/env python3
"""Writes the sample search logs: a small search engine over bank.jsonl, asked with photos of its questions.

Each log line is the result list of one search, best first: [[id,score],[id,score],...]. A score is the cosine
between the weighted character pairs of the photo and of the question, so a perfect match scores 1.000.
Everything is drawn from fixed seeds and weighed in whole numbers: every run writes the same log lines.
"""

import collections
import gzip
import json
import math
import pathlib
import random
import subprocess
import unicodedata

FOLDER = pathlib.Path(__file__).resolve().parent
HITS = 10

# Questions that were taken out of the bank after these searches: the engine still knew them then.
WITHDRAWN = {
    1207745319: "一辆汽车3小时行驶了180千米，照这样计算，行驶300千米需要多少小时？",
    1649920473: "世界四大洋中，跨经度最多的是（　　）A. 太平洋 B. 大西洋 C. 印度洋 D. 北冰洋",
    1933608214: "下列现象中，属于物理变化的是（　　）A. 纸张燃烧 B. 酒精挥发 C. 铁锅生锈 D. 粮食酿酒",
    2088153760: "果园里有梨树240棵，苹果树的棵数是梨树的1/4，两种果树一共有多少棵？",
}

# What optical character recognition takes for one another.
CONFUSABLES = ["0Oo", "1lI", "5Ss", "8B", "日目曰", "己已", "未末", "大太", "土士", "人入", "千干", "王玉", "天夫",
               "间问", "两丙", "体休", "折拆", "侍待", "今令", "乌鸟", "木本", "几九", "米来", "比此", "辆俩"]
CONFUSED = {character: group.replace(character, "") for group in CONFUSABLES for character in group}

# What becomes of a searched question: how often, and how likely each of its characters is misread then.
BLUR = [(0.30, 0.00), (0.35, 0.06), (0.20, 0.15), (0.15, 0.40)]
CROPPED = 0.12  # so many photos show only a part of the question

# Lines as they stand in logs after a crash or a careless edit, and where they are put.
DAMAGE = {
    160: '',
    418: '[[1380777178,0.871],[1589879284,0.55',
    733: '[["7",0.934],[1589879284,0.418]]',
    1002: '[[9223372036854775808,0.902],[1380777178,0.377]]',
    1317: '[[1380777178,NaN],[1589879284,0.303]]',
}


def read_bank(path):
    with path.open(encoding="utf-8") as lines:
        questions = (json.loads(line) for line in lines)
        return {question["id"]: question["text"] for question in questions}


def pick(items, rng):
    return items[int(rng.random() * len(items))]


def pairs(text):
    """How often each pair of neighbouring letters or digits occurs; width, case and punctuation do not count."""
    plain = [c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum()]
    return collections.Counter(map("".join, zip(plain, plain[1:])))


class Engine:
    def __init__(self, questions):
        counts = {id_: pairs(text) for id_, text in questions.items()}
        self.frequency = collections.Counter(pair for count in counts.values() for pair in count)
        self.size = len(questions)
        self.vectors = {id_: self.weigh(count) for id_, count in counts.items()}

    def weigh(self, count):
        """Rare pairs weigh more than common ones; whole numbers, so that no machine rounds them differently."""
        return {pair: n * (10 + round(10 * math.log2(self.size / max(self.frequency[pair], 1))))
                for pair, n in count.items()}

    def search(self, photo):
        query = self.weigh(pairs(photo))
        hits = [(cosine(query, vector), id_) for id_, vector in self.vectors.items()]
        best = sorted((-score, id_) for score, id_ in hits if score > 0)[:HITS]
        return [(id_, -score) for score, id_ in best]


def cosine(a, b):
    """In thousandths."""
    dot = sum(weight * b[pair] for pair, weight in a.items() if pair in b)
    return round(1000 * dot / math.sqrt(squares(a) * squares(b))) if dot else 0


def squares(vector):
    return sum(weight * weight for weight in vector.values())


def photograph(text, alphabet, rng):
    """The text as it is read from a photo: part of it may be cut off, and characters dropped or mistaken."""
    text = crop(text, rng)
    blur = draw_blur(rng)
    return "".join(misread(character, alphabet, rng) if rng.random() < blur else character for character in text)


def crop(text, rng):
    if rng.random() >= CROPPED:
        return text
    half = len(text) // 2
    return text[:half] if rng.random() < 0.5 else text[half:]


def draw_blur(rng):
    drawn = rng.random()
    for share, blur in BLUR:
        drawn -= share
        if drawn < 0:
            return blur
    return BLUR[-1][1]


def misread(character, alphabet, rng):
    if rng.random() < 0.4:
        return ""
    return pick(CONFUSED.get(character, alphabet), rng)


def result_line(hits):
    return "[" + ",".join(f"[{id_},{score // 1000}.{score % 1000:03}]" for id_, score in hits) + "]"


def search_log(questions, searches, seed):
    """Result lines of so many searches. Some questions are asked far more often than others."""
    rng = random.Random(seed)
    engine = Engine(questions)
    alphabet = sorted(set("".join(questions.values())))
    by_popularity = sorted(questions, key=lambda id_: rng.random())
    for _ in range(searches):
        text = questions[by_popularity[int(rng.random() ** 1.6 * len(by_popularity))]]
        yield result_line(engine.search(photograph(text, alphabet, rng)))


def damaged(lines):
    for number, line in enumerate(lines, 1):
        if number in DAMAGE:
            yield DAMAGE[number]
        yield line


def as_bytes(lines):
    return "".join(line + "\n" for line in lines).encode()


def write_gzip(path, data):
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(data)


def write_zstd(path, data):
    packed = subprocess.run(["zstd", "-q", "-19", "--stdout"], input=data, stdout=subprocess.PIPE, check=True)
    path.write_bytes(packed.stdout)


def main():
    questions = read_bank(FOLDER / "bank.jsonl") | WITHDRAWN
    write_zstd(FOLDER / "search.log.2.zst", as_bytes(search_log(questions, 400, seed=1)))
    write_gzip(FOLDER / "search.log.1.gz", as_bytes(search_log(questions, 500, seed=2)))
    (FOLDER / "search.log").write_bytes(as_bytes(damaged(search_log(questions, 1500, seed=3))))


if __name__ == "__main__":
    main()
