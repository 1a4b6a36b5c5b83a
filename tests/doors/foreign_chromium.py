"""The Chromium that is here, where another environment's Playwright looks for its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.browser.chromium import find_chromium

_PLACES = {
    "chromium": "chromium-{}/chrome-linux/chrome",
    "chromium-headless-shell": (
        "chromium_headless_shell-{}/chrome-headless-shell-linux64/chrome-headless-shell"
    ),
}


def chromium() -> Path:
    """The program; skips the test where there is none."""
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium; run: rehearse doctor --fix")
    return program


def playwright_browsers(folder: Path, python: Path) -> Path:
    """`folder` with links for the Playwright of this Python: its `PLAYWRIGHT_BROWSERS_PATH`."""
    [listed] = python.parent.parent.glob(
        "lib/python*/site-packages/playwright/driver/package/browsers.json"
    )
    for browser in json.loads(listed.read_text(encoding="utf-8"))["browsers"]:
        if browser["name"] in _PLACES:
            link = folder / _PLACES[browser["name"]].format(browser["revision"])
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(chromium())
    return folder
