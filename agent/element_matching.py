"""Finds an element of an earlier page again on a changed page, with its new id."""

from __future__ import annotations

from agent.interface import Element, Observation


def counterpart(number: int, old: Observation, new: Observation) -> int | None:
    """Return the id that an element of one page has on another page.

    The element there has the same role, name, tag and HTML id, and the same place among equal
    elements. An action can rename some of the equal elements, so that the places among them shift:
    if the pages differ in names alone, an equal element at the same place of the page is taken.

    Returns:
        The id; None if the other page has no such element.
    """
    element = next((each for each in old.elements if each.id == number), None)
    if element is None:
        return None
    before, after = _equals(element, old), _equals(element, new)
    if len(before) != len(after) and _nameless(old) == _nameless(new):
        here = new.elements[old.elements.index(element)]
        if here in after:
            return here.id
    place = before.index(element)
    return after[place].id if place < len(after) else None


def _equals(element: Element, page: Observation) -> list[Element]:
    return [each for each in page.elements if _kind(each) == _kind(element)]


def _kind(element: Element) -> tuple[str, ...]:
    return element.role, element.name, element.tag, element.html_id


def _nameless(page: Observation) -> list[tuple[str, ...]]:
    return [(each.role, each.tag, each.html_id) for each in page.elements]
