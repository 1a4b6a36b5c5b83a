"""The program that runs in another Python, here in ours; in `tests/doors` beside BrowserGym."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from agent.browsergym.process import PROGRAM
from tests.measuring import HANG


def replies(*requests: object) -> list[dict]:
    """What it replies until its input ends; nothing else is on its output."""
    lines = "".join(f"{json.dumps(each)}\n" for each in requests)
    done = subprocess.run(
        [sys.executable, str(PROGRAM)], input=lines, capture_output=True, text=True, timeout=HANG
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(find_spec("browsergym") is not None, reason="browsergym is installed here")
def test_without_browsergym_it_says_so_and_what_fails_is_a_sentence():
    asked = {"do": "check", "environments": ["browsergym/miniwob.click-button"]}
    checked, failed, unknown = replies(asked, {"do": "picture"}, {"do": "dance"})
    assert checked["missing"] == "browsergym-core"
    assert failed["fault"].startswith("AttributeError: ")
    assert "dance" in unknown["fault"]


def test_it_needs_the_standard_library_alone():
    """What is BrowserGym's it imports where it is asked to."""
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= {*sys.stdlib_module_names}
