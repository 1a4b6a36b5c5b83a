"""Agents by name."""

from __future__ import annotations

import pytest

from agent import agent_spec, prompting
from agent.agent_spec import Agent, BadAgent
from agent.plugins import BadPlugin, UnknownName
from tests.each import for_each


@for_each(
    ("text", "agent"),
    [
        ("react", Agent("react", "react")),
        ("react:instructions", Agent("react:instructions", "react", {"instructions": True})),
        ("react:reasks=0", Agent("react:reasks=0", "react", {"reasks": 0})),
        (
            "react:instructions=true,reasks=1",
            Agent("react:instructions=true,reasks=1", "react", {"instructions": True, "reasks": 1}),
        ),
        (
            "react:instructions:reasks=1",
            Agent("react:instructions:reasks=1", "react", {"instructions": True, "reasks": 1}),
        ),
        ("react@gpt-x", Agent("react@gpt-x", "react", model="gpt-x")),
        ("react@org/gpt-x", Agent("react@org/gpt-x", "react", model="org/gpt-x")),
        (
            "react:instructions@gpt-4.1:latest",
            Agent(
                "react:instructions@gpt-4.1:latest",
                "react",
                {"instructions": True},
                model="gpt-4.1:latest",
            ),
        ),
        ("react@scripted-0.7", Agent("react@scripted-0.7", "react", skill=0.7)),
        (
            "react@scripted-0.7-memoryless",
            Agent("react@scripted-0.7-memoryless", "react", skill=0.7, mistakes="memoryless"),
        ),
        ("random:stop=0.5", Agent("random:stop=0.5", "random", {"stop": 0.5})),
    ],
)
def test_a_name_is_read(text, agent):
    assert agent_spec.read(text) == agent


def test_prompts_lie_in_a_folder_that_is_named_as_the_file():
    assert agent_spec.read("plan-act:no-reflexion").prompts == "plan_act"


def test_later_settings_win():
    assert agent_spec.read("react:published-code:reasks=1").options["reasks"] == 1


def test_a_skill_of_the_run_is_taken_unless_the_name_has_one():
    assert agent_spec.read("react", 0.5).skill == 0.5
    assert agent_spec.read("react@scripted-0.7", 0.5).skill == 0.7


def test_skill_and_mistakes_are_part_of_the_name_and_replace_those_that_it_tells():
    made = agent_spec.scripted(
        agent_spec.read("react:instructions@scripted-0.7"), 0.5, "memoryless"
    )
    assert made == agent_spec.read("react:instructions@scripted-0.5-memoryless")
    assert agent_spec.scripted(made, 1.0).name == "react:instructions@scripted-1"
    assert (
        agent_spec.unskilled(made.name)
        == agent_spec.unskilled("react:instructions")
        == "react:instructions"
    )


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("raect", "react"),
        ("reactt:instructions", "react"),
        ("react:instruction", "instructions"),
        ("react:reask=1", "reasks"),
        ("nothing:fast", "(none)"),
        ("nothing:fast=1", "(none)"),
        ("", "there are adaplanner"),
        ("react:", "instructions"),
    ],
)
def test_an_unknown_part_gives_the_nearest(text, near):
    with pytest.raises(UnknownName) as refused:
        agent_spec.read(text)
    assert near in str(refused.value) and "\n" not in str(refused.value)


@for_each(
    ("text", "problem"),
    [
        ("react:instructions=maybe", "true or false"),
        ("react:reasks=many", "'many'"),
        ("react:reasks=1.5", "'1.5'"),
        ("react:reasks=", "''"),
        ("expert:advise=x", "'x'"),
        ("react@scripted-1.5", "from 0 to 1"),
        ("react@scripted--1", "from 0 to 1"),
        ("react@scripted-nan", "from 0 to 1"),
        ("react@scripted-", "from 0 to 1"),
        ("react@scripted-good", "from 0 to 1"),
        ("react@scripted-0.5-dice", "-memoryless"),
    ],
)
def test_a_bad_value_is_refused_with_the_value(text, problem):
    with pytest.raises(BadAgent) as refused:
        agent_spec.read(text)
    assert problem in str(refused.value) and "\n" not in str(refused.value)


def test_a_number_of_reasks_below_zero_is_refused():
    with pytest.raises(ValueError, match="-1"):
        agent_spec.read("react:reasks=-1").build()


def test_a_file_that_an_option_names_must_be_there():
    with pytest.raises(BadAgent, match=r"cannot read /nowhere/keys\.jsonl"):
        agent_spec.read("synapse:memory_file=/nowhere/keys.jsonl")


def test_build_fills_in_what_the_method_knows_and_no_more():
    built = agent_spec.read("react:instructions").build(prompts=prompting.FOLDER, advise=print)
    assert built.instructions is True and built.prompts == prompting.FOLDER
    assert agent_spec.read("nothing").build(prompts=prompting.FOLDER) is not None


def test_an_option_of_the_name_beats_what_the_run_gives(tmp_path):
    built = agent_spec.read(f"react:prompts={tmp_path}").build(prompts=prompting.FOLDER)
    assert built.prompts == tmp_path


def test_the_names_and_variants_that_there_are():
    assert {"expert", "nothing", "random", "refuse", "react"} <= set(agent_spec.names())
    assert set(agent_spec.variants("react")) >= {"instructions", "published-code"}
    assert agent_spec.variants("nothing") == {}


@for_each(
    ("method", "variant"),
    [(method, variant) for method in agent_spec.names() for variant in agent_spec.variants(method)],
)
def test_every_variant_is_made_of_options(method, variant):
    agent = agent_spec.read(f"{method}:{variant}")
    assert agent.options and agent.build()


@for_each("method", agent_spec.names())
def test_every_method_can_be_built_and_says_what_it_is(method):
    module = agent_spec.read(method).module()
    assert (module.__doc__ or "").strip()
    agent_spec.read(method).build()


MINE = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Options:
    size: int = 3

async def solve(task, page, llm, options):
    return "done"
"""


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    agent = agent_spec.read(f"{path}:size=5@scripted-0.5")
    assert (agent.method, agent.path, agent.skill) == ("mine", str(path), 0.5)
    assert agent.name == "mine:size=5@scripted-0.5"
    assert agent_spec.read(str(path)).name == "mine"
    assert agent.build().size == 5
    with pytest.raises(UnknownName, match="size"):
        agent_spec.read(f"{path}:siez=5")


@pytest.mark.parametrize("lacking", ["Options", "solve"])
def test_a_file_that_is_no_method_says_what_is_missing(tmp_path, lacking):
    path = tmp_path / "mine.py"
    path.write_text(MINE.replace(lacking, "Other"))
    with pytest.raises(ValueError, match=lacking):
        agent_spec.read(str(path))


@pytest.mark.parametrize(("wrong", "right"), [("PROMTPS", "PROMPTS"), ("hashs", "hashes")])
def test_a_misspelt_optional_member_gives_the_nearest(tmp_path, wrong, right):
    path = tmp_path / "mine.py"
    path.write_text(f"{MINE}\n{wrong} = ()\n")
    with pytest.raises(BadPlugin, match=rf"{wrong} is no member .* did you mean {right}\?"):
        agent_spec.read(str(path))


def test_a_member_that_is_left_out_has_its_default(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    module = agent_spec.read(str(tmp_path / "mine.py")).module()
    assert (module.PROMPTS, module.hashes, module.check_prompts) == ((), None, None)
    assert (module.check, module.budget) == (None, None)


@pytest.mark.parametrize("text", ["0", "0.5", "1"])
def test_skills(text):
    assert agent_spec.skill_of(text) == float(text)


@pytest.mark.parametrize("text", ["", "x", "-0.1", "1.01", "nan", "inf"])
def test_what_is_no_skill(text):
    with pytest.raises(ValueError):
        agent_spec.skill_of(text)
