"""Finds duplicate questions: what the program qdedup does, on Python objects and Arrow data.

All rules are in the C++ core, which the program uses too, so results are the same. Functions are deterministic and
release the GIL. Wrong data raises DataError, a ValueError that names the place; wrong settings raise ValueError."""

from ._core import (CharacterCounts, Column, DataError, __version__, contrast, explain, is_duplicate, merge, mine, parts, plain,
                    refine, rules, sweep)
from .results import Contrast, Explanation, Finding, LineCounts, MergeCounts, Merged, Mined, Parts, Refined

__all__ = ["CharacterCounts", "Column", "Contrast", "DataError", "Explanation", "Finding", "LineCounts", "MergeCounts", "Merged",
           "Mined", "Parts", "Refined", "__version__", "contrast", "explain", "is_duplicate", "merge", "mine", "parts", "plain",
           "refine", "rules", "sweep"]
