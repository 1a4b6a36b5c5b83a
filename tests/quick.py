"""Run the tests that are near what was changed: `tox -e quick`, or `tox -e quick -- main`.

Near are changed tests, the tests that import a changed module (or, if none does, import a module
that does), those that mirror it, and the contracts of a changed family, page or method. Tests of
everything together (`FAR`) are not. `tox` runs more, and `tox -e wide` the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.reach import changed, families_near, imports, module, modules
from tests.slices import methods_near
from tests.sources import ROOT

FAR = ("tests/contracts", "tests/faults", "tests/live", "tests/test_replay.py", "tests/test_wheel")
OPTIONS = ("-q", "-p", "xdist", "-n", "auto", "--dist", "worksteal", "-m", "not live and not deep")
DOCS = ("tests/test_docs.py",)


def near(path: str) -> set[str]:
    """Return the files of tests near a changed file; if none is, those of its mirrored folder."""
    if path.startswith("docs/"):
        return {*DOCS}
    if Path(path).match("test_*.py"):
        return {path}
    tests = tried()
    name = module(path)
    changes = {name} if path.endswith(".py") else {each for each in modules() if _is_in(each, name)}
    found = importers(changes) | {each for each in tests if mirrors(each, name)}
    folders = (f"tests/{folder}/" for folder in list(Path(path).parents)[:-2])
    mirrored = ({each for each in tests if each.startswith(folder)} for folder in folders)
    return found or next(filter(None, mirrored), set())


@cache
def tried() -> frozenset[str]:
    """Return the files of tests that can be near something."""
    tests = (each.relative_to(ROOT).as_posix() for each in (ROOT / "tests").rglob("test_*.py"))
    return frozenset(each for each in tests if not each.startswith(FAR))


def _is_in(name: str, package: str) -> bool:
    return package in (name, name.rpartition(".")[0])


def importers(changes: Collection[str]) -> set[str]:
    """Return the tests with the shortest way of imports to one of these modules."""
    tests = {module(path): path for path in tried()}
    seen = set(changes)
    while changes:
        changes = {name for name in modules() if imports(name) & {*changes}} - seen
        seen |= changes
        if found := changes & tests.keys():
            return {tests[name] for name in found}
    return set()


def mirrors(test: str, name: str) -> bool:
    """Whether a test's place in the tree is that of a module, or of a package around it."""
    return f".{name}.".startswith(module(test).removeprefix("tests").replace(".test_", ".") + ".")


def contracts(paths: Collection[str]) -> Iterator[str]:
    """Yield the words of `-k` for the contracts of changed families, pages and methods."""
    for name in families_near(paths):
        yield from (f"[{name}]", f"[{name}-", f"-{name}]")
    for method in methods_near(paths):
        yield f"[{method}-"


def main(base: str = "HEAD") -> int:
    paths = changed(base)
    tests = {"tests/test_imports.py", "tests/test_words.py"}.union(*map(near, paths))
    codes = [pytest.main([*OPTIONS, *sorted(tests)])]
    if words := " or ".join(sorted(set(contracts(paths)))):
        codes.append(pytest.main([*OPTIONS, "tests/contracts", "-k", words]))
    return max(code for code in codes if code != pytest.ExitCode.NO_TESTS_COLLECTED)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
