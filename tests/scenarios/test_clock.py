"""The profile `clock`: deadlines that an expert keeps and a model of many words does not."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.interface import Advice, Observation
from agent.llm.model_source import ModelSource, answer
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from agent.llm.transport.offline import Scripted
from evaluators.analysis import reliability
from evaluators.episode import replay
from evaluators.records import run_folder
from scenarios import clock, registry, suites
from scenarios import dials as profiles
from scenarios.crm.airline_desk import desk
from scenarios.scenario import Scenario, planned_steps, start_host
from scenarios.widgets._widget import CLOCKED
from sites import clock as clocks
from sites.crm.airline_desk.model import outdated
from sites.crm.airline_desk.model.airline import airlines
from sites.dials import Dials
from sites.store.market import outdated as at_market
from tests.contracts.harness import EpisodeHarness, RecordedEpisode
from tests.drawing import drawn
from tests.measuring import DEEP
from tests.scenarios.test_meanwhile import Sale, visitor_of, word
from tests.scenarios.test_meanwhile_in_shops import Visitor, first, in_dollars
from tests.scenarios.with_dials import ends_as_without
from tests.sites.crm.airline_desk.served import Page
from tests.sites.crm.airline_desk.served import Visitor as Caller

BY_PRICE = (
    *("best_basket", "cheaper_substitute", "fitting_set", "gifts_for_people", "restock"),
    *("two_shop_split", "two_shops_cheapest"),
)
NAMES = tuple(f"{name}.clock" for name in (*profiles.BOOKED, *profiles.LETTERS, "checkout_exact"))
NAMES += tuple(f"{name}.clock" for name in BY_PRICE)
FEW = ("cheapest_fit.clock", "ticket_third_party.clock", "two_shops_cheapest.clock")
"""The families that are run whole in every run; with `tox -e deep` all are."""
THIRD = 2 / 3
"""The part of its time that the expert may use."""
SHORT, LONG, LONGEST = 200, 3000, 12000


def dials_of(scenario: Scenario) -> Dials:
    return Dials(**scenario.details["dials"])


def with_dial(name: str, dial: str) -> Scenario:
    """The first scenario in which the event of a dial happens."""
    found = (drawn(name, seed) for seed in range(20))
    return next(each for each in found if getattr(dials_of(each), dial))


def last_minute(episode: RecordedEpisode) -> int:
    return max(each["minute"] for each in episode.trace if each.get("word") == "clock")


# What is drawn -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_visit_has_a_deadline_and_its_event_comes_before_it(name: str) -> None:
    family = registry.family(name)
    for seed in range(20 if DEEP else 2):
        scenario = drawn(name, seed)
        dials = dials_of(scenario)
        own = family.base.length(scenario) * clock.A_STEP
        assert own <= THIRD * dials.until and dials.held in clocks.HELD
        assert dials.change < dials.until / 2
        held_back = dials.raised or dials.sold or dials.mail or dials.listed or dials.taken
        assert bool(held_back) == bool(dials.change)
        assert scenario.gold == drawn(name.partition(".")[0], seed).gold


@pytest.mark.parametrize("name", NAMES if DEEP else FEW)
def test_the_ends_of_a_family_are_the_same(name: str) -> None:
    ends_as_without(name, 0)


def test_families_without_an_event_or_an_order_have_no_clock() -> None:
    for name in ("find_by_name", "ledger_sum", "buy_wish"):
        assert "clock" not in profiles.profiles_of(registry.family(name), name)


# What pages show ---------------------------------------------------------------------------------


def test_pages_show_the_minute_and_the_deadline_and_forms_are_refused_after_it() -> None:
    scenario = drawn("checkout_exact.clock", 0)
    visitor, until = Visitor(scenario), dials_of(scenario).until
    clocks.move(visitor.world, until)
    page = visitor.get("store", scenario.start)
    assert clocks.sentence(visitor.world, "cart", until) in page
    assert f"It is minute {until}." in page and f"until minute {until}." in page
    asin = scenario.gold["orders"][0]["lines"][0][0]
    clocks.move(visitor.world, until + 1)
    before = visitor.world.digest()
    status, text = visitor.put("store", asin)
    assert (status, visitor.world.digest()) == (409, before)
    assert clocks.OVER.format(now=until + 1, until=until) in text
    clocks.move(visitor.world, until)
    assert visitor.put("store", asin)[0] == 200 and visitor.world.digest() != before


def test_a_plain_visit_has_no_clock() -> None:
    visitor = Visitor(drawn("checkout_exact", 0))
    assert not clocks.is_in(visitor.world)
    assert "minute" not in visitor.get("store", visitor.world.about.get("start", "/"))


def test_time_goes_on_in_a_copy_and_does_not_go_back_with_the_rows() -> None:
    scenario = drawn("checkout_exact.clock", 0)
    with registry.family(scenario.family).world(scenario) as world, world.fork() as copy:
        clocks.move(world, 9)
        world.restore(copy)
        assert (clocks.minute(world), clocks.minute(copy)) == (9, 0)
        with world.fork() as later:
            assert clocks.minute(later) == 9


def sale_of(scenario: Scenario) -> tuple[Caller, Sale]:
    """A visitor of the desk who has searched for the scenario's own flights."""
    visitor, sale = visitor_of(scenario), Sale(scenario.family, scenario.seed)
    sale.world = visitor.world
    sale.trip = desk.search(visitor.world, registry.site_data("crm"), sale.order.search)
    return visitor, sale


def test_fares_of_a_list_are_true_from_a_minute_on() -> None:
    scenario = with_dial("cheapest_fit.clock", "raised")
    (visitor, sale), dials = sale_of(scenario), dials_of(scenario)
    clocks.move(visitor.world, dials.change - 1)
    visitor.open(visitor.airline.address("results", sale.trip.number, "outward"))
    assert outdated.is_behind(visitor.world) and sale.listed != [*sale.offers]
    clocks.move(visitor.world, dials.change)
    visitor.open(visitor.airline.address("results", sale.trip.number, "outward"))
    assert sale.listed == [*sale.offers]
    trip = sale.choose(sale.order.offers["outward"])
    assert outdated.raised(visitor.world, trip, "outward") == 0, "its list was up to date"


def test_a_choice_from_a_list_before_the_change_has_another_fare() -> None:
    scenario = with_dial("cheapest_fit.clock", "raised")
    (visitor, sale), dials = sale_of(scenario), dials_of(scenario)
    visitor.open(visitor.airline.address("results", sale.trip.number, "outward"))
    clocks.move(visitor.world, dials.change)
    trip = sale.choose(sale.order.offers["outward"])
    visitor.open(visitor.airline.address("search"))
    assert clocks.changed_after(visitor.world) is not None
    assert outdated.raised(visitor.world, trip, "outward") == dials.raised


def test_an_offer_is_sold_out_from_a_minute_on() -> None:
    scenario = with_dial("book_party.clock", "sold")
    (visitor, sale), dials = sale_of(scenario), dials_of(scenario)
    [gone] = sale.gone
    assert any(fare.seats for each in sale.listed if each.id == gone.id for fare in each.fares)
    clocks.move(visitor.world, dials.change)
    visitor.open(visitor.airline.address("search"))
    assert not any(fare.seats for each in sale.listed if each.id == gone.id for fare in each.fares)


def test_mail_comes_at_a_minute_and_a_ticket_opened_later_has_all_of_it() -> None:
    scenario = drawn("ticket_refund.clock", 0)
    ticket, change = scenario.gold["ticket"], dials_of(scenario).change
    early, late = visitor_of(scenario), visitor_of(scenario)
    own = early.airline.address("ticket", ticket)
    news = word(early, "new-mail", number=ticket)
    clocks.move(early.world, change - 1)
    before = texts(early.open(own))
    assert news not in early.open(early.airline.address("search")).links
    clocks.move(early.world, change)
    assert news in early.open(early.airline.address("search")).links
    page = early.follow(news)
    assert before < texts(page) and news not in page.links
    clocks.move(late.world, change)
    assert texts(late.open(own)) == texts(page)
    assert news not in late.open(late.airline.address("search")).links


def texts(page: Page) -> set[str]:
    """The paragraphs of a page without its minute."""
    return {*map(clocks.without, page.paragraphs)}


def test_prices_of_a_shop_are_true_from_a_minute_on() -> None:
    scenario = with_dial("two_shops_cheapest.clock", "listed")
    visitor, dials = Visitor(scenario), dials_of(scenario)
    shop, asin, cents = first(dials.listed)  # type: ignore[arg-type]
    clocks.move(visitor.world, dials.change - 1)
    assert in_dollars(cents) in visitor.list_of(shop, asin)
    clocks.move(visitor.world, dials.change)
    assert in_dollars(cents) not in visitor.list_of(shop, asin)
    assert not at_market.is_behind(visitor.world)


def test_a_good_of_a_shop_is_sold_out_from_a_minute_on() -> None:
    scenario = with_dial("cheaper_substitute.clock", "taken")
    visitor, dials = Visitor(scenario), dials_of(scenario)
    shop, asin, _ = first(dials.taken)  # type: ignore[arg-type]
    before = visitor.get(shop, visitor.item(shop, asin))
    clocks.move(visitor.world, dials.change)
    after = visitor.get(shop, visitor.item(shop, asin))
    assert "Sold out" not in before and re.search("[Ss]old out", after)


# Who keeps the deadline --------------------------------------------------------------------------


@pytest.mark.parametrize("name", [each for each in NAMES if DEEP or each in FEW])
@pytest.mark.wide
def test_the_expert_keeps_every_deadline_with_a_third_of_its_time_left(
    quick_harness: EpisodeHarness, tmp_path: Path, name: str
) -> None:
    for seed in range(5 if DEEP else 1):
        scenario = drawn(name, seed)
        episode = quick_harness.run("expert", scenario.name, tmp_path / str(seed), strict=True)
        assert episode.record["success"], episode.record["checks"]
        assert last_minute(episode) <= THIRD * dials_of(scenario).until


class Wordy:
    """The scripted model with a thought before each reply."""

    def __init__(self, scenario: Scenario, characters: int) -> None:
        family = registry.family(scenario.family)
        read = family.instruction
        wanted, host = "" if read else scenario.instruction, start_host(family)
        steps = planned_steps(family, scenario)

        def advise(page: Observation) -> Advice:
            instruction = read(page) if read else wanted
            return family.advise(replace(scenario, instruction=instruction), page)

        known = Knowledge(wanted, scenario.name, host, 0, advise, steps)
        self._model, self._characters = SimulatedModel({wanted: known}), characters

    def __call__(self, purpose: str, body: Mapping[str, Any]) -> dict[str, Any]:
        reply = answer(self._model, purpose, body)
        for choice in reply["choices"]:
            written = len(choice["message"]["content"] or "")
            thought = "x" * max(0, self._characters - written)
            choice["message"]["reasoning_content"] = thought
        return reply


def play(
    harness: EpisodeHarness, name: str, characters: int, folder: Path, **settings: Any
) -> RecordedEpisode:
    model = Scripted(Wordy(registry.scenario(name), characters))
    source = ModelSource("live", model="wordy", **settings)
    return harness.run("react", name, folder, model_source=source, live=model)


@pytest.fixture
def _address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "no-key-is-needed")


def lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of an episode without measured times."""
    read = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    timed = ("_s", "_at", "crc")
    return [{k: v for k, v in line.items() if not k.endswith(timed)} for line in read]


@pytest.mark.usefixtures("_address")
@pytest.mark.parametrize("name", ["checkout_exact", "two_shops_cheapest"])
def test_a_model_of_many_words_misses_the_deadline_and_one_of_few_keeps_it(
    quick_harness: EpisodeHarness, tmp_path: Path, name: str
) -> None:
    task = f"store/{name}.clock/0"
    terse = play(quick_harness, task, SHORT, tmp_path / "terse")
    wordy = play(quick_harness, task, LONG, tmp_path / "wordy")
    plain = play(quick_harness, f"store/{name}/0", LONG, tmp_path / "plain")
    assert terse.record["success"] and plain.record["success"]
    assert not wordy.record["success"]
    records = [run_folder.load_episode(each.home) for each in (plain, wordy)]
    [printed] = reliability.spreads(records)
    assert printed.success == {name: 1, f"{name}.clock": 0}
    until = dials_of(registry.scenario(task)).until
    assert last_minute(terse) <= until < last_minute(wordy)


@pytest.mark.usefixtures("_address")
@pytest.mark.parametrize("task", CLOCKED)
def test_a_page_that_moves_moves_on_while_a_model_writes(
    harness: EpisodeHarness, tmp_path: Path, task: str
) -> None:
    needed = LONG if task in ("button-delay", "chase-circle") else LONGEST
    name = f"widgets/{task}.clock/0"
    assert harness.run("expert", name, tmp_path / "expert").record["success"]
    terse = play(harness, name, SHORT, tmp_path / "terse")
    wordy = play(harness, name, needed, tmp_path / "wordy")
    plain = play(harness, f"widgets/{task}/0", needed, tmp_path / "plain")
    assert (terse.record["success"], plain.record["success"]) == (True, True)
    assert not wordy.record["success"]
    made = replay.replay(replay.load(terse.home), harness.environments)
    assert harness.runner.run(made).is_same


def test_a_page_says_that_words_take_time_and_a_plain_page_does_not(
    quick_harness: EpisodeHarness, tmp_path: Path
) -> None:
    wanted = "clock: moves on with each action, and also with each 400 characters"
    for name, shown in (("checkout_exact.clock", True), ("checkout_exact", False)):
        episode = quick_harness.run("nothing", f"store/{name}/0", tmp_path / name)
        [first, *_] = (each["text"] for each in episode.trace if each["kind"] == "observation")
        assert (wanted in first) == shown


@pytest.mark.usefixtures("_address")
def test_an_episode_and_its_replays_have_the_same_bytes(
    quick_harness: EpisodeHarness, tmp_path: Path
) -> None:
    task, tapes = "store/checkout_exact.clock/1", tmp_path / "tapes"
    once = play(quick_harness, task, LONG, tmp_path / "once", record=tapes)
    twice = play(quick_harness, task, LONG, tmp_path / "twice")
    source = ModelSource("replay", tapes)
    replayed = quick_harness.run("react", task, tmp_path / "replay", model_source=source)
    for file in ("trace.jsonl", "llm.jsonl"):
        seen = [lines(each.home / file)[1:] for each in (once, twice, replayed)]
        assert seen[0] == seen[1] == seen[2]
    assert quick_harness.text is not None
    made = replay.replay(replay.load(once.home), quick_harness.text)
    assert quick_harness.runner.run(made).is_same


def test_a_suite_has_each_seed_with_and_without_a_clock_as_variants_of_one_family() -> None:
    tasks = {tuple(name.split("/")) for name in suites.load("clock-48").scenarios}
    plain = {(site, family, seed) for site, family, seed in tasks if "." not in family}
    assert tasks - plain == {(site, f"{family}.clock", seed) for site, family, seed in plain}
    for _, family, _ in plain:
        assert reliability.root(f"{family}.clock") == reliability.root(family)


def test_each_airline_can_say_it() -> None:
    """The sentence is the same on every skin of the desk, and no skin has a page without it."""
    for seed in range(4):
        scenario = drawn("cheapest_fit.clock", seed)
        visitor = visitor_of(scenario)
        assert visitor.airline == airlines()[scenario.details["airline"]]
        shown = clocks.sentence(visitor.world, "offers", dials_of(scenario).until)
        assert shown in visitor.open(visitor.airline.address("search")).text
