"""Runs without a browser: the same requests and scores as in Chromium, and plain refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rehearse
from evaluators.records import run_folder
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
        ("--family two_shop_split --seeds 0:1", "two_shop_split needs a browser: a script of the"),
    ],
)
def test_a_run_that_needs_a_browser_is_refused(words: str, line: str, tmp_path: Path) -> None:
    ended = run("--lane", "text", "--agent", "expert", *words.split(), "-o", tmp_path / "run")
    assert ended.exit_code == 2
    assert line in ended.output
    assert not (tmp_path / "run").exists()


def test_a_run_has_one_lane(tmp_path: Path) -> None:
    words = ("--agent", "nothing", "--family", "buy_item", "-o", tmp_path / "run")
    assert run("--lane", "text", *words, "--seeds", "0:1").exit_code == 0
    ended = run(*words, "--seeds", "0:1")
    assert "lane was text, now browser" in ended.output


def test_the_text_lane_has_no_window() -> None:
    tasks = registry.from_families(["buy_item"], range(1))
    with pytest.raises(NeedsBrowser, match="the text lane has none"):
        check_lane(ExecutorConfig(headed=True, lane="text"), tasks)
