"""No prompt quotes a task or a page: the wording of what is scored is held out.

Of prompts for tasks in plain words; LASER's, ReAct's and Synapse's examples are of the tasks that
their papers take them from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from agent import prompting
from scenarios import registry
from tests.between import shared
from tests.drawing import drawn
from tests.each import for_each
from tests.measuring import DEEP, unmeasured

ROOT = Path(__file__).parents[2]
METHODS = ("anticipatory_reflection", "flat", "lats", "plan_act", "sampled_alternatives", "step")
LONG, SHORT = 8, 5
"""Words of a shingle: of one instruction or page, and of a phrase that instructions share."""
SHARED = 7
"""A phrase is shared if this many of the (some 3,000) instructions have it."""
Shingle = tuple[str, ...]


def _shingles(text: str, size: int) -> set[Shingle]:
    """All runs of so many words; a word with a digit in it stands for any other."""
    found = re.findall(r"[a-z0-9$'.]+", text.lower())
    words = ["#" if any(map(str.isdigit, word)) else word.strip(".'") for word in found]
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


@cache
def _phrases() -> tuple[set[Shingle], set[Shingle]]:
    """Those of single instructions, and the shorter ones that instructions share."""
    whole: set[Shingle] = set()
    sharing: dict[Shingle, int] = defaultdict(int)
    for instruction in _instructions():
        whole |= {each for each in _shingles(instruction, LONG) if each.count("#") < LONG - 1}
        for each in _shingles(instruction, SHORT):
            sharing[each] += 1
    often = {each for each, times in sharing.items() if times >= SHARED}
    return whole, {each for each in often if set(each) != {"#"} and each.count("#") < SHORT - 1}


def _instructions() -> set[str]:
    found: set[str] = shared("instructions", "all", _drawn_instructions)
    return found


def _drawn_instructions() -> set[str]:
    with unmeasured():
        return {
            drawn(name, seed).instruction
            for name, made in registry.family_modules().items()
            for seed in range(_seeds(made))
        }


def _seeds(family: ModuleType) -> int:
    """None of variants on other pages, which tell another family's wordings again, and few of what
    is slow to draw: no more than `test_families.py` draws, whose scenarios these are."""
    if DEEP:
        return 60
    if family.SITE == "crm" and family.LEVEL == 1:
        return 20 if family.VARIANT_OF else 60  # in many wordings, and quick to draw
    if family.VARIANT_OF:
        return 0
    return 16 if family.LEVEL == 1 else 6


@cache
def _sentences() -> set[Shingle]:
    """What the sites' pages say."""
    paths = (
        path for kind in ("html", "py", "toml") for path in (ROOT / "sites").rglob(f"*.{kind}")
    )
    texts = (re.sub(r"<[^>]+>|\{[^}]*\}", " ", path.read_text()) for path in paths)
    found = set().union(*(_shingles(text, LONG) for text in texts))
    return {each for each in found if each.count("#") < LONG - 1}


def _shown(shingles: Iterable[Shingle]) -> list[str]:
    return sorted(" ".join(each) for each in shingles)


@pytest.mark.wide
@for_each("method", METHODS)
def test_no_prompt_quotes_a_task_or_a_page(method):
    whole, often = _phrases()
    for path in sorted((prompting.FOLDER / method).rglob("*.toml")):
        text = path.read_text()
        quoted = _shingles(text, LONG) & (whole | _sentences()) | _shingles(text, SHORT) & often
        assert not quoted, f"{path.name} quotes {_shown(quoted)}; say it in other words"


@pytest.mark.wide
def test_a_quotation_would_be_seen():
    instruction = registry.scenario("crm/TASK_BOOK_FLIGHT/3").instruction
    whole, often = _phrases()
    assert _shingles(instruction, LONG) & whole and _shingles(instruction, SHORT) & often
