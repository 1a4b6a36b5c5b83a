"""The rooms: tasks and sites stand in packages by group, and no family imports another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios import registry
from tests.each import for_each
from tests.reach import homes, imports, module
from tests.sources import ROOT, source

pytestmark = pytest.mark.usefixtures("unmeasured")

MOST_ENTRIES = 10
"""The most entries that a reader takes in at a glance."""
MOST_IMPORTS = 12
"""The most modules of the tasks that a kind of work imports from outside its folder."""
TASKS = ("scenarios.crm.", "scenarios.store.")
ROOMS = ("scenarios/crm", "scenarios/store", "sites/crm", "sites/store")


def families() -> dict[str, set[str]]:
    """Return the modules that provide families, each with the last names of what they vary."""
    found: dict[str, set[str]] = {}
    for family, home in homes().items():
        if home.startswith(TASKS):
            found.setdefault(home, set()).add(registry.family(family).VARIANT_OF)
    return found


@for_each("room", ROOMS)
def test_a_room_is_taken_in_at_a_glance(room):
    entries = {path.name for path in (ROOT / room).iterdir()} - {"__pycache__"}
    assert len(entries) <= MOST_ENTRIES, sorted(entries)


def test_no_family_imports_another_one():
    """A variant may import the family that it varies."""
    varied = families()
    assert len(varied) > 50
    wrong = [
        (name, other)
        for name, bases in varied.items()
        for path in _files(name)
        for other in varied.keys() & {*source(path).imports} - {name}
        if other.rpartition(".")[2] not in bases
    ]
    assert wrong == []


WORK = sorted(
    f"{group}.{path.parent.name}"
    for group in ("tickets", "shift")
    for path in (ROOT / "scenarios/crm" / group).glob("*/case.py")
)


@for_each("work", WORK)
def test_work_at_level_3_is_understood_from_its_folder_and_a_dozen_modules(work):
    """A group's package is one of these: it offers what the other groups need of it."""
    assert len(WORK) == 10
    own = f"scenarios.crm.{work}"
    named = {each for path in _files(own) for each in imports(module(_place(path)))}
    named = {each for each in named if each.startswith("scenarios.")}
    outside = {each for each in named if each != own and not each.startswith(f"{own}.")}
    assert 3 < len(outside) <= MOST_IMPORTS, sorted(outside)


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _files(module: str) -> list[Path]:
    """Return the files of a family: its module, or all of its package."""
    path = ROOT / module.replace(".", "/")
    return sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
