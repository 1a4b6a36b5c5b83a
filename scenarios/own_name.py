"""Check that a family draws scenarios under the name by which it is found.

Records, folders and public ids use this name. Two families that draw under one name would share
them.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

from agent.plugins import BadPlugin
from scenarios.scenario import Family, Scenario


@dataclass(frozen=True)
class _Given:
    """A family as it is found: its name, its site, and its file as messages show it."""

    family: str
    site: str
    shown: str
    file: Path

    def check(self, drawn: Scenario, seed: int) -> None:
        """Raise `BadPlugin` if the scenario of `seed` has another name or another visit's start."""
        wanted = {"family": self.family, "site": self.site, "seed": seed}
        for part, value in wanted.items():
            found = getattr(drawn, part)
            if found != value:
                places = _lines(self.file, found)
                raise BadPlugin(
                    f"{self.shown}:{places}: the scenario of seed {seed} has {part}={found!r}",
                    f"write {value!r} there, in every such line",
                )
        if any(each != drawn.id for each in _ids(drawn.start)):
            call = f"public_id(name({self.site!r}, {self.family!r}, seed))"
            raise BadPlugin(
                f"{self.shown}:{_lines_of_start(self.file)}: `start` of seed {seed} is"
                f" {drawn.start[:60]!r}, which carries the id of another scenario",
                f"write {call} there",
            )


def checked(family: Any, named: str, shown: str) -> Any:
    """Make the `generate` of a family check each scenario that it draws, and return the family.

    Args:
        family: The module or object.
        named: The name by which the family is found.
        shown: Its file, as messages show it.
    """
    if not hasattr(family.generate, "checks_name"):
        given = _Given(named, family.SITE, shown, _file(family))
        vars(family)["generate"] = _checking(family.generate, given)
    return family


def _checking(generate: Callable[..., Scenario], given: _Given) -> Callable[..., Scenario]:
    @wraps(generate)
    def draw(seed: int, data: Any) -> Scenario:
        drawn = generate(seed, data)
        given.check(drawn, seed)
        return drawn

    vars(draw)["checks_name"] = True
    return draw


def _ids(start: str) -> list[str]:
    """Return the public ids in an address. A word of 20 letters without a digit is no id."""
    return [each for each in re.findall(r"\b[a-z0-9]{20}\b", start) if not each.isalpha()]


def _file(family: Family) -> Path:
    module = family if inspect.ismodule(family) else sys.modules[type(family).__module__]
    return Path(module.__file__ or "")


def _lines(file: Path, value: object) -> str:
    """Return the numbers of the lines that hold the value as a literal, with commas.

    Without such a line, return the lines that make a `Scenario`.
    """
    tree = [*ast.walk(ast.parse(file.read_text("utf-8")))]
    literals = (each for each in tree if isinstance(each, ast.Constant) and each.value == value)
    return _numbers(literals) or _numbers(_calls(tree))


def _lines_of_start(file: Path) -> str:
    """Return the numbers of the lines that give a scenario its `start`."""
    tree = [*ast.walk(ast.parse(file.read_text("utf-8")))]
    given = (each.value for each in tree if isinstance(each, ast.keyword) and each.arg == "start")
    return _numbers(given) or _numbers(_calls(tree))


def _calls(tree: list[ast.AST]) -> Iterator[ast.expr]:
    calls = (each for each in tree if isinstance(each, ast.Call))
    return (each for each in calls if ast.unparse(each.func) in ("Scenario", "replace"))


def _numbers(found: Iterator[Any]) -> str:
    return ",".join(map(str, sorted({each.lineno for each in found})))
