"""The names of agents on recorded tasks."""

from __future__ import annotations

import pytest

from agent.agent_spec import BadAgent
from agent.mind2web import agents
from agent.plugins import UnknownName


def test_a_name_has_variants_options_and_a_model():
    made = agents.read("synapse:no-memory:no-trajectory:top=3@scripted-0.5")
    options = made.build()
    assert (options.memory, options.trajectory, options.top, made.skill) == (False, False, 3, 0.5)
    assert agents.read("mindact:gpt-4@gpt-4").build().top == 10
    assert agents.read("mindact:gpt-4@gpt-4").model == "gpt-4"


def test_the_defaults_are_those_of_the_papers():
    synapse, mindact = (agents.read(name).build() for name in ("synapse", "mindact"))
    assert (synapse.top, synapse.past, synapse.shots, synapse.context) == (5, 3, 3, 16385)
    assert (mindact.top, mindact.group, mindact.previous, mindact.max_tokens) == (50, 5, 5, 50)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("react", "there is no method for Mind2Web 'react'"),
        ("synapse:fast", "variant of synapse 'fast'"),
        ("mindact:tops=3", "option of mindact 'tops'"),
        ("mindact:top=0", "top=0 is below 1"),
        ("mindact:group=26", "group=26 is above 25"),
        ("synapse:observation=best", "observation=best is none of published, ranked"),
        ("synapse:notes=true", "notes: only agents on living pages"),
    ],
)
def test_a_name_that_cannot_be_read_is_refused(name, says):
    with pytest.raises((UnknownName, BadAgent), match=says):
        agents.read(name)


def test_an_agent_is_named_once():
    assert [each.name for each in agents.read_all(["mindact"], [0.5, 1])] == [
        "mindact@scripted-0.5",
        "mindact@scripted-1",
    ]
    with pytest.raises(UnknownName, match="mindact is named twice"):
        agents.read_all(["mindact", "mindact"])
