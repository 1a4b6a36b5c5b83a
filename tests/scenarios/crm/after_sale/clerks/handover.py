"""Does the matters of a note one by one, each as the clerk does a request of its family.

Nobody says of which family a matter is: it is whichever understands it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.scenarios.crm.after_sale.clerks import (
    changes_in_one_call,
    find_by_name,
    move_one_leg,
    split_party,
)
from tests.scenarios.crm.airline_desk.clerk import Clerk
from tests.scenarios.crm.airline_desk.request_reader import NotUnderstood, Reader

NEEDED = ("tables", "seat map", "rules")
FAMILIES = (find_by_name, move_one_leg, split_party, changes_in_one_call)
ACTS = ("hand", "apart", "reply")
MARKS = ("First", "Second", "Third", "Fourth")
MARK = re.compile(rf"(?<!\S)({'|'.join(MARKS)}): ")


def work(clerk: Clerk, request: str) -> str:
    answers = [done(clerk, each) for each in matters(request)]
    return ", ".join(filter(None, answers))


def matters(request: str) -> Iterator[str]:
    """The texts after the marks. Raises `NotUnderstood` where the rest is not the frame."""
    frame, *parts = MARK.split(request)
    reader = Reader("handover", {}, frame)
    for act in ACTS:
        reader.take(act)
    if reader.text or tuple(parts[::2]) != MARKS:
        raise NotUnderstood(request)
    yield from map(str.strip, parts[1::2])


def done(clerk: Clerk, text: str) -> str:
    """Do a matter; its answer."""
    for family in FAMILIES:
        clerk.visitor.open("/")
        try:
            return family.work(clerk, text)
        except NotUnderstood:
            continue
    raise NotUnderstood(text)
