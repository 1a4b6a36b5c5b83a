"""Run the tests that are near what was changed: `tox -e quick`, or `tox -e quick -- main`.

Near are changed tests, those that import or mirror a changed module, and the contracts of a
changed family, page or method; tests of everything together (`FAR`) are not. `tox` runs all.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.sources import ROOT, source

FAR = ("tests/contracts", "tests/faults", "tests/live", "tests/test_replay.py", "tests/test_wheel")
OPTIONS = ("-q", "-p", "xdist", "-n", "auto", "--dist", "worksteal", "-m", "not live and not deep")


def changed(base: str) -> list[str]:
    """The files that differ from a commit, and those that git does not know yet."""
    asked = (["diff", "--name-only", base], ["ls-files", "--others", "--exclude-standard"])
    found = [subprocess.check_output(["git", *each], cwd=ROOT, text=True) for each in asked]
    return sorted(each for each in set("".join(found).splitlines()) if (ROOT / each).exists())


def module(path: str) -> str:
    """The dotted name of a module; of a file of data, that of its folder."""
    place = path.removesuffix(".py") if path.endswith(".py") else str(Path(path).parent)
    return place.replace("/", ".").removesuffix(".__init__")


@cache
def uses(test: Path) -> frozenset[str]:
    """What a test imports, with what the modules import that tests share."""
    names = {part for name in source(test).imports for part in (name, name.rpartition(".")[0])}
    shared = [ROOT / f"{name.replace('.', '/')}.py" for name in names if name.startswith("tests.")]
    return frozenset(names).union(*(uses(path) for path in shared if path.is_file()))


def near(path: str) -> set[str]:
    """The files of tests near a changed file; where none is, all of its mirrored folder."""
    tests = (each.relative_to(ROOT).as_posix() for each in (ROOT / "tests").rglob("test_*.py"))
    tried = {each for each in tests if each == path or not each.startswith(FAR)}
    name = module(path)
    found = {each for each in tried if mirrors(each, name) or name in uses(ROOT / each)}
    folders = (f"tests/{folder}/" for folder in list(Path(path).parents)[:-2])
    mirrored = ({each for each in tried if each.startswith(folder)} for folder in folders)
    return found | tried & {path} or next(filter(None, mirrored), set())


def mirrors(test: str, name: str) -> bool:
    """Whether a test's place in the tree is that of a module, or of a package around it."""
    return f".{name}.".startswith(module(test).removeprefix("tests").replace(".test_", ".") + ".")


def contracts(paths: list[str]) -> Iterator[str]:
    """The words of `-k` for the contracts of changed families, pages and methods."""
    for path in map(Path, paths):
        if path.parts[0] == "scenarios" or path.match("sites/widgets/tasks/*.html"):
            for name in (path.stem, path.stem.replace("_", "-")):
                yield from (f"[{name}]", f"[{name}-")
        elif method := re.match(r"agent/(?:methods|prompts|llm/scripted)/([a-z]\w*)", str(path)):
            yield f"[{method[1].replace('_', '-')}-"


def main(base: str = "HEAD") -> int:
    paths = changed(base)
    tests = {"tests/test_imports.py", "tests/test_words.py"}.union(*map(near, paths))
    codes = [pytest.main([*OPTIONS, *sorted(tests)])]
    if words := " or ".join(sorted(set(contracts(paths)))):
        codes.append(pytest.main([*OPTIONS, "tests/contracts", "-k", words]))
    return max(code for code in codes if code != pytest.ExitCode.NO_TESTS_COLLECTED)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
