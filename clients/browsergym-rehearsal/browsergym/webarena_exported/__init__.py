"""Tasks that `rehearse export --to webarena` wrote, as tasks of BrowserGym's own WebArena classes.

Importing this registers `browsergym/webarena_exported.<number>` for each task in the folder that
`REHEARSE_TASKS` names. It needs the package browsergym-webarena, the variables that
`rehearse serve --webarena` printed, and its control plane in `REHEARSE_CONTROL` with
`REHEARSE_TOKEN`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from browsergym.core.registration import register_task
from browsergym.webarena_exported.task import ExportedTask

FILE = "test.raw.json"


class NoTasks(RuntimeError):
    """`REHEARSE_TASKS` names no folder of exported tasks."""


def tasks() -> list[dict]:
    """The exported tasks. Raises `NoTasks`."""
    folder = os.environ.get("REHEARSE_TASKS", "")
    path = Path(folder, FILE)
    if not folder or not path.exists():
        raise NoTasks(
            f"REHEARSE_TASKS is {folder!r}, and there is no {path}; let it name the folder that"
            " rehearse export --to webarena wrote"
        )
    found: list[dict] = json.loads(path.read_text(encoding="utf-8"))
    return found


for _task in tasks():
    register_task(
        f"webarena_exported.{_task['task_id']}",
        ExportedTask,
        task_kwargs={"task": _task},
        nondeterministic=False,
    )
