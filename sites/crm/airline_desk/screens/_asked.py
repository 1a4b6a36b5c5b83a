"""Screens that are asked by GET: their fields and pages stand in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sites.crm.airline_desk.pages import widgets
from sites.crm.airline_desk.pages.screen import Link
from sites.crm.airline_desk.screens._view import Entry, View


def filled(view: View, entries: tuple[Entry, ...], given: Mapping[str, str]) -> View:
    """The screen with the normal texts of its fields, as they were entered where they are wrong,
    and the problems of those."""
    values, problems = {}, {}
    for entry in entries:
        where = view.airline, entry.kind, view.airline.id(*entry.parts), given
        try:
            values[entry.key] = widgets.read(*where, view.data)
        except ValueError as problem:
            values[entry.key] = widgets.draft(*where)
            problems[entry.key] = str(problem)
    return replace(view, values=values, problems=problems)


def fields(view: View, entries: tuple[Entry, ...]) -> View:
    """The screen with what its address says of its fields; with none of it, they are empty."""
    shown = filled(view, entries, view.arguments)
    return shown if view.arguments else replace(shown, values={})


def page(view: View, pages: int) -> tuple[int, int]:
    """The number of the page that is shown, from 1, and how many there are."""
    asked = view.arguments.get("page", "1")
    is_number = asked.isascii() and asked.isdecimal() and len(asked) < 5
    return (min(pages, max(1, int(asked))) if is_number else 1), pages


def pages(view: View, count: int) -> tuple[Link, ...]:
    """Links to all pages of what is asked for; none where there is only one."""
    shown, _ = page(view, count)
    others = {name: text for name, text in view.arguments.items() if name not in {"page", "press"}}
    return tuple(
        Link(
            view.airline.id("page", number),
            view.word("page-of", page=number),
            view.address(view.place, **{**others, "page": number}),
            current=number == shown,
        )
        for number in range(1, count + 1)
        if count > 1
    )
