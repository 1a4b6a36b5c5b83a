"""The commands of CONTRIBUTING.md: what they need is installed by the first of them."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluators.commands.doctor import PYTHONS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_first_command_installs_what_the_others_call():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    first, *others = re.findall(r"^    (?:pip|tox|pytest).*$", text, re.MULTILINE)
    [extra] = re.findall(r"\[(\w+)\]", first)
    extras = PROJECT["optional-dependencies"]
    installed = [re.match(r"[\w-]+", each)[0] for name in (extra, "test") for each in extras[name]]
    assert "test" in extras[extra][0]
    assert {line.split()[0] for line in others} == {"tox", "pytest"} <= set(installed)


def test_tox_takes_any_python_that_the_package_takes():
    """A pinned interpreter is an error, or skips everything, where another one is installed."""
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini")
    keys = {key for name in tox.sections() for key in tox[name]}
    assert not keys & {"base_python", "basepython", "skip_missing_interpreters"}
    assert not [name for name in tox.sections() if re.search(r"py3", name)]
    assert PROJECT["requires-python"] == ">=3.11"


def test_every_page_names_the_same_pythons():
    """Those that `doctor` supports; tox has an environment for each without naming it."""
    names = [f"{major}.{minor}" for major, minor in PYTHONS]
    found = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    assert found == names
    first, second, third = names
    lines = {
        "README.md": f"Python {first}, {second} or {third}",
        "CONTRIBUTING.md": f"Python {first}, {second} and {third} are supported",
        ".ci/run": f"Python {first}, {second} and {third} are supported",
    }
    for page, words in lines.items():
        assert words in (ROOT / page).read_text(encoding="utf-8"), page


def test_an_environment_of_a_python_runs_every_test():
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini")
    assert '-m "not live and not deep" {posargs}' in tox["testenv"]["commands"]


def test_tox_finds_the_pythons_of_pyenv(monkeypatch, tmp_path):
    for name in ("2.7.18", "3.12.1", "3.13.0"):
        (tmp_path / "versions" / name / "bin").mkdir(parents=True)
        (tmp_path / "versions" / name / "bin" / "python3").touch()
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    options = SimpleNamespace(discover=["given"])
    toxfile = pytest.importorskip("toxfile", reason="tox is not installed here")
    toxfile.tox_add_core_config(None, SimpleNamespace(conf=SimpleNamespace(options=options)))
    given, *found = (Path(each).parts[-3:][0] for each in options.discover)
    assert (given, found) == ("given", ["3.12.1", "3.13.0"])


def test_ci_runs_the_commands_of_the_readme_and_then_every_test():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    (pip install .*&&.*)$", readme, re.MULTILINE)
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    places = [lines.index(each) for each in (*commands, "tox -e wide,coverage")]
    assert len(commands) == 2 and places == sorted(places)


def test_tox_and_wide_together_run_every_test_once():
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini")
    often, wide = (tox[f"testenv:{name}"]["commands"] for name in ("tests", "wide"))
    assert '-m "not live and not deep and not wide" {posargs}' in often
    assert '-m "wide and not live and not deep" {posargs}' in wide
