"""The rooms: tasks and sites stand in packages by group, and no family imports another one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scenarios import registry
from tests.each import for_each
from tests.sources import ROOT, source

pytestmark = pytest.mark.usefixtures("unmeasured")

MOST_ENTRIES = 10
"""The most entries that a reader takes in at a glance."""
MOST_IMPORTS = 12
"""The most modules of the tasks that a kind of ticket imports from outside its folder."""
TASKS = ("scenarios/crm", "scenarios/store")
ROOMS = (*TASKS, "sites/crm", "sites/store")


def families() -> dict[str, set[str]]:
    """Return the modules that provide families, each with the last names of what they vary."""
    registry.family_modules()
    found = {}
    for path in sorted(path for room in TASKS for path in (ROOT / room).rglob("*.py")):
        dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        module = sys.modules.get(dotted)
        if module is not None and registry.provides(module):
            made = registry.provided(module, path.stem, str(path)).values()
            found[dotted] = {each.VARIANT_OF for each in made}
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


TICKETS = sorted(path.parent.name for path in (ROOT / "scenarios/crm/tickets").glob("*/case.py"))


@for_each("ticket", TICKETS)
def test_a_ticket_is_understood_from_its_folder_and_a_dozen_modules(ticket):
    """A group's package is one of these: it offers what the other groups need of it."""
    assert len(TICKETS) == 8
    own = f"scenarios.crm.tickets.{ticket}"
    named = {_module(each) for path in _files(own) for each in source(path).imports}
    named = {each for each in named if each.startswith("scenarios.")}
    outside = {each for each in named if each != own and not each.startswith(f"{own}.")}
    assert 3 < len(outside) <= MOST_IMPORTS, sorted(outside)


def _module(name: str) -> str:
    """Return the module of an imported name, which is a module or something in one."""
    path = ROOT / name.replace(".", "/")
    is_module = path.with_suffix(".py").exists() or (path / "__init__.py").exists()
    return name if is_module else name.rpartition(".")[0]


def _files(module: str) -> list[Path]:
    """Return the files of a family: its module, or all of its package."""
    path = ROOT / module.replace(".", "/")
    return sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
