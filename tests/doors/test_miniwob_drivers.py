"""The two drivers of MiniWoB++, as they are on PyPI, play all of its 130 pages from our server.

BrowserGym and Farama's package register 125 each; the five others are given to the same classes.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from scenarios import registry
from sites.server import Server
from sites.world import Worlds
from tests.doors import foreign_python, printed_by
from tests.doors.foreign_chromium import chromium, playwright_browsers

CLIENTS = Path(__file__).parent / "clients"
PAGES = sorted(registry.site_data("widgets").pages)
UNREGISTERED = {"button-delay", "chase-circle", "hover-shape", "moving-items", "simon-says"}
MOVING = {"stock-market"}
"""Their texts go by the clock."""
MINUTES = 60

pytestmark = pytest.mark.usefixtures("unmeasured")


@pytest.fixture(name="address")
def _address():
    app = registry.site("widgets").create_app(registry.site_data("widgets"), Worlds())
    with Server(app) as server:
        yield f"http://127.0.0.1:{server.port}/miniwob/"


def results_of(*command: object, **environment: object) -> list[dict]:
    """What a client says of each page. One with a problem is played once more: on a busy machine a
    driver gives up too early, and what is wrong with a page is wrong twice."""
    lines = lines_of(PAGES, command, environment)
    failed = [line["task"] for line in lines if problems(line)]
    second = {line["task"]: line for line in lines_of(failed, command, environment)}
    return [second.get(line["task"], line) for line in lines]


def lines_of(
    pages: Sequence[str], command: Sequence[object], environment: Mapping[str, object]
) -> list[dict]:
    """What a client printed: a line of JSON for each of these pages."""
    env = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    printed = printed_by(*command, *pages, env=env, seconds=40 * MINUTES)
    return [json.loads(line) for line in printed.splitlines()]


def problems(line: dict) -> list[str]:
    """What is wrong with a page, by its driver."""
    if "error" in line:
        return [line["error"]]
    held = {
        "has an instruction": bool(line["goal"].strip()),
        f"takes the first action {line.get('failed', '')}": not line.get("failed"),
        "ends": line["over"] is True,
        "has a reward from -1 to 1": -1 <= line["raw"] <= 1,
        "is the same for the same seed": line.get("same", True) or line["task"] in MOVING,
        "is ready, and has elements": line.get("ready", True) and line.get("elements", 3) > 2,
    }
    return [name for name, holds in held.items() if not holds]


def check(lines: list[dict], driver: str) -> None:
    assert [line["task"] for line in lines] == PAGES and len(PAGES) == 130
    assert {line["task"] for line in lines if not line["registered"]} == UNREGISTERED
    wrong = {line["task"]: found for line in lines if (found := problems(line))}
    assert wrong == {}, wrong
    ends = Counter(line["raw"] for line in lines)
    print(f"{driver}: {len(lines)} pages reset and stepped, raw rewards {dict(ends)}")


def test_browsergym_resets_and_steps_every_page(address, tmp_path):
    python = foreign_python("browsergym")
    browsers = playwright_browsers(tmp_path, python)
    client = CLIENTS / "browsergym_miniwob.py"
    lines = results_of(python, client, MINIWOB_URL=address, PLAYWRIGHT_BROWSERS_PATH=browsers)
    check(lines, "browsergym-miniwob 0.14.3")


def test_the_package_miniwob_resets_and_steps_every_page(address):
    python, driver = foreign_python("farama"), shutil.which("chromedriver")
    if driver is None:
        pytest.skip("no chromedriver; run: apt-get install chromium-driver")
    lines = results_of(
        python,
        CLIENTS / "farama_miniwob.py",
        address,
        MINIWOB_CHROME_BINARY=chromium(),
        MINIWOB_CHROMEDRIVER=driver,
    )
    check(lines, "miniwob 1.1.0")
    assert all(line["pictured"] == [210, 160, 3] for line in lines)
