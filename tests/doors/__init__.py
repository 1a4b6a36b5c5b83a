"""Every door, tried with the foreign program itself, in an environment of its own.

`tox -e doors` makes the environments and runs the tests; in `tox` they are skipped. What an
environment holds stands in `environments/<name>.txt`, or `<name>.npm` for packages of Node.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from sites.widgets import originals

REQUIREMENTS = Path(__file__).parent / "environments"
VARIABLE = "REHEARSE_DOORS"
"""Names the folder in which the environments are."""


def foreign_command(name: str, command: str) -> Path:
    """A command of the packages of Node that `name` lists; skips the test where it is not there."""
    folder = os.environ.get(VARIABLE)
    program = Path(folder or "", name, "node_modules", ".bin", command)
    if folder is None or not program.exists():
        pytest.skip(f"no packages of Node for {name}; run: tox -e doors")
    return program


def foreign_python(name: str) -> Path:
    """The Python of the environment `name`; skips the test where it has not been made."""
    folder = os.environ.get(VARIABLE)
    program = Path(folder or "", name, "bin", "python")
    if folder is None or not program.exists():
        pytest.skip(f"no environment with {name}; run: tox -e doors")
    return program


def printed_by(
    *command: object, env: Mapping[str, str], seconds: float, cwd: Path | None = None
) -> str:
    """What a client printed that is in a process of its own. It has to end well; what it started
    and left behind, such as a browser behind a script that ended, ends with it."""
    client = subprocess.Popen(
        [*map(str, command)],
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        printed, errors = client.communicate(timeout=seconds)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(client.pid, signal.SIGKILL)
    assert client.returncode == 0, printed + errors
    return printed


original_pages = pytest.mark.skipif(
    originals.found() is None,
    reason=f"no package miniwob; {originals.INSTALL}; or: tox -e doors",
)
"""Marks tests of the original MiniWoB++ pages, whose package is in our own environment."""
