"""Plans with loops and procedures: how they are read, and how the methods carry them out."""

from __future__ import annotations

import asyncio

import pytest

from agent.interface import Reply
from agent.llm.simulated import looping
from agent.methods import anticipatory_reflection, plan_act, sampled_alternatives
from agent.methods.anticipatory_reflection import loops
from tests.agent.methods.paper_site import Hand, Seen, Site, screen, solved
from tests.contracts.harness import trace_of

LOOP = "For each of the messages: "


def read(*lines: str) -> list[str]:
    return loops.plan(Reply(("\n".join(lines),)))


def test_a_call_is_replaced_by_the_steps_of_its_procedure():
    plan = read(
        *("List", "1. Open the inbox", "2. Do KEEP for the newest message", "3. Do KEEP"),
        *("", "**Procedure KEEP**", "1. open it", "2. Do STAR", "Procedure STAR", "1. star it"),
    )
    newest = "For the newest message: "
    assert plan == ["Open the inbox", f"{newest}open it", f"{newest}star it", "open it", "star it"]


def test_a_loop_may_call_a_procedure():
    plan = read("1. For each of the messages: open it; Do KEEP", "Procedure KEEP", "1. star it")
    assert plan == [f"{LOOP}open it; star it"]


def test_a_step_in_plain_words_is_no_call():
    assert read("1. Do a search", "2. For each page, look") == [
        "Do a search",
        "For each page, look",
    ]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["1. Do KEEP"], "there is no Procedure KEEP; write it below the list"),
        (["1. Do KEEP", "Procedure KEEP", "1. Do KEEP"], "Procedure KEEP calls itself"),
        (
            ["1. For each of A: Do KEEP", "Procedure KEEP", "1. For each of B: go"],
            "is a loop within a loop; write one loop after another",
        ),
        (
            ["1. Do KEEP", "2. Do KEEP", "Procedure KEEP", *(f"{n}. go" for n in range(1, 21))],
            "the plan has 40 steps with its calls; write at most 30",
        ),
        (["1. Do KEEP", "Procedure KEEP"], "there is no numbered list of steps"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused_in_words(lines, why):
    with pytest.raises(ValueError, match=why):
        read(*lines)


def test_things_are_the_lines_behind_a_dash():
    assert loops.things(Reply(("- the first\n* the second\n",))) == ["the first", "the second"]
    assert loops.things(Reply(("NONE.",))) == loops.things(Reply(("- NONE",))) == []
    with pytest.raises(ValueError, match="begins with a dash"):
        loops.things(Reply(("the first",)))


def test_a_loop_is_unrolled_for_things_that_the_plan_does_not_name():
    loop = loops.Loop.read(f"{LOOP}open it; star it")
    assert loop is not None
    plan = ["For A: open it", "For A: star it", loop.text]
    assert loop.unrolled(["A", "B", "B"], plan) == [
        *("For B: open it", "For B: star it"),
        loop.text,
    ]
    assert loop.unrolled(["A"], plan) == loop.unrolled([], plan) == []
    assert loop.unrolled(["B"], ["go"] * loops.LONGEST) == []


# In the methods ---------------------------------------------------------------------------------

MOVES = {("home", f"click [{n}]"): "home" for n in range(1, 10)}


def letters(count: int) -> Site:
    return Site({"home": [screen("home", *(f"Letter {n}" for n in range(1, count + 1)))]}, MOVES)


def step(**verdicts: str) -> str:
    lines = (f"{name.replace('_', ' ')}: {word}" for name, word in verdicts.items())
    return "\n".join(["The action is to go on.", *lines])


def done(task: str = "NO") -> str:
    return step(Served="YES", Step_done="YES", Task_done=task)


METHODS = {
    "anticipatory reflection": (anticipatory_reflection, {"remedies": 0}),
    "plan and act": (plan_act, {}),
    "sampled alternatives": (sampled_alternatives, {"samples": 1}),
}


def solve(name: str, site: Site, llm: Hand) -> Seen:
    method, options = METHODS[name]
    return asyncio.run(solved(method, site, llm, method.Options(loops=True, **options)))


@pytest.mark.parametrize("count", [1, 4])
@pytest.mark.parametrize("name", METHODS)
def test_one_plan_does_any_number_of_things(name, count):
    """Two on a screen at first, so that the agent must look once more for the others."""
    named = [f"- letter {n}" for n in range(1, count + 1)]
    llm = Hand(
        {
            "plan": ["1. For each of the letters: Do STAR\nProcedure STAR\n1. star it"],
            "things": ["\n".join(named[:2]), *filter(None, ["\n".join(named[2:])]), "NONE"],
            "act": [f"click [{n}]" for n in range(1, count + 1)],
            "assess": [done()] * count,
            "task-done": ["YES"],
        }
    )
    site = letters(count)
    seen = solve(name, site, llm)
    assert seen.answer == "42" and site.went == [f"click [{n}]" for n in range(1, count + 1)]
    assert seen.texts("subtask") == [f"For letter {n}: star it" for n in range(1, count + 1)]
    assert [each["length"] for each in seen.events("plan")] == [1]
    assert seen.events("unroll")[-1]["things"] == [] and site.attempts == 1
    assert "Step: 1. For each of the letters: star it" in llm.questions("things")[0]
    assert "1. For letter 1: star it\n" in llm.questions("things")[1]


def test_a_loop_without_things_leaves_the_next_step():
    llm = Hand({"plan": ["1. For each of the letters: star it\n2. leave"], "things": ["NONE"]})
    llm.written |= {"act": ["click [1]"], "assess": [done("YES")]}
    seen = solve("anticipatory reflection", letters(1), llm)
    assert seen.texts("subtask") == ["leave"] and seen.answer == "42"


def test_without_the_option_a_loop_is_a_step_in_plain_words():
    llm = Hand({"plan": [f"1. {LOOP}star it"], "act": ["click [1]"], "assess": [done("YES")]})
    options = anticipatory_reflection.Options(remedies=0)
    seen = asyncio.run(solved(anticipatory_reflection, letters(1), llm, options))
    assert seen.texts("subtask") == [f"{LOOP}star it"] and "things" not in llm.purposes
    assert "Procedure" not in llm.questions("plan")[0]


# The scripted model ------------------------------------------------------------------------------


def test_the_script_plans_a_loop_for_a_step_about_several_things():
    plan = read(*looping.plan(["search", "save wishes", "process"]).split("\n"))
    assert plan == ["search", "For each of the wishes: save wishes", "process"]


def test_another_thing_has_the_role_of_the_first_and_another_name():
    step = "For link 'A': save wishes"
    assert looping.is_other(step, "link 'B'")
    assert not any(looping.is_other(step, each) for each in ("link 'A'", "button 'B'", "", "press"))
    assert not looping.is_other("save wishes", "link 'B'")


def test_the_script_saves_each_product_of_a_brand_by_a_loop(harness, tmp_path):
    counts = set()
    for seed in (0, 2):
        agent = "anticipatory-reflection:loops=true,remedies=0"
        play = harness.run(agent, f"store/wish_brand/{seed}", tmp_path / str(seed), strict=True)
        assert play.record["success"] and play.record["plan_length"] == [3]
        trace = trace_of(play.home / "trace.jsonl")
        saved = [each for each in trace if each.get("target") == "button 'Add to Wish List'"]
        unrolled = [each for each in trace if each.get("word") == "unroll"]
        assert len(unrolled) == len(saved) + 2, "one a product, and two at the end"
        counts.add(len(saved))
    assert len(counts) == 2, "one plan, however many products there are"
