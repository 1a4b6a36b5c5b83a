"""The original pages: without their package, and with a package of one page of ours."""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass

import pytest

from agent.interface import Click
from agent.plugins import UnknownName
from evaluators.commands import listing
from evaluators.commands.exemplars import memory_keys
from scenarios import registry
from scenarios.widgets import _original_pages
from sites.widgets import create_app, load_data, originals
from sites.world import Worlds

DATA = load_data()
CORE = """
var core = { EPISODE_MAX_TIME: 10000, EP_TIMER: null };
var WOB_REWARD_GLOBAL = 0, WOB_RAW_REWARD_GLOBAL = 0, WOB_EPISODE_ID = 0, WOB_DATA_MODE = "default";
Math.seedrandom = (seed) => { core.seed = seed; };
core.hideDisplay = () => document.getElementById("shown").remove();
core.startEpisodeReal = () => {
  genProblem();
  core.EP_TIMER = setTimeout(() => core.endEpisode(-1, false, "timed out"), core.EPISODE_MAX_TIME);
};
core.endEpisode = (reward, timed, reason) => {
  if (core.EP_TIMER === null) return;
  clearTimeout(core.EP_TIMER);
  core.EP_TIMER = null;
  WOB_RAW_REWARD_GLOBAL = reward;
  WOB_REWARD_GLOBAL = reward * (timed ? 0.5 : 1);
  WOB_EPISODE_ID++;
};
"""
PAGE = """<!doctype html><html><head><title>One</title><script src="../core/core.js"></script>
<script>
function genProblem() {
  document.getElementById("query").textContent = `Click "${typeof core.seed} ${core.seed}".`;
  for (const [id, reward] of [["good", 1], ["bad", -1]]) {
    document.getElementById(id).onclick = () => core.endEpisode(reward, reward > 0);
  }
}
</script></head><body><div id="query"></div><div id="shown">Last reward: 1</div>
<button id="good">number 5</button><button id="bad">other</button></body></html>
"""
BUTTON = "/original/miniwob/click-button.html"


@dataclass(frozen=True)
class Package:
    """Which package there is in a test."""

    patch: pytest.MonkeyPatch

    def be(self, found):
        self.patch.setitem(sys.modules, "miniwob", found)
        originals.found.cache_clear()


@pytest.fixture
def package(monkeypatch):
    made = Package(monkeypatch)
    yield made
    monkeypatch.undo()
    originals.found.cache_clear()


@pytest.fixture
def absent(package):
    package.be(None)


@pytest.fixture
def present(package, tmp_path, monkeypatch):
    """A package of one page, of ours, with as much of a core as the driver uses."""
    home = tmp_path / "miniwob"
    for name, text in (("miniwob/click-button.html", PAGE), ("core/core.js", CORE)):
        file = home / "html" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (home / "__init__.py").write_text("raise RuntimeError('the package is only looked for')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "miniwob", raising=False)
    originals.found.cache_clear()
    return home


@pytest.fixture
def client():
    return create_app(DATA, Worlds()).test_client()


# Without the package ------------------------------------------------------------------------------


def test_who_asks_for_a_page_is_told_what_to_install(absent, client):
    answer = client.get(f"{BUTTON}?seed=1")
    assert answer.status_code == 404 and originals.INSTALL in answer.text
    with pytest.raises(originals.NotInstalled) as refused:
        registry.family("click-button.original")
    assert str(refused.value).count("\n") == 0 and originals.INSTALL in str(refused.value)


def test_exemplars_of_them_are_refused_in_the_same_line(absent):
    with pytest.raises(originals.NotInstalled, match=originals.INSTALL):
        memory_keys.on_original_pages(["click-button"])


def test_a_suite_of_them_is_listed_all_the_same(absent):
    assert len(registry.from_suite("original-45").names) == 45 * 50
    assert listing.not_installed("original-45").endswith(originals.INSTALL)
    assert not listing.not_installed("store-20") and not listing.not_installed("")


# With one ----------------------------------------------------------------------------------------


def test_files_are_served_as_they_are_with_one_script_more(present, client):
    html = client.get(f"{BUTTON}?seed=1").text
    driver = re.search(r'<script src="/static/original.js"[^>]*></script>', html)
    assert driver and html.replace(driver[0], "") == PAGE
    with client.get("/original/core/core.js") as core:
        assert core.text == CORE and "'unsafe-inline'" in core.headers["Content-Security-Policy"]
    assert client.get(f"{BUTTON}?seed=x").status_code == 400
    assert client.get("/original/miniwob/click-buton.html").status_code == 404
    assert client.get("/original/../__init__.py").status_code == 404
    assert client.get(f"{BUTTON}?seed=1&scenario=nobody").status_code == 404
    assert not listing.not_installed("original-45")


def test_a_scenario_holds_the_hashes_of_its_page(present):
    made = registry.scenario("widgets/click-button.original/7")
    assert made.start == f"{BUTTON}?seed=7"
    assert made.details["page"] == hashlib.sha256(PAGE.encode()).hexdigest()
    (present / "html" / "core" / "core.js").write_text(CORE + "\n")
    changed = registry.scenario("widgets/click-button.original/7")
    assert changed.details["page"] == made.details["page"] and changed.digest() != made.digest()
    with pytest.raises(UnknownName, match="variant of click-link 'original'"):
        registry.family("click-link.original")


@pytest.mark.parametrize(("button", "raw", "reward"), [("number 5", 1, 0.5), ("other", -1, -1)])
def test_an_end_is_reported_once(present, visit, button, raw, reward):
    async def pressed(page):
        seen = await page.lane.act(Click(button))
        await page.lane.act(Click(button))
        return seen, page.world.snapshot()

    seen, after = visit("widgets/click-button.original/5", pressed)
    [load], [verdict] = after["log_loads"], after["verdicts"]
    assert (load["task"], load["seed"], load["variant"]) == ("click-button", "5", "original")
    assert (verdict["raw"], verdict["reward"], verdict["tainted"]) == (raw, reward, "")
    assert "reward" not in seen.text and load["channel"] == "binding"


def test_a_seed_is_a_number_and_the_page_tells_the_instruction(present, visit):
    async def opened(page):
        return page.seen

    seen = visit("widgets/click-button.original/5", opened)
    assert registry.family("click-button.original").instruction(seen) == 'Click "number 5".'


def test_with_another_driver_the_page_posts(present, visit):
    async def pressed(page):
        await page.lane.act(Click("number 5"))
        await page.lane.observe()
        return page.seen, page.world.snapshot()

    seen, after = visit("widgets/click-button.original/5", pressed, posts=True)
    [load], [verdict] = after["log_loads"], after["verdicts"]
    assert load["channel"] == "http" and verdict["raw"] == 1
    assert "Last reward" in seen.text


# Both --------------------------------------------------------------------------------------------


def test_inputs_are_those_that_our_pages_declare():
    declared = {
        name: " ".join(re.findall(r'"(\w+)"', found[1]))
        for name, page in DATA.pages.items()
        if (found := re.search(r"inputs: \[(.*?)\]", page.html))
    }
    assert declared == originals.INPUTS


def test_what_is_said_of_original_pages_is_of_pages_that_there_are():
    for names in (_original_pages.READINGS, _original_pages.ACTIONS, _original_pages.UNREAD):
        assert set(names) <= set(DATA.pages)
    assert not _original_pages.UNREAD & set(_original_pages.READINGS) - {"click-pie-nodelay"}
