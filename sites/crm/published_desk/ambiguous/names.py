"""The neutral ids that replace the ids of a screen's fields and buttons (`f1`, `b1`, ...), and
their translation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from sites.crm.base.address import SCREENS
from sites.crm.base.world import knobs
from sites.crm.published_desk.form_fields import CONTROLS, FIELDS
from sites.world import World

_NEUTRAL = re.compile(r"([fb][1-9])(-[0-9]+)?")


@dataclass(frozen=True)
class Names:
    """The real ids of a screen's fields and buttons, in the order in which they are shown as `f1`,
    `b1` and so on.
    """

    fields: tuple[str, ...]
    buttons: tuple[str, ...]

    @property
    def real(self) -> Mapping[str, str]:
        """A dict from neutral ids to real ids."""
        return {
            **{f"f{1 + place}": each for place, each in enumerate(self.fields)},
            **{f"b{1 + place}": each for place, each in enumerate(self.buttons)},
        }

    @property
    def neutral(self) -> Mapping[str, str]:
        """A dict from real ids to neutral ids."""
        return {real: shown for shown, real in self.real.items()}

    def control(self, shown: str) -> str:
        """Return the real id of a clicked element.

        Returns:
            The real id of a neutral one. An id without a neutral form, such as a link's, stays as
            it is. "" for a real id, which only the site may know, and for an unknown neutral id.
        """
        found = _NEUTRAL.fullmatch(shown)
        if found:
            return self.real.get(found[1], "") + (found[2] or "")
        return "" if shown in {*self.fields, *self.buttons} else shown


def names(world: World, screen: str) -> Names:
    """Return the ids of a screen's fields and buttons, in the random order of this visit."""
    rng = Random(f"crm/ambiguous/{knobs(world).shuffle}/{screen}")
    fields, buttons = [*FIELDS[screen]], [*CONTROLS[screen]]
    rng.shuffle(fields)
    rng.shuffle(buttons)
    return Names(tuple(fields), tuple(buttons))


# Received from the pages -------------------------------------------------------------------------


def read_commit(world: World, screen: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a posted form with real ids in place of neutral ones.

    An unknown id of a button becomes "", and values of unknown fields are left out.
    """
    real, control, values = names(world, screen).real, body.get("control"), body.get("values")
    named = real.get(control, "") if isinstance(control, str) else control
    changed: dict[str, Any] = {"control": named}
    if isinstance(values, dict):
        changed["values"] = {real[each]: text for each, text in values.items() if each in real}
    return {**read_events(world, body), **changed}


def read_events(world: World, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a posted body with real ids in its events (typed texts and clicks)."""
    events = body.get("events")
    if not isinstance(events, list):
        return {**body}
    return {**body, "events": [_event(world, each) for each in events]}


def _event(world: World, sent: Any) -> Any:
    """Return a posted event (typed text or click) with real ids. An unreadable event stays as it
    is, so that it is refused later.
    """
    if not isinstance(sent, dict) or sent.get("screen") not in [*SCREENS]:
        return sent
    own, field, control = names(world, sent["screen"]), sent.get("field"), sent.get("control")
    changed = {}
    if isinstance(field, str):
        changed["field"] = own.real.get(field, "") if isinstance(sent.get("value"), str) else ""
    if isinstance(control, str):
        changed["control"] = own.control(control)
    return {**sent, **changed}


# Sent to the pages -------------------------------------------------------------------------------


def shown_errors(world: World, screen: str, errors: Mapping[str, str]) -> dict[str, str]:
    """Return error messages by the neutral ids of their fields."""
    neutral = names(world, screen).neutral
    return {neutral.get(field, field): why for field, why in errors.items()}
