"""What Spark forks its workers from (spark.python.daemon.module), without archives on the path: of each, Python reads the whole list of
files again for every task, which takes three times as long as the task."""

import sys

sys.path[:] = [place for place in sys.path if not place.endswith((".zip", ".jar"))]
sys.path_importer_cache.clear()

from pyspark.daemon import manager  # noqa: E402

if __name__ == "__main__":
    manager()
