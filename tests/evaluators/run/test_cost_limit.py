"""What a run may cost, and what it would cost."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehearse
from evaluators.analysis import dollars
from evaluators.records import files, run_folder
from evaluators.records.models import Summary
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig
from evaluators.run.cost_estimate import Estimate, estimate
from evaluators.run.cost_limit import CostLimit, CostLimitReached, UnknownPrice
from scenarios import registry
from tests.loopback import serve, slow_shopper

EACH = (100 * 0.15 + 5 * 0.6) / 1e6
"""What a call to the loopback model costs, in dollars, as gpt-4o-mini."""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch):
    with serve(slow_shopper(0, 0)) as served:
        for name, value in served.environment.items():
            monkeypatch.setenv(name, value)
        yield served


def play(out: Path, seeds: range, **setting):
    tasks = registry.from_family("buy_item", seeds)
    executor = ExecutorConfig(concurrency=1)
    return run(["react"], tasks, RunConfig("live", out=out, executor=executor, **setting))


@pytest.mark.wide
def test_no_episode_begins_once_the_limit_is_spent_and_a_larger_one_goes_on(model, tmp_path):
    with pytest.raises(
        CostLimitReached, match=r"and 2 episodes were not begun; .*larger --max-run-cost"
    ):
        play(tmp_path / "run", range(3), run_dollars=EACH)
    assert len(list(run_folder.episodes(tmp_path / "run"))) == 1
    assert files.read(Summary, tmp_path / "run/summary.json").rows[0].episodes == 1
    asked = len(model.requests)
    with pytest.raises(CostLimitReached, match="2 episodes"):
        play(tmp_path / "run", range(3), run_dollars=EACH)
    assert len(model.requests) == asked, "what was spent before counts"
    assert play(tmp_path / "run", range(3), run_dollars=1.0).rows[0].episodes == 3


@pytest.mark.wide
def test_the_table_of_a_stopped_run_and_what_was_spent_beyond_the_limit_are_printed(
    model, tmp_path
):
    command = ["run", "--agent", "react", "--family", "buy_item", "--llm", "live"]
    command += ["--concurrency", "1", "--max-run-cost", f"{EACH:g}", "-o", str(tmp_path / "run")]
    stopped = CliRunner().invoke(rehearse.main, [*command, "--seeds", "0:2"])
    assert stopped.exit_code == 1 and "1 episode was not begun" in stopped.stderr
    assert re.search(r"react +store +1 ", stopped.stdout), stopped.stdout
    assert stopped.stderr.startswith("planned episodes: buy_item 0:2: 2\n")
    whole = CliRunner().invoke(rehearse.main, [*command, "--seeds", "0:1"])
    spent = sum(each.cost_usd for each in run_folder.episodes(tmp_path / "run"))
    line = f"{dollars.shown(spent)} were spent, {dollars.shown(spent - EACH)} beyond --max-run-cost"
    assert line in whole.stderr and "$0.00 " not in whole.stderr + stopped.stderr


@pytest.mark.wide
@pytest.mark.parametrize("limit", [{"run_dollars": 1.0}, {"dollars": 1.0}])
def test_a_limit_needs_a_known_price(model, tmp_path, limit):
    with pytest.raises(
        UnknownPrice, match=r'the price of llama-9 is not known.*"llama-9" = \[PROMPT, COMPLETION\]'
    ):
        play(tmp_path / "run", range(1), model="llama-9", **limit)
    assert not model.requests and not (tmp_path / "run").exists()
    summary = play(tmp_path / "run", range(1), model="llama-9")
    assert summary.rows[0].cost_usd is None, "unknown, not 0"


@pytest.mark.wide
def test_an_offline_run_tells_what_a_live_one_would_cost(tmp_path):
    setting = RunConfig(out=tmp_path / "run")
    [row] = run(["react"], registry.from_family("buy_item", range(2)), setting).rows
    [found] = estimate(tmp_path / "run", "gpt-4o-mini", trials=3, rpm=60)
    assert (found.agent, found.episodes, found.calls) == ("react", 6, 3 * 2 * row.llm_calls)
    assert found.prompt_tokens + found.completion_tokens == 3 * 2 * row.tokens
    dollars = (found.prompt_tokens * 0.15 + found.completion_tokens * 0.6) / 1e6
    assert found.cost_usd == pytest.approx(dollars) and found.minutes == found.calls / 60
    assert estimate(tmp_path / "run", "llama-9")[0].cost_usd is None


def test_an_estimate_is_printed_in_dollars_without_empty_cells():
    known = Estimate("react", 6, 1200, 90_000, 500, 2.2363752000000003, None)
    assert [*known.shown().values()] == ["react", "6", "1,200", "90,000", "500", "$2.24"]
    unknown = replace(known, cost_usd=None, minutes=20.0)
    assert [*unknown.shown().values()][-2:] == ["unknown price", "20.0"]


def test_a_limit_says_what_was_spent_beside_it():
    with pytest.raises(
        CostLimitReached, match=r"^\$0.01 were spent, the limit is \$0.0010, and 1 "
    ):
        CostLimit(0.001, 0.0105).close(1)
