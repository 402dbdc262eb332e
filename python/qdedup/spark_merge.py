"""Clusters: the lists of all logs are merged, by one task or in bands, and decided."""

import struct
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import pyarrow
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from ._core import SparkBuckets, SparkJob
from .spark_frames import by_group, draft_lines, lines_of, numbered_buckets, stage, table_of, with_texts

MERGED = "bucket long, cluster long, id long, line string"


def _write_chunk(spill: BinaryIO, path: str, chunk: bytes) -> None:
    name = path.encode()
    spill.write(struct.pack("<II", len(name), len(chunk)) + name + chunk)


def _read_chunks(spill: BinaryIO) -> Iterator[tuple[str, bytes]]:
    spill.seek(0)
    while lengths := spill.read(8):
        name, chunk = struct.unpack("<II", lengths)
        yield spill.read(name).decode(), spill.read(chunk)


def merge_lists(mined: DataFrame, job: SparkJob, ids_per_bucket: int = 20_000, memory: int = 2**30) -> DataFrame:
    """(path, chunk, line) of mine_logs -> (bucket, cluster, id, line): all clusters in buckets that can be decided by themselves,
    or a line of the draft. One task, which takes about `memory` bytes and 28 for each distinct id; the lists wait on its disk."""

    def merge(rows: Iterable[Any]) -> Iterator[tuple[int | None, int | None, int | None, str | None]]:
        with tempfile.TemporaryFile() as spill:
            lines = []
            for path, chunk, line in rows:
                if line is None:
                    _write_chunk(spill, path, bytes(chunk))
                else:
                    lines.append(line)
            taken = set(job.paths_to_take(lines))
            buckets = SparkBuckets(job, lambda: (chunk for path, chunk in _read_chunks(spill) if path in taken), lines,
                                   ids_per_bucket, memory)
            while (bucket := buckets.next()) is not None:
                for row in zip(*(column.to_pylist() for column in table_of(bucket).columns)):
                    yield *row, None
            for line in buckets.lines():
                yield None, None, None, line

    rows = mined.rdd.coalesce(1, shuffle=True).mapPartitions(merge)
    return mined.sparkSession.createDataFrame(rows, MERGED, verifySchema=False)


def decide(merged: DataFrame, bank: DataFrame, job: SparkJob) -> DataFrame:
    """(bucket, cluster, id, line) of merge_lists and the bank (id, text, answer) -> (value): the other lines of the draft."""

    def decide_bucket(table: pyarrow.Table) -> list[str]:
        return job.decide(table["bucket"][0].as_py(), *(table[name] for name in ("cluster", "id", "text", "answer")))

    members = merged.where("line IS NULL").select("bucket", "cluster", "id")
    return draft_lines(with_texts(members, bank, members.count()), "bucket", decide_bucket)


# ---- in bands ------------------------------------------------------------------------------------------------------------


def decide_in_bands(mined: DataFrame, bank: DataFrame, job: SparkJob, place: str, lists_per_band: int = 1_000_000,
                    ids_per_bucket: int = 20_000) -> DataFrame:
    """(path, chunk, line) of mine_logs and the bank (id, text, answer) -> (value): the lines of the draft but for the head. Merges the
    lists in bands of that many, in canonical order, one task a band, which knows the clusters so far that its lists name. `place` is
    a folder for intermediate files; it must not exist yet, and the caller removes it."""
    spark = mined.sparkSession
    logs = [row["line"] for row in mined.where("line IS NOT NULL").select("line").collect()]
    taken = spark.createDataFrame([(path,) for path in job.paths_to_take(logs)], "path string")
    chunks = mined.where("chunk IS NOT NULL").join(F.broadcast(taken), "path").select("chunk")
    distinct = chunks.mapInArrow(_decoded, "top_score double, ids array<long>").groupBy("ids").agg(F.max("top_score").alias("top_score"))
    stage(spark, "order the lists")
    distinct.write.parquet(f"{place}/distinct")
    distinct = spark.read.parquet(f"{place}/distinct")
    number_of_lists = distinct.count()
    order = [F.desc("top_score"), F.asc("ids")]
    bands = max(number_of_lists // lists_per_band, 1)
    (distinct.repartitionByRange(bands, *order).sortWithinPartitions(*order)
     .select(F.monotonically_increasing_id().alias("list"), "ids").write.parquet(f"{place}/ordered"))
    ordered = spark.read.parquet(f"{place}/ordered").withColumn("band", F.shiftrightunsigned("list", 33))
    pairs = ordered.select("band", "list", F.col("ids")[0].alias("a"), F.posexplode("ids").alias("position", "b")).where("position > 0")
    clusters = spark.createDataFrame([], "id long, cluster long, size long")
    stage(spark, "merge the lists in bands")
    for row in pairs.select("band").distinct().orderBy("band").collect():
        number = row["band"]
        joins = _named(pairs.where(F.col("band") == number), clusters).where("a_cluster != b_cluster")
        _grown(joins, job).write.parquet(f"{place}/grown-{number}")
        _after(clusters, spark.read.parquet(f"{place}/grown-{number}")).write.parquet(f"{place}/clusters-{number}")
        clusters = spark.read.parquet(f"{place}/clusters-{number}")
    refused = _named(pairs, clusters).where("a_cluster != b_cluster").count()
    single = ordered.select(F.explode("ids").alias("id")).distinct().join(clusters, "id", "left_anti")
    clusters.unionByName(_each_alone(single)).write.parquet(f"{place}/clusters")
    clusters = spark.read.parquet(f"{place}/clusters")
    sizes = {row["size"]: row["members"] // row["size"] for row in
             clusters.groupBy("size").agg(F.count("*").alias("members")).collect()}
    listed = spark.createDataFrame([(number,) for number in job.listed_ids], "id long")
    concerned = clusters.join(F.broadcast(listed), "id").select("cluster").distinct()
    dependent, number_of_dependent = _dependent_buckets(clusters.join(concerned, "cluster"), logs, job, ids_per_bucket)
    independent = clusters.join(concerned, "cluster", "left_anti")
    rows = independent.count()
    buckets = max(rows // ids_per_bucket, 1)
    members, number_of_members = numbered_buckets(
        independent.select(F.expr(f"pmod(xxhash64(cluster), {buckets})").alias("bucket"), "cluster", "id"), number_of_dependent + 1)
    lines, inputs = job.band_lines(logs, number_of_lists, refused, sizes, number_of_dependent + number_of_members), job.inputs(logs)
    stage(spark, "decide the clusters")

    def decide_bucket(table: pyarrow.Table) -> list[str]:
        number, of_bucket = (table[name][0].as_py() for name in ("number", "rows"))
        return job.decide_clusters(number, of_bucket, inputs, *(table[name] for name in ("cluster", "id", "text", "answer")))

    decided = draft_lines(with_texts(members, bank, rows), "number", decide_bucket)
    return lines_of(spark, lines).union(decide(dependent, bank, job)).union(decided)


def _decoded(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    schema = pyarrow.schema([("top_score", pyarrow.float64()), ("ids", pyarrow.list_(pyarrow.int64()))])  # Spark takes no large lists
    for batch in batches:
        for chunk in batch["chunk"]:
            yield from table_of(SparkJob.decoded_lists(chunk.as_py())).cast(schema).to_batches()


def _named(pairs: DataFrame, clusters: DataFrame) -> DataFrame:
    """Pairs (a, b) with the clusters that they are in. `clusters` (id, cluster, size) has those of several ids; any other id is one."""
    for end in "a", "b":
        of_end = clusters.select(F.col("id").alias(end), F.col("cluster").alias(f"{end}_cluster"), F.col("size").alias(f"{end}_size"))
        pairs = pairs.join(of_end, end, "left").withColumns({f"{end}_cluster": F.coalesce(f"{end}_cluster", end),
                                                            f"{end}_size": F.coalesce(f"{end}_size", F.lit(1).cast("long"))})
    return pairs


def _grown(joins: DataFrame, job: SparkJob) -> DataFrame:
    """The clusters that grow in a band -> (was, is, size), decided by one task."""

    def grown(table: pyarrow.Table) -> pyarrow.Table:
        return table_of(job.merge_band(*(table[name] for name in ("list", "position", "a_cluster", "b_cluster", "a_size", "b_size"))))

    counted = joins.select((F.col("list") + 1).alias("list"), F.col("position").cast("long").alias("position"), "a_cluster", "b_cluster",
                           "a_size", "b_size", F.lit(0).alias("all"))
    return by_group(counted, "all", grown, "was long, is long, size long")


def _after(clusters: DataFrame, grown: DataFrame) -> DataFrame:
    """The clusters (id, cluster, size) after a band, of those ids that are in one of several."""
    fresh = _each_alone(grown.select(F.col("was").alias("id")))
    now = grown.select(F.col("was").alias("cluster"), "is", F.col("size").alias("now"))
    known = clusters.unionByName(fresh.join(clusters, "id", "left_anti")).join(now, "cluster", "left")
    return known.select("id", F.coalesce("is", "cluster").alias("cluster"), F.coalesce("now", "size").alias("size"))


def _each_alone(ids: DataFrame) -> DataFrame:
    """(id) -> (id, cluster, size), each a cluster of its own."""
    return ids.select("id", F.col("id").alias("cluster"), F.lit(1).cast("long").alias("size"))


def _dependent_buckets(clusters: DataFrame, logs: list[str], job: SparkJob, ids_per_bucket: int) -> tuple[DataFrame, int]:
    """Clusters that name a listed question, and the reopened ones -> (bucket, cluster, id, line) as of merge_lists, and the number of
    buckets. The driver holds them."""
    spark = clusters.sparkSession
    found = clusters.groupBy("cluster").agg(F.sort_array(F.collect_list("id")).alias("ids")).collect()
    buckets, rows, count = SparkBuckets(job, sorted(row["ids"] for row in found), logs, ids_per_bucket), [], 0
    while (bucket := buckets.next()) is not None:
        count += 1
        rows += zip(*(column.to_pylist() for column in table_of(bucket).columns))
    return spark.createDataFrame([(*row, None) for row in rows], MERGED), count
