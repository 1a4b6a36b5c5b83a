"""Several contexts of the model as an axis of a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rehearse
from agent import agent_spec
from agent.prompting import FOLDER
from evaluators.records import run_folder
from evaluators.run.arguments import with_contexts

WIDE, NARROW = 16_384, 2_048


def test_each_agent_that_asks_a_model_is_named_with_each_context():
    names = ["react", "flat:4k@gpt-x", "nothing"]
    assert with_contexts(names, [NARROW, WIDE], FOLDER) == [
        "react:context=2048",
        "react:context=16384",
        "flat:4k:context=2048@gpt-x",
        "flat:4k:context=16384@gpt-x",
        "nothing",
    ]
    assert with_contexts(names, [WIDE], FOLDER) == names, "a setting of the run"


def test_a_file_of_ones_own_is_not_imported_for_it(tmp_path: Path):
    own = tmp_path / "mine.py"
    own.write_text("raise SystemExit('imported')", encoding="utf-8")
    assert with_contexts([str(own)], [1, 2], FOLDER) == [f"{own}:context={n}" for n in (1, 2)]


def test_the_option_is_of_every_method_but_one_that_has_its_own():
    assert agent_spec.read("react:context=2048").context == NARROW
    assert agent_spec.read("react").context is None
    synapse = agent_spec.read("synapse:context=2048")
    assert synapse.context is None and synapse.build().context == NARROW
    with pytest.raises(agent_spec.BadAgent, match="1 or more"):
        agent_spec.read("react:context=0")


def test_a_narrow_context_ends_an_episode_and_a_wide_one_does_not(tmp_path: Path):
    given = ["--agent", "react", "--suite", "store-20", "--seeds", "0:1", "--lane", "text"]
    given += ["--context", "2k,16k"]
    ended = CliRunner().invoke(rehearse.main, ["run", *given, "-o", str(tmp_path / "run")])
    assert ended.exit_code == 0, ended.stderr
    records = {each.agent: each for each in run_folder.episodes(tmp_path / "run")}
    narrow, wide = records["react:context=2048"], records["react:context=16384"]
    assert (narrow.ended, narrow.cause, narrow.success) == ("truncated", "context", False)
    assert (wide.ended, wide.success) == ("answered", True)
    assert wide.options["context"] == WIDE
