"""Scenarios, families and suites by name."""

from __future__ import annotations

import re

import pytest

from agent.plugins import BadPlugin, OwnFile, UnknownName
from evaluators.scoring.context import scorer
from scenarios import registry, suites
from scenarios.registry import BadTaskSet
from scenarios.scenario import Scenario, budgeted_length
from sites.widgets import originals
from tests.drawing import drawn
from tests.each import for_each
from tests.measuring import DEEP, unmeasured
from tests.slices import sampled
from tools import freeze_suites

SLOW_TO_DRAW = ("widgets-45-published", "widgets-64-published")
FIRST = 6
"""Of a slow family in a suite one of the first so many scenarios is drawn again, another one in the
next family; `tox -e deep` draws all."""
OWN = '''"""Buy an item, by a file of one's own."""
from scenarios.store.webshop.buy_item import *
from scenarios.scenario import name, public_id
from scenarios.store.webshop import buy_item
from dataclasses import replace
from pathlib import Path

OWN = Path(__file__).stem

def generate(seed, data):
    start = f"/{public_id(name('store', OWN, seed))}"
    return replace(buy_item.generate(seed, data), family=OWN, start=start)
'''


def test_a_level_is_1_2_or_3(tmp_path):
    assert {made.LEVEL for made in registry.family_modules().values()} <= {1, 2, 3}
    assert registry.family("TASK_BOOK_FLIGHT_BARE").LEVEL == registry.family("buy_wish").LEVEL == 1
    own = tmp_path / "second_level.py"
    own.write_text(OWN + "LEVEL = 2\n")
    assert registry.family(OwnFile(own)).LEVEL == 2
    own = tmp_path / "no_level.py"
    own.write_text(OWN + "LEVEL = '2'\n")
    with pytest.raises(BadPlugin, match=r"no_level\.py: LEVEL is '2'; write 1, 2 or 3"):
        registry.family(OwnFile(own))


DRAWN = """
def generate(seed, data):
    drawn = buy_item.generate(seed, data)
    start = "/" + public_id(name("store", "own_family", seed))
    made = dict(family="own_family", site="store", seed=seed, start=start)
    return replace(drawn, **made | dict({given}))
"""


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ('family="buy_item"', r"own_family\.py:[0-9,]+: .* family='buy_item'; write 'own_family'"),
        ('site="outlet"', r"own_family\.py:[0-9,]+: .* site='outlet'; write 'store'"),
        ("seed=70", r"own_family\.py:[0-9,]+: .* seed=70; write 1"),
        (
            'start="/" + buy_item.generate(seed, data).id',
            r"own_family\.py:[0-9,]+: `start` of seed 1",
        ),
        ('start="/" + replace(drawn, seed=2).id', "carries the id of another scenario"),
    ],
)
def test_a_family_draws_under_its_own_name(tmp_path, given, line):
    path = tmp_path / "own_family.py"
    path.write_text(OWN + DRAWN.format(given=given))
    tasks = registry.from_family(str(path), range(1, 3))
    with pytest.raises(BadPlugin, match=line):
        registry.scenario(tasks.names[0], OwnFile(path))
    with pytest.raises(BadPlugin, match=line):
        registry.family(OwnFile(path)).generate(1, registry.site_data("store"))


@pytest.mark.parametrize(
    ("text", "seeds"),
    [("0:20", range(20)), ("7", range(7, 8)), ("3:5", range(3, 5)), ("4:44:5", range(4, 44, 5))],
)
def test_seeds(text, seeds):
    assert registry.read_seeds(text) == seeds


@for_each(
    "text",
    [
        *("", ":", "5:", ":5", "5:5", "5:3", "-1", "-3:2", "a:b", "1.5", "0x10", "1,2"),
        *("1:2:0", "5:3:-1", "1:2:3:4"),
    ],
)
def test_malformed_ranges_are_refused_with_the_text(text):
    with pytest.raises(ValueError, match="0:20") as refused:
        registry.read_seeds(text)
    assert repr(text) in str(refused.value)


def test_a_scenario_by_name():
    made = registry.scenario("store/buy_item/7")
    assert made.name == "store/buy_item/7" and made == registry.scenario("store/buy_item/7")


@pytest.mark.parametrize(
    "name", ["", "store", "store/buy_item", "store/buy_item/x", "store/buy_item/-1", "a/b/c/1"]
)
def test_what_is_no_name_of_a_scenario(name):
    with pytest.raises(ValueError):
        registry.scenario(name)


def test_unknown_names_give_the_nearest():
    with pytest.raises(UnknownName, match="buy_item"):
        registry.family("buy_itme")
    with pytest.raises(UnknownName, match="store"):
        registry.site("stoer")
    with pytest.raises(UnknownName):
        registry.from_suite("no-such-suite")
    with pytest.raises(ValueError, match="belongs to the site store"):
        registry.scenario("widgets/buy_item/1")


def test_every_family_has_what_a_family_has():
    for name, module in registry.family_modules().items():
        assert module.SITE in registry.site_names(), name
        assert module.STEPS and (module.__doc__ or "").strip(), name
        assert scorer(module.SITE) is not None
        without = registry.DRAWN_BY_THE_PAGE if module.instruction else ()
        for provided in {"generate", "world", "advise", "length", "solve", "near_misses"} - {
            *without
        }:
            assert callable(getattr(module, provided)), (name, provided)


def test_the_tasks_of_a_family():
    tasks = registry.from_family("buy_item", range(2, 4))
    assert tasks.names == ["store/buy_item/2", "store/buy_item/3"]
    assert not tasks.hashes and not tasks.sources
    assert tasks.arguments == ["--family", "buy_item", "--seeds", "2:4"]


def test_the_tasks_of_several_families(tmp_path):
    path = tmp_path / "own_family.py"
    path.write_text(OWN)
    tasks = registry.from_families([str(path), "click-test.easy"], range(1))
    assert tasks.names == ["store/own_family/0", "widgets/click-test.easy/0"]
    assert tasks.sources == {"own_family": str(path)}
    assert tasks.label == "own_family,click-test.easy 0:1"
    with pytest.raises(ValueError, match="once"):
        registry.from_families(["buy_item", "click-test", "buy_item"], range(1))


def test_a_variant_that_a_page_does_not_have_is_refused():
    assert registry.family("click-shape.pixels").name == "click-shape.pixels"
    for name, line in {
        "login-user.pixels": "no variant of login-user 'pixels'",
        "compose-3.pixels": "no variant of compose-3 'pixels'",
        "click-test.hard": "no variant of click-test 'hard'",
        "buy_item.easy": "no variant of buy_item 'easy'",
    }.items():
        with pytest.raises(UnknownName, match=line):
            registry.family(name)


@pytest.mark.parametrize("load", [registry.family, registry.site, registry.from_suite])
@pytest.mark.parametrize("name", ["zzzzzz", "0"])
def test_an_unknown_name_lists_no_more_than_a_handful(load, name):
    with pytest.raises(UnknownName) as error:
        load(name)
    assert len(str(error.value)) < 200 and error.value.remedy.count(",") < 6


def test_the_words_that_ask_for_a_suite():
    assert registry.from_suite("store-20").arguments == ["--suite", "store-20"]
    part = registry.from_suite("store-20", range(1, 3))
    assert part.arguments == ["--suite", "store-20", "--seeds", "1:3"]


def test_a_family_of_ones_own(tmp_path):
    path = tmp_path / "own_family.py"
    path.write_text(OWN)
    tasks = registry.from_family(str(path), range(2))
    assert tasks.names == ["store/own_family/0", "store/own_family/1"]
    assert tasks.sources == {"own_family": str(path)}
    assert registry.scenario(tasks.names[1], OwnFile(path)).name == "store/own_family/1"
    with pytest.raises(FileNotFoundError, match=r"gone\.py"):
        registry.from_family(str(tmp_path / "gone.py"), range(2))


def test_freezing_is_repeatable_and_notices_every_change(monkeypatch, tmp_path):
    first = registry.freeze("tiny", [("buy_item", range(3))])
    assert first == registry.freeze("tiny", [("buy_item", range(3))])
    assert list(first.scenarios) == [f"store/buy_item/{seed}" for seed in range(3)]
    assert first.data == {"store": registry.site_data("store").digest}
    lengths = [
        registry.family("buy_item").length(registry.scenario(name)) for name in first.scenarios
    ]
    assert first.expert == {"buy_item": max(lengths)}
    monkeypatch.setattr(suites, "FOLDER", tmp_path)
    suites.save(first)
    assert suites.load("tiny") == first and suites.names() == ["tiny"]
    assert registry.from_suite("tiny", range(1, 3)).names == [
        "store/buy_item/1",
        "store/buy_item/2",
    ]
    with pytest.raises(ValueError, match="no scenario with a seed in 7:9"):
        registry.from_suite("tiny", range(7, 9))
    with pytest.raises(UnknownName, match="tiny"):
        registry.from_suite("tinny")


def test_a_family_with_seeds_of_its_own_is_frozen_with_those():
    made = registry.family("tic-tac-toe")
    frozen = registry.freeze("tiny", [("tic-tac-toe", range(15, 25)), ("click-test", range(2))])
    seeds = [int(name.rpartition("/")[2]) for name in frozen.scenarios]
    assert seeds == [*made.seeds[15:25], 0, 1] and seeds[:10] != list(range(15, 25))


def test_a_suite_may_be_defined_by_families_seeds_a_site_or_another_suite():
    definitions = {
        "one": {"buy_item": "2:4", "0:1": ["click-test", "click-pie"]},
        "all": {"crm": "0:1"},
        "eased": {"like": "one", "variant": "easy"},
    }
    assert list(freeze_suites.defined("one", definitions)) == [
        ("buy_item", range(2, 4)),
        ("click-test", range(1)),
        ("click-pie", range(1)),
    ]
    assert dict(freeze_suites.defined("all", definitions)) == {
        name: range(1) for name, made in registry.family_modules().items() if made.SITE == "crm"
    }
    assert [name for name, _ in freeze_suites.defined("eased", definitions)][1:] == [
        "click-test.easy",
        "click-pie.easy",
    ]


def test_each_suite_is_defined_and_says_in_a_line_of_its_own_what_it_is_for():
    definitions = suites.definitions()
    assert sorted(definitions) == suites.names()
    lines = {suites.about(name) for name in definitions}
    assert len(lines) == len(definitions)
    assert all(10 < len(line) < 90 and "\n" not in line for line in lines)


@pytest.mark.parametrize("name", suites.REMOVED)
def test_a_suite_that_was_removed_says_what_to_use(name):
    with pytest.raises(BadTaskSet, match=f"suite {name} was removed") as refused:
        registry.from_suite(name)
    message = str(refused.value)
    assert "\n" not in message and suites.REMOVED[name] in message
    first = suites.REMOVED[name].split(",")[0]
    family = re.search(r"--family (\S+)", suites.REMOVED[name])
    assert first in suites.names() or family
    assert family is None or registry.family(family[1])


@pytest.mark.parametrize("name", sampled(suites.names(), lambda at, name: name not in SLOW_TO_DRAW))
def test_a_shipped_suite_is_what_was_frozen(name):
    suite = suites.load(name)
    if not suite.data and originals.found() is None:
        pytest.skip(f"{name} is of the original pages; {originals.INSTALL}")
    with unmeasured():
        _is_what_was_frozen(suite)


def _parts(name: str) -> tuple[str, int]:
    """The family and the seed of a scenario's name."""
    _, family, seed = name.split("/")
    return family, int(seed)


def _is_whole(family: str) -> bool:
    """Whether all of a suite's scenarios of that family are drawn again: not of what is slow to
    draw, and not of a family of the desk or the shop on other pages."""
    made = registry.family(family)
    is_slow = made.LEVEL > 1 or made.MEMORY or ("." in family and made.SITE != "widgets")
    return DEEP or not is_slow


def _drawn_anew(name: str) -> Scenario:
    """The scenario of that name; task pages are drawn sooner than they are shared."""
    is_page = name.startswith("widgets/")
    return registry.scenario(name) if is_page else drawn(*_parts(name))


def _looked_into(suite: suites.Suite) -> list[str]:
    """The scenarios that are drawn again: all, of a slow family one in turn."""
    of: dict[str, list[str]] = {}
    for name in suite.scenarios:
        of.setdefault(_parts(name)[0], []).append(name)
    return [
        name
        for at, (family, names) in enumerate(of.items())
        for name in (names if _is_whole(family) else [names[at % min(FIRST, len(names))]])
    ]


def _is_what_was_frozen(suite: suites.Suite) -> None:
    made = {name: _drawn_anew(name) for name in _looked_into(suite)}
    for name, scenario in made.items():
        assert scenario.digest() == suite.scenarios[name], name
    for family, most in suite.expert.items():
        lengths = [
            budgeted_length(registry.family(family), scenario)
            for scenario in made.values()
            if scenario.family == family
        ]
        assert most == max(lengths) if _is_whole(family) else most >= max(lengths)
    for site, digest in suite.data.items():
        assert registry.site_data(site).digest == digest
