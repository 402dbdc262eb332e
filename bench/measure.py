"""What a command costs."""

import os
import subprocess
import sys
import time


def measure(command):
    """Runs a command; its output, and its seconds, CPU seconds and greatest resident memory. Exits when it fails."""
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output = process.stdout.read()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command}: {errors.decode(errors='replace')[-2000:]}")
    return output.decode(), {"seconds": time.monotonic() - begin, "cpu": usage.ru_utime + usage.ru_stime,
                             "mb": usage.ru_maxrss * 1024 / 1e6}
