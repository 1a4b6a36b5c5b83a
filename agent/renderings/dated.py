"""The `painted` rendering with whole dates in calendars: `[30] link '12/26/2016'`.

SteP's released code shows the calendars of MiniWoB so. A calendar is a text such as `December 2016`
with the links after it that are named by a number. The date is of that month and year, without
zeros in front, and nothing else on the page decides. Ids and all other names stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from agent.interface import Element, Observation, Text
from agent.renderings import painted

parse = painted.parse

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_SHOWN = re.compile(rf"({'|'.join(_MONTHS)}) (\d{{4}})", re.ASCII)
_DAY = re.compile("[1-9]|[12][0-9]|3[01]")


def render(observation: Observation) -> str:
    return painted.render(_dated(observation))


def shown(observation: Observation) -> Observation:
    return painted.shown(_dated(observation))


def redrawn(page: str) -> str:
    """Return the content of a page, written by `painted`, as this rendering writes it.

    Raises:
        ValueError: `painted` never writes such a text.
    """
    return render(parse(f"\n{page}")).strip("\n")


def _dated(observation: Observation) -> Observation:
    return replace(observation, content=tuple(_with_dates(observation.content)))


def _with_dates(content: Iterable[Element | Text]) -> Iterator[Element | Text]:
    """Yield the content of a page with whole dates as the names of a calendar's days."""
    month = year = ""
    for node in content:
        if isinstance(node, Text):
            if found := _SHOWN.fullmatch(node.text):
                month, year = str(_MONTHS.index(found[1]) + 1), found[2]
            yield node
        elif month and node.role == "link" and _DAY.fullmatch(node.name):
            yield replace(node, name=f"{month}/{node.name}/{year}")
        else:
            yield node
