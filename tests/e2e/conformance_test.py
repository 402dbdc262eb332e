"""The lists and counts that the rules give for a real bank and a real log, where that data is at hand."""

import itertools
from program import CONFORMANCE_DATA, ProgramTest, main, needs_conformance_data

# File name in expected/ -> min_top_score, min_score, max_cluster_size.
SETTINGS = {
    "top0.5_min0.3_cap200.tsv": (0.5, 0.3, 200),
    "top0.3_min0.1_cap200.tsv": (0.3, 0.1, 200),
    "top0.5_min0.3_cap20.tsv": (0.5, 0.3, 20),
}

CONFIG = "[selection]\nmin_top_score = {}\nmin_score = {}\n[merge]\nmax_cluster_size = {}\n"


@needs_conformance_data
class Conformance(ProgramTest):
    def test_the_three_lists_come_out_exactly(self):
        for name, settings in SETTINGS.items():
            with self.subTest(name):
                config = self.write("qdedup.toml", CONFIG.format(*settings))
                self.qdedup("import", CONFORMANCE_DATA / "bank.jsonl", state=name, config=config)
                self.qdedup("run", CONFORMANCE_DATA / "search.log", state=name, config=config)
                got = "".join(
                    "\t".join([row["delete_id"], row["keep_id"], row["distance"], row["length"]]) + "\n"
                    for row in self.listed(state=name)
                )
                self.assertEqual(got, (CONFORMANCE_DATA / "expected" / name).read_text())

    def test_the_counts_are_those_of_the_data(self):
        self.qdedup("import", CONFORMANCE_DATA / "bank.jsonl")
        counts = self.qdedup("--json", "run", CONFORMANCE_DATA / "search.log").json()["iteration"]
        expected = {
            "lines": 60000, "selected": 20276, "distinct_lists": 13775, "ids": 18451, "clusters": 4674,
            "largest_cluster": 200, "refused_joins": 3570, "deletions": 1591,
        }
        self.assertEqual({name: counts[name] for name in expected}, expected)

    def test_one_log_in_any_shape_gives_the_same_bytes(self):
        log = (CONFORMANCE_DATA / "search.log").read_bytes()
        lines = log.splitlines(keepends=True)
        size = len(lines) // 10
        parts = [self.write(f"part{i}.log", b"".join(lines[i * size:(i + 1) * size])) for i in range(10)]
        orders = [parts, parts[::-1], parts[5:] + parts[:5]]
        self.qdedup("import", CONFORMANCE_DATA / "bank.jsonl", state="whole")
        self.qdedup("run", CONFORMANCE_DATA / "search.log", state="whole")
        whole = self.qdedup("export", state="whole").bytes
        for number, order in enumerate(orders):
            state = f"split{number}"
            self.qdedup("import", CONFORMANCE_DATA / "bank.jsonl", state=state)
            for part in itertools.chain(order, order):
                self.qdedup("mine", part, state=state)
            self.qdedup("iterate", state=state)
            self.assertEqual(self.qdedup("export", state=state).bytes, whole)


if __name__ == "__main__":
    main()
