"""The raw state of Synapse: the lines of the `html` rendering, without address and title above
them.
"""

from __future__ import annotations

from dataclasses import replace

from agent.interface import Observation
from agent.renderings import html

_HEAD = "url: about:blank\ntitle: ''\n\n"


def render(observation: Observation) -> str:
    return html.render(replace(observation, url="about:blank")).partition("\n\n")[2]


def parse(text: str) -> Observation:
    return replace(html.parse(_HEAD + text), url="", title="")


def shown(observation: Observation) -> Observation:
    return Observation("", "", observation.content)
