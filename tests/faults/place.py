"""Where a daemon works during one trial of many: a folder, a config, and what a daemon asks of a test."""

import contextlib
import unittest

import fault  # noqa: F401  pylint: disable=unused-import  (it finds tests/e2e)
from daemon import Daemon


class Place(unittest.TestCase):
    def __init__(self, folder, logs, settings=""):
        super().__init__()
        self.folder = folder
        self.state = folder / "state"
        self.config = folder / "qdedup.toml"
        self.config.write_text(f'''
[logs]
paths = ["{logs}/search.log*"]
[tail]
commit_ms = 5
[schedule]
every = "off"
[state]
folder = "{self.state}"
{settings}''', encoding="utf-8")

    def runTest(self):  # pylint: disable=invalid-name
        """Is none itself."""

    @contextlib.contextmanager
    def daemon(self, **how):
        """A daemon that is gone afterwards."""
        try:
            yield Daemon(self, self.config, **how)
        finally:
            self.doCleanups()
