"""WebArena's own checks on visits to declared sites: they accept some ends that ours refuse."""

from __future__ import annotations

from collections.abc import Sequence

from evaluators.scoring import webarena_checks
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.kit import Gold
from sites.kit import Do, Map, Place
from tests.each import for_each


def verdicts(
    name: str, do: Sequence[Do] = (), seen: Sequence[Place] = (), answer: str = ""
) -> tuple[bool, bool]:
    """Return the verdicts of our rule and of WebArena's checks on a visit."""
    scenario = registry.scenario(name)
    context = ScoringContext.of(scenario)
    site = context.data.site
    with context.family.world(scenario) as world:
        for place in seen:
            Map(site, world).note(place)
        for each in do:
            site.run(world, each)
        found = context.score(world.snapshot(), answer)
    return found.success, found.success_published


def gold(name: str) -> Gold:
    return Gold.from_json(registry.scenario(name).gold)


def test_the_wanted_text_in_any_answer_is_enough_and_no_page_must_be_shown():
    name = "shop/spent_in_period/0"
    right, pages = gold(name).text, [each.place for each in gold(name).read]
    assert verdicts(name, seen=pages, answer=right) == (True, True)
    assert verdicts(name, answer=right) == (False, True)
    assert verdicts(name, seen=pages, answer=f"It is $1.00 or {right}.") == (False, True)
    assert verdicts(name, seen=pages, answer="$1.00") == (False, False)
    assert verdicts(name) == (False, False)


def test_the_wanted_rows_are_enough_and_other_changes_are_not_seen():
    name = "codehost/set_status/0"
    site, wanted = registry.site_data("codehost").site, gold(name).ends[0].do
    with registry.family("set_status").world(registry.scenario(name)) as world:
        stray = site.stray(world)
    assert verdicts(name, wanted) == (True, True)
    assert verdicts(name, [*wanted, stray]) == (False, True)
    assert verdicts(name, [stray]) == (False, False)


def test_the_page_at_the_end_may_have_further_arguments():
    name = "shop/list_category/0"
    end = gold(name).end
    assert end is not None
    assert verdicts(name, seen=[end]) == (True, True)
    assert verdicts(name, seen=[end.but(page=2)]) == (False, True)
    assert verdicts(name, seen=[end, Place.of("home", {})]) == (False, False)


def test_an_answer_of_one_letter_must_be_a_word():
    name = next(
        each for n in range(40) if len(gold(each := f"codehost/count_commits/{n}").text) == 1
    )
    right = gold(name).text
    assert verdicts(name, answer=f"There are {right}.") == (False, True)
    assert verdicts(name, answer=f"There are {right}0.") == (False, False)


@for_each(
    ("kind", "text", "wanted"),
    [
        ("list", "Ash Hill, Elm Row", ["Ash Hill", "Elm Row"]),
        ("text", "Ash Hill, Elm Row", ["Ash Hill, Elm Row"]),
    ],
)
def test_a_list_is_compared_item_by_item(kind, text, wanted):
    assert webarena_checks.required(kind, text) == wanted
