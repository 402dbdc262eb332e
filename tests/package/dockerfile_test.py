"""The image of the Dockerfile: built and run where Docker is; elsewhere, what it takes and leaves is looked at."""

import fnmatch
import json
import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def instructions():
    """(name, arguments) of each instruction, with continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [tuple(line.split(maxsplit=1)) for line in lines]


def all_of(name):
    return [arguments for instruction, arguments in instructions() if instruction == name]


def has_docker():
    return shutil.which("docker") is not None and subprocess.run(["docker", "info"], capture_output=True,
                                                                 check=False).returncode == 0


class Dockerfile(unittest.TestCase):
    def test_both_stages_are_what_the_package_is_made_for(self):
        self.assertEqual({image.split()[0] for image in all_of("FROM")}, {"debian:12-slim"})
        deps = (ROOT / "scripts/install-deps").read_text(encoding="utf-8")
        self.assertIn("Debian 12", deps)
        for script in re.findall(r"scripts/[a-z-]+", " ".join(all_of("RUN"))):
            self.assertTrue((ROOT / script).is_file(), script)

    def test_it_runs_the_packages_daemon_as_the_packages_user(self):
        self.assertEqual(all_of("USER"), [(ROOT / "systemd/sysusers.conf").read_text().split("\nu ")[1].split()[0]])
        unit = (ROOT / "systemd/qdedupd.service").read_text(encoding="utf-8")
        command = json.loads(all_of("ENTRYPOINT")[0]) + json.loads(all_of("CMD")[0])
        self.assertIn("ExecStart=" + " ".join(command), unit)
        state = (ROOT / "systemd/tmpfiles.conf").read_text(encoding="utf-8").split("\nd ")[1].split()[0]
        self.assertEqual(all_of("VOLUME"), [state])

    def test_nothing_that_the_build_reads_is_left_out(self):
        left_out = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
                    if line and not line.startswith("#")]
        read = {path.split("/")[0] for path in re.findall(r"add_subdirectory\((\w+)", (ROOT / "CMakeLists.txt").read_text())}
        read |= {"cmake", "scripts", "doc", "examples", "systemd", "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE"}
        for name in read:
            self.assertFalse(any(fnmatch.fnmatch(name, pattern) for pattern in left_out), name)
        for name in (".git", "build", "quickstart-result"):
            self.assertTrue(any(fnmatch.fnmatch(name, pattern) for pattern in left_out), name)

    @unittest.skipUnless(has_docker(), "skipped: no Docker daemon answers")
    def test_the_image_works(self):
        done = subprocess.run(["docker", "build", "-q", ROOT], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        image = done.stdout.strip()
        self.addCleanup(subprocess.run, ["docker", "rmi", "-f", image], capture_output=True, check=False)
        run = ["docker", "run", "--rm", "-i", "--entrypoint", "/usr/bin/qdedup", image,
               "--config", "/etc/qdedup/qdedup.toml", "--json"]
        bank = (ROOT / "examples/bank.jsonl").read_bytes()
        imported = subprocess.run([*run, "import", "-"], input=bank, capture_output=True, check=True)
        self.assertEqual(json.loads(imported.stdout)["inserted"], len(bank.splitlines()))


if __name__ == "__main__":
    unittest.main()
