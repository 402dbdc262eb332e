"""doc/operations.md explains every metric, and names no other."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "daemon/metrics.cc"


def exported():
    """The names that the daemon gives its metrics."""
    source = SOURCE.read_text(encoding="utf-8")
    names = {f"qdedup_{name}" for name in re.findall(r'page\s*\.(?:gauge|counter)\(\s*"(\w+)"', source)}
    return names | {f"qdedup_last_iteration_{name}" for name in re.findall(r'[^.]\bgauge\("(\w+)"', source)}


def documented():
    page = (ROOT / "doc/operations.md").read_text(encoding="utf-8")
    return set(re.findall(r"\bqdedup_[a-z]\w*", page))


class MetricsDocumented(unittest.TestCase):
    def test_every_metric_is_explained(self):
        self.assertGreater(len(exported()), 10)
        self.assertEqual(exported() - documented(), set())

    def test_no_other_is_named(self):
        self.assertEqual(documented() - exported(), set())


if __name__ == "__main__":
    if not SOURCE.exists():
        print("skipped: there is no daemon/metrics.cc")
        sys.exit(77)
    unittest.main()
