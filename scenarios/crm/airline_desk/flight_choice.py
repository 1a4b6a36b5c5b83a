"""A flight that is described, not named: the first or last one without a stop, by the clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from sites.crm.base.network import Offer
from sites.crm.base.timetable import clock12, clock24

CLEAR = 10
"""No departure is so near, in minutes, to a time that is named."""
GRID = 30
EARLIEST, LATEST = 6 * 60, 22 * 60


@dataclass(frozen=True)
class Choice:
    """The first (or `last`) offer without a stop; of those `after` or `before` a minute of the
    day, if one is named."""

    last: bool
    after: int | None = None
    before: int | None = None

    def pick(self, offers: Sequence[Offer], *, direct: bool = True) -> Offer | None:
        """The right one of offers that are in order of departure; None where there is none."""
        found = [each for each in offers if self._admits(each) and not (direct and each.stops)]
        if not found:
            return None
        return found[-1] if self.last else found[0]

    def _admits(self, offer: Offer) -> bool:
        late = self.before is not None and offer.departs >= self.before
        early = self.after is not None and offer.departs <= self.after
        return not late and not early

    def text(self, rng: Random) -> str:
        if self.after is not None:
            return f"the first non-stop flight that leaves after {clock(rng, self.after)}"
        if self.before is not None:
            return f"the last non-stop flight that leaves before {clock(rng, self.before)}"
        which = "last" if self.last else "first"
        return f"the {which} non-stop flight of the day"


def clock(rng: Random, minutes: int) -> str:
    """A time of the day, in 24 hours or in 12."""
    short = clock12(minutes)
    return rng.choice((clock24(minutes), f"{short[:-2]} {short[-2:]}"))


def choices(offers: Sequence[Offer]) -> Iterator[Choice]:
    """All ways of describing one of them."""
    yield Choice(last=False)
    yield Choice(last=True)
    for minutes in range(EARLIEST, LATEST, GRID):
        if all(abs(each.departs - minutes) > CLEAR for each in offers):
            yield Choice(last=False, after=minutes)
            yield Choice(last=True, before=minutes)


def only_one(choice: Choice, offers: Sequence[Offer]) -> Offer | None:
    """The offer that is described; None where two leave at the same minute."""
    right = choice.pick(offers)
    same = [each for each in offers if not each.stops and right and each.departs == right.departs]
    return right if len(same) == 1 else None


def draw(rng: Random, open_: Sequence[Offer], all_: Sequence[Offer]) -> tuple[Choice, Offer] | None:
    """A description of an offer that can be had, where flights with a stop matter, or full ones;
    None where there is none. `open_` are those with seats."""
    found = []
    for choice in choices(all_):
        right = only_one(choice, open_)
        if right and (choice.pick(open_, direct=False) != right or choice.pick(all_) != right):
            found.append((choice, right))
    return rng.choice(found) if found else None
