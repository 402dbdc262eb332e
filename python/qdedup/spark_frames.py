"""What the parts of the job on Spark share."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F


ARROW_TYPES = {"long": pyarrow.int64(), "string": pyarrow.string(), "binary": pyarrow.binary(), "boolean": pyarrow.bool_()}
FEW = 500_000  # ids that are copied to all executors


def table_of(column: Any) -> pyarrow.Table:
    return pyarrow.Table.from_struct_array(pyarrow.array(column))


def stage(spark: SparkSession, description: str) -> None:
    spark.sparkContext.setJobDescription(f"qdedup: {description}")


def lines_of(spark: SparkSession, lines: list[str]) -> DataFrame:
    return spark.createDataFrame([(line,) for line in lines], "value string")


def by_record(rows: DataFrame, function: Any, schema: str) -> DataFrame:
    """The records that `function` makes of the columns of each batch."""

    def each(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield pyarrow.RecordBatch.from_struct_array(pyarrow.array(function(*batch.columns)))

    return rows.mapInArrow(each, schema)


def by_group(rows: DataFrame, key: str, function: Any, schema: str) -> DataFrame:
    """What `function` makes of the table of each group. Spark puts all rows of a group into one task for these operators, whatever
    adaptive execution does."""
    groups = rows.groupBy(key)
    if hasattr(groups, "applyInArrow"):
        return groups.applyInArrow(lambda table: function(table.combine_chunks()), schema)
    types = pyarrow.schema([(name, ARROW_TYPES.get(kind, pyarrow.int64())) for name, kind in rows.dtypes])

    def in_pandas(frame: Any) -> Any:
        return function(pyarrow.Table.from_pandas(frame, types, preserve_index=False).combine_chunks()).to_pandas()

    return groups.applyInPandas(in_pandas, schema)


def draft_lines(rows: DataFrame, key: str, function: Any) -> DataFrame:
    """The lines of the draft that `function` makes of the table of each group -> (value)."""
    return by_group(rows, key, lambda table: pyarrow.table({"value": pyarrow.array(function(table), pyarrow.string())}), "value string")


def with_texts(members: DataFrame, bank: DataFrame, rows: int) -> DataFrame:
    """So many rows with a column `id`, with text and answer where the bank (id, text, answer) has the question. Where they are few, Spark
    takes these questions out of the bank before it moves any text."""
    if rows <= FEW:
        bank = bank.join(F.broadcast(members.select("id").distinct()), "id", "left_semi")
    return members.join(bank, "id", "left")


def numbered_buckets(members: DataFrame, first: int) -> tuple[DataFrame, int]:
    """Rows with a column `bucket` -> the same with columns `number`, from `first` on without a gap, and `rows`, the number of rows
    in the bucket; and how many buckets there are."""
    found = members.groupBy("bucket").agg(F.count("*").alias("rows")).orderBy("bucket").collect()
    numbers = members.sparkSession.createDataFrame([(row["bucket"], first + place, row["rows"]) for place, row in enumerate(found)],
                                                   "bucket long, number long, rows long")
    return members.join(F.broadcast(numbers), "bucket").drop("bucket"), len(found)
