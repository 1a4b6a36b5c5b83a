"""Pack frames for the page: leave out default values, replace repeated texts by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from evaluators.report.frames import Call, Event, Frame
from evaluators.report.texts import Texts

NUMBERED = {Frame: ("url", "title"), Call: ("settings",), Event: ("details",)}
"""Short texts that come again and again; the script finds them by the numbers of `Texts`."""


def packed(frames: Sequence[Frame], texts: Texts, place: str) -> list[Any]:
    """JSON values; the script knows the defaults of every field that is left out.

    `place` is the file that holds the texts whole.
    """

    def pack(value: Any) -> Any:
        if isinstance(value, tuple):
            return [pack(each) for each in value]
        if not is_dataclass(value):
            return value
        numbered = NUMBERED.get(type(value), ())
        held = [(each.name, getattr(value, each.name), each.default) for each in fields(value)]
        return {
            name: texts.add(one, place) if name in numbered else pack(one)
            for name, one, default in held
            if one != default
        }

    return [pack(each) for each in frames]
