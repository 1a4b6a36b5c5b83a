"""An agent that is named after a model is answered by that model, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import rehearse
from agent.llm.model_source import BadModelSource
from agent.llm.recording.cassette import CassetteWriter
from evaluators.episode.spec import EpisodeSpec
from evaluators.run import api, prepare
from evaluators.run.config import RunConfig
from scenarios import registry
from tests.each import for_each

TASKS = registry.from_family("buy_item", range(1))


def prepared(agent: str, llm: str, out: Path) -> list[EpisodeSpec]:
    return prepare.prepare([agent], TASKS, RunConfig(llm, out=out))[0]


@for_each(
    ("agent", "llm", "words"),
    [
        ("step@gpt-4o", "scripted", "the scripted model answers (--llm scripted), not gpt-4o"),
        ("react@person", "scripted", "the scripted model answers"),
        ("nothing@gpt-4o", "scripted", "this agent asks no model; leave out @gpt-4o"),
        ("step@gpt-4o", "person", "a person answers (--llm person), not gpt-4o; add --llm live"),
        ("step@scripted", "person", "a person answers"),
        ("step@scripted-0.7", "live", "gpt-x answers (--llm live), not the scripted model; leave"),
        ("expert@gpt-4o", "live", "this agent asks no model; leave out @gpt-4o"),
    ],
)
def test_nobody_answers_in_the_name_of_another(tmp_path, monkeypatch, agent, llm, words):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("OPENAI_MODEL", "gpt-x")
    with pytest.raises(BadModelSource) as refused:
        prepared(agent, llm, tmp_path / "run")
    assert words in str(refused.value) and str(refused.value).startswith(f"{agent}: ")
    assert not (tmp_path / "run").exists()


@for_each(
    ("agent", "llm"),
    [
        ("step@scripted", "scripted"),
        ("step@scripted-0.7", "scripted"),
        ("step@person", "person"),
        ("step@gpt-4o", "live"),
    ],
)
def test_a_true_name_is_taken(tmp_path, monkeypatch, agent, llm):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.setenv("OPENAI_MODEL", "gpt-x")
    assert prepared(agent, llm, tmp_path / f"{agent}-{llm}")


def test_a_file_of_ones_own_is_asked_of_the_live_model_that_it_names(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from dataclasses import dataclass\n@dataclass\nclass Options: pass\n"
        "async def solve(task, page, llm, options): return ''\n"
    )
    assert prepared(f"{mine}@gpt-4o", "live", tmp_path / "run")
    with pytest.raises(BadModelSource, match="mine@gpt-4o: the scripted model answers"):
        prepared(f"{mine}@gpt-4o", "scripted", tmp_path / "other")


def test_a_recording_answers_in_the_name_of_the_model_that_was_recorded(tmp_path):
    spec = EpisodeSpec(prepare.read_agents(["step@gpt-4o"])[0], TASKS.names[0])
    for speaker in ("scripted", "gpt-4o"):
        tapes = tmp_path / speaker
        CassetteWriter(tapes / spec.recording, speaker, {}).close()
    with pytest.raises(
        BadModelSource, match=r"the scripted model answers \(--llm replay\), not gpt"
    ):
        prepared("step@gpt-4o", f"replay:{tmp_path / 'scripted'}", tmp_path / "a")
    assert prepared("step@gpt-4o", f"replay:{tmp_path / 'gpt-4o'}", tmp_path / "b")
    (tmp_path / "empty").mkdir()
    absent = f"replay:{tmp_path / 'empty'}"
    assert prepared("step@gpt-4o", absent, tmp_path / "c"), "the first request reports it"


def test_it_is_one_line_on_the_command_line_and_an_exception_in_a_program(tmp_path):
    out = tmp_path / "run"
    words = ("--agent", "step@gpt-4o", "--suite", "store-20", "-o", str(out))
    ended = CliRunner().invoke(rehearse.main, ["run", *words])
    assert ended.exit_code == 2 and ended.stdout == ""
    assert ended.stderr == (
        "rehearse: step@gpt-4o: the scripted model answers (--llm scripted), not gpt-4o;"
        " add --llm live, or leave out @gpt-4o\n"
    )
    with pytest.raises(BadModelSource, match="add --llm live"):
        api.run(["step@gpt-4o"], registry.from_suite("store-20"), RunConfig(out=out))
    assert not out.exists()


def test_the_fixture_of_pytest_refuses_it_too(episode):
    with pytest.raises(pytest.fail.Exception, match="add --llm live"):
        episode("react@gpt-4o", "store/buy_item/0")
