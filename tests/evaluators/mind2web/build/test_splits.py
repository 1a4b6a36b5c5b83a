"""Split files: a site joins by its name, and no task stands in two splits."""

from __future__ import annotations

import pytest

from agent.plugins import UnknownName
from evaluators.mind2web.build import splits
from evaluators.mind2web.build.splits import BadSplits, Part
from scenarios import registry
from tests.each import for_each

PART = '[[parts]]\nsplit = "train"\nsite = "forum"\nseeds = "3000:3002"\n'


def load(tmp_path, text: str):
    path = tmp_path / "own.toml"
    path.write_text(text)
    return splits.load(str(path))


def families(part: Part) -> set[str]:
    return {name.split("/")[1] for name in part.names}


def test_a_part_without_families_has_all_of_the_site(tmp_path):
    [part] = load(tmp_path, PART).parts
    known = registry.family_modules().items()
    assert families(part) == {name for name, each in known if each.SITE == "forum"}
    assert len([*part.names]) == 2 * len(families(part))


def test_variants_are_skins_and_the_empty_one_is_the_family_itself(tmp_path):
    text = PART + 'families = ["reply"]\nvariants = ["", "lantern", "skin-7"]\n'
    [part] = load(tmp_path, text).parts
    assert families(part) == {"reply", "reply.lantern", "reply.skin-7"}


def test_a_site_without_a_domain_is_a_domain_of_its_own(tmp_path):
    chosen = load(tmp_path, PART + '[domains]\nstore = "Shopping"\n')
    assert (chosen.domain("store"), chosen.domain("forum")) == ("Shopping", "Forum")


@for_each(
    ("text", "message"),
    [
        ("no TOML", "own.toml"),
        ("", "parts"),
        (PART.replace("train", "exam"), "no split exam"),
        (PART.replace("3000:3002", "x"), "no range of seeds"),
        (PART + "sites = 1\n", "no key sites"),
        (PART + PART, "forum/count_negative_comments/3000 stands in two parts"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(tmp_path, text, message):
    with pytest.raises(BadSplits, match=message):
        load(tmp_path, text)


def test_a_missing_file_names_those_that_are_there():
    with pytest.raises(BadSplits, match="own-mind2web-1"):
        splits.load("nothing")


def test_options_make_splits_too():
    chosen = splits.of(["reply.meadow"], ["shop"], "3000", "train")
    names = [name for part in chosen.parts for name in part.names]
    assert names[0] == "forum/reply.meadow/3000"
    assert {name.split("/")[0] for name in names[1:]} == {"shop"}
    with pytest.raises(UnknownName):
        splits.of([], ["nothing"], "3000", "train")


def test_the_shipped_splits_share_no_seed_and_no_website_that_is_to_be_new():
    chosen = splits.load("own-mind2web-1")
    seeds = {name: set() for name in chosen.names}
    variants = {name: set() for name in chosen.names}
    for part in chosen.parts:
        seeds[part.split] |= {*part.seeds}
        variants[part.split] |= {(part.site, each) for each in part.variants}
    assert not any(seeds[one] & seeds[other] for one in seeds for other in seeds if one != other)
    assert min(min(each) for each in seeds.values()) >= 3000
    assert variants["test_task"] == variants["train"]
    assert not variants["test_website"] & variants["train"]
    trained = {site for site, _ in variants["train"]}
    assert not {site for site, _ in variants["test_domain"]} & trained
    assert {site for site, _ in variants["test_website"]} <= trained


def test_held_out_words_are_refused_in_train_alone():
    scenario = registry.scenario("crm/airline_search.contrail/3004")
    assert scenario.details["phrasing"] == splits.HELD_OUT
    assert splits.is_refused(scenario, "train") == "held-out words"
    assert splits.is_refused(scenario, "test_task") == ""
    assert splits.is_refused(registry.scenario("crm/airline_search.contrail/3003"), "train") == ""
