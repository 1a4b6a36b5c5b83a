"""Every method sends what its prompt file holds, with exactly the variables that are written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jinja2 import Environment, meta

import agent.llm.scripted
from agent import agent_spec, plugins, prompting
from scenarios import registry
from tests.contracts.test_honesty import CASES

pytestmark = pytest.mark.usefixtures("unmeasured")
PAIRS = sorted({(agent.split(":")[0], registry.family(family).SITE) for agent, family in CASES})


def test_every_method_with_prompts_has_a_scripted_model():
    folders = {path.name for path in prompting.FOLDER.iterdir() if path.is_dir()}
    assert folders == set(plugins.names(agent.llm.scripted))


SHORT = "history_tokens=20"
MAPPING = "mapping=model,backtrack=url@scripted-0.5"
RARE: dict[str, tuple[tuple[Any, ...], ...]] = {
    "laser": (("laser:force_after=2", "", 3), ("laser@scripted-0.6", "", 12)),
    "synapse": (("synapse", "email-inbox-nl-turk", 3), ("synapse", "click-pie", 3)),
    "anticipatory-reflection": (
        (f"anticipatory-reflection:{SHORT},screen_tokens=50", "", 3),
        *((f"anticipatory-reflection:{MAPPING}", "", seed) for seed in range(3, 9)),
        (f"anticipatory-reflection:{MAPPING}", "wish_brand", 7),
    ),
    "plan-act": ((f"plan-act:{SHORT}", "", 3), ("plan-act", "", 3, 1000)),
    "sampled-alternatives": (
        (f"sampled-alternatives:batched=true,{SHORT},screen_tokens=50", "", 3),
        *((f"sampled-alternatives:{MAPPING}", "", seed) for seed in (2, 8)),
        (f"sampled-alternatives:{MAPPING}", "wish_brand", 9),
    ),
    "lats": (
        ("lats:depth=2", "", 3),
        (f"lats:{SHORT},screen_tokens=50", "", 3),
    ),
}
"""What else to play to hear every text: for LASER a forced choice, and an item chosen twice; for
Synapse both kinds of abstraction; for Anticipatory Reflection summaries, and elements that are
found again; for its baselines a page too long for the context, samples that differ and a failure
to reflect on. Without a family it is the site's first; the last number is a context in tokens."""


@pytest.mark.parametrize(("agent", "site"), PAIRS)
def test_texts_are_given_the_variables_that_they_name(shared_episodes, agent, site):
    """Over all variants and families every text of the file is used."""
    texts = prompting.load(agent.replace("-", "_"), site).data["texts"]
    families = _families_of(agent, site)
    plays = [(agent, family, 3) for family in families]
    plays += [(f"{agent}:{variant}", families[0], 3) for variant in agent_spec.variants(agent)]
    plays += _rare(agent, families)
    said = frozenset().union(*(shared_episodes.get(*play).rendered for play in plays))
    assert {name for name, _ in said} == set(texts), "a text that nobody sends"
    for name, given in said:
        wanted = meta.find_undeclared_variables(Environment().parse(texts[name]))
        assert given == wanted, name


def _rare(agent: str, families: list[str]) -> list[tuple[Any, ...]]:
    site = registry.family(families[0]).SITE
    return [
        (name, rare or families[0], *more)
        for name, rare, *more in RARE.get(agent, ())
        if not rare or site == registry.family(rare).SITE
    ]


def _families_of(agent: str, site: str) -> list[str]:
    """The families of the site that the agent is tried on."""
    return [name for who, name in CASES if who == agent and site == registry.family(name).SITE]


SITES = sorted({(agent, registry.family(family).SITE) for agent, family in CASES})


@pytest.mark.parametrize(("agent", "site"), SITES)
def test_every_point_is_made_in_what_is_sent(shared_episodes, agent, site):
    """Over the families that the agent is tried on: not every task comes to every screen."""
    sent, families = "", _families_of(agent, site)
    for play in [*((agent, family, 3) for family in families), *_rare(agent, families)]:
        calls = shared_episodes.get(*play).calls
        sent += json.dumps([call.request for call in calls], ensure_ascii=False)
    prompts = prompting.load(agent.split(":")[0].replace("-", "_"), site)
    missing = [point for point, phrase in prompts.data["covers"].items() if phrase not in sent]
    assert missing == []
