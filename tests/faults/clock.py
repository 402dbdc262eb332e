"""A wall clock that a test sets, for one program."""

import pathlib

from fault import program


class Clock:
    def __init__(self, folder):
        self.offset = folder / "clock"
        library = pathlib.Path(program.QDEDUP).with_name("fault_clock.so")
        self.environment = {"LD_PRELOAD": str(library), "FAULT_CLOCK": str(self.offset)}
        self.set_by(0)

    def set_by(self, seconds):
        """From now on the program's clock is wrong by so much."""
        new = self.offset.with_name("clock.new")
        new.write_text(f"{seconds:.0f}\n", encoding="ascii")
        new.rename(self.offset)
