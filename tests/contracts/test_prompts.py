"""Every method sends what its prompt file holds, with exactly the variables that are written."""

from __future__ import annotations

import json

import pytest
from jinja2 import Environment, meta

import agent.llm.scripted
from agent import plugins, prompting
from agent.llm.cassette import Cassette
from agent.prompting import Prompts
from evaluators import agents, casting
from tests.contracts.test_honesty import CASES

PAIRS = sorted({(agent.split(":")[0], casting.family(family).SITE) for agent, family in CASES})


def test_every_method_with_prompts_has_a_scripted_model():
    folders = {path.name for path in prompting.FOLDER.iterdir() if path.is_dir()}
    assert folders == set(plugins.names(agent.llm.scripted))


RARE = {"laser": (("laser:force_after=2", 3), ("laser@scripted-0.6", 12))}
"""What else to play to hear every text: here a forced choice, and an item chosen twice."""


@pytest.fixture
def said(monkeypatch) -> list[tuple[str, frozenset[str]]]:
    """Every text that is rendered, with the names of the variables it was given."""
    heard = []
    say = Prompts.say

    def listening(self, name, **values):
        heard.append((name, frozenset(values)))
        return say(self, name, **values)

    monkeypatch.setattr(Prompts, "say", listening)
    return heard


@pytest.mark.parametrize(("method", "site"), PAIRS)
def test_texts_are_given_the_variables_that_they_name(theatre, tmp_path, said, method, site):
    """Over all variants and families every text of the file is used."""
    prompts = prompting.load(method.replace("-", "_"), site)
    own = [case for case in CASES if case[0].split(":")[0] == method]
    families = sorted({family for _, family in own if site == casting.family(family).SITE})
    variants = [(f"{method}:{variant}", 3) for variant in sorted(agents.variants(method))]
    for name, seed in (*variants, *RARE.get(method, ())):
        theatre.play(name, f"{site}/{families[0]}/{seed}", tmp_path, strict=True)
    for family in families:
        theatre.play(method, f"{site}/{family}/3", tmp_path, strict=True)
    assert {name for name, _ in said} == set(prompts.data["texts"]), "a text that nobody sends"
    for name, given in said:
        wanted = meta.find_undeclared_variables(Environment().parse(prompts.data["texts"][name]))
        assert given == wanted, name


SITES = sorted({(agent, casting.family(family).SITE) for agent, family in CASES})


@pytest.mark.parametrize(("agent_name", "site"), SITES)
def test_every_point_is_made_in_what_is_sent(theatre, tmp_path, agent_name, site):
    """Over the families that the agent is tried on: not every task comes to every screen."""
    sent = ""
    for name, family in CASES:
        if name == agent_name and site == casting.family(family).SITE:
            play = theatre.play(name, f"{site}/{family}/3", tmp_path, strict=True)
            calls = Cassette.read(play.home / "llm.jsonl").calls
            sent += json.dumps([call.request for call in calls], ensure_ascii=False)
    prompts = prompting.load(agent_name.split(":")[0].replace("-", "_"), site)
    missing = [point for point, phrase in prompts.data["covers"].items() if phrase not in sent]
    assert missing == []
