"""Whoever reads down to what is too old has read enough; a page less is not enough."""

from __future__ import annotations

from datetime import timedelta

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.store.account import _reviews, review_evidence
from sites.store.catalogue.clock import spoken
from sites.store.market.goods.reviews import reviews
from tests import measuring
from tests.drawing import drawn
from tests.each import for_each

DATA = registry.site_data("store")
SEEDS = range(25 if measuring.DEEP else 8)


@for_each("seed", SEEDS)
def test_all_that_need_not_be_read_is_too_old_and_the_last_page_says_so(seed):
    scenario = drawn("review_evidence", seed)
    every = reviews(DATA.market.good(scenario.gold["asin"]))
    days = {spoken(each.day + timedelta(days=1)): each.day for each in every}
    bound = days[scenario.gold["told"][2][0]] + timedelta(days=1)
    pages = _reviews.pages(every)
    needed = len(scenario.gold["evidence"])
    assert all(each.day <= bound for page in pages[needed:] for each in page)
    is_past = [not each.helpful and each.day <= bound for each in pages[needed - 1]]
    assert any(is_past) or needed == len(pages)


@for_each("seed", SEEDS)
def test_the_right_names_count_once_those_pages_were_read(seed):
    scenario = drawn("review_evidence", seed)
    world = review_evidence.world(scenario)
    context = ScoringContext.of(scenario)
    answer = review_evidence.solve(scenario, world, DATA)
    assert context.score(world.snapshot(), answer).success
    assert len(world.read("SELECT * FROM log_pages WHERE page = 'Reviews'")) == len(
        scenario.gold["evidence"]
    )
