"""A flight that a request describes but does not name: "the first non-stop flight of the day"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from sites.crm.base.network import Offer
from sites.crm.base.timetable import clock12, clock24

CLEAR = 10
"""The fewest minutes between a time that the request names and any departure."""
GRID = 30
EARLIEST, LATEST = 6 * 60, 22 * 60


@dataclass(frozen=True)
class Choice:
    """A description of the first or last non-stop offer of a day, optionally after or before a
    minute of the day.
    """

    last: bool
    after: int | None = None
    before: int | None = None

    def pick(self, offers: Sequence[Offer], *, direct: bool = True) -> Offer | None:
        """Return the offer that this description means, or None if no offer fits.

        Args:
            offers: The offers in order of departure.
            direct: Whether offers with a stop are excluded.
        """
        found = [each for each in offers if self._admits(each) and not (direct and each.stops)]
        if not found:
            return None
        return found[-1] if self.last else found[0]

    def _admits(self, offer: Offer) -> bool:
        late = self.before is not None and offer.departs >= self.before
        early = self.after is not None and offer.departs <= self.after
        return not late and not early

    def text(self, rng: Random) -> str:
        """Return the description of the flight in words; only the spelling of the time is
        random.
        """
        if self.after is not None:
            return f"the first non-stop flight that leaves after {clock(rng, self.after)}"
        if self.before is not None:
            return f"the last non-stop flight that leaves before {clock(rng, self.before)}"
        which = "last" if self.last else "first"
        return f"the {which} non-stop flight of the day"


def clock(rng: Random, minutes: int) -> str:
    """Return a time of the day in 24-hour or 12-hour form, chosen at random."""
    short = clock12(minutes)
    return rng.choice((clock24(minutes), f"{short[:-2]} {short[-2:]}"))


def choices(offers: Sequence[Offer]) -> Iterator[Choice]:
    """Yield every description of a non-stop flight whose time limit is clear of all departures."""
    yield Choice(last=False)
    yield Choice(last=True)
    for minutes in range(EARLIEST, LATEST, GRID):
        if all(abs(each.departs - minutes) > CLEAR for each in offers):
            yield Choice(last=False, after=minutes)
            yield Choice(last=True, before=minutes)


def only_one(choice: Choice, offers: Sequence[Offer]) -> Offer | None:
    """Return the described offer, or None if it is missing or shares its departure time."""
    right = choice.pick(offers)
    same = [each for each in offers if not each.stops and right and each.departs == right.departs]
    return right if len(same) == 1 else None


def draw(rng: Random, open_: Sequence[Offer], all_: Sequence[Offer]) -> tuple[Choice, Offer] | None:
    """Draw a description that an agent must read with care, and the available offer that it means.

    A different offer would seem right if flights with a stop or full flights counted.

    Args:
        open_: The offers that still have seats.
        all_: All offers of the day.

    Returns:
        The description and the offer, or None if no description qualifies.
    """
    found = []
    for choice in choices(all_):
        right = only_one(choice, open_)
        if right and (choice.pick(open_, direct=False) != right or choice.pick(all_) != right):
            found.append((choice, right))
    return rng.choice(found) if found else None
