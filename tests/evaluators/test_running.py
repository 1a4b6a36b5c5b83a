"""Runs from Python."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from evaluators import casting, running
from evaluators.running import Setting


@pytest.mark.parametrize("source", ["", "./buy_item.py"])
def test_the_command_that_records_again_can_be_given(tmp_path, source):
    cast = replace(casting.from_family("buy_item", range(2)), source=source)
    setting = Setting(llm=f"replay:{tmp_path}", out=tmp_path / "run")
    _, terms = running.prepare(["nothing"], cast, setting)
    words = shlex.split(terms.voice.again)[2:]
    told = dict(zip(words[::2], words[1::2], strict=True))
    assert told["--family"] == (source or "buy_item")
    assert casting.read_seeds(told["--seeds"]) == range(2)
