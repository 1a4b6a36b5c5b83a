"""Drawn skins in a browser: their width on a phone, and what the expert does on them."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest

from scenarios import registry
from sites._kit.declare import FRAMES, ROWS, THEMES
from sites._kit.map import Map
from tests.foreign import playwright_chromium
from tests.measuring import DEEP
from tests.sites.kit_skins.visits import declared, visiting

PHONE = {"width": 390, "height": 844}
NUMBERS = range(40 if DEEP else 3)
WIDTHS = """() => [
    document.scrollingElement.scrollWidth,
    ...[...document.querySelectorAll('.grid')].map((each) => each.scrollWidth),
]"""
OPEN = "() => document.querySelectorAll('details').forEach((each) => { each.open = true })"
FAMILIES = ("vote_newest", "found_forum")


@pytest.fixture(scope="module")
def chromium(runner: asyncio.Runner):
    with playwright_chromium(runner) as browser:
        yield browser


@pytest.mark.parametrize("number", NUMBERS)
def test_no_page_scrolls_sideways_on_a_phone(runner, chromium, number):
    with visiting("forum", declared("forum").skin[f"skin-{number}"]) as visit:
        wide = runner.run(widths(chromium, visit))
    assert {url: width for url, width in wide.items() if width > PHONE["width"]} == {}


async def widths(browser, visit):
    """Return the width of each page on a phone, all menus opened."""

    async def serve(route):
        url = urlsplit(route.request.url)
        answer = visit.open(url.path + (f"?{url.query}" if url.query else ""))
        await route.fulfill(
            status=answer.status_code, body=answer.data, headers=dict(answer.headers)
        )

    found = {}
    page = await browser.new_page(viewport=PHONE)
    await page.route("**/*", serve)
    for place in visit.places():
        url = visit.map.url(place)
        await page.goto(f"http://forum.localhost{url}")
        await page.evaluate(OPEN)
        found[url] = max(await page.evaluate(WIDTHS))
    await page.close()
    return found


def test_these_skins_differ_in_what_a_phone_must_fit():
    skins = [declared("forum").skin[f"skin-{number}"] for number in range(40)]
    assert {each.look for each in skins} == {*FRAMES}
    assert {each.theme for each in skins} == {*THEMES}
    assert {each.rows for each in skins} == {*ROWS}


@pytest.mark.parametrize(
    "number", [1, *(pytest.param(n, marks=pytest.mark.wide) for n in range(2, 11))]
)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_expert_takes_as_many_steps_as_the_length_says(harness, tmp_path, family, number):
    name = f"forum/{family}.skin-{number}/0"
    record = harness.run("expert", name, tmp_path, strict=True).record
    scenario = registry.scenario(name)
    assert record["success"], record["checks"]
    assert record["steps"] == registry.family(scenario.family).length(scenario)


def test_a_menu_costs_a_press():
    """The same errand is longer by each menu that must be opened."""
    site = declared("forum")
    numbers = {len(site.skin[f"skin-{number}"].menus): number for number in range(20)}
    assert numbers.keys() == {0, 1, 2}
    with visiting("forum", site.skin[f"skin-{numbers[2]}"]) as visit:
        home = next(visit.places())
        labels = [label for label, _ in Map(site, visit.map.world).links(home)]
        menus = visit.map.menus(home)
    assert {menus[label] for label in labels if label in menus} == {
        visit.map.skin.say("menu"),
        visit.map.skin.say("sorting"),
    }
