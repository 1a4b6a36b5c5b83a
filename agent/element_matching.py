"""Elements found again after the page has changed and its ids with it."""

from __future__ import annotations

from agent.interface import Element, Observation


def counterpart(number: int, old: Observation, new: Observation) -> int | None:
    """The id that an element has on another screen: the one of the same role, name, tag and html
    id that has the same place among its equals; None where there is none."""
    element = next((each for each in old.elements if each.id == number), None)
    if element is None:
        return None
    place = [each.id for each in old.elements if _kind(each) == _kind(element)].index(number)
    equals = [each.id for each in new.elements if _kind(each) == _kind(element)]
    return equals[place] if place < len(equals) else None


def _kind(element: Element) -> tuple[str, ...]:
    return element.role, element.name, element.tag, element.html_id
