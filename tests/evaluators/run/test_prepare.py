"""What is checked before a run."""

from __future__ import annotations

import shlex
import shutil
from inspect import signature
from itertools import permutations
from pathlib import Path

import pytest

from agent import agent_spec, methods
from agent.agent_spec import Agent
from agent.llm.model_source import BadModelSource
from agent.llm.recording.replay import WHO_ANSWERS
from agent.plugins import BadPlugin, UnknownName, names
from agent.prompting import FOLDER, BadPrompt
from evaluators.records import files
from evaluators.run import prepare
from evaluators.run.config import RunConfig
from evaluators.run.prepare import NotCovered
from scenarios import registry
from tests.each import for_each
from tests.scenarios.test_registry import OWN


def options(command: str) -> dict[str, str]:
    words = shlex.split(command)
    assert words[:2] == ["rehearse", "run"]
    return dict(zip(words[2::2], words[3::2], strict=True))


@pytest.mark.parametrize("source", ["buy_item", "./own_family.py"])
def test_the_command_that_records_again_can_be_given(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    Path("own_family.py").write_text(OWN)
    shutil.copytree(FOLDER, "my prompts")
    config = RunConfig(
        llm=f"replay:{tmp_path}",
        out=tmp_path / "run",
        prompts=Path("my prompts"),
        trials=2,
        context=4096,
        mistakes="memoryless",
    )
    tasks = registry.from_family(source, range(2))
    _, run_context = prepare.prepare(["react"], tasks, config, [0.5])
    assert options(run_context.model_source.record_command) == {
        "--agent": "react",
        "--family": source,
        "--seeds": "0:2",
        "--skill": "0.5",
        "--mistakes": "memoryless",
        "--trials": "2",
        "--context": "4096",
        "--prompts": "my prompts",
        "--llm": "MODEL",  # the recording knows which
        "--record": "DIR",
    }


def test_what_is_as_usual_is_left_out_of_the_command():
    tasks = registry.from_suite("store-20")
    command = prepare.record_command(["react", "laser"], tasks, RunConfig(), [])
    assert command == (
        f"rehearse run --agent react,laser --suite store-20 {WHO_ANSWERS} --record DIR"
    )


def test_one_file_under_two_names_of_its_path_is_one_agent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from dataclasses import dataclass\n@dataclass\nclass Options: n: int = 0\n"
        "async def solve(task, page, llm, options): ..."
    )
    names = [str(tmp_path / "mine.py"), "./mine.py:n=1"]
    assert [agent.name for agent in prepare.read_agents(names)] == ["mine", "mine:n=1"]
    assert isinstance(prepare.read_agents(names)[0], Agent)
    with pytest.raises(UnknownName, match="mine is named twice"):
        prepare.read_agents(["./mine.py", str(tmp_path / "mine.py")])


EMBEDDING = """
from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    embedder: str = "openai"


async def solve(task, page, llm, options):
    return ""
"""


@pytest.mark.parametrize(
    ("llm", "who"), [("scripted", "the scripted model"), ("person", "a person")]
)
def test_an_embedder_that_nobody_answers_is_refused(tmp_path, llm, who):
    method = tmp_path / "embedding.py"
    method.write_text(EMBEDDING)
    tasks = registry.from_family("buy_item", range(1))
    config = RunConfig(llm=llm, out=tmp_path / "run")
    with pytest.raises(BadModelSource, match=f"{who} makes no embeddings.*embedder=hashed"):
        prepare.prepare([str(method)], tasks, config)
    assert not (tmp_path / "run").exists()


@for_each(
    ("agent", "families", "words"),
    [
        (
            "step",
            ["ledger_audit"],
            "step: its script does not cover ledger_audit; it covers buy_it",
        ),
        (
            "laser@scripted-0.5",
            ["buy_item", "checkout_exact.busy"],
            "not cover checkout_exact.busy",
        ),
        ("lats", ["restock", "ticket_bags", "ticket_name", "ticket_refund"], " and 1 more; it"),
    ],
)
def test_a_family_that_a_script_does_not_cover_is_refused(tmp_path, agent, families, words):
    tasks = registry.from_families(families, range(1))
    with pytest.raises(NotCovered, match="--llm live") as refused:
        prepare.prepare([agent], tasks, RunConfig(out=tmp_path / "run"))
    assert words in str(refused.value) and "\n" not in str(refused.value)
    assert not (tmp_path / "run").exists()


PLACES = {
    "buy_item": "store",
    "buy_wish": "store",
    "find_by_name": "crm",
    "airline_search": "crm",
    "click-pie": "widgets",
    "login-user": "widgets",
}
"""A family of each desk, shop and kind of task page, with its site."""
PROMPTED = [
    name
    for name in names(methods)
    if "prompts" in signature(agent_spec.read(name).module().Options).parameters
]


@pytest.mark.parametrize("method", PROMPTED)
def test_a_pair_that_is_refused_alone_is_refused_beside_every_other_pair(tmp_path, method):
    def refusal(*families: str) -> str:
        tasks = registry.from_families(families, range(1))
        try:
            prepare._check_prompts(prepare.read_agents([method]), tasks, FOLDER)
        except BadPrompt as refused:
            return str(refused)
        return ""

    single = {family: refusal(family) for family in PLACES}
    for family, other in permutations(PLACES, 2):
        assert bool(refusal(family, other)) == bool(single[family] or single[other])
        if single[family] and not single[other]:
            assert refusal(family, other) == single[family]
            assert f"{method} cannot do {PLACES[family]}/{family}: " in single[family]
    assert method != "laser" or sum(map(bool, single.values())) == 3


def test_a_script_covers_a_file_of_ones_own_and_no_script_is_asked_of_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own_family.py").write_text(OWN)
    own = registry.from_family("./own_family.py", range(1))
    other = registry.from_family("ledger_audit", range(1))
    tapes = RunConfig(llm=f"replay:{tmp_path}", out=tmp_path / "c")
    for at, (agent, tasks) in enumerate([("step", own), ("react", other), ("expert", other)]):
        assert prepare.prepare([agent], tasks, RunConfig(out=tmp_path / str(at)))
    assert prepare.prepare(["step"], other, tapes), "a recording is of whoever spoke"


def test_the_requests_to_a_person_lie_in_the_folder_of_the_run(tmp_path):
    tasks = registry.from_family("buy_item", range(1))
    config = RunConfig(llm="person", out=tmp_path / "run")
    _, run_context = prepare.prepare(["react"], tasks, config)
    assert run_context.model_source.requests == tmp_path / "run" / "requests"
    assert files.load(tmp_path / "run" / "run.json")["config"]["llm"] == "person"


def test_a_person_has_no_name_to_choose(tmp_path):
    tasks = registry.from_family("buy_item", range(1))
    config = RunConfig(llm="person", model="gpt-x", out=tmp_path / "run")
    with pytest.raises(BadModelSource, match="--llm person asks no live model"):
        prepare.prepare(["react"], tasks, config)


PRICE = Path("docs/adding.md").read_text("utf-8").partition("`price_of.py`:\n\n```python\n")[2]


@pytest.mark.parametrize(
    ("was", "now", "line"),
    [
        ("", "", r"other\.py:26,29: .* family='price_of'; write 'other'"),
        ('"price_of"', '"other"', r"other\.py:29: `start` of seed 0 is .* another scenario"),
        ("'price_of'", "'other'", r"other\.py:26: .* family='price_of'"),
        ('"account"', '"acount"', r"SCORING: .* scorer of .* 'acount'; did you mean account"),
        ("items[seed", "itms[seed", r"other\.py:23: NameError: .*itms"),
    ],
)
def test_a_copied_family_is_refused_before_the_run(tmp_path, was, now, line):
    text = PRICE.partition("```")[0]
    copied = tmp_path / "other.py"
    copied.write_text(text.replace(was, now) if was else text)
    out = tmp_path / "run"
    tasks = registry.from_families(["buy_item", str(copied)], range(1))
    with pytest.raises(BadPlugin, match=line):
        prepare.prepare(["nothing"], tasks, RunConfig(out=out))
    assert not out.exists()
