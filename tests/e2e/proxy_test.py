"""The page behind a real nginx that speaks HTTPS, with the example's config."""

import getpass
import grp
import http.client
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
import unittest

import program
from daemon import Lease
from program import EXAMPLES
from visitor import TOKEN, SignInTest, Visitor, free_port

NAME = "dedup.school.example"


class TlsConnection(http.client.HTTPConnection):
    """HTTPS to a port of this machine that has a name of its own."""

    def __init__(self, port, certificate):
        super().__init__(NAME, port)
        self.context = ssl.create_default_context(cafile=certificate)

    def connect(self):
        self.sock = self.context.wrap_socket(socket.create_connection(("127.0.0.1", self.port)), server_hostname=NAME)


@unittest.skipUnless(shutil.which("nginx") and shutil.which("openssl"), "skipped: nginx or openssl is not installed")
class BehindNginx(SignInTest):
    def setUp(self):
        super().setUp()
        self.https, self.http = free_port(), free_port()
        self.public = f"https://{NAME}:{self.https}"
        self.config = self.configure(f'public_url = "{self.public}"')
        self.certificate, key = self.folder / "dedup.pem", self.folder / "dedup.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                        "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", self.certificate],
                       check=True, capture_output=True)

    def start_nginx(self):
        site = (EXAMPLES / "nginx.conf").read_text()
        for given, here in (("listen 443 ssl", f"listen 127.0.0.1:{self.https} ssl"), ("listen 80", f"listen 127.0.0.1:{self.http}"),
                            ("/etc/ssl/certs/dedup.pem", str(self.certificate)),
                            ("/etc/ssl/private/dedup.key", str(self.folder / "dedup.key")), ("127.0.0.1:9631", f"127.0.0.1:{self.port}")):
            self.assertIn(given, site)
            site = site.replace(given, here)
        temporary = "\n".join(f"{what}_temp_path {self.folder}/{what};" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config = self.write("nginx.conf", f"daemon off;\nuser {getpass.getuser()} {grp.getgrgid(os.getgid()).gr_name};\npid {self.folder}/nginx.pid;\nevents {{}}\n"
                                          f"http {{\naccess_log off;\n{temporary}\n{site}}}\n")
        with open(self.folder / "nginx.log", "wb") as log:
            nginx = subprocess.Popen(["nginx", "-p", self.folder, "-e", "stderr", "-c", config], stdout=log, stderr=log)
        self.addCleanup(nginx.wait)
        self.addCleanup(nginx.terminate)
        while True:
            self.assertIsNone(nginx.poll(), (self.folder / "nginx.log").read_text())
            try:
                socket.create_connection(("127.0.0.1", self.https)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.01)

    def outside(self):
        """Somebody who knows the public address alone."""
        return Visitor(self.public, lambda: TlsConnection(self.https, self.certificate))

    def test_a_reviewer_signs_in_decides_and_signs_out(self):
        key = self.add("王老师")
        daemon = self.start()
        self.start_nginx()
        wang = self.outside()
        status, page = wang.ask("/")
        self.assertEqual((status, page[:15]), (200, b"<!doctype html>"))
        self.assertEqual(wang.me()[0], 401)
        self.assertEqual(wang.sign_in("王老师", key[:-1] + "~"), 401)
        self.assertEqual(wang.sign_in("王老师", key), 200)
        self.assertEqual(list(wang.cookies), [f"__Host-qdedup-{self.https}"])
        self.assertEqual(wang.attributes, {"path": "/", "httponly": True, "samesite": "Strict", "secure": True})
        self.assertEqual(wang.me()[1]["signed_in"], "王老师")
        self.assertEqual(wang.decide(2, 1, "approve"), 200)
        self.assertEqual(self.audit(), [("reviewer:王老师", "王老师", "approved")])
        cookies = dict(wang.cookies)
        self.assertEqual(wang.sign_out(), 200)
        self.assertEqual(wang.cookies, {})
        wang.cookies = cookies
        self.assertEqual(wang.me()[0], 401)
        daemon.stop()

    def test_nothing_that_a_proxy_or_its_client_says_is_believed(self):
        key = self.add("ann")
        daemon = self.start()
        self.start_nginx()
        ann = self.outside()
        ann.sign_in("ann", key)
        for origin in (self.origin, f"http://{NAME}:{self.https}", f"https://{NAME}", "https://evil.example", "null"):
            self.assertEqual(ann.decide(2, 1, "approve", Origin=origin), 403, origin)
        for header in ("X-Forwarded-Host", "X-Forwarded-For", "X-Forwarded-User", "X-Remote-User", "Remote-User", "Forwarded"):
            self.assertEqual(self.outside().ask("/api/review/me", **{header: "ann"})[0], 401)
        self.assertEqual(ann.ask("/", Host="evil.example")[0], 421)
        self.assertEqual(ann.ask("/api/review/me", **{"X-Forwarded-Host": "evil.example", "X-Forwarded-User": "bob"})[1]["signed_in"],
                         "ann")
        self.assertEqual(self.audit(), [])
        direct = self.signed_in("ann", key)  # through a tunnel, as ever
        self.assertEqual(direct.decide(2, 1, "approve"), 200)
        self.assertEqual(self.audit(), [("reviewer:ann", "ann", "approved")])
        daemon.stop()

    def test_long_requests_and_answers_come_through_whole(self):
        self.add("ann")
        daemon = self.start()
        self.start_nginx()
        questions = {"questions": [{"id": 1000 + i, "text": f"第{i}题：" + "一二三四五六七八" * 50} for i in range(1000)]}
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        status, answer = self.outside().ask("/v1/check", questions, **bearer)
        self.assertEqual(status, 200, answer)
        self.assertEqual(len(answer["results"]), 1000)
        self.assertEqual(answer, self.visitor().ask("/v1/check", questions, **bearer)[1])
        for path in ("/words_zh.js", "/metrics"):
            through, direct = self.outside().ask(path, **bearer), self.visitor().ask(path, **bearer)
            self.assertEqual((through[0], len(through[1]) > 5000, len(through[1])), (200, True, len(direct[1])))
        daemon.stop()

    def test_a_decision_waits_as_long_as_it_must(self):
        key = self.add("ann")
        daemon = self.start()
        self.start_nginx()
        ann = self.outside()
        ann.sign_in("ann", key)
        lease = Lease(daemon)
        lease.granted()
        codes = []
        waiting = threading.Thread(target=lambda: codes.append(ann.decide(2, 1, "approve")))
        waiting.start()
        daemon.wait_until(lambda at_work: (at_work.status()["working_on"] or {}).get("waiting", 0) > 0)
        self.assertEqual((codes, self.audit()), ([], []))
        lease.close()
        waiting.join()
        self.assertEqual((codes, self.audit()), ([200], [("reviewer:ann", "ann", "approved")]))
        daemon.stop()

    def test_a_daemon_that_is_down_is_a_bad_gateway(self):
        self.add("ann")
        self.start().stop()
        self.start_nginx()
        self.assertEqual(self.outside().ask("/api/review/me")[0], 502)

    def test_plain_http_leads_to_https(self):
        self.start_nginx()
        connection = http.client.HTTPConnection("127.0.0.1", self.http)
        connection.request("GET", "/app.js", headers={"Host": NAME})
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers["Location"]), (301, f"https://{NAME}/app.js"))
        connection.close()


if __name__ == "__main__":
    program.main()
