"""What cannot be taken back: let through, refused, or the end of the episode."""

from __future__ import annotations

import io

import pytest

from agent.browser.irreversible import committed
from agent.interface import Click, Element, Observation, Press, Type
from evaluators.episode import approval
from evaluators.episode.approval import ApprovalUnavailable, Commitment
from evaluators.records import files, run_folder
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry

BUY = Element(3, "button", "Buy Now", commits=True)
PAGE = Observation(
    "",
    "",
    (Element(1, "textbox", "Note", ""), Element(2, "link", "Back"), BUY),
)


def focused(number: int) -> Observation:
    nodes = tuple(
        Element(e.id, e.role, e.name, e.value, ("focused",), commits=e.commits)
        if e.id == number
        else e
        for e in PAGE.elements
    )
    return Observation("", "", nodes)


@pytest.mark.parametrize(
    ("action", "page", "wanted"),
    [
        (Click(3), PAGE, True),
        (Click("buy now"), PAGE, True),
        (Click("//button"), PAGE, True),
        (Click(2), PAGE, False),
        (Type(1, "x", enter=True), PAGE, True),
        (Type(1, "x"), PAGE, False),
        (Press("Enter"), PAGE, False),
        (Press("Enter"), focused(1), True),
        (Press("Space"), focused(1), False),
        (Press("Space"), focused(3), True),
        (Press("Enter"), focused(2), False),
        (Press("Tab"), focused(3), False),
        (Type(1, "x", enter=True), Observation("", "", PAGE.content[:2]), False),
    ],
)
def test_which_actions_commit_is_known_from_the_page(action, page, wanted):
    assert (committed(action, page) is not None) is wanted


def run_one(tmp_path, agent: str, policy, **executor):
    setting = RunConfig(confirm=policy, out=tmp_path / "run", executor=ExecutorConfig(**executor))
    run([agent], registry.from_family("buy_item", range(3, 4)), setting)
    [record] = run_folder.episodes(tmp_path / "run")
    return record.to_json(), files.load(
        next((tmp_path / "run").glob("episodes/*/*/*/final_world.json"))
    )


@pytest.mark.wide
@pytest.mark.parametrize(
    "agent",
    ["laser", *(pytest.param(each, marks=pytest.mark.deep) for each in ("expert", "react"))],
)
def test_stop_ends_at_the_purchase_and_scores_what_would_have_been_bought(tmp_path, agent):
    record, _ = run_one(tmp_path, agent, "stop")
    assert (record["ended"], record["cause"]) == ("answered", "stopped")
    assert record["success"] is True and record["reward"] == 1
    assert record["events"]["confirm"] == 1


@pytest.mark.wide
def test_a_refusal_is_an_error_that_the_agent_sees_and_nothing_is_bought(tmp_path):
    asked: list[Commitment] = []

    def policy(commitment: Commitment) -> str:
        asked.append(commitment)
        return approval.REFUSE

    record, world = run_one(tmp_path, "react", policy)
    assert world["purchases"] == [] and record["success"] is False
    assert asked and asked[0].target == "button 'Buy Now'" and "makeup" in asked[0].instruction
    assert record["events"]["confirm"] == len(asked)


@pytest.mark.wide
def test_what_is_allowed_is_done(tmp_path):
    record, _ = run_one(tmp_path, "expert", lambda commitment: approval.ALLOW)
    assert record["success"] is True and record["cause"] == ""


def test_who_cannot_be_asked_is_said_before_anything_is_played(tmp_path):
    with pytest.raises(ApprovalUnavailable, match="terminal"):
        run_one(tmp_path, "expert", "ask")
    with pytest.raises(ApprovalUnavailable, match="one process"):
        run_one(tmp_path, "expert", approval.stop, processes=2)
    assert not list(tmp_path.glob("run/episodes"))


def test_the_person_at_the_terminal_is_told_what_is_about_to_happen(monkeypatch, capsys):
    about = Commitment("laser", "a red mat", "click [3]", "button 'Buy Now'", "http://x/")
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nno\n\n"))
    assert [approval.ask(about) for _ in range(3)] == ["allow", "refuse", "refuse"]
    shown = capsys.readouterr().err
    assert "a red mat" in shown and "button 'Buy Now'" in shown and "http://x/" in shown
