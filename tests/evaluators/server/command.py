"""`rehearse serve` as a program of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.measuring import HANG

ROOT = Path(__file__).parents[3]


def rehearse(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "rehearse.py", "serve", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def warning(use: Callable[[dict[str, Any]], None], *arguments: str) -> str:
    """Serve, let `use` have the addresses of the sites, and end it by Ctrl-C; what it printed on
    stderr."""
    with rehearse("--json", *arguments) as process:
        try:
            use(json.loads(process.stdout.readline())["sites"])
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=HANG)
        finally:
            process.kill()
    assert process.returncode == 0
    return err
