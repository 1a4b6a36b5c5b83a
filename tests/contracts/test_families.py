"""Every family that there is: its scenarios, solutions and near misses, and its expert."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check
from scenarios import registry
from scenarios._kit.beside import pages_of
from scenarios.kit import Family
from scenarios.scenario import Scenario, budgeted_length
from sites.crm.airline_desk.model.airline import KEYS
from sites.crm.base.row_names import standing
from sites.world import state
from tests import drawing
from tests.between import shared
from tests.contracts.declared import LOST, remedy
from tests.contracts.expert_episodes import advise_again, expert_episode, first_seed
from tests.contracts.harness import EpisodeHarness, ScoredWorld, scored
from tests.each import for_each
from tests.measuring import DEEP, HANG, unmeasured

FAMILIES = sorted(
    name for name, made in registry.family_modules().items() if made.instruction is None
)
"""Those that a page draws are tested in `test_widgets.py`."""
ADVISE = "mend `advise`, which is asked anew on each page and remembers nothing"
LENGTH = "let `length` return the first number, from which budgets are made"
LONGER = (
    "name in `via` no page that the expert passes by on its way, and leave out an order or a filter"
    " that it does not need"
)
ON_PAGE = "let the template of the page draw the links and forms that are declared"
POSSIBLE = "let `advise` give only actions that the page can do"
REPEATED = "`advise` must see on the page that an action is done"
REMEMBERED = "`advise` must go by what a screen shows, and by nothing that it has seen before"
SAME_BYTES = 'draw from random.Random("a string") and nothing else: no set order, clock or id'
ANSWERS = ("", "NOT_FOUND", "NOT_ACHIEVABLE", "yes", "0", "dump")
"""What an agent may say that did nothing; the last stands for the instruction, again and again."""
SEEDS = range(200 if DEEP else 16)
"""Two rounds of what is drawn in turn of eight."""
OF_LEVEL_2 = range(200 if DEEP else 6)
"""Two rounds of the airlines."""
MEASURED = 1
"""Coverage is measured on so many of the seeds; the others run the same lines."""
TWICE = range(12 if DEEP else 2)
"""The seeds that are drawn again."""
EACH_TENTH = 10
"""In the normal run so many-th family is drawn twice by one process; by two, all of them are."""
LOOK_ALIKES = ("buy_item", "buy_measured", "buy_wish", "buy_compatible", "cheaper_substitute")
"""Families whose expert may open others that look alike first, or find one on an earlier page; at
the market it searches for the kind and narrows, where the length is that of a query in the shop's
words."""
RAW = re.compile(
    r"[{}\[\]]|\b(?:None|True|False)\b|Decimal\(|[a-z]_[a-z]|[A-Z0-9]{6}/|\d{4}-\d\d-\d\d"
)
"""Values of Python, names of columns, keys of rows and ISO dates, which no page shows."""
QUOTED = re.compile("“[^”]*”")
"""A text between quotation marks, which stands on a page or was typed."""
COMPOSED = tuple(name for name in FAMILIES if name.partition(".")[0] == "handover")
"""Families made of scenarios of others, which are drawn, solved and missed in tests of their own:
half as many seeds, and where they show another family, one episode."""
NULL_AGENTS = ("nothing", "refuse")
KINDS = ("bytes", "sentences", "solution", "near misses", "nothing", "null agents")
"""The kinds of checks that take turns on the variants of a family."""
PROBING = tuple(name for name in FAMILIES if name.endswith("_AMBIGUOUS"))
"""Families whose expert has to find out which field is which."""
ROOT = Path(__file__).parents[2]


def family(name: str) -> ModuleType:
    return registry.family_modules()[name]


def kinds(name: str) -> tuple[str, ...]:
    """The kinds of checks that a family takes: all of them. Of a variant, which is a family's own
    tasks on other pages, one in turn, so that each kind meets variants of all sorts; with `tox -e
    deep` all of them."""
    if DEEP or not family(name).VARIANT_OF:
        return KINDS
    own = family(name).VARIANT_OF
    siblings = [each for each in VARIANTS if own == family(each).VARIANT_OF]
    turn = WITH_VARIANTS.index(own) + 2 * siblings.index(name)
    return (KINDS[turn % len(KINDS)],)


VARIANTS = [name for name in FAMILIES if family(name).VARIANT_OF]
WITH_VARIANTS = sorted({family(name).VARIANT_OF for name in VARIANTS})


def of_kind(*wanted: str) -> pytest.MarkDecorator:
    """A test of the families that take one of these kinds of checks."""
    names = [name for name in FAMILIES if {*wanted} & {*kinds(name)}]
    return pytest.mark.parametrize("name", names)


@cache
def solved(name: str, seed: int) -> ScoredWorld:
    """How the family's solution ends on that seed."""
    module, scenario = family(name), drawn(name)[seed]
    data = registry.site_data(module.SITE)
    return scored(module, scenario, lambda world: module.solve(scenario, world, data))


@cache
def drawn(name: str) -> tuple[Scenario, ...]:
    """All seeds; coverage sees the first few being drawn."""
    first = tuple(drawing.drawn(name, seed) for seed in seeds(name)[: measured(name)])
    with unmeasured():
        return first + tuple(drawing.drawn(name, seed) for seed in seeds(name)[measured(name) :])


def measured(name: str) -> int:
    """On so many of its seeds coverage is measured: on none of a variant on one airline, which runs
    the lines of its family."""
    return 0 if name.partition(".")[2] in KEYS else MEASURED


def seeds(name: str) -> range:
    """Those that are drawn; of what shows another family on other pages, or is made of others,
    fewer."""
    all_seeds = SEEDS if family(name).LEVEL == 1 else OF_LEVEL_2
    if family(name).VARIANT_OF and not DEEP:
        return all_seeds[: len(TWICE)]
    least = (3 if family(name).VARIANT_OF else 1) * (2 if name in COMPOSED else 1)
    return all_seeds[: len(all_seeds) // least]


def fingerprint(name: str, seeds: Sequence[int]) -> str:
    """Everything that the seeds fix, as one hash; they are drawn in the order that is given."""
    module = family(name)
    with unmeasured():
        data = registry.site_data(module.SITE)
        return fingerprint_of(name, [module.generate(seed, data) for seed in seeds])


def fingerprint_of(name: str, made: Iterable[Scenario]) -> str:
    """The hash of these scenarios, in whatever order they were drawn."""
    module, total = family(name), hashlib.sha256()
    with unmeasured():
        _add_all(total, module, registry.site_data(module.SITE), made)
    return total.hexdigest()


def _add_all(total: Any, module: ModuleType, data: Any, made: Iterable[Scenario]) -> None:
    for scenario in sorted(made, key=lambda each: each.seed):
        misses = list(module.near_misses(scenario, data))
        total.update(
            json.dumps([scenario.to_json(), module.world(scenario).snapshot(), misses]).encode()
        )
        solved = module.world(scenario)
        module.solve(scenario, solved, data)
        total.update(json.dumps(solved.snapshot()).encode())


# Drawing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", of_kind("bytes").args[1][:: 1 if DEEP else EACH_TENTH])
def test_a_seed_gives_the_same_bytes_twice_and_in_any_order(name):
    first = fingerprint(name, TWICE)
    assert fingerprint(name, TWICE[::-1]) == first, SAME_BYTES


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory) -> dict[str, str]:
    """The fingerprint of each family, drawn by another process."""
    found: dict[str, str] = shared(
        "elsewhere", "all", lambda: _drawn_in(tmp_path_factory.mktemp("elsewhere"))
    )
    return found


def _drawn_in(folder: Path) -> dict[str, str]:
    code = (
        "import json; from tests.contracts.test_families import TWICE, fingerprint, of_kind;"
        " names = of_kind('bytes').args[1];"
        " print(json.dumps({name: fingerprint(name, TWICE[::-1]) for name in reversed(names)}))"
    )
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "4242",
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
        timeout=HANG,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.wide
@of_kind("bytes")
def test_a_seed_gives_the_same_bytes_in_another_process(name, elsewhere):
    """There the seeds and the families are drawn in the opposite order."""
    assert elsewhere[name] == fingerprint_of(name, drawn(name)[: len(TWICE)]), SAME_BYTES


@of_kind("sentences")
def test_names_ids_and_instructions_are_unique(name):
    scenarios = drawn(name)
    assert all(re.fullmatch("[a-z0-9]{20}", each.id) for each in scenarios)
    assert len({each.id for each in scenarios}) == len(scenarios), "put the seed into the Scenario"
    if not isinstance(family(name), Family):  # those of declared sites: see test_declared.py
        assert len({each.instruction for each in scenarios}) == len(scenarios), (
            "two seeds tell the same instruction; draw from more, or let seeds take turns"
        )
    assert [each.name for each in scenarios] == [
        f"{family(name).SITE}/{name}/{seed}" for seed in seeds(name)
    ], "make the Scenario with SITE, the file's name and the seed"


@of_kind("sentences")
def test_what_the_agent_is_told_is_one_clean_line(name):
    for scenario in drawn(name):
        text = scenario.instruction
        assert text == " ".join(text.split()), "write the instruction as one line"
        assert "None" not in text and "{" not in text and ", ," not in text, (
            f"a part of the instruction is missing: {text!r}; leave its words out where it is None"
        )
        assert scenario.start.startswith("/"), "`start` is a path on the site, such as /"
        json.loads(json.dumps(scenario.to_json(), allow_nan=False))


@of_kind("sentences")
def test_the_start_world_holds_nothing_of_the_gold(name):
    if family(name).TAG not in ("", "transaction"):
        pytest.skip("it is about what the account holds")
    if family(name).LEVEL > 1:
        pytest.skip("its gold is changes: see the next test")
    for scenario in drawn(name)[:50]:
        tables = family(name).world(scenario).snapshot().values()
        text = json.dumps([list(row.values()) for rows in tables for row in rows])
        known = getattr(family(name), "FROM_ACCOUNT", ())
        asked = {key: part for key, part in scenario.gold.items() if key not in known}
        leaves = [leaf for leaf in _leaves(asked) if isinstance(leaf, str) and leaf]
        given = [leaf for leaf in leaves if len(leaf) > 6 and leaf in text]
        assert not given, (
            f"{scenario.name}: the start world holds {given} of the gold; give the gold an id that"
            " agents are not shown, or set TAG if the task asks about rows that are there"
        )


@of_kind("sentences")
def test_no_change_of_the_gold_stands_in_the_start_world(name):
    if family(name).LEVEL == 1:
        pytest.skip("its gold is no list of changes")
    for scenario in drawn(name)[:50]:
        before = family(name).world(scenario).snapshot()
        held = standing(scenario.gold.get("changes", []), before)
        assert not held, (
            f"{scenario.name}: {held} holds before anything was done; leave it out of the changes,"
            " or draw a start world without it"
        )


def _leaves(value):
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in _leaves(each)]
    if isinstance(value, list):
        return [leaf for each in value for leaf in _leaves(each)]
    return [value]


# End states --------------------------------------------------------------------------------------


@of_kind("solution")
def test_the_solution_succeeds(name):
    for scenario in drawn(name)[: measured(name)]:
        _solution_succeeds(name, scenario)
    with unmeasured():
        for scenario in drawn(name)[measured(name) :]:
            _solution_succeeds(name, scenario)


def _solution_succeeds(name: str, scenario: Scenario) -> None:
    ended = solved(name, scenario.seed)
    where = f"{scenario.name}: " + remedy(
        name, "let `do` end as `Right` says, on every seed", "mend `solve` or the scorer"
    )
    assert ended.score.success, (where, ended.held())
    assert ended.score.success_published, where
    assert ended.score.progress == 1, where
    assert not ended.score.collateral, (where, "the solution changes too many rows")


@of_kind("near misses")
def test_each_near_miss_fails_by_its_named_check(name):
    seen: Counter[str] = Counter()
    for scenario in drawn(name)[: measured(name)]:
        seen.update(_near_misses_fail(name, scenario, {*seen}))
    with unmeasured():
        for scenario in drawn(name)[measured(name) :]:
            seen.update(_near_misses_fail(name, scenario, {*seen}))
    assert seen, remedy(
        name, "name a wrong outcome in `instead` of `Right`", "define at least one near miss"
    )
    least = len(drawn(name)) // 10 if DEEP else 1
    assert min(seen.values()) >= least, (seen, "make each near miss possible on more seeds")


def _near_misses_fail(name: str, scenario: Scenario, seen: Container[str]) -> Iterator[str]:
    """The labels of the scenario's near misses, which are told from the right end: up to a colon,
    after which stands which one of its kind it is. Of those seen on earlier seeds, which are of
    the same kinds, none is made again but with `tox -e deep`."""
    module = family(name)
    for label, miss in module.near_misses(scenario, registry.site_data(module.SITE)).items():
        kind = label.partition(":")[0]
        if not DEEP and kind in seen:
            continue
        right, ended = solved(name, scenario.seed), scored(module, scenario, miss.apply)
        where = f"{scenario.name}: {label}"
        journal = miss.fails == "order" or miss.fails.startswith(pages_of(""))
        same = _left(ended, right, journal=journal) == _left(right, right, journal=journal)
        assert not same, (where, "it is the right end state")
        assert not ended.score.success, (where, "the scorer must tell it from the right one")
        assert 0 <= ended.score.progress < 1, (where, "only success has progress 1")
        held = ended.held()
        wrong = (where, "`fails` must name a check that does not hold", held)
        assert held.get(miss.fails) is False, wrong
        for check in ended.score.checks:
            _is_plain(where, check)
        yield kind


def _is_plain(where: str, check: Check) -> None:
    """A check says in plain words what was found and wanted, and how they differ if it fails."""
    assert check.found and check.wanted, (where, check, "say what was found and wanted")
    assert check.held or check.found != check.wanted, (where, check, "say what the difference is")
    for text in (check.found, check.wanted):
        raw = RAW.search(QUOTED.sub("", text))
        assert raw is None, (where, check, f"{raw[0]!r} is no word of a page; write it in words")


def _left(ended: ScoredWorld, right: ScoredWorld, *, journal: bool):
    """What counts of an end state: rows and answer; with `journal`, and where the solution changes
    no rows, also what the journal tells. A declared site's journal tells all changes."""
    changed = state(right.before) != state(right.after)
    return (state(ended.after) if changed and not journal else ended.after), ended.answer


@of_kind("nothing")
def test_doing_nothing_scores_nothing_whatever_is_answered(name):
    _earns_nothing(name, drawn(name)[:1])
    with unmeasured():
        _earns_nothing(name, drawn(name)[1:])


def _earns_nothing(name: str, scenarios: Sequence[Scenario]) -> None:
    for scenario in scenarios:
        context = ScoringContext.of(scenario)
        for answer in ANSWERS:
            reply = scenario.instruction * 50 if answer == "dump" else answer
            score = context.score(context.before, reply)
            where = f"{scenario.name}, {answer!r}: earned something; let the scorer ask for deeds"
            assert not score.success, where
            # On a declared site, WebArena's own checks accept a text that contains the answer.
            assert not score.success_published or isinstance(context.family, Family), where
            assert score.progress == 0, where
            assert not score.reward and not score.reward_strict, where


@of_kind("solution")
def test_a_verdict_is_a_pure_function_of_what_was_recorded(name):
    scenario, ended = drawn(name)[0], solved(name, 0)
    kept = json.dumps([ended.before, ended.after, scenario.to_json()])
    before, after, _ = json.loads(kept)
    repeated = ScoringContext.of(scenario, before=before).score(after, ended.answer)
    assert repeated.to_json() == ended.score.to_json(), "score from the arguments and nothing else"
    assert json.dumps([before, after, scenario.to_json()]) == kept
    json.dumps(ended.score.to_json(), allow_nan=False)


# In the browser ----------------------------------------------------------------------------------


def _expert_succeeds(harness: EpisodeHarness, name: str, seed: int) -> None:
    episode = expert_episode(harness, name, seed)
    record, scenario = episode.record, episode.scenario
    assert record["success"] is True and record["progress"] == 1, (
        f"the expert ended after {record['steps']} steps with the answer {record['answer']!r};"
        f" {remedy(name, LOST, ADVISE)}: {record['checks']}"
    )
    longer = record["steps"] - family(name).length(scenario)
    assert longer == 0 or name in LOOK_ALIKES + PROBING, (
        f"the expert took {record['steps']} actions, and {family(name).length(scenario)} were"
        f" expected; {remedy(name, LONGER, LENGTH)}"
    )
    if name in PROBING:
        assert record["steps"] <= budgeted_length(family(name), scenario), "mend `honest_length`"
    assert record["invalid_actions"] == 0, remedy(name, ON_PAGE, POSSIBLE)
    assert record["repeats"] == 0, remedy(name, LOST, REPEATED)
    assert record["progress_curve"]["no_return"] is None, (
        "after a step of the expert the task could not succeed any more; mend the scorer's progress"
    )
    assert record["wasted"] == max(0, longer)
    if seed == first_seed(name):
        assert advise_again(episode) == [each.advice for each in episode.screens], remedy(
            name, LOST, REMEMBERED
        )


def by_the_expert() -> list[tuple[str, int]]:
    """Return each family with the seeds that the expert plays.

    Families on all airlines play on one airline each, in turn. `tox -e deep` plays three seeds, so
    that the expert meets each airline, and the variants on one airline.
    """
    if DEEP:
        return [(name, seed) for name in FAMILIES for seed in range(3)]
    apart = [name for name in FAMILIES if name.partition(".")[2] not in KEYS]
    return [(name, first_seed(name)) for name in apart]


@pytest.mark.parametrize(("name", "at_seed"), by_the_expert())
def test_the_expert_succeeds(harness, quick_harness, name, at_seed):
    """A browser plays one seed of each family; test_declared.py does for declared sites."""
    elsewhere = at_seed != first_seed(name) or isinstance(family(name), Family)
    _expert_succeeds(quick_harness if elsewhere else harness, name, at_seed)


@pytest.mark.deep
@pytest.mark.parametrize("name", FAMILIES)
@for_each("seed", range(3, 50))
def test_the_expert_succeeds_on_fifty(harness, name, seed):
    _expert_succeeds(harness, name, seed)


def null_agents() -> list[tuple[str, str]]:
    """One of the two on every fourth family, in turn; with `tox -e deep` both on each."""
    names = of_kind("null agents").args[1]
    if DEEP:
        return [(name, agent) for name in names for agent in NULL_AGENTS]
    return [(name, NULL_AGENTS[at % 2]) for at, name in enumerate(names[::4])]


@pytest.mark.parametrize(("name", "agent"), null_agents())
def test_a_null_agent_gets_nothing(quick_harness, name, tmp_path, agent):
    with unmeasured():
        record = quick_harness.run(
            agent, f"{family(name).SITE}/{name}/0", tmp_path, strict=True
        ).record
    assert (record["ended"], record["success"], record["progress"]) == ("answered", False, 0), (
        f"{agent} did nothing and earned something; let the scorer ask for deeds",
        record["checks"],
    )
    assert record["steps"] == record["llm_calls"] == 0


def test_each_kind_of_check_meets_variants_on_every_airline():
    met = {
        kind: {name.partition(".")[2] for name in VARIANTS if kind in kinds(name)} for kind in KINDS
    }
    assert all(keys >= {*KEYS} for keys in met.values()), met
