"""Prints the rows of an XLSX workbook with texts within the cells as JSON: lists of the sheet's number, the row's, and the cells."""

import json
import re
import sys
import zipfile
from xml.etree import ElementTree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def text_of(cell):
    value = cell.findtext(f"{MAIN}v")
    runs = [run.text or "" for run in cell.iter(f"{MAIN}t")]
    unescape = lambda run: re.sub("_x([0-9A-Fa-f]{4})_", lambda code: chr(int(code[1], 16)), run)  # noqa: E731
    return value if value is not None else "".join(map(unescape, runs))


rows = []
with zipfile.ZipFile(sys.argv[1]) as parts:
    assert parts.testzip() is None
    sheets = [name for name in parts.namelist() if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name)]
    for number in range(1, len(sheets) + 1):
        for row in ElementTree.fromstring(parts.read(f"xl/worksheets/sheet{number}.xml")).iter(f"{MAIN}row"):
            rows.append([number, int(row.get("r")), *(text_of(cell) for cell in row)])
json.dump(rows, sys.stdout)
