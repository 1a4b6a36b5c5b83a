"""The examples in ReAct's prompts are whole trajectories that happened, on tasks of no suite."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import scenarios.suites
from agent import prompting, renderings
from agent.interface import Observation, Reply, Stop
from agent.methods.react.action_formats import FORMATS, ActionFormat
from agent.prompting import Prompts
from agent.renderings import buttons
from scenarios import registry

MOVE = re.compile(r"^(?:Thought: .*\n)?Action: .*$", re.MULTILINE)
SUITES = sorted(Path(scenarios.suites.__file__).parent.glob("*.json"))


@dataclass(frozen=True)
class Example:
    """A text of a prompt file, and the scenario that it happened on."""

    site: str
    text: str
    scenario: str

    @cached_property
    def prompts(self) -> Prompts:
        return prompting.load("react", self.site)

    @property
    def form(self) -> ActionFormat:
        return FORMATS[self.prompts.data["form"]]

    @property
    def wish(self) -> str:
        return self.prompts.say(self.text).partition("\n")[0].partition(": ")[2]

    @property
    def transcript(self) -> str:
        return self.prompts.say(self.text).partition("\n")[2]

    @property
    def moves(self) -> list[str]:
        """What the model says in it, a turn each."""
        return MOVE.findall(self.transcript)

    def shown(self, observation: Observation, instruction: str) -> str:
        bare = buttons.without_frame if self.text in PURCHASE else renderings.without_instruction
        page = bare(observation, instruction)
        written = renderings.get(self.prompts.rendering).render(page)
        return f"Observation:\n{written.lstrip()}"


PURCHASE = ("purchase_example",)
LISTED = "San Francisco International (SFO) – Tokyo Haneda (HND)"
EXAMPLES = (
    Example("store", "purchase_example", "store/buy_item/38139"),
    Example("store", "example", "store/latest_order/20000"),
    Example("outlet", "example", "store/buy_wish.outlet/20051"),
    Example("crm", "example", "crm/TASK_FIND_BOOKING/20000"),
    Example("airline", "example", "crm/airline_search.contrail/20002"),
    Example("widgets", "example", "widgets/enter-text/20000"),
)
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.site}-{each.text}")


@dataclass(frozen=True)
class Outcome:
    """The transcript of the moves, the last page, the answer, and the purchases."""

    transcript: str
    last: Observation
    answer: str | None
    purchases: list[dict[str, Any]]


@pytest.fixture
def replay(harness) -> Callable[[Example], Outcome]:
    """What happens when the moves of an example are made on its scenario."""

    def replayed(example: Example) -> Outcome:
        async def work(visit: Any) -> Outcome:
            page = await visit.page.observe()
            written, answer = [example.shown(page, visit.scenario.instruction)], None
            for move in example.moves:
                written.append(move)
                read = example.form.read(Reply((move,)))
                if read.action is None:
                    written.append("OK.")
                    continue
                action = example.form.resolve(read.action, page)
                if isinstance(action, Stop):
                    answer = action.answer
                    break
                page = await visit.page.act(action)
                assert page.error is None, page.error
                written.append(example.shown(page, visit.scenario.instruction))
            bought = visit.page.world.snapshot().get("purchases", [])
            return Outcome("\n".join(written), page, answer, bought)

        return harness.visit(example.scenario, work)

    return replayed


@pytest.mark.wide
@each
def test_it_happened_and_ends_with_the_task_done(replay, example):
    found = replay(example)
    every_page_of_it_is_what_the_site_showed(found, example)
    it_ends_with_the_task_done(found, example)


def every_page_of_it_is_what_the_site_showed(found: Outcome, example: Example) -> None:
    """If a page of the site changes, its new observation belongs into the prompt."""
    receipt = example.transcript in found.transcript and bool(found.purchases)
    assert receipt or found.transcript == example.transcript
    assert "[a page" not in example.transcript and "..." not in example.wish


def it_ends_with_the_task_done(found: Outcome, example: Example) -> None:
    gold = registry.scenario(example.scenario).gold
    if example.text in PURCHASE:
        [bought] = found.purchases
        assert (bought["asin"], json.loads(bought["options"])) == (
            gold["asin"],
            gold["goal_options"],
        )
    elif example.site == "store":
        assert found.answer == gold["answer"]["text"]
    elif example.site == "outlet":
        assert found.answer == "" and "your order is placed" in found.last.text
        assert gold["name"] in found.last.text and gold["options"]["color"] in found.last.text
    else:
        shown = {"crm": "Booking EY49ZH", "airline": LISTED, "widgets": "START"}[example.site]
        assert found.answer == "" and example.moves[-1].endswith("Action: stop []")
        assert shown in found.last.text


def drawn() -> Iterator[tuple[str, int]]:
    """Family and seed of every scenario of a suite."""
    for path in SUITES:
        for name, seeds in json.loads(path.read_text(encoding="utf-8"))["scenarios"].items():
            family = name.rpartition("/")[2].partition(".")[0]
            yield from ((family, int(seed)) for seed in seeds)


def shingles(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return set(zip(*(words[place:] for place in range(8)), strict=False))


def test_no_suite_draws_their_scenarios():
    suites = set(drawn())
    assert len(suites) > 1000
    for example in EXAMPLES:
        _, family, seed = example.scenario.split("/")
        assert (family.partition(".")[0], int(seed)) not in suites


def test_a_purchase_shows_no_product_that_a_suite_asks_for_and_no_words_of_its_wishes():
    [example] = [each for each in EXAMPLES if each.text in PURCHASE]
    wished = shingles(example.wish)
    for family, seed in set(drawn()):
        if family in example.prompts.data["purchases"]:
            scenario = registry.scenario(f"store/{family}/{seed}")
            assert scenario.gold["asin"] not in example.transcript, scenario.name
            assert not wished & shingles(scenario.instruction), scenario.name


def test_a_purchase_reads_a_detail_page_that_it_needs_and_goes_back():
    [example] = [each for each in EXAMPLES if each.text in PURCHASE]
    [at] = [n for n, move in enumerate(example.moves) if "click[Description]" in move]
    assert "not shown" in example.moves[at - 1], "a thought says why"
    assert example.moves[at + 1] == "Action: click[< Prev]"
    for text in ("purchase_rules", "purchase_instructions"):
        rules = example.prompts.say(text)
        assert "< Prev leads from" in rules and "click[Back to Search] first" in rules


def test_a_purchase_offers_what_webshop_offers():
    prompts = prompting.load("react", "store")
    for text in ("purchase_rules", "purchase_instructions", "purchase_example"):
        offered = set(re.findall(r"^(?:Action: )?(\w+)\[", prompts.say(text), re.MULTILINE))
        assert offered == {"think", "search", "click"}, text
    for text in ("rules", "instructions"):
        assert "stop[answer]" in prompts.say(text) and "type[field]" in prompts.say(text)


@each
def test_a_thought_comes_before_the_action_that_follows_from_it(example):
    if example.form is FORMATS["webarena"]:
        assert all(re.match(r"Thought: .+\nAction: ", move) for move in example.moves)
    else:
        kinds = [move.startswith("Action: think[") for move in example.moves]
        assert sum(kinds) >= 2 and not kinds[-1]
        assert not any(first and second for first, second in pairwise(kinds))


def test_the_example_at_an_airline_is_in_words_that_are_open():
    """One seed of five is phrased in words that are held out."""
    [example] = [each for each in EXAMPLES if each.site == "airline"]
    assert registry.scenario(example.scenario).details["phrasing"] == "open"
