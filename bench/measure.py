"""What a command costs, and what a daemon does."""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time


def measure(command, output=subprocess.PIPE):
    """Runs a command; its output, and its seconds, CPU seconds, greatest resident memory and what it wrote. Exits when it
    fails."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=errors)
        written = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        errors.seek(0)
        if status != 0:
            sys.exit(f"{command}: {errors.read().decode(errors='replace')[-2000:]}")
    return written.decode(), {"seconds": time.monotonic() - begin, "cpu": usage.ru_utime + usage.ru_stime,
                              "mb": usage.ru_maxrss * 1024 / 1e6, "written_mb": usage.ru_oublock * 512 / 1e6}


def start_daemon(qdedupd, config, folder, stderr, seconds=600):
    """A daemon that says that it is ready, to a socket in the folder. Exits where it ends, or says nothing for so long."""
    notify = folder / "notify"
    notify.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.bind(str(notify))
        daemon = subprocess.Popen([qdedupd, "--config", config], stderr=stderr,
                                  env=dict(os.environ, NOTIFY_SOCKET=str(notify)))
        ready.settimeout(1)
        said = b""
        deadline = time.monotonic() + seconds
        while b"READY=1" not in said:
            if daemon.poll() is not None or time.monotonic() > deadline:
                daemon.kill()
                sys.exit(f"{qdedupd}: did not become ready; it ended with {daemon.wait()}")
            try:
                said = ready.recv(65536)
            except TimeoutError:
                said = b""
    return daemon


def processor_seconds(process):
    threads = pathlib.Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def resident_mib(process, name="VmRSS"):
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no {name}")
