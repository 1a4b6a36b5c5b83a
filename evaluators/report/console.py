"""Standard output for tables."""

from __future__ import annotations

import sys

from rich.console import Console

from evaluators.commands.terminal import raw

WIDEST = 10_000
"""Columns of a line that is not for a terminal."""


def console() -> Console:
    """Standard output as it is now, for cells made plain by `evaluators.commands.terminal`; into a
    file or a pipe tables are as wide as they are."""
    out = raw(sys.stdout)
    made = Console(file=out, markup=False)
    return made if made.is_terminal else Console(file=out, width=WIDEST, markup=False)
