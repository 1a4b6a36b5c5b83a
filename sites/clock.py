"""The clock of a visit: minutes that pass with the agent's actions and words.

The program that runs the visit moves the clock through the visit's world; no request can move it.
The dials (difficulty settings) `change` and `until` name the minute from which on pages show what
has changed meanwhile, and the last minute at which a form is accepted.
"""

from __future__ import annotations

import re

from sites.world import World

MINUTE = "minute"
"""The key under which `World.about` holds the minute; only visits with a clock have it."""
CHANGED = "changed"
"""The event in the table `log_dials` that says after which row of `log_pages` the pages changed."""
NOW = "It is minute {now}."
HELD = {
    "offers": "These offers are held for you until minute {until}.",
    "ticket": "This ticket must be settled by minute {until}.",
    "cart": "Prices and stock are held for you until minute {until}.",
}
"""The sentence of each deadline, as pages show it."""
_ENDED = "and your time ended at minute"
OVER = f"It is minute {{now}}, {_ENDED} {{until}}. Nothing was changed."
_SHOWN = re.compile(r"It is minute \d+")


def start(world: World) -> None:
    """Give a visit a clock, at minute 0."""
    move(world, 0)


def is_in(world: World) -> bool:
    """Return whether a visit has a clock."""
    return MINUTE in world.about


def move(world: World, minute: int) -> None:
    """Set the clock of a visit. A restored world keeps its minute, since time does not go back."""
    world.about[MINUTE] = str(minute)


def minute(world: World) -> int:
    """Return the minute of a visit, 0 if it has no clock."""
    return int(world.about.get(MINUTE, 0))


def sentence(world: World, held: str, until: int) -> str:
    """Return the text that pages show: the minute, and the deadline.

    Args:
        world: The visit.
        held: The kind of the deadline, a key of `HELD`.
        until: The last minute at which a form is accepted.
    """
    return f"{NOW.format(now=minute(world))} {HELD[held].format(until=until)}"


def without(text: str) -> str:
    """Return the text of a page without its minute, to compare a page at two times."""
    return _SHOWN.sub("", text)


def is_over(text: str) -> bool:
    """Return whether the text of a page says that the deadline has passed."""
    return _ENDED in text


def note_change(world: World, change: int) -> None:
    """Record the change when the first page in its minute or later is opened.

    A form that was sent from an earlier page still counts as sent before the change.

    Args:
        world: The visit.
        change: The minute of the change.
    """
    if minute(world) >= change and changed_after(world) is None:
        [opened] = world.read("SELECT coalesce(max(id), 0) AS last FROM log_pages")
        row = CHANGED, str(opened["last"])
        world.write("INSERT INTO log_dials (event, about) VALUES (?, ?)", row)


def changed_after(world: World) -> int | None:
    """Return the id of the last row of `log_pages` before the change, or None before the change."""
    rows = world.read("SELECT about FROM log_dials WHERE event = ? LIMIT 1", (CHANGED,))
    return int(rows[0]["about"]) if rows else None
