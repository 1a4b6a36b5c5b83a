"""One word for one thing: words that were given up stay out of code, docs and templates."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.each import for_each
from tests.sources import ROOT, read, source

pytestmark = pytest.mark.usefixtures("unmeasured")

ANYWHERE = re.compile(
    r"(?<![a-z])(rota|purse|manpower|troupe|theatre|stillborn|astir|warmth|asker|badcast|stagedsite"
    r"|pagedoor|modeldoor|casting|judges?|judged|judgements?|spoil(s|ed|t)?|once_more|badvoice"
    r"|whole desk)"
    r"(?![a-z])"
)
"""Words of no text at all, in lower case; what pages and prompts show is none of our vocabulary."""
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
    text = (ROOT / path).read_text(encoding="utf-8").lower()
    lines = enumerate(text.splitlines(), start=1) if ANYWHERE.search(text) else ()
    assert [(number, line) for number, line in lines if ANYWHERE.search(line)] == []


@for_each("path", tracked(".py"))
def test_no_name_is_a_word_that_was_given_up(path):
    assert sorted({each for each in source(ROOT / path).names if is_old(each[1])}) == []


def is_old(name: str) -> bool:
    bare = name.strip("_")
    parts = set(re.split(r"_+", bare.casefold()))
    return bare in NAMES | CLASSES or bool(parts & SEGMENTS and not name.startswith("test_"))


def test_the_reader_of_names_sees_every_form():
    code = "told = 1\ndef f(heard): self.said = 2\nclass Line: ...\nimport a as crew\n"
    found = {name for _, name in read(code).names}
    assert {each for each in found if is_old(each)} == {"told", "heard", "said", "Line", "crew"}
