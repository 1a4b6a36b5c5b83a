"""Time limits of tests are for hangs: one constant says how long that is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.measuring import HANG
from tests.sources import ROOT

LEAST = 10
"""A shorter limit is an argument of the code under test, such as a deadline that must pass."""


def short_limits(path: Path) -> Iterator[str]:
    """Yield the places where a file writes the seconds or milliseconds of a limit itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.keyword) and node.arg == "timeout":
            value = getattr(node.value, "value", None)
            if isinstance(value, int | float) and LEAST <= value < 1000 * HANG:
                yield f"{path.relative_to(ROOT)}:{node.value.lineno}: timeout={value}"


def test_no_test_says_how_fast_a_program_must_be():
    found = [each for path in (ROOT / "tests").rglob("test_*.py") for each in short_limits(path)]
    assert not found, "write timeout=HANG, from tests.measuring"


def test_a_short_limit_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_limits.ROOT", tmp_path)
    path = tmp_path / "test_it.py"
    path.write_text("run(timeout=300)\nrun(timeout=HANG)\nrun(timeout=0.5)\n")
    assert [*short_limits(path)] == ["test_it.py:1: timeout=300"]
