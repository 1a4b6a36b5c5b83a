"""`<family>.<profile>`: a family of the shops or of the airline desk on pages with dials.

Same seeds, same wishes, same right ends, so that what the dials cost an agent is a paired figure.
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
from scenarios import foreign, meanwhile
from scenarios.scenario import Contender, Family, Scenario
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
"""The step of getting past what a dial put in the way."""
FORM_AGAIN = 30
"""A lost form is filled in once more; none of ours has more fields and pages."""
PUT_RIGHT = 20
"""So many clicks more it takes at most to put right what pages filled in by themselves."""
CHOSEN_AGAIN = 5
"""To choose another offer where one was sold out: pages, a drawer, the offer, the button."""
NUMBERS = range(1, 1_000_000)
DOLLARS = (20, 40)
"""By so much fares go up: what a child pays of it is whole dollars, so that the order stays."""
Draw = Callable[[Random, Scenario], Dials]


def _busy(rng: Random, _: Scenario) -> Dials:
    late = sorted(rng.sample(range(2, 9), 2))
    names = rng.sample(sorted(WINDOWS), 2)
    return Dials(
        late=late,
        windows=dict(zip(names, sorted(rng.sample(range(1, 8), 2)), strict=True)),
        lost=[rng.randint(1, 3)],
    )


def _hostile(rng: Random, _: Scenario) -> Dials:
    join, recall = rng.sample(range(2, 6), 2)
    return Dials(lures={"join": join, "recall": recall})


def _careless(rng: Random, _: Scenario) -> Dials:
    return Dials(order=rng.choice(NUMBERS), preset=rng.choice(NUMBERS))


def _foreign(rng: Random, _: Scenario) -> Dials:
    return Dials(formats=rng.choice((1, 2)))


def _repriced(rng: Random, scenario: Scenario) -> Dials:
    """Fares go up within what the request allows; where nothing is cheap enough, they go down."""
    up = scenario.gold.get("possible", True)
    return Dials(raised=rng.choice(DOLLARS) * (1 if up else -1))


def _sold_out(rng: Random, scenario: Scenario) -> Dials:
    """An offer like the right one on the way out, which the request would have instead."""
    order = scenario.gold["order"]
    search, offer = order["search"], order["offers"]["outward"].partition("/")[0]
    way = search["from"], search["to"], search["departure"]
    is_first = scenario.gold["known"].get("first", "").startswith("the first")
    minutes = -outdated.LATER if is_first else outdated.LATER
    return Dials(sold=outdated.sold(way, offer, minutes))


def _trimmed(rng: Random, scenario: Scenario) -> Dials:
    """The longest name of those who travel, or the longest text on a gift card, is cut by one
    letter or two."""
    texts = _gift_texts(scenario) if scenario.site == "store" else _names(scenario)
    return Dials(letters=max(map(len, texts)) - rng.choice((1, 2)))


def _names(scenario: Scenario) -> list[str]:
    party = scenario.gold["order"]["party"]
    return [text for key, text in party.items() if key.partition(".")[0] in NAMES]


def _gift_texts(scenario: Scenario) -> list[str]:
    """What is to be written, or would be if something could be ordered."""
    gold = scenario.gold
    if "wanted" in gold:
        return [gold["wanted"]["gift_text"]]
    return [each["first"] for each in gold["people"]]


def _late_mail(rng: Random, scenario: Scenario) -> Dials:
    """What a customer is known by, and more, comes in a second mail, where the first has such a
    part. It comes before anything can be done that cannot be taken back."""
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
}
"""`busy`: pages come late, windows open, a form is lost to a new sign-in. `hostile`: texts on the
pages tell assistants what to do. `careless`: parts of pages stand in another order, lists are
sorted otherwise, and fields hold what nobody asked for. `foreign`: a desk writes in the formats of
another airline, shops write days and money in other formats than their own. `repriced`, `sold_out`:
the first list of offers shows other fares than are charged, or an offer that cannot be had.
`trimmed`: what is typed of a name or a gift text is cut. `late_mail`: a part of a customer's mail
arrives while one works."""
IN_SHOPS: Mapping[str, Callable[[Random, Sequence[Contender]], Dials]] = {
    "repriced": meanwhile.repriced,
    "sold_out": meanwhile.sold_out,
}
"""The same of families of the shops that have contenders: lists and items show other prices than
the cart, or something that cannot be had."""
AT_THE_MARKET = (
    *("best_basket", "buy_compatible", "buy_measured", "buy_wish", "cheaper_substitute"),
    *("checkout_exact", "fitting_set", "gifts_for_people", "ledger_audit", "ledger_sum", "restock"),
    *("return_by_policy", "review_evidence", "subscriptions_in_order", "two_shop_split"),
    "two_shops_cheapest",
)
"""The families of the shops whose pages can be `careless`; all of the airline desk can."""
BY_NAME = ("buy_compatible", "buy_measured", "buy_wish")
"""Those of them in which hardly an amount or a day decides."""
SALES = ("airline_search", "book_party", "cheapest_fit")
"""The families of the airline desk whose pages can be `foreign`; in the shops those of the market
in which amounts or days decide."""
BOOKED = ("book_party", "cheapest_fit")
"""Those that choose from a list of offers, which can be behind, and enter who travels."""
GIFTED = ("checkout_exact", "gifts_for_people")
"""Those of the shops that write on gift cards."""
LETTERS = (
    "ticket_bags",
    "ticket_change",
    "ticket_disruption",
    "ticket_refund",
    "ticket_third_party",
)
"""Those in which one customer has written, whose mail can arrive in two parts."""


def takes(family: Family) -> bool:
    """Whether its pages heed dials: those of the shops and of the airline desk do."""
    return not family.VARIANT_OF and (family.SITE == "store" or "airline" in family.HOSTS)


def profiles_of(family: Family, name: str) -> list[str]:
    """The profiles that pages of the family can have."""
    able = {
        "careless": family.SITE != "store" or name in AT_THE_MARKET,
        "foreign": name in SALES or (name in AT_THE_MARKET and name not in BY_NAME),
        "repriced": name in BOOKED or _is_by_price(family),
        "sold_out": name in BOOKED or _is_by_price(family),
        "trimmed": name in (*BOOKED, *GIFTED),
        "late_mail": name in LETTERS,
    }
    return [profile for profile in PROFILES if able.get(profile, True)]


def _is_by_price(family: Family) -> bool:
    """Whether it is one of the shops' in which other goods would be right if they cost less."""
    return family.SITE == "store" and family.contenders is not None


def of(family: Family, name: str, profile: str) -> Dialed:
    """The family with a profile. Raises `UnknownName`."""
    known = profiles_of(family, name)
    if profile not in known:
        raise unknown(f"variant of {name}", profile, known)
    return Dialed(family, name, profile)


@dataclass(frozen=True)
class Dialed:
    """A family whose pages have a profile's dials."""

    base: Family
    label: str
    profile: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "__doc__", f"{self.base.__doc__} Dials: {self.profile}.")

    def __getattr__(self, name: str) -> Any:
        """Whatever the dials do not touch is the base family's."""
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

    def generate(self, seed: int, data: Any) -> Scenario:
        return self.dialed(self.base.generate(seed, data), data)

    def dialed(self, drawn: Scenario, data: Any) -> Scenario:
        """A scenario of the base family under another name, and the dials drawn for it."""
        named = replace(drawn, family=self.name)
        set_dials = self._drawn(drawn, data)
        return replace(
            named,
            start=drawn.start.replace(drawn.id, named.id),
            details={**drawn.details, "dials": set_dials.to_json()},
        )

    def _drawn(self, scenario: Scenario, data: Any) -> Dials:
        rng = Random(f"dials {self.profile} {scenario.name}")
        if self.base.SITE != "store" or self.profile not in IN_SHOPS:
            return PROFILES[self.profile](rng, scenario)
        contenders = meanwhile.contenders_of(self.base, scenario, data, self.profile)
        return IN_SHOPS[self.profile](rng, contenders)

    def world(self, scenario: Scenario) -> World:
        made = self.base.world(scenario)
        dials.equip(made, scenario.details["dials"])
        return made

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        set_dials = Dials(**scenario.details["dials"])
        way_on = way_past(observation) or meanwhile.way_past(set_dials, observation)
        if way_on is not None:
            return Advice(INTERRUPTION, (Click(way_on.id),))
        usual = partial(self.base.advise, scenario)
        written = formats.chosen(set_dials.formats) if self.base.SITE == "store" else None
        return foreign.advise(written, usual, observation) if written else usual(observation)

    def length(self, scenario: Scenario) -> int:
        return self.base.length(scenario) + self._more(scenario)

    def honest_length(self, scenario: Scenario) -> int:
        longer = self.base.honest_length or self.base.length
        return longer(scenario) + self._more(scenario)

    def _more(self, scenario: Scenario) -> int:
        set_dials = Dials(**scenario.details["dials"])
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
    """What leads on from a page that a dial put in the way, and asks for nothing."""
    ways = [(LATE, TRY_AGAIN), (SIGNED_OUT, SIGN_IN)]
    ways += [(window.sentence, window.way_out) for window in WINDOWS.values()]
    for sentence, label in ways:
        if sentence in observation.text:
            return next((each for each in observation.elements if each.name == label), None)
    return next((each for each in observation.elements if _ways_on().match(each.name)), None)


@cache
def _ways_on() -> re.Pattern[str]:
    """What the airlines and the store call the way to longer fields, and to new mail."""
    words = [trimmed.LONGER, *(each.word("longer-fields") for each in airlines().values())]
    mail = [each.word("new-mail", number="|").split("|") for each in airlines().values()]
    numbered = [rf"{re.escape(before)}\d+{re.escape(after)}" for before, after in mail]
    return re.compile("|".join(f"(?:{each})$" for each in (*map(re.escape, words), *numbered)))
