"""The profile `clock`: a visit whose time passes with the agent's actions and words.

The visit has a deadline, and most families also have an event that happens at a minute: fares or
prices that change, an offer or product that sells out, or a second mail. The minutes are drawn so
that an agent that acts as the expert does, and writes 200 characters with each action, uses at most
two thirds of its time.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from random import Random

from sites.dials import Dials

CLOCK = "clock"
"""The name of the profile."""
EVENTS = ("repriced", "sold_out", "late_mail")
"""The profiles whose event happens at a minute in a visit with a clock.

`trimmed` is none of them: a field that is too short stays too short.
"""
A_STEP = 1.5
"""The minutes of an action with 200 characters (`evaluators.episode.minutes`)."""
SPARE = 1.5
"""The time that a visit has at least, as a multiple of the expert's own time."""
LONGER = 1.2
"""The largest factor by which a drawn deadline is later than the earliest one."""
MAIL = (2, 8)
"""The first and the last minute at which a late mail may arrive.

It arrives before an agent that writes nothing can do anything irreversible.
"""


def timed(rng: Random, dials: Dials, actions: int, held: str) -> Dials:
    """Return dials with a deadline, and with a minute for their event if they have one.

    Args:
        rng: The source of the numbers.
        dials: The dials of the event, or dials that change nothing.
        actions: The number of actions that the expert needs at most.
        held: The kind of the deadline, a key of `sites.clock.HELD`.
    """
    until = ceil(actions * A_STEP * SPARE * rng.uniform(1, LONGER))
    has_event = bool(dials.raised or dials.sold or dials.listed or dials.taken)
    change = rng.randint(until // 10, until // 3) if has_event else 0
    if dials.mail:
        change = rng.randint(*MAIL)
    return replace(dials, change=change, until=until, held=held)
