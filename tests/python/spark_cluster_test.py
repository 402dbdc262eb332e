"""qdedup.spark on a cluster of two workers, whose executors are killed while it works."""

import contextlib
import functools
import os
import pathlib
import random
import signal
import threading

import pytest

from conftest import FULL, SPARK_SETTINGS
from spark_test import Lake, SparkSession, job, put_sample

KILLS = int(os.environ.get("QDEDUP_EXECUTOR_KILLS", "4" if FULL else "2"))


@pytest.fixture(scope="module")
def cluster():
    session = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("qdedup cluster tests").config(map=SPARK_SETTINGS)
               .config("spark.task.maxFailures", "20").config("spark.stage.maxConsecutiveAttempts", "20")
               .config("spark.executor.extraJavaOptions", SPARK_SETTINGS["spark.driver.extraJavaOptions"]).getOrCreate())
    yield session
    session.stop()


def executors(session):
    """The process numbers of its executors."""
    found = []
    for place in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in words and session.sparkContext.applicationId.encode() in words:
            found.append(int(place.parent.name))
    return found


class Killer(threading.Thread):
    """Kills an executor at a random moment of the next seconds, if the job still runs then."""

    def __init__(self, session, seed):
        super().__init__()
        self.session, self.dice, self.is_over, self.killed = session, random.Random(seed), threading.Event(), 0
        self.start()

    def run(self):
        if self.is_over.wait(self.dice.uniform(0, 6)):
            return
        victims = executors(self.session)
        if victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.dice.choice(victims), signal.SIGKILL)
                self.killed = 1

    def end(self):
        self.is_over.set()
        self.join()
        return self.killed


def test_executors_may_be_killed(cluster, program, tmp_path, monkeypatch):
    monkeypatch.setattr(job, "sweep", functools.partial(job.sweep, ids_per_bucket=30, questions_per_block=20))
    killed, seed = 0, 0
    while killed < KILLS:
        place = tmp_path / str(seed)
        place.mkdir()
        lake = Lake(cluster, program, place)
        put_sample(lake)
        killer = Killer(cluster, seed)
        lake.merge = "bands" if seed % 4 == 0 else "one-task"
        if seed % 2:
            lake.sweep()
        else:
            lake.iterate()
        killed += killer.end()
        lake.expect_same()
        assert lake.lake.tables()["deletion"]
        seed += 1
