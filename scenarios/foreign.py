"""Advice for a family of the shops on pages that write dates and money in other formats.

The page is translated into the usual formats before the family's adviser reads it, and the texts
that the adviser types are translated back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent.interface import Action, Advice, Element, Note, Observation, Text, Type
from sites.store.shop.formats import Formats

AMOUNT_FIELDS = ("Amount in dollars",)
"""The labels of fields that take an amount of money."""


def advise(
    formats: Formats, usual: Callable[[Observation], Advice], observation: Observation
) -> Advice:
    """Return the usual advice, translated for a page with other formats.

    Args:
        formats: The formats of the page.
        usual: The family's adviser for pages in the shops' own formats.
        observation: The page as the agent sees it.
    """
    amounts = {each.id for each in observation.elements if each.name in AMOUNT_FIELDS}
    advice = usual(_read(formats, observation))

    def written(action: Action) -> Action:
        if isinstance(action, Note):
            return Note(formats.written(action.text))
        if isinstance(action, Type) and action.target in amounts:
            return replace(action, text=formats.written(f"${action.text}"))
        return action

    return replace(
        advice,
        actions=tuple(map(written, advice.actions)),
        needs=tuple(_spelt(formats, each) for each in advice.needs),
        ahead=tuple((remark, written(action)) for remark, action in advice.ahead),
    )


def _read(formats: Formats, observation: Observation) -> Observation:
    """Return the page with all texts and notes translated into the shops' own formats."""
    notes = observation.notes
    return replace(
        observation,
        content=tuple(_read_node(formats, each) for each in observation.content),
        notes=None if notes is None else tuple(map(formats.read, notes)),
    )


def _read_node(formats: Formats, node: Element | Text) -> Element | Text:
    """Return an element or text of the page, translated into the shops' own formats."""
    if isinstance(node, Text):
        return replace(node, text=formats.read(node.text))
    value = node.value
    if value is not None and node.name in AMOUNT_FIELDS:
        value = formats.read_amount(value)
    return replace(node, name=formats.read(node.name), value=value)


def _spelt(formats: Formats, spellings: tuple[str, ...]) -> tuple[str, ...]:
    """Return a value's accepted spellings, followed by the same in the formats of the page."""
    return tuple(dict.fromkeys((*spellings, *map(formats.written, spellings))))
