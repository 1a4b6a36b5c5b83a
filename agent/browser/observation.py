"""Converts the JSON of the walker (the script that reads a page) to the types of
`agent.interface`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from agent.interface import Element, Text
from agent.offered import OFFERS


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as the walker (the script that reads pages) has read it.

    Attributes:
        url: Address of the page.
        title: Title of the page.
        content: Elements and texts in reading order.
        settled: Whether the page had stopped changing before the time limit.
        source: Outer HTML of the requested elements.
        more: As in `Observation`.
        inputs: As in `Observation`.
        problem: Why the requested source is missing; "" if it is not missing.
    """

    url: str
    title: str
    content: tuple[Element | Text, ...]
    settled: bool
    source: str = ""
    more: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    problem: str = ""


Colors = tuple[tuple[str, str], ...]


def decode(text: str) -> Reading:
    """Return the reading of a page that the walker (the script that reads pages) gives as JSON
    text.

    A node is `[kind, name, depth, tint, html id, value, states, options, commits]`, cut off after
    the last field that is not empty. A text has a fifth field only if it is the current item.
    `kind` counts from 1 in the table `kinds` of "tag, role, input type" (a text has an empty
    tag), and `tint` from 1 in the table `tints` of colours.
    """
    page = json.loads(text)
    kinds = [tuple(row.split("\t")) for row in page["kinds"]]
    tints = [(), *(_colors(row) for row in page["tints"])]
    content: list[Element | Text] = []
    number = 0
    for node in page["content"]:
        kind = kinds[node[0] - 1]
        if len(kind) == 2:
            current = len(node) > 4
            content.append(Text(node[1], kind[1], node[2], tints[node[3]], current))
        else:
            number += 1
            content.append(_element(number, kind, tints[node[3]], node))
    return Reading(
        page["url"],
        page["title"],
        tuple(content),
        page["settled"],
        page["source"],
        tuple(page["more"]),
        tuple(verb for verb in OFFERS if verb in page["inputs"]),
        page["problem"],
    )


def _colors(row: str) -> Colors:
    parts = row.split("\t")
    return tuple(zip(parts[::2], parts[1::2], strict=True))


_EMPTY: list[Any] = [0] * 9


def _element(number: int, kind: tuple[str, ...], colors: Colors, node: list[Any]) -> Element:
    tag, role, input_type = kind
    _, name, depth, _, html_id, value, states, options, commits = node + _EMPTY[len(node) :]
    return Element(
        number,
        role,
        name,
        value[0] if value else None,
        tuple(states) if states else (),
        tag,
        html_id or "",
        input_type,
        tuple(options) if options else (),
        colors,
        commits == 1,
        depth,
    )
