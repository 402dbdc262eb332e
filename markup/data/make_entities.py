#!/usr/bin/env python3
"""Writes entities.txt: the named character references of the HTML standard, from Python's copy of its table."""

import html.entities
import pathlib

HEADER = """# Named character references: name, and the code points it stands for, in hexadecimal. A name without semicolon is one that old pages use.
# Source: HTML Living Standard, 13.5 "Named character references" (html.entities of Python 3). Made by make_entities.py.
"""


def lines():
    for name, text in sorted(html.entities.html5.items()):
        yield " ".join([name, *(f"{ord(character):X}" for character in text)])


pathlib.Path(__file__).with_name("entities.txt").write_text(HEADER + "\n".join(lines()) + "\n", encoding="utf-8")
