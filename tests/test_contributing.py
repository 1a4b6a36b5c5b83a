"""The commands of CONTRIBUTING.md: what they need is installed by the first of them."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path

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
