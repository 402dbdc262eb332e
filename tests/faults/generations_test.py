"""Logs whose packed generations are damaged, or hold less than was mined of them: rows 30 and 31 of doc/reliability.md."""

import gzip
import os
import pathlib
import random

import fault
import followed
import program


def flipped(content, position):
    damaged = bytearray(content)
    damaged[position] ^= 0x55
    return bytes(damaged)


class Damaged(followed.FollowedTest):
    """Row 30."""

    def problems(self, daemon):
        return [os.path.basename(problem["path"]) for problem in daemon.status()["log_problems"]]

    def test_row_30_a_good_copy_comes_after_one_with_a_bad_checksum(self):
        content = b"".join(self.lines[:300])
        for name, packed, place in (("search.log.1.gz", program.gzipped, -8), ("search.log.1.zst", program.zstandard, -1)):
            for good in (name, "search.log.2.gz", "search.log.1"):
                with self.case(name=name, good=good), self.place.daemon() as daemon:
                    (self.logs_folder / name).write_bytes(flipped(packed(content), place))
                    self.append(self.lines[300:])
                    self.until(daemon, lambda at=daemon, bad=name: self.problems(at) == [bad])
                    daemon.wait_until_mined(300)
                    fault.run("iterate", state=self.state, expect=0)  # of the bad one nothing takes part
                    daemon.kill()
                    self.assertEqual(fault.lines_in(self.state), 300)
                    whole = content if good == "search.log.1" else (packed if good == name else program.gzipped)(content)
                    (self.logs_folder / good).write_bytes(whole)
                with self.place.daemon() as daemon:
                    daemon.wait_until_mined(600)
                    daemon.stop()
                self.assertEqual(fault.contradictions(self.state), [])
                self.assertEqual(fault.lines_in(self.state), 600)
                self.assertEqual(self.losses(), [])

    def test_row_30_random_damage(self):
        chance = random.Random(30)
        members = [b"".join(self.lines[begin:begin + 100]) for begin in (0, 100, 200)]
        whole = b"".join(gzip.compress(member, mtime=0) for member in members)
        for _ in range(12):
            place = chance.randrange(20, len(whole))
            with self.case(place=place):
                log = self.logs_folder / "search.log.1.gz"
                log.write_bytes(flipped(whole, place))
                fault.run("mine", log, state=self.state)
                self.assertIn(fault.lines_in(self.state), (0, 100, 200, 300))
                log.unlink()
                log.write_bytes(whole)
                self.append(self.lines[300:])
                fault.run("run", log, self.log, state=self.state, expect=0)
                self.expect_undisturbed(self.state)


class Shorter(followed.FollowedTest):
    """Row 31."""

    def mined_by_a_daemon_that_is_killed(self, lines):
        with self.place.daemon() as daemon:
            daemon.wait_until_mined(lines)
            daemon.kill()

    def expect_told(self):
        self.assertTrue(self.losses())
        self.assertEqual([log["path"] for log in self.status()["logs"] if log["possible_twice"]], [])

    def test_row_31_a_packed_generation_lacks_the_last_lines(self):
        for name, packed in (("search.log.1.gz", program.gzipped), ("search.log.1.zst", program.zstandard)):
            for with_daemon in (True, False):
                with self.case(name=name, with_daemon=with_daemon):
                    self.append(self.lines[:500])
                    self.mined_by_a_daemon_that_is_killed(500)
                    (self.logs_folder / name).write_bytes(packed(b"".join(self.lines[:490])))
                    self.log.unlink()
                    self.append(self.lines[500:])
                    if with_daemon:
                        self.finish_with_a_new_daemon()
                    else:
                        fault.run("run", *sorted(self.logs_folder.iterdir()), state=self.state, expect=0)
                        self.expect_undisturbed(self.state)
                    self.expect_told()

    def test_row_31_rotated_and_packed_under_a_late_writer(self):
        """Real logrotate without delaycompress; what comes late is mined while the daemon holds the file."""
        with self.place.daemon() as daemon:
            for begin in range(0, 600, 100):
                with open(self.log, "ab", buffering=0) as writer:
                    writer.write(b"".join(self.lines[begin:begin + 60]))
                    daemon.wait_until_mined(begin + 60)
                    self.rotate("create\n  compress")
                    writer.write(b"".join(self.lines[begin + 60:begin + 100]))
                    daemon.wait_until_mined(begin + 100)
            daemon.kill()
        with self.place.daemon() as daemon:
            self.until(daemon, lambda: len(self.losses()) == 6 or fault.lines_in(self.state) > len(self.lines))
            self.finish(daemon)

    def test_row_31_cut_back_to_a_prefix(self):
        for cut_at in (0, 7):  # bytes of a line
            for with_daemon in (True, False):
                with self.case(cut_at=cut_at, with_daemon=with_daemon), self.place.daemon() as daemon:
                    self.append(self.lines[:400])
                    daemon.wait_until_mined(400)
                    if not with_daemon:
                        daemon.kill()
                    os.truncate(self.log, len(b"".join(self.lines[:250])) + cut_at)
                    self.append([b"\n"] if cut_at else [])
                    self.append(self.lines[400:])
                    lines = 600 + (1 if cut_at else 0)
                    if with_daemon:
                        self.finish(daemon, lines)
                    else:
                        self.finish_with_a_new_daemon(lines)
                    self.expect_told()

    def test_row_31_a_copy_is_shorter_than_what_was_mined(self):
        self.append(self.lines[:400])
        self.mined_by_a_daemon_that_is_killed(400)
        pathlib.Path(f"{self.log}.1").write_bytes(b"".join(self.lines[:380]) + self.lines[380][:9])
        os.truncate(self.log, 0)
        self.append(self.lines[400:])
        self.finish_with_a_new_daemon()
        self.expect_told()


if __name__ == "__main__":
    program.main()
