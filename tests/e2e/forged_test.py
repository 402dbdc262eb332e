"""Those who may write the state are trusted with it, and with nothing else: what they lay into its databases is not run, and names no
file that others then open."""

import program
from daemon import Daemon

ENDLESS = "SELECT count(*) FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c)"


class Forged(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.logs = self.folder / "logs"
        self.logs.mkdir()
        self.log = self.logs / "search.log"
        self.log.write_bytes((program.EXAMPLES / "search.log").read_bytes())
        self.qdedup("import", program.EXAMPLES / "bank.jsonl")
        self.qdedup("run", self.log)

    def store(self, state="state"):
        return program.database(self.folder / state / "qdedup.db", isolation_level=None)

    def forge(self, *statements):
        with self.store() as store:
            for statement in statements:
                store.execute(statement)

    def refused(self, *arguments):
        return self.qdedup(*arguments, expect=65).err

    def test_objects_of_others_are_refused(self):
        for made, gone in ((f"CREATE TRIGGER other AFTER INSERT ON decision BEGIN {ENDLESS}; END", "DROP TRIGGER other"),
                           (f"CREATE VIEW other AS {ENDLESS}", "DROP VIEW other"),
                           ("CREATE INDEX other ON deletion (abs(id))", "DROP INDEX other")):
            self.forge(made)
            for command in (["status"], ["verify"], ["review", "approve", "--confidence", "safe"], ["backup", self.folder / "copy"]):
                self.assertIn("has another schema than qdedup makes (CREATE " + made.split()[1] + " other", self.refused(*command))
            self.forge(gone)
            self.qdedup("status")

    def test_objects_cannot_hide(self):
        self.forge("CREATE INDEX other ON decision (id + 1)")
        for hidden in ("INSERT INTO sqlite_schema SELECT type, name, tbl_name, rootpage, NULL FROM sqlite_schema WHERE name = 'decision_deletion'",
                       "UPDATE sqlite_schema SET name = 'sqlite_other', sql = replace(sql, 'other', 'sqlite_other') WHERE name = 'other'"):
            with self.store() as store:
                store.execute("PRAGMA writable_schema = ON")
                store.execute(hidden)
            self.assertIn("has another schema than qdedup makes", self.refused("status"))

    def test_a_running_daemon_writes_nothing_while_they_are_there(self):
        daemon = Daemon(self, self.write("qdedup.toml", f'''
[logs]
paths = ["{self.logs}/*.log"]
[state]
folder = "{self.folder}/state"
'''), wrapper=["sh", "-c", 'WATCHDOG_PID=$$ exec "$@"', "sh"], environment={"WATCHDOG_USEC": "6000000"})
        with self.store() as store:
            version = store.execute("PRAGMA schema_version").fetchone()[0]
        self.forge(f"CREATE TRIGGER other AFTER INSERT ON evidence BEGIN {ENDLESS}; END", f"PRAGMA schema_version = {version}")
        daemon.wait_until_said("nothing is written any more")
        self.assertIn("qdedup.db: has another schema than qdedup makes (CREATE TRIGGER other", daemon.said())
        self.assertEqual(daemon.get("/healthz")[0], 503)
        self.forge("DROP TRIGGER other")
        daemon.wait_until_said("the state is as it should be again")
        with open(self.log, "ab") as log:
            log.write(b"[[1,0.9],[2,0.8]]\n")
        size = self.log.stat().st_size
        with self.store() as store:
            daemon.wait_until(lambda _: store.execute("SELECT max(offset) FROM log").fetchone() == (size,))
        daemon.stop()

    def test_rows_that_no_program_writes_are_damage(self):
        self.forge("PRAGMA foreign_keys = 0", "INSERT INTO rejection VALUES (99, 'x', 3)")
        self.assertIn("a rejection without its log", self.refused("status"))
        self.forge("DELETE FROM rejection WHERE log_id = 99", "INSERT INTO score VALUES (9223372036854775807, 1, 1), (-5, 1, 1)")
        self.assertIn("no such bucket", self.refused("status", "--scores"))

    def test_classes_that_hold_themselves_are_damage(self):
        pairs = self.pairs()
        self.forge("PRAGMA ignore_check_constraints = 1", "UPDATE class_member SET representative = question_id - 1, held_by = question_id")
        self.assertIn("a class holds itself", self.refused("review", "reject", *pairs[0]))

    def test_no_file_is_opened_that_the_state_alone_names(self):
        secret = self.folder / "secret.log"
        secret.write_bytes(b"secret of another user\n")
        right, wrong = (self.guessed(secret, guess) for guess in (b"secret of another user\n", b"secret of another uses\n"))
        self.assertEqual(right, wrong)

    def guessed(self, secret, guess):
        """What becomes of a record that names a file and claims that it begins as was guessed, when another log begins like that."""
        state = "state-" + guess.decode().split()[-1]
        log = self.logs / f"{state}.log"
        log.write_bytes(guess)
        self.qdedup("mine", log, state=state, expect=None)
        known = secret.stat()
        with self.store(state) as store:
            store.execute("UPDATE log SET path = ?, device = ?, inode = ?, born_ns = 0", (str(secret), known.st_dev, known.st_ino))
        log.rename(self.logs / "former")
        log.write_bytes(guess + b"[[1,0.9],[2,0.8]]\n")
        self.qdedup("mine", log, state=state, expect=None)
        with self.store(state) as store:
            return store.execute("SELECT path = ?, offset FROM log ORDER BY id", (str(secret),)).fetchall()


if __name__ == "__main__":
    program.main()
