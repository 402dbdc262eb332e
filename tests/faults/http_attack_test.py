"""HTTP under attack: the daemon answers, stays within its limits, and goes on mining."""

import collections
import contextlib
import pathlib
import socket
import statistics
import threading
import time

import followed
import place
import program
from visitor import free_port

TOKEN = "a" * 44


class HttpAttack(followed.FollowedTest):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        token = self.write("token", TOKEN + "\n")
        token.chmod(0o600)
        self.place = place.Place(self.folder, self.logs_folder, f'''
[http]
listen = "127.0.0.1:{self.port}"
token_file = "{token}"
hosts = ["127.0.0.1:{self.port}"]
''')

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.settimeout(120)
        return connection

    def answer_to(self, content):
        """The first line of the answer; empty when the connection was ended without one."""
        with self.connect() as connection:
            with contextlib.suppress(ConnectionError):
                connection.sendall(content)
            answer = b""
            with contextlib.suppress(ConnectionError):
                while b"\r\n" not in answer and (piece := connection.recv(4096)):
                    answer += piece
            return answer.split(b"\r\n")[0].decode("latin-1")

    def request(self, target="/metrics", host=None, token=TOKEN, method="GET", more=""):
        return (f"{method} {target} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\n"
                f"Authorization: Bearer {token}\r\nConnection: close\r\n{more}\r\n").encode("latin-1")

    def expect_status(self, status, content):
        self.assertRegex(self.answer_to(content), rf"^HTTP/1\.1 {status} ")

    def go_on(self, daemon):
        """Everybody else is served as before."""
        self.expect_status(200, self.request())
        self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
        self.append(self.lines)
        self.finish(daemon)

    def test_requests_that_are_none(self):
        with self.place.daemon() as daemon:
            self.expect_status(200, self.request())
            self.expect_status(421, self.request(host="evil.example"))
            self.expect_status(401, self.request(token="b" * 44))
            self.expect_status(401, self.request(token=""))
            self.expect_status(404, self.request(target="/nothing"))
            self.expect_status(405, self.request(method="DELETE"))
            self.expect_status(403, self.request(target="/api/settings"))
            for target in ("/api/lease", "/api/lease/turn", "/api/lease/end"):
                more = "Content-Type: application/json\r\nContent-Length: 2\r\n"
                self.expect_status(403, self.request(target=target, method="POST", more=more) + b"{}")
            for target in ("/../etc/passwd", "/%2e%2e/x", "/a/%2Fb", "/%00", "//metrics", "/metrics\0", "/a b"):
                with self.subTest(target):
                    self.expect_status(400, self.request(target=target))
            for more in ("X: a\0b\r\n", "X: a\rb\r\n", "X : a\r\n", "Host: other\r\n", "Content-Length: -1\r\n",
                         "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"):
                with self.subTest(more):
                    self.expect_status(400, self.request(more=more))
            self.expect_status(431, self.request(more=f"X: {'a' * 100_000}\r\n"))
            self.expect_status(413, self.request(
                target="/api/lease", method="POST", more="Content-Type: application/json\r\nContent-Length: 99999999999\r\n"))
            self.go_on(daemon)

    def test_thousands_of_connections_that_say_little_or_nothing(self):
        with self.place.daemon() as daemon, contextlib.ExitStack() as crowd:
            before = self.peak_of(daemon.process)
            for number in range(1000):
                connection = crowd.enter_context(socket.socket())
                connection.setblocking(False)
                connection.connect_ex(("127.0.0.1", self.port))
                with contextlib.suppress(OSError):
                    connection.send(b"GET / HT"[:number % 8])
            self.assertLess(len(list(pathlib.Path(f"/proc/{daemon.process.pid}/fd").iterdir())), 200)
            # On the unix socket there is room, whatever goes on there.
            self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
            self.append(self.lines[:300])
            daemon.wait_until_mined(300)
            self.expect_memory_below(before + 100, self.peak_of(daemon.process))
            crowd.close()
            self.expect_status(200, self.request())
            self.append(self.lines[300:])
            self.finish(daemon)

    def test_ten_thousand_that_are_silent_or_send_half_a_header_keep_nobody_waiting(self):
        with self.place.daemon() as daemon, contextlib.ExitStack() as crowd:
            for kind in (socket.AF_INET, socket.AF_UNIX):
                address = ("127.0.0.1", self.port) if kind == socket.AF_INET else str(self.state / "qdedupd.sock")
                waits = []
                held = collections.deque()
                for number in range(10_000):
                    held.append(crowd.enter_context(socket.socket(kind)))
                    held[-1].connect(address)
                    if number % 2:
                        with contextlib.suppress(OSError):
                            held[-1].send(b"GET /healthz HTTP/1.1\r\nHost: ")
                    if len(held) > 200:
                        held.popleft().close()
                    if number % 500 == 499:
                        began = time.monotonic()
                        if kind == socket.AF_INET:
                            self.expect_status(200, self.request("/healthz"))
                        else:
                            self.assertEqual(daemon.get("/healthz"), (200, "ok\n"))
                        waits.append(time.monotonic() - began)
                # Most wait for no deadline, the shortest of which is 5 s, however busy the machine is at times.
                self.assertLess(statistics.median(waits), 5)
            crowd.close()
            self.append(self.lines)
            self.finish(daemon)

    def test_nothing_that_follows_a_refused_request_is_a_request(self):
        with self.place.daemon() as daemon:
            for request in (self.request(more="Transfer-Encoding: xchunked\r\n"), self.request(token="b" * 44),
                            self.request(host="evil.example"), self.request(target="/nothing"),
                            self.request(method="DELETE"),
                            self.request(target="/v1/check", method="POST", more="Content-Length: 99999999\r\n"),
                            self.request(target="/v1/check", method="POST", more="Origin: http://evil.example\r\n")):
                with self.subTest(request), self.connect() as connection:
                    kept_alive = request.replace(b"Connection: close\r\n", b"")
                    connection.sendall(kept_alive + self.request("/healthz"))
                    answer = b""
                    while piece := connection.recv(4096):
                        answer += piece
                    self.assertRegex(answer, rb"^HTTP/1\.1 4")
                    self.assertIn(b"\r\nConnection: close\r\n", answer)
                    self.assertEqual(answer.count(b"HTTP/1.1 "), 1)
            self.append(self.lines)
            self.finish(daemon)

    def test_a_header_that_comes_slowly_and_a_body_that_does_not_end(self):
        with self.place.daemon() as daemon, self.connect() as slow, self.connect() as endless:
            slow.sendall(b"GET /metrics HTTP/1.1\r\nHo")
            endless.sendall(self.request(target="/metrics", method="POST", more="Transfer-Encoding: chunked\r\n"))
            stop = threading.Event()

            def flood():
                with contextlib.suppress(OSError):
                    while not stop.is_set():
                        endless.sendall(b"1000\r\n" + bytes(4096) + b"\r\n")

            flooding = threading.Thread(target=flood)
            flooding.start()
            self.append(self.lines)
            daemon.wait_until_mined(len(self.lines))
            self.assertRegex(slow.recv(100), rb"^HTTP/1\.1 408 ")
            stop.set()
            flooding.join()
            self.expect_status(200, self.request())
            self.finish(daemon)


if __name__ == "__main__":
    program.main()
