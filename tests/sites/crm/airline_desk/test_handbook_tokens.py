"""How long the pages of the handbook are for a model: tokens of what ReAct shows of them."""

from __future__ import annotations

from contextlib import AsyncExitStack
from random import Random

import pytest

from agent import prompting, renderings
from agent.browser.chromium import find_chromium
from agent.llm import tokenizer
from sites.crm.airline_desk.handbook.article import articles
from sites.crm.airline_desk.handbook.edition import draw
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.model.world import new_world
from sites.site_app import COOKIE
from tests.sites.crm.airline_desk.served import BASE

if find_chromium() is None:
    pytest.skip("no Chromium; run: rehearse doctor --fix", allow_module_level=True)

BAR, ARTICLE_BAR = 2000, 800
"""An article with its references and the strip of the visit may be longer than its text."""


@pytest.mark.wide
@pytest.mark.parametrize("key", KEYS)
def test_no_page_of_the_handbook_is_longer_than_the_bar(runner, environments, key):
    airline, edition = airlines()[key], draw(Random("tokens"))
    site = environments.sites["crm"]
    token = site.worlds.admit(new_world(f"handbook-{key}", key, {}, edition))
    rendering = renderings.get(prompting.load("react", "crm").rendering)
    longest = max(articles(edition, airline), key=lambda each: len(each.see + each.beaten_by))
    contents = airline.address("handbook")
    with_words = f"{contents}?{airline.id('handbook-words')}=fare"
    bars = {contents: BAR, with_words: ARTICLE_BAR}
    bars |= {airline.address("article", number): ARTICLE_BAR for number in ("24", longest.number)}

    async def counted():
        async with AsyncExitStack() as stack:
            lane = await stack.enter_async_context(environments.lane("crm"))
            seen = {each: await lane.open(f"{BASE}{each}", cookie=(COOKIE, token)) for each in bars}
            return {each: tokenizer.count(rendering.render(page)) for each, page in seen.items()}

    found = runner.run(counted())
    assert {each: tokens for each, tokens in found.items() if tokens > bars[each]} == {}
    assert min(found.values()) > 100
