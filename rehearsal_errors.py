"""The base of every error that a user can mend: one line that says what is wrong and what to do.

Standard library only; every package may import this module, and it imports none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

FAILED, MISUSED = 1, 2


class RehearsalError(Exception):
    """An error with a remedy; the command line prints it as one line and ends with `exit_code`.

    `problem` names the value that was received, `remedy` says what to do. Everything else that is
    raised is a bug of ours and keeps its traceback.
    """

    exit_code: ClassVar[int] = MISUSED

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(f"{problem}; {remedy}" if remedy else problem)
        self.problem, self.remedy = problem, remedy


class RunFailed(RehearsalError):
    """What a run needs has failed: the browser, the model's server, a recording, the disk."""

    exit_code: ClassVar[int] = FAILED


def first_few(names: Sequence[str], most: int = 3) -> str:
    """Return the first names as a message lists them, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
