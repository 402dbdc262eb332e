"""Logs that are rotated, cut, compressed, removed: rows 9 to 18 of doc/reliability.md."""

import gzip
import os
import random
import shutil
import signal
import subprocess
import zlib

import fault
import followed
import program


class Rotated(followed.FollowedTest):
    def test_row_09_renamed_while_half_a_line_is_written(self):
        with self.place.daemon() as daemon:
            log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            os.write(log, b"".join(self.lines[:100]) + self.lines[100][:15])
            daemon.wait_until_mined(100)
            self.rotate("create")
            self.append(self.lines[101:])
            daemon.wait_until_mined(len(self.lines) - 1)
            os.write(log, self.lines[100][15:])
            os.close(log)
            self.finish(daemon)
        self.assertEqual(self.losses(), [])

    def test_row_10_rotated_several_times_while_the_daemon_was_down(self):
        self.append(self.lines[:50])
        self.mine_with_a_daemon(50)
        for begin in range(50, 600, 50):
            self.append(self.lines[begin:begin + 25])
            self.rotate("create\n  compress\n  delaycompress")
            self.append(self.lines[begin + 25:begin + 50])
        self.finish_with_a_new_daemon()
        self.assertEqual(self.losses(), [])

    def test_row_11_rotated_with_unread_bytes(self):
        with self.place.daemon() as daemon:
            self.append(self.lines[:10])
            daemon.wait_until_mined(10)
            daemon.signal(signal.SIGSTOP)
            with open(self.log, "ab", buffering=0) as old:
                old.write(b"".join(self.lines[10:300]))
                self.rotate("create")
                self.rotate("create")
                self.append(self.lines[300:400])
                old.write(b"".join(self.lines[400:500]))
                daemon.signal(signal.SIGCONT)
                daemon.wait_until_mined(500)
                old.write(b"".join(self.lines[500:]))
            self.finish(daemon)
        self.assertEqual(self.losses(), [])

    def cut_to(self, size, kept):
        """Copies and cuts the log of `kept` lines, and has as many bytes of the lines after that written as `size` says.
        Answers how many lines that were."""
        shutil.copy(self.log, self.logs_folder / "search.log.1")
        os.truncate(self.log, 0)
        lines = self.lines[kept:kept + 10]
        lines[-1] = lines[-1][:-1] + b" " * max(0, size - sum(map(len, lines))) + b"\n"
        self.append(lines)
        self.assertEqual(self.log.stat().st_size, max(size, sum(map(len, lines))))
        return kept + len(lines)

    def copytruncate(self, size_of, daemon_works):
        self.append(self.lines[:100])
        with self.place.daemon() as daemon:
            daemon.wait_until_mined(100)
            if not daemon_works:
                daemon.stop()
            else:
                daemon.signal(signal.SIGSTOP)
            written = self.cut_to(size_of(self.log.stat().st_size), kept=100)
            if daemon_works:
                daemon.signal(signal.SIGCONT)
                daemon.wait_until_mined(written)
                daemon.stop()
        with self.place.daemon() as daemon:
            self.append(self.lines[written:])
            self.finish(daemon)
            self.assertTrue(self.losses(), daemon.said())

    def test_row_12_copytruncate(self):
        sizes = {"smaller": lambda size: 0, "equal": lambda size: size, "larger": lambda size: size + 1000}
        for name, size_of in sizes.items():
            for daemon_works in (False, True):
                with self.case(size=name, daemon_works=daemon_works):
                    self.copytruncate(size_of, daemon_works)

    def test_row_12_copytruncate_by_logrotate(self):
        chance = random.Random(12)
        with self.place.daemon() as daemon:
            for begin in range(0, 600, 50):
                self.append(self.lines[begin:begin + 50])
                daemon.wait_until_mined(begin + 50)
                if chance.random() < 0.6:
                    self.rotate("copytruncate\n  compress\n  delaycompress")
            self.finish(daemon)
        self.assertTrue(self.losses())

    def test_row_13_a_writer_that_goes_on_where_it_was_in_a_file_that_was_cut(self):
        with self.place.daemon() as daemon, open(self.log, "wb", buffering=0) as log:
            log.write(b"".join(self.lines[:200]))
            daemon.wait_until_mined(200)
            hole = log.tell()
            self.rotate("copytruncate")
            log.write(b"".join(self.lines[200:]))
            self.finish(daemon)
        self.assertEqual(self.status()["mined"]["nul_bytes"], hole)

    def test_row_14_an_inode_is_used_again(self):
        self.append(self.lines[:300])
        self.mine_with_a_daemon(300)
        inode = self.log.stat().st_ino
        self.log.unlink()
        others = []
        for number in range(1000):
            path = self.logs_folder / f"other{number}"
            path.touch()
            others.append(path)
            if path.stat().st_ino == inode:
                path.rename(self.log)
                break
        else:
            self.skipTest(f"the file system of {self.folder} does not use inodes again")
        self.append(self.lines[300:])
        self.finish_with_a_new_daemon()

    def rotate_into_the_first_inode(self):
        """Rotates until the log has the inode that a generation before it had, which is packed and removed by then."""
        if subprocess.run(["stat", "-c", "%W", self.log], capture_output=True, check=True).stdout == b"0\n":
            self.skipTest(f"the file system of {self.folder} does not tell when a file was born")
        inode = self.log.stat().st_ino
        for _ in range(20):
            self.rotate("create\n  compress\n  delaycompress")
            if self.log.stat().st_ino == inode:
                return
        self.skipTest(f"the file system of {self.folder} does not use inodes again")

    def test_row_14_rotated_into_an_inode_that_was_mined(self):
        for with_daemon in (True, False):
            with self.case(with_daemon=with_daemon):
                self.append(self.lines[:300])
                self.mine_with_a_daemon(300)
                self.rotate_into_the_first_inode()
                self.append(self.lines[300:])
                if with_daemon:
                    self.finish_with_a_new_daemon()
                else:
                    fault.run("run", *sorted(self.logs_folder.iterdir()), state=self.state, expect=0)
                    self.expect_undisturbed(self.state, len(self.lines))
                self.assertEqual(self.losses(), [])

    def test_row_15_half_read_then_compressed(self):
        for name, packed in ((".gz", program.gzipped), (".zst", program.zstandard)):
            for daemon_works in (False, True):
                with self.case(name=name, daemon_works=daemon_works):
                    self.append(self.lines[:250])
                    with self.place.daemon() as daemon:
                        daemon.wait_until_mined(250)
                        daemon.signal(signal.SIGSTOP if daemon_works else signal.SIGTERM)
                        if not daemon_works:
                            daemon.end()
                        self.append(self.lines[250:500])
                        (self.logs_folder / f"search.log.1{name}").write_bytes(packed(self.log.read_bytes()))
                        self.log.unlink()
                        self.append(self.lines[500:])
                        if daemon_works:
                            daemon.signal(signal.SIGCONT)
                            self.finish(daemon)
                    if not daemon_works:
                        self.finish_with_a_new_daemon()
                    if daemon_works:
                        self.assertEqual(self.losses(), [])


class Compressed(followed.FollowedTest):
    """Row 16: each of these stands beside a log that goes on."""

    def problems(self, daemon):
        return {os.path.basename(problem["path"]): problem["reason"] for problem in daemon.status()["log_problems"]}

    def test_row_16_that_grows(self):
        for name, packed in (("search.log.1.gz", program.gzipped), ("search.log.1.zst", program.zstandard)):
            with self.case(name=name), self.place.daemon() as daemon:
                content = packed(b"".join(self.lines[:300]))
                self.append([content[:1000]], self.logs_folder / name)
                self.append(self.lines[300:])
                self.until(daemon, lambda at=daemon: at.status()["incomplete_logs"])
                self.append([content[1000:]], self.logs_folder / name)
                self.finish(daemon)

    def test_row_16_that_is_cut_for_good(self):
        with self.place.daemon() as daemon:
            whole = gzip.compress(b"".join(self.lines[:300]), mtime=0)
            cut = self.logs_folder / "search.log.1.gz"
            cut.write_bytes(whole[:-300])
            self.append(self.lines[300:])
            self.until(daemon, lambda: daemon.status()["incomplete_logs"] or self.problems(daemon))
            daemon.wait_until_mined(300)
            cut.write_bytes(whole)
            self.finish(daemon)

    def test_row_16_with_a_bad_checksum(self):
        for name, packed in (("search.log.1.gz", program.gzipped), ("search.log.1.zst", program.zstandard)):
            with self.case(name=name), self.place.daemon() as daemon:
                damaged = bytearray(packed(b"".join(self.lines[:300])))
                damaged[-8 if name.endswith(".gz") else -1] ^= 0x55
                (self.logs_folder / name).write_bytes(damaged)
                self.append(self.lines[300:])
                self.until(daemon, lambda at=daemon: name in self.problems(at))
                self.assertIn("damaged", self.problems(daemon)[name])
                (self.logs_folder / name).write_bytes(packed(b"".join(self.lines[:300])))
                self.finish(daemon)

    def test_row_16_of_several_members(self):
        members = [gzip.compress(b"".join(self.lines[begin:begin + 7]), mtime=0) for begin in range(0, 600, 7)]
        (self.logs_folder / "search.log.1.gz").write_bytes(b"".join(members))
        self.finish_with_a_new_daemon()

    def test_row_16_that_unpacks_to_a_thousand_times_its_size(self):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        bomb = b"".join([packer.compress(b" " * (1 << 20) + b"\n") for _ in range(300)] + [packer.flush()])
        (self.logs_folder / "search.log.1.gz").write_bytes(bomb)
        self.assertGreater(300 << 20, 900 * len(bomb))
        with self.place.daemon() as daemon:
            self.append(self.lines)
            daemon.wait_until_mined(len(self.lines) + 300)
            self.expect_memory_below(200, self.peak_of(daemon.process))
            self.finish(daemon, len(self.lines) + 300)


class Named(followed.FollowedTest):
    def test_row_17_logs_that_begin_with_the_same_bytes_and_empty_ones(self):
        for name in ("search.log.a", "search.log.b", "search.log.c"):
            (self.logs_folder / name).touch()
        with self.place.daemon() as daemon:
            self.append(self.lines[:100], self.logs_folder / "search.log.a")
            self.append(self.lines[:60], self.logs_folder / "search.log.b")
            self.append(self.lines[100:400], self.logs_folder / "search.log.b")
            self.append(self.lines[400:])
            self.finish(daemon, len(self.lines) + 60)

    def test_row_18_removed_while_open(self):
        with self.place.daemon() as daemon:
            self.append(self.lines[:100])
            daemon.wait_until_mined(100)
            daemon.signal(signal.SIGSTOP)
            self.append(self.lines[100:400])
            self.log.unlink()
            daemon.signal(signal.SIGCONT)
            daemon.wait_until_mined(400)
            self.append(self.lines[400:])
            self.finish(daemon)

    def test_row_18_the_folder_goes_and_comes_back(self):
        with self.place.daemon() as daemon:
            self.append(self.lines[:100])
            daemon.wait_until_mined(100)
            shutil.rmtree(self.logs_folder)
            self.assertEqual(daemon.get("/healthz")[0], 200)
            self.logs_folder.mkdir()
            self.append(self.lines[100:])
            self.finish(daemon)


if __name__ == "__main__":
    program.main()
