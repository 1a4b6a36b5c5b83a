"""Which browser is taken, and what is said where there is none."""

from __future__ import annotations

import pytest

from agent.browser.chromium import find_chromium, launch
from agent.browser.faults import NoBrowser


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine without browsers: a folder of programs and an empty download folder."""
    monkeypatch.delenv("REHEARSE_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "cache"))
    return tmp_path


def program(path, text="#!/bin/sh\nexit 1\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_the_order(machine):
    assert find_chromium() is None
    chrome = program(machine / "bin/google-chrome")
    assert find_chromium() == find_chromium(headed=True) == chrome
    chromium = program(machine / "bin/chromium")
    assert find_chromium() == find_chromium(headed=True) == chromium
    shell = program(machine / "bin/chromium-headless-shell")
    assert find_chromium() == shell and find_chromium(headed=True) == chromium
    cache = machine / "cache"
    program(cache / "chromium_headless_shell-99/chrome-linux/headless_shell")
    newest = program(cache / "chromium_headless_shell-1201/chrome-linux/headless_shell")
    full = program(cache / "chromium-1201/chrome-linux/chrome")
    (cache / "chromium_headless_shell-1300/chrome-linux").mkdir(parents=True)
    assert find_chromium() == newest and find_chromium(headed=True) == full


def test_the_one_that_is_named(machine, monkeypatch):
    program(machine / "bin/chromium")
    mine = program(machine / "mine")
    monkeypatch.setenv("REHEARSE_CHROMIUM", str(mine))
    assert find_chromium() == mine
    monkeypatch.setenv("REHEARSE_CHROMIUM", "/no/such/browser")
    with pytest.raises(NoBrowser, match=r"REHEARSE_CHROMIUM is '/no/such/browser'"):
        find_chromium()


def start(runner):
    async def run() -> None:
        async with launch({}):
            pass

    runner.run(run())


def test_no_browser(machine, runner):
    with pytest.raises(NoBrowser, match="rehearse doctor --fix"):
        start(runner)


def test_a_browser_that_does_not_start(machine, runner):
    program(machine / "bin/chromium")
    with pytest.raises(NoBrowser, match=r"bin/chromium does not start .*rehearse doctor --fix"):
        start(runner)
