"""Runs from Python."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from evaluators.run import api
from evaluators.run.api import RunConfig
from scenarios import registry


@pytest.mark.parametrize("source", ["", "./buy_item.py"])
def test_the_command_that_records_again_can_be_given(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    Path("buy_item.py").touch()
    cast = replace(registry.from_family("buy_item", range(2)), source=source)
    setting = RunConfig(llm=f"replay:{tmp_path}", out=tmp_path / "run")
    _, run_context = api.prepare(["nothing"], cast, setting)
    words = shlex.split(run_context.model_source.record_command)[2:]
    told = dict(zip(words[::2], words[1::2], strict=True))
    assert told["--family"] == (source or "buy_item")
    assert registry.read_seeds(told["--seeds"]) == range(2)
