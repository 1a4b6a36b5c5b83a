"""Screens whose form is sent by GET, so that the entered values and the page number stand in the
address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sites.crm.airline_desk.pages import widgets
from sites.crm.airline_desk.pages.screen import Link
from sites.crm.airline_desk.screens._view import Entry, View


def filled(view: View, entries: tuple[Entry, ...], given: Mapping[str, str]) -> View:
    """Return the view of a screen with the values given for its fields, and an error message for
    each wrong value.

    A right value is the normal text. A wrong one stays as it was entered.
    """
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
    """Return the view of a screen with the field values in its address; the fields are empty if it
    has none.
    """
    shown = filled(view, entries, view.arguments)
    return shown if view.arguments else replace(shown, values={})


def page(view: View, pages: int) -> tuple[int, int]:
    """Return the number of the page of results that the address names, from 1, and the number of
    pages.
    """
    asked = view.arguments.get("page", "1")
    is_number = asked.isascii() and asked.isdecimal() and len(asked) < 5
    return (min(pages, max(1, int(asked))) if is_number else 1), pages


def pages(view: View, count: int) -> tuple[Link, ...]:
    """Return links to all pages of a list; none if it has only one page."""
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
