"""Renderings: each file here writes an observation as text for a model, and reads the text back.

A rendering is a module with `render`, `parse` and `shown`, such that `parse(render(o)) == shown(o)`
for every observation. No text of a page can end a line or look like syntax.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from typing import Protocol, cast

from agent import plugins
from agent.interface import Observation
from agent.renderings import _header

_NO_RENDERING = {"joined", "markers", "quoting", "roles"}


class Rendering(Protocol):
    """The protocol of a rendering: the functions that each module in this folder defines."""

    def render(self, observation: Observation) -> str:
        """Return the text for the model; it begins with header lines and has no line break at the
        end.
        """

    def parse(self, text: str) -> Observation:
        """Return the observation in a text; fields that are not written get their defaults.

        Raises:
            ValueError: The text is none that `render` returns.
        """

    def shown(self, observation: Observation) -> Observation:
        """Return the observation, reduced to the fields that this rendering writes."""


def names() -> list[str]:
    """Return the names of the renderings."""
    return [name for name in plugins.names(sys.modules[__name__]) if name not in _NO_RENDERING]


@cache
def get(name: str) -> Rendering:
    """Return the rendering with this name. Raises `UnknownName`."""
    if name not in names():
        raise plugins.unknown("rendering", name, names())
    return cast("Rendering", plugins.load("rendering", sys.modules[__name__], name))


def notes(text: str) -> tuple[str, ...]:
    """Return the agent's notes in the header of a rendered page, in any rendering."""
    return _header.notes(text)


def without_instruction(observation: Observation, instruction: str) -> Observation:
    """Return the page without the line that repeats the instruction, which prompts contain
    anyway.
    """
    repeated = f"Instruction: {instruction}"
    content = (node for node in observation.content if getattr(node, "text", "") != repeated)
    return replace(observation, content=tuple(content))
