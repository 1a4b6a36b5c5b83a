"""What the journal of a visit proves."""

from __future__ import annotations

from evaluators.scoring import evidence
from evaluators.scoring.scorers.store import _progress

ITEM = {"page": "item", "asin": "M1", "number": None, "options": '{"color": "black"}'}
RESULTS = {"page": "results", "asin": "", "number": 1, "options": '{"Folding": "yes"}'}
STEP = {
    "page": "checkout",
    "asin": "",
    "number": None,
    "options": '{"shop": "outlet", "step": "x"}',
}
HITS = [{"hits": '["M1", "M2"]'}, {"hits": "[]"}, {"hits": '["M2", "M3"]'}]
AFTER = {"log_pages": [ITEM, RESULTS, STEP], "log_queries": HITS}


def test_one_line_of_those_that_prove_the_same_is_enough():
    seen, unseen = {"page": "item", "asin": "M1"}, {"page": "item", "asin": "M9"}
    assert evidence.is_seen([unseen, seen], AFTER)
    assert evidence.missing([[unseen, seen], [unseen, {"page": "help"}]], AFTER) == [unseen]
    assert evidence.share_seen([[seen], [unseen], [unseen], [unseen]], AFTER) == 0.25


def test_a_choice_of_the_results_is_named_and_options_are_compared_as_a_whole():
    assert evidence.fits(RESULTS, {"narrowed": "Folding"})
    assert not evidence.fits(RESULTS, {"narrowed": "Colour"})
    assert evidence.fits(STEP, {"options": {"step": "x", "shop": "outlet"}})
    assert not evidence.fits(STEP, {"options": {"step": "x"}})


def test_a_scorer_may_have_a_rule_of_its_own():
    def of_that_shop(row, line):
        return line["shop"] in evidence.read(row, "options").values()

    decides = [[{"shop": "outlet"}], [{"shop": "store"}]]
    assert evidence.share_seen(decides, AFTER, of_that_shop) == 0.5
    assert evidence.missing(decides, AFTER, of_that_shop) == [{"shop": "store"}]


def test_what_was_listed_is_every_hit():
    assert _progress.listed(AFTER) == {"M1", "M2", "M3"}
