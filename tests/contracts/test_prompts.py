"""Every method sends what its prompt file holds, with exactly the variables that are written."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from jinja2 import Environment, meta

import agent.llm.scripted
from agent import agent_spec, plugins, prompting
from scenarios import registry
from scenarios.scenario import start_host
from tests.contracts.shared_episodes import Rendered
from tests.contracts.test_honesty import CASES, seeds_of
from tests.contracts.tried import tried
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")
PAIRS = sorted(
    {(agent.split(":")[0], start_host(registry.family(family))) for agent, family in CASES}
)


def test_every_method_with_prompts_has_a_scripted_model():
    files = (path for path in prompting.FOLDER.rglob("*.toml") if path.name != "variants.toml")
    folders = {path.relative_to(prompting.FOLDER).parts[0] for path in files}
    assert folders == set(plugins.names(agent.llm.scripted)), (
        "write agent/llm/scripted/<method>.py for each method with prompts"
    )


@pytest.mark.wide
@pytest.mark.parametrize(("agent", "site"), PAIRS)
def test_texts_are_given_the_variables_that_they_name(shared_episodes, agent, site):
    """Over all variants and families every text of the file is used.

    What all sites share is looked for where tasks of every kind are."""
    texts = prompting.load(agent.replace("-", "_"), site).data["texts"]
    rendered: set[Rendered] = set()
    missing = _expected(agent, site, "texts")
    for each in _episodes(agent, site, missing):
        rendered |= shared_episodes.get(*each).rendered
        missing -= {name for name, _ in rendered}
    assert {name for name, _ in rendered} <= set(texts)
    assert not missing, f"no request shows the texts {sorted(missing)}; drop them from the file"
    for name, given in rendered:
        wanted = meta.find_undeclared_variables(Environment().parse(texts[name]))
        assert given == wanted, f"text {name}: give it the variables that it names, and no other"


ALL_KINDS = "store"
"""Only the tasks of this site may ask for an answer or prove to be impossible."""


def _expected(agent: str, site: str, table: str) -> set[str]:
    """The keys of a table of the prompt file that must be met on this site."""
    prompts = prompting.load(agent.replace("-", "_"), site)
    own = prompting.parse(prompts.path).get(table, {})
    expected = set(prompts.data[table] if site == ALL_KINDS else own)
    return expected - {*tried(agent).unsent}


def _episodes(
    agent: str, site: str, missing: set[str]
) -> Iterator[tuple[str, str, int, int | None]]:
    """Those of all families; then the extra ones of the method, and of all variants on the first
    family, begun with such as are tried here anyway: all of them with `tox -e deep`, else as long
    as the caller, who takes what it met off `missing`, has something left there."""
    families = _families_of(agent, site)
    variants = [f"{agent}:{variant}" for variant in agent_spec.variants(agent)]
    variants.sort(key=lambda one: (one, families[0]) not in CASES)
    first = [(one, families[0], seeds_of(one, families[0])[0], None) for one in variants]
    yield from ((agent, family, seeds_of(agent, family)[0], None) for family in families)
    for each in (*_extra(agent, families), *first):
        if DEEP or missing:
            yield each


def _extra(agent: str, families: list[str]) -> list[tuple[str, str, int, int | None]]:
    """The extra episodes of the method on this site."""
    site = start_host(registry.family(families[0]))
    return [
        (each.agent, each.family or families[0], each.seed, each.context)
        for each in tried(agent.split(":")[0]).extra
        if not each.family or site == start_host(registry.family(each.family))
    ]


def _families_of(agent: str, site: str) -> list[str]:
    """The families of the site that the agent is tried on."""
    return [
        name for who, name in CASES if who == agent and site == start_host(registry.family(name))
    ]


@pytest.mark.parametrize(("agent", "site"), PAIRS)
def test_every_point_is_made_in_what_is_sent(shared_episodes, agent, site):
    """Over the families that the agent is tried on: not every task comes to every screen."""
    points = prompting.load(agent.replace("-", "_"), site).data["covers"]
    missing = _expected(agent, site, "covers")
    for each in _episodes(agent, site, missing):
        calls = shared_episodes.get(*each).calls
        sent = json.dumps([call.request for call in calls], ensure_ascii=False)
        missing -= {point for point in missing if points[point] in sent}
    assert not missing, (
        f"no request makes the points {sorted(missing)} of [covers]; write them into a text that is"
        " sent, or drop them"
    )
