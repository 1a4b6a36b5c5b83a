"""A day's work of a colleague: about twenty acts (such as refunds and changes), each right or wrong
by the handbook's rules.

Each act has a plausible mistake that changes the result. Every day has an act that a bulletin
excuses, and two pairs of acts that differ only in a fact on another page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count
from random import Random

from scenarios.crm.policy.facts import Brand, Tier
from scenarios.crm.shift.audit import files as drawing
from scenarios.crm.shift.audit.acts import LEFT_OUT, NOTHING_DONE, Act, CheckedAct, Due, stands
from scenarios.crm.shift.audit.files import CLAIM, DOCUMENTS, REFUNDS, TIERS, File, Office
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import Bulletin, Edition

EXCUSING = {"classic_kept": "refund", "change_fee": "change"}
"""For the number that a bulletin changes, the kind of act that the bulletin then makes right."""
FLAGS = range(6, 10)
"""The possible numbers of wrong acts in an audit, which are to be flagged."""
TWINS = "name", "voucher"
"""The subjects of the two pairs of twins: acts, one right and one wrong, that differ only in a fact
on another page.
"""
WRONG = 0.2
"""The share of wrong acts among the colleague's acts that can be right or wrong."""
ALL, CUSTOMERS, COMPANY = "all", "customers", "company"
TOTALS = (ALL, CUSTOMERS, COMPANY)
"""The kinds of totals: all differences, the customers' losses, or the airline's losses."""
EDITIONS, DRAWS = 60, 40


@dataclass(frozen=True)
class Place:
    """The position of an act in an audit: the index of its booking, and its index in that
    booking.
    """

    file: int
    act: int


@dataclass(frozen=True)
class Audit:
    """An audit of a colleague's day. `excused` is an act that is right only because of a bulletin;
    `total` is one of `TOTALS`.
    """

    edition: Edition
    files: tuple[File, ...]
    excused: Place
    total: str

    @cached_property
    def checked(self) -> dict[Place, CheckedAct]:
        return {
            Place(at, number): CheckedAct(self.edition, act)
            for at, file in enumerate(self.files)
            for number, act in enumerate(file.acts)
        }

    @cached_property
    def flagged(self) -> dict[Place, CheckedAct]:
        """The acts that broke the handbook and must be flagged, by position."""
        return {place: each for place, each in self.checked.items() if not each.is_right}

    def with_acts(self, acts: Mapping[Place, Act]) -> Audit:
        """Return the audit with these acts instead of its own."""
        files = (
            replace(file, acts=tuple(acts[Place(at, n)] for n in range(len(file.acts))))
            for at, file in enumerate(self.files)
        )
        return replace(self, files=tuple(files))

    def figure(self, total: str) -> int:
        """Return the audit's total in dollars: of all differences, of the customers' losses, or of
        the airline's losses.
        """
        losses = [each.loss for each in self.flagged.values()]
        if total == ALL:
            return sum(map(abs, losses))
        return sum(max(0, each if total == COMPANY else -each) for each in losses)

    @property
    def answer(self) -> int:
        return self.figure(self.total)

    @cached_property
    def bearing(self) -> dict[str, dict[Place, Due]]:
        """The rules and bulletins that matter: by number, the acts whose amount due would differ
        without it, with that amount.
        """
        found: dict[str, dict[Place, Due]] = {}
        for place, each in self.checked.items():
            for label, wrong in each.mistakes.items():
                if label.startswith(LEFT_OUT):
                    found.setdefault(label.removeprefix(LEFT_OUT), {})[place] = wrong
        return found

    @property
    def articles(self) -> list[str]:
        """The numbers of the articles that decide about the acts."""
        every = (
            number
            for each in self.checked.values()
            for number in (*each.decision.grounds, *each.decision.derivation)
        )
        return list(dict.fromkeys(every))


def draw(rng: Random, data: CrmData, total: str) -> tuple[Audit, Office]:
    """Draw an audit with this kind of total; also return the source of random bookings that drew
    it, for drawing more.
    """
    for _ in range(EDITIONS):
        edition = editions.draw(rng)
        able = [each for each in edition.bulletins if each.in_force and each.parameter in EXCUSING]
        if not able:
            continue
        office = Office(rng, data, edition)
        found = _drawn(office, rng.choice(able), total)
        if found:
            return found, office
    raise AssertionError(f"no day's work has a total of {total}")


def _drawn(office: Office, bulletin: Bulletin, total: str) -> Audit | None:
    files = _files(office, bulletin)
    if files is None:
        return None
    kind = EXCUSING[bulletin.parameter]
    at = 0 if kind == "refund" else CANCELLED
    excused = Place(at, next(n for n, each in enumerate(files[at].acts) if each.kind == kind))
    drawn = Audit(office.edition, files, excused, total)
    if not _is_sound(drawn, bulletin):
        return None
    for _ in range(DRAWS):
        acts = _done(office.rng, drawn)
        if acts is None:
            return None
        wrong = [each for place, each in acts.items() if not drawn.checked[place].is_done(each)]
        if len(wrong) not in FLAGS:
            continue
        made = drawn.with_acts(acts)
        if _is_telling(made):
            return made
    return None


def _is_sound(audit: Audit, bulletin: Bulletin) -> bool:
    """Return whether the bulletin makes its act right, and exactly one act of each pair of twins is
    right.
    """
    twins = [each for each in audit.checked.values() if each.act.twin in TWINS]
    right = sorted(each.act.twin for each in twins if each.is_right)
    excused = audit.checked[audit.excused]
    return right == sorted(TWINS) and bulletin.number in excused.decision.derivation


def _is_telling(audit: Audit) -> bool:
    """Return whether the three kinds of totals differ, none is 0, and at least four rules or
    bulletins matter.
    """
    figures = {audit.figure(each) for each in TOTALS}
    return len(figures) == len(TOTALS) and 0 not in figures and len(audit.bearing) >= 4


# Acts --------------------------------------------------------------------------------------------


def _done(rng: Random, audit: Audit) -> dict[Place, Act] | None:
    """Return the acts by position, each done right or with a mistake; None if an act that must be
    right cannot be.
    """
    found = {}
    for place, checked in audit.checked.items():
        made = _one_done(rng, checked, must=place == audit.excused)
        if made is None:
            return None
        found[place] = made
    return found


def _one_done(rng: Random, checked: CheckedAct, *, must: bool) -> Act | None:
    """Return an act with a drawn amount, right or by a mistake; None if that is impossible. A twin
    keeps its amount.
    """
    act, due, mistakes = checked.act, checked.due, checked.mistakes
    right = replace(act, done=due.amount)
    if act.twin:
        return act
    can_be_right = stands(right, due)
    able = sorted(label for label, each in mistakes.items() if _could_be_done(act, each, due))
    if must:
        return right if can_be_right else None
    if can_be_right and (not able or rng.random() >= WRONG):
        return right
    if not able:
        return None
    label = rng.choice(able)
    return replace(act, done=mistakes[label].amount, mistake=label)


def _could_be_done(act: Act, wrong: Due, due: Due) -> bool:
    """Return whether a colleague with this mistake would act, and the act would be wrong."""
    acts = wrong.granted or act.kind in NOTHING_DONE
    return acts and not stands(replace(act, done=wrong.amount), due)


# The bookings ------------------------------------------------------------------------------------

CANCELLED, CHANGED, LATE = 3, 3, 2
"""The numbers of an audit's bookings that were cancelled, changed, or late."""
CLAIMS = 0.4
"""The share of audits in which a changed booking has an open claim."""
TRIES = 40
FARES: tuple[Brand, ...] = ("classic", "classic", "light", "flex")
Wanted = Callable[[CheckedAct], bool]


def _files(office: Office, bulletin: Bulletin) -> tuple[File, ...] | None:
    """Draw the bookings of an audit, cancelled ones first; None if one cannot be drawn. The
    bulletin applies to the first of the kind that it excuses.
    """
    found = []
    for make, wanted in (
        *_cancelled(office, bulletin),
        *_changed(office, bulletin),
        *[(lambda: drawing.late(office, office.rng.choice(TIERS)), _is_telling_act)] * LATE,
    ):
        file = _first(office.edition, make, wanted)
        if file is None:
            return None
        found.append(file)
    return tuple(map(drawing.before_refund, _with_more(office, found)))


def _first(edition: Edition, make: Callable[[], File | None], wanted: Wanted) -> File | None:
    """Draw a booking until its only act passes the test `wanted`; None if no attempt succeeds."""
    drawn = (make() for _ in range(TRIES))
    return next(
        (each for each in drawn if each and wanted(CheckedAct(edition, each.acts[0]))), None
    )


def _is_telling_act(checked: CheckedAct) -> bool:
    return bool(checked.mistakes)


def _is_paid(checked: CheckedAct) -> bool:
    """Return whether a refund is due and a mistake could change it; without a refund the booking
    would not be cancelled.
    """
    return checked.due.granted and bool(checked.mistakes)


def _is_due(checked: CheckedAct) -> bool:
    """Return whether a refund is due, possibly above the limit of a ticket, and a mistake could
    change it.
    """
    return checked.decision.outcome != "refused" and bool(checked.mistakes)


def _is_excused(bulletin: Bulletin) -> Wanted:
    return lambda checked: checked.due.granted and bulletin.number in checked.decision.derivation


def _cancelled(
    office: Office, bulletin: Bulletin
) -> Iterator[tuple[Callable[[], File | None], Wanted]]:
    """Yield, for each cancelled booking, a function that draws it and a test that it must pass. The
    tiers of two customers matter for vouchers.
    """
    rng = office.rng
    tiers: list[Tier] = [rng.choice(("silver", "gold")), rng.choice(("", "blue"))]
    rng.shuffle(tiers)
    tiers.append(rng.choice(TIERS))
    for place, (case, tier) in enumerate(zip(rng.sample(REFUNDS, CANCELLED), tiers, strict=True)):
        if place == 0 and EXCUSING[bulletin.parameter] == "refund":
            yield partial(drawing.refunded, office, "", tier, bulletin), _is_excused(bulletin)
        else:
            often = place == CANCELLED - 1 and rng.random() < 0.4
            wanted = _is_due if often else _is_paid
            yield partial(drawing.refunded, office, case, tier), wanted


def _changed(
    office: Office, bulletin: Bulletin
) -> Iterator[tuple[Callable[[], File | None], Wanted]]:
    rng = office.rng
    for place in range(CHANGED):
        tier: Tier = rng.choice(("", "silver", "gold", "gold"))
        if place == 0 and EXCUSING[bulletin.parameter] == "change":
            yield partial(drawing.changed, office, "classic", tier, bulletin), _is_excused(bulletin)
        else:
            yield partial(drawing.changed, office, rng.choice(FARES), tier), _is_telling_act


# More acts of each booking


def _with_more(office: Office, files: Sequence[File]) -> Iterator[File]:
    """Yield the bookings with further acts: vouchers, names, bags and lost bags; some acts have a
    twin.
    """
    rng = office.rng
    days = rng.choice((0, 1, office.edition.grace_days - 3, office.edition.grace_days - 1)) + 1
    proved = rng.sample((True, False), 2)
    claimed = rng.random() < CLAIMS
    for place, file in enumerate(files):
        if place < CANCELLED - 1:
            yield _with_voucher(office, file, days, twin="voucher")
        elif place < CANCELLED:
            over = office.edition.grace_days + rng.choice((-1, 0, 0, 1, 1))
            yield _with_voucher(office, file, over, twin="")
        elif place < CANCELLED + 2:
            one = _twin_name(office, file, proved=proved[place - CANCELLED])
            yield _with(one, _telling(office, partial(drawing.bags, office, one)))
        elif place < CANCELLED + CHANGED:
            yield (
                _with_claim(office, file)
                if claimed
                else _with(
                    file, _name(office, file), _telling(office, partial(drawing.bags, office, file))
                )
            )
        else:
            bag = _telling(office, partial(drawing.lost_bag, office, file))
            yield _with(file, bag, _name(office, file))


def _telling(office: Office, make: Callable[[], Act]) -> Act:
    """Draw an act until at least one mistake about it would change the amount due."""
    drawn = (make() for _ in count())
    return next(each for each in drawn if CheckedAct(office.edition, each).mistakes)


def _with(file: File, *acts: Act) -> File:
    return replace(file, acts=(*file.acts, *acts))


def _name(office: Office, file: File) -> Act:
    return drawing.name(office, file, office.rng.choice(("in", "out", "swapped")))


def _twin_name(office: Office, file: File, *, proved: bool) -> File:
    """Return the booking with a further act: a passenger's new surname, for the usual fee. A note
    says whether documents exist, which decides between right and wrong.
    """
    act = drawing.name(office, file, "married" if proved else "unproved")
    one = _with(file, replace(act, done=office.edition.surname_fee, twin="name"))
    return replace(one, notes=(DOCUMENTS if proved else "called",))


def _with_voucher(office: Office, file: File, days: int, *, twin: str) -> File:
    code = f"V{office.rng.randrange(1000, 9999)}"
    act, kept = drawing.voucher(office, file, days, code)
    return replace(_with(file, replace(act, twin=twin or "alone")), vouchers=(kept,))


def _with_claim(office: Office, file: File) -> File:
    """Return the booking with an open claim, which forbids changing the trip and adding bags."""
    [change] = file.acts
    booking = replace(change.facts.booking, claim=True)
    barred = replace(change, facts=replace(change.facts, booking=booking))
    acts = (barred, _name(office, file), drawing.bags(office, file, claim=True))
    return replace(file, acts=acts, notes=(CLAIM,))
