"""The examples of docs/adding.md stand in the tree as well as beside it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.measuring import HANG
from tests.sources import ROOT, TREES
from tests.test_docs import blocks

pytestmark = [pytest.mark.wide, pytest.mark.usefixtures("unmeasured")]
IGNORED = shutil.ignore_patterns("__pycache__", "cassettes", "earlier", "readings")


def example(name: str) -> str:
    """Return the file of that name as the page shows it."""
    [found] = [each.text for each in blocks("adding.md") if each.file == name]
    return found


def test_a_family_holds_every_contract_in_the_tree(tmp_path: Path):
    for tree in TREES:
        shutil.copytree(ROOT / tree, tmp_path / tree, ignore=IGNORED)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "scenarios/store/price_of.py").write_text(example("price_of.py"), encoding="utf-8")
    words = ["-q", "-m", "not live and not deep", "tests/contracts", "-k", "price_of"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert run.returncode == 0, run.stdout
    [passed] = re.findall(r"(\d+) passed", run.stdout)
    assert int(passed) > 10
