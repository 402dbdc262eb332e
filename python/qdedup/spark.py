"""The job for iterations and sweeps over a bank and logs in a data lake: qdedup-spark (doc/spark.md).

All rules are in the C++ core, and what is decided is the same as on one machine, to the byte. Of Spark only operators are used that
put all rows of a group into one task, and the core checks that it has all of them. Counts are rows, never accumulators."""

import argparse
import collections
import contextlib
import hashlib
import io
import json
import logging
import math
import os
import pathlib
import re
import signal
import sys
import unicodedata
import urllib.parse
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import numpy
import pyarrow
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from ._core import CharacterCounts, DataError, SparkJob, SparkLogMiner
from .results import LineCounts
from .spark_frames import ARROW_TYPES, by_group, by_record, lines_of, stage
from .spark_merge import decide, decide_in_bands, merge_lists
from .spark_sweep import sweep

MOST_LOG_BYTES = 2**30  # of a file: one task holds it
MOST_UNPACKED_BYTES, MOST_UNPACKED_TIMES = 2**34, 1100  # of a file that goes beyond both nothing is taken, as in logs/zstd_source.cc
MOST_LINE_BYTES = 2**24  # of JSON, as for qdedup import
PIECE = 2**20
FIRST_SLICE, LARGEST_SLICE = 2**8, 2**18
MERGES = ["one-task", "bands"]
LOSSY_SETTINGS = ["spark.sql.files.ignoreCorruptFiles", "spark.sql.files.ignoreMissingFiles"]
BANK_SUFFIXES = [".parquet", ".json", ".jsonl", ".ndjson"]
WHOLE_NUMBERS = ["tinyint", "smallint", "int", "bigint"]
BETWEEN_IMAGES = r"[ \t\r\n;\x00]"  # their names in a string
MINED = "path string, chunk binary, line string"
Path = str | os.PathLike[str]


# ---- logs ----------------------------------------------------------------------------------------------------------------


def _unpacked(content: bytes, packing: str) -> Iterator[bytes]:
    """The bytes of a file, piece by piece. Raises if a packed one is damaged or cut off."""
    if packing == "gzip":
        return _gunzipped(content)
    if packing == "zstd":
        return _pieces(pyarrow.CompressedInputStream(pyarrow.BufferReader(content), "zstd"))
    return _pieces(io.BytesIO(content))


def _pieces(stream: Any) -> Iterator[bytes]:
    while piece := stream.read(PIECE):
        yield piece


def _gunzipped(content: bytes) -> Iterator[bytes]:
    """zlib copies what it is given and does not use. So it gets slices, which begin small in each member, as there may be many."""
    packed, place = memoryview(content), 0
    while place < len(packed):
        member, size = zlib.decompressobj(wbits=31), FIRST_SLICE
        while not member.eof:
            rest: Any = member.unconsumed_tail
            if not rest:
                rest = packed[place:place + size]
                place, size = place + len(rest), min(2 * size, LARGEST_SLICE)
            piece = member.decompress(rest, PIECE)
            if not piece and not rest and not member.eof:
                raise DataError("ends within a gzip member")
            if piece:
                yield piece
        place -= len(member.unused_data)
        if not any(packed[place:]):  # padding
            return


def mine_logs(files: DataFrame, job: SparkJob) -> DataFrame:
    """Files (path, length, content), as the source binaryFile reads them -> (path, chunk, line): of each log its seed lists in
    chunks, and then what became of its lines."""
    job = job.without_past()

    def mine(rows: Iterable[Any]) -> Iterator[tuple[str, bytes | None, str | None]]:
        for uri, length, content in rows:
            path = _plain(uri)
            try:
                content = bytes(content)
                miner, checksum, unpacked = SparkLogMiner(job, content[:16]), hashlib.blake2b(digest_size=16), 0
                for piece in _unpacked(content, miner.packing):
                    checksum.update(piece)
                    unpacked += len(piece)
                    if unpacked > MOST_UNPACKED_BYTES and unpacked > MOST_UNPACKED_TIMES * length:
                        raise DataError("unpacks to more than 16 GiB, and 1,100 times its size")
                    if chunk := miner.add(piece):
                        yield path, chunk, None
                chunk, line = miner.finish(path, length, checksum.hexdigest())
                if chunk:
                    yield path, chunk, None
                yield path, None, line
            except (OSError, zlib.error, DataError, pyarrow.ArrowException) as problem:
                raise DataError(f"{path}: {problem}") from problem

    rows = files.select("path", "length", "content").rdd.mapPartitions(mine)
    return files.sparkSession.createDataFrame(rows, MINED, verifySchema=False)


def _place(spark: SparkSession, path: str) -> tuple[Any, Any]:
    """Hadoop's file system, and its name of the path."""
    context: Any = spark.sparkContext
    place = context._jvm.org.apache.hadoop.fs.Path(path)
    return place.getFileSystem(context._jsc.hadoopConfiguration()), place


def _is_hidden(name: str) -> bool:
    """Whether Spark passes it over: what jobs write beside their output, and what is not there completely."""
    return (name.startswith("_") and "=" not in name) or name.startswith(".") or name.endswith("._COPYING_")


def _files(spark: SparkSession, paths: list[str]) -> Iterator[tuple[str, int]]:
    """(path, bytes) of all files at the paths: files, folders (with all files in them) or globs. Hidden ones must not be named."""
    for path in paths:
        system, place = _place(spark, path)
        name = system.makeQualified(place).getName()
        found = system.globStatus(place)
        named = [] if name.startswith(("*", "?")) else [match.getPath().getName() for match in found or []]
        if any(map(_is_hidden, [name, *named])):
            raise DataError(f"{path}: what begins with _ or . or ends with ._COPYING_ is no log to Spark; rename it")
        if not found:
            raise DataError(f"{path}: there is no such file or folder")
        waiting = list(found)
        while waiting:
            status = waiting.pop()
            if _is_hidden(status.getPath().getName()):
                continue
            if status.isDirectory():
                waiting.extend(system.listStatus(status.getPath()))
            else:
                yield status.getPath().toString(), status.getLen()


def new_logs(spark: SparkSession, paths: list[str], job: SparkJob) -> DataFrame:
    """The log files at the paths that the plan does not know as consumed -> (path, length, content)."""
    consumed = {_plain(path): size for path, size in job.logs.items()}
    files = {path: size for path, size in _files(spark, paths) if consumed.get(_plain(path)) != size}
    for path, size in files.items():
        if size > MOST_LOG_BYTES:
            raise DataError(f"{path}: has {size:,} bytes; a log file of more than {MOST_LOG_BYTES:,} is not supported, split it")
        if any(character in path for character in "*?[]{}\\"):
            raise DataError(f"{path}: a name with one of *?[]{{}}\\ is not supported")
        if ":" in pathlib.PurePosixPath(path).name:
            raise DataError(f"{path}: a name with : is not supported, as Hadoop takes what is before it for a file system")
    if not files:
        return spark.createDataFrame([], "path string, length long, content binary")
    return spark.read.format("binaryFile").load(sorted(files))


def _plain(path: str) -> str:
    """Spark and Hadoop write the paths of local files in two ways."""
    return "file:/" + path[5:].lstrip("/") if path.startswith("file:") else path


# ---- the bank ------------------------------------------------------------------------------------------------------------


def read_bank(spark: SparkSession, place: Path, id_column: str = "id", text_column: str = "text",
              answer_column: str | None = None) -> DataFrame:
    """A folder, file or glob of Parquet or JSON lines (.json, .jsonl, packed or not), or the name of a table -> (id, text, answer, file,
    has_images)."""
    place = os.fspath(place)
    is_table = re.fullmatch(r"[^/*?\[{]+\.[^/*?\[{]+", place) and _suffix(place) not in BANK_SUFFIXES
    try:
        found = spark.table(place) if is_table else spark.read.format("binaryFile").load(place, recursiveFileLookup=True)
    except AnalysisException as problem:
        if not re.search("(PATH|TABLE_OR_VIEW)_NOT_FOUND", str(problem)):
            raise
        raise DataError(f"{place}: there is no such file, folder or table") from None
    if not is_table and _is_json(place, found.inputFiles()):
        return _json_bank(spark.read.text(place, lineSep="\n", recursiveFileLookup=True), id_column, text_column, answer_column or "answer")
    rows = found if is_table else spark.read.parquet(place, mergeSchema=True, recursiveFileLookup=True)
    for name in [id_column, text_column, *([answer_column] if answer_column else [])]:
        if name not in rows.columns:
            raise DataError(f"{place}: there is no column {name}; its columns are {', '.join(rows.columns)}")
    types = dict(rows.dtypes)
    if types[id_column] not in WHOLE_NUMBERS:
        raise DataError(f"{place}: the column {id_column} is of type {types[id_column]}; ids must be whole numbers")
    if types[text_column] != "string":
        raise DataError(f"{place}: the column {text_column} is of type {types[text_column]}; texts must be strings")
    answer = answer_column or ("answer" if "answer" in rows.columns else None)
    if answer and types[answer] not in [*WHOLE_NUMBERS, "string"]:
        raise DataError(f"{place}: the column {answer} is of type {types[answer]}; answers must be strings or whole numbers")
    columns = [_column(id_column).cast("long").alias("id"), _column(text_column).cast("string").alias("text"),
               (_column(answer) if answer else F.lit(None)).cast("string").alias("answer"), F.input_file_name().alias("file"),
               (_names_images(F.col("images"), types["images"]) if "images" in types else F.lit(False)).alias("has_images")]
    return rows.select(*columns)


def _suffix(name: str) -> str:
    """Of what is packed, or not."""
    return pathlib.PurePosixPath(re.sub(r"\.(gz|bz2|zst)$", "", name)).suffix


def _is_json(place: str, files: list[str]) -> bool:
    """Else Parquet. Where the name of a file tells neither, that of the place does."""
    by_kind = {}
    for file in sorted(map(urllib.parse.unquote, files)):
        is_json = next((suffix for suffix in map(_suffix, (file, place)) if suffix in BANK_SUFFIXES), ".parquet") != ".parquet"
        if is_json and file.endswith(".zst"):
            raise DataError(f"{file}: a bank packed with zstd is not supported, as Spark does not read it everywhere; use gzip")
        by_kind[is_json] = file
    if not by_kind:
        raise DataError(f"{place}: there is no file in it")
    if len(by_kind) == 2:
        raise DataError(f"{place}: has JSON lines ({by_kind[True]}) and Parquet ({by_kind[False]}); a bank is one or the other")
    return by_kind.popitem()[0]


def _names_images(images: Column, kind: str) -> Column:
    """Of a list, or names in a string."""
    names = F.size(images) > 0 if kind.startswith(("array", "map")) else F.regexp_replace(images.cast("string"), BETWEEN_IMAGES, "") != ""
    return F.coalesce(names, F.lit(False))


def _column(name: str) -> Column:
    """Where a dot is part of the name."""
    return F.col("`" + name.replace("`", "``") + "`")


class _Number(str):
    """A number of JSON as it is written there."""


def _number(digits: str) -> _Number:
    if math.isinf(float(digits)):
        raise ValueError(f"{digits} is too large")
    return _Number("0" if digits == "-0" else digits)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _are_images(images: Any) -> bool:
    if type(images) is str:
        return re.sub(BETWEEN_IMAGES, "", images) != ""
    names = images.values() if isinstance(images, dict) else images if isinstance(images, list) else ()
    return any(name is None or isinstance(name, str) for name in names)


def _question(line: bytes, id_column: str, text_column: str, answer_column: str) -> dict[str, Any]:
    """The question that qdedup import reads in a line of JSON, if its text is a string; else raises ValueError."""
    content = line.removeprefix(b"\xef\xbb\xbf").decode()
    fields = json.loads(content, parse_float=_number, parse_int=_number, parse_constant=_refuse_constant)
    if "\\u" in content:  # half a surrogate pair cannot be encoded
        json.dumps(json.loads(content, object_pairs_hook=list), ensure_ascii=False).encode()
    if not isinstance(fields, dict):
        raise ValueError("is no JSON object")
    digits, text, answer = fields.get(id_column), fields.get(text_column), fields.get(answer_column)
    if not isinstance(digits, str) or not re.fullmatch("0*[0-9]{1,19}", digits) or not 0 < int(digits.lstrip("0") or "0") < 2**63:
        raise ValueError(f"{id_column} is no whole number from 1 to 9223372036854775807")
    if type(text) is not str:
        raise ValueError(f"id {digits}: {text_column} is no string")
    if answer is not None and not isinstance(answer, str):
        raise ValueError(f"id {digits}: {answer_column} is neither a string nor a number")
    return {"id": int(digits.lstrip("0")), "text": text, "answer": answer if answer is None else str(answer),
            "has_images": _are_images(fields.get("images"))}


def _json_bank(lines: DataFrame, *columns: str) -> DataFrame:
    """Spark's own reader would convert values of other types, and pass over what follows an object."""

    def read(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            rows = []
            for line, file in zip(batch["line"].to_pylist(), batch["file"].to_pylist()):
                if not line.strip():
                    continue
                try:
                    if len(line) > MOST_LINE_BYTES:
                        raise ValueError("is longer than 16 MiB")
                    rows.append({**_question(line, *columns), "file": file})
                except (ValueError, RecursionError) as problem:
                    raise DataError(f"{urllib.parse.unquote(file)}: {line[:80].decode(errors='replace')}: {problem}") from None
            yield pyarrow.RecordBatch.from_pylist(rows, pyarrow.schema({name: ARROW_TYPES[kind] for name, kind in BANK.items()}))

    found = lines.select(F.col("value").cast("binary").alias("line"), F.input_file_name().alias("file"))
    return found.mapInArrow(read, ", ".join(f"{name} {kind}" for name, kind in BANK.items()))


BANK = {"id": "long", "text": "string", "answer": "string", "file": "string", "has_images": "boolean"}


def look_over(bank: DataFrame, job: SparkJob) -> CharacterCounts:
    """In how many questions each character occurs; raises DataError if an id, a text or an answer cannot be used, or an id is there
    twice. In one pass, from which ids go on by their buckets."""
    job = job.without_past()

    def look(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        characters, ids = CharacterCounts(), IdBuckets()
        for batch in batches:
            try:
                characters.merge(job.characters(*batch.columns))
            except DataError as problem:
                without_row = re.sub(r"\[\d+\]", "", str(problem), count=1)  # of a batch, which says nothing to people
                yield _seen(id=[batch["id"][_row_of(str(problem))].as_py()], problem=[without_row])
                return
            if buckets := ids.add(batch["id"]):
                yield _seen(bucket=list(buckets), ids=list(buckets.values()))
        rest, counts = ids.take(), characters.__getstate__()
        yield _seen(bucket=list(rest), ids=list(rest.values()))
        yield _seen(character=list(counts), texts=list(counts.values()))

    seen = bank.select("id", "text", "answer").mapInArrow(look, ", ".join(f"{name} {kind}" for name, kind in SEEN.items())).persist()
    try:
        for row in seen.where("problem IS NOT NULL").orderBy("id").take(1):
            raise DataError(f"{' or '.join(_files_with(bank, row['id']))}: id {row['id']}: {row['problem']}")
        buckets = seen.where("ids IS NOT NULL").select("bucket", "ids")
        for row in by_group(buckets, "bucket", repeated, "id long").orderBy("id").take(1):
            files = _files_with(bank, row["id"])
            where = f"twice in {files[0]}" if len(files) == 1 else f"in {' and in '.join(files)}"
            raise DataError(f"id {row['id']} is there {where}: each question must have an id of its own")
        counts = seen.where("character IS NOT NULL").groupBy("character").agg(F.sum("texts").alias("texts")).collect()
    finally:
        seen.unpersist()
    characters = CharacterCounts.__new__(CharacterCounts)
    characters.__setstate__({row["character"]: row["texts"] for row in counts})
    return characters


SEEN = {"id": "long", "problem": "string", "bucket": "long", "ids": "binary", "character": "string", "texts": "long"}


def _seen(**columns: list[Any]) -> pyarrow.RecordBatch:
    """Rows of SEEN, with null where nothing is given."""
    [size] = {len(values) for values in columns.values()}
    return pyarrow.record_batch({name: pyarrow.array(columns.get(name, [None] * size), ARROW_TYPES[kind]) for name, kind in SEEN.items()})


class IdBuckets:
    """Ids, 8 bytes each, in 256 buckets by their hash."""

    MOST = 2**20  # ids that wait

    def __init__(self) -> None:
        self.ids: list[Any] = []
        self.size = 0

    def add(self, ids: pyarrow.Array) -> dict[int, bytes]:
        """Returns the buckets once there are many ids; else none."""
        self.ids.append(ids.to_numpy().copy())  # or the texts of the batch would wait, too
        self.size += len(ids)
        return self.take() if self.size >= self.MOST else {}

    def take(self) -> dict[int, bytes]:
        ids = numpy.concatenate([numpy.empty(0, numpy.int64), *self.ids])
        self.ids, self.size = [], 0
        buckets = ((ids.astype(numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)) >> numpy.uint64(56)).astype(numpy.uint8)
        order = numpy.argsort(buckets, kind="stable")
        ends = numpy.cumsum(numpy.bincount(buckets, minlength=256))[:-1]
        return {bucket: part.tobytes() for bucket, part in enumerate(numpy.split(ids[order], ends)) if len(part)}


def repeated(table: pyarrow.Table) -> pyarrow.Table:
    """The smallest id that is more than once in a bucket, if any."""
    ids = numpy.sort(numpy.frombuffer(b"".join(table["ids"].to_pylist()), numpy.int64))
    return pyarrow.table({"id": pyarrow.array(ids[1:][ids[1:] == ids[:-1]][:1])})


def _row_of(problem: str) -> int:
    """The row that `problem` names as ids[7], texts[7] or answers[7]."""
    return int(problem.split("[", 1)[1].split("]", 1)[0]) if "[" in problem else 0


def _files_with(bank: DataFrame, question: int | None) -> list[str]:
    """The first and the last file that has a row with this id; a single one if they are the same."""
    [ends] = bank.where(F.col("id").eqNullSafe(F.lit(question))).agg(F.min("file"), F.max("file")).collect()
    return sorted({urllib.parse.unquote(file) or "the bank" for file in ends})


def hashes_of(bank: DataFrame, ids: list[int], job: SparkJob) -> list[Any]:
    """(id, hash, mark) of those questions that are in the bank: of what is compared, and of all that people see."""
    if not ids:
        return []
    job = job.without_past()
    return by_record(_with_ids(bank, ids).select("id", "text", "answer"), lambda *of: job.hashes(*of), "id long, hash long, mark long").collect()


def _with_ids(bank: DataFrame, ids: list[int]) -> DataFrame:
    return bank.join(F.broadcast(bank.sparkSession.createDataFrame([(number,) for number in ids], "id long")), "id")


# ---- the run -------------------------------------------------------------------------------------------------------------


def run(spark: SparkSession, plan: bytes, bank: DataFrame, logs: Path | Iterable[Path], output: Path, merge: str = "one-task") -> LineCounts:
    """Decides what logs name: `plan` is what `qdedup spark plan` wrote, `bank` as read_bank() gives it, `logs` one path or several, and
    `output` a folder that does not exist yet, for `qdedup spark commit`. `merge` is "one-task" or "bands". Returns what became of the
    lines. Raises DataError if anything is wrong with the data."""
    if merge not in MERGES:
        raise ValueError(f"merge: {merge} is none of {', '.join(MERGES)}")
    paths = [os.fspath(path) for path in ([logs] if isinstance(logs, (str, os.PathLike)) else logs)]

    def decided(job: SparkJob, questions: DataFrame, cached: list[DataFrame]) -> DataFrame:
        stage(spark, "mine the logs and merge their lists")
        mined = mine_logs(new_logs(spark, paths, job), job)
        if merge == "bands":
            cached.append(mined.persist())
            return decide_in_bands(mined, questions, job, _between(output))
        merged = merge_lists(mined, job)
        cached.append(merged.persist())
        merged.count()
        stage(spark, "decide the clusters")
        return merged.where("line IS NOT NULL").select(F.col("line").alias("value")).union(decide(merged, questions, job))

    _run(spark, plan, bank, output, decided, is_sweep=False)
    drafted = [json.loads(row["value"]) for row in spark.read.text(os.fspath(output)).where(F.col("value").startswith('{"log":')).collect()]
    lines, selected, unselected = (sum(log[name] for log in drafted) for name in ("lines", "selected", "unselected"))
    rejected: collections.Counter[str] = sum((collections.Counter(log["rejected"]) for log in drafted), collections.Counter())
    return LineCounts(lines, selected, unselected, dict(rejected))


def run_sweep(spark: SparkSession, plan: bytes, bank: DataFrame, output: Path) -> None:
    """Decides the whole bank, without logs; else as run()."""
    _run(spark, plan, bank, output, sweep, is_sweep=True)


def _between(output: Path) -> str:
    return os.fspath(output).rstrip("/") + ".bands"


def _run(spark: SparkSession, plan: bytes, bank: DataFrame, output: Path,
         decided: Callable[[SparkJob, DataFrame, list[DataFrame]], DataFrame], is_sweep: bool) -> None:
    """Writes the lines that `decided` makes of the bank (id, text, answer), which caches what it lists, and the head."""
    cached: list[DataFrame] = []
    output = os.fspath(output)
    try:
        job = _begin(spark, plan, bank, output)
        lines = decided(job, bank.select("id", "text", "answer"), cached)
        lines.union(lines_of(spark, job.head_lines(is_sweep))).write.text(output, compression="gzip")
    except (PySparkException, Py4JJavaError) as problem:  # of a task: Spark passes on its traceback
        found = re.findall(r"DataError: (.*)", str(problem))
        if not found:
            raise
        raise DataError(found[-1]) from None
    finally:
        for rows in cached:
            rows.unpersist()
    system, place = _place(spark, _between(output))
    system.delete(place, True)


def _begin(spark: SparkSession, plan: bytes, bank: DataFrame, output: str) -> SparkJob:
    """The job, which knows the bank."""
    encoding = spark.sparkContext._jvm.java.lang.System.getProperty("sun.jnu.encoding")  # type: ignore[union-attr]
    if encoding != "UTF-8":
        raise DataError(f"Java reads names of files as {encoding} here, so files with other names would be left out without a word: "
                        "set LC_ALL=C.UTF-8 where Spark is started")
    for setting in LOSSY_SETTINGS:
        if spark.conf.get(setting, "false").lower() == "true":  # type: ignore[union-attr]
            raise DataError(f"the setting {setting} is not supported: questions and logs would be left out without a word")
    for path in output, _between(output):
        system, place = _place(spark, path)
        if system.exists(place):
            raise DataError(f"{path}: is there already; name a folder that is not")
    job = SparkJob(plan, uuid.uuid4().hex)
    if not bank.where("has_images").isEmpty():
        raise DataError("hashes of figures (images) in the bank are not supported on Spark; leave out that column")
    stage(spark, "look over the bank")
    characters = look_over(bank, job)
    if characters.texts == 0:
        raise DataError("the bank is empty")
    stage(spark, "look up the questions of earlier deletions")
    present = hashes_of(bank, job.listed_ids, job)
    job.know({row["id"]: row["hash"] % 2**64 for row in present}, characters)
    unknown = job.unknown_ids({row["id"]: row["mark"] % 2**64 for row in present})
    for row in _with_ids(bank, unknown).collect() if unknown else []:
        job.know_question(row["id"], row["text"], row["answer"])
    return job


def _escaped(text: str) -> str:
    """As one line for people: control and format characters, and bytes that are not UTF-8, become \\n, \\x1b and the like."""

    def escape(character: str) -> str:
        if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            return character
        return "\\n" if character == "\n" else "".join(f"\\x{byte:02x}" for byte in character.encode(errors="surrogateescape"))

    return "".join(map(escape, text))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: {_escaped(message)}\n")


def main() -> int:
    parser = _Parser(prog="qdedup-spark", description="Decides an iteration over a bank in a data lake.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    from_logs = commands.add_parser("run", help="decide what the logs name")
    from_logs.add_argument("--logs", required=True, nargs="+", metavar="PATH", help="log files, folders or globs: plain, gzip, zstd")
    from_logs.add_argument("--merge", choices=MERGES, default="one-task",
                           help="bands: for more ids than one task can hold (doc/spark.md)")
    for command in from_logs, commands.add_parser("sweep", help="find all duplicates of the bank, without logs"):
        command.add_argument("plan", metavar="DIR", help="the folder of the plan that `qdedup spark plan` wrote")
        command.add_argument("--bank", required=True, metavar="PATH", help="Parquet, JSON lines (.json, .jsonl), or a table db.name")
        command.add_argument("--output", required=True, metavar="OUT", help="a folder that does not exist yet")
        command.add_argument("--master", help="where Spark runs; without it as spark-submit says")
        command.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark")
        command.add_argument("--id-column", default="id", help="the column, or key, of the id (default: id)")
        command.add_argument("--text-column", default="text", help="the column, or key, of the text (default: text)")
        command.add_argument("--answer-column", help="the column, or key, of the answer (default: answer, if there is one)")
    parser.set_defaults(logs=None)
    options = parser.parse_args()
    for setting in options.conf:
        if "=" not in setting:
            parser.error(f"--conf {setting}: is no KEY=VALUE")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ["LC_ALL"] = "C.UTF-8"  # else Java finds no files with names in Chinese where there is another locale
    builder = SparkSession.builder.appName("qdedup").config("spark.executorEnv.LC_ALL", "C.UTF-8")
    if options.master:
        builder = builder.master(options.master)
    for setting in options.conf:
        builder = builder.config(*setting.split("=", 1))
    try:
        plan = (pathlib.Path(options.plan) / "plan.jsonl").read_bytes()
    except OSError as problem:
        print(_escaped(f"qdedup-spark: {problem.filename}: {problem.strerror}"), file=sys.stderr)
        return 66
    logging.disable()  # Py4J logs what it raises
    spark, counts = None, None
    try:
        spark = builder.getOrCreate()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # that of Spark calls Java amid another call
        bank = read_bank(spark, options.bank, options.id_column, options.text_column, options.answer_column)
        if options.logs:
            counts = run(spark, plan, bank, options.logs, options.output, options.merge)
        else:
            run_sweep(spark, plan, bank, options.output)
    except DataError as problem:
        print(_escaped(f"qdedup-spark: {problem}"), file=sys.stderr)
        return 65
    except KeyboardInterrupt:
        if spark:
            with contextlib.suppress(Py4JError, ConnectionError):
                spark.sparkContext.setLogLevel("OFF")
                spark.sparkContext.cancelAllJobs()
        print("qdedup-spark: interrupted: run it again, into a new folder", file=sys.stderr)
        return 130
    except (PySparkException, Py4JError, ConnectionError) as problem:
        reasons = re.findall(r"\[[A-Z_.]+\] .*", str(problem)) or re.findall(r"^(?:: )?(\S.*)", str(problem), re.MULTILINE) or [type(problem).__name__]
        print(_escaped(f"qdedup-spark: Spark failed: {reasons[-1]}"), file=sys.stderr)
        return 74
    finally:
        if spark:
            with contextlib.suppress(Py4JError, ConnectionError):  # Java may have ended
                spark.stop()
    if counts:
        print(f"mine      {counts.lines:,} lines: {counts.selected:,} selected, {counts.unselected:,} unselected, "
              f"{sum(counts.rejected.values()):,} rejected")
        for reason, lines in sorted(counts.rejected.items()):
            print(f"          rejected {lines:,}: {reason}")
    print(_escaped(f"draft     {options.output}; now: qdedup spark commit {options.output}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
