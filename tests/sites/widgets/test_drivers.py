"""Other people's drivers: written from the protocol alone, they play our pages by their globals."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from agent.browser.chromium import find_chromium
from agent.interface import KeyboardType
from scenarios import registry
from sites.server import Server
from sites.world import Worlds
from tests.measuring import DEEP

SEEDS = (1, 2, 3)


# What a player of those drivers knows: the instruction and the DOM info -------------------------


@dataclass(frozen=True)
class Problem:
    utterance: str
    elements: list[dict[str, Any]]

    @property
    def quoted(self) -> list[str]:
        return re.findall(r'"([^"]*)"', self.utterance)

    def by_id(self, name: str) -> int:
        return next(each["ref"] for each in self.elements if each["id"] == name)

    def by_text(self, text: str, tag: str) -> int:
        found = (each for each in self.elements if each["tag"].upper() == tag)
        return next(each["ref"] for each in found if each.get("text") == text)

    def field_before(self, label: str) -> int:
        """The box that stands before its label."""
        places = {each.get("text"): place for place, each in enumerate(self.elements)}
        return next(
            each["ref"]
            for each in reversed(self.elements[: places[label]])
            if each["tag"].upper().startswith("INPUT")
        )

    def text_of(self, name: str) -> str:
        return next(each["text"] for each in self.elements if each["id"] == name)

    def value_of(self, name: str) -> str:
        return next(each["value"] for each in self.elements if each["id"] == name)


def problem(utterance: Any, info: dict[str, Any]) -> Problem:
    """From what `core.getUtterance` and `core.getDOMInfo` answer."""
    return Problem(
        utterance if isinstance(utterance, str) else utterance["utterance"], list(_flat(info))
    )


def _flat(info: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield info
    for child in info["children"]:
        yield from _flat(child)


Moves = list[int | tuple[int, str]]
"""Elements to click, and to type a text into."""


def _filled(*names: str) -> Callable[[Problem], Moves]:
    """Type the quoted texts into these fields, and submit."""

    def moves(page: Problem) -> Moves:
        texts = page.quoted * len(names) if len(page.quoted) == 1 else page.quoted
        return [*zip(map(page.by_id, names), texts, strict=False), page.by_id("subbtn")]

    return moves


def _named(tag: str) -> Callable[[Problem], Moves]:
    """Click what has the quoted text."""
    return lambda page: [page.by_text(page.quoted[0], tag)]


def _boxes(page: Problem) -> Moves:
    [listed] = re.findall(r"Select (.*?),? and click", page.utterance)
    wanted = [] if listed == "nothing" else listed.split(", ")
    return [*map(page.field_before, wanted), page.by_id("subbtn")]


def _typed(field: str, text: Callable[[Problem], str]) -> Callable[[Problem], Moves]:
    return lambda page: [(page.by_id(field), text(page)), page.by_id("subbtn")]


def _cased(page: Problem) -> str:
    [text] = page.quoted
    return text.upper() if "upper case" in page.utterance else text.lower()


def _sum(page: Problem) -> str:
    one, sign, two = page.text_of("math-problem").split()[:3]
    signs = {"+": int.__add__, "-": int.__sub__}
    return str(signs.get(sign, int.__mul__)(int(one), int(two)))


def _by_pattern(pattern: str, name: str) -> Callable[[Problem], Moves]:
    """Click the element whose id has what the instruction says."""

    def moves(page: Problem) -> Moves:
        [match] = re.findall(pattern, page.utterance)
        return [page.by_id(name.format(match))]

    return moves


PLAYS: dict[str, Callable[[Problem], Moves]] = {
    "click-button": _named("BUTTON"),
    "click-button-sequence": lambda page: [page.by_id("subbtn"), page.by_id("subbtn2")],
    "click-checkboxes": _boxes,
    "click-dialog": lambda page: [page.by_text("x", "BUTTON")],
    "click-link": _named("SPAN"),
    "click-option": _boxes,
    "click-tab": _by_pattern(r"Tab #(\d)", "ui-id-{}"),
    "click-test": lambda page: [page.by_id("subbtn")],
    "click-test-2": lambda page: [page.by_text("ONE", "BUTTON")],
    "copy-paste": _typed("answer-input", lambda page: page.value_of("to-copy")),
    "enter-password": _filled("password", "verify"),
    "enter-text": _filled("tt"),
    "enter-text-2": _typed("tt", _cased),
    "enter-text-dynamic": _filled("tt"),
    "focus-text": lambda page: [page.by_id("tt")],
    "focus-text-2": _by_pattern(r"(\d)\w\w input", "tt{}"),
    "grid-coordinate": _by_pattern(r"(\(.*\))", "{}"),
    "login-user": _filled("username", "password"),
    "simple-arithmetic": _typed("math-answer", _sum),
    "unicode-test": _named("BUTTON"),
}


def seeds(task: str, number: int) -> list[int]:
    """So many seeds, others for the next page; all of them in the deep run."""
    first = [*PLAYS].index(task)
    return [SEEDS[(first + k) % len(SEEDS)] for k in range(len(SEEDS) if DEEP else number)]


def tasks_for(package: str) -> list[str]:
    """The pages that a package plays; where it is not installed one, which says so."""
    return [*PLAYS] if importlib.util.find_spec(package) else [*PLAYS][:1]


GLOBALS = ("WOB_DONE_GLOBAL", "WOB_REWARD_GLOBAL", "WOB_RAW_REWARD_GLOBAL")
STATE = f"[{', '.join(GLOBALS)}]"


def test_twenty_pages_are_played():
    assert len(PLAYS) == 20 and set(PLAYS) <= set(registry.site_data("widgets").pages)


@pytest.fixture(scope="module")
def base():
    """The address of the task pages for browsers that are not ours."""
    data = registry.site_data("widgets")
    with Server(registry.site("widgets").create_app(data, Worlds())) as server:
        yield f"http://127.0.0.1:{server.port}/miniwob/"


def won(state: list[Any]) -> bool:
    done, reward, raw = state
    return done is True and raw == 1 and 0 < reward <= 1


# The life cycle of the Selenium drivers ----------------------------------------------------------


RESET = """core.endEpisode(0); Math.seedrandom({seed!r}); core.setDataMode("train");
core.startEpisodeReal(); [WOB_TASK_READY, core.getUtterance(), core.getDOMInfo()]"""


@pytest.mark.wide
@pytest.mark.parametrize("task", PLAYS)
def test_the_selenium_life_cycle_in_the_page_s_own_world(visit, task):
    """Elements are clicked by `core.elementClick`, keys come from the keyboard."""

    async def run_episodes(opened):
        states = []
        for seed in seeds(task, 2):
            ready, utterance, info = await opened.js(RESET.format(seed=seed))
            assert ready is True
            for move in PLAYS[task](problem(utterance, info)):
                ref, text = move if isinstance(move, tuple) else (move, "")
                assert await opened.js(f"core.elementClick({ref})") is True
                await opened.lane.act(KeyboardType(text))
            states.append(await opened.js(STATE))
        return states, await opened.settled()

    states, score = visit(f"widgets/{task}/1", run_episodes)
    assert all(map(won, states)), states
    assert not score.success and score.reward == 0, "an episode that a script played is not ours"


@pytest.fixture(scope="module")
def chrome():
    """Selenium's Chrome, by a chromedriver that is there."""
    driver, program = shutil.which("chromedriver"), find_chromium()
    if not importlib.util.find_spec("selenium") or not driver or not program:
        pytest.skip("selenium and chromedriver are not installed: pip install selenium")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(program)
    for flag in ("headless", "disable-gpu", "no-sandbox"):
        options.add_argument(flag)
    made = webdriver.Chrome(options, Service(driver))
    yield made
    made.quit()


def _returning(script: str) -> str:
    """Selenium's scripts are bodies of functions."""
    return script.replace("[WOB_TASK_READY", "return [WOB_TASK_READY")


@pytest.mark.parametrize("task", tasks_for("selenium"))
def test_the_selenium_life_cycle_by_selenium(chrome, base, task):
    from selenium.webdriver import ActionChains

    chrome.get(f"{base}{task}.html")
    assert chrome.find_element("id", "sync-task-cover").is_displayed()
    for seed in SEEDS:
        ready, utterance, info = chrome.execute_script(
            RESET.format(seed=seed).replace("[W", "return [W")
        )
        assert ready is True
        for move in PLAYS[task](problem(utterance, info)):
            ref, text = move if isinstance(move, tuple) else (move, "")
            assert chrome.execute_script(f"return core.elementClick({ref})") is True
            if text:
                ActionChains(chrome).send_keys(text).perform()
        state = chrome.execute_script(f"return {STATE}")
        assert won(state), (seed, utterance, state)


# The life cycle of BrowserGym ---------------------------------------------------------------------


STRIP = """
const kept = ["reward-display", "click-canvas", "sync-task-cover"].map(
  (id) => document.getElementById(id));
let told = "";
const strip = () => {
  core.clearTimer();
  document.body.removeEventListener("click", core.canvasDrawClick);
  told = document.querySelector("#query").innerHTML;
  document.querySelector("#query").innerHTML = "";
  for (const element of kept) element.remove();
};
const dress = () => {
  document.querySelector("#query").innerHTML = told;
  document.body.append(...kept);
  core.createDisplay();
};
for (const name of ["startEpisodeReal", "endEpisode", "getUtterance"]) {
  const real = core[name];
  core[name] = (...args) => {
    dress();
    const answer = real(...args);
    strip();
    return answer;
  };
}
strip();
"""
BEGIN = """Math.seedrandom({seed}); core.EPISODE_MAX_TIME = 1000000; core.startEpisodeReal();
[WOB_TASK_READY, core.getUtterance(), core.getDOMInfo()]"""


@pytest.fixture(scope="module")
def bare(foreign, runner):
    """A page of Playwright as large as a task's; each seed loads its own into it."""
    context = runner.run(foreign.new_context(viewport={"width": 332, "height": 214}))
    yield runner.run(context.new_page())
    runner.run(context.close())


@pytest.mark.wide
@pytest.mark.parametrize("task", PLAYS)
def test_the_browsergym_life_cycle(environments, bare, runner, task):
    """A page of Playwright without the human display, played by its mouse and keyboard."""

    async def run_episodes():
        page, states = bare, []
        for seed in seeds(task, 1):
            await page.goto(f"{environments.sites['widgets'].origin}/miniwob/{task}.html")
            await page.evaluate(STRIP)
            ready, utterance, info = await page.evaluate(BEGIN.format(seed=seed))
            assert ready is True and await page.locator("#sync-task-cover").count() == 0
            for move in PLAYS[task](problem(utterance, info)):
                ref, text = move if isinstance(move, tuple) else (move, "")
                await page.click(f'[data-wob_ref="{ref}"]')
                await page.keyboard.type(text)
            states.append(await page.evaluate(STATE))
        return states

    states = runner.run(run_episodes())
    assert all(map(won, states)), states
    assert all(reward > 0.9 for _, reward, _ in states), "the time limit is theirs"


@pytest.mark.wide
@pytest.mark.parametrize("task", ["use-colorwheel-2", "click-color"])
def test_an_instruction_that_a_driver_puts_back_as_text_keeps_its_colours(
    environments, foreign, runner, task
):
    """BrowserGym reads the sample's colour off the second of the instruction's elements."""

    async def colours():
        page = await foreign.new_page()
        await page.goto(f"{environments.sites['widgets'].origin}/miniwob/{task}.html?seed=1")
        read = (
            "[...document.querySelectorAll('#query > *')].map((each) => each.style.backgroundColor)"
        )
        before = await page.evaluate(read)
        put_back = """() => {
          const query = document.querySelector("#query");
          query.innerHTML = query.innerHTML;
        }"""
        await page.evaluate(put_back)
        lost = await page.evaluate(read)
        await page.evaluate("core.createDisplay()")
        after = await page.evaluate(read)
        await page.close()
        return before, lost, after

    before, lost, after = runner.run(colours())
    assert any(before) and not any(lost) and after == before
    assert task == "click-color" or (before[1].startswith("rgb(") and len(before) == 3)


# The packages themselves -------------------------------------------------------------------------


@pytest.mark.parametrize("task", tasks_for("miniwob"))
def test_the_package_miniwob_plays_our_pages(base, task, monkeypatch):
    driver, program = shutil.which("chromedriver"), find_chromium()
    pytest.importorskip("miniwob", reason="miniwob is not installed: pip install miniwob")
    if not driver or not program:
        pytest.skip("chromedriver is not installed")
    from miniwob.environment import MiniWoBEnvironment

    monkeypatch.setenv("MINIWOB_CHROME_BINARY", str(program))
    monkeypatch.setenv("MINIWOB_CHROMEDRIVER", driver)
    env = MiniWoBEnvironment(task, base_url=base)
    try:
        for seed in SEEDS:
            seen, _ = env.reset(seed=seed)
            page = Problem(seen["utterance"], [_as_info(each) for each in seen["dom_elements"]])
            moves = PLAYS[task](page)
            for move in moves:
                seen, reward, done, _, info = env.step(_as_action(env, move))
            assert done and reward > 0 and info["raw_reward"] == 1, (seed, page.utterance, info)
    finally:
        env.close()


def _as_info(element: dict[str, Any]) -> dict[str, Any]:
    return {**element, "ref": int(element["ref"])}


def _as_action(env: Any, move: int | tuple[int, str]) -> dict[str, Any]:
    from miniwob.action import ActionTypes

    if isinstance(move, tuple):
        ref, text = move
        kind = ActionTypes.FOCUS_ELEMENT_AND_TYPE_TEXT
        return env.create_action(kind, ref=ref, text=text)
    return env.create_action(ActionTypes.CLICK_ELEMENT, ref=move)


@pytest.mark.parametrize("task", tasks_for("browsergym"))
def test_the_package_browsergym_miniwob_sets_our_pages_up(base, task):
    """Its task object, with a page of Playwright's synchronous interface in a thread of its own."""
    pytest.importorskip(
        "browsergym.miniwob", reason="browsergym is not installed: pip install browsergym-miniwob"
    )
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        for reward, done, goal in thread.submit(_by_browsergym, base, task).result():
            assert done and reward == 1, goal


def _by_browsergym(base: str, task: str) -> list[tuple[float, bool, str]]:
    from browsergym.miniwob.base import AbstractMiniwobTask
    from playwright.sync_api import sync_playwright

    made = type("Task", (AbstractMiniwobTask,), {"subdomain": task})
    ends = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), chromium_sandbox=False
        )
        for seed in SEEDS:
            page = browser.new_page(viewport={"width": 332, "height": 214})
            one = made(seed=seed, base_url=base)
            goal, _ = one.setup(page)
            for move in PLAYS[task](problem(goal, page.evaluate("core.getDOMInfo()"))):
                ref, text = move if isinstance(move, tuple) else (move, "")
                page.click(f'[data-wob_ref="{ref}"]')
                page.keyboard.type(text)
            reward, done, _, _ = one.validate(page, [])
            ends.append((reward, done, goal))
            page.close()
        browser.close()
    return ends
