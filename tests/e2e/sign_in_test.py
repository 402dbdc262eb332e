"""Reviewers with keys of their own: who they are on the command line, over TCP and in the audit."""

import concurrent.futures
import os
import re
import shutil
import signal
import stat
import unittest

import program
from daemon import Daemon, Lease
from visitor import TOKEN, SignInTest

BEARER = {"Authorization": f"Bearer {TOKEN}"}
AS_TOKEN = {"Authorization": "Basic YW5uOjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVm"}  # ann


class OnTheCommandLine(SignInTest):
    def lines(self):
        return (self.folder / "reviewers").read_text().splitlines()

    def test_reviewers_come_and_go(self):
        key = self.reviewer("add", "ann").out
        self.assertRegex(key, r"^[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){4}\n$")
        self.add("王老师")
        self.assertEqual(self.reviewer("list").out, "ann\n王老师\n")
        self.assertEqual(self.reviewer("list", "--json").json(), {"reviewers": ["ann", "王老师"]})
        self.assertEqual(stat.S_IMODE((self.folder / "reviewers").stat().st_mode), 0o600)
        self.assertNotIn(key.strip().replace("-", ""), (self.folder / "reviewers").read_text().replace("-", ""))
        self.reviewer("remove", "ann")
        self.assertEqual([line.split(":")[0] for line in self.lines()], ["王老师"])
        other = self.reviewer("add", "ann", "--json").json()
        self.assertEqual(other["name"], "ann")
        self.assertNotEqual(other["key"], key.strip())

    def test_what_is_refused_changes_nothing(self):
        self.add("ann")
        before = self.lines()
        self.assertIn("ann is a reviewer already", self.reviewer("add", "ann", expect=65).err)
        self.assertIn("there is no reviewer bob", self.reviewer("remove", "bob", expect=66).err)
        for name in ("", " ann", "ann ", "a\nb", "a\u202eb", "名" * 22):
            self.assertIn("a name is UTF-8", self.reviewer("add", name, expect=64).err)
        self.reviewer("add", expect=64)
        self.reviewer(expect=64)
        self.assertEqual(self.lines(), before)
        (self.folder / "reviewers").unlink()
        for command in (["remove", "ann"], ["list"]):
            self.assertIn("reviewers: does not exist; `qdedup reviewer add` makes it", self.reviewer(*command, expect=66).err)
        self.assertFalse((self.folder / "reviewers").exists())
        self.write("nowhere.toml", f'[http]\nreviewers_file = "{self.folder}/nowhere/reviewers"\n')
        self.assertIn("make it first with `mkdir -p`",
                      self.qdedup("--config", "nowhere.toml", "reviewer", "add", "ann", expect=73).err)
        self.assertIn("[http] reviewers_file names no file", self.qdedup("reviewer", "list", expect=78).err)

    def test_a_file_that_cannot_be_used_stays_as_it_is(self):
        self.add("ann")
        file = self.folder / "reviewers"
        sound = file.read_text()
        for content, mode, said in (("ann:secret\n", 0o600, "reviewers: line 1: "), (sound, 0o644, "chmod it to 0640"),
                                    (sound + sound, 0o600, "ann is there a second time")):
            file.write_text(content)
            file.chmod(mode)
            for command in (["add", "bob"], ["remove", "ann"], ["list"]):
                self.assertIn(said, self.reviewer(*command, expect=78).err)
            self.assertEqual(file.read_text(), content)

    def test_its_mode_and_group_stay(self):
        file = self.write("reviewers", "")
        file.chmod(0o640)
        group = 60001 if os.geteuid() == 0 else file.stat().st_gid  # that of the daemon
        os.chown(file, -1, group)
        self.add("ann")
        about = file.stat()
        self.assertEqual((stat.S_IMODE(about.st_mode), about.st_gid), (0o640, group))

    @unittest.skipUnless(os.geteuid() == 0, "skipped: only root can give a file away")
    def test_a_file_of_somebody_else_is_not_taken_from_them(self):
        self.write("reviewers", "").chmod(0o600)
        shutil.chown(self.folder / "reviewers", "games")
        self.assertIn("belongs to games", self.reviewer("add", "ann", expect=73).err)

    def test_those_who_are_added_at_the_same_time_are_all_there(self):
        names = [f"reviewer {number}" for number in range(12)]
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            keys = list(pool.map(self.add, names))
        self.assertEqual(sorted(self.reviewer("list").out.splitlines()), sorted(names))
        self.assertEqual(len(set(keys)), 12)


class OverTcp(SignInTest):
    @staticmethod
    def reload(daemon):
        after = len(daemon.messages)
        daemon.signal(signal.SIGHUP)
        daemon.wait_for("READY=1", after=after)

    def test_the_audit_says_who(self):
        keys = {name: self.add(name) for name in ("ann", "王老师")}
        daemon = self.start()
        ann, wang = (self.signed_in(name, key) for name, key in keys.items())
        self.assertEqual([visitor.me()[1]["signed_in"] for visitor in (ann, wang)], ["ann", "王老师"])
        self.assertEqual(ann.attributes, {"path": "/", "httponly": True, "samesite": "Strict"})
        self.assertEqual(ann.decide(2, 1, "approve"), 200)
        self.assertEqual(wang.decide(4, 3, "reject"), 200)
        self.assertEqual(wang.decide(2, 1, "reject"), 409)
        status, answer = self.visitor().ask("/api/review/queue?status=approved", **BEARER)
        member = answer["groups"][0]["members"][0]
        self.assertEqual((status, member["decided_by"], member["given_name"]), (200, "reviewer:ann", "ann"))
        self.assertEqual(self.audit(), [("reviewer:ann", "ann", "approved"), ("reviewer:王老师", "王老师", "rejected")])
        dashboard = self.visitor().ask("/api/review/dashboard", **BEARER)[1]
        self.assertEqual([person["name"] for person in dashboard["reviewers"]], ["reviewer:ann", "reviewer:王老师"])
        daemon.stop()

    def test_blind_judgements_are_those_of_who_signed_in(self):
        keys = {name: self.add(name) for name in ("ann", "bob")}
        daemon = self.start()
        ann, bob = (self.signed_in(name, key) for name, key in keys.items())
        self.assertEqual(ann.ask("/api/review/samples", {"size": 2})[0], 200)
        self.assertEqual(ann.ask("/api/review/judgements", {"sample": 1, "position": 1, "judgement": "same"})[0], 200)
        self.assertEqual(bob.ask("/api/review/judgements", {"sample": 1, "position": 1, "judgement": "different"})[0], 409)
        pair = bob.ask("/api/review/sample?id=1&from=1")[1]["pairs"][0]
        self.assertEqual(bob.decide(int(pair["question"]["id"]), int(pair["keeper"]["id"]), "approve"), 200)
        people = bob.ask("/api/review/dashboard")[1]["reviewers"]
        self.assertEqual([(person["name"], person["agreement"]["compared"], person["agreement"]["agreed"]) for person in people],
                         [("reviewer:ann", 1, 1), ("reviewer:bob", 0, 0)])
        daemon.stop()

    def test_nobody_else_comes_in(self):
        key = self.add("ann")
        daemon = self.start()
        outside = self.visitor()
        self.assertEqual(outside.ask("/")[0], 200)
        self.assertEqual(outside.ask("/sign_in.js")[0], 200)
        for name, tried in (("ann", key[:-1] + "~"), ("ann", ""), ("bob", key), ("ann", "00000-" * 4 + "00000")):
            self.assertEqual(outside.sign_in(name, tried), 401)
        self.assertEqual(outside.cookies, {})
        for path in ("/api/review/me", "/api/review/queue", "/api/status", "/metrics", "/healthz", "/v1/classes", "/nowhere"):
            self.assertEqual(outside.ask(path), (401, {"error": "nobody is signed in", "sign_in": True}), path)
            self.assertEqual(outside.ask(path, **AS_TOKEN)[0], 401, path)
        self.assertEqual(outside.decide(2, 1, "approve"), 401)
        self.assertEqual(outside.decide(2, 1, "approve", **AS_TOKEN), 401)
        self.assertEqual(self.audit(), [])
        self.assertEqual(outside.decide(2, 1, "approve", **BEARER), 200)
        self.assertEqual(self.audit(), [("token", "", "approved")])
        daemon.stop()

    def test_another_site_does_nothing(self):
        key = self.add("ann")
        daemon = self.start()
        ann = self.signed_in("ann", key)
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{self.port}", "http://127.0.0.1"):
            self.assertEqual(ann.decide(2, 1, "approve", Origin=origin), 403)
        self.assertEqual(ann.decide(2, 1, "approve", **{"Sec-Fetch-Site": "same-site"}), 403)
        self.assertEqual(self.audit(), [])
        self.assertEqual(ann.decide(2, 1, "approve"), 200)
        daemon.stop()

    def test_a_reviewer_who_is_removed_is_out_at_once(self):
        keys = {name: self.add(name) for name in ("ann", "bob")}
        daemon = self.start()
        ann, bob = (self.signed_in(name, key) for name, key in keys.items())
        self.reviewer("remove", "ann")
        self.assertEqual((ann.me()[0], bob.me()[0]), (401, 200))
        self.assertEqual(ann.decide(2, 1, "approve"), 401)
        self.assertEqual(ann.sign_in("ann", keys["ann"]), 401)
        self.assertEqual(ann.sign_in("ann", self.add("ann")), 200)
        self.assertEqual(ann.decide(2, 1, "approve"), 200)
        self.assertEqual(ann.sign_out(), 200)
        self.assertEqual((ann.cookies, ann.me()[0], bob.me()[0]), ({}, 401, 200))
        daemon.stop()

    def test_what_waits_of_a_reviewer_who_is_let_in_no_more_changes_nothing(self):
        self.add("bob")
        shutil.copy(self.folder / "reviewers", self.folder / "others")
        daemon = self.start()
        sound = self.config.read_text()

        def use(config):
            self.config.write_text(config)
            self.reload(daemon)

        for end, again in ((lambda: self.reviewer("remove", "ann"), lambda: None),
                           (lambda: use(re.sub("reviewers_file.*", f'reviewers_file = "{self.folder}/others"', sound)), lambda: use(sound)),
                           (lambda: use(re.sub("reviewers_file.*", "", sound)), lambda: use(sound))):
            ann = self.signed_in("ann", self.add("ann"))
            lease = Lease(daemon)
            lease.granted()
            with concurrent.futures.ThreadPoolExecutor() as pool:
                code = pool.submit(ann.decide, 2, 1, "approve")
                added = pool.submit(ann.ask, "/v1/check", {"questions": [{"id": 7, "text": "又一题"}], "add": True})
                daemon.wait_until(lambda at_work: (at_work.status()["working_on"] or {}).get("waiting", 0) > 1)
                end()
                lease.close()
                self.assertEqual((code.result(), added.result()[0]), (401, 401))
            again()
            if "ann" in self.reviewer("list").out:
                self.reviewer("remove", "ann")
        self.assertEqual(self.audit(), [])
        self.assertEqual(self.qdedup("status", "--json").json()["questions"], 6)
        daemon.stop()

    def test_a_proxy_may_ask_for_a_password_of_its_own(self):
        key = self.add("ann")
        daemon = self.start()
        ann = self.visitor()
        of_proxy = {"Authorization": "Basic Ym9iOnB3"}
        self.assertEqual(ann.ask("/api/session", {"name": "ann", "key": key}, **of_proxy)[0], 200)
        self.assertEqual(ann.ask("/api/review/me", **of_proxy)[1]["signed_in"], "ann")
        self.assertEqual(ann.decide(2, 1, "approve", **of_proxy), 200)
        self.assertEqual(self.audit(), [("reviewer:ann", "ann", "approved")])
        daemon.stop()

    def test_what_a_page_sends_for_one_reviewer_is_not_stored_under_another(self):
        keys = {name: self.add(name) for name in ("ann", "王 & 李")}
        daemon = self.start()
        visitor = self.signed_in("王 & 李", keys["王 & 李"])
        decision = {"decisions": [{"iteration": 1, "question": "2", "keeper": "1", "decision": "approve", "seen": "pending", "note": ""}]}
        status, answer = visitor.ask("/api/review/decisions?as=reviewer%3Aann", decision)
        self.assertEqual((status, answer), (409, {"error": "somebody else is signed in by now", "sign_in": True}))
        self.assertEqual(self.audit(), [])
        self.assertEqual(visitor.ask("/api/review/decisions?as=reviewer%3A%E7%8E%8B+%26+%E6%9D%8E", decision)[0], 200)
        self.assertEqual(self.audit(), [("reviewer:王 & 李", "王 & 李", "approved")])
        daemon.stop()

    def test_sessions_outlive_a_reload_and_end_with_the_daemon(self):
        key = self.add("ann")
        daemon = self.start()
        ann = self.signed_in("ann", key)
        self.reload(daemon)
        self.assertEqual(ann.me()[0], 200)
        daemon.stop()
        daemon = Daemon(self, self.config)
        self.assertEqual(ann.me()[0], 401)
        self.assertEqual(ann.sign_in("ann", key), 200)
        daemon.stop()

    def test_a_file_that_cannot_be_used_lets_nobody_in_until_it_can(self):
        key = self.add("ann")
        daemon = self.start()
        ann = self.signed_in("ann", key)
        file = self.folder / "reviewers"
        sound = file.read_text()
        file.write_text(sound + "bob:secret\n")
        self.assertEqual((ann.me()[0], ann.sign_in("ann", key)), (503, 503))
        daemon.wait_until_said("nobody can sign in: ")
        self.assertRegex(daemon.said(), r"nobody can sign in: .*reviewers: line 2: ")
        self.assertNotIn("secret", daemon.said())
        file.write_text(sound)
        self.assertEqual(ann.me()[0], 200)
        daemon.stop()

    def test_without_the_file_the_daemon_does_not_start(self):
        self.add("ann")
        self.start().stop()
        (self.folder / "reviewers").chmod(0o644)
        daemon = Daemon(self, self.config, wait=False)
        daemon.end(expect=78)
        self.assertIn("chmod it to 0640", daemon.said())

    def test_a_reload_changes_who_signs_in(self):
        key = self.add("ann")
        daemon = self.start()
        ann = self.signed_in("ann", key)
        sound = self.config.read_text()
        self.config.write_text(re.sub(r"reviewers_file.*", "", sound))
        self.reload(daemon)
        self.assertEqual(ann.me()[0], 401)
        self.assertEqual(self.visitor().me()[0], 401)
        self.assertEqual(self.visitor().ask("/")[0], 401)
        self.assertEqual(self.visitor().ask("/api/review/me", **AS_TOKEN)[1]["name"], "ann (as token)")
        self.assertEqual(self.visitor().ask("/api/session", {"name": "ann", "key": key}, **AS_TOKEN)[0], 404)
        self.config.write_text(sound)
        self.reload(daemon)
        self.assertEqual(ann.me()[0], 401)
        self.assertEqual(ann.sign_in("ann", key), 200)
        daemon.stop()


if __name__ == "__main__":
    program.main()
