"""Finds an element of an earlier page again on a changed page, with its new id."""

from __future__ import annotations

from agent.interface import Element, Observation


def counterpart(number: int, old: Observation, new: Observation) -> int | None:
    """Return the id that an element of one page has on another page.

    The element there has the same role, name, tag and HTML id, and the same place among equal
    elements.

    Returns:
        The id; None if the other page has no such element.
    """
    element = next((each for each in old.elements if each.id == number), None)
    if element is None:
        return None
    place = [each.id for each in old.elements if _kind(each) == _kind(element)].index(number)
    equals = [each.id for each in new.elements if _kind(each) == _kind(element)]
    return equals[place] if place < len(equals) else None


def _kind(element: Element) -> tuple[str, ...]:
    return element.role, element.name, element.tag, element.html_id
