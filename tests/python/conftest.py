"""What the tests share. QDEDUP names the program that results are compared with; QDEDUP_FULL=1 has what takes long, too."""

import json
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FULL = os.environ.get("QDEDUP_FULL") == "1"
CONFORMANCE_DATA = pathlib.Path(os.environ.get("QDEDUP_CONFORMANCE_DATA", ROOT.parent / "shared/data/dev"))
SPARK_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.codegen.cache.maxEntries": "2000",  # what was compiled for one test is there for the next
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # jobs of seconds take half as long again without
}
# For the sessions of the tests alone: clusters, and commands, start as those of users do.
OWN_DAEMON = {"spark.python.daemon.module": "spark_daemon", "spark.executorEnv.PYTHONPATH": str(pathlib.Path(__file__).parent)}


def cases(always, full):
    """The rows of a test's table."""
    return [*always, *(full if FULL else [])]


@pytest.fixture(scope="session")
def program():
    """The program that was built."""
    return os.environ.get("QDEDUP", str(ROOT / "build/release/bin/qdedup"))


@pytest.fixture(scope="session")
def dev():
    """The folder of a real bank with its expected lists."""
    if not CONFORMANCE_DATA.is_dir():
        pytest.skip(f"{CONFORMANCE_DATA} is not there")
    return CONFORMANCE_DATA


@pytest.fixture(scope="session")
def dev_texts(dev):
    return read_bank(dev / "bank.jsonl")


@pytest.fixture(scope="session")
def sample_texts():
    return read_bank(ROOT / "examples/bank.jsonl")


@pytest.fixture(scope="session")
def sample_answers():
    return list(read_bank(ROOT / "examples/bank.jsonl", "answer").values())


def read_bank(path, field="text"):
    with open(path, encoding="utf-8") as lines:
        return {row["id"]: row.get(field) for row in map(json.loads, lines)}
