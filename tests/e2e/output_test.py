"""Where outputs go: never onto a file of a state, and whole or not at all, whoever planted or left what."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import threading
import unittest

import program

ACL = "system.posix_acl_access"
from daemon import QDEDUPD
from program import EXAMPLES, SAMPLE_LOGS, ProgramTest, main


class Output(ProgramTest):
    def setUp(self):
        super().setUp()
        self.qdedup("import", EXAMPLES / "bank.jsonl")
        self.qdedup("run", *SAMPLE_LOGS)
        self.state = self.folder / "state"

    def content(self, state=None):
        return {path.name: path.read_bytes() for path in (state or self.state).iterdir()
                if path.suffix in (".db", ".csv") or path.name == "lock"}

    def expect_refused(self, target, why):
        before = self.content()
        for command in (["export", "-o", target], ["export", "--undo", "-o", target], ["export", "--classes", "-o", target],
                        ["backup", "--force", target], ["backup", "--force", self.folder / "good.db", "--bank", target]):
            with self.subTest(command=command):
                self.assertIn(why, self.qdedup(*command, expect=73).err)
                self.assertEqual(self.content(), before)
        self.assertFalse((self.folder / "good.db").exists())

    def test_a_file_of_the_state_by_its_name(self):
        for name in ("qdedup.db", "bank.db", "bank.db-wal", "qdedup.db-shm", "qdedup.db-journal", "lock", "qdedupd.sock",
                     "bank.db.new", "bank.db.new-journal"):
            self.expect_refused(self.state / name, "of the state")
        self.qdedup("export", "-o", self.state / "locked.csv")

    def test_a_file_of_the_state_by_a_link(self):
        (self.folder / "symlink").symlink_to(self.state / "bank.db")
        (self.folder / "there").symlink_to(self.state)
        for target in ("symlink", "there/bank.db", "there/../state/bank.db"):
            self.expect_refused(self.folder / target, "of the state")

    def test_a_file_of_the_state_by_a_hard_link(self):
        (self.folder / "hardlink.csv").hardlink_to(self.state / "bank.db")
        before = self.content()
        for command, said, code in ((["export", "-o"], "has another name", 65), (["backup", "--force"], "is bank.db of the state", 73)):
            self.assertIn(said, self.qdedup(*command, "hardlink.csv", expect=code).err)
        self.assertEqual(self.content(), before)

    def test_a_file_of_the_state_by_a_descriptor(self):
        with (self.state / "bank.db").open("rb+") as bank:
            before = self.content()
            for target in (f"/proc/self/fd/{bank.fileno()}", f"/dev/fd/{bank.fileno()}"):
                done = subprocess.run([program.QDEDUP, "--state", self.state, "export", "-o", target], pass_fds=[bank.fileno()],
                                      capture_output=True, check=False)
                self.assertEqual(done.returncode, 73, done.stderr)
            done = subprocess.run([program.QDEDUP, "--state", self.state, "export"], stdout=bank, stderr=subprocess.PIPE,
                                  check=False)
            self.assertEqual(done.returncode, 73, done.stderr)
            self.assertEqual(self.content(), before)

    def test_no_journal_goes_into_a_file_of_a_state(self):
        before = self.content()
        for name in ("qdedup.db", "bank.db"):
            for words in (["--state", self.folder / "none"], ["--version"], ["--bad"]):
                with (self.state / name).open("ab") as file:
                    done = subprocess.run([QDEDUPD, *words], stdout=file, stderr=file, check=False)
                self.assertEqual(done.returncode, 73)
        self.assertEqual(self.content(), before)

    def test_a_file_of_another_state(self):
        other = shutil.copytree(self.state, self.folder / "other")
        for name in ("qdedup.db", "bank.db"):
            self.expect_refused(other / name, "of the state")
        (other / "bank.db").unlink()
        self.expect_refused(other / "bank.db", "would be bank.db of the state")

    def test_a_list_takes_the_place_of_no_database(self):
        self.qdedup("backup", "copy.db")
        before = (self.folder / "copy.db").read_bytes()
        self.assertIn("is a database", self.qdedup("export", "-o", "copy.db", expect=73).err)
        self.assertEqual((self.folder / "copy.db").read_bytes(), before)

    def test_no_list_is_written_beside_a_folder(self):
        self.qdedup("export", "--status", "approved", "-o", self.state / ".", expect=73)
        self.assertFalse((self.state / "..undo.jsonl").exists())

    def test_a_place_in_the_folder_of_the_state_is_as_good_as_any(self):
        self.qdedup("export", "-o", self.state / "list.csv")
        self.qdedup("export", "-o", self.state / "list.csv")
        self.assertTrue((self.state / "list.csv").read_bytes().startswith(b"\xef\xbb\xbfiteration"))

    def kill_while_it_writes(self, *command):
        """Leaves what it has written so far, under whatever name."""
        traced = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=rename,link,linkat",
                  "-e", "inject=rename,link,linkat:signal=KILL:when=1", program.QDEDUP, "--state", self.state, *command]
        done = subprocess.run(traced, capture_output=True, check=False)
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)

    @program.without_sanitizers("no program is traced")
    def test_what_a_killed_one_left_is_removed_by_the_next(self):
        if shutil.which("strace") is None:
            self.skipTest("strace is not installed")
        for command, name in ((["export", "-o"], "list.csv"), (["backup", "--force"], "copy.db")):
            others = self.write(f"{name}.part-of-mine", "mine")
            for _ in range(2):
                self.kill_while_it_writes(*command, self.folder / name)
            self.assertEqual(len(list(self.folder.glob(f"{name}*"))), 2)
            self.qdedup(*command, self.folder / name)
            self.assertEqual(sorted(self.folder.glob(f"{name}*")), [self.folder / name, others])

    def test_a_folder_that_is_no_draft_keeps_what_it_holds(self):
        """Another one who may write here could have given it that name."""
        folder = self.folder / "list.csv.part-0123456789abcdef"
        folder.mkdir(0o700)
        for name in ("draft", "list.csv"):
            (folder / name).touch()
        self.qdedup("export", "-o", self.folder / "list.csv")
        self.assertEqual(sorted(path.name for path in folder.iterdir()), ["draft", "list.csv"])

    @program.without_sanitizers("no program is traced")
    def test_the_names_of_new_folders_are_synced(self):
        if shutil.which("strace") is None:
            self.skipTest("strace is not installed")
        trace = self.folder / "trace"
        subprocess.run(["strace", "-f", "-y", "-qq", "-o", trace, "-e", "trace=mkdir,fsync", program.QDEDUP, "--state", "new/deep",
                        "import", EXAMPLES / "bank.jsonl"], cwd=self.folder, check=True, capture_output=True)
        calls = re.findall(r'(mkdir)\("(.*?)"|(fsync)\(\d+<(.*?)>', trace.read_text())
        told = [call[:2] if call[0] else call[2:] for call in calls]
        here = str(self.folder.resolve())
        self.assertEqual(told[:4], [("mkdir", "new"), ("fsync", here), ("mkdir", "new/deep"), ("fsync", f"{here}/new")])

    def test_a_closed_descriptor_is_no_file_of_the_state(self):
        self.import_questions({1: "甲"})
        lock = self.folder / "state/lock"
        lock.write_bytes(b'{"id":77,"text":"x"}\n')
        self.write("bad.jsonl", "{\n")
        for command, code in (("import --format jsonl - <&-", 74), ("import bad.jsonl 2>&-", 0), ("status >&-", 74)):
            with self.subTest(command):
                done = subprocess.run(["sh", "-c", f'exec "$0" --state state {command}', program.QDEDUP], cwd=self.folder,
                                      capture_output=True, check=False)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(lock.read_bytes(), b'{"id":77,"text":"x"}\n')
        self.qdedup("explain", 1, 77, expect=66)

    def test_a_planted_link_is_not_followed(self):
        victim = self.write("victim", "precious")
        # What older programs took for their draft: the process's own number, which the shell has before exec.
        for command in ('export -o "$1/list.csv"', 'backup "$1/copy.db"'):
            name = "list.csv" if "list" in command else "copy.db"
            planted = f'ln -s "$1/victim" "$1/{name}.part-$$"; exec "$0" --state "$1/state" {command}'
            subprocess.run(["sh", "-c", planted, program.QDEDUP, self.folder], check=True, capture_output=True)
            self.assertEqual(victim.read_text(), "precious")
            self.assertTrue((self.folder / name).is_file() and not (self.folder / name).is_symlink())

    def swap_drafts(self, victim, stop):
        """As a member of the group could: each draft's folder becomes a link to `victim`'s."""
        while not stop.is_set():
            for name in os.listdir(self.folder):
                if ".part-" in name:
                    os.symlink(victim, self.folder / "link")
                    with contextlib.suppress(OSError):  # where it is over by now
                        os.rename(self.folder / name, self.folder / "aside")
                        os.rename(self.folder / "link", self.folder / name)
                        os.rename(self.folder / name, self.folder / "link")
                        os.rename(self.folder / "aside", self.folder / name)
                    (self.folder / "link").unlink(missing_ok=True)

    def test_a_draft_that_is_swapped_for_a_link_leads_nowhere(self):
        victim = self.folder / "victim"
        victim.mkdir()
        (self.folder / "list.csv").touch(mode=0o644)
        stop = threading.Event()
        swapper = threading.Thread(target=self.swap_drafts, args=(victim, stop))
        swapper.start()
        try:
            for _ in range(15):
                for command in (["export", "-o", "list.csv"], ["backup", "--force", "copy.db"]):
                    done = subprocess.run([program.QDEDUP, "--state", self.state, *command], cwd=self.folder,
                                          capture_output=True, check=False)
                    self.assertIn(done.returncode, (0, 73), done.stderr)
                    self.assertEqual(list(victim.iterdir()), [])
                    if done.returncode == 0:
                        self.assertGreater((self.folder / command[-1]).stat().st_size, 100)
        finally:
            stop.set()
            swapper.join()

    @unittest.skipIf(os.geteuid() != 0, "needs root, to be somebody else")
    def test_nobody_else_can_look_into_a_draft(self):
        """Not even where the folder of the output is open to all: what SQLite fills is never in it."""
        folder = self.folder / "open"
        folder.mkdir()
        folder.chmod(0o777)
        traced = ["strace", "-f", "-qq", "-o", self.folder / "trace", "-e", "trace=open,openat", program.QDEDUP, "--state",
                  self.state]
        for command in (["export", "-o", folder / "list.csv"], ["backup", folder / "copy.db"]):
            subprocess.run([*traced, *command], check=True, capture_output=True)
            made = re.findall(r'"([^"]*)", [^)]*O_CREAT', (self.folder / "trace").read_text())
            drafts = [path for path in made if re.fullmatch(r"/proc/self/fd/\d+/[a-z.]+\.part-[0-9a-hjkmnp-tv-z]{16}", path)]
            self.assertTrue(drafts, made)
            self.assertFalse([path for path in made if "/open/" in path], made)

    @unittest.skipIf(os.geteuid() != 0, "needs root, to be somebody else")
    def test_a_file_or_pipe_of_somebody_else_takes_nothing(self):
        theirs = self.write("list.csv", "")
        os.chown(theirs, 1, 1)
        theirs.chmod(0o666)
        self.qdedup("export", "-o", theirs)
        self.assertEqual((theirs.stat().st_uid, theirs.stat().st_mode & 0o777), (0, 0o600))
        os.mkfifo(self.folder / "pipe")
        os.chown(self.folder / "pipe", 1, 1)
        with open(os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
            self.assertIn("a pipe or device of daemon", self.qdedup("export", "-o", self.folder / "pipe", expect=73).err)
            self.assertEqual(reader.read(), b"")

    def test_who_may_not_read_the_file_that_is_replaced_may_not_read_the_draft(self):
        target = self.folder / "list.csv"
        target.touch()
        os.chown(target, -1, 1 if os.geteuid() == 0 else os.getegid())
        target.chmod(0o640)
        traced = ["strace", "-qq", "-o", self.folder / "trace", "-e", "trace=mkdir", program.QDEDUP, "--state", self.state,
                  "export", "-o", target]
        before = target.stat()
        subprocess.run(traced, check=True, capture_output=True)
        self.assertRegex((self.folder / "trace").read_text(), r"\.part-[0-9a-hjkmnp-tv-z]{16}\", 0700\)")
        after = target.stat()
        self.assertNotEqual(after.st_ino, before.st_ino)
        self.assertEqual((after.st_gid, after.st_mode), (before.st_gid, before.st_mode))

    @unittest.skipIf(os.geteuid() != 0, "needs root, to give a file to another group")
    def test_a_file_that_is_replaced_keeps_its_group_and_its_acl(self):
        for write in (["export", "-o"], ["backup", "--force"]):
            target = self.write("replaced", "")
            os.chown(target, -1, 1)
            os.setxattr(target, ACL, self.acl())
            self.qdedup(*write, target)
            self.assertGreater(target.stat().st_size, 0)
            self.assertEqual(os.getxattr(target, ACL), self.acl())
            self.assertEqual((target.stat().st_gid, target.stat().st_mode & 0o777), (1, 0o640))
            target.unlink()

    @staticmethod
    def acl():
        nobody = 0xFFFFFFFF
        entries = [(1, 6, nobody), (2, 4, 1234), (4, 0, nobody), (0x10, 4, nobody), (0x20, 0, nobody)]  # user, one user, group, mask, others
        return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)

    @unittest.skipIf(os.geteuid() != 0, "needs root, to give a file to another group")
    def test_where_others_may_put_files_nothing_is_taken_over(self):
        """They may have put another file of the same user there, which more people may read."""
        folder = self.folder / "open"
        folder.mkdir()
        for of_folder, mode, group, umask, expected in ((0o775, 0o644, 0, "077", 0o600), (0o1777, 0o644, 0, "077", 0o600),
                                                        (0o775, 0o640, 0, "022", 0o640), (0o775, 0o640, 1, "022", 0o600)):
            folder.chmod(of_folder)
            target = self.write("open/list.csv", "")
            target.chmod(mode)
            os.chown(target, -1, group)
            subprocess.run(["sh", "-c", f'umask {umask}; exec "$0" --state "$1" export -o "$2"', program.QDEDUP, self.state, target],
                           check=True, capture_output=True)
            self.assertEqual((target.stat().st_gid, target.stat().st_mode & 0o777), (0, expected))
            target.unlink()
        target = self.write("open/list.csv", "")
        os.setxattr(target, ACL, self.acl())
        self.qdedup("export", "-o", target)
        self.assertEqual(target.stat().st_mode & 0o777, 0o600)

    def plant_a_link(self, undo, stop):
        """Once the new undo list is being written, the old one becomes a link to the store."""
        while not any(name.startswith(undo.name + ".part-") for name in os.listdir(self.folder)):
            if stop.is_set():
                return
        undo.rename(self.folder / "aside")
        undo.symlink_to(self.state / "qdedup.db")

    def test_what_is_kept_is_not_looked_up_again(self):
        self.qdedup("review", "approve", "--confidence", "safe")
        undo = self.write("list.csv.undo.jsonl", '{"id":1,"text":"that the new list lacks"}\n')
        stop = threading.Event()
        planter = threading.Thread(target=self.plant_a_link, args=(undo, stop))
        planter.start()
        try:
            subprocess.run(["strace", "-qq", "-o", "/dev/null", "-e", "inject=flock:delay_enter=500000", program.QDEDUP, "--state",
                            self.state, "export", "--status", "approved", "-o", self.folder / "list.csv"], check=True,
                           capture_output=True)
        finally:
            stop.set()
            planter.join()
        self.assertEqual((self.state / "qdedup.db").stat().st_nlink, 1)
        self.assertFalse(undo.is_symlink())
        self.qdedup("status")

    @unittest.skipIf(os.geteuid() != 0, "needs root, to make somebody else's link")
    def test_no_output_goes_through_a_link_of_somebody_else(self):
        victim = self.write("victim", "precious")
        (self.folder / "folder").mkdir()
        for name, target in (("list.csv", "victim"), ("to-folder", "folder"), ("chain.csv", "list.csv")):
            (self.folder / name).symlink_to(target)
            if name != "chain.csv":
                os.lchown(self.folder / name, 1, 1)
        for output in ("list.csv", "to-folder/list.csv", "chain.csv"):
            for command in (["export", "-o"], ["backup", "--force"]):
                self.assertIn("a link of daemon", self.qdedup(*command, self.folder / output, expect=73).err)
        self.assertEqual(victim.read_text(), "precious")
        self.assertEqual(list((self.folder / "folder").iterdir()), [])

    def swap_folders(self, victim, stop):
        """As a member of the group could: the folder of the output becomes a link to `victim`, and a folder again."""
        os.symlink(victim, self.folder / "link")
        os.lchown(self.folder / "link", 1, 1)
        while not stop.is_set():
            for old, new in (("lists", "aside"), ("link", "lists"), ("lists", "link"), ("aside", "lists")):
                os.rename(self.folder / old, self.folder / new)

    @unittest.skipIf(os.geteuid() != 0, "needs root, to make somebody else's link")
    def test_a_folder_that_is_swapped_for_a_link_leads_nowhere(self):
        victim = self.folder / "victim"
        victim.mkdir()
        (self.folder / "lists").mkdir()
        stop = threading.Event()
        swapper = threading.Thread(target=self.swap_folders, args=(victim, stop))
        swapper.start()
        try:
            for _ in range(40):
                for command in (["export", "-o", "lists/list.csv"],
                                ["backup", "--force", "lists/copy.db", "--bank", "lists/bank.db"]):
                    done = subprocess.run([program.QDEDUP, "--state", self.state, *command], cwd=self.folder,
                                          capture_output=True, check=False)
                    self.assertIn(done.returncode, (0, 73), done.stderr)
                    self.assertEqual(list(victim.iterdir()), [])
        finally:
            stop.set()
            swapper.join()

    def test_a_pipe_and_a_device_take_an_output(self):
        os.mkfifo(self.folder / "pipe")
        listed = self.qdedup("export").bytes
        with subprocess.Popen(["cat", self.folder / "pipe"], stdout=subprocess.PIPE) as reader:
            self.qdedup("export", "-o", self.folder / "pipe")
            self.assertEqual(reader.communicate()[0], listed)
        for target in ("/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"):
            self.assertEqual(self.qdedup("export", "-o", target).bytes, listed)
        self.qdedup("export", "-o", "/dev/null")
        (self.folder / "null").symlink_to("/dev/null")
        self.qdedup("export", "-o", self.folder / "null")
        self.assertTrue((self.folder / "null").is_symlink())

    def test_no_command_writes_to_a_file_of_the_state_through_its_standard_output(self):
        for name in ("qdedup.db", "bank.db", "qdedup.db-wal"):
            for stream in ("stdout", "stderr"):
                before = (self.state / name).read_bytes()
                for words in (["--state", self.state, "status"], ["nonsense"], ["--help"], ["--version"], ["explain", "1"]):
                    with (self.state / name).open("r+b") as out:
                        done = subprocess.run([program.QDEDUP, *words], check=False, **{stream: out})
                    self.assertEqual(done.returncode, 73, (name, stream, words))
                    self.assertEqual((self.state / name).read_bytes(), before)

    @staticmethod
    def all_of(leader):
        """What was written to a terminal that nobody has open any more."""
        seen = b""
        with contextlib.suppress(OSError):  # EIO at the end
            while piece := os.read(leader, 65536):
                seen += piece
        os.close(leader)
        return seen.decode()

    def test_a_terminal_gets_no_control_characters(self):
        self.import_questions({1: "甲\x1b[2J乙丙丁戊\u202e己庚", 2: "甲\x1b[2J乙丙丁戊\u202e己庚"}, state="odd")
        self.qdedup("sweep", state="odd")
        for command in (["export"], ["export", "-o", "/dev/stdout"], ["export", "--format", "tsv"], ["explain", "1", "2"], ["export", "--iteration", "9\x1b]0;x"]):
            with self.subTest(command=command):
                leader, terminal = os.openpty()
                subprocess.run([program.QDEDUP, "--state", self.folder / "odd", *command], check=False, stdout=terminal, stderr=terminal)
                os.close(terminal)
                seen = self.all_of(leader)
                self.assertRegex(seen, r"\\x1b(\[2J|\]0;x)")
                self.assertFalse(set(seen) & {"\x1b", "\u202e"})
        self.assertIn(b"\x1b[2J", self.qdedup("export", state="odd").bytes)

    def test_the_link_that_an_output_goes_through_stays(self):
        (self.folder / "lists").mkdir()
        link = self.folder / "latest.csv"
        self.write("lists/today.csv", "")
        link.symlink_to("lists/today.csv")
        self.qdedup("export", "-o", link)
        self.assertEqual(os.readlink(link), "lists/today.csv")
        self.assertGreater(pathlib.Path(self.folder / "lists/today.csv").stat().st_size, 0)
        copy = self.folder / "latest.db"
        copy.symlink_to("lists/today.db")
        self.qdedup("backup", copy)
        self.assertIn("File exists", self.qdedup("backup", copy, expect=73).err)
        self.qdedup("backup", "--force", copy)
        self.assertEqual(os.readlink(copy), "lists/today.db")
        self.assertTrue((self.folder / "lists/today.db").read_bytes().startswith(b"SQLite format 3"))


if __name__ == "__main__":
    main()
