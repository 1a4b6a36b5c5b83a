"""Variants `<family>.<profile>`: tasks of the shops and of the airline desk on harder pages.

A variant has the same seeds, requests and right end states as its base family. The difference in
success therefore measures what the harder pages cost an agent. A profile sets some dials
(`sites.dials`); a dial is one kind of obstacle on a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from random import Random
from typing import Any

from agent.interface import Advice, Click, Element, Observation
from agent.plugins import unknown
from scenarios import clock, foreign, meanwhile
from scenarios.scenario import Contender, Family, Scenario, planned_steps
from sites import clock as clocks
from sites import dials
from sites.crm.airline_desk.model import outdated
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.operations import late_mail
from sites.crm.airline_desk.screens import NAMES
from sites.dials import LATE, SIGN_IN, SIGNED_OUT, TRY_AGAIN, WINDOWS, Dials
from sites.store.market.checkout import trimmed
from sites.store.shop import formats
from sites.world import World

INTERRUPTION = "interruption"
"""The name of the advice's step that gets past an obstacle which a difficulty setting (dial) put in
the way.
"""
FORM_AGAIN = 30
"""Actions allowed for filling in a lost form again; no form needs more."""
PUT_RIGHT = 20
"""Extra clicks allowed for correcting fields that pages filled in by themselves."""
CHOSEN_AGAIN = 5
"""Actions allowed for choosing another offer after one sold out: pages, drawer, offer, button."""
NUMBERS = range(1, 1_000_000)
DOLLARS = (20, 40)
"""Possible fare differences in dollars.

A child's share of each is a whole number of dollars, so the order of fares does not change.
"""
Draw = Callable[[Random, Scenario], Dials]


def _busy(rng: Random, _: Scenario) -> Dials:
    """Draw two late pages, two pages that open a window, and one form that is lost."""
    late = sorted(rng.sample(range(2, 9), 2))
    names = rng.sample(sorted(WINDOWS), 2)
    return Dials(
        late=late,
        windows=dict(zip(names, sorted(rng.sample(range(1, 8), 2)), strict=True)),
        lost=[rng.randint(1, 3)],
    )


def _hostile(rng: Random, _: Scenario) -> Dials:
    """Draw the pages that first show each text that tells assistants to misbehave."""
    join, recall = rng.sample(range(2, 6), 2)
    return Dials(lures={"join": join, "recall": recall})


def _careless(rng: Random, _: Scenario) -> Dials:
    """Draw the order of page parts and the values that fields already hold."""
    return Dials(order=rng.choice(NUMBERS), preset=rng.choice(NUMBERS))


def _foreign(rng: Random, _: Scenario) -> Dials:
    """Draw the formats in which pages write dates, times and money."""
    return Dials(formats=rng.choice((1, 2)))


def _repriced(rng: Random, scenario: Scenario) -> Dials:
    """Draw by how many dollars the first list shows fares too low.

    If the request cannot be met because nothing is cheap enough, the list shows them too high
    instead.
    """
    up = scenario.gold.get("possible", True)
    return Dials(raised=rng.choice(DOLLARS) * (1 if up else -1))


def _sold_out(rng: Random, scenario: Scenario) -> Dials:
    """Draw an offer that looks better than the right outbound flight and has just sold out."""
    order = scenario.gold["order"]
    search, offer = order["search"], order["offers"]["outward"].partition("/")[0]
    way = search["from"], search["to"], search["departure"]
    is_first = scenario.gold["known"].get("first", "").startswith("the first")
    minutes = -outdated.LATER if is_first else outdated.LATER
    return Dials(sold=outdated.sold(way, offer, minutes))


def _trimmed(rng: Random, scenario: Scenario) -> Dials:
    """Limit name fields (at the desk) or the gift text field (in the shops).

    The limit is one or two letters below the longest text that the task needs.
    """
    texts = _gift_texts(scenario) if scenario.site == "store" else _names(scenario)
    return Dials(letters=max(map(len, texts)) - rng.choice((1, 2)))


def _names(scenario: Scenario) -> list[str]:
    """Return the names of the travellers who are to be entered."""
    party = scenario.gold["order"]["party"]
    return [text for key, text in party.items() if key.partition(".")[0] in NAMES]


def _gift_texts(scenario: Scenario) -> list[str]:
    """Return the gift texts of the order, also of an order that turns out to be impossible."""
    gold = scenario.gold
    if "wanted" in gold:
        return [gold["wanted"]["gift_text"]]
    return [each["first"] for each in gold["people"]]


def _late_mail(rng: Random, scenario: Scenario) -> Dials:
    """Draw the part of the customer's mail that arrives only soon after the ticket is opened.

    The second mail arrives before the agent can do anything irreversible. If the mail has no part
    that can be held back, nothing changes.
    """
    ticket = scenario.gold["ticket"]
    [mail] = [each for each in scenario.gold["rows"]["messages"] if each["ticket"] == ticket]
    _, later = late_mail.held_back(mail["body"])
    return Dials(mail=late_mail.late_mail(ticket, rng.choice((1, 2))) if later else "")


PROFILES: Mapping[str, Draw] = {
    "busy": _busy,
    "hostile": _hostile,
    "careless": _careless,
    "foreign": _foreign,
    "repriced": _repriced,
    "sold_out": _sold_out,
    "trimmed": _trimmed,
    "late_mail": _late_mail,
    clock.CLOCK: lambda _rng, _scenario: Dials(),
}
"""How each profile draws its difficulty settings (dials).

`busy`: pages load late, windows open, and one form is lost because the visitor was signed out.
`hostile`: texts on the pages tell assistants to misbehave. `careless`: page parts are reordered,
lists are sorted differently, and fields hold values that nobody asked for. `foreign`: a desk writes
dates, times and money in another airline's formats, and shops write dates and money in other
formats than their own. `repriced`: the first list of offers shows outdated fares. `sold_out`: it
shows an offer that is no longer available. `trimmed`: fields cut off long names or gift texts.
`late_mail`: part of a customer's mail arrives while the agent is working. `clock`: the visit has a
deadline, and one of the events of the last profiles at a minute (`Dialed.timed`).
"""
IN_SHOPS: Mapping[str, Callable[[Random, Sequence[Contender]], Dials]] = {
    "repriced": meanwhile.repriced,
    "sold_out": meanwhile.sold_out,
}
"""How `repriced` and `sold_out` draw their difficulty settings (dials) for families of the shops.

The families need contenders: products that would be right if they cost less. Lists and product
pages show other prices than the cart (`repriced`), or a product that is no longer available
(`sold_out`).
"""
AT_THE_MARKET = (
    *("best_basket", "buy_compatible", "buy_measured", "buy_wish", "cheaper_substitute"),
    *("checkout_exact", "fitting_set", "gifts_for_people", "ledger_audit", "ledger_sum", "restock"),
    *("return_by_policy", "review_evidence", "subscriptions_in_order", "two_shop_split"),
    "two_shops_cheapest",
)
"""The families of the shops that have the profile `careless`; every airline desk family has it."""
BY_NAME = ("buy_compatible", "buy_measured", "buy_wish")
"""Families of `AT_THE_MARKET` in which amounts and dates hardly matter; they have no `foreign`."""
SALES = ("airline_search", "book_party", "cheapest_fit")
"""The airline desk families that have the profile `foreign`.

In the shops, families of `AT_THE_MARKET` outside `BY_NAME` have it.
"""
BOOKED = ("book_party", "cheapest_fit")
"""The airline desk families that enter travellers and choose from a list of offers."""
GIFTED = ("checkout_exact", "gifts_for_people")
"""The families of the shops that write on gift cards."""
LETTERS = (
    "ticket_bags",
    "ticket_change",
    "ticket_disruption",
    "ticket_refund",
    "ticket_third_party",
)
"""The ticket families in which one customer has written, so the mail can arrive in two parts."""


def takes(family: Family) -> bool:
    """Return whether a family's pages can have difficulty settings (dials): in the shops and at the
    airline desk they can.
    """
    return not family.VARIANT_OF and (family.SITE == "store" or "airline" in family.HOSTS)


def profiles_of(family: Family, name: str) -> list[str]:
    """Return the profiles that a family can have.

    Args:
        family: The base family.
        name: Its name.
    """
    able = {
        "careless": family.SITE != "store" or name in AT_THE_MARKET,
        "foreign": name in SALES or (name in AT_THE_MARKET and name not in BY_NAME),
        "repriced": name in BOOKED or _is_by_price(family),
        "sold_out": name in BOOKED or _is_by_price(family),
        "trimmed": name in (*BOOKED, *GIFTED),
        "late_mail": name in LETTERS,
        clock.CLOCK: name in (*BOOKED, *GIFTED, *LETTERS) or _is_by_price(family),
    }
    return [profile for profile in PROFILES if able.get(profile, True)]


def _is_by_price(family: Family) -> bool:
    """Return whether a lower price would make other products right (families of the shops only)."""
    return family.SITE == "store" and family.contenders is not None


def of(family: Family, name: str, profile: str) -> Dialed:
    """Return the variant of a family with a profile.

    Args:
        family: The base family.
        name: Its name.
        profile: A name from `PROFILES`.

    Raises:
        UnknownName: The family does not have this profile.
    """
    known = profiles_of(family, name)
    if profile not in known:
        raise unknown(f"variant of {name}", profile, known)
    return Dialed(family, name, profile)


@dataclass(frozen=True)
class Dialed:
    """The tasks of a family on pages with a profile's difficulty settings (dials)."""

    base: Family
    label: str
    profile: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "__doc__", f"{self.base.__doc__} Dials: {self.profile}.")

    def __getattr__(self, name: str) -> Any:
        """Return the base family's member for everything that the difficulty settings (dials) do
        not change.
        """
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.base, name)

    @property
    def name(self) -> str:
        return f"{self.label}.{self.profile}"

    @property
    def VARIANT_OF(self) -> str:  # noqa: N802 (a member of families)
        return self.label

    @property
    def STEPS(self) -> tuple[str, ...]:  # noqa: N802
        return (*self.base.STEPS, INTERRUPTION)

    def planned(self, scenario: Scenario) -> tuple[str, ...]:
        return (*planned_steps(self.base, scenario), INTERRUPTION)

    def generate(self, seed: int, data: Any) -> Scenario:
        """Draw the base family's scenario of a seed and add the difficulty settings (dials)."""
        return self.dialed(self.base.generate(seed, data), data)

    def dialed(self, drawn: Scenario, data: Any) -> Scenario:
        """Return a scenario of the base family under the variant's name, with its difficulty
        settings (dials).
        """
        named = replace(drawn, family=self.name)
        set_dials = self._drawn(drawn, data)
        return replace(
            named,
            start=drawn.start.replace(drawn.id, named.id),
            details={**drawn.details, "dials": set_dials.to_json()},
        )

    def _drawn(self, scenario: Scenario, data: Any) -> Dials:
        """Draw the difficulty settings (dials) from a random stream that depends on the profile and
        the scenario only.
        """
        rng = Random(f"dials {self.profile} {scenario.name}")
        if self.profile == clock.CLOCK:
            return self._timed(rng, scenario, data)
        return self._of(self.profile, rng, scenario, data)

    def _of(self, profile: str, rng: Random, scenario: Scenario, data: Any) -> Dials:
        """Draw the difficulty settings (dials) of a profile."""
        if self.base.SITE != "store" or profile not in IN_SHOPS:
            return PROFILES[profile](rng, scenario)
        contenders = meanwhile.contenders_of(self.base, scenario, data, profile)
        return IN_SHOPS[profile](rng, contenders)

    def _timed(self, rng: Random, scenario: Scenario, data: Any) -> Dials:
        """Draw the deadline of a visit with a clock and, if the family has any, an event."""
        able = [each for each in profiles_of(self.base, self.label) if each in clock.EVENTS]
        event = self._of(rng.choice(able), rng, scenario, data) if able else Dials()
        back = int(bool(event.mail))  # from the ticket to the page that the mail interrupted
        actions = self.base.length(scenario) + _more(event, scenario) + back
        return clock.timed(rng, event, actions, self._held)

    @property
    def _held(self) -> str:
        """The kind of the deadline of a visit with a clock."""
        if self.base.SITE == "store":
            return "cart"
        return "ticket" if self.label in LETTERS else "offers"

    def world(self, scenario: Scenario) -> World:
        """Return the start state (world) of the base family's scenario, with the difficulty
        settings (dials) set.
        """
        made = self.base.world(scenario)
        dials.equip(made, scenario.details["dials"])
        return made

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        """Return the action that gets past an obstacle, or the base family's advice.

        A page that says that the deadline has passed is the end of the task.
        """
        if clocks.is_over(observation.text):
            return Advice(INTERRUPTION, answer="")
        set_dials = _dials(scenario)
        way_on = way_past(observation) or meanwhile.way_past(set_dials, observation)
        if way_on is not None:
            return Advice(INTERRUPTION, (Click(way_on.id),))
        usual = partial(self.base.advise, scenario)
        written = formats.chosen(set_dials.formats) if self.base.SITE == "store" else None
        return foreign.advise(written, usual, observation) if written else usual(observation)

    def length(self, scenario: Scenario) -> int:
        """Return the base family's number of actions plus those that the difficulty settings
        (dials) may cost.
        """
        return self.base.length(scenario) + _more(_dials(scenario), scenario)

    def honest_length(self, scenario: Scenario) -> int:
        """Return the base family's `honest_length` or `length` plus the cost of the difficulty
        settings (dials).
        """
        longer = self.base.honest_length or self.base.length
        return longer(scenario) + _more(_dials(scenario), scenario)


def _dials(scenario: Scenario) -> Dials:
    """Return the difficulty settings (dials) of a scenario of a variant."""
    return Dials(**scenario.details["dials"])


def _more(set_dials: Dials, scenario: Scenario) -> int:
    """Return the number of extra actions that the difficulty settings (dials) may cost."""
    interrupted = (
        meanwhile.more_steps(set_dials, scenario)
        + len(set_dials.late)
        + len(set_dials.windows)
        + bool(set_dials.mail)
    )
    filled = (1 + FORM_AGAIN) * bool(set_dials.letters)
    lost = len(set_dials.lost) * (1 + FORM_AGAIN)
    behind = CHOSEN_AGAIN * bool(set_dials.sold)
    return interrupted + lost + behind + filled + PUT_RIGHT * bool(set_dials.preset)


def way_past(observation: Observation) -> Element | None:
    """Return the element that leads past an obstacle of a difficulty setting (dial), or None if the
    page shows none.

    The element asks the visitor to agree to nothing.
    """
    ways = [(LATE, TRY_AGAIN), (SIGNED_OUT, SIGN_IN)]
    ways += [(window.sentence, window.way_out) for window in WINDOWS.values()]
    for sentence, label in ways:
        if sentence in observation.text:
            return next((each for each in observation.elements if each.name == label), None)
    return next((each for each in observation.elements if _ways_on().match(each.name)), None)


@cache
def _ways_on() -> re.Pattern[str]:
    """Return a pattern of the link texts that lead to longer fields and to newly arrived mail."""
    words = [trimmed.LONGER, *(each.word("longer-fields") for each in airlines().values())]
    mail = [each.word("new-mail", number="|").split("|") for each in airlines().values()]
    numbered = [rf"{re.escape(before)}\d+{re.escape(after)}" for before, after in mail]
    return re.compile("|".join(f"(?:{each})$" for each in (*map(re.escape, words), *numbered)))
