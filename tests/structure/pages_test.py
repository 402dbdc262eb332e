"""Links between the pages lead somewhere, the README leads to all of them, and comments cite rules that there are."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", *sorted((ROOT / "doc").glob("*.md")), *sorted((ROOT / "examples").glob("*.md"))]
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

    def test_cited_rules_are_there(self):
        sections = set(re.findall(r"^#+ (\d(?:\.\d)?)\.? ", text_of(ROOT / "doc/rules.md"), re.MULTILINE))
        cited = set(cited_rules())
        self.assertGreater(len(cited), 15)
        self.assertEqual({(source, section) for source, section in cited if section not in sections}, set())


if __name__ == "__main__":
    unittest.main()
