"""The built programs: what makes a defect in them harder to exploit."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = [os.environ.get(name, str(ROOT / "build/release/bin" / name.lower())) for name in ("QDEDUP", "QDEDUPD")]


def said(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout


class Hardening(unittest.TestCase):
    def for_each_program(self, check):
        for program in PROGRAMS:
            with self.subTest(program=program):
                check(program)

    def test_addresses_are_random(self):
        self.for_each_program(lambda program: self.assertRegex(said("readelf", "-hW", program), r"Type: +DYN"))

    def test_relocations_are_resolved_at_the_start_and_then_read_only(self):
        def check(program):
            self.assertRegex(said("readelf", "-dW", program), r"FLAGS_1.*\bNOW\b")
            self.assertIn("GNU_RELRO", said("readelf", "-lW", program))
        self.for_each_program(check)

    def test_no_segment_is_writable_and_executable(self):
        def check(program):
            headers = re.findall(r"^ +(\w+) .* ([R ][W ][E ]) +0x", said("readelf", "-lW", program), re.MULTILINE)
            self.assertIn(("GNU_STACK", "RW "), headers)
            self.assertEqual([header for header in headers if header[1].endswith("WE")], [])
        self.for_each_program(check)

    def test_stacks_and_copies_are_checked(self):
        def check(program):
            imports = said("readelf", "--dyn-syms", "-W", program)
            self.assertIn("__stack_chk_fail", imports)
            self.assertIn("__memcpy_chk", imports)
        self.for_each_program(check)

    @unittest.skipUnless(os.uname().machine == "x86_64", "skipped: another processor")
    def test_control_flow_is_marked(self):
        def check(program):
            self.assertIn("endbr64", said("objdump", "-d", "--no-show-raw-insn", "--disassemble=main", program))
        self.for_each_program(check)


if __name__ == "__main__":
    unittest.main()
