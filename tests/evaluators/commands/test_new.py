"""`rehearse new` writes files that work as they stand, and overwrites none."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from evaluators.commands import new
from evaluators.commands.new import CannotMake
from tests.test_docs import ROOT, TREE, python

pytestmark = pytest.mark.usefixtures("unmeasured")

CHECK = """
import json, sys
from evaluators.scoring.context import ScoringContext
from scenarios import registry
made = registry.family(sys.argv[1])
data, asked, labels = registry.site_data(made.SITE), set(), set()
for seed in range(60):
    scenario = made.generate(seed, data)
    asked.add(scenario.instruction)
    with made.world(scenario) as world:
        context = ScoringContext.of(scenario, made, world.snapshot())
        assert context.score(world.snapshot()).progress == 0
        answer = made.solve(scenario, world, data)
        assert context.score(world.snapshot(), answer).success
    for label, miss in made.near_misses(scenario, data).items():
        with made.world(scenario) as world:
            given = miss.apply(world) or ""
            held = {each.name: each.held for each in context.score(world.snapshot(), given).checks}
            assert held[miss.fails] is False, (label, held)
            labels.add(label)
print(json.dumps([len(asked), sorted(labels), made.length(scenario)]))
"""
"""Solves the scenarios of a family and makes its mistakes, without a browser."""


@pytest.fixture(scope="module", name="tree")
def _tree(tmp_path_factory) -> Path:
    """A copy of the tree in which a site and two families were begun."""
    tree = tmp_path_factory.mktemp("new")
    for name in TREE:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, tree / name)
    for words in (["site", "zoo"], ["family", "zoo", "say_note"], ["family", "forum", "first"]):
        python(["-m", "rehearse", "new", *words], tree, tree)
    return tree


def checked(tree: Path, family: str) -> tuple[int, list[str], int]:
    count, labels, length = json.loads(python(["-c", CHECK, family], tree, tree))
    return count, labels, length


def test_a_new_family_on_a_new_site_is_solved_and_its_mistakes_are_refused(tree):
    count, labels, length = checked(tree, "say_note")
    assert count == 60 and length == 2
    assert "note written wrongly" in labels


def test_a_new_family_on_the_forum_is_solved_and_its_mistakes_are_refused(tree):
    count, labels, length = checked(tree, "first")
    assert count > 20 and labels and length >= 1


def test_the_expert_does_the_new_task_in_a_browser(tree, tmp_path):
    words = ["--agent", "expert,nothing", "--family", "say_note", "--seeds", "0:2", "--json"]
    output = python(["-m", "rehearse", "run", *words, "-o", str(tmp_path / "run")], tree, tree)
    rows = {each["agent"]: each["success"] for each in json.loads(output)["rows"]}
    assert rows == {"expert": 1, "nothing": 0}


@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed here")
def test_the_new_files_keep_to_the_rules_of_the_tree(tree):
    paths = [tree / "sites/zoo", tree / "scenarios/zoo", *tree.glob("evaluators/**/zoo.py")]
    settings = f"--config={ROOT / 'pyproject.toml'}"
    for words in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *words, settings, *map(str, paths)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_nothing_is_overwritten(tmp_path):
    made = new.site("board", tmp_path)
    assert len(made) == 4 and all(path.exists() for path in made)
    made[1].unlink()
    made[0].write_text("mine")
    with pytest.raises(CannotMake, match="exists already"):
        new.site("board", tmp_path)
    assert made[0].read_text() == "mine" and not made[1].exists()
    [file] = new.family("forum", "first", tmp_path)
    file.write_text("mine")
    with pytest.raises(CannotMake, match="exists already"):
        new.family("forum", "first", tmp_path)
    assert file.read_text() == "mine"


@pytest.mark.parametrize("name", ["Board", "x", "_board", "a/b", "../board", "a" * 41, ""])
def test_a_name_that_cannot_be_a_file_is_refused(tmp_path, name):
    with pytest.raises(CannotMake, match="small letters"):
        new.site(name, tmp_path)
    with pytest.raises(CannotMake, match="small letters"):
        new.family("forum", name, tmp_path)
    assert not [*tmp_path.iterdir()]


def test_a_name_that_is_taken_and_a_site_without_declaration_are_refused(tmp_path):
    for taken in ("store", "outlet", "browsergym"):
        with pytest.raises(CannotMake, match="there is a site"):
            new.site(taken, tmp_path)
    with pytest.raises(CannotMake, match="there is a family buy_item"):
        new.family("forum", "buy_item", tmp_path)
    with pytest.raises(CannotMake, match="store is not a declared site"):
        new.family("store", "wish", tmp_path)


def test_two_lines_say_what_to_do_next():
    for text in (new.next_steps("board"), new.next_steps("board", "say_note")):
        assert len(text.splitlines()) == 2 and "rehearse " in text
