"""The highest risks that the page offers are those by which deletions are tallied, or it would wait for its counts."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def numbers_in(path, pattern):
    return re.findall(r"[\d.']+", re.search(pattern, (ROOT / path).read_text(encoding="utf-8"))[1])


class TalliedRisks(unittest.TestCase):
    def test_are_those_of_the_page(self):
        tallied = {int(number.replace("'", "")) for number in numbers_in("db/deletion_tallies.h", r"tallied_risks = \{(.*?)\};")}
        offered = {round(float(number) * 10_000) for number in numbers_in("web/facets.js", r"const RISKS = \[(.*?)\];")}
        self.assertGreater(len(offered), 3)
        self.assertEqual(offered - tallied, set())


if __name__ == "__main__":
    unittest.main()
