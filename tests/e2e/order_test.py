"""The deletion list depends on the set of result lists alone: byte by byte the same however the log arrives."""

import random
from program import EXAMPLES, ProgramTest, gzipped, zstandard, main

THREADS = "[resources]\nthreads = {}\n"


class Order(ProgramTest):
    def setUp(self):
        super().setUp()
        self.log = (EXAMPLES / "search.log").read_bytes()
        self.lines = self.log.splitlines(keepends=True)
        self.expected = self.list_of("expected", [EXAMPLES / "search.log"])
        self.assertGreater(self.expected.count(b"\n"), 50)

    def list_of(self, state, logs, config=None):
        self.qdedup("import", EXAMPLES / "bank.jsonl", state=state)
        for log in logs:
            self.qdedup("mine", log, state=state, config=config)
        self.qdedup("iterate", state=state, config=config)
        return self.qdedup("export", state=state).bytes

    def test_gzipped(self):
        log = self.write("search.log.gz", gzipped(self.log))
        self.assertEqual(self.list_of("gz", [log]), self.expected)

    def test_gzipped_in_several_members(self):
        middle = len(self.log) // 2
        log = self.write("search.log.gz", gzipped(self.log[:middle]) + gzipped(self.log[middle:]))
        self.assertEqual(self.list_of("members", [log]), self.expected)

    def test_zstd(self):
        log = self.write("search.log.zst", zstandard(self.log))
        self.assertEqual(self.list_of("zst", [log]), self.expected)

    def test_shuffled_lines(self):
        for seed in range(3):
            shuffled = self.lines[:]
            random.Random(seed).shuffle(shuffled)
            log = self.write(f"shuffled{seed}.log", b"".join(shuffled))
            self.assertEqual(self.list_of(f"shuffled{seed}", [log]), self.expected)

    def test_split_in_ten_files_in_any_order(self):
        size = len(self.lines) // 10 + 1
        parts = [self.write(f"{i}.log", b"".join(self.lines[i * size:(i + 1) * size])) for i in range(10)]
        for seed in range(3):
            random.Random(seed).shuffle(parts)
            self.assertEqual(self.list_of(f"split{seed}", parts), self.expected)

    def test_mined_twice_over(self):
        logs = [EXAMPLES / "search.log"] * 2
        self.assertEqual(self.list_of("twice", logs), self.expected)

    def test_every_line_twice(self):
        log = self.write("double.log", self.log + self.log)
        self.assertEqual(self.list_of("double", [log]), self.expected)

    def test_one_thread_or_more(self):
        for threads in (1, 2, 7):
            config = self.write(f"{threads}.toml", THREADS.format(threads))
            self.assertEqual(self.list_of(f"threads{threads}", [EXAMPLES / "search.log"], config), self.expected)

    def test_bank_in_any_order(self):
        questions = (EXAMPLES / "bank.jsonl").read_bytes().splitlines(keepends=True)
        random.Random(1).shuffle(questions)
        bank = self.write("bank.jsonl", b"".join(questions))
        self.qdedup("import", bank, state="bank")
        self.qdedup("run", EXAMPLES / "search.log", state="bank")
        self.assertEqual(self.qdedup("export", state="bank").bytes, self.expected)


if __name__ == "__main__":
    main()
