"""Which modules a module reaches through its imports, and which files differ from a commit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from scenarios import registry
from tests.sources import ROOT, TREES, source


def changed(base: str) -> list[str]:
    """Return the files that differ from the commit where this branch left `base`, and files that
    git does not know yet.

    Raises:
        subprocess.CalledProcessError: this is no git tree, or it has no `base`.
    """
    left = _git("merge-base", base, "HEAD")[0]
    found = {
        *_git("diff", "--name-only", left),
        *_git("ls-files", "--others", "--exclude-standard"),
    }
    return sorted(each for each in found if (ROOT / each).exists())


def _git(*arguments: str) -> list[str]:
    run = subprocess.run(["git", *arguments], cwd=ROOT, text=True, capture_output=True, check=True)
    return run.stdout.splitlines()


def module(path: str) -> str:
    """Return the dotted name of a module. A file of data belongs to the package of its folder."""
    place = path.removesuffix(".py") if path.endswith(".py") else str(Path(path).parent)
    return place.replace("/", ".").removesuffix(".__init__")


def file_of(name: str) -> Path | None:
    """Return the file of a module or package, or None if the tree has no such module."""
    place = ROOT / name.replace(".", "/")
    tried = (place.with_name(f"{place.name}.py"), place / "__init__.py")
    return next((path for path in tried if path.is_file()), None)


@cache
def modules() -> frozenset[str]:
    """Return every module of ours, and every module of tests."""
    files = (path for tree in TREES for path in (ROOT / tree).rglob("*.py"))
    return frozenset(module(path.relative_to(ROOT).as_posix()) for path in files)


@cache
def imports(name: str) -> frozenset[str]:
    """Return the modules of ours that a module imports itself."""
    path = file_of(name)
    if path is None:
        return frozenset()
    owners = (_module_of(each) for each in source(path).imports)
    return frozenset(owner for owner in owners if owner and owner != name)


def _module_of(imported: str) -> str:
    """Return the module that an imported name is, or stands in; "" if it is not ours."""
    owner = imported.rpartition(".")[0]
    return next((each for each in (imported, owner) if each and file_of(each)), "")


@cache
def reach(name: str) -> frozenset[str]:
    """Return a module and every module of ours that it imports, directly or through others."""
    found, waiting = {name}, [name]
    while waiting:
        new = imports(waiting.pop()) - found
        found |= new
        waiting += new
    return frozenset(found)


@cache
def homes() -> Mapping[str, str]:
    """Return the module that provides each family, by the family's name."""
    known = registry.family_modules()
    loaded = [(name, each) for name, each in sys.modules.items() if name.startswith("scenarios.")]
    return {
        family: name
        for name, each in loaded
        if registry.provides(each)
        for family in registry.provided(each, name.rpartition(".")[2], name)
        if family in known
    }


def families_near(paths: Collection[str]) -> frozenset[str]:
    """Return the families that a change of these files may change.

    A module counts for the families that reach it, another file for those that reach a module of
    its folder, a page of the widgets for its own family.
    """
    code = {module(path) for path in paths if path.endswith(".py")}
    folders = {module(path) for path in paths if not path.endswith(".py")}
    pages = {Path(path).stem for path in paths if Path(path).match("sites/widgets/tasks/*.html")}
    return frozenset(
        family
        for family, home in (homes().items() if paths else ())
        if family in pages or code & reach(home) or folders & _folders(home)
    )


@cache
def _folders(home: str) -> frozenset[str]:
    return frozenset(part for name in reach(home) for part in (name, name.rpartition(".")[0]))
