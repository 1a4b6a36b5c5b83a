"""Mistakes in the edits of a call: an edit that is left out or done wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scenarios.crm.after_sale.changes_in_one_call import _edits
from scenarios.crm.after_sale.changes_in_one_call._edits import (
    BAGS,
    BORN,
    ECHO,
    FALLBACK,
    FEE,
    NAME,
    NOTE,
    SAME,
    SWAP,
    Call,
    Edit,
    other_way,
)
from scenarios.crm.airline_desk.forms import Instead
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.operations.changing import NOTES
from sites.crm.airline_desk.operations.money import FEES

WRONG_ROWS = {
    "row in front": _edits.in_front,
    "seat that costs": _edits.behind_charged,
    "no aisle seat": _edits.behind_anywhere,
}
"""Functions that return wrong fallback seats, by the condition of the fallback that they ignore."""
GROUPS = {
    **dict.fromkeys((FALLBACK, ECHO, SWAP), "seats"),
    **dict.fromkeys((BAGS, SAME), "bags"),
    **dict.fromkeys((NAME, BORN), "passengers"),
    NOTE: "booking",
    FEE: "money",
}
"""The name of the check that covers each kind of edit."""


def misses(
    call: Call, edits: Sequence[Edit], before: Mapping[int, Sequence[Edit]], dropped: Edit | None
) -> Iterator[tuple[int, Instead]]:
    """Yield the mistakes that an agent could make in a call.

    Args:
        edits: The edits in the order in which they are done.
        before: Wrong edits that the caller states first, by the right edit's index in the call.
        dropped: An edit that the caller takes back, or None.

    Yields:
        The index of the wrong edit (-1 for an additional edit), and its forms.
    """
    for at, edit in enumerate(edits):
        fails = GROUPS[edit.kind]
        yield at, Instead(f"{edit.kind}: missing", (), fails)
        wrong = before.get(call.edits.index(edit), ())
        for nth, earlier in enumerate(wrong, start=1):
            name = f"changed {COUNTED[len(wrong)]}: value {nth}"
            yield at, Instead(name, call.do(earlier), fails)
        for each in MISSES.get(edit.kind, _no_more)(call, edit):
            yield at, Instead(f"{edit.kind}: {each.name}", each.do, each.fails or fails)
    if dropped:
        yield -1, Instead("done though taken back", call.do(dropped), "booking")


COUNTED = {1: "once", 2: "twice"}


def _no_more(_: Call, __: Edit) -> Iterator[Instead]:
    yield from ()


def _wrong_seat(call: Call, edit: Edit) -> Iterator[Instead]:
    free, plane = call.free(edit.trip, edit.way), cabin(call.flight(edit.trip, edit.way))
    first_free = {"though the first was free": _edits.behind}
    looks = first_free if edit.value in free else WRONG_ROWS
    for label, look in looks.items():
        found = look(plane, edit.value, free)[0].code
        yield Instead(label, [call.seats(edit.trip, edit.way, {edit.who: found})])
    yield Instead("for somebody else", [call.seats(edit.trip, edit.way, {2: call.given(edit)})])


def _wrong_echo(call: Call, edit: Edit) -> Iterator[Instead]:
    first = next(each for each in call.edits if each.kind == FALLBACK)
    seats = {edit.who: first.value}
    if first.value in call.free(edit.trip, edit.way) and first.value != call.given(first):
        yield Instead("the seat wanted first", [call.seats(edit.trip, edit.way, seats)])


def _other_way(call: Call, edit: Edit) -> Iterator[Instead]:
    yield Instead("on the other flight", call.do(replace(edit, way=other_way(edit.way))))


def _wrong_bags(call: Call, edit: Edit) -> Iterator[Instead]:
    if int(edit.value) != call.trips[edit.trip].bags.get((edit.who, edit.way), 0):
        yield Instead("those included not counted", [call.bags(edit, int(edit.value))])
    elsewhere = replace(edit, trip=1 - edit.trip)
    pieces = call.included(edit.trip, edit.way) + int(edit.value)
    if pieces != call.trips[1 - edit.trip].bags.get((edit.who, edit.way), 0):
        yield Instead("on the other booking", [call.bags(elsewhere, pieces)])


def _wrong_copy(call: Call, edit: Edit) -> Iterator[Instead]:
    stale = call.trips[1 - edit.trip].bags.get((edit.who, edit.source), 0)
    if stale != call.pieces(1 - edit.trip, edit.who, edit.source):
        yield Instead("as it was before the call", [call.bags(edit, stale)])


def _wrong_name(call: Call, edit: Edit) -> Iterator[Instead]:
    whole = call.do(edit)
    ways = len(whole) // 2
    yield Instead("check-in not redone", whole[: ways + 1], "booking")
    if ways > 1:
        yield Instead("check-in redone on one flight", whole[:-1], "booking")


def _wrong_birthday(call: Call, edit: Edit) -> Iterator[Instead]:
    elsewhere = Edit(NOTE, 1 - edit.trip, edit.who)
    wrong = call.trips[edit.trip].passengers[edit.who - 1].person.born
    yield Instead("changed where it was right", [call.person(elsewhere, born=wrong)])
    people = call.trips[edit.trip].passengers
    named = {each.who for each in call.edits if each.kind == NAME}
    kind = people[edit.who - 1].kind
    for other in people:
        if other.kind == kind and other.number not in {edit.who, *named}:
            somebody = replace(edit, who=other.number)
            yield Instead("of somebody else", [call.person(somebody, born=edit.value)])


def _wrong_note(call: Call, edit: Edit) -> Iterator[Instead]:
    yield Instead("on the other booking", call.do(replace(edit, trip=1 - edit.trip)))
    code = next(each for each in NOTES if each != edit.code)
    yield Instead("another code", call.do(replace(edit, code=code)))


def _wrong_fee(call: Call, edit: Edit) -> Iterator[Instead]:
    yield Instead("for everybody", [call.fee(replace(edit, who=0), call.voucher)])
    yield Instead("another voucher", [call.fee(edit, call.vouchers[1])])
    yield Instead("by card only", [call.fee(edit, None)])
    code = next(each for each in FEES if each != edit.code)
    yield Instead("of another kind", [call.fee(replace(edit, code=code), call.voucher)])
    elsewhere = replace(edit, trip=1 - edit.trip)
    yield Instead("on the other booking", [call.fee(elsewhere, call.voucher)])


MISSES = {
    FALLBACK: _wrong_seat,
    ECHO: _wrong_echo,
    SWAP: _other_way,
    BAGS: _wrong_bags,
    SAME: _wrong_copy,
    NAME: _wrong_name,
    BORN: _wrong_birthday,
    NOTE: _wrong_note,
    FEE: _wrong_fee,
}
