"""Runs without a browser: the same requests and scores as in Chromium, and plain refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rehearse
from evaluators.records import run_folder
from evaluators.records.models import INFRA
from evaluators.run.config import ExecutorConfig
from evaluators.run.prepare import NeedsBrowser, check_lane
from scenarios import registry

TASKS = ("--agent", "expert,react,step,flat", "--family", "buy_item,vote_newest", "--seeds", "0:1")
OUTCOME = ("agent", "scenario", "ended", "success", "progress", "reward", "steps", "tokens")


def run(*words: object) -> Result:
    """Run `rehearse run` in this process."""
    return CliRunner().invoke(rehearse.main, ["run", *map(str, words)])


def outcomes(folder: Path) -> list[dict[str, object]]:
    """Return what the records of a run say about the end of each episode."""
    records = sorted(run_folder.episodes(folder), key=lambda each: (each.agent, each.scenario))
    return [{name: getattr(each, name, None) for name in OUTCOME} for each in records]


def requests(folder: Path) -> Iterator[object]:
    """Yield what each episode asked the model, and what it answered."""
    for path in sorted(folder.glob("episodes/**/llm.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["kind"] != "header":
                yield path.parent.name, row.get("request"), row.get("messages"), row.get("reply")


def test_both_lanes_ask_the_same_and_end_the_same(tmp_path: Path) -> None:
    for lane in ("browser", "text"):
        ended = run("--lane", lane, *TASKS, "-o", tmp_path / lane)
        assert ended.exit_code == 0, ended.output
    one, other = tmp_path / "browser", tmp_path / "text"
    assert outcomes(one) == outcomes(other)
    assert len(outcomes(one)) == 8
    assert all(each["success"] for each in outcomes(one))
    assert [*requests(one)] == [*requests(other)] != []
    assert run_folder.load_manifest(other).config.lane == "text"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--suite crm-12", "TASK_FIND_FLIGHT needs a browser: scripts draw the screens"),
        ("--family click-test --seeds 0:1", "click-test needs a browser: a widget is a script"),
    ],
)
def test_a_run_that_needs_a_browser_is_refused(words: str, line: str, tmp_path: Path) -> None:
    ended = run("--lane", "text", "--agent", "expert", *words.split(), "-o", tmp_path / "run")
    assert ended.exit_code == 2
    assert line in ended.output
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("agent", ["react:vision=true", "anticipatory-reflection:paper"])
def test_an_agent_that_looks_at_a_window_is_refused(agent: str, tmp_path: Path) -> None:
    words = ("--agent", agent, "--family", "reply", "--seeds", "0:1", "-o", tmp_path / "run")
    ended = run("--lane", "text", *words)
    assert ended.exit_code == 2
    assert f"{agent} needs a browser: it looks at pictures" in ended.output
    assert not (tmp_path / "run").exists()


LOOKING = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Options:
    pass

async def solve(task, page, llm, options):
    try:
        await page.observe(screenshot=True)
    except Exception:
        return "done"
"""


def test_what_the_lane_cannot_show_is_no_failure_of_the_agent(tmp_path: Path) -> None:
    agent = tmp_path / "looking.py"
    agent.write_text(LOOKING, encoding="utf-8")
    words = ("--agent", agent, "--family", "reply", "--seeds", "0:1", "-o", tmp_path / "run")
    run("--lane", "text", *words)
    [record] = run_folder.episodes(tmp_path / "run")
    assert (record.ended, record.cause, record.success, record.tries) == (INFRA, "lane", None, 1)
    assert "no pictures, which the agent asks for; run this with --lane browser" in record.error


def test_a_run_has_one_lane(tmp_path: Path) -> None:
    words = ("--agent", "nothing", "--family", "buy_item", "-o", tmp_path / "run")
    assert run("--lane", "text", *words, "--seeds", "0:1").exit_code == 0
    ended = run(*words, "--seeds", "0:1")
    assert "lane was text, now browser" in ended.output


def test_the_text_lane_has_no_window() -> None:
    tasks = registry.from_families(["buy_item"], range(1))
    with pytest.raises(NeedsBrowser, match="the text lane has none"):
        check_lane(ExecutorConfig(headed=True, lane="text"), tasks)
