"""Lists as workbooks that people open, edit and save in LibreOffice, and that come back."""

import shutil
import subprocess
import time
import unittest
import zipfile

try:
    import uno
    from com.sun.star.beans import PropertyValue
    from com.sun.star.connection import NoConnectException
except ImportError:
    uno = None

from program import ProgramTest, main
from review_test import HOSTILE, log

XLSX = "Calc MS Excel 2007 XML"


def value(name, content):
    given = PropertyValue()
    given.Name, given.Value = name, content
    return given


@unittest.skipUnless(uno and shutil.which("soffice"), "skipped: LibreOffice or its bridge to Python (python3-uno) is not installed")
class OfficeTest(ProgramTest):
    def start_office(self):
        pipe = f"qdedup-{self.folder.name}"
        office = subprocess.Popen(["soffice", "--headless", "--norestore", f"--accept=pipe,name={pipe};urp",
                                   f"-env:UserInstallation=file://{self.folder}/profile"])
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        while True:
            self.assertIsNone(office.poll())
            try:
                context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except NoConnectException:
                time.sleep(0.1)
        self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        self.addCleanup(office.wait)
        self.addCleanup(self.end_office)

    def end_office(self):
        try:
            self.desktop.terminate()
        except Exception:  # the bridge is gone before it answers
            pass

    def opened(self, name="list.xlsx"):
        return self.desktop.loadComponentFromURL(f"file://{self.folder}/{name}", "_blank", 0, (value("Hidden", True),))

class InLibreOffice(OfficeTest):
    def setUp(self):
        super().setUp()
        texts = {1: "甲乙丙丁戊己庚辛", 2: "甲乙丙丁戊己庚辛", 3: "小红比小明多买书多少本", 4: "小红比小明少买书多少本",
                 5: "一二三四五六七八", 6: "一二三四五六七八", 9007199254740992: "题" + "a" * 40000, 9007199254740993: "题" + "a" * 40000}
        for number, text in enumerate(HOSTILE):
            texts[100 + 2 * number] = texts[101 + 2 * number] = text
        self.import_questions(texts)
        ids = sorted(texts)
        self.qdedup("run", self.write("a.log", log(*[ids[i:i + 2] for i in range(0, len(ids), 2)])))
        self.qdedup("export", "-o", "list.xlsx")
        self.listed_ids = {int(row["delete_id"]) for row in self.listed()}
        self.start_office()

    def saved(self, document, name, how=XLSX):
        document.storeToURL(f"file://{self.folder}/{name}", (value("FilterName", how),))
        document.close(True)
        return self.folder / name

    def column(self, sheet, name, header=0):
        return next(i for i in range(40) if sheet.getCellByPosition(i, header).String == name)

    def decide(self, document, decisions, header=0):
        """Fills in decisions by question."""
        sheet = document.Sheets.getByIndex(0)
        ids, column = self.column(sheet, "delete_id", header), self.column(sheet, "decision", header)
        for row in range(header + 1, header + 1 + len(self.listed_ids)):
            given = decisions.get(int(sheet.getCellByPosition(ids, row).String), "")
            sheet.getCellByPosition(column, row).String = given
        return sheet

    def dry_run(self, path, expect=0):
        return self.qdedup("review", "import", path, "--dry-run", expect=expect)

    def refused(self, edit):
        """What is said of a list with a decision that was edited, after its path."""
        self.document = self.opened()
        sheet = self.decide(self.document, {2: "approve"})
        edit(sheet, self.column(sheet, "decision"))
        path = self.saved(self.document, "refused.xlsx")
        return self.dry_run(path, expect=65).err.replace(f"{path}: ", "").strip()

    def test_it_comes_back_as_it_was_saved(self):
        everything = {question: "approve" for question in self.listed_ids} | {4: "驳回"}
        document = self.opened()
        self.decide(document, everything)
        path = self.saved(document, "edited.xlsx")
        count = f"dry run, nothing is changed: {len(self.listed_ids) - 1} approved, 1 rejected\n"
        self.assertEqual(self.dry_run(path).out, count)
        self.saved(self.opened("edited.xlsx"), "edited.ods", "calc8")
        self.assertEqual(self.dry_run(self.saved(self.opened("edited.ods"), "again.xlsx")).out, count)
        self.assertEqual(self.dry_run(self.saved(self.opened("edited.ods"), "strict.xlsx", "Calc Office Open XML")).out, count)
        self.assertEqual(self.qdedup("review", "import", path).out, count.removeprefix("dry run, nothing is changed: "))

    def test_rows_may_be_sorted_and_filtered_and_columns_and_rows_inserted(self):
        document = self.opened()
        sheet = document.Sheets.getByIndex(0)
        sheet.Columns.insertByIndex(self.column(sheet, "decision"), 1)
        sheet.getCellByPosition(self.column(sheet, "decision") - 1, 0).String = "mine"
        area = sheet.getCellRangeByPosition(0, 0, self.column(sheet, "keep_text"), len(self.listed_ids))
        field = uno.createUnoStruct("com.sun.star.table.TableSortField")
        field.Field, field.IsAscending = self.column(sheet, "delete_id"), False
        area.sort((value("SortFields", uno.Any("[]com.sun.star.table.TableSortField", (field,))), value("ContainsHeader", True)))
        self.decide(document, {2: "approve", 4: "reject", 6: "yes"})
        condition = uno.createUnoStruct("com.sun.star.sheet.TableFilterField")
        condition.Field, condition.StringValue = self.column(sheet, "confidence"), "safe"
        condition.Operator = uno.Enum("com.sun.star.sheet.FilterOperator", "EQUAL")

        def filter_by(filtering):
            filtering.ContainsHeader = True
            filtering.setFilterFields((condition,))

        filtering = area.createFilterDescriptor(True)
        filter_by(filtering)
        area.filter(filtering)
        self.saved_with_hidden_rows(document, "filtered.xlsx")
        document = self.opened()
        sheet = self.decide(document, {2: "approve", 4: "reject", 6: "yes"})
        condition.Field = self.column(sheet, "confidence")
        table = document.DatabaseRanges
        area = sheet.getCellRangeByPosition(0, 0, self.column(sheet, "keep_text"), len(self.listed_ids))
        table.addNewByName("list", area.RangeAddress)
        table.getByName("list").AutoFilter = True
        filter_by(table.getByName("list").FilterDescriptor)
        table.getByName("list").refresh()
        self.saved_with_hidden_rows(document, "table.xlsx")

    def saved_with_hidden_rows(self, document, name):
        rows = document.Sheets.getByIndex(0).Rows
        self.assertIn(False, [rows.getByIndex(row).IsVisible for row in range(1, 1 + len(self.listed_ids))])
        self.assertIn("2 approved, 1 rejected;", self.dry_run(self.saved(document, name)).out)

    def test_a_row_above_the_header(self):
        document = self.opened()
        document.Sheets.getByIndex(0).Rows.insertByIndex(0, 2)
        document.Sheets.getByIndex(0).getCellByPosition(0, 0).String = "Until Friday, please"
        self.decide(document, {2: "approve"}, header=2)
        self.assertIn("1 approved;", self.dry_run(self.saved(document, "title.xlsx")).out)

    def test_what_shows_something_else_is_refused(self):
        def show_nothing(sheet, column):
            locale = uno.createUnoStruct("com.sun.star.lang.Locale")
            sheet.getCellByPosition(column, 1).NumberFormat = self.document.NumberFormats.addNew(";;;", locale)

        def hide(sheet, column):
            sheet.Columns.getByIndex(column).IsVisible = False

        def merge(sheet, column):
            sheet.getCellRangeByPosition(column, 1, column, 3).merge(True)

        def calculate(sheet, column):
            sheet.getCellByPosition(column, 1).Formula = '="app" & "rove"'

        def hide_row(sheet, _column):
            sheet.Rows.getByIndex(1).IsVisible = False

        def round_id(sheet, _column):
            sheet.getCellByPosition(self.column(sheet, "delete_id"), 1).Value = float(9007199254740993)

        self.assertIn("the column decision is hidden", self.refused(hide))
        self.assertIn("K2:K4 are merged", self.refused(merge))
        self.assertIn("decision is a formula, which is not calculated", self.refused(calculate))
        self.assertIn("row 2 is hidden, though by no filter", self.refused(hide_row))
        self.assertIn("delete_id was rounded by the spreadsheet", self.refused(round_id))
        self.assertIn("decision is shown otherwise by its number format", self.refused(show_nothing))

    def test_a_hidden_sheet_with_the_list_is_refused(self):
        document = self.opened()
        document.Sheets.copyByName("deletions", "copy", 1)
        self.decide(document, {2: "approve"})
        document.Sheets.getByIndex(1).IsVisible = False
        self.assertIn("sheet copy: holds a list, but is hidden", self.dry_run(self.saved(document, "hidden.xlsx"), expect=65).err)


SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def relations(*each):
    """A list of relations (id, kind, target)."""
    inside = "".join(f'<Relationship Id="{i}" Type="{RELATIONS}/{kind}" Target="{target}"/>' for i, kind, target in each)
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inside}</Relationships>'


def part(root, content):
    return (f'<{root} xmlns="{SPACE}" xmlns:r="{RELATIONS}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
            f' xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main">{content}</{root}>')


def cell(text, attributes=""):
    return f'<c t="str"{attributes}><v>{text}</v></c>'


HEADER = f'<row r="1">{cell("delete_id")}{cell("keep_id")}{cell("decision")}</row>'
PAIR = f'{cell(2)}{cell(1)}'
DECIDED = f'<row r="2">{PAIR}{cell("approve")}</row>'


def data(rows):
    return f"<sheetData>{rows}</sheetData>"


def book(*sheets):
    return part("workbook", "<sheets>" + "".join(
        f'<sheet name="{name}" sheetId="{i}" {attributes} r:id="{relation}"/>' for i, (name, attributes, relation) in enumerate(sheets, 1)) + "</sheets>")


def parts(sheet=data(HEADER + DECIDED), texts="", styles="", **more):
    """A workbook; `more` are parts of it or others, by name."""
    return {"_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml")),
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                                   '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                                   f'<Default Extension="xml" ContentType="{TYPES}.worksheet+xml"/>'
                                   f'<Override PartName="/xl/workbook.xml" ContentType="{TYPES}.sheet.main+xml"/></Types>',
            "xl/workbook.xml": book(("list", "", "r1")),
            "xl/_rels/workbook.xml.rels": relations(("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "sharedStrings", "sharedStrings.xml"),
                                                    ("r3", "styles", "styles.xml")),
            "xl/worksheets/sheet1.xml": part("worksheet", sheet), "xl/sharedStrings.xml": part("sst", texts),
            "xl/styles.xml": part("styleSheet", styles or STYLES.format(0, "General"))} | more


# The style 1 has a format of its own.
STYLES = ('<numFmts count="1"><numFmt numFmtId="{0}" formatCode="{1}"/></numFmts><fonts count="1"><font/></fonts>'
          '<fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="2"><xf numFmtId="0"/>'
          '<xf numFmtId="{0}" applyNumberFormat="1"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" xfId="0"/>'
          '<xf numFmtId="{0}" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" xfId="1" applyNumberFormat="0"/></cellXfs>'
          '<cellStyles count="2"><cellStyle name="Normal" xfId="0" builtinId="0"/><cellStyle name="Own" xfId="1"/></cellStyles>')
OTHER = part("worksheet", data(f'{HEADER}<row r="2">{PAIR}{cell("reject")}</row>'))
CHOICE = '<mc:AlternateContent><mc:Choice Requires="x14">{}</mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>'


def decided(decision):
    return data(f'{HEADER}<row r="2">{PAIR}{decision}</row>')


def attacks():
    """Workbooks that could be read otherwise than they look, by name."""
    yield "sound", parts()
    yield "another workbook", parts(**{"_rels/.rels": relations(("r1", "officeDocument", "xl/other.xml")),
                                       "[Content_Types].xml": parts()["[Content_Types].xml"].replace("/xl/workbook.xml", "/xl/other.xml"),
                                       "xl/other.xml": book(("list", "", "r1")),
                                       "xl/_rels/other.xml.rels": relations(("r1", "worksheet", "worksheets/other.xml")),
                                       "xl/worksheets/other.xml": OTHER})
    yield "another sheet", parts(**{"xl/_rels/workbook.xml.rels": relations(("r1", "worksheet", "worksheets/other.xml")),
                                    "xl/worksheets/other.xml": OTHER})
    for name, each in {"two workbooks": {"_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml"), ("r2", "officeDocument", "xl/b.xml")),
                                         "xl/b.xml": book(("list", "", "r1"))},
                       "a relation twice": {"xl/_rels/workbook.xml.rels": relations(("r1", "worksheet", "worksheets/sheet1.xml"),
                                                                                    ("r1", "worksheet", "worksheets/other.xml")),
                                            "xl/worksheets/other.xml": OTHER},
                       "a part in capitals": {"XL/WORKSHEETS/SHEET1.XML": OTHER}, "a part with percents": {"xl/worksheets/%73heet1.xml": OTHER}}.items():
        yield name, parts(**each)
    for target in ("sharedStrings.xml", "other.xml", "../xl/other.xml", "/xl/other.xml", "%6Fther.xml", "OTHER.xml"):
        yield f"texts in {target}", parts(
            decided('<c t="s"><v>0</v></c>'), "<si><t>approve</t></si>",
            **{"xl/other.xml": part("sst", "<si><t>reject</t></si>"),
               "xl/_rels/workbook.xml.rels": relations(("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "sharedStrings", target))})
    yield "two lists of texts", parts(
        decided('<c t="s"><v>0</v></c>'), "<si><t>approve</t></si>",
        **{"xl/other.xml": part("sst", "<si><t>reject</t></si>"),
           "xl/_rels/workbook.xml.rels": relations(("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "sharedStrings", "sharedStrings.xml"),
                                                   ("r4", "sharedStrings", "other.xml"))})
    two = {"xl/worksheets/other.xml": OTHER,
           "xl/_rels/workbook.xml.rels": relations(("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "worksheet", "worksheets/other.xml"))}
    for state in ("hidden", "veryHidden", "visible", "odd"):
        yield f"a sheet that is {state}", parts(**two, **{"xl/workbook.xml": book(("list", f'state="{state}"', "r1"), ("other", "", "r2"))})
    sheet, other = data(HEADER + DECIDED), decided(cell("reject"))
    for name, content in {"two sheetData": sheet + other, "a choice of sheetData": CHOICE.format(other, sheet),
                          "a choice of nothing": CHOICE.format("", "") + sheet,
                          "sheetData of the other form": sheet + other.replace("<sheetData>", f'<sheetData xmlns="{STRICT}">'),
                          "sheetData in a wrapping": f'<wrap xmlns="urn:x">{other}</wrap>{sheet}'}.items():
        yield name, parts(content)
    again = f'<row r="2">{PAIR}{cell("reject")}</row>'
    for name, rows in {"a row twice": DECIDED + again, "a row without a number": DECIDED + again.replace(' r="2"', ""),
                       "rows the other way round": f'<row r="3"/>{DECIDED}', "a choice of rows": CHOICE.format(again, DECIDED),
                       "a row in a row": f'<row r="2">{PAIR}{again}{cell("approve")}</row>',
                       "a hidden row": DECIDED.replace("<row", '<row hidden="1"') + again.replace('"2"', '"3"')}.items():
        yield name, parts(data(HEADER + rows))
    for name, decision in {
            "two cells": '<c r="C2" t="str"><v>approve</v></c><c r="C2" t="str"><v>reject</v></c>',
            "a cell of another row": '<c r="C3" t="str"><v>approve</v></c>', "a small reference": '<c r="c2" t="str"><v>approve</v></c>',
            "an absolute reference": '<c r="$C$2" t="str"><v>approve</v></c>', "a value twice": '<c t="str"><v>approve</v><v>reject</v></c>',
            "a value and a text": '<c t="str"><v>approve</v><is><t>reject</t></is></c>',
            "a text and a value": '<c t="inlineStr"><is><t>approve</t></is><v>reject</v></c>',
            "a text with a hint": '<c t="inlineStr"><is><t>approve</t><rPh sb="0" eb="1"><t>reject</t></rPh></is></c>',
            "runs": '<c t="inlineStr"><is><r><t>app</t></r><r><rPr><b/></rPr><t>rove</t></r></is></c>',
            "two texts in a run": '<c t="inlineStr"><is><r><t>app</t><t>rove</t></r></is></c>',
            "a text and runs": '<c t="inlineStr"><is><t>rej</t><r><t>ect</t></r></is></c>',
            "two texts": '<c t="inlineStr"><is><t>approve</t><t>reject</t></is></c>',
            "another number of a text": '<c t="s"><v>00</v></c>', "a text with blanks": cell(" approve\n"),
            "a text in pieces": cell("app<!-- no -->ro<![CDATA[ve]]>"), "an escape": cell("_x0061_pprove"), "an escaped escape": cell("_x005F_x0061_"),
            "an escape in a text": '<c t="inlineStr"><is><t>_x0061_pprove</t></is></c>', "entities": cell("&#97;pprove"),
            "an unknown type": '<c t="text"><v>approve</v></c>', "a truth": '<c t="b"><v>true</v></c>', "no type": "<c><v>approve</v></c>",
            "a formula": '<c t="str"><f>"rej" &amp; "ect"</f><v>approve</v></c>', "an error": '<c t="e"><v>approve</v></c>',
            "a date": '<c t="d"><v>approve</v></c>', "a long text": cell("approve" + " " * 40000 + "x"), "nothing": "<c/>", "an empty text": cell("")}.items():
        yield name, parts(decided(decision), "<si><t>approve</t></si>")
    for code in (";;;", ";;", ";;;&quot;reject&quot;", "&quot;reject&quot;", "@&quot; (no)&quot;", "&quot;reject&quot;;&quot;reject&quot;;&quot;reject&quot;",
                 "@@", "0;0;0;", "[White]General", "0", "@", "[Red]@", "yyyy/m/d", "0;-0;0;@", "#,##0_ ", "*x@", "x", "&quot;&quot;@", "General;General;General;&quot;no&quot;",
                 "\\n\\o", "[&gt;1]&quot;reject&quot;;@", "", "reject", "0;@;0"):
        for style, number in ((1, 164), (1, 49), (2, 164)):
            yield f"the format {code} as {number}, style {style}", parts(decided(cell("approve", f' s="{style}"')), styles=STYLES.format(number, code))
        yield f"ids in the format {code}", parts(data(f'{HEADER}<row r="2"><c s="1"><v>2</v></c><c s="1"><v>1</v></c>{cell("approve")}</row>'),
                                                 styles=STYLES.format(164, code))
        yield f"a condition with the format {code}", parts(
            sheet + '<conditionalFormatting sqref="C2"><cfRule type="expression" dxfId="0" priority="1"><formula>TRUE</formula></cfRule></conditionalFormatting>',
            styles=STYLES.format(164, "General") + f'<dxfs count="1"><dxf><numFmt numFmtId="170" formatCode="{code}"/></dxf></dxfs>')
    for number in ("2.0", "2e0", " 2 ", "0x2", "2.5", "+2", "2,0", "2x", "1e300", "nan", "20000000000000000"):
        yield f"the number {number}", parts(data(f'{HEADER}<row r="2"><c><v>{number}</v></c>{cell(1)}{cell("approve")}</row>'))
    for name, around in {"merged": (sheet, '<mergeCells><mergeCell ref="B2:C2"/></mergeCells>'),
                         "a hidden column": ('<cols><col min="3" max="3" width="9" hidden="1"/></cols>' + sheet, ""),
                         "a column without width": ('<cols><col min="3" max="3" width="0" customWidth="1"/></cols>' + sheet, ""),
                         "an array": (data(f'{HEADER}<row r="2">{PAIR}{cell("approve")}<c t="str"><f t="array" ref="C2:D2">"reject"</f><v>a</v></c></row>'), "")}.items():
        yield name, parts("".join(around))


class AsLibreOfficeShowsIt(OfficeTest):
    def shown(self):
        """The decisions on 2>1 that a person sees in the lists of visible sheets; none if it cannot be opened."""
        document = self.opened("attack.xlsx")
        if document is None:
            return None
        decisions = []
        for sheet in (document.Sheets.getByIndex(i) for i in range(document.Sheets.Count)):
            rows = [[sheet.getCellByPosition(column, row) for column in range(5)] for row in range(6) if sheet.Rows.getByIndex(row).IsVisible]
            names = [each.String for each in rows[0]]
            if not sheet.IsVisible or "delete_id" not in names or "decision" not in names:
                continue
            column = names.index("decision")
            if sheet.Columns.getByIndex(column).IsVisible:
                decisions += [row[column].String.strip() for row in rows if row[names.index("delete_id")].String.strip() == "2"]
        document.close(True)
        return decisions

    def test_what_is_read_is_what_is_shown(self):
        self.import_questions({1: "甲乙丙丁戊己庚辛", 2: "甲乙丙丁戊己庚辛"})
        self.qdedup("run", self.write("a.log", log([1, 2])))
        self.start_office()
        read = set()
        for name, content in attacks():
            with self.subTest(name):
                with zipfile.ZipFile(self.folder / "attack.xlsx", "w") as archive:
                    for each, xml in content.items():
                        archive.writestr(each, xml)
                done = self.qdedup("review", "import", "attack.xlsx", "--dry-run", expect=None)
                if done.code == 65:
                    self.assertRegex(done.err, "^(qdedup: )?attack.xlsx: ")
                    continue
                self.assertEqual(done.code, 0, done.err)
                read.add(name)
                words = [word for word in ("approve", "reject") if f"1 {word}" in done.out.replace("rejected", "reject")]
                self.assertEqual([word for word in self.shown() or [] if word], words, done.out)
        self.assertLessEqual({"sound", "another sheet", "texts in /xl/other.xml", "a text with a hint", "runs", "a text in pieces", "nothing",
                              "the format @ as 164, style 1", "ids in the format #,##0_ "}, read)


if __name__ == "__main__":
    main()
