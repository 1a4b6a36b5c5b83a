"""The forum's families over many seeds: what differs, what they need, and that misses are wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import scenarios.forum
from scenarios import registry
from scenarios._kit.starts import STARTS
from scenarios.forum import _posts
from sites.forum import SITE, load_data
from sites.kit import Do, changes
from tests.contracts.offline import visit
from tests.measuring import DEEP

FOLDER = Path(scenarios.forum.__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
LISTS = {
    "count_negative_comments": "",
    "post_in_fitting_forum": "",
    "top_posts_facts": "",
    "vote_newest": "",
    "vote_top": "SELECT id FROM submissions WHERE forum = ? ORDER BY score DESC, id LIMIT 15",
    "vote_user_posts": "SELECT id FROM submissions WHERE author = ? ORDER BY at DESC LIMIT 10",
}
"""Families whose rows stand in a list; the query gives its first page if the expert acts there."""
SEEDS = 200 if DEEP else 60


@cache
def drawn(name, count=SEEDS):
    family = registry.family(name)
    return [family.generate(seed, load_data()) for seed in range(count)]


@pytest.mark.parametrize("name", NAMES)
def test_95_percent_of_seeds_differ_in_instruction_or_gold(name):
    texts = {f"{each.instruction} {each.details['base']} {each.gold}" for each in drawn(name)}
    assert len(texts) >= 0.95 * SEEDS


@pytest.mark.parametrize("name", NAMES)
def test_every_wording_is_used_and_says_all_slots(name):
    family = registry.family(name)
    assert len(family.wordings) >= 4
    texts = [each.instruction for each in drawn(name, 8)]
    assert not any("{" in each for each in texts)
    starts = {each[:12] for each in texts}
    assert len(starts) >= 3


def first_page_suffices(name, scenario):
    """Whether the first page of the family's list shows all evidence or all rows to act on."""
    pages = [args for _, args, _ in (*scenario.gold["via"], *scenario.gold["read"])]
    if any(args.get("page") for args in pages):
        return False
    if not LISTS[name]:
        return True
    [of] = (pages[0][key] for key in ("forum", "user") if key in pages[0])
    with registry.family(name).world(scenario) as world:
        shown = {row["id"] for row in world.read(LISTS[name], (of,))}
    return {args["submission"] for _, args in scenario.gold["do"]} <= shown


@pytest.mark.parametrize("name", LISTS)
def test_in_a_third_of_the_seeds_the_first_page_does_not_suffice(name):
    enough = sum(first_page_suffices(name, each) for each in drawn(name))
    assert enough <= SEEDS * 2 / 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("skin", [each.name for each in SITE.skins[1:]])
def test_a_skin_changes_neither_instruction_nor_gold_rows(name, skin):
    variant = registry.family(f"{name}.{skin}")
    for usual in drawn(name, 8):
        other = variant.generate(usual.seed, load_data())
        assert other.instruction == usual.instruction
        assert sorted(map(str, other.gold["changes"])) == sorted(map(str, usual.gold["changes"]))
        assert other.gold.get("answer") == usual.gold.get("answer")


@pytest.mark.parametrize("name", NAMES)
def test_no_named_alternative_is_right(name):
    family = registry.family(name)
    for scenario in drawn(name, 20):
        right = {tuple(each) for each in scenario.gold["changes"]}
        for label, other in scenario.gold["instead"].items():
            if isinstance(other, str):
                assert other != scenario.gold["answer"]["text"], (scenario.name, label)
                continue
            with family.world(scenario) as world:
                for operation, args in other:
                    SITE.run(world, Do(operation, args))
                made = {*changes(SITE, world.read("SELECT * FROM log_change"))}
            assert made != right, (scenario.name, label)


def test_the_expert_goes_on_from_a_list_through_which_it_came():
    """In seed 0, the list of forums leads to the picture's forum, and later to the other one."""
    family = registry.family("repost_image.meadow")
    scenario = family.generate(0, load_data())
    with STARTS.open(scenario) as plan:
        assert max(len(stations) for stations in plan.walk.legs.values()) > 1
    ended = visit(family, scenario)
    assert ended.score.success and ended.steps == family.length(scenario)


def test_templates_are_those_of_the_forum():
    tagged = {each: registry.family(each).TEMPLATES for each in NAMES}
    numbers = sorted(int(tag.split(":")[1]) for tags in tagged.values() for tag in tags)
    assert numbers == [
        *(4, 5, 6, 7, 9, 11, 12, 13, 15, 16, 17, 19, 22, 23, 24, 25, 27, 33, 101, 116, 117),
        *(1510, 3765, 6100),
    ]


def test_the_newest_post_is_the_newest_of_its_kind():
    """The answer of `vote_newest`, found again without the family's query."""
    for scenario in drawn("vote_newest", 40):
        [[_, args]] = scenario.gold["do"]
        with registry.family("vote_newest").world(scenario) as world:
            posts = world.read("SELECT * FROM submissions")
        voted = next(each for each in posts if each["id"] == args["submission"])
        named = max((each for each in _posts.KINDS if each in scenario.instruction), key=len)
        kind = _posts.KINDS[named]
        same = [
            each
            for each in posts
            if each["forum"] == voted["forum"] and kind in ("%", each["kind"])
        ]
        assert max(same, key=lambda each: each["at"]) == voted
        assert f"{voted['forum']}" in scenario.instruction


def test_a_family_has_at_most_45_lines_on_average_and_90_at_most():
    sizes = [len(path.read_text(encoding="utf-8").splitlines()) for path in FOLDER.glob("*.py")]
    assert sum(sizes) / len(NAMES) <= 45
    assert max(sizes) <= 90
