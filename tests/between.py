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

from filelock import FileLock

FOLDER = "REHEARSE_TESTS_SHARE"


def open_folder() -> bool:
    """Make the run's folder, unless this is a worker, which inherits it; whether it was made."""
    if FOLDER in os.environ:
        return False
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="rehearsal-tests-")
    return True


def close_folder() -> None:
    """Delete the run's folder."""
    shutil.rmtree(os.environ.pop(FOLDER), ignore_errors=True)


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
