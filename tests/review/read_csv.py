"""Prints the rows of a CSV file, which begins with a byte-order mark, as JSON: a list of lists of strings."""

import csv
import json
import sys

with open(sys.argv[1], "rb") as file:
    assert file.read(3) == b"\xef\xbb\xbf"
with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    json.dump(list(csv.reader(file, strict=True)), sys.stdout)
