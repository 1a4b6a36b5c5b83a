"""What a file of Python imports, names and calls, for the tests that read the whole tree.

A file is parsed once in a run of the tests, and its syntax tree is not kept: a thousand of them are
half a gigabyte, and the collector of the process would walk through it until the tests end.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.between import FOLDER, shared
from tests.measuring import unmeasured

ROOT = Path(__file__).parents[1]
TREES = ("agent", "evaluators", "scenarios", "sites", "tests", "tools", "benchmarks")


@dataclass(frozen=True, slots=True)
class Source:
    """`imports` are dotted names, those in functions too; `names` are what the file gives to
    something of its own, with their lines; `calls` are the lines and what is called there: `f` of
    `f()`, `a.f` of `a.f()`, no other form."""

    imports: tuple[str, ...]
    names: tuple[tuple[int, str], ...]
    calls: tuple[tuple[int, str], ...]


@cache
def source(path: Path) -> Source:
    known = _every() if FOLDER in os.environ else {}
    return known.get(path) or _read_file(path)


@cache
def _every() -> dict[Path, Source]:
    """All files of our packages: who reads one in a run of the tests reads the others, too."""
    made: dict[Path, Source] = shared("sources", "all", _read_all)
    return made


@unmeasured()
def _read_all() -> dict[Path, Source]:
    paths = [path for tree in TREES for path in (ROOT / tree).rglob("*.py")]
    return {path: _read_file(path) for path in paths}


def _read_file(path: Path) -> Source:
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    return read(path.read_text(encoding="utf-8"), package)


def read(text: str, package: tuple[str, ...] = ()) -> Source:
    """The source of a module in that package."""
    imports: list[str] = []
    names: list[tuple[int, str]] = []
    calls: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.extend(_imported(node, package))
            names.extend((node.lineno, each.asname) for each in node.names if each.asname)
        elif isinstance(node, ast.Call):
            calls.extend((node.lineno, called) for called in _called(node.func))
        elif name := _given(node):
            names.append(name)
    return Source(tuple(imports), tuple(names), tuple(calls))


def _imported(node: ast.Import | ast.ImportFrom, package: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
        return
    base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
    origin = ".".join(filter(None, (base, node.module)))
    yield from (f"{origin}.{each.name}" for each in node.names)


def _called(function: ast.expr) -> Iterator[str]:
    if isinstance(function, ast.Name):
        yield function.id
    elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        yield f"{function.value.id}.{function.attr}"


def _given(node: ast.AST) -> tuple[int, str] | None:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.lineno, node.id
    if isinstance(node, ast.arg):
        return node.lineno, node.arg
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return node.lineno, node.name
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return node.lineno, node.attr
    return None
