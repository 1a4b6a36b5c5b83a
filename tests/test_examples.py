"""The examples of docs/adding.md, of the public modules and of the commands' help work."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

import agent.interface
import evaluators
import scenarios.scenario
from rehearse import main
from tests.measuring import HANG
from tests.sources import ROOT, TREES
from tests.test_docs import blocks

EXAMPLES = ("price_of", "light_lamp", "hours_together")
"""The families of docs/adding.md."""
PUBLIC = (agent.interface, scenarios.scenario, evaluators)
IGNORED = shutil.ignore_patterns("__pycache__", "cassettes", "earlier", "readings")


@pytest.fixture(scope="module", name="tree")
def _tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree in which the page's family and site are as if they were ours."""
    tree = tmp_path_factory.mktemp("tree")
    for name in TREES:
        shutil.copytree(ROOT / name, tree / name, ignore=IGNORED)
    shutil.copy(ROOT / "pyproject.toml", tree)
    for block in blocks("adding.md"):
        if block.file == "price_of.py" or "lamp" in block.file:
            place = tree / ("scenarios/store/price_of.py" if "/" not in block.file else block.file)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.text, encoding="utf-8")
    return tree


@pytest.mark.wide
@pytest.mark.usefixtures("unmeasured")
def test_the_families_hold_every_contract_in_the_tree(tree: Path):
    words = ["-v", "-m", "not live and not deep", "tests/contracts", "-k", " or ".join(EXAMPLES)]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert run.returncode == 0, run.stdout
    for family in EXAMPLES:
        assert len(re.findall(rf"{family}.* PASSED", run.stdout)) > 10, run.stdout


@pytest.mark.parametrize("module", PUBLIC, ids=lambda module: module.__name__)
def test_the_examples_of_public_modules_give_what_they_say(module: ModuleType, tmp_path: Path):
    found = doctest.DocTestFinder(exclude_empty=True).find(
        module, extraglobs={"folder": tmp_path / "run"}
    )
    ran = [doctest.DocTestRunner().run(each) for each in found if each.examples]
    assert ran and not sum(each.failed for each in ran)


def commands(group: click.Group, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words that call each command of a group."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))
        else:
            yield *above, name


@pytest.mark.parametrize("words", [*commands(main)], ids=" ".join)
def test_the_help_of_a_command_shows_an_example_that_it_reads(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    help_text = CliRunner().invoke(main, [*words, "--help"]).stdout
    examples = re.findall(rf"^ +rehearse ({' '.join(words)}\b.*)$", help_text, re.MULTILINE)
    assert examples, help_text
    for example in examples:
        command: click.Command = main
        given = shlex.split(example)
        for word in words:
            assert isinstance(command, click.Group)
            command = command.commands[word]
        command.make_context(words[-1], given[len(words) :])
