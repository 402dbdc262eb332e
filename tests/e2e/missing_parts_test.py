"""Questions that their text does not tell apart, among others, from a search log to a deletion list."""

import itertools
import json

from program import ProgramTest, main

CONFIG = '[text]\nmarkup = "auto"\n\n[review]\nauto_approve = "safe"\n'

# Two questions with one text, of which each has a figure, a passage or a list of its own.
FIGURES = ["如图，直线相交，已知一个角是{}度，求阴影部分的角的度数。", "看图列式计算，第{}题。", "根据统计图回答第{}题。", "下图中有{}个小正方体，它的表面积是多少？",
           "读出下列{}支温度计的示数。", "如图所示的电路中，电阻为{}欧，求电流表的示数。", "读第{}幅世界气候分布图，回答问题。"]
PASSAGES = ["阅读下面的文章，完成第{}题。", "短文第{}自然段主要写了什么？", "听录音，选出第{}题的答案。", "根据上述材料，概括第{}次改革的内容。"]
INSTRUCTIONS = ["选词填空。", "脱式计算。", "解下列方程。", "按要求写句子。", "直接写出得数。", "用竖式计算，并验算。", "先化简，再求值。", "看拼音写词语。"]
# Questions that say all that it takes.
COMPLETE = ["图书馆有故事书{}本，科技书比故事书多80本，科技书有多少本？", "书架上图书有{}本，借走45本，还剩多少本？", "小红买了{}支铅笔，每支2元，一共花了多少元？",
            "一辆汽车每小时行{}千米，3小时行多少千米？", "一个正方形的边长是{}厘米，它的周长是多少厘米？", "规定一种新运算如下：a※b=2a+b，求{}※4的值。",
            "阅览室里看图书的有{}人，看报纸的有18人，一共有多少人？", "地图的比例尺是1:{}，图上3厘米表示实际距离多少厘米？", "甲数是{}，乙数是甲数的3倍，两数的和是多少？",
            "函数y={}x+1的图象经过哪几个象限？"]


def texts(patterns, count):
    """That many texts, the patterns by turns, each with another number."""
    return [pattern.format(number) for number, pattern in zip(range(11, 11 + count), itertools.cycle(patterns))]


class MissingParts(ProgramTest):
    def setUp(self):
        super().setUp()
        self.config = self.write("qdedup.toml", CONFIG)

    def deletions_of(self, pairs):
        """Imports pairs of rows, lets a search log bring each together, iterates; the rows of the list, by the pair's number."""
        rows = [{"id": 2 * number + side + 1, **row} for number, pair in enumerate(pairs) for side, row in enumerate(pair)]
        self.qdedup("import", self.write("bank.jsonl", "".join(json.dumps(row) + "\n" for row in rows)), config=self.config)
        log = "".join(f"[[{2 * number + 1},0.9],[{2 * number + 2},0.8]]\n" for number in range(len(pairs)))
        self.qdedup("run", self.write("search.log", log), config=self.config)
        return {int(row["delete_id"]) // 2 - 1: row for row in self.listed()}

    def test_made_bank(self):
        groups = {"figure": texts(FIGURES, 100), "passage": texts(PASSAGES, 60), "instruction": texts(INSTRUCTIONS, 40), "complete": texts(COMPLETE, 2000)}
        kinds = [kind for kind, group in groups.items() for _ in group]
        writings = [({"text": text}, {"text": text.replace("，", ", ").rstrip("。？")}) for group in groups.values() for text in group]
        deletions = self.deletions_of(writings)
        self.assertEqual(len(deletions), 2200)
        doubted = {kind: {"needs-figure": 0, "too-short": 0, "either": 0, "pending": 0} for kind in groups}
        for number, row in deletions.items():
            count, reasons = doubted[kinds[number]], row["reasons"].split(";")
            for reason in ("needs-figure", "too-short"):
                count[reason] += reason in reasons
            count["either"] += "needs-figure" in reasons or "too-short" in reasons
            count["pending"] += row["status"] == "pending"
        print(doubted)
        for kind, group in groups.items():
            expected = 0 if kind == "complete" else len(group)
            self.assertEqual((kind, doubted[kind]["either"], doubted[kind]["pending"]), (kind, expected, expected))

    def test_no_setting_approves_them(self):
        self.config = self.write("qdedup.toml", CONFIG.replace('"safe"', "1"))
        writings = [({"text": text}, {"text": text.rstrip("。？")}) for text in texts(FIGURES + PASSAGES + INSTRUCTIONS, 20)]
        self.assertEqual({row["status"] for row in self.deletions_of(writings).values()}, {"pending"})

    def test_known_figures_tell(self):
        text = "如图[图]，求阴影部分的面积是多少平方厘米。"
        same = tuple({"text": text, "images": ["0a1b2c3d4e5f6071"]} for _ in range(2))
        other = tuple({"text": text, "images": [name]} for name in ("0a1b2c3d4e5f6071", "0a1b2c3d4e5f6072"))
        unnamed = tuple({"text": text} for _ in range(2))
        deletions = self.deletions_of([same, other, unnamed])
        self.assertEqual({number: (row["confidence"], row["status"]) for number, row in deletions.items()},
                         {0: ("safe", "approved"), 2: ("doubtful", "pending")})

    def test_known_figures_of_plain_texts_tell(self):
        self.config = self.write("qdedup.toml", CONFIG.replace("auto\"", "plain\"", 1))
        text, longer = "求阴影以外的面积之和是多少平方厘米。", "求阴影以外的面积之和是多少平方厘米。" * 5
        lists = [(["a"], ["a"]), (["a"], ["b"]), (["a"], []), (["a"], ["a", "b"]), (["", "a"], ["", "a"]),
                 (["a", ""], ["a", ""]), ([None], [None])]
        pairs = [tuple({"text": each, "images": images} for images in pair) for each in (text, longer) for pair in lists]
        deletions = self.deletions_of(pairs)
        self.assertEqual([row["reasons"] for _, row in sorted(deletions.items())], ["", *["needs-figure"] * 6, *[""] * 7])
        self.assertEqual({row["delete_text"] for row in deletions.values()}, {text, longer})
        self.qdedup("import", self.write("new.jsonl", json.dumps({"id": 2, "text": text, "images": ["c"]}) + "\n"), config=self.config)
        self.assertEqual(self.qdedup("--json", "iterate", config=self.config).json()["withdrawn"], 1)
        self.assertEqual([row["reasons"] for row in self.listed() if row["delete_id"] == "2"], ["needs-figure"])
        self.qdedup("verify")


if __name__ == "__main__":
    main()
