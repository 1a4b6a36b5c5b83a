"""Write the tasks of suites for clients of WebArena."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluators.integrations.webarena import folder, tasks, verified

FORMS = {"webarena": tasks.FILE, "webarena-verified": verified.FILE}
"""The forms of tasks, each with the name of its file."""


def export(names: Sequence[str], form: str, out: Path) -> tuple[Path, int]:
    """Write the tasks of scenarios into a folder.

    Args:
        names: The names of the scenarios.
        form: A key of `FORMS`.
        out: The folder.

    Returns:
        The file with the tasks, and their number.

    Raises:
        NotInWebArena: A scenario is on a site that clients of WebArena do not know.
        NotWritten: A file could not be written.
    """
    parts = tasks.parts(names)
    is_verified = form == "webarena-verified"
    made = [verified.to_json(each) if is_verified else each.to_json() for each in parts]
    folder.write(out, [each.visit for each in parts], made, FORMS[form])
    return out / FORMS[form], len(made)
