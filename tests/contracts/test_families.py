"""Every family that there is: its scenarios, solutions and near misses, and its expert."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.scenario import Scenario, budgeted_length
from sites.crm.reservations.airline import KEYS
from sites.crm.row_names import standing
from sites.world import state
from tests import drawing
from tests.between import shared
from tests.contracts.harness import EpisodeHarness, ScoredWorld, scored
from tests.each import for_each
from tests.measuring import unmeasured

FAMILIES = sorted(
    name for name, made in registry.family_modules().items() if made.instruction is None
)
"""Those that a page draws are tested in `test_widgets.py`."""
SAME_BYTES = 'draw from random.Random("a string") and nothing else: no set order, clock or id'
DEEP = bool(os.environ.get("REHEARSE_DEEP"))
ANSWERS = ("", "NOT_FOUND", "NOT_ACHIEVABLE", "yes", "0", "dump")
"""What an agent may say that did nothing; the last stands for the instruction, again and again."""
SEEDS = range(200 if DEEP else 60)
OF_LEVEL_2 = range(200 if DEEP else 30)
MEASURED = 3
"""Coverage is measured on so many of the seeds; the others run the same lines."""
TWICE = range(12 if DEEP else 2)
"""The seeds that are drawn again."""
LOOK_ALIKES = ("buy_item", "buy_measured", "buy_wish", "buy_compatible", "cheaper_substitute")
"""Families whose expert may open others that look alike first, or find one on an earlier page; at
the market it searches for the kind and narrows, where the length is that of a query in the shop's
words."""
COMPOSED = tuple(name for name in FAMILIES if name.partition(".")[0] == "handover")
"""Families made of scenarios of others, which are drawn, solved and missed in tests of their own:
half as many seeds, and where they show another family, one episode."""
ON_AIRLINES = sorted(
    {name.partition(".")[0] for name in FAMILIES if name.partition(".")[2] in KEYS}
)
IN_TURN = {f"{name}.{KEYS[place % len(KEYS)]}" for place, name in enumerate(ON_AIRLINES)}
"""Of the variants of a family on single airlines one, each airline in turn."""
PROBING = tuple(name for name in FAMILIES if name.endswith("_AMBIGUOUS"))
"""Families whose expert has to find out which field is which."""
ROOT = Path(__file__).parents[2]


def family(name: str) -> ModuleType:
    return registry.family_modules()[name]


@cache
def solved(name: str, seed: int) -> ScoredWorld:
    """How the family's solution ends on that seed."""
    module, scenario = family(name), drawn(name)[seed]
    data = registry.site_data(module.SITE)
    return scored(module, scenario, lambda world: module.solve(scenario, world, data))


@cache
def drawn(name: str) -> tuple[Scenario, ...]:
    """All seeds; coverage sees the first few being drawn."""
    first = tuple(drawing.drawn(name, seed) for seed in seeds(name)[:MEASURED])
    with unmeasured():
        return first + tuple(drawing.drawn(name, seed) for seed in seeds(name)[MEASURED:])


def seeds(name: str) -> range:
    """Those that are drawn; of what shows another family on other pages, or is made of others,
    fewer."""
    all_seeds = SEEDS if family(name).LEVEL == 1 else OF_LEVEL_2
    if is_aside(name):
        return all_seeds[:MEASURED]
    least = (3 if family(name).VARIANT_OF else 1) * (2 if name in COMPOSED else 1)
    return all_seeds[: len(all_seeds) // least]


def is_aside(name: str) -> bool:
    """Whether it is a variant on an airline that is not in turn: the family's own seeds are on all
    airlines. With `tox -e deep` it takes as many seeds as the others, and the expert."""
    return not DEEP and name.partition(".")[2] in KEYS and name not in IN_TURN


@cache
def first_fingerprint(name: str) -> str:
    """That of the first drawing in this process."""
    return fingerprint(name, TWICE)


def fingerprint(name: str, seeds: range) -> str:
    """Everything that a seed fixes, as one hash."""
    module, total = family(name), hashlib.sha256()
    data = registry.site_data(module.SITE)
    with unmeasured():
        _add_all(total, module, data, seeds)
    return total.hexdigest()


def _add_all(total: Any, module: ModuleType, data: Any, seeds: range) -> None:
    for seed in seeds:
        scenario = module.generate(seed, data)
        misses = list(module.near_misses(scenario, data))
        total.update(
            json.dumps([scenario.to_json(), module.world(scenario).snapshot(), misses]).encode()
        )
        solved = module.world(scenario)
        module.solve(scenario, solved, data)
        total.update(json.dumps(solved.snapshot()).encode())


pytestmark = pytest.mark.parametrize("name", FAMILIES)


# Drawing -----------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_bytes_twice_and_in_any_order(name):
    assert first_fingerprint(name) == fingerprint(name, TWICE), SAME_BYTES
    first = [each.digest() for each in drawn(name)[: len(TWICE)]]
    data = registry.site_data(family(name).SITE)
    second = [
        family(name).generate(each.seed, data) for each in reversed(drawn(name)[: len(TWICE)])
    ]
    assert [each.digest() for each in reversed(second)] == first, SAME_BYTES


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory) -> dict[str, str]:
    """The fingerprint of each family, drawn by another process."""
    found: dict[str, str] = shared(
        "elsewhere", FAMILIES, lambda: _drawn_in(tmp_path_factory.mktemp("elsewhere"))
    )
    return found


def _drawn_in(folder: Path) -> dict[str, str]:
    code = (
        "import json; from tests.contracts.test_families import FAMILIES, TWICE, fingerprint;"
        " print(json.dumps({name: fingerprint(name, TWICE) for name in reversed(FAMILIES)}))"
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
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_seed_gives_the_same_bytes_in_another_process(name, elsewhere):
    assert elsewhere[name] == first_fingerprint(name), SAME_BYTES


def test_names_ids_and_instructions_are_unique(name):
    scenarios = drawn(name)
    assert all(re.fullmatch("[a-z0-9]{20}", each.id) for each in scenarios)
    assert len({each.id for each in scenarios}) == len(scenarios)
    assert len({each.instruction for each in scenarios}) == len(scenarios), (
        "two seeds tell the same instruction; draw from more, or let seeds take turns"
    )
    assert [each.name for each in scenarios] == [
        f"{family(name).SITE}/{name}/{seed}" for seed in seeds(name)
    ], "make the Scenario with SITE, the file's name and the seed"


def test_what_the_agent_is_told_is_one_clean_line(name):
    for scenario in drawn(name):
        text = scenario.instruction
        assert text == " ".join(text.split()), "write the instruction as one line"
        assert "None" not in text and "{" not in text and ", ," not in text, (
            f"a part of the instruction is missing: {text!r}; leave its words out where it is None"
        )
        assert scenario.start.startswith("/"), "`start` is a path on the site, such as /"
        json.loads(json.dumps(scenario.to_json(), allow_nan=False))


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


def test_the_solution_succeeds(name):
    for scenario in drawn(name)[:MEASURED]:
        _solution_succeeds(name, scenario)
    with unmeasured():
        for scenario in drawn(name)[MEASURED:]:
            _solution_succeeds(name, scenario)


def _solution_succeeds(name: str, scenario: Scenario) -> None:
    ended = solved(name, scenario.seed)
    where = f"{scenario.name}: mend `solve` or the scorer"
    assert ended.score.success, (where, ended.held())
    assert ended.score.success_published, where
    assert ended.score.progress == 1, where
    assert not ended.score.collateral, (where, "`solve` changes too many rows")


def test_each_near_miss_fails_by_its_named_check(name):
    seen: Counter[str] = Counter()
    for scenario in drawn(name)[:MEASURED]:
        seen.update(_near_misses_fail(name, scenario))
    with unmeasured():
        for scenario in drawn(name)[MEASURED:]:
            seen.update(_near_misses_fail(name, scenario))
    assert seen, "define at least one near miss"
    least = len(drawn(name)) // 10
    assert min(seen.values()) >= least, (seen, "make each near miss possible on more seeds")


def _near_misses_fail(name: str, scenario: Scenario) -> Iterator[str]:
    """The labels of the scenario's near misses, which are all told from the right end: up to a
    colon, after which stands which one of its kind it is."""
    module, right = family(name), solved(name, scenario.seed)
    for label, miss in module.near_misses(scenario, registry.site_data(module.SITE)).items():
        ended = scored(module, scenario, miss.apply)
        where = f"{scenario.name}: {label}"
        journal = miss.fails == "order"
        same = _left(ended, right, journal=journal) == _left(right, right, journal=journal)
        assert not same, (where, "it is the right end state")
        assert not ended.score.success, (where, "the scorer must tell it from the right one")
        assert 0 <= ended.score.progress < 1, (where, "only success has progress 1")
        held = ended.held()
        wrong = (where, "`fails` must name a check that does not hold", held)
        assert held.get(miss.fails) is False, wrong
        yield label.partition(":")[0]


def _left(ended: ScoredWorld, right: ScoredWorld, *, journal: bool):
    """What counts of an end state: rows and answer; with `journal`, and where the solution changes
    no rows, also what the journal tells."""
    changed = state(right.before) != state(right.after)
    return (state(ended.after) if changed and not journal else ended.after), ended.answer


def test_doing_nothing_scores_nothing_whatever_is_answered(name):
    for scenario in drawn(name):
        untouched = family(name).world(scenario)
        context = ScoringContext.of(scenario, before=untouched.snapshot())
        for answer in ANSWERS:
            reply = scenario.instruction * 50 if answer == "dump" else answer
            score = context.score(untouched.snapshot(), reply)
            where = f"{scenario.name}, {answer!r}: earned something; let the scorer ask for deeds"
            assert not score.success and not score.success_published, where
            assert score.progress == 0, where
            assert not score.reward and not score.reward_strict, where


def test_a_verdict_is_a_pure_function_of_what_was_recorded(name):
    scenario, ended = drawn(name)[0], solved(name, 0)
    kept = json.dumps([ended.before, ended.after, scenario.to_json()])
    before, after, _ = json.loads(kept)
    repeated = ScoringContext.of(scenario, before=before).score(after, ended.answer)
    assert repeated.to_json() == ended.score.to_json(), "score from the arguments and nothing else"
    assert json.dumps([before, after, scenario.to_json()]) == kept
    json.dumps(ended.score.to_json(), allow_nan=False)


# In the browser ----------------------------------------------------------------------------------


def _expert_succeeds(harness: EpisodeHarness, name: str, run: Path, seed: int) -> None:
    scenario = registry.scenario(f"{family(name).SITE}/{name}/{seed}")
    record = harness.run("expert", scenario.name, run, strict=True).record
    assert record["success"] is True and record["progress"] == 1, record
    longer = record["steps"] - family(name).length(scenario)
    assert longer == 0 or name in LOOK_ALIKES + PROBING, "budgets are made from the length"
    if name in PROBING:
        assert record["steps"] <= budgeted_length(family(name), scenario)
    assert record["invalid_actions"] == 0, "let `advise` give only actions that the page can do"
    assert record["repeats"] == 0, "`advise` must see on the page that an action is done"
    assert record["progress_curve"]["no_return"] is None
    assert record["wasted"] == max(0, longer)


@for_each("seed", range(3))
def test_the_expert_succeeds(harness, name, tmp_path, seed):
    if is_aside(name) or (seed and name.partition(".")[2] in KEYS):
        pytest.skip("its family's first seeds are on all airlines")
    if seed and not DEEP and name not in ON_AIRLINES:
        pytest.skip("other seeds are the work of `tox -e deep`")
    measured = seed == 0 and not family(name).VARIANT_OF
    with nullcontext() if measured else unmeasured():
        _expert_succeeds(harness, name, tmp_path, seed)


@pytest.mark.deep
@for_each("seed", range(3, 50))
def test_the_expert_succeeds_on_fifty(harness, name, tmp_path, seed):
    _expert_succeeds(harness, name, tmp_path, seed)


@for_each("agent", ["nothing", "refuse"])
def test_the_null_agents_get_nothing(harness, name, tmp_path, agent):
    with unmeasured():
        record = harness.run(agent, f"{family(name).SITE}/{name}/0", tmp_path, strict=True).record
    assert (record["ended"], record["success"], record["progress"]) == ("answered", False, 0)
    assert record["steps"] == record["llm_calls"] == 0
