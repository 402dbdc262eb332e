"""Who may do what with a state: its modes, its members, those who may only read it, and links that lead elsewhere."""

import os
import pathlib
import shutil
import stat
import struct
import subprocess
import unittest

import program
from daemon import QDEDUPD, Daemon
from program import EXAMPLES, QDEDUP, Outcome, ProgramTest

MEMBERS = 60001
READERS = 60002
# Users that every Debian has, and their groups here.
OWNER, ALICE, BOB, READER, STRANGER = "games", "news", "www-data", "backup", "list"
GROUP_OF = {OWNER: MEMBERS, ALICE: MEMBERS, BOB: MEMBERS, READER: READERS, STRANGER: 60003}

PYTHON = "/usr/bin/python3"  # another one may be where these users may not go

POST = """
import http.client, socket, sys
connection = http.client.HTTPConnection("localhost")
connection.sock = socket.socket(socket.AF_UNIX)
connection.sock.connect(sys.argv[1])
connection.request("POST", sys.argv[2], sys.argv[3], {"Content-Type": "application/json"})
print(connection.getresponse().read().decode())
"""

# Opens everything that is there for writing, makes and removes a file, opens the lock; says what it could.
INTRUDE = """
import os, sys
folder = sys.argv[1]
def trial(what, attempt):
    try:
        attempt()
        print(what)
    except PermissionError:
        pass
for name in os.listdir(folder):
    trial(f"wrote to {name}", lambda: os.open(f"{folder}/{name}", os.O_RDWR))
trial("made a file", lambda: os.open(f"{folder}/new", os.O_CREAT | os.O_WRONLY))
trial("removed a file", lambda: os.unlink(f"{folder}/bank.db"))
trial("could lock", lambda: os.open(f"{folder}/lock", os.O_RDONLY))
"""

# A transaction that reads, from "reads" until it may end.
READ = """
import sqlite3, sys
store = sqlite3.connect(f"file:{sys.argv[1]}/qdedup.db?mode=ro", uri=True, isolation_level=None)
store.execute("BEGIN")
store.execute("SELECT count(*) FROM deletion").fetchone()
print("reads", flush=True)
sys.stdin.read()
"""


def acl(readers):
    """A POSIX ACL as its extended attribute: all for the owner and the group, `readers` for the group of readers."""
    user, group, named_group, mask, others, nobody = 0x01, 0x04, 0x08, 0x10, 0x20, 0xFFFFFFFF
    entries = [(user, 7, nobody), (group, 7, nobody), (named_group, readers, READERS), (mask, 7, nobody), (others, 0, nobody)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def mode_of(path):
    return stat.S_IMODE(path.lstat().st_mode)


@unittest.skipUnless(os.geteuid() == 0, "skipped: only root can be several users")
class Users(ProgramTest):
    """A state as the package makes it, of a daemon and its group."""

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        # The sources may be where other users may not go.
        for name, built in (("qdedup", QDEDUP), ("qdedupd", QDEDUPD)):
            shutil.copy(built, self.folder / name)
        self.state = self.folder / "state"
        self.state.mkdir()
        shutil.chown(self.state, OWNER, MEMBERS)
        self.state.chmod(0o2770)
        os.setxattr(self.state, "system.posix_acl_access", acl(readers=5))
        os.setxattr(self.state, "system.posix_acl_default", acl(readers=5))

    def run_as(self, user, *command, stdin=None):
        return Outcome(subprocess.run([str(word) for word in command], user=user, group=GROUP_OF[user], extra_groups=[],
                                      umask=0o022, cwd="/", input=stdin, capture_output=True, check=False))

    def qdedup_as(self, user, *command, expect=0, stdin=None):
        outcome = self.run_as(user, self.folder / "qdedup", "--state", self.state, *command, stdin=stdin)
        self.assertEqual(outcome.code, expect, f"{user}: {command}\n{outcome.out}\n{outcome.err}")
        return outcome

    def python_as(self, user, code, *arguments):
        return self.run_as(user, PYTHON, "-c", code, *arguments)

    def daemon(self):
        config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.state}"\n')
        wrapper = ["setpriv", f"--reuid={OWNER}", f"--regid={MEMBERS}", "--clear-groups", "--"]
        return Daemon(self, config, wrapper=wrapper, program=self.folder / "qdedupd")

    def fill(self, user=ALICE):
        bank = (EXAMPLES / "bank.jsonl").read_bytes()
        self.qdedup_as(user, "import", "--format", "jsonl", "-", stdin=bank)
        self.write("search.log", (EXAMPLES / "search.log").read_bytes()).chmod(0o644)
        self.qdedup_as(user, "run", self.folder / "search.log")

    def deletions(self):
        lines = self.qdedup_as(ALICE, "export", "--format", "tsv").out.splitlines()
        return [line.split("\t")[:3] for line in lines[1:]]

    def audit(self):
        code = ("import sqlite3, sys\n"
                "store = sqlite3.connect(f'file:{sys.argv[1]}/qdedup.db?mode=ro', uri=True)\n"
                "print(*(' '.join(row) for row in store.execute("
                "\"SELECT decided_by, given_name, new_status FROM decision ORDER BY id\")), sep='\\n')")
        return [row for row in self.python_as(ALICE, code, self.state).out.splitlines() if row]

    def test_what_members_make_is_for_all_members(self):
        self.fill(BOB)
        for name in ("qdedup.db", "bank.db", "lock", "qdedup.db-wal", "bank.db-wal", "qdedup.db-shm"):
            with self.subTest(name=name):
                about = (self.state / name).stat()
                self.assertEqual((stat.S_IMODE(about.st_mode), about.st_gid), (0o660, MEMBERS))
        daemon = self.daemon()
        self.assertEqual(mode_of(self.state / "qdedupd.sock"), 0o660)
        self.qdedup_as(ALICE, "import", "--format", "jsonl", "-", stdin=b'{"id":1,"text":"a"}\n')
        daemon.stop()

    def test_two_members_are_two_names(self):
        daemon = self.daemon()
        self.fill()
        (_, first, first_keeper), (iteration, second, keeper), (_, third, third_keeper) = self.deletions()[:3]
        self.qdedup_as(ALICE, "review", "approve", first, first_keeper)
        self.qdedup_as(BOB, "review", "reject", third, third_keeper, "--by", ALICE)
        decision = (f'{{"decisions":[{{"iteration":{iteration},"question":"{second}","keeper":"{keeper}",'
                    '"decision":"reject","seen":"pending","note":""}]}')
        answer = self.python_as(BOB, POST, self.state / "qdedupd.sock", "/api/review/decisions", decision)
        self.assertIn('"code":200', answer.out, answer.err)
        self.assertEqual(self.audit(), [f"{ALICE}  approved", f"{BOB} {ALICE} rejected", f"{BOB}  rejected"])
        daemon.stop()

    def test_a_reader_reads(self):
        daemon = self.daemon()
        self.fill()
        listed = self.qdedup_as(ALICE, "export").bytes

        def expect_readable():
            self.assertEqual(self.qdedup_as(READER, "export").bytes, listed)
            self.qdedup_as(READER, "status")
            self.qdedup_as(READER, "verify")

        expect_readable()
        daemon.kill()
        expect_readable()
        self.daemon().stop()
        expect_readable()

    def test_a_reader_changes_nothing(self):
        daemon = self.daemon()
        self.fill()
        _, question, keeper = self.deletions()[0]
        intruder = self.python_as(READER, INTRUDE, self.state)
        self.assertEqual((intruder.code, intruder.out), (0, ""), intruder.err)
        answer = self.python_as(READER, POST, self.state / "qdedupd.sock", "/api/review/decisions", "{}")
        self.assertIn("PermissionError", answer.err)

        def expect_refused():
            for command in (["review", "approve", question, keeper], ["iterate"], ["export", "--status", "approved"]):
                outcome = self.run_as(READER, self.folder / "qdedup", "--state", self.state, *command)
                self.assertNotEqual(outcome.code, 0, command)
                self.assertIn("Permission denied", outcome.err)

        expect_refused()
        daemon.stop()
        expect_refused()
        self.assertEqual(self.audit(), [])

    def test_a_stranger_reads_nothing(self):
        self.fill()
        for command in (["status"], ["export"], ["iterate"]):
            outcome = self.run_as(STRANGER, self.folder / "qdedup", "--state", self.state, *command)
            self.assertIn(outcome.code, (66, 73), outcome.err)
            self.assertEqual(outcome.out, "")
            self.assertIn("Permission denied", outcome.err)

    def test_a_reader_holds_nobody_up(self):
        daemon = self.daemon()
        self.fill()
        _, question, keeper = self.deletions()[0]
        with subprocess.Popen([PYTHON, "-c", READ, self.state], user=READER, group=READERS, extra_groups=[], cwd="/",
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
            self.assertEqual(reader.stdout.readline(), "reads\n")
            self.qdedup_as(ALICE, "review", "approve", question, keeper)
            self.assertEqual(self.audit(), [f"{ALICE}  approved"])
            reader.stdin.close()
        self.assertEqual(reader.returncode, 0)
        daemon.stop()


class Modes(ProgramTest):
    def import_with_umask(self, umask):
        bank = self.write("bank.jsonl", '{"id":1,"text":"a"}\n')
        subprocess.run([QDEDUP, "--state", self.folder / "new/state", "--quiet", "import", bank], umask=umask, check=True,
                       stdout=subprocess.DEVNULL)

    def modes(self):
        folder = self.folder / "new"
        return {str(path.relative_to(folder)): mode_of(path) for path in sorted(folder.rglob("*"))}

    def test_of_what_is_made_by_hand(self):
        for umask in (0, 0o022, 0o077):
            with self.subTest(umask=oct(umask)):
                self.import_with_umask(umask)
                folder = 0o750 & ~umask
                self.assertEqual(mode_of(self.folder / "new"), folder)
                modes = self.modes()
                self.assertEqual(modes.pop("state"), folder)
                self.assertEqual(modes.pop("state/lock"), 0o600)  # a reader could hold it
                self.assertEqual(set(modes.values()), {0o640}, modes)
                shutil.rmtree(self.folder / "new")

    def test_of_what_a_group_shares(self):
        for umask in (0, 0o022, 0o077):
            with self.subTest(umask=oct(umask)):
                (self.folder / "new/state").mkdir(parents=True)
                (self.folder / "new/state").chmod(0o2770)
                self.import_with_umask(umask)
                modes = self.modes()
                self.assertEqual(modes.pop("state"), 0o2770)
                self.assertEqual(set(modes.values()), {0o660}, modes)
                shutil.rmtree(self.folder / "new")

    def test_a_folder_that_everybody_may_write_to_is_refused(self):
        (self.folder / "state").mkdir()
        for mode in (0o777, 0o1777):
            (self.folder / "state").chmod(mode)
            self.assertIn("chmod o-w", self.qdedup("import", EXAMPLES / "bank.jsonl", expect=73).err)
            self.assertEqual(list((self.folder / "state").iterdir()), [])

    def test_a_folder_that_everybody_may_exchange_is_refused(self):
        for mode, code in ((0o777, 73), (0o1777, 0), (0o775, 0)):
            (self.folder / "shared").mkdir()
            (self.folder / "shared").chmod(mode)
            said = self.qdedup("import", EXAMPLES / "bank.jsonl", state="shared/state", expect=code).err
            self.assertEqual("shared: everybody may write to this folder: chmod o-w it" in said, code == 73, said)
            self.qdedup("import", EXAMPLES / "bank.jsonl", state="shared/below/state", expect=code)
            shutil.rmtree(self.folder / "shared")

    def test_a_folder_that_others_may_exchange_is_not_used_unless_it_is_named(self):
        for mode in (0o777, 0o1777, 0o775):
            for is_there in (False, True):
                place = self.folder / f"{mode:o}{is_there}"
                place.mkdir()
                if is_there:
                    subprocess.run([QDEDUP, "--quiet", "import", EXAMPLES / "bank.jsonl"], cwd=place, check=True)
                before = sorted(place.rglob("*"))
                place.chmod(mode)
                for program in ([QDEDUP, "import", EXAMPLES / "bank.jsonl"], [QDEDUP, "status"], [QDEDUP, "lease", "end"], [QDEDUPD]):
                    done = subprocess.run(program, cwd=place, capture_output=True, text=True, check=False)
                    self.assertEqual((done.returncode, sorted(place.rglob("*"))), (64, before), (program, done.stderr))
                    self.assertIn(f"others may put a folder of theirs in its place, as they may write to {place.resolve()};", done.stderr)
                self.assertEqual(subprocess.run([QDEDUP, "text", EXAMPLES / "bank.jsonl"], cwd=place, capture_output=True,
                                                check=False).returncode, 64 if is_there else 0)

    @unittest.skipUnless(os.geteuid() == 0, "skipped: only root can give a folder away")
    def test_a_folder_of_somebody_else_that_nobody_named_is_not_used(self):
        folder = self.folder / "qdedup-data"
        folder.mkdir()
        shutil.chown(folder, STRANGER)
        unnamed = Outcome(subprocess.run([QDEDUP, "import", EXAMPLES / "bank.jsonl"], cwd=self.folder, capture_output=True,
                                         check=False))
        self.assertEqual((unnamed.code, list(folder.iterdir())), (64, []))
        self.assertIn(f"belongs to the user {STRANGER}", unnamed.err)
        config = self.write("empty.toml", "")
        for program in ([QDEDUP, "--config", config, "import", EXAMPLES / "bank.jsonl"], [QDEDUPD], [QDEDUPD, "--config", config]):
            done = subprocess.run(program, cwd=self.folder, capture_output=True, check=False)
            self.assertEqual((done.returncode, list(folder.iterdir())), (64, []), program)
        named = self.write("named.toml", '[state]\nfolder = "./qdedup-data"\n')
        subprocess.run([QDEDUP, "--config", named, "import", EXAMPLES / "bank.jsonl"], cwd=self.folder, capture_output=True, check=True)
        self.qdedup("import", EXAMPLES / "bank.jsonl", state="qdedup-data")

    def test_of_the_socket(self):
        (self.folder / "state").mkdir()
        config = self.write("qdedup.toml", f'[schedule]\nevery = "off"\n[state]\nfolder = "{self.folder}/state"\n')
        for folder, wanted in ((0o750, 0o640), (0o770, 0o660)):
            (self.folder / "state").chmod(folder)
            daemon = Daemon(self, config)
            self.assertEqual(mode_of(self.folder / "state/qdedupd.sock"), wanted)
            daemon.stop()


class Links(ProgramTest):
    """A member of the group may put links into the folder of the state: nothing is written to where they lead."""

    NAMES = ("qdedup.db", "bank.db", "lock", "qdedup.db-wal", "qdedup.db-shm", "bank.db-wal")

    def expect_refused(self, plant, said):
        self.import_questions({1: "甲乙丙", 2: "甲乙丙"}, state="given")
        bank = self.write("bank.jsonl", '{"id":3,"text":"a"}\n')
        for name in self.NAMES:
            with self.subTest(name=name):
                state = pathlib.Path(shutil.copytree(self.folder / "given", self.folder / "state"))
                target = self.folder / "target"
                if (state / name).exists():
                    (state / name).rename(target)
                else:
                    target.touch()
                plant(state / name, target)
                before = target.read_bytes()
                refused = self.qdedup("import", bank, expect=65)
                self.assertIn(f"{name}: {said}", refused.err)
                self.assertEqual(target.read_bytes(), before)
                target.unlink()
                shutil.rmtree(state)

    def test_symbolic_ones_are_refused(self):
        self.expect_refused(lambda link, target: link.symlink_to(target), "is a symbolic link")

    def test_hard_ones_are_refused(self):
        self.expect_refused(lambda link, target: link.hardlink_to(target), "has another name (a hard link)")

    def test_a_fifo_is_refused(self):
        self.import_questions({1: "甲"})
        (self.folder / "state/lock").unlink()
        os.mkfifo(self.folder / "state/lock")
        self.assertIn("is no regular file", self.qdedup("import", "-", stdin=b"", expect=65).err)

    def test_a_name_without_a_file_is_not_followed(self):
        (self.folder / "state").mkdir()
        for name in ("qdedup.db.new", "bank.db.new"):
            (self.folder / "state" / name).symlink_to(self.folder / "target")
        self.import_questions({1: "甲"})
        self.assertFalse((self.folder / "target").exists())

    def test_the_folder_itself_may_be_one(self):
        self.import_questions({1: "甲"}, state="real")
        (self.folder / "state").symlink_to(self.folder / "real")
        self.import_questions({2: "乙"})
        self.assertEqual(self.qdedup("status", "--json", state="real").json()["questions"], 2)


if __name__ == "__main__":
    program.main()
