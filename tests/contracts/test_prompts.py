"""Every method sends what its prompt file holds, with exactly the variables that are written."""

from __future__ import annotations

import json

import pytest
from jinja2 import Environment, meta

import agent.llm.scripted
from agent import agent_spec, plugins, prompting
from scenarios import registry
from tests.contracts.test_honesty import CASES, coverage

pytestmark = pytest.mark.usefixtures("unmeasured")
PAIRS = sorted({(agent.split(":")[0], registry.family(family).SITE) for agent, family in CASES})


def test_every_method_with_prompts_has_a_scripted_model():
    folders = {path.name for path in prompting.FOLDER.iterdir() if path.is_dir()}
    assert folders == set(plugins.names(agent.llm.scripted)), (
        "write agent/llm/scripted/<method>.py for each method with prompts"
    )


@pytest.mark.parametrize(("agent", "site"), PAIRS)
def test_texts_are_given_the_variables_that_they_name(shared_episodes, agent, site):
    """Over all variants and families every text of the file is used."""
    texts = prompting.load(agent.replace("-", "_"), site).data["texts"]
    families = _families_of(agent, site)
    episodes = [(agent, family, 3) for family in families]
    episodes += [(f"{agent}:{variant}", families[0], 3) for variant in agent_spec.variants(agent)]
    episodes += _extra(agent, families)
    rendered = frozenset().union(*(shared_episodes.get(*each).rendered for each in episodes))
    assert {name for name, _ in rendered} == set(texts), "a text that nobody sends"
    for name, given in rendered:
        wanted = meta.find_undeclared_variables(Environment().parse(texts[name]))
        assert given == wanted, f"text {name}: give it the variables that it names, and no other"


def _extra(agent: str, families: list[str]) -> list[tuple[str, str, int, int | None]]:
    """The episodes that the method's coverage names for this site."""
    site = registry.family(families[0]).SITE
    return [
        (each.agent, each.family or families[0], each.seed, each.context)
        for each in coverage(agent.split(":")[0]).extra
        if not each.family or site == registry.family(each.family).SITE
    ]


def _families_of(agent: str, site: str) -> list[str]:
    """The families of the site that the agent is tried on."""
    return [name for who, name in CASES if who == agent and site == registry.family(name).SITE]


SITES = sorted({(agent, registry.family(family).SITE) for agent, family in CASES})


@pytest.mark.parametrize(("agent", "site"), SITES)
def test_every_point_is_made_in_what_is_sent(shared_episodes, agent, site):
    """Over the families that the agent is tried on: not every task comes to every screen."""
    sent, families = "", _families_of(agent, site)
    for each in [*((agent, family, 3) for family in families), *_extra(agent, families)]:
        calls = shared_episodes.get(*each).calls
        sent += json.dumps([call.request for call in calls], ensure_ascii=False)
    prompts = prompting.load(agent.split(":")[0].replace("-", "_"), site)
    missing = [point for point, phrase in prompts.data["covers"].items() if phrase not in sent]
    assert missing == [], "a point of [covers] is in no text that is sent; write it, or drop it"
