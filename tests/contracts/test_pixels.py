"""The variant `pixels`: the same problems at the same places, and only to be seen."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from agent.browser.input import ask_walker
from agent.interface import Action, Click, ClickAt, Element, Observation, Text
from evaluators.episode.environment import Episode
from evaluators.scoring.context import ScoringContext
from scenarios import registry, suites
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Adviser, Widget
from sites.widgets import PIXELS, VARIANTS
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")
DATA = registry.site_data("widgets")
NAMES = sorted(name for name, page in DATA.pages.items() if PIXELS in page.variants)
SEEDS = range(10 if DEEP else 2)
WITH_ALL_ENDS = SEEDS if DEEP else SEEDS[:1]
"""The seeds on which all ends of a page are played."""
MOST_ACTIONS = 20
MARKUP = """(() => {
  const whole = document.querySelector("#area").cloneNode(true);
  for (const button of whole.querySelectorAll("button")) button.remove();
  return whole.innerHTML;
})()"""
"""What the page holds of what is drawn."""

each_page = pytest.mark.parametrize("name", NAMES)


def family(name: str, variant: str) -> Widget:
    made = registry.family_modules()[name]
    assert isinstance(made, Widget)
    return made.of_variant(variant)


@dataclass
class Open:
    """An opened episode; `seen` is its last observation."""

    made: Widget
    episode: Episode
    seen: Observation

    async def js(self, expression: str) -> Any:
        """What an expression is in the page's own world."""
        tab = self.episode.page.lane._tab
        reply = await tab.send("Runtime.evaluate", expression=expression, returnByValue=True)
        return reply["result"].get("value")

    async def box(self, element: Element) -> tuple[float, float, float, float]:
        """Where it stands in the window: x, y, width and height."""
        x, y, width, height = (
            await ask_walker(self.episode.page.lane._tab, "outline", element.id)
        )["box"]
        return x, y, width, height

    async def act(self, action: Action) -> None:
        self.seen = await self.episode.page.lane.act(action)
        assert self.seen.error is None, (action, self.seen.error)

    async def screenshot(self) -> bytes:
        shot = (await self.episode.page.observe(screenshot=True)).screenshot
        assert shot
        return shot

    @property
    def raws(self) -> list[float]:
        """The rewards that the page gave."""
        return [row["raw"] for row in self.episode.page.world.snapshot()["verdicts"]]


@dataclass(frozen=True)
class Pair:
    """The same problem with names, and in pixels alone."""

    named: Open
    drawn: Open

    async def follow(self, adviser: Adviser) -> None:
        """Do what is advised for the one, and the same by places on the other."""
        named, drawn = self.named, self.drawn
        for _ in range(MOST_ACTIONS):
            advice = named.made.advised_by(adviser, named.episode.scenario, named.seen)
            if advice.answer is not None or not advice.actions:
                return
            for action in advice.actions:
                before, same = named.seen, await self.same(action)
                await named.act(action)
                await drawn.act(same)
                if [each.name for each in named.seen.elements] != [
                    each.name for each in before.elements
                ]:
                    break

    async def same(self, action: Action) -> Action:
        """A click on a button; a click on the place of anything else."""
        assert isinstance(action, Click | ClickAt)
        [element] = (each for each in self.named.seen.elements if each.id == action.target)
        buttons = [each for each in self.drawn.seen.elements if each.tag == "button"]
        if element.tag == "button":
            [button] = (each for each in buttons if each.name == element.name)
            return Click(button.id)
        [canvas] = (each for each in self.drawn.seen.elements if each not in buttons)
        x, y, width, height = await self.named.box(element)
        at = action.at if isinstance(action, ClickAt) else (width / 2, height / 2)
        left, top, *_ = await self.drawn.box(canvas)
        return ClickAt(canvas.id, (round(x + at[0] - left), round(y + at[1] - top)))


@pytest.fixture
def on_pair(harness, name):
    """`on_pair(work, seed)`: what the coroutine function `work` says of the two pages."""

    def visit(work, seed):
        async def visited():
            async with AsyncExitStack() as stack:
                named, drawn = [
                    await _open(harness, stack, family(name, variant), seed)
                    for variant in (VARIANTS[0], PIXELS)
                ]
                return await work(Pair(named, drawn))

        return harness.runner.run(visited())

    return visit


async def _open(harness, stack: AsyncExitStack, made: Widget, seed: int) -> Open:
    context = ScoringContext.of(made.generate(seed, DATA), made)
    episode = await stack.enter_async_context(harness.environments.open_episode(context))
    return Open(made, episode, await episode.start())


def _some(name: str, others: list[tuple[str, Adviser]]) -> list[tuple[str, Adviser]]:
    """All other ends with `tox -e deep`, else one of them, in turn over the pages of several."""
    several = [each for each in NAMES if len(family(each, VARIANTS[0]).outcomes) > 1]
    place = several.index(name) if name in several else 0
    return others if DEEP else [others[(-1 - place) % len(others)]]


def test_there_are_such_pages():
    assert {"click-shape", "count-shape", "click-color", "click-shades", "click-pie"} <= {*NAMES}


@each_page
def test_both_say_the_same_and_places_count_alike(on_pair, name):
    """The expert's way by places is a success, and other ends are worth as much."""

    async def play(adviser, pair):
        shown = pair.named.episode.scenario.instruction, pair.drawn.episode.scenario.instruction
        uttered = [await each.js("core.getUtterance()") for each in (pair.named, pair.drawn)]
        await pair.follow(adviser)
        return shown, uttered, pair.named.raws, pair.drawn.raws, pair.drawn.episode.score()

    made = family(name, VARIANTS[0])
    others = {label: end.adviser for label, end in made.outcomes.items()}
    assert any(label.startswith("wrong") for label in others)
    for seed in WITH_ALL_ENDS:
        for label, adviser in [("success", made.adviser), *_some(name, list(others.items()))]:
            shown, uttered, named, drawn, score = on_pair(partial(play, adviser), seed)
            assert shown[0] == shown[1] and uttered[0] == uttered[1], seed
            assert len(named) == 1 and drawn == pytest.approx(named), (seed, label)
            assert score.success == (label == "success"), (seed, label, score.checks)


@each_page
def test_nothing_is_told_of_what_is_drawn(on_pair, name):
    async def looked(pair):
        return pair.named.seen, pair.drawn.seen, await pair.drawn.js(MARKUP)

    alike = set()
    for seed in SEEDS:
        named, drawn, markup = on_pair(looked, seed)
        last = max(at for at, node in enumerate(drawn.content) if node.role == "note")
        assert _words(drawn)[: last + 1] == _words(named)[: last + 1]
        rest = drawn.content[last + 1 :]
        buttons = [each for each in rest if isinstance(each, Element) and each.tag == "button"]
        assert _words(drawn, buttons) == _words(
            named, [each for each in named.elements if each.tag == "button"]
        )
        [picture] = [each for each in rest if each not in buttons]
        words = picture.text if isinstance(picture, Text) else picture.name
        assert (picture.role, words) == ("img", "picture")
        alike.add((markup, picture.colors))
        places = isinstance(picture, Element)
        assert ("click_at" in drawn.inputs) is places, "a picture that takes clicks says so"
    assert len(alike) == 1 and "<svg" not in alike.pop()[0], "it is the same for every problem"


def _words(seen: Observation, nodes: Any = None) -> list[str]:
    shown = seen.content if nodes is None else nodes
    return [each.text if isinstance(each, Text) else each.name for each in shown]


@pytest.mark.parametrize("name", NAMES if DEEP else NAMES[::3])
def test_it_is_drawn_with_the_same_bytes(on_pair, name):
    async def shots(pair):
        return await pair.named.screenshot(), await pair.drawn.screenshot()

    (named, drawn), repeated, other = on_pair(shots, 0), on_pair(shots, 0), on_pair(shots, 1)
    assert repeated == (named, drawn)
    assert other[1] != drawn, "another problem is another picture"


@pytest.mark.parametrize("name", ["click-color"])
def test_a_place_with_nothing_on_it_is_no_click_on_anything(on_pair, name):
    async def between(pair):
        [canvas] = pair.drawn.seen.elements
        await pair.drawn.act(ClickAt(canvas.id, (69, 61)))
        return pair.drawn.raws

    assert on_pair(between, 0) == []


@pytest.mark.parametrize("name", ["click-shape"])
def test_a_document_goes_from_one_variant_to_the_other(on_pair, name):
    """A lane begins a scenario of the same page without loading it."""

    async def turned(pair):
        lane, url = pair.named.episode.page.lane, pair.named.seen.url
        await pair.named.js("window.marked = true")
        seen = [
            await lane.open(url.replace(f"variant={VARIANTS[0]}", f"variant={each}"))
            for each in (PIXELS, VARIANTS[0])
        ]
        return [each.inputs for each in seen], await pair.named.js("window.marked")

    assert on_pair(turned, 0) == ([("click_at",), ()], True)


@each_page
def test_the_expert_gives_up(harness, name, tmp_path):
    record = harness.run("expert", f"widgets/{name}.{PIXELS}/0", tmp_path).record
    assert (record["ended"], record["success"], record["steps"]) == ("answered", False, 0)


def test_no_suite_has_it():
    for suite in suites.names():
        assert not any(f".{PIXELS}/" in each for each in suites.load(suite).scenarios), suite


def test_a_count_of_nothing_is_no_advice():
    """The adviser by words would press 0, and now and then be right."""
    made = family("count-shape", PIXELS)
    scenario = made.generate(0, DATA)
    page = Observation("", "", (Element(1, "button", "0", tag="button"),))
    view = PageView("How many red items are there?", page)
    assert made.adviser(view).actions and not made.advise(scenario, page).actions
