"""A file is asked in a process of its own what it defines."""

from __future__ import annotations

import sys

import pytest

from agent import agent_spec
from agent.agent_spec import BadAgent
from agent.isolation.launcher import Launcher, NotIsolated, Sandboxed
from agent.plugins import BadPlugin
from agent.prompting import FOLDER

FILE = """
from dataclasses import dataclass
{more}
@dataclass(frozen=True)
class Options:
    clicks: int = 3
    share: float = 0.5
    name: str = "x"
    deep: bool = False
    def __post_init__(self):
        if self.clicks > 9:
            raise ValueError("too many clicks")
async def solve(task, page, llm, options):
    return ""
"""


def written(tmp_path, more: str = ""):
    path = tmp_path / "mine.py"
    path.write_text(FILE.format(more=more))
    return path


def read(path, settings: str = ""):
    return agent_spec.read(f"{path}{settings}", isolated=FOLDER)


def test_its_options_are_known_without_its_code(tmp_path):
    before = _own_modules()
    made = read(written(tmp_path), ":clicks=4,deep=true")
    assert made.options == {"clicks": 4, "deep": True}
    built = made.build()
    assert (built.clicks, built.share, built.name, built.deep) == (4, 0.5, "x", True)
    assert _own_modules() == before


def _own_modules() -> set[str]:
    """The files of one's own that this process has imported."""
    return {name for name in sys.modules if name.startswith("rehearse_own")}


@pytest.mark.parametrize(
    ("settings", "more", "problem"),
    [
        (":clicks=x", "", "is no int"),
        (":click=4", "", "did you mean clicks"),
        (":clicks=10", "", "too many clicks"),
        ("", "import nowhere", "nowhere"),
        ("", "1 / 0", "division by zero"),
        ("", "import os; os._exit(0)", "ended without saying"),
        ("", "PROMPTS = (1,)", "ended without saying"),
        ("", "print('\\x1b[2J'); raise ValueError('\\x1b[2Jred')", "ValueError:  [2Jred"),
    ],
)
def test_what_is_wrong_is_one_printable_line(tmp_path, settings, more, problem):
    with pytest.raises((BadPlugin, BadAgent, ValueError)) as raised:
        read(written(tmp_path, more), settings)
    assert problem in str(raised.value)
    assert str(raised.value).isprintable()


def test_a_fork_server_that_does_not_start_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(NotIsolated, match="leave out --isolate"):
        Launcher(Sandboxed())
