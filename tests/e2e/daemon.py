"""Runs the built qdedupd for end-to-end tests, and listens to what it tells systemd."""

import contextlib
import http.client
import json
import os
import pathlib
import queue
import select
import signal
import socket
import sqlite3
import subprocess
import threading
import time

QDEDUPD = os.environ.get("QDEDUPD", str(pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/qdedupd"))


class UnixConnection(http.client.HTTPConnection):
    """HTTP over the daemon's socket."""

    def __init__(self, path):
        super().__init__("localhost")
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self.path)


class Daemon:
    """A qdedupd at work. Its messages to systemd are awaited instead of sleeping."""

    def __init__(self, test, config, *, wrapper=(), environment=None, wait=True, program=QDEDUPD):
        self.test = test
        self.state = test.folder / "state"
        self.log = test.folder / "qdedupd.log"
        self.messages = []
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        address = f"\0qdedup-test-{os.getpid()}-{id(self)}"
        self.notify.bind(address)
        settings = dict(os.environ, NOTIFY_SOCKET="@" + address[1:], **(environment or {}))
        settings.pop("JOURNAL_STREAM", None)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([*wrapper, program, "--config", str(config)], env=settings,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=test.folder)
        self.arrived = queue.SimpleQueue()
        self.listener = threading.Thread(target=self.listen)
        self.listener.start()
        test.addCleanup(self.clean_up)
        if wait:
            self.wait_for("READY=1")

    def clean_up(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.listener.join()
        self.notify.close()

    def listen(self):
        """Takes the messages at once, as systemd does: a daemon must not have to wait for that."""
        end = os.pidfd_open(self.process.pid)
        while True:
            ready, _, _ = select.select([self.notify, end], [], [])
            if self.notify in ready:
                self.arrived.put(self.notify.recv(65536).decode().splitlines())
            elif end in ready:
                break
        os.close(end)
        self.arrived.put(None)

    def next_message(self, patience=None):
        """The next message of the daemon as its lines; none of them if it says nothing for so long, None when it has ended."""
        try:
            message = self.arrived.get(timeout=patience)
        except queue.Empty:
            return []
        if message is None:
            self.arrived.put(None)
            self.process.wait()
        else:
            self.messages += message
        return message

    def wait_for(self, *wanted, after=0):
        """Waits until one of the messages, from number `after` on, begins with one of `wanted`; answers it."""
        seen = after
        while True:
            for message in self.messages[seen:]:
                if message.startswith(wanted):
                    return message
            seen = len(self.messages)
            if self.next_message() is None:
                self.test.fail(f"the daemon ended before it said {wanted}: {self.messages}\n{self.said()}")

    def wait_until(self, condition):
        """Waits until `condition(self)` holds; it is asked again whenever the daemon tells something, and now and then, as it
        does not tell everything."""
        while not condition(self):
            if self.next_message(patience=0.1) is None:
                self.test.fail(f"the daemon ended\n{self.said()}")

    def wait_until_mined(self, lines):
        """Waits until so many lines were mined into the state, by whichever daemon."""
        with contextlib.closing(sqlite3.connect(f"file:{self.state}/qdedup.db?mode=ro", uri=True)) as store:
            self.wait_until(lambda _: store.execute("SELECT total(lines) FROM log").fetchone()[0] >= lines)

    def get(self, path, headers=None):
        connection = UnixConnection(self.state / "qdedupd.sock")
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body.decode()

    def status(self):
        return json.loads(self.get("/api/status")[1])

    def metric(self, name):
        """The value of the metric with that name and labels."""
        for line in self.get("/metrics")[1].splitlines():
            if line.startswith(name + " "):
                return float(line.rsplit(" ", 1)[1])
        self.test.fail(f"no metric {name}")

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self, expect=0):
        """Ends the daemon as systemd would."""
        self.signal(signal.SIGTERM)
        return self.end(expect)

    def end(self, expect=0):
        while self.next_message() is not None:
            pass
        self.test.assertEqual(self.process.returncode, expect, self.said())
        return self.process.returncode

    def kill(self):
        self.process.kill()
        self.process.wait()

    def said(self):
        return self.log.read_text()

    def wait_until_said(self, text):
        """Waits for a message, which a thread of the daemon writes while it works on."""
        while text not in self.said():
            self.test.assertIsNone(self.process.poll(), self.said())
            time.sleep(0.01)


class Lease:
    """A lease of the writer, of a client that is none of our programs."""

    def __init__(self, daemon, command="iterate", mines=False):
        version = daemon.status()["version"]
        self.id = None
        self.path = daemon.state / "qdedupd.sock"
        self.connection = UnixConnection(self.path)
        self.connection.request("POST", "/api/lease", json.dumps({"version": version, "command": command, "mines": mines}),
                                {"Content-Type": "application/json"})
        self.answer = self.connection.getresponse()

    def granted(self):
        """Waits for it; answers its id."""
        self.id = self.word_of(self.answer).split()[1].decode()
        return self.id

    @staticmethod
    def word_of(answer):
        while not (line := answer.readline()).startswith(b"granted"):
            if not line:
                raise AssertionError("it was not granted")
        return line

    def turn(self):
        """The connection of a turn of it, once that is granted."""
        connection = UnixConnection(self.path)
        connection.request("POST", "/api/lease/turn", json.dumps({"lease": self.id}), {"Content-Type": "application/json"})
        self.word_of(connection.getresponse())
        return connection

    def close(self):
        self.answer.close()
        self.connection.close()
