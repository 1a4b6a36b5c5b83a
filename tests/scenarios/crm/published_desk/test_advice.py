"""What is advised on screens as they are, as others left them, and as others render them."""

from __future__ import annotations

from random import Random

import pytest

from agent import renderings
from agent.interface import Action, Back, Click, Element, Observation, Select, Text, Type
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.scenario import Scenario
from tests.contracts.harness import EpisodeHarness
from tests.measuring import DEEP, unmeasured

ALL = sorted(
    name
    for name, each in registry.family_modules().items()
    if each.SITE == "crm" and each.LEVEL == 1
)
BASE = [name for name in ALL if not name.endswith("_BARE")]
AMBIGUOUS = "_AMBIGUOUS"
RENDERED = (
    *("TASK_BOOK_FLIGHT", "TASK_FIND_FLIGHT"),
    *("TASK_CANCEL_FLIGHT_AMBIGUOUS", "TASK_UPDATE_FLIGHTS_AMBIGUOUS"),
    *("TASK_FIND_BOOKING_BARE", "TASK_UPDATE_PASSENGER_DETAILS_BARE"),
)
"""Each type once, in turn with its labels, with none, and with none that tells fields apart."""
ASTRAY = (
    *("TASK_BOOK_FLIGHT_AMBIGUOUS", "TASK_FIND_FLIGHT_AMBIGUOUS", "TASK_CANCEL_FLIGHT"),
    *("TASK_UPDATE_FLIGHTS", "TASK_FIND_BOOKING_AMBIGUOUS", "TASK_UPDATE_PASSENGER_DETAILS"),
)
"""Each type once, half of them with labels."""
NAV = (
    Element(1, "link", "Search flights", tag="a", html_id="nav-flights"),
    Element(2, "link", "Find booking", tag="a", html_id="nav-bookings"),
)
TEXTS = ("London", "LHR", "2026-05-05", "zzz", "", "4111111111111111", "09/27", "New York")


def scenario_of(family: str, seed: int = 0) -> Scenario:
    return registry.scenario(f"crm/{family}/{seed}")


def advise(scenario: Scenario, path: str, *content: Element | Text):
    observation = Observation(f"http://crm.localhost{path}", "", (*NAV, *content))
    return registry.family(scenario.family).advise(scenario, observation)


def box(number: int, html_id: str, value: str = "") -> Element:
    return Element(number, "textbox", "", value, tag="input", html_id=html_id)


def button(number: int, html_id: str) -> Element:
    return Element(number, "button", "", tag="button", html_id=html_id)


# Screens made by hand ----------------------------------------------------------------------------


def test_the_survey_is_sent_away_first():
    scenario = scenario_of("TASK_CANCEL_FLIGHT")
    path = f"/bookings/{scenario.gold['reference']}"
    shown = (button(3, "cancel-booking"), button(4, "survey-close"))
    assert advise(scenario, path, *shown).actions == (Click(4),)
    assert advise(scenario, path, *shown).step == "start cancelling"
    assert advise(scenario, path, *shown[:1]).actions == (Click(3),)


def test_only_what_is_wrong_in_a_form_is_put_right():
    scenario = scenario_of("TASK_FIND_BOOKING")
    own = scenario.gold["reference"]

    def actions(value):
        shown = (box(3, "booking-reference", value), button(4, "search-booking"))
        return advise(scenario, "/bookings", *shown).actions

    assert actions("") == actions("XXXXXX") == (Type(3, own), Click(4))
    assert actions(own) == actions(f" {own.lower()} ") == (Click(4),)


def test_a_form_without_a_needed_field_is_not_sent():
    scenario = scenario_of("TASK_FIND_BOOKING")
    advice = advise(scenario, "/bookings", button(4, "search-booking"))
    assert advice.actions == () and advice.answer is None


def test_another_booking_is_left():
    for family in ("TASK_CANCEL_FLIGHT", "TASK_UPDATE_PASSENGER_DETAILS", "TASK_FIND_BOOKING"):
        shown = (button(3, "cancel-booking"), button(4, "modify-booking"))
        advice = advise(scenario_of(family), "/bookings/WRONG1", *shown)
        assert advice.actions == (Click(2),) and advice.step == "find booking"
    for screen in ("cancel", "passenger", "flights", "flights/4"):
        advice = advise(scenario_of("TASK_UPDATE_FLIGHTS"), f"/bookings/WRONG1/{screen}")
        assert advice.actions == (Click(2),), screen


def test_a_page_that_is_no_screen_is_left():
    for path in ("/nowhere", "/flights/x", "/bookings/a/b/c"):
        assert advise(scenario_of("TASK_BOOK_FLIGHT"), path).actions == (Click(1),)
        assert advise(scenario_of("TASK_CANCEL_FLIGHT"), path).actions == (Click(2),)
    lost = Observation("http://crm.localhost/nowhere", "")
    scenario = scenario_of("TASK_CANCEL_FLIGHT")
    assert registry.family(scenario.family).advise(scenario, lost).actions == (Back(),)


def test_a_cancelled_booking_is_the_end_and_another_cancelled_one_is_not():
    scenario = scenario_of("TASK_CANCEL_FLIGHT")
    shown = (Text("Status", "term"), Text("Cancelled", "definition"))
    assert advise(scenario, f"/bookings/{scenario.gold['reference']}", *shown).answer == ""
    assert advise(scenario, "/bookings/WRONG1", *shown).answer is None


def test_a_wrong_receipt_cannot_be_mended():
    advice = advise(scenario_of("TASK_BOOK_FLIGHT"), "/flights/1/receipt", Text("Receipt"))
    assert advice.actions == () and advice.answer is None


def test_results_of_another_search_are_searched_again():
    advice = advise(scenario_of("TASK_BOOK_FLIGHT"), "/flights/1", Text("Outward: A to B"))
    assert advice.actions == (Click(1),) and advice.step == "find flight"


def test_a_field_that_was_changed_besides_is_restored():
    scenario = scenario_of("TASK_UPDATE_PASSENGER_DETAILS", 2)
    assert list(scenario.details["passenger"]) == ["last-name"]
    start = {**scenario.details["start"], "first-name": "Changed"}
    fields = [box(3 + k, field, value) for k, (field, value) in enumerate(start.items())]
    path = f"/bookings/{scenario.gold['reference']}/passenger"
    advice = advise(scenario, path, *fields, button(9, "save-changes"))
    assert advice.actions == (
        Type(4, scenario.details["start"]["first-name"]),
        Type(5, scenario.details["passenger"]["last-name"]),
        Click(9),
    )


# Screens in the browser --------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize("family", ALL if DEEP else RENDERED)
def test_the_advice_is_the_same_in_every_rendering(harness, family):
    """Also where a rendering has no html ids, and where the fields have no labels."""
    scenario, module = scenario_of(family, 3), registry.family(family)

    async def visit(opened):
        observation = await opened.page.observe()
        screens = 0
        while True:
            advice = module.advise(scenario, observation)
            for name in ("tree", "elements", "html"):
                rendering = renderings.get(name)
                seen = rendering.parse(rendering.render(observation))
                assert module.advise(scenario, seen) == advice, (name, observation.url)
            if advice.answer is not None:
                return screens
            for action in advice.actions:
                observation = await opened.page.act(action)
            screens += 1

    screens = harness.visit(scenario.name, visit)
    if family.endswith(AMBIGUOUS):  # every screen has its review, and some are probed
        assert screens >= 2 * len(module.STEPS)
    else:
        assert screens == len(module.STEPS) + _ways(scenario)


def _ways(scenario: Scenario) -> int:
    """Screens that are only gone through: to the bookings, the tab of the flights, the survey."""
    kind = scenario.gold["type"]
    ways = {"find flight": 0, "book flight": 0, "update flights": 2}.get(kind, 1)
    return ways + int(scenario.details["knobs"]["survey"])


def wander(harness: EpisodeHarness, family: str, seed: int) -> bool | None:
    """Right actions, then random ones, then advice: whether it still succeeds, None where what
    was done at random cannot be taken back."""
    scenario, module = scenario_of(family, seed), registry.family(family)
    start, rng = module.world(scenario), Random(f"{family}/{seed}")

    async def visit(opened):
        door = opened.page
        observation = await door.observe()
        for _ in range(rng.randrange(module.length(scenario))):
            observation = await door.act(module.advise(scenario, observation).actions[0])
        for _ in range(rng.randint(1, 10)):
            observation = await door.act(_anything(observation, scenario, rng))
        if door.world.digest() != start.digest():
            return None
        while (advice := module.advise(scenario, observation)).actions:
            observation = await door.act(advice.actions[0])
        return ScoringContext.of(scenario).score(door.world.snapshot()).success

    return harness.visit(scenario.name, visit)


def _anything(observation: Observation, scenario: Scenario, rng: Random) -> Action:
    usable = [each for each in observation.elements if "disabled" not in each.states]
    if not usable or rng.random() < 0.1:
        return Back()
    element = rng.choice(usable)
    if element.options:
        return Select(element.id, rng.choice(element.options))
    if element.role in ("textbox", "combobox"):
        known = [row["reference"] for row in scenario.details["bookings"]]
        texts = (*TEXTS, *known, *scenario.instruction.split())
        return Type(element.id, rng.choice(texts), enter=rng.random() < 0.2)
    return Click(element.id)


@pytest.mark.wide
@pytest.mark.parametrize("family", BASE if DEEP else ASTRAY)
@unmeasured()
def test_who_went_astray_is_led_to_the_end(harness, family):
    ended = (wander(harness, family, seed) for seed in range(20))
    assert next(success for success in ended if success is not None)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 12) if DEEP else (2,))
@pytest.mark.parametrize("family", ALL if DEEP else ALL[:1])
def test_who_went_astray_is_led_to_the_end_from_anywhere(harness, family, seed):
    assert wander(harness, family, seed) is not False
