"""Links between the pages lead somewhere, the README leads to all of them, Chinese pages keep up with the English ones, and
comments cite rules that there are."""

import collections
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGES = [ROOT / "CHANGELOG.md", *(page for pattern in ("README*.md", "doc/*.md", "examples/*.md") for page in sorted(ROOT.glob(pattern)))]
CODE_BLOCK = re.compile(r"^```.*\n([\s\S]*?)^```$", re.MULTILINE)
SOURCES = [path for kind in ("h", "cc", "py") for path in ROOT.glob(f"*/**/*.{kind}")
           if path.relative_to(ROOT).parts[0] != "build"]


def text_of(path):
    return path.read_text(encoding="utf-8")


def links(page):
    """(file, anchor) of each relative link; the anchor may be empty."""
    for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if "://" not in link:
            file, _, anchor = link.partition("#")
            yield (page.parent / file).resolve() if file else page, anchor


def anchors(page):
    """Those of its headings."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def commands(page):
    """The lines of its code blocks, without comments."""
    blocks = re.findall(CODE_BLOCK, text_of(page))
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line]


def headings_by_level(page):
    return collections.Counter(re.findall(r"^#+(?= )", re.sub(CODE_BLOCK, "", text_of(page)), re.MULTILINE))


def cited_rules():
    """(source, section) of each "doc/rules.md, 3.2", "… 3 to 5" and "… 4 and 5"."""
    for source in SOURCES:
        for first, last in re.findall(r"doc/rules\.md, (\d[\d.]*\d|\d)(?: (?:to|and) (\d))?", text_of(source)):
            yield from ((str(source.relative_to(ROOT)), section) for section in (first, last) if section)


class Pages(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for file, anchor in links(page):
                with self.subTest(page=page.name, link=f"{file.name}#{anchor}"):
                    self.assertTrue(file.is_file())
                    if anchor:
                        self.assertIn(anchor, anchors(file))

    def test_the_readme_leads_to_every_page(self):
        self.assertEqual({page.resolve() for page in PAGES} - {file for file, _ in links(README)}, {README.resolve()})

    def test_chinese_pages_keep_up(self):
        chinese = [page for page in PAGES if page.name.endswith(".zh-CN.md")]
        self.assertGreater(len(chinese), 1)
        for page in chinese:
            with self.subTest(page=page.name):
                english = page.with_name(page.name.replace(".zh-CN.md", ".md"))
                self.assertEqual(commands(page), commands(english))
                self.assertEqual(headings_by_level(page), headings_by_level(english))

    def test_cited_rules_are_there(self):
        sections = set(re.findall(r"^#+ (\d(?:\.\d)?)\.? ", text_of(ROOT / "doc/rules.md"), re.MULTILINE))
        cited = set(cited_rules())
        self.assertGreater(len(cited), 15)
        self.assertEqual({(source, section) for source, section in cited if section not in sections}, set())


if __name__ == "__main__":
    unittest.main()
