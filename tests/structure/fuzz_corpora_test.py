"""Each fuzz target has a small corpus to start from, in tests/fuzz/corpus, and each corpus a target."""

import pathlib
import re
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
CORPORA = TESTS / "fuzz/corpus"
MOST_FILES = 100
MOST_BYTES = 1_000_000


class FuzzCorpora(unittest.TestCase):
    def test_each_target_has_one(self):
        targets = {name for file in TESTS.glob("*/CMakeLists.txt")
                   for name in re.findall(r"qdedup_fuzz\((\w+)", file.read_text(encoding="utf-8"))}
        self.assertGreater(len(targets), 10)
        self.assertEqual({folder.name for folder in CORPORA.iterdir()}, targets)

    def test_they_are_small(self):
        for folder in CORPORA.iterdir():
            with self.subTest(folder=folder.name):
                self.assertIn(len(list(folder.iterdir())), range(1, MOST_FILES + 1))
        self.assertLess(sum(file.stat().st_size for file in CORPORA.glob("*/*")), MOST_BYTES)


if __name__ == "__main__":
    unittest.main()
