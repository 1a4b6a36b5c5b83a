"""Who answers, by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.llm.model_source import ModelConnection, ModelSource
from agent.llm.simulated.model import SimulatedModel


@pytest.mark.parametrize(
    ("kind", "own", "named", "speaker"),
    [
        ("scripted", "", "", "scripted"),
        ("scripted", "gpt-x", "big", "scripted"),
        ("live", "gpt-x", "", "gpt-x"),
        ("live", "gpt-x", "big", "big"),
    ],
)
def test_a_request_is_answered_by_the_model_that_it_names(monkeypatch, kind, own, named, speaker):
    """The price is that model's; the scripted one answers in every name, for nothing."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    line = ModelConnection(
        ModelSource(kind), Path("place"), Path("path"), SimulatedModel({}), own, None
    )
    assert line.speaker(named) == speaker
