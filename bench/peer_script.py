"""The weekly job as a Python script of a day: orjson, dictionaries, rapidfuzz.

    peer_script.py BANK LIST LOG… [--earlier LIST]"""

import argparse
import gc

import orjson

from peer_rule import alike, parts

MIN_TOP_SCORE, MIN_SCORE, MAX_CLUSTER_SIZE = 0.5, 0.3, 200


def selected_lists(logs):
    """The lists with high scores, each once, best first."""
    best = {}
    for log in logs:
        with open(log, "rb") as lines:
            for line in lines:
                pairs = orjson.loads(line)
                if len(pairs) > 1 and pairs[0][1] >= MIN_TOP_SCORE and pairs[1][1] >= MIN_SCORE:
                    ids = tuple([question for question, score in pairs if score >= MIN_SCORE])
                    best[ids] = max(best.get(ids, 0), pairs[0][1])
    return sorted(best, key=lambda ids: (-best[ids], ids))


def clusters(lists):
    cluster_of = {}
    for seed, *members in lists:
        mine = cluster_of.setdefault(seed, [seed])
        for member in members:
            other = cluster_of.get(member)
            if other is None:
                if len(mine) < MAX_CLUSTER_SIZE:
                    mine.append(member)
                    cluster_of[member] = mine
            elif other is not mine and len(mine) + len(other) <= MAX_CLUSTER_SIZE:
                if len(mine) < len(other):
                    mine, other = other, mine
                mine += other
                cluster_of.update(dict.fromkeys(other, mine))
    return {id(cluster): cluster for cluster in cluster_of.values()}.values()


def parts_of(bank, wanted):
    found = {}
    with open(bank, "rb") as lines:
        for line in lines:
            row = orjson.loads(line)
            if row["id"] in wanted:
                found[row["id"]] = parts(row["text"])
    return found


def deletions(cluster, found):
    kept = {}
    for question in sorted(cluster):
        if question not in found:
            continue
        signs, han = found[question]
        with_same_signs = kept.setdefault(signs, [])
        for keeper, text in with_same_signs:
            if alike(text, han):
                yield question, keeper
                break
        else:
            with_same_signs.append((question, han))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("bank")
    arguments.add_argument("list", help="gets the id to delete and the id that stays, a line each")
    arguments.add_argument("logs", nargs="+")
    arguments.add_argument("--earlier", help="a list from before: who stays there stands for who was to go")
    options = arguments.parse_args()
    gc.disable()  # there is no garbage, but millions of objects to look for it in
    keeper_of = {}
    if options.earlier:
        with open(options.earlier, encoding="ascii") as lines:
            next(lines)
            keeper_of = dict(tuple(map(int, line.split())) for line in lines)
    found_clusters = [{keeper_of.get(question, question) for question in cluster}
                      for cluster in clusters(selected_lists(options.logs))]
    found = parts_of(options.bank, set().union(*found_clusters))
    with open(options.list, "w", encoding="ascii") as out:
        out.write("delete_id\tkeep_id\n")
        for cluster in found_clusters:
            out.writelines(f"{question}\t{keeper}\n" for question, keeper in deletions(cluster, found))


if __name__ == "__main__":
    main()
