"""The Chinese of the tool (cli/data): its entries are of messages that the sources have, and most messages have an entry."""

import collections
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MESSAGES = ROOT / "cli/data/zh_messages.txt"
TERMS = ROOT / "cli/data/zh_terms.txt"
CLI11 = pathlib.Path("/usr/include/CLI")

# Whose messages the tool prints. Of the daemon and the page, those that its clients print.
SPEAKING = ["base", "cli", "config", "db", "finder", "import", "iteration", "logs", "markup", "miner", "review", "schedule", "spark",
            "daemon/leases.cc", "daemon/daemon_status.cc", "daemon/open_requests.cc", "page/classes.cc", "refine/risk_learning.cc"]
# What these say is read elsewhere: HTML, workbooks, a config with comments.
SILENT = ["review/html", "review/report_overview", "review/question_view", "review/workbook", "config/default_text",
          "markup/html_reader", "cli/data"]
LEAST_COVERED = 0.93

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"|(?P<prefix>u8|[uUL])?"(?P<text>(?:[^"\\\n]|\\.)*)"'
                   r"|'(?P<char>[^'\\\n]|\\.)'|\s+|.", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t"}


def literals(source):
    """The string literals of a C++ source; those that stand beside each other, in one."""
    found, begun = [], None
    for token in TOKEN.finditer(source):
        text = token["raw"] if token["raw"] is not None else token["text"] if token["text"] is not None else token["char"]
        if text is None:
            if begun is not None and not token.group().isspace() and not token.group().startswith("//"):
                found.append(begun)
                begun = None
        else:
            if token["raw"] is None:
                text = re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[1]), text)
            begun = text if begun is None else begun + text
    return [text for text in found if text]


def sources(silent=SILENT):
    for place in SPEAKING:
        path = ROOT / place
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            name = str(file.relative_to(ROOT))
            if file.suffix in (".cc", ".h") and not name.startswith(tuple(silent)):
                yield name, file.read_text(encoding="utf-8")


def entries(path):
    """(heading, line, English, Chinese)"""
    heading, lines = "", path.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        if lines[number].startswith("# ----"):
            heading = lines[number]
        if not lines[number] or lines[number].startswith("#"):
            number += 1
            continue
        yield heading, number + 1, lines[number], lines[number + 1] if number + 1 < len(lines) else ""
        number += 2


def places(text):
    return re.findall(r"\{([^}]*)\}", text)


class Said:
    """What a set of sources says, to look for pieces of messages in it."""

    def __init__(self, texts):
        self.whole = set(texts)
        self.all = "\0" + "\0".join(sorted(self.whole)) + "\0"

    def has(self, text):
        """Whether a literal has it, or several make it up one behind the other."""
        if text in self.all:
            return True
        reached = [end for end in range(1, len(text)) if text[:end] + "\0" in self.all]
        seen = set(reached)
        while reached:
            begin = reached.pop()
            if "\0" + text[begin:] in self.all:
                return True
            for end in range(begin + 1, len(text)):
                if end not in seen and text[begin:end] in self.whole:
                    seen.add(end)
                    reached.append(end)
        return False


class Catalogue(unittest.TestCase):
    def test_entries_are_whole(self):
        for path in (MESSAGES, TERMS):
            counts = collections.Counter(english for _, _, english, _ in entries(path))
            self.assertEqual([english for english, count in counts.items() if count > 1], [], path)
            for _, line, english, chinese in entries(path):
                with self.subTest(line=f"{path}:{line}"):
                    self.assertRegex(chinese, r"[一-鿿（，；]|^ [A-Z]|\{", english)
                    if path == MESSAGES:
                        self.assertEqual(collections.Counter(places(chinese)), collections.Counter(set(places(english)) - {"s"}), english)
                        self.assertNotRegex(english, r"\}\{(?!s\}|=hint\})", "two values need something between them")

    def test_each_message_is_one_of_the_sources(self):
        ours = Said(text for _, source in sources(silent=()) for text in literals(source))
        of_cli11 = Said(text for file in CLI11.rglob("*.hpp") for text in literals(file.read_text(encoding="utf-8")))
        of_system = {os.strerror(number) for number in range(1, 140)}
        self.assertGreater(len(of_cli11.whole), 100)
        for heading, line, english, _ in entries(MESSAGES):
            with self.subTest(line=f"{MESSAGES}:{line}", english=english):
                if "SQLite" in heading:
                    continue
                if "C library" in heading:
                    self.assertIn(english, of_system)
                    continue
                for piece in filter(None, re.split(r"\{[^}]*\}", english)):
                    piece = piece if piece.strip() == "" or not english.endswith(":") else piece.rstrip(":")
                    self.assertTrue(ours.has(piece) or ("CLI11" in heading and of_cli11.has(piece)),
                                    f"no source says {piece!r} any more: mend the entry, or take it out")

    def test_most_messages_have_an_entry(self):
        """What is English for people: several words in small letters, in a literal that is no statement and no pattern."""
        known = "\0".join(english for path in (MESSAGES, TERMS) for _, _, english, _ in entries(path))
        known_lines = Said(re.split(r"\{[^}]*\}|\0", known))
        count, missing = 0, []
        for name, source in sources():
            for literal in literals(source):
                if "CREATE " in literal:  # a schema with comments
                    continue
                for text in re.split(r"\n|\{[^}]*\}|^qdedup: ", literal):
                    words = re.findall(r"(?<![\w/.<-])[a-z]{2,}(?![\w/>=-])", text)
                    if len(words) < 2 or re.search(r"\b(SELECT|FROM|WHERE|ORDER BY|INSERT|UPDATE|PRAGMA|JOIN|AND)\b|<\w|[<>=]{2}", text):
                        continue
                    count += 1
                    text = text.strip().rstrip(":")
                    if text not in known and not known_lines.has(text):
                        missing.append(f"{name}: {text.strip()}")
        covered = (count - len(missing)) / count
        print(f"{count} messages in the sources, {100 * covered:.1f} % have Chinese")
        self.assertGreaterEqual(covered, LEAST_COVERED, f"add to {MESSAGES} what the tool may print of these:\n" + "\n".join(missing))


if __name__ == "__main__":
    unittest.main()
