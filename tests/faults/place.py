"""Where a daemon works during one trial of many: a folder, a config, and what a daemon asks of a test."""

import contextlib
import datetime
import json
import pathlib
import sqlite3
import unittest

import clock
import fault  # noqa: F401  pylint: disable=unused-import  (it finds tests/e2e)
from daemon import Daemon


class Place(unittest.TestCase):
    def __init__(self, folder, logs, settings="", tail=""):
        super().__init__()
        paths = [f"{logs}/search.log*"] if isinstance(logs, pathlib.Path) else logs
        self.folder = folder
        self.state = folder / "state"
        self.config = folder / "qdedup.toml"
        self.config.write_text(f'''
[logs]
paths = {json.dumps(paths)}
[tail]
commit_ms = 5
{tail}
[schedule]
every = "off"
[state]
folder = "{self.state}"
{settings}''', encoding="utf-8")

    def runTest(self):  # pylint: disable=invalid-name
        """Is none itself."""

    def miss_a_slot(self):
        """Has the next daemon run the iteration of a slot that was missed."""
        config = self.config.read_text(encoding="utf-8")
        self.config.write_text(config.replace('every = "off"', 'every = "daily 03:00"'), encoding="utf-8")
        past = clock.Clock(self.folder)
        past.set_by(-datetime.timedelta(days=8).total_seconds())
        with self.daemon(environment=past.environment) as daemon:
            daemon.wait_until(lambda one: self.slots_noted() > 0)
            daemon.stop()

    def slots_noted(self):
        with contextlib.closing(sqlite3.connect(self.state / "qdedup.db")) as store:
            return store.execute("SELECT count(*) FROM slot").fetchone()[0]

    @contextlib.contextmanager
    def daemon(self, **how):
        """A daemon that is gone afterwards."""
        try:
            yield Daemon(self, self.config, **how)
        finally:
            self.doCleanups()
