"""Sweeps: which questions come together to one task, and what becomes of them."""

import pyarrow
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ._core import SparkJob
from .spark_frames import by_group, by_record, draft_lines, lines_of, numbered_buckets, stage, table_of


def sweep(job: SparkJob, bank: DataFrame, cached: list[DataFrame], ids_per_bucket: int = 20_000,
          questions_per_block: int = 500_000) -> DataFrame:
    """The bank (id, text, answer) -> (value): the lines of the draft of a sweep, but for the head. Only questions with equal signs
    can be duplicates. Those of one sequence of signs are decided by one task, unless they are more than `questions_per_block`: then
    two blocks at a time are compared, and what duplicates connect is decided together. What it caches is added to `cached`."""

    def cache(rows: DataFrame) -> DataFrame:
        cached.append(rows.persist())
        return rows

    spark, settings = bank.sparkSession, job.without_past()
    stage(spark, "group the bank by signs")
    groups = cache(by_record(bank, lambda *of: settings.sign_groups(*of), "id long, fingerprint long, length long"))
    sizes = cache(groups.groupBy("fingerprint").agg(F.count("*").alias("questions")).where("questions > 1"))
    groups_by_size = {row["questions"]: row["groups"] for row in
                      sizes.groupBy("questions").agg(F.count("*").alias("groups")).collect()}
    is_large = F.col("questions") > questions_per_block
    buckets = max(sum(size * count for size, count in groups_by_size.items() if size <= questions_per_block) // ids_per_bucket, 1)
    bucket = F.when(F.col("questions") > ids_per_bucket, F.col("fingerprint")).otherwise(F.expr(f"pmod(fingerprint, {buckets})"))
    members = groups.join(sizes.where(~is_large), "fingerprint").select(bucket.alias("bucket"), "id")
    if any(size > questions_per_block for size in groups_by_size):
        stage(spark, "compare large groups in blocks")
        large = groups.join(F.broadcast(sizes.where(is_large)), "fingerprint")
        placed, pairs = _blocks(large, job, questions_per_block)
        connected = _connected(cache(placed), pairs, bank, settings, ids_per_bucket)
        members = members.union(connected.select((F.col("bucket") + buckets).alias("bucket"), "id"))
    numbered, number_of_buckets = numbered_buckets(cache(members), 0)
    line = job.sweep_line(groups.count(), groups_by_size, number_of_buckets)
    stage(spark, "decide the questions with equal signs")

    def decide(table: pyarrow.Table) -> list[str]:
        number, rows = (table[name][0].as_py() for name in ("number", "rows"))
        return job.sweep(number, rows, *(table[name] for name in ("id", "text", "answer")))

    return draft_lines(numbered.join(bank, "id"), "number", decide).union(lines_of(spark, [line]))


def _blocks(large: DataFrame, job: SparkJob, questions_per_block: int) -> tuple[DataFrame, list[tuple[int, int]]]:
    """The questions (id, fingerprint, length) of large groups -> (id, block), and which blocks are to be compared."""
    lengths: dict[int, dict[int, int]] = {}
    for row in large.groupBy("fingerprint", "length").agg(F.count("*").alias("questions")).collect():
        lengths.setdefault(row["fingerprint"], {})[row["length"]] = row["questions"]
    shares, pairs, first_block = [], [], 1
    for fingerprint, counts in sorted(lengths.items()):
        of_lengths, of_blocks = job.plan_blocks(counts, questions_per_block)
        shares += [(fingerprint, length, first_block + first, count) for length, first, count in of_lengths]
        pairs += [(first_block + a, first_block + b) for a, b in of_blocks]
        first_block += max(first + count for _, first, count in of_lengths)
    places = large.sparkSession.createDataFrame(shares, "fingerprint long, length long, first long, blocks long")
    return large.join(F.broadcast(places), ["fingerprint", "length"]).select(
        "id", F.expr("first + pmod(xxhash64(id), blocks)").alias("block")), pairs


def _connected(placed: DataFrame, pairs: list[tuple[int, int]], bank: DataFrame, job: SparkJob, ids_per_bucket: int) -> DataFrame:
    """The questions (id, block) -> (bucket, id): those with duplicates, in buckets from 0. One task takes all edges, at most one
    for each of a pair's questions."""
    rows = {row["block"]: row["rows"] for row in placed.groupBy("block").agg(F.count("*").alias("rows")).collect()}
    compared = [(number, block, sum(rows.get(each, 0) for each in {*pair})) for number, pair in enumerate(pairs) for block in {*pair}]

    def edges_of(table: pyarrow.Table) -> pyarrow.Table:
        return table_of(job.block_edges(table["rows"][0].as_py(), *(table[name] for name in ("block", "id", "text"))))

    def buckets_of(table: pyarrow.Table) -> pyarrow.Table:
        return table_of(job.connected_buckets(table["a"], table["b"], ids_per_bucket))

    wanted = bank.sparkSession.createDataFrame(compared, "pair long, block long, rows long")
    texts = placed.join(bank.select("id", "text"), "id").join(F.broadcast(wanted), "block")
    edges = by_group(texts, "pair", edges_of, "a long, b long")
    return by_group(edges.withColumn("all", F.lit(0)), "all", buckets_of, "bucket long, id long")
