"""Prints what a report holds, as JSON: tags and attributes, tables, pairs. Fails unless it is well-formed."""

import base64
import hashlib
import json
import sys
from html.parser import HTMLParser

VOID = {"meta", "input", "rect"}
WITH_TEXT = {"caption", "del", "ins", "p", "span", "style", "td", "th", "title", "ul"}


class Report(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []  # [tag, attributes, text so far]
        self.tags = set()
        self.attributes = set()
        self.links = set()
        self.ids = []
        self.policy = ""
        self.style_hash = ""
        self.title = ""
        self.tables = {}
        self.rows = []
        self.pairs = []

    def elements_with_text(self):
        return [element for element in self.open if element[0] in WITH_TEXT]

    def handle_decl(self, decl):
        assert decl == "DOCTYPE html" and not self.tags

    def handle_comment(self, data):
        raise AssertionError("comment")

    def unknown_decl(self, data):
        raise AssertionError("declaration")

    def handle_pi(self, data):
        raise AssertionError("processing instruction")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.add(tag)
        self.attributes |= attributes.keys()
        self.links |= {attributes["href"]} if "href" in attributes else set()
        self.ids += [attributes["id"]] if "id" in attributes else []
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        if tag == "table":
            self.rows = []
        if tag == "tr":
            self.rows.append([])
        if tag == "article":
            self.pairs.append({"id": attributes["id"], "ins": [], "del": [], "texts": []})
        if tag not in VOID:
            self.open.append([tag, attributes, ""])

    def handle_data(self, data):
        for element in self.elements_with_text():
            element[2] += data

    def handle_endtag(self, tag):
        opened, attributes, text = self.open.pop()
        assert opened == tag, (opened, tag)
        kind = attributes.get("class")
        if kind == "mark":  # back to the character that the mark stands for
            for element in self.elements_with_text():
                element[2] = element[2][: -len(text)] + chr(int(text.removeprefix("U+"), 16))
        if tag == "style":
            self.style_hash = "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        if tag == "title":
            self.title = text
        if tag == "caption":
            self.tables[text] = self.rows
        if tag in ("th", "td"):
            self.rows[-1].append(text)
        if tag in ("ins", "del") and self.pairs:
            self.pairs[-1][tag].append(text)
        if kind in ("text", "gone") and tag == "p":
            assert kind == "gone" or attributes["lang"] == "zh"
            self.pairs[-1]["texts"].append(text if kind == "text" else None)
        if kind in ("likeness", "status", "note") and tag == "p":
            self.pairs[-1][kind] = text
        if tag == "ul" and kind == "tags":
            self.pairs[-1]["tags"] = text


with open(sys.argv[1], encoding="utf-8", newline="") as file:
    source = file.read()
report = Report()
report.feed(source)
report.close()
assert not report.open, report.open
assert len(set(report.ids)) == len(report.ids), "an id occurs twice"
json.dump(
    {
        "tags": sorted(report.tags),
        "attributes": sorted(report.attributes),
        "links": sorted(report.links),
        "dangling": sorted(link for link in report.links if link.removeprefix("#") not in report.ids),
        "policy": report.policy,
        "style_hash": report.style_hash,
        "title": report.title,
        "tables": report.tables,
        "pairs": report.pairs,
    },
    sys.stdout,
)
