"""The one place that finds plug-ins: a file in a folder is a name on the command line."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import shlex
import sys
import traceback
from collections.abc import Collection, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from rehearsal_errors import RehearsalError

SHOWN = 100
"""Characters of a name that a message quotes."""


class OwnFile(str):
    """A Python file that the caller named: on the command line, in a program or to a fixture.

    Only such a file is ever run. A record, a request, a suite or the name of an environment holds
    plain text, which only finds what is known; text that is read back from a file is plain again.
    """

    __slots__ = ()

    @property
    def path(self) -> Path:
        return Path(self)


class UnknownName(RehearsalError, ValueError):
    """A name that no plug-in has; the message gives the nearest ones."""


class NoSuchFile(RehearsalError, FileNotFoundError):
    """The path of a plug-in that is not there."""


class BadPlugin(RehearsalError, ValueError):
    """A plug-in that cannot be imported, lacks a member of its kind, or misspells one."""


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error for a `name` that is not among `known`, with the nearest names."""
    names = sorted(known)
    near = _close(name, names, 3, 0.5) or names
    return UnknownName(f"there is no {kind} {name[:SHOWN]!r}", f"did you mean {', '.join(near)}?")


def names(package: ModuleType) -> list[str]:
    """The plug-ins of a package, sorted; `-` on the command line is `_` in the file."""
    found = set()
    for folder in map(Path, package.__path__):
        for entry in folder.iterdir():
            is_module = entry.suffix == ".py" or (entry / "__init__.py").exists()
            if is_module and not entry.name.startswith("_"):
                found.add(entry.stem)
    return sorted(found)


def load(kind: str, package: ModuleType, name: str) -> ModuleType:
    """Import the plug-in with this name. Raises `UnknownName`."""
    module = name.replace("-", "_")
    loaded = sys.modules.get(f"{package.__name__}.{module}")
    if loaded is not None and module.isidentifier() and not module.startswith("_"):
        return loaded
    known = names(package)
    if module not in known:
        raise unknown(kind, name, known)
    return importlib.import_module(f"{package.__name__}.{module}")


def load_file(file: OwnFile) -> ModuleType:
    """Import a plug-in from a file outside the tree, once. Raises `NoSuchFile`, `BadPlugin`."""
    path = file.path
    if not path.is_file():
        raise NoSuchFile(f"there is no file {path}", "give the path of a Python file")
    name = f"rehearse_own_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise broken(path, error) from error
    return module


def broken(path: Path | str, error: BaseException) -> BadPlugin:
    """The error for a plug-in's file that raises: its line, what was raised, where the rest is."""
    places = [(each.filename, each.lineno) for each in traceback.extract_tb(error.__traceback__)]
    text = str(error)
    if isinstance(error, SyntaxError):
        places.append((error.filename or "", error.lineno))
        text = error.msg if _is_file(error.filename or "", path) else text
    lines = [line for file, line in places if _is_file(file, path)]
    place = f"{path}:{lines[-1]}" if lines else str(path)
    first = next(iter(text.splitlines()), "")
    return BadPlugin(
        f"{place}: {type(error).__name__}: {first}",
        f"run `python -P {shlex.quote(str(path))}` to see all of it",
    )


def _is_file(name: str, path: Path | str) -> bool:
    return Path(name).resolve() == Path(path).resolve()


def members(protocol: type) -> set[str]:
    """Return the public members that a protocol names."""
    return {name for name in (*protocol.__annotations__, *vars(protocol)) if name[0] != "_"}


def defaults(protocol: type) -> dict[str, Any]:
    """Return the optional members of a protocol, with the value of a plug-in that has none."""
    return {
        name: value
        for name, value in vars(protocol).items()
        if name[0] != "_" and not inspect.isfunction(value)
    }


def conform(
    kind: str, plugin: Any, protocol: type, where: str, without: Collection[str] = ()
) -> Any:
    """The plug-in, if it has what the protocol of its kind asks for; else `BadPlugin`.

    Members that the protocol gives a value are optional, and a module gets that value where it
    leaves one out. `without` are required members that this one need not have. A public name that
    is nearly that of a member is refused as misspelt.
    """
    known, optional = members(protocol), defaults(protocol)
    absent = [each for each in known if not hasattr(plugin, each)]
    for name in _own_names(plugin):
        near = [] if name in known else _close(name, absent, 1, 0.8)
        if near:
            raise BadPlugin(f"{where}: {name} is no member of a {kind}", f"did you mean {near[0]}?")
    missing = sorted({*absent} - optional.keys() - {*without})
    if missing:
        raise BadPlugin(f"{where} has no {', '.join(missing)}; a {kind} needs it", "define it")
    if isinstance(plugin, ModuleType):
        for name, value in optional.items():
            vars(plugin).setdefault(name, value)
    return plugin


def _own_names(plugin: Any) -> list[str]:
    """The public names that a plug-in defines itself; those that it imports are not its own."""
    held = vars(plugin) if isinstance(plugin, ModuleType) else vars(type(plugin))
    own = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
    return [
        name
        for name, value in held.items()
        if name[0] != "_"
        and not isinstance(value, ModuleType)
        and getattr(value, "__module__", own) == own
    ]


def _close(name: str, known: Iterable[str], n: int, cutoff: float) -> list[str]:
    folded = {each.casefold(): each for each in known}
    close = difflib.get_close_matches(name.casefold(), folded, n=n, cutoff=cutoff)
    return [folded[each] for each in close]


def folders(package: ModuleType) -> list[str]:
    """The plug-ins of a package that are packages themselves, sorted."""
    return [
        name
        for name in names(package)
        if any((Path(folder) / name / "__init__.py").exists() for folder in package.__path__)
    ]


def digest(*paths: Path) -> str:
    """SHA-256 over the names and bytes of files and of everything in folders, which must exist."""
    total = hashlib.sha256()
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(f"{path} is to be hashed and is not there")
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                total.update(f"{file.relative_to(path.parent).as_posix()}\0".encode())
                total.update(file.read_bytes())
    return total.hexdigest()
