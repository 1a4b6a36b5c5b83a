"""Renderings: each file here writes an observation for a model, and reads it back.

A rendering is a module with `render`, `parse` and `shown`, such that for every observation
`parse(render(o)) == shown(o)`. Nothing that a page says can end a line or look like syntax.
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
    """The protocol of the files of this folder."""

    def render(self, observation: Observation) -> str:
        """The text for the model; begins with header lines, no newline at the end."""

    def parse(self, text: str) -> Observation:
        """Read it back; a field that is not written has its default. Raises `ValueError`."""

    def shown(self, observation: Observation) -> Observation:
        """The observation, reduced to what this rendering writes."""


def names() -> list[str]:
    return [name for name in plugins.names(sys.modules[__name__]) if name not in _NO_RENDERING]


@cache
def get(name: str) -> Rendering:
    """The rendering with this name. Raises `plugins.UnknownName`."""
    if name not in names():
        raise plugins.unknown("rendering", name, names())
    return cast("Rendering", plugins.load("rendering", sys.modules[__name__], name))


def notes(text: str) -> tuple[str, ...]:
    """The notes that a rendering shows above its page, whichever it is."""
    return _header.notes(text)


def without_instruction(observation: Observation, instruction: str) -> Observation:
    """The page without the line that repeats the instruction, which prompts say themselves."""
    repeated = f"Instruction: {instruction}"
    content = (node for node in observation.content if getattr(node, "text", "") != repeated)
    return replace(observation, content=tuple(content))
