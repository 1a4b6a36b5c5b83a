"""What every site defines, and what its pages must not do while many are open at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sites
from agent.plugins import BadPlugin
from evaluators.scoring.context import ScoringContext
from scenarios import registry

pytestmark = pytest.mark.usefixtures("unmeasured")

STILL = """(() => {
  const { caretAnimation } = getComputedStyle(document.body);
  const moving = document.getAnimations().length;
  return `${caretAnimation ?? "manual"} ${moving}`;
})()"""


FOLDER = Path(sites.__file__).parent
STYLED = {
    "store": ["store/shop/static/store.css"],
    "crm": ["crm/published_desk/static/crm.css"],
    "widgets": ["widgets/static/core.css", "widgets/tasks/*.html"],
}
COLORED = re.compile(r"(?:^|[;\s])(?:color|background(?:-color|-image)?|fill|stroke)\s*:")


@pytest.mark.parametrize("site", STYLED)
def test_nothing_changes_its_colour_under_the_mouse(site):
    """Agents are shown colours, and a browser notices by and by what came under a resting mouse."""
    texts = [path.read_text("utf-8") for glob in STYLED[site] for path in FOLDER.glob(glob)]
    hovered = [rule for text in texts for rule in re.findall(r":hover[^{}]*\{([^{}]*)\}", text)]
    assert len(hovered) > 5
    assert [rule for rule in hovered if COLORED.search(rule)] == []


@pytest.mark.parametrize("family", ["buy_item", "TASK_FIND_FLIGHT", "login-user"])
def test_a_page_that_nobody_touches_is_not_drawn_again(runner, environments, family):
    """Fifty pages whose carets blink take a fifth of a core."""

    async def unchanged() -> str:
        scenario = registry.scenario(f"{registry.family(family).SITE}/{family}/3")
        async with environments.open_episode(ScoringContext.of(scenario)) as episode:
            await episode.start()
            reply = await episode.page.lane._tab.send("Runtime.evaluate", expression=STILL)
            return str(reply["result"]["value"])

    assert runner.run(unchanged()) == "manual 0"


@pytest.mark.parametrize("name", registry.site_names())
def test_a_site_has_what_a_site_has(name):
    site = registry.site(name)
    assert callable(site.create_app) and registry.site_data(name).digest
    assert site.ACTION_MS is None or site.NOW is not None, "time passes from `NOW` on"


WHOLE = "def create_app(data, worlds): ...\ndef load_data(): ...\n"


def test_a_site_without_a_clock_shows_the_real_time(monkeypatch, tmp_path):
    site = own_site(monkeypatch, tmp_path / "plain", WHOLE)
    assert (site.NOW, site.ACTION_MS) == (None, None)


def test_a_site_that_misspells_a_member_or_lacks_one_is_refused(monkeypatch, tmp_path):
    with pytest.raises(BadPlugin, match=r"ACTION_M is no member of a site; .* ACTION_MS\?"):
        own_site(monkeypatch, tmp_path / "misspelt", f"ACTION_M = 5\n{WHOLE}")
    with pytest.raises(BadPlugin, match=r"half/__init__\.py has no load_data"):
        own_site(monkeypatch, tmp_path / "half", "def create_app(data, worlds): ...\n")


def own_site(monkeypatch, folder: Path, code: str) -> registry.Site:
    folder.mkdir()
    (folder / "__init__.py").write_text(code)
    monkeypatch.setattr(sites, "__path__", [*sites.__path__, str(folder.parent)])
    return registry.site(folder.name)
