"""A person with a browser, as far as HTTP goes; and the state that people sign in to review."""

import atexit
import contextlib
import http.client
import http.cookies
import json
import pathlib
import random
import socket
import sqlite3

from daemon import Daemon
from program import ProgramTest

TOKEN = "0123456789abcdef" * 2


def free_port():
    """A port that is this program's until it ends: no connection is ever given it for its own end, and whoever looks for one as this does
    finds its UDP twin taken."""
    first, last = map(int, pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split())
    ports = [port for port in range(20_000, 65_536) if not first <= port <= last] or range(20_000, 65_536)
    while True:
        port = random.choice(ports)
        lock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            lock.bind(("127.0.0.1", port))
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            lock.close()
            continue
        atexit.register(lock.close)
        return port


class Visitor:
    """Keeps the cookies that it is given. `connect()` makes a connection to the server whose page is at `origin`."""

    def __init__(self, origin, connect):
        self.origin = origin
        self.host = origin.split("://")[1]
        self.connect = connect
        self.cookies = {}
        self.attributes = {}

    def ask(self, path, body=None, **headers):
        """(status, answer): JSON, or bytes."""
        fields = {"Host": self.host, **headers}
        if self.cookies:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            fields = {"Origin": self.origin, "Content-Type": "application/json", **fields}
        connection = self.connect()
        connection.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), fields)
        answer = connection.getresponse()
        content = answer.read()
        self.keep(answer.headers.get_all("Set-Cookie") or [])
        connection.close()
        is_json = (answer.headers["Content-Type"] or "").startswith("application/json")
        return answer.status, json.loads(content) if is_json else content

    def keep(self, headers):
        for header in headers:
            for name, morsel in http.cookies.SimpleCookie(header).items():
                self.attributes = {key: value for key, value in morsel.items() if value}
                if morsel["max-age"] == "0":
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = morsel.value

    def sign_in(self, name, key):
        return self.ask("/api/session", {"name": name, "key": key})[0]

    def sign_out(self):
        return self.ask("/api/session/end", {})[0]

    def me(self):
        return self.ask("/api/review/me")

    def decide(self, question, keeper, decision, **headers):
        decisions = [{"iteration": 1, "question": str(question), "keeper": str(keeper), "decision": decision, "seen": "pending",
                      "note": ""}]
        status, answer = self.ask("/api/review/decisions", {"decisions": decisions}, **headers)
        return answer["results"][0]["code"] if status == 200 else status


class SignInTest(ProgramTest):
    """A state with deletions 2>1, 4>3 and 6>5, and a daemon at whose page reviewers sign in."""

    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.write("token", TOKEN + "\n").chmod(0o600)
        self.config = self.configure()

    def configure(self, more=""):
        return self.write("qdedup.toml", f'''
[schedule]
every = "off"
[state]
folder = "{self.folder}/state"
[http]
listen = "127.0.0.1:{self.port}"
token_file = "{self.folder}/token"
hosts = ["127.0.0.1:{self.port}"]
reviewers_file = "{self.folder}/reviewers"
{more}''')

    def reviewer(self, *arguments, **how):
        return self.qdedup("--quiet", "reviewer", *arguments, config=self.config, state=None, **how)

    def add(self, name):
        """Answers the key."""
        return self.reviewer("add", name).out.strip()

    def start(self):
        self.import_questions({1: "甲乙丙丁戊己庚辛", 2: "甲乙丙丁戊己庚辛", 3: "小红比小明多买书多少本", 4: "小红比小明少买书多少本",
                               5: "一二三四五六七八", 6: "一二三四五六七八"})
        lists = ([1, 2], [3, 4], [5, 6])
        self.qdedup("run", self.write("a.log", "".join(json.dumps([[i, 0.9] for i in ids]) + "\n" for ids in lists)))
        return Daemon(self, self.config)

    def visitor(self):
        return Visitor(self.origin, lambda: http.client.HTTPConnection("127.0.0.1", self.port))

    def signed_in(self, name, key):
        visitor = self.visitor()
        self.assertEqual(visitor.sign_in(name, key), 200)
        return visitor

    def audit(self):
        with contextlib.closing(sqlite3.connect(self.folder / "state/qdedup.db")) as store:
            return store.execute("SELECT decided_by, given_name, new_status FROM decision ORDER BY id").fetchall()
