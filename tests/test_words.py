"""One word for one thing: words that were given up stay out of code, docs and templates."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.each import for_each

pytestmark = pytest.mark.usefixtures("unmeasured")

ROOT = Path(__file__).parents[1]
ANYWHERE = re.compile(
    r"(?<![a-z])(rota|purse|manpower|troupe|theatre|stillborn|astir|warmth|asker|badcast|stagedsite"
    r"|pagedoor|modeldoor|casting|judges?|judged|judgements?|spoil(s|ed|t)?|once_more|badvoice)"
    r"(?![a-z])",
    re.IGNORECASE,
)
"""Words of no text at all; what pages and prompts show is none of our vocabulary."""
SEGMENTS = {
    *("heard", "told", "said", "hire", "bury", "flying", "crew", "casting", "mind", "brain"),
    *("torn", "acknowledge", "staged", "voice", "voices", "played", "unheard"),
}
"""No part of a name."""
NAMES = {
    *("again", "alone", "calm", "fed", "still", "terms", "stage", "house", "job", "jobs", "cast"),
    *("moment", "moments", "course", "dismiss", "examined", "player", "players", "hear"),
}
"""No whole name; as parts of one they have their usual meaning."""
CLASSES = {
    *("Cast", "Stage", "House", "Play", "Job", "Terms", "Voice", "Line", "Mind", "Walk", "Move"),
    *("Examined", "Case", "Moment", "Kept", "Desk", "Scene", "Crew", "Turn"),
}
FOREIGN = {("typing", "cast"), ("playwright", "Dialog")}
SHOWN = (
    "agent/prompts/",
    "agent/exemplars/",
    "sites/",
    "tests/cassettes/",
    "tests/readings/",
    "scenarios/suites/",
)
"""Folders whose data (not their code) is what agents are shown."""


def tracked(*endings: str) -> list[str]:
    found = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [each for each in found if each.endswith(endings)]


TEXTS = [
    path
    for path in tracked(".py", ".md", ".toml", ".html", ".ini")
    if path not in {"CHANGELOG.md", "tests/test_words.py"}
    and (path.endswith(".py") or not path.startswith(SHOWN) or "/templates/" in path)
]


@for_each("path", TEXTS)
def test_no_text_uses_a_word_that_was_given_up(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    lines = enumerate(text.splitlines(), start=1)
    assert [(number, line) for number, line in lines if ANYWHERE.search(line)] == []


@for_each("path", tracked(".py"))
def test_no_name_is_a_word_that_was_given_up(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert sorted({(line, name) for line, name in named(tree) if is_old(name)}) == []


def is_old(name: str) -> bool:
    bare = name.strip("_")
    parts = set(re.split(r"_+", bare.casefold()))
    return bare in NAMES | CLASSES or bool(parts & SEGMENTS and not name.startswith("test_"))


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every name that a file gives to something of its own: bound, defined or a parameter."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr
        elif isinstance(node, ast.alias) and node.asname:
            yield 0, node.asname


def test_the_reader_of_names_sees_every_form():
    code = "told = 1\ndef f(heard): self.said = 2\nclass Line: ...\nimport a as crew\n"
    found = {name for _, name in named(ast.parse(code))}
    assert {each for each in found if is_old(each)} == {"told", "heard", "said", "Line", "crew"}
