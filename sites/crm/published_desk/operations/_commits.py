"""Changes by buttons of the published desk: one at a time, each with a row in the journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from sites.crm.base.address import Place
from sites.crm.base.forms import Invalid, Values
from sites.crm.base.records import Booking
from sites.crm.published_desk import journal
from sites.crm.published_desk.operations.looking import booking, version_of
from sites.site_app import Refusal
from sites.world import World, WorldClosed


@dataclass
class JournalEntry:
    """The journal's row for a pressed button; `recorded` holds the accepted values."""

    place: Place
    recorded: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def commit(world: World, control: str, place: Place, values: Values) -> Iterator[JournalEntry]:
    """Make a change inside this context manager and write its journal row, accepted or refused;
    changes run one at a time.
    """
    with world.lock:
        if world.closed:
            raise WorldClosed("this episode is closed; nothing was changed")
        entry = JournalEntry(place)
        try:
            yield entry
        except Invalid as problem:
            journal.refused(world, control, place, values, problem.errors)
            raise
        except Refusal as problem:
            journal.refused(world, control, place, values, {"": problem.sentence})
            raise
        journal.accepted(world, control, place, values, entry.recorded)


def check_version(world: World, place: Place, version: int | None) -> None:
    """Raise `Refusal` (409) if the page was made before the last change; with `version` None there
    is no check.
    """
    if version not in {None, version_of(world, place)}:
        sentence = "This was changed since the page was made, so nothing was done. Check it again."
        raise Refusal(409, sentence, place.address, "Load it again")


def changeable(world: World, reference: str, version: int | None = None) -> Booking:
    """Return a booking that can be changed. Raises `Refusal` (409) if it was cancelled, or changed
    after the page was made.
    """
    found = booking(world, reference)
    place = Place("booking", found.reference)
    if found.cancelled:
        sentence = f"Booking {found.reference} was cancelled already, so nothing was changed."
        raise Refusal(409, sentence, place.address, "Open the booking")
    check_version(world, place, version)
    return found
