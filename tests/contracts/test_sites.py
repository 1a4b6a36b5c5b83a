"""What every site owes those who visit it with many pages at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sites
from scenarios import registry

STILL = """(() => {
  const { caretAnimation } = getComputedStyle(document.body);
  const moving = document.getAnimations().length;
  return `${caretAnimation ?? "manual"} ${moving}`;
})()"""


FOLDER = Path(sites.__file__).parent
STYLED = {
    "store": ["store/static/store.css"],
    "crm": ["crm/static/crm.css"],
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
        site = environments.sites[registry.family(family).SITE]
        scenario = registry.family(family).generate(3, site.data)
        async with environments.lane(site.name) as lane:
            await lane.open(site.origin + scenario.start)
            reply = await lane._tab.send("Runtime.evaluate", expression=STILL)
            return str(reply["result"]["value"])

    assert runner.run(unchanged()) == "manual 0"
