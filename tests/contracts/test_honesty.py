"""The scripted model knows what the request says and nothing else.

Real requests of real episodes are taken, something is cut out of them or altered, and the model is
asked again. Every method with a scripted model is tested on every site that it has prompts for,
with every one of its variants.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import agent.llm.scripted
from agent import plugins, prompting
from agent.llm.cassette import Cassette
from agent.llm.scripted._mind import Mind
from agent.llm.scripted._reading import Knowledge
from agent.llm.voices import answer
from agent.renderings import markers
from evaluators import agents, casting
from scenarios.scenario import Scenario

SEEDS = (3, 4)
METHODS = plugins.names(agent.llm.scripted)
FENCED = re.compile(
    rf"^{re.escape(markers.OPEN)}$.*?^{re.escape(markers.CLOSE)}$", re.MULTILINE | re.DOTALL
)


def _has_prompts(method: str, site: str) -> bool:
    folder = prompting.FOLDER / method
    return (folder / f"{site}.toml").is_file() or (folder / "_default.toml").is_file()


CASES = [
    (":".join(filter(None, (method.replace("_", "-"), variant))), family)
    for method in METHODS
    for family, module in sorted(casting.family_modules().items())
    if _has_prompts(method, module.SITE)
    for variant in ("", *sorted(agents.variants(method)))
]


@dataclass(frozen=True)
class Asked:
    """One request of an episode, and what the model said to it."""

    scenario: Scenario
    purpose: str
    body: dict[str, Any]
    recorded: Said

    def ask(self, change: Callable[[str], str] = str) -> Said:
        """What the model says where every message's text is changed so."""
        body = json.loads(json.dumps(self.body))
        for message in body["messages"]:
            if isinstance(message.get("content"), str):
                message["content"] = change(message["content"])
        return said(answer(_mind(self.scenario), self.purpose, body))

    @property
    def text(self) -> str:
        contents = (message.get("content") for message in self.body["messages"])
        return "\n".join(str(content) for content in contents if content)

    @property
    def page(self) -> str:
        """The newest observation, as written."""
        shown = markers.unfence(self.text)
        return shown[-1] if shown else ""


@dataclass(frozen=True)
class Said:
    """A reply as JSON."""

    reply: str

    @property
    def arguments(self) -> list[str]:
        """What it names: arguments of actions, values of function calls; thoughts apart."""
        found = []
        for message in json.loads(self.reply):
            text = re.sub(r"(?i)\bthink\[.*\]|thought:.*", "", message.get("content") or "")
            found += re.findall(r"\[([^\[\]]+)\]", text)
            for call in message.get("tool_calls", ()):
                found += map(str, json.loads(call["function"]["arguments"]).values())
        return found


def said(reply: Any) -> Said:
    return Said(json.dumps([choice["message"] for choice in reply["choices"]], sort_keys=True))


def _mind(scenario: Scenario) -> Mind:
    advise = partial(casting.family(scenario.family).advise, scenario)
    knowledge = Knowledge(scenario.instruction, scenario.name, scenario.site, 0, advise)
    return Mind({scenario.instruction: knowledge})


@pytest.fixture(scope="module")
def asked(theatre, tmp_path_factory):
    """The requests of a skilful agent's episodes, by (agent, family)."""
    kept: dict[tuple[str, str], list[Asked]] = {}

    def requests(agent: str, family: str) -> list[Asked]:
        if (agent, family) not in kept:
            kept[agent, family] = list(_recorded(theatre, agent, family, tmp_path_factory))
        return kept[agent, family]

    return requests


def _recorded(theatre, agent: str, family: str, folders) -> Iterator[Asked]:
    for seed in SEEDS:
        scenario = casting.scenario(f"{casting.family(family).SITE}/{family}/{seed}")
        play = theatre.play(agent, scenario.name, folders.mktemp("run"), strict=True)
        assert play.record["success"] is True, (agent, scenario.name, play.record["error"])
        for call in Cassette.read(play.home / "llm.jsonl").calls:
            body = json.loads(json.dumps(call.request))
            yield Asked(scenario, call.purpose, body, said(call.reply))


each_case = pytest.mark.parametrize(("agent", "family"), CASES)


def _outside_pages(text: str, change: Callable[[str], str]) -> str:
    """The text changed, its observations left alone."""
    pages = FENCED.findall(text)
    parts = [change(part) for part in FENCED.split(text)]
    return "".join(part + page for part, page in zip(parts, [*pages, ""], strict=True))


def _without(value: str, text: str, by: str = "") -> str:
    return re.sub(re.escape(value), by, text, flags=re.IGNORECASE)


def test_there_are_cases():
    assert {agent.split(":")[0].replace("-", "_") for agent, _ in CASES} == set(METHODS)


@each_case
def test_the_unchanged_request_gets_the_recorded_reply(asked, agent, family):
    for each in asked(agent, family):
        assert each.ask() == each.recorded


@each_case
def test_everything_that_it_names_stands_in_the_request(asked, agent, family):
    named = 0
    for each in asked(agent, family):
        known = each.text.casefold()
        for argument in each.ask().arguments:
            words = argument.casefold().split()
            assert [word for word in words if word not in known] == [], (each.purpose, argument)
            named += 1
    assert named


@each_case
def test_a_target_that_is_not_shown_is_not_used(asked, agent, family):
    """Cut the line of what it presses, or of the field that it types into, out of the page."""
    cut = 0
    for each in asked(agent, family):
        right = each.ask()
        lines = _lines_of(each, right)
        if not lines:
            continue
        cut += 1
        page = "\n".join(line for line in each.page.split("\n") if line not in lines)
        blind = each.ask(lambda text, each=each, page=page: text.replace(each.page, page))
        assert blind.arguments != right.arguments, (each.purpose, lines, blind)
    assert cut, "no reply of this method names anything on its page"


def _lines_of(each: Asked, said: Said) -> list[str]:
    lines = [
        line for line in each.page.partition("\n\n")[2].split("\n") if "Instruction" not in line
    ]
    for argument in said.arguments:
        named = re.compile(rf"(?:\[|\] |'){re.escape(argument)}(?:'|\]| \[)", re.IGNORECASE)
        found = [line for line in lines if named.search(line)]
        if found:
            return found
    if said.arguments and not each.purpose.endswith("summary"):
        return [line for line in lines if re.search(r"search ?b(?:ar|ox)|textbox|\[field", line)]
    return []


@each_case
def test_without_the_instruction_it_does_not_know_what_to_do(asked, agent, family):
    for each in asked(agent, family):
        told = each.scenario.instruction
        assert told in each.text
        lost = each.ask(lambda text, told=told: text.replace(told, ""))
        assert lost != each.ask(), (each.purpose, lost)
        assert not set(lost.arguments) & set(each.ask().arguments), each.purpose


@each_case
def test_a_value_that_is_told_otherwise_is_not_known(asked, agent, family):
    """The page still shows the true instruction; only what the method says is altered."""
    altered = 0
    for each in asked(agent, family):
        right = each.ask()
        for value in _values(each.scenario):
            if not any(value.casefold() in argument.casefold() for argument in right.arguments):
                continue
            changed = each.ask(
                lambda text, value=value: _outside_pages(
                    text, lambda part: _without(value, part, "zzz")
                )
            )
            altered += 1
            assert changed.arguments != right.arguments, (each.purpose, value)
            named = " ".join(changed.arguments).casefold()
            assert value.casefold() not in named, (each.purpose, value, changed.arguments)
    assert altered


def _values(scenario: Scenario) -> list[str]:
    """What the gold holds and the instruction says."""
    told = scenario.instruction.casefold()
    leaves = {leaf for leaf in _leaves(scenario.gold) if isinstance(leaf, str) and leaf}
    return sorted(leaf for leaf in leaves if leaf.casefold() in told)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)
    else:
        yield value


STORE = [case for case in CASES if case[1] == "buy_item"]


@pytest.mark.parametrize(("agent", "family"), STORE)
def test_the_right_product_is_not_opened_by_who_was_told_other_properties(asked, agent, family):
    opened = 0
    for each in asked(agent, family):
        gold = each.scenario.gold
        if each.ask().arguments[:1] != [gold["asin"]]:
            continue
        opened += 1
        for value in (gold["query"], *gold["attributes"]):
            changed = each.ask(
                lambda text, value=value: _outside_pages(
                    text, lambda part: _without(value, part, "zzz")
                )
            )
            assert changed.arguments != [gold["asin"]], value
    assert opened


# Whole episodes ----------------------------------------------------------------------------------


def silent_prompts(method: str, folder: Path) -> Path:
    """The prompts of a method without the instruction in any template."""
    target = folder / method
    target.mkdir(parents=True)
    for path in (prompting.FOLDER / method).glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        (target / path.name).write_text(re.sub(r"\{\{ *instruction *\}\}", "...", text))
    return folder


@each_case
def test_an_agent_that_is_not_told_the_instruction_fails(theatre, tmp_path, agent, family):
    method = agent.split(":")[0].replace("-", "_")
    prompts = silent_prompts(method, tmp_path / "prompts")
    for seed in SEEDS:
        scenario = f"{casting.family(family).SITE}/{family}/{seed}"
        play = theatre.play(agent, scenario, tmp_path / "run", prompts=prompts, strict=True)
        assert play.record["success"] is False and play.record["progress"] == 0, play.record
        assert play.record["llm_calls"] > 0
