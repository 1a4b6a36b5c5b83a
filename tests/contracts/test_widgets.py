"""Every task page that there is: its drivers' life cycle, its layout, and all its ends.

What is said of a page is one test: its episodes follow each other in one lane, which loads the page
once and then restarts it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any
from xml.etree import ElementTree

import pytest

from agent.browser.lane import Lane
from agent.interface import Advice, Note, Observation
from agent.llm.simulated.remembered import remembering
from evaluators.episode.environment import Episode
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import MOST, Score
from scenarios import registry
from scenarios.scenario import Scenario
from scenarios.widgets import _page_view
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Adviser, Outcome, Widget
from sites.widgets import VARIANTS, compositions
from sites.widgets.frame import TASKS
from sites.widgets.stills import STILLS, picture
from sites.world import World
from tests.contracts.expert_episodes import expert_episode
from tests.contracts.harness import EpisodeHarness
from tests.each import for_each
from tests.measuring import DEEP, measured

FAMILIES = sorted(
    name
    for name, made in registry.family_modules().items()
    if made.SITE == "widgets" and compositions.number_of(name) is None
)
"""Those that are pages of their own."""
DATA = registry.site_data("widgets")
SEEDS = 3 if DEEP else 1
MOST_ACTIONS = 60


def family(name: str) -> Widget:
    made = registry.family_modules()[name]
    assert isinstance(made, Widget), f"{name}: let FAMILY be a Widget (docs/widgets.md)"
    return made


pytestmark = pytest.mark.usefixtures("unmeasured")


# The page, opened as an episode opens it -------------------------------------------------------


@dataclass
class Open:
    """An opened episode on a task page; `seen` is its last observation."""

    made: Widget
    episode: Episode
    seen: Observation

    @property
    def scenario(self) -> Scenario:
        return self.episode.scenario

    @property
    def lane(self) -> Lane:
        return self.episode.page.lane

    @property
    def world(self) -> World:
        return self.episode.page.world

    async def follow(self, adviser: Adviser) -> None:
        """Do what an adviser says, as the expert does, with what it noted in mind."""
        noted: list[str] = []
        own = partial(self.made.advised_by, adviser, self.scenario)
        advise = remembering(own, lambda: noted)
        for _ in range(MOST_ACTIONS):
            advice = advise(self.seen)
            assert advice.step in self.made.STEPS, (
                f"do(step={advice.step!r}) names no step; add it to STEPS, or leave out step"
            )
            if advice.answer is not None or not advice.actions:
                return
            for action in advice.actions:
                if isinstance(action, Note):
                    noted.append(action.text)
                    continue
                before, self.seen = self.seen, await self.lane.act(action)
                if _names(before) != _names(self.seen):
                    break

    async def js(self, expression: str) -> Any:
        """What an expression is in the page's own world."""
        reply = await self.lane._tab.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]
        return reply["result"].get("value")

    def score(self) -> Score:
        return self.episode.score()

    def verdict(self) -> dict[str, Any]:
        [row] = self.world.snapshot()["verdicts"]
        return row


def _names(observation: Observation) -> list[str]:
    return [element.name for element in observation.elements]


@asynccontextmanager
async def opened(environments, made: Widget, seed: int):
    context = ScoringContext.of(made.generate(seed, DATA), made)
    async with environments.open_episode(context) as episode:
        yield Open(made, episode, await episode.start())


@dataclass(frozen=True)
class TaskPage:
    """A page of that name, and ways to open it."""

    harness: EpisodeHarness
    name: str

    @property
    def family(self) -> Widget:
        return family(self.name)

    def visit(
        self,
        work: Callable[[Open], Awaitable[Any]],
        seed: int | None = None,
        variant: str = VARIANTS[0],
    ) -> Any:
        """What `work` says of the opened page."""
        made = self.family.of_variant(variant)

        async def visited() -> Any:
            first = made.seeds[0] if seed is None else seed
            async with opened(self.harness.environments, made, first) as page:
                return await work(page)

        return self.harness.runner.run(visited())

    @cached_property
    def left_alone(self) -> LeftAlone:
        found: LeftAlone = self.visit(_left_alone)
        return found


@pytest.fixture
def page(harness: EpisodeHarness, name: str) -> TaskPage:
    return TaskPage(harness, name)


# The file -----------------------------------------------------------------------------------------


def it_belongs_together_with_a_family(task: TaskPage) -> None:
    page, name = DATA.pages[task.name], task.name
    assert page.title != name, "give the page a <title> in a few words"
    assert len(page.scripts) == 1, "write one inline <script>, which calls core.page"
    file = (TASKS / f"{name}.html").read_text("utf-8")
    assert file.startswith("<title>"), "begin the file with its <title>; the frame is put around it"
    framed = [tag for tag in ("<html", "<head", "<body", 'id="wrap"', "/core.") if tag in file]
    assert not framed, f"leave out what stands in sites/widgets/frame.py: {framed}"
    assert sorted(DATA.pages) == FAMILIES, "a page needs a family of its name, and a family a page"
    drawn = [file.stem for file in STILLS.glob("*.html")]
    assert name in drawn, f"draw its picture: python -m tools.thumbnails {name}"
    assert sorted(drawn) == FAMILIES, "delete the picture that belongs to no family"
    ElementTree.fromstring(picture(page))


# Ends ---------------------------------------------------------------------------------------------


def the_expert_succeeds(page: TaskPage) -> None:
    for seed in page.family.seeds[:3]:
        record = expert_episode(page.harness, page.name, seed).record
        assert record["success"] is True and record["progress"] == 1, (
            f"seed {seed}: the expert failed; mend the adviser, which is asked anew whenever the"
            f" page has changed and remembers nothing: {record['checks']}"
        )
        assert record["success_published"] is True, "let task.end(true) follow the right actions"
        assert 0 < record["reward"] <= 1 and record["reward_strict"] == 1, record["reward_parts"]
        assert record["invalid_actions"] == 0, "let adviser give only actions that the page can do"
        assert 0 < record["steps"] <= page.family.actions, "`actions` is the most that it needs"


def another_end_gives_the_reward_of_the_sheet(page: TaskPage) -> None:
    for label, end in page.family.outcomes.items():
        for seed in (end.seeds or page.family.seeds)[:SEEDS]:
            verdict, score, expected = page.visit(partial(_ended, end), seed)
            assert verdict["raw"] == pytest.approx(expected), (
                f"seed {seed}: the outcome {label!r} promises {expected}; mend its adviser, or"
                f" `raw` of its Outcome: {verdict}"
            )
            assert not verdict["tainted"], "end the episode by actions, not by core.endEpisode"
            assert not score.success and score.progress < 1, f"{label!r} must not be the right end"
            assert score.success_published == (expected > 0)
            assert score.progress >= min(MOST, expected) - 1e-9, (
                f"{label!r} earned {expected}; say in task.controls what is right already"
            )


async def _ended(end: Outcome, page: Open) -> tuple[dict[str, Any], Score, float]:
    first = PageView(page.scenario.instruction, page.seen)
    await page.follow(partial(_advise_measured, end.adviser))
    with measured():
        return page.verdict(), page.score(), end.expected(first)


def _advise_measured(adviser: Adviser, view: PageView) -> Advice:
    """No other test asks for the advice to another end."""
    with measured():
        return adviser(view)


@measured()
def the_expert_needs_no_part_of_it_to_go_on(page: TaskPage) -> None:
    """Where something is not shown it may give up, and does not fail."""
    scenario, seen = page.left_alone.scenario, page.left_alone.first
    for at in range(len(seen.content)):
        less = replace(seen, content=seen.content[:at] + seen.content[at + 1 :])
        try:
            page.family.advise(scenario, less)
        except Exception as error:
            missing = seen.content[at]
            message = f"let adviser give up (return None or do()) where {missing} is not shown"
            raise AssertionError(message) from error


# Left alone -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LeftAlone:
    """A page on which nothing was done until its time was over."""

    scenario: Scenario
    first: Observation
    looks: Looks
    before: Score
    ended_by_time: bool
    verdict: dict[str, Any]
    after: Score
    limit: int


async def _left_alone(page: Open) -> LeftAlone:
    first, looks, before = page.seen, await _looks(page), page.score()
    limit = await page.js("core.EPISODE_MAX_TIME")
    page.seen = await page.lane.wait(limit - 1)
    running = not page.world.snapshot()["verdicts"]
    page.seen = await page.lane.wait(1)
    by_time = running and _page_view.over(page.seen)
    with measured():
        ends = page.verdict(), page.score(), limit
    return LeftAlone(page.scenario, first, looks, before, by_time, *ends)


def it_is_shown_whole_and_its_time_runs_out(page: TaskPage) -> None:
    found = page.left_alone
    found.looks.check()
    assert found.ended_by_time, "the page must not end by itself before its time is over"
    verdict = found.verdict
    assert (verdict["raw"], verdict["reason"], verdict["tainted"]) == (-1, "timed out", "")
    assert verdict["seconds"] == found.limit / 1000 == _seconds(page.name)
    for score in (found.before, found.after):
        assert (score.success, score.success_published, score.progress) == (False, False, 0)
    assert (found.before.reward, found.before.reward_strict) == (0, 0)


def _seconds(name: str) -> int:
    """The time that the page gives, by its text."""
    found = re.search(r"\bseconds: (\d+)", DATA.pages[name].html)
    return int(found[1]) if found else 10


INSTRUCTION = """Array.from(query.childNodes, (node) =>
    node.ariaLabel ?? node.textContent).join(" ").split(/\\s+/).join(" ").trim()"""
"""What stands in it, a picture by its name."""
WIDE = """[...document.querySelectorAll('#wrap *')].map((e) =>
    [e.id || e.tagName, Math.round(e.getBoundingClientRect().right)])
    .filter(([, right]) => right > 160)"""


@dataclass(frozen=True)
class Looks:
    """What sticks out, how much of the instruction is hidden, what has no name."""

    wide: list[Any]
    hidden: int
    nameless: list[str]
    instruction: str
    shown: str

    def check(self) -> None:
        assert self.wide == [], "it sticks out on the right; keep it within 160 pixels"
        assert self.hidden <= 0, "the instruction does not fit; make it shorter"
        assert self.nameless == [], "give each control a text, a label or an aria-label"
        assert self.instruction == self.shown, "say the instruction with task.say, in one piece"


async def _looks(page: Open) -> Looks:
    return Looks(
        await page.js(WIDE),
        await page.js("query.scrollHeight - query.clientHeight"),
        [element.role for element in page.seen.elements if not element.name],
        page.made.instruction(page.seen),
        await page.js(INSTRUCTION),
    )


RESET = "core.endEpisode(0); Math.seedrandom({seed}); core.startEpisodeReal(); {read}"
RESEEDED = (5, 6, 7, 8, 9)
"""Tried until a problem differs from the first, all with `tox -e deep`; then the first again."""
GLOBALS = "[WOB_TASK_READY, WOB_DONE_GLOBAL, WOB_EPISODE_ID, core.EPISODE_MAX_TIME]"
READ = "JSON.stringify([core.getUtterance(), core.getDOMInfo()])"


def a_driver_resets_it_by_the_globals(page: TaskPage) -> None:
    """On the eased variant, which has a hundred times the time."""
    problems, globals_ = page.visit(_resets, variant="easy")
    assert globals_ == [True, False, 1 + len(problems), 100_000 * _seconds(page.name)], (
        "leave core's globals alone; give the time as core.page(…, { seconds: N })"
    )
    same = _bare(problems[0]) == _bare(problems[-1])
    assert same, "genProblem must leave nothing of the last episode"
    texts = {json.dumps(_bare(each)) for each in problems}
    assert len(texts) > 1 or page.name in ALWAYS_ALIKE, "draw something by core's random functions"
    for utterance, info in problems:
        text = utterance if isinstance(utterance, str) else utterance["utterance"]
        assert text == " ".join(text.split()) and len(text) > 5
        assert info["tag"] == "BODY" and _refs(info) == sorted(set(_refs(info)))


async def _resets(page: Open) -> tuple[list[Any], Any]:
    """The problems that a driver resets the page to, and the globals after that. A reset before
    them leaves behind the fields that an earlier episode of the lane marked as touched."""

    async def reset(seed: int) -> Any:
        return json.loads(await page.js(RESET.format(seed=seed, read=READ)))

    await reset(RESEEDED[-1])
    problems = [await reset(RESEEDED[0])]
    for seed in RESEEDED[1:]:
        problems.append(await reset(seed))
        if not DEEP and _bare(problems[-1]) != _bare(problems[0]):
            break
    return [*problems, await reset(RESEEDED[0])], await page.js(GLOBALS)


ALWAYS_ALIKE = {"find-greatest", "guess-number", "hot-cold", "simon-says", "use-colorwheel-2"}
"""Pages that look the same to a driver whatever is drawn: it is hidden, or a colour within the
instruction."""


def _bare(problem: list[Any]) -> list[Any]:
    """Without the references of texts, which are new each time."""
    if isinstance(problem, dict):
        return {k: _bare(v) for k, v in problem.items() if k != "ref" or v > 0}
    return [_bare(each) for each in problem] if isinstance(problem, list) else problem


def _refs(info: dict[str, Any]) -> list[int]:
    own = [info["ref"]] if info["ref"] > 0 else []
    return own + [ref for child in info["children"] for ref in _refs(child)]


# The tests of a page ------------------------------------------------------------------------------

STATEMENTS: dict[str, Callable[[TaskPage], None]] = {
    made.__name__: made
    for made in (
        it_belongs_together_with_a_family,
        the_expert_succeeds,
        another_end_gives_the_reward_of_the_sheet,
        the_expert_needs_no_part_of_it_to_go_on,
        it_is_shown_whole_and_its_time_runs_out,
        a_driver_resets_it_by_the_globals,
    )
}


@pytest.mark.parametrize("name", FAMILIES)
@for_each("statement", STATEMENTS)
def test_a_task_page(page, statement):
    STATEMENTS[statement](page)


@pytest.mark.deep
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", FAMILIES if DEEP else FAMILIES[:1])
def test_the_expert_succeeds_on_fifty(page, variant):
    async def act(opened):
        first = await _looks(opened)
        await opened.follow(opened.made.adviser)
        return first, opened.score(), opened.scenario.instruction

    for seed in page.family.seeds[:50]:
        first, score, instruction = page.visit(act, seed, variant)
        assert score.success, (seed, instruction, score.checks, "mend the adviser for this seed")
        first.check()
