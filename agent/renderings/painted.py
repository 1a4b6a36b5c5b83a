"""The `tree` rendering with colours after the states: `[3] graphics-symbol 'large K' fill=red`.

`color`, `background-color`, `fill` and `stroke` are written if they differ from their surroundings.
A colour with a well-known name is written by that name, any other as quoted CSS. The rendering
shows all that `tree` shows, and colours.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.interface import Element, Observation, Text
from agent.renderings import _header, tree
from agent.renderings.quoting import LISTED, QUOTED, matched, quote, unquote

_NAMES = {
    "rgb(0, 0, 0)": "black",
    "rgb(255, 255, 255)": "white",
    "rgb(128, 128, 128)": "gray",
    "rgb(255, 0, 0)": "red",
    "rgb(0, 128, 0)": "green",
    "rgb(0, 0, 255)": "blue",
    "rgb(255, 255, 0)": "yellow",
    "rgb(0, 255, 255)": "aqua",
    "rgb(255, 0, 255)": "magenta",
    "rgb(255, 165, 0)": "orange",
    "rgb(255, 192, 203)": "pink",
    "rgb(128, 0, 128)": "purple",
    "rgb(165, 42, 42)": "brown",
}
_VALUES = {name: value for value, name in _NAMES.items()}

_COLOR = rf" ((?:background-)?color|fill|stroke)=({'|'.join(_VALUES)}|{QUOTED})"
_COLORS = re.compile(_COLOR)
_MARK = rf" [a-z_]+(?:={QUOTED}|={LISTED})?"
_LINE = re.compile(
    rf"( *(?:\[[0-9]+\] )?(?:[A-Za-z][A-Za-z0-9-]*|{QUOTED}) {QUOTED}(?:{_MARK})*?)((?:{_COLOR})*)"
)


def render(observation: Observation) -> str:
    return _header.compose(observation, map(_line, observation.content))


def _line(node: Element | Text) -> str:
    colors = (f" {kind}={_NAMES.get(value) or quote(value)}" for kind, value in node.colors)
    return tree.line(node) + "".join(colors)


def parse(text: str) -> Observation:
    return _header.parse(text, _node)


def _node(line: str) -> Element | Text:
    match = matched(_LINE, line)
    found = _COLORS.findall(match[2])
    colors = tuple((kind, _VALUES.get(value) or unquote(value)) for kind, value in found)
    return replace(tree.node(match[1]), colors=colors)


def shown(observation: Observation) -> Observation:
    content = tuple(
        replace(plain, colors=node.colors)
        for plain, node in zip(tree.shown(observation).content, observation.content, strict=True)
    )
    return replace(_header.shown(observation), content=content)
