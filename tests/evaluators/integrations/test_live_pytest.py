"""The live tests as pytest runs them, against a model on loopback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from evaluators.run.api import run, summarize
from evaluators.run.config import RunConfig
from scenarios import registry
from tests.evaluators.run.test_scheduler import ROOT, contents
from tests.loopback import serve, slow_shopper
from tests.measuring import HANG

pytestmark = pytest.mark.usefixtures("unmeasured")


@pytest.mark.wide
def test_pytest_with_workers_leaves_the_same_records_as_a_run(tmp_path, monkeypatch):
    with serve(slow_shopper(0, 0.05)) as model:
        arguments = (
            *(sys.executable, "-m", "pytest", "-q", "-p", "xdist", "-p", "no:cacheprovider"),
            *("-n", "2", "--dist", "worksteal", "tests/live", "--live", "--suite", "store-20"),
            *("--seeds", "0:2"),
            *("--agent", "react", "--run-dir", str(tmp_path / "a" / "run")),
            *("--junit-xml", str(tmp_path / "junit.xml")),
        )
        done = subprocess.run(
            arguments,
            cwd=ROOT,
            env={**os.environ, **model.environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=HANG,
        )
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        setting = RunConfig("live", out=tmp_path / "b" / "run")
        summary = run(["react"], registry.from_suite("store-20", range(2)), setting)
    assert done.returncode == 1, "the shopper buys the wrong things" + done.stdout + done.stderr
    assert "test_agent[react-store-buy_item-0-t0]" in (tmp_path / "junit.xml").read_text()
    assert summarize(tmp_path / "a" / "run") == summary
    assert contents(tmp_path / "a" / "run") == contents(tmp_path / "b" / "run")
