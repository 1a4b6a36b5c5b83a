"""Standard output for tables."""

from __future__ import annotations

import sys

from rich.console import Console

WIDEST = 10_000
"""Columns of a line that is not for a terminal."""


def console() -> Console:
    """Standard output as it is now; into a file or a pipe tables are as wide as they are."""
    made = Console(file=sys.stdout, markup=False)
    return made if made.is_terminal else Console(file=sys.stdout, width=WIDEST, markup=False)
