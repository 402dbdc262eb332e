"""What a command costs."""

import os
import subprocess
import sys
import tempfile
import time


def measure(command):
    """Runs a command; its output, and its seconds, CPU seconds and greatest resident memory. Exits when it fails."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=errors)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        errors.seek(0)
        if status != 0:
            sys.exit(f"{command}: {errors.read().decode(errors='replace')[-2000:]}")
    return output.decode(), {"seconds": time.monotonic() - begin, "cpu": usage.ru_utime + usage.ru_stime,
                             "mb": usage.ru_maxrss * 1024 / 1e6}
