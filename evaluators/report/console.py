"""The console for tables on standard output."""

from __future__ import annotations

import sys

from rich.console import Console

from evaluators.commands.terminal import raw

WIDEST = 10_000
"""The width of a table's line, in characters, if the output is no terminal."""


def console() -> Console:
    """Return a console on the present standard output.

    Cells must have been made plain by `evaluators.commands.terminal`. In a file or a pipe, tables
    are as wide as they need.
    """
    out = raw(sys.stdout)
    made = Console(file=out, markup=False)
    return made if made.is_terminal else Console(file=out, width=WIDEST, markup=False)
