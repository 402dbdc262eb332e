"""All duplicates of a bank by MinHash and LSH, with the rule for what these bring up.

    peer_minhash.py BANK LIST rensa|rensa-bulk|gaoya|datasketch

Features are the pairs of characters of the Han part, in 20 bands of 4 rows. `rensa-bulk` first asks rensa which questions share a
band with another one at all, and indexes only these."""

import argparse
import gc

import orjson

from peer_rule import alike, parts

BANDS, ROWS, SEED, BATCH = 20, 4, 1, 10_000


# Of each library: how to insert a sketch, how to look one up, and how to make those of some Han parts.

def rensa_index():
    import rensa
    index = rensa.RMinHashLSH(threshold=0.5, num_perm=BANDS * ROWS, num_bands=BANDS)
    return index.insert, index.query, lambda texts: rensa.RMinHash.from_token_sets(map(grams, texts), BANDS * ROWS, SEED)


def gaoya_index():
    from gaoya.minhash import MinHashStringIndex
    index = MinHashStringIndex(jaccard_threshold=0.0, num_bands=BANDS, band_size=ROWS, analyzer="char", ngram_range=(2, 2),
                               id_container="smallvec")
    return index.insert_document, index.query, iter


def datasketch_index():
    import datasketch
    index = datasketch.MinHashLSH(num_perm=BANDS * ROWS, params=(BANDS, ROWS))
    return (lambda key, sketch: index.insert(key, sketch, check_duplication=False), index.query,
            lambda texts: datasketch.MinHash.generator(([gram.encode() for gram in grams(han)] for han in texts),
                                                       num_perm=BANDS * ROWS, seed=SEED))


def sharing_a_band(questions):
    import rensa
    sketches = rensa.RMinHash.digest_matrix_from_token_sets((grams(han) for _, _, han in questions), BANDS * ROWS, SEED)
    index = rensa.RMinHashLSH(threshold=0.5, num_perm=BANDS * ROWS, num_bands=BANDS)
    flags = index.query_duplicate_flags_matrix_one_shot(sketches)
    return [question for question, shares in zip(questions, flags) if shares]


INDEXES = {"rensa": rensa_index, "rensa-bulk": rensa_index, "gaoya": gaoya_index, "datasketch": datasketch_index}


def grams(han):
    return [han[i:i + 2] for i in range(len(han) - 1)] or [han]


def read(bank):
    with open(bank, "rb") as lines:
        return sorted((row["id"], *parts(row["text"])) for row in map(orjson.loads, lines))


def deletions(questions, insert, query, sketches):
    """Each question is looked up among the smaller ones that stay."""
    by_signs_alone = {}
    for begin in range(0, len(questions), BATCH):
        batch = questions[begin:begin + BATCH]
        for place, sketch in enumerate(sketches([han for _, _, han in batch]), begin):
            question, signs, han = questions[place]
            if han:
                alike_ones = (other for other in query(sketch) if questions[other][1] == signs and alike(questions[other][2], han))
                keeper = questions[min(alike_ones, default=place)][0]
                if keeper == question:
                    insert(place, sketch)
            else:
                keeper = by_signs_alone.setdefault(signs, question)
            if keeper != question:
                yield question, keeper


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("bank")
    arguments.add_argument("list", help="gets the id to delete and the id that stays, a line each")
    arguments.add_argument("way", choices=INDEXES)
    options = arguments.parse_args()
    gc.disable()  # there is no garbage, but millions of objects to look for it in
    questions = read(options.bank)
    if options.way == "rensa-bulk":
        questions = sharing_a_band(questions)
    with open(options.list, "w", encoding="ascii") as out:
        out.write("delete_id\tkeep_id\n")
        out.writelines(f"{question}\t{keeper}\n" for question, keeper in deletions(questions, *INDEXES[options.way]()))


if __name__ == "__main__":
    main()
