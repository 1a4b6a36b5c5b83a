"""Tables for a terminal that show every figure whole: a table that is too wide becomes several.

Each of them begins with the columns that name the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Table

from evaluators.commands.terminal import plain

GAP, EDGES = 2, 2
"""The spaces between two columns, and those at both ends of a line."""
LONGEST_TEXT = 32
"""The most characters of a line in a column of texts; a longer text continues in the next line."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        head: The name of the column.
        cells: A text for each row.
        most: The most characters of a line; longer texts continue in the next line. 0 for a figure,
            which is always in one line.
    """

    head: str
    cells: tuple[str, ...]
    most: int = 0

    @property
    def width(self) -> int:
        """The width of the column in characters."""
        widest = max(map(cell_len, (self.head, *self.cells)))
        return min(widest, max(self.most, cell_len(self.head))) if self.most else widest


def fitted(names: Sequence[Column], columns: Sequence[Column], width: int) -> Iterator[Table]:
    """Yield as few tables as show all columns within a width.

    Args:
        names: The columns that name the rows; all tables have them. If one table would be too wide,
            long names continue in the next line.
        columns: The other columns, in their order.
        width: The most characters of a line. A column that is wider has a table of its own.
    """
    if _width((*names, *columns)) > width:
        names = [replace(each, most=width // 3) for each in names[:1]] + [
            replace(each, most=width // 4) for each in names[1:]
        ]
    left = [*columns]
    while left:
        fits = [n for n in range(2, len(left) + 1) if _width((*names, *left[:n])) <= width]
        count = max(fits, default=1)
        yield _table((*names, *left[:count]))
        left = left[count:]


def _width(columns: Sequence[Column]) -> int:
    """Return the width of a table with these columns."""
    return sum(each.width for each in columns) + GAP * (len(columns) - 1) + EDGES


def _table(columns: Sequence[Column]) -> Table:
    """Return a table with these columns; names and texts stand on the left, figures on the
    right.
    """
    made = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for each in columns:
        if each.most:
            made.add_column(each.head, width=each.width, overflow="fold")
        else:
            made.add_column(each.head, width=each.width, justify="right", no_wrap=True)
    for row in zip(*(each.cells for each in columns), strict=True):
        made.add_row(*map(plain, row))
    return made
