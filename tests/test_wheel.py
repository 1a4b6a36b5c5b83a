"""The wheel: everything that runs is in it, and nothing else."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.measuring import HANG

pytestmark = pytest.mark.usefixtures("unmeasured")

ROOT = Path(__file__).parents[1]
PACKAGES = ("agent", "sites", "scenarios", "evaluators")
DATA = {".toml", ".html", ".js", ".css", ".svg", ".txt", ".json", ".jsonl", ".woff2", ".csv"}


def ran(*command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that the checkout stays clean."""
    version = int(importlib.metadata.version("setuptools").split(".")[0])
    assert version >= 77, "the build needs setuptools>=77; put it into the test extra"
    copy, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    skipped = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
    for name in (*PACKAGES, "tests", "tools", "benchmarks", "docs"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=skipped)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, copy / path.name)
    done = ran(
        *("pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", out, "."),
        cwd=copy,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [built] = out.glob("*.whl")
    return built


def files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def sources() -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.wide
def test_every_module_and_every_file_of_data_is_in_it(wheel):
    wanted = {name for name in sources() if Path(name).suffix in {".py", *DATA}}
    assert wanted - files(wheel) == set()
    assert "rehearse.py" in files(wheel)
    assert {Path(name).suffix for name in wanted} >= {".py", ".toml", ".html", ".js", ".json"}


def test_no_kind_of_data_is_forgotten():
    kinds = {Path(name).suffix for name in sources()}
    assert kinds <= {".py", ".typed", *DATA}, "name the new kind in package-data and here"


@pytest.mark.wide
def test_tests_and_benchmarks_are_not_in_it(wheel):
    tops = {name.split("/")[0] for name in files(wheel)}
    [info] = [top for top in tops if top.endswith(".dist-info")]
    assert tops == {*PACKAGES, "rehearse.py", "rehearsal_errors.py", "rehearsal_json.py", info}
    assert not [name for name in files(wheel) if Path(name).name.startswith(("test_", "conftest"))]


def test_it_says_what_it_is(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [metadata] = [name for name in names if name.endswith(".dist-info/METADATA")]
        [entries] = [name for name in names if name.endswith("entry_points.txt")]
        about, doors = archive.read(metadata).decode(), archive.read(entries).decode()
    assert "Name: rehearsal-web" in about and "License-Expression: MIT" in about
    assert "rehearse = rehearse:main" in doors
    assert [name for name in names if name.endswith("LICENSE")]


@pytest.mark.wide
def test_it_runs_where_it_is_installed(wheel, tmp_path):
    target, elsewhere = tmp_path / "target", tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = ran(
        *("pip", "install", "--no-deps", "--no-index", "--no-compile", "-q", "--target", target),
        wheel,
        cwd=elsewhere,
    )
    assert done.returncode == 0, done.stderr
    code = (
        "import agent, rehearse\n"
        "print(agent.__file__, rehearse.__file__)\n"
        "for what in ('sites', 'methods'):\n"
        "    try: rehearse.main(['list', what, '--json'])\n"
        "    except SystemExit: print('end')\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        check=True,
    )
    places, lists = found.stdout.split("\n", 1)
    assert all(path.startswith(str(target)) for path in places.split())
    sites, methods, _ = lists.split("end\n")
    assert "store" in [row["site"] for row in json.loads(sites)]
    assert "react" in [row["method"] for row in json.loads(methods)]
