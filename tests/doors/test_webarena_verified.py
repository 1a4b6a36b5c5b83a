"""Tasks exported for WebArena-Verified, scored by its own package from responses and traffic."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.browser.chromium import find_chromium
from evaluators.integrations.webarena import export, kinds, verified
from evaluators.server import serve
from tests.doors import foreign_python, printed_by
from tests.evaluators.integrations.webarena import client, experts
from tests.evaluators.integrations.webarena.client import Client, Step
from tests.measuring import HANG

SCENARIOS = [
    "map/nearest/3",
    "map/travel_time.wander/1",
    "map/borders/2",
    "map/city_route/0",
    "map/show_route/1",
    "forum/vote_newest/2",
    "forum/subscribe/1",
    "shop/wish_product/1",
    "shop/list_category/0",
    "shop/newest_of_status/0",
    "shop/last_of_brand/0",
]
PROGRAM = """
import sys
from webarena_verified.api.internal import data_reader
data_reader.TOTAL_TASK_COUNT = int(sys.argv.pop(1))
from webarena_verified.__main__ import main
sys.exit(main())
"""
"""Its command; the package's reader takes files of exactly 812 tasks, unless it is told another
number."""
pytestmark = [pytest.mark.wide, pytest.mark.usefixtures("unmeasured")]


def test_its_evaluators_accept_right_ends_and_refuse_others(tmp_path):
    python = foreign_python("webarena_verified")
    ways = experts.ways_of(SCENARIOS)
    export.export(SCENARIOS, "webarena-verified", tmp_path / "tasks")
    with serve.serve(tasks=tmp_path / "tasks") as running:
        assert running.door
        variables = running.door.variables()
        tasks = client.load(tmp_path / "tasks", variables, verified.FILE)
        for name, change in (("right", list), ("wrong", _cut_short)):
            out = tmp_path / name
            play(out, tasks, {key: change(way) for key, way in ways.items()})
            scores = scored(python, tmp_path, variables, out)
            wanted = 1.0 if name == "right" else 0.0
            assert scores == dict.fromkeys(range(len(SCENARIOS)), wanted), name


def _cut_short(steps: Sequence[Step]) -> list[Step]:
    """The steps without the last one before the stop, and another answer."""
    *done, stop = steps
    return [*done[:-1], replace(stop, text="Nowhere" if stop.text else "")]


def play(out: Path, tasks: Sequence[dict[str, Any]], ways: dict[str, list[Step]]) -> None:
    """Play each task, and leave what the package reads: a response, and the traffic as HAR."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_chromium()))
        for task in tasks:
            home = out / str(task["task_id"])
            home.mkdir(parents=True)
            start = {"start_url": " |AND| ".join(task["start_urls"])}
            with Client(browser).task(start, record_har_path=home / "network.har") as page:
                page.play(ways[SCENARIOS[task["task_id"]]])
            (home / "agent_response.json").write_text(json.dumps(response(task, page.answer)))
        browser.close()


def response(task: dict[str, Any], answer: str) -> dict[str, Any]:
    """The response of an agent that knows the types that the task asks for."""
    expected = task["eval"][0]["expected"]
    kind = task["eval"][0]["results_schema"].get("items", {}).get("type")
    data: list[Any] | None = None
    if expected["task_type"] == "retrieve":
        data = [typed(kind, each.strip()) for each in answer.split(",")]
    return {"task_type": expected["task_type"], "status": "SUCCESS", "retrieved_data": data}


def typed(kind: str, text: str) -> Any:
    if kind == "number":
        return float(text) if text.replace(".", "").isdigit() else text
    return {"yes": True, "no": False}.get(text, text) if kind == "boolean" else text


def scored(python: Path, home: Path, variables: dict[str, str], out: Path) -> dict[int, float]:
    """The scores that the package writes."""
    config = home / "config.json"
    urls = {each.placeholder: {"urls": [variables[each.variable]]} for each in kinds.KINDS}
    tasks = home / "tasks" / verified.FILE
    config.write_text(json.dumps({"test_data_file": str(tasks), "environments": urls}))
    command = python, "-c", PROGRAM, len(SCENARIOS), "eval-tasks"
    printed_by(
        *(*command, "--config", config, "--output-dir", out),
        env={**os.environ},
        seconds=HANG,
    )
    found = {int(path.parent.name): path for path in out.glob("*/eval_result.json")}
    return {number: json.loads(path.read_text())["score"] for number, path in sorted(found.items())}
