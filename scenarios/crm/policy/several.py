"""Several wishes about one booking in one ticket, which are decided separately.

If article 14 passes a wish on, or the sum exceeds the limit of article 25, the whole ticket is
passed on. An unpaid balance is collected once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scenarios.crm.policy.decision import Act, Collect, Decision, Escort, SellSeats
from scenarios.crm.policy.engine import asked, bulletins_on, counting, limit, order, without
from scenarios.crm.policy.facts import Facts
from sites.crm.airline_desk.handbook.edition import Edition


def decide_all(edition: Edition, wishes: Sequence[Facts]) -> Decision:
    """Return the right decision about all wishes, with the grounds of each.

    Args:
        edition: The edition of the handbook.
        wishes: The facts of each wish; the booking is the same.
    """
    made = without_all((), edition, wishes)
    rules = set().union(*(asked(edition, each) for each in wishes))
    numbers = (*rules, *(each.number for each in counting(edition, wishes[0])))
    bearing = {
        each for each in numbers if without_all((each,), edition, wishes).effect != made.effect
    }
    beating = bulletins_on(made.grounds, edition, bearing)
    grounds = tuple(sorted({*made.grounds, *beating}, key=order))
    return replace(made, grounds=grounds, derivation=tuple(sorted(bearing, key=order)))


def without_all(dropped: Sequence[str], edition: Edition, wishes: Sequence[Facts]) -> Decision:
    """Return the decision about several wishes of a reader who does not know some rules or
    bulletins, without a derivation.
    """
    made = [without(dropped, edition, each) for each in wishes]
    held = [each for each in made if each.outcome == "passed on" and each.grounds == ("14",)]
    if held:
        return held[0]
    amount = sum(each.amount for each in made)
    grounds = tuple(sorted({each for one in made for each in one.grounds}, key=order))
    if "25" not in dropped and amount > limit(edition, wishes[0], dropped):
        over = tuple(sorted({"25", *grounds}, key=order))
        return Decision((), "passed on", amount, offer=False, grounds=over)
    acts = tuple(each for one in made for each in one.changes if not _is_idle(each))
    owed = tuple(dict.fromkeys(each for each in acts if isinstance(each, Collect)))
    others = tuple(each for each in acts if not isinstance(each, Collect))
    ends = {each.outcome for each in made}
    outcome = ends.pop() if len(ends) == 1 else "in part"
    offer = any(each.offer for each in made)
    return Decision((*owed, *others), outcome, amount, offer, grounds)


def _is_idle(act: Act) -> bool:
    """Return whether an act does nothing, because no child needs an escort or a seat."""
    return isinstance(act, Escort | SellSeats) and not act.flights
