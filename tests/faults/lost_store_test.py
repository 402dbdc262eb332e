"""The databases of a daemon that works are moved, replaced or damaged: row 34 of doc/reliability.md."""

import contextlib
import json
import pathlib
import shutil
import sqlite3

import fault
import followed
import program
from daemon import Lease

FILES = ("qdedup.db", "qdedup.db-wal", "qdedup.db-shm")


class LostStore(followed.FollowedTest):
    @contextlib.contextmanager
    def daemon(self):
        """One that looks at its databases every other second, as it would for a systemd that is soon impatient."""
        watched = ["sh", "-c", 'WATCHDOG_PID=$$ exec "$@"', "sh"]
        with self.place.daemon(wrapper=watched, environment={"WATCHDOG_USEC": "6000000"}) as daemon:
            yield daemon

    @contextlib.contextmanager
    def mining_daemon(self):
        """One that has mined the first half of the lines; when it is given back, the rest has been written."""
        self.append(self.lines[:300])
        with self.daemon() as daemon:
            daemon.wait_until_mined(300)
            yield daemon

    def expect_alarm(self, daemon):
        daemon.wait_for("STATUS=nothing is written any more")
        if (self.state / "qdedupd.sock").exists():
            code, trouble = daemon.get("/healthz")
            self.assertEqual(code, 503)
            self.assertIn("nothing is written any more", trouble)
            self.assertEqual(daemon.metric("qdedup_store_usable"), 0)
            for path in ("/api/review/queue", "/api/review/me", "/v1/similar/1"):
                code, answer = daemon.get(path)
                self.assertEqual(code, 503, path)
                self.assertIn(json.loads(answer)["error"], trouble)
        daemon.wait_until_said("critical: nothing is written")
        self.assertEqual(daemon.said().count("critical: nothing is written"), 1)

    def expect_recovery(self, daemon):
        daemon.wait_until(lambda one: one.get("/healthz") == (200, "ok\n"))
        self.assertEqual(daemon.metric("qdedup_store_usable"), 1)
        self.finish(daemon)

    def expect_restart(self, daemon, mined=None):
        """It ends so that systemd starts it again, with so many lines stored; what comes then goes on without a gap."""
        daemon.end(expect=74)
        if mined is not None:
            with contextlib.closing(sqlite3.connect(self.state / "qdedup.db")) as store:
                self.assertEqual(store.execute("SELECT total(lines) FROM log").fetchone()[0], mined)
        with self.daemon() as daemon:
            self.finish(daemon)

    @staticmethod
    def content_of(folder):
        return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir() if path.name in FILES[:2]}

    def test_row_34_moved_away_and_back(self):
        for names in (FILES, ("qdedup.db",), ("bank.db",), ("bank.db", "bank.db-wal", "bank.db-shm", *FILES)):
            with self.case(names=names), self.mining_daemon() as daemon:
                elsewhere = self.folder / "elsewhere"
                elsewhere.mkdir()
                for name in names:
                    (self.state / name).rename(elsewhere / name)
                ghost = self.content_of(elsewhere)
                self.append(self.lines[300:])
                self.expect_alarm(daemon)
                self.assertEqual(self.content_of(elsewhere), ghost)
                for name in names:
                    (elsewhere / name).rename(self.state / name)
                self.expect_recovery(daemon)

    def test_row_34_another_name(self):
        for name in FILES[0], "bank.db":
            with self.case(name=name), self.mining_daemon() as daemon:
                other = self.folder / "other"
                other.hardlink_to(self.state / name)
                self.append(self.lines[300:])
                self.expect_alarm(daemon)
                other.unlink()
                self.expect_recovery(daemon)

    def test_row_34_the_folder_moved_away_and_back(self):
        with self.mining_daemon() as daemon:
            elsewhere = self.state.rename(self.folder / "elsewhere")
            ghost = self.content_of(elsewhere)
            self.append(self.lines[300:])
            self.expect_alarm(daemon)
            self.assertEqual(self.content_of(elsewhere), ghost)
            elsewhere.rename(self.state)
            self.expect_recovery(daemon)

    def test_row_34_nobody_gets_the_lease_of_the_writer_meanwhile(self):
        with self.mining_daemon() as daemon:
            elsewhere = self.folder / "elsewhere"
            elsewhere.mkdir()
            for name in FILES:
                (self.state / name).rename(elsewhere / name)
            self.expect_alarm(daemon)
            said = fault.run("import", program.EXAMPLES / "bank.jsonl", state=self.state, expect=75).err
            self.assertIn("nothing is written any more", said)
            self.assertFalse((self.state / "qdedup.db").exists())
            for name in FILES:
                (elsewhere / name).rename(self.state / name)
            self.append(self.lines[300:])
            self.expect_recovery(daemon)

    def test_row_34_the_folder_moved_away_in_a_turn_is_not_made_anew(self):
        with self.mining_daemon() as daemon:
            lease = Lease(daemon)
            lease.granted()
            turn = lease.turn()
            elsewhere = self.state.rename(self.folder / "elsewhere")
            turn.close()
            while "the state's lock cannot be taken back: " not in daemon.said():
                self.assertFalse(self.state.exists())
                daemon.next_message(patience=0.1)
            elsewhere.rename(self.state)
            lease.close()
            self.append(self.lines[300:])
            self.expect_recovery(daemon)

    def backup_in_between(self):
        """A backup of before half of the lines were written."""
        self.append(self.lines[:100])
        self.mine_with_a_daemon(100)
        backup = self.folder / "backup.db"
        fault.run("backup", backup, state=self.state, expect=0)
        self.append(self.lines[100:300])
        return backup

    def test_row_34_a_backup_in_its_place(self):
        backup = self.backup_in_between()
        with self.daemon() as daemon:
            daemon.wait_until_mined(300)
            for name in FILES:
                (self.state / name).unlink()
            self.append(self.lines[300:])
            self.expect_alarm(daemon)
            shutil.copy(backup, self.state / "new")
            (self.state / "new").rename(self.state / "qdedup.db")
            self.expect_restart(daemon)

    def test_row_34_a_backup_beside_the_wal_of_the_one_before(self):
        backup = self.backup_in_between()
        with self.daemon() as daemon:
            daemon.wait_until_mined(300)
            shutil.copy(backup, self.state / "new")
            (self.state / "new").rename(self.state / "qdedup.db")
            daemon.end(expect=74)
        before = self.content_of(self.state)
        self.assertGreater(len(before["qdedup.db-wal"]), 0)
        for command in ("status", "iterate"):
            self.assertIn("Move -wal and -shm away", fault.run(command, state=self.state, expect=65).err)
        self.assertEqual(self.content_of(self.state), before)
        for name in FILES[1:]:
            (self.state / name).rename(self.folder / name)
        self.append(self.lines[300:])
        self.finish_with_a_new_daemon()

    def test_row_34_its_wal_removed(self):
        with self.mining_daemon() as daemon:
            (self.state / "qdedup.db-wal").unlink()
            self.append(self.lines[300:])
            self.expect_restart(daemon, mined=300)

    def test_row_34_its_wal_removed_with_its_index(self):
        with self.mining_daemon() as daemon:
            for name in FILES[1:]:
                (self.state / name).unlink()
            for command in (["export"], ["status"], ["verify"]):
                self.assertIn("has lost its -shm file while it is in use", fault.run(*command, state=self.state, expect=65).err)
            self.append(self.lines[300:])
            self.expect_restart(daemon, mined=300)

    def test_row_34_its_wal_back_after_the_restart(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        with self.mining_daemon() as daemon:
            for name in FILES[1:]:
                (self.state / name).rename(elsewhere / name)
            daemon.end(expect=74)
        with self.daemon() as daemon:
            self.append(self.lines[300:450])
            daemon.wait_until_mined(450)
            for name in FILES[1:]:
                (elsewhere / name).rename(self.state / name)
            self.append(self.lines[450:])
            self.expect_restart(daemon)

    def test_row_34_its_wal_removed_after_a_lease(self):
        with self.mining_daemon() as daemon:
            fault.run("iterate", state=self.state, expect=0)
            daemon.wait_until_said("has given the lease back")
            for name in FILES[1:]:
                (self.state / name).unlink()
            daemon.end(expect=74)
        self.assertEqual(len(fault.run("iterations", "--json", state=self.state, expect=0).json()), 1)
        self.assertEqual(self.status()["waiting_lists"], 0)

    def test_row_34_its_socket_removed(self):
        with self.mining_daemon() as daemon:
            (self.state / "qdedupd.sock").unlink()
            self.append(self.lines[300:])
            self.expect_restart(daemon)

    def test_row_34_cut_or_zeroed(self):
        for name in ("qdedup.db", "bank.db"):
            for kept in (0, 4096, 0.5):
                with self.case(name=name, kept=kept), self.mining_daemon() as daemon:
                    path = self.state / name
                    content = path.read_bytes()
                    kept = int(kept * len(content)) if isinstance(kept, float) else kept
                    with open(path, "r+b") as database:
                        database.truncate(kept)
                    daemon.wait_for("STATUS=nothing is written any more")
                    self.append(self.lines[300:])
                    with open(path, "r+b") as database:
                        database.write(content)
                    self.expect_recovery(daemon)
            with self.case(name=name), self.mining_daemon() as daemon:
                path = self.state / name
                content = path.read_bytes()
                with open(path, "r+b") as database:
                    database.write(bytes(len(content)))
                self.expect_alarm(daemon)
                with open(path, "r+b") as database:
                    database.write(content)
                self.append(self.lines[300:])
                self.expect_recovery(daemon)


if __name__ == "__main__":
    program.main()
