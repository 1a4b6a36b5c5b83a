"""`<family>.<profile>`: a family of the shops or of the whole desk on pages with dials.

Same seeds, same wishes, same right ends, so that what the dials cost an agent is a paired figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from agent.interface import Advice, Click, Element, Observation
from agent.plugins import unknown
from scenarios.scenario import Family, Scenario
from sites import dials
from sites.dials import LATE, SIGN_IN, SIGNED_OUT, TRY_AGAIN, WINDOWS, Dials
from sites.world import World

INTERRUPTION = "interruption"
"""The step of getting past what a dial put in the way."""
FORM_AGAIN = 30
"""A lost form is filled in once more; none of ours has more fields and pages."""
PUT_RIGHT = 20
"""So many clicks more it takes at most to put right what pages filled in by themselves."""
NUMBERS = range(1, 1_000_000)
Draw = Callable[[Random], Dials]


def _busy(rng: Random) -> Dials:
    late = sorted(rng.sample(range(2, 9), 2))
    names = rng.sample(sorted(WINDOWS), 2)
    return Dials(
        late=late,
        windows=dict(zip(names, sorted(rng.sample(range(1, 8), 2)), strict=True)),
        lost=[rng.randint(1, 3)],
    )


def _hostile(rng: Random) -> Dials:
    join, recall = rng.sample(range(2, 6), 2)
    return Dials(lures={"join": join, "recall": recall})


def _careless(rng: Random) -> Dials:
    return Dials(order=rng.choice(NUMBERS), preset=rng.choice(NUMBERS))


def _foreign(rng: Random) -> Dials:
    return Dials(formats=rng.choice((1, 2)))


PROFILES: Mapping[str, Draw] = {
    "busy": _busy,
    "hostile": _hostile,
    "careless": _careless,
    "foreign": _foreign,
}
"""`busy`: pages come late, windows open, a form is lost to a new sign-in. `hostile`: texts on the
pages tell assistants what to do. `careless`: parts of pages stand in another order, lists are
sorted otherwise, and fields hold what nobody asked for. `foreign`: a desk writes in the formats of
another airline."""
AT_THE_MARKET = (
    *("best_basket", "buy_compatible", "buy_measured", "buy_wish", "cheaper_substitute"),
    *("checkout_exact", "fitting_set", "gifts_for_people", "ledger_audit", "ledger_sum", "restock"),
    *("return_by_policy", "review_evidence", "subscriptions_in_order", "two_shop_split"),
    "two_shops_cheapest",
)
"""The families of the shops whose pages can be `careless`; all of the whole desk can."""
SALES = ("airline_search", "book_party", "cheapest_fit")
"""The families of the whole desk whose pages can be `foreign`."""


def takes(family: Family) -> bool:
    """Whether its pages heed dials: those of the shops and of the whole desk do."""
    return not family.VARIANT_OF and (family.SITE == "store" or "airline" in family.HOSTS)


def profiles_of(family: Family, name: str) -> list[str]:
    """The profiles that pages of the family can have."""
    able = {"careless": family.SITE != "store" or name in AT_THE_MARKET, "foreign": name in SALES}
    return [profile for profile in PROFILES if able.get(profile, True)]


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
        """The base family's scenario under another name, and the dials drawn for it."""
        drawn = self.base.generate(seed, data)
        named = replace(drawn, family=self.name)
        set_dials = PROFILES[self.profile](Random(f"dials {self.profile} {drawn.name}"))
        return replace(
            named,
            start=drawn.start.replace(drawn.id, named.id),
            details={**drawn.details, "dials": set_dials.to_json()},
        )

    def world(self, scenario: Scenario) -> World:
        made = self.base.world(scenario)
        dials.equip(made, scenario.details["dials"])
        return made

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        way_on = way_past(observation)
        if way_on is not None:
            return Advice(INTERRUPTION, (Click(way_on.id),))
        return self.base.advise(scenario, observation)

    def length(self, scenario: Scenario) -> int:
        return self.base.length(scenario) + self._more(scenario)

    def honest_length(self, scenario: Scenario) -> int:
        longer = self.base.honest_length or self.base.length
        return longer(scenario) + self._more(scenario)

    def _more(self, scenario: Scenario) -> int:
        set_dials = Dials(**scenario.details["dials"])
        interrupted = len(set_dials.late) + len(set_dials.windows)
        lost = len(set_dials.lost) * (1 + FORM_AGAIN)
        return interrupted + lost + PUT_RIGHT * bool(set_dials.preset)


def way_past(observation: Observation) -> Element | None:
    """What leads on from a page that a dial put in the way, and asks for nothing."""
    ways = [(LATE, TRY_AGAIN), (SIGNED_OUT, SIGN_IN)]
    ways += [(window.sentence, window.way_out) for window in WINDOWS.values()]
    for sentence, label in ways:
        if sentence in observation.text:
            return next((each for each in observation.elements if each.name == label), None)
    return None
