"""The rules on the real store: one purchase an episode, by what the pages show, without a model."""

from __future__ import annotations

import json

import pytest

from benchmarks.rules import BANK, BARS, main
from scenarios import registry
from tests.drawing import drawn
from tests.each import for_each
from tests.measuring import DEEP, unmeasured

FIRST_HITS = 2 if DEEP else 1
"""The seeds on which the first hit is bought; `tox -e deep` adds one of each family."""
EACH = 4
"""On so many-th family of a level it is; on each with `tox -e deep`."""
CASES = [
    ("rules", 5),  # where it has few tabs to read
    *([("rules", 0), ("rules:results=1", 1), ("rules:results=1,embedder=hashed", 2)] * DEEP),
    ("rules:results=1,embedder=hashed", 5),
    *(("rules:webshop", seed) for seed in range(3 if DEEP else 1)),
]


def bought(episode):
    world = json.loads((episode.home / "final_world.json").read_text())
    return [row["asin"] for row in world["purchases"]]


@pytest.mark.parametrize(("agent", "seed"), CASES)
def test_rules_buy_one_product_and_ask_no_model(harness, agent, seed, tmp_path, unmeasured):
    episode = harness.run(agent, f"store/buy_item/{seed}", tmp_path, strict=True)
    record = episode.record
    assert (record["ended"], record["llm_calls"], record["answer"]) == ("answered", 0, "")
    assert record["invalid_actions"] == 0 and record["reward"] > 0
    if agent == "rules:webshop":
        scenario = registry.scenario(f"store/buy_item/{seed}")
        first = registry.site_data("store").search.search(scenario.instruction)[:1]
        assert bought(episode) == first
    else:
        assert len(bought(episode)) == 1
    if agent == "rules":
        assert record["success"] and record["steps"] > 60, "it has read two pages of products"


@for_each("agent", ["rules", "rules:webshop"])
def test_where_nothing_is_sold_they_do_nothing(harness, agent, tmp_path_factory):
    record = harness.run(agent, "widgets/click-test/0", tmp_path_factory.mktemp("run")).record
    assert (record["ended"], record["steps"], record["success"]) == ("answered", 0, False)


@pytest.mark.wide
def test_asked_who_writes_something_they_name_them(harness, tmp_path, unmeasured):
    record = harness.run("rules", "store/review_mentions/0", tmp_path, strict=True).record
    assert record["success"] and record["answer"] and record["llm_calls"] == 0


@pytest.mark.wide
def test_asked_in_other_words_than_reviews_use_they_read_all_of_them(harness, tmp_path, unmeasured):
    record = harness.run("rules", "store/review_evidence/0", tmp_path, strict=True).record
    opened = next(each for each in record["checks"] if each["name"] == "pages opened")
    assert opened["held"] and not record["success"]


# The bars of docs/levels.md ----------------------------------------------------------------------


def levels() -> dict[str, str]:
    """The level of each family of the store that names one."""
    families = [name for name, each in registry.family_modules().items() if each.SITE == "store"]
    found = {each: drawn(each, 0).details.get("level") for each in families}
    return {family: level["name"] for family, level in found.items() if level}


def reached(harness, agent, family, seeds, folder):
    """The share of a family's seeds on which an agent succeeds."""
    runs = [harness.run(agent, f"store/{family}/{seed}", folder) for seed in range(seeds)]
    return sum(each.record["success"] for each in runs) / seeds


@pytest.mark.wide
@unmeasured()
def test_the_first_hit_is_never_what_was_wished_for(harness, tmp_path, unmeasured):
    """`rules:webshop` is the part of `rules` that takes no time."""
    named = sorted(levels())[:: 1 if DEEP else EACH]
    found = {each: reached(harness, "rules:webshop", each, FIRST_HITS, tmp_path) for each in named}
    assert found == dict.fromkeys(found, 0)


@pytest.mark.deep
def test_rules_keep_the_bar_of_each_level(harness, tmp_path, unmeasured):
    """Ten seeds; `python -m benchmarks.rules` measures more, and the vectors."""
    bars = {family: BARS[level]["rules"] for family, level in levels().items()}
    found = {each: reached(harness, "rules", each, 10, tmp_path) for each in bars}
    assert {each: rate for each, rate in found.items() if rate > bars[each]} == {}


@pytest.mark.wide
@pytest.mark.parametrize("family", ["buy_wish", "review_evidence", *["buy_measured"] * DEEP])
def test_who_knows_the_banks_has_only_to_read(harness, family, tmp_path, unmeasured):
    """The facts that decide stand on pages, and an agent that sees nothing else finds them."""
    record = harness.run(BANK, f"store/{family}/1", tmp_path, strict=True).record
    assert record["success"] and record["invalid_actions"] == 0


@for_each(
    ("words", "problem"),
    [
        (["--only", "rules,nobody"], "nobody is none of rules, rules:webshop"),
        (["-n", "0"], "run at least one process"),
    ],
)
def test_the_table_is_refused_what_it_cannot_run(words, problem, capsys):
    with pytest.raises(SystemExit):
        main(["buy_wish", *words])
    shown = capsys.readouterr()
    assert problem in shown.err and not shown.out
