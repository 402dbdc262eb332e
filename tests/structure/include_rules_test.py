"""Each folder includes only what the design lets it include (doc/design.md, "Folders")."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

MAY_INCLUDE = {
    "base": set(),
    "miner": {"base"},
    "refine": {"base"},
    "markup": {"base", "refine"},
    "finder": {"base", "refine"},
    "engine": {"base", "finder", "miner", "refine"},
    "db": {"base", "markup", "refine"},
    "logs": {"base"},
    "spark": {"base", "engine", "finder", "markup", "miner", "refine"},
    "schedule": {"base"},
    "config": {"base", "markup", "miner", "refine", "schedule"},
    "import": {"base", "db", "logs", "markup", "refine"},
    "iteration": {"base", "config", "db", "engine", "finder", "import", "logs", "markup", "miner", "refine",
                  "spark"},
    "review": {"base", "db", "import", "logs", "markup", "refine", "web"},
    "web": {"base"},
    "page": {"base", "db", "import", "iteration", "markup", "miner", "refine", "review"},
    "cli": {"base", "config", "db", "finder", "import", "iteration", "logs", "markup", "miner", "page",
            "refine", "review", "spark"},
    "daemon": {"base", "config", "db", "engine", "finder", "import", "iteration", "logs", "miner", "page", "refine",
               "review", "schedule", "web"},
    "python": {"base", "engine", "logs", "markup", "miner", "refine", "spark"},
    "bench": {"base", "finder", "import", "iteration", "logs", "markup", "miner", "refine", "tests"},
}

# Libraries that one folder alone may use.
ONLY_IN = {
    r"SQLiteCpp/|sqlite3\.h": {"db"},
    r"unicode/": {"import", "refine"},
    r"toml\+\+/|crypt\.h": {"config"},
    r"CLI/": {"cli", "daemon", "bench"},
    r"date/": {"schedule"},
    r"spdlog/|systemd/": {"daemon"},
    r"isa-l|igzip|zstd\.h|zlib\.h": {"logs", "bench"},
    r"boost/": {"cli", "daemon"},
    r"expat\.h": {"import"},
    r"xlsxwriter": {"review"},
    r"zip\.h": {"import", "review"},
    r"prometheus/": {"daemon"},
}

# miner/, refine/, markup/, finder/, engine/ and spark/ are pure: no files, clocks, threads or random numbers.
IMPURE = (r"<(atomic|chrono|condition_variable|cstdio|ctime|filesystem|fstream|future|iostream|mutex|random|shared_mutex"
          r"|thread|unistd\.h|sys/.*)>")


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r'\s*#include\s+(["<].*[">])', line)
        if found:
            yield f"{path.relative_to(ROOT)}:{number}", found.group(1)


def sources(folder):
    return sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in (".h", ".cc"))


class IncludeRules(unittest.TestCase):
    def test_every_folder_with_sources_has_a_rule(self):
        with_sources = {p.name for p in ROOT.iterdir() if p.is_dir() and sources(p.name)}
        made_by_cmake = {name for name in with_sources if name.startswith((".", "build"))}
        self.assertEqual(with_sources - made_by_cmake - {"tests"}, set(MAY_INCLUDE))

    def test_folders_include_only_what_they_may(self):
        for folder, allowed in MAY_INCLUDE.items():
            for path in sources(folder):
                for place, header in includes(path):
                    if header.startswith('"'):
                        owner = header.strip('"').split("/")[0]
                        self.assertIn(owner, allowed | {folder}, place)

    def test_libraries_stay_in_their_folder(self):
        for folder in MAY_INCLUDE:
            for path in sources(folder):
                for place, header in includes(path):
                    for library, owners in ONLY_IN.items():
                        if header.startswith("<") and re.search(library, header):
                            self.assertIn(folder, owners, place)

    def test_miner_refine_and_finder_are_pure(self):
        for folder in ("miner", "refine", "markup", "finder", "engine", "spark"):
            for path in sources(folder):
                for place, header in includes(path):
                    self.assertIsNone(re.match(IMPURE, header), place)


if __name__ == "__main__":
    sys.exit(unittest.main())
