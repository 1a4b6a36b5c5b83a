"""The pagers: which pages of a list a page of it links to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

PageLink = tuple[str, int]
"""The skin's word of a link, and the number of the page that the link leads to."""
NEAR = 2
"""The pager `numbers` links to the pages at most this far away, and to the first and last page."""


def _next(number: int, last: int) -> list[PageLink]:
    before = [("previous", number - 1)] if number > 1 else []
    return before + ([("next", number + 1)] if number < last else [])


def _numbers(number: int, last: int) -> list[PageLink]:
    near = {1, last, *range(number - NEAR, number + NEAR + 1)} - {number}
    return [("number", each) for each in sorted(near) if 1 <= each <= last]


def _ends(number: int, last: int) -> list[PageLink]:
    before = [("first", 1)] if number > 1 else []
    return before + _next(number, last) + ([("last", last)] if number < last else [])


PAGERS: Mapping[str, Callable[[int, int], list[PageLink]]] = {
    "next": _next,
    "numbers": _numbers,
    "ends": _ends,
}
"""By name, a function that gets the number of a page and the number of the last page, and returns
the links that this page offers."""
