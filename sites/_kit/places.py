"""Places: a page with its arguments, apart from how an address writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sites._kit.declare import PAGE, Form
from sites.world import Row


@dataclass(frozen=True)
class Place:
    """A page with its arguments, sorted by name.

    The order, the keyword, the filters and the number of a list's page are arguments, too. Usual
    ones are left out.
    """

    page: str
    args: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, page: str, args: Mapping[str, Any]) -> Place:
        """Return the place of a page with these arguments."""
        return cls(page, tuple(sorted((key, str(value)) for key, value in args.items())))

    def __getitem__(self, key: str) -> str | None:
        for name, value in self.args:
            if name == key:
                return value
        return None

    def but(self, **args: Any) -> Place:
        """Return the place with other arguments. None leaves an argument out."""
        merged = {**dict(self.args), **args}
        return Place.of(self.page, {k: v for k, v in merged.items() if v is not None})

    @property
    def number(self) -> int:
        """The number of the list's page."""
        text = self[PAGE] or "1"
        return int(text) if text.isdecimal() and len(text) < 10 else 0


@dataclass(frozen=True)
class Spot:
    """The form that a page has for an operation.

    Attributes:
        form: The form.
        row: The label of the row that it stands in; "" for a form of the page itself.
    """

    form: Form
    row: str = ""


@dataclass(frozen=True)
class Shown:
    """The rows that one page of a list shows.

    Attributes:
        rows: The rows.
        total: The number of rows on all pages of the list.
        last: The number of the last page.
    """

    rows: list[Row]
    total: int
    last: int
