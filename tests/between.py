"""What the processes of a test run share: values that one of them made, for the others to load.

For what is the same in each process and slow to make: drawn scenarios, episodes of the scripted
model. Who wants what another process is making waits for it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

FOLDER = "REHEARSE_TESTS_SHARE"


def open_folder(config: pytest.Config) -> None:
    """Make the folder of this run, and delete it at the end. Workers of xdist inherit it.

    A test that starts pytest itself starts a run of its own, with other tests and other families.
    """
    if hasattr(config, "workerinput"):
        return
    folder = os.environ[FOLDER] = tempfile.mkdtemp(prefix="rehearsal-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def shared(kind: str, key: object, make: Callable[[], Any]) -> Any:
    """What `make` returns, made once in a run for each kind and key."""
    name = hashlib.sha256(repr(key).encode()).hexdigest()[:32]
    path = Path(os.environ[FOLDER], kind, f"{name}.pickle")
    path.parent.mkdir(exist_ok=True)
    with FileLock(path.with_suffix(".lock")):
        if path.exists():
            return pickle.loads(path.read_bytes())
        made = make()
        path.write_bytes(pickle.dumps(made))
    return made
