"""Finds and checks plug-ins: each file in a plug-in folder is a plug-in, and its name is typed on
the command line.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib
import importlib.util
import inspect
import re
import shlex
import sys
import tokenize
import traceback
from collections.abc import Collection, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from rehearsal_errors import RehearsalError, first_few

MOST_NAMES, FEW = 6, 3
"""The most names that an error message lists if none is near an unknown name; of more, a few."""
SHOWN = 100
"""The most characters of an unknown name that an error message quotes."""


class OwnFile(str):
    """The path of a Python file that the caller named: on the command line, in a program or in a
    fixture.

    Only such a file is ever run. Names in records, requests, suites and environments are plain
    strings, which can only select known plug-ins; a path that is read back from a file is a plain
    string again.
    """

    __slots__ = ()

    @property
    def path(self) -> Path:
        """Return the path."""
        return Path(self)


class UnknownName(RehearsalError, ValueError):
    """The error for a name that no plug-in has; the message suggests the nearest names."""


class NoSuchFile(RehearsalError, FileNotFoundError):
    """The error for a plug-in's path at which no file exists."""


class BadPlugin(RehearsalError, ValueError):
    """The error for a plug-in that cannot be imported, lacks a required member, or misspells a
    member.
    """


def unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """Return the error for a `name` that is not among `known`, with the nearest names, or a few if
    none is near.

    Args:
        kind: The kind of thing that was asked for, such as "method", for the message.
        name: The unknown name.
        known: The known names.
    """
    names = sorted(known)
    near = _close(name, names, 3, 0.5)
    if not near and len(names) > MOST_NAMES:
        meant = f"there are {first_few(names, FEW)}"
    else:
        meant = f"did you mean {', '.join(near or names)}?"
    return UnknownName(f"there is no {kind} {name[:SHOWN]!r}", meant)


def with_own_file(error: UnknownName, name: str) -> UnknownName:
    """Return the error for an unknown name; if a Python file of that name is in the present
    folder, the remedy is the path of the file.
    """
    is_plain = re.fullmatch(r"[\w-]+", name)
    near = [f"./{each}.py" for each in dict.fromkeys((name, name.replace("-", "_")))]
    found = next((path for path in near if is_plain and Path(path).is_file()), "")
    return UnknownName(error.problem, f"did you mean {found}?") if found else error


def names(package: ModuleType) -> list[str]:
    """Return the names of a package's plug-ins, sorted.

    The names are those of the files: a `-` on the command line is a `_` here.
    """
    found = set()
    for folder in map(Path, package.__path__):
        for entry in folder.iterdir():
            is_module = entry.suffix == ".py" or (entry / "__init__.py").exists()
            if is_module and not entry.name.startswith("_"):
                found.add(entry.stem)
    return sorted(found)


def about(package: ModuleType, name: str) -> str:
    """Return the first line of a plug-in's docstring, read from its file without importing it.

    Args:
        package: The package to look in.
        name: The name of the plug-in's file or folder.
    """
    places = [Path(folder) / name for folder in package.__path__]
    files = [file for each in places for file in (each / "__init__.py", each.with_suffix(".py"))]
    found = next((file for file in files if file.is_file()), None)
    return _first_line(found) if found else ""


def _first_line(file: Path) -> str:
    with tokenize.open(file) as text:
        for token in tokenize.generate_tokens(text.readline):
            if token.type == tokenize.STRING:
                return str(ast.literal_eval(token.string)).strip().split("\n")[0]
            if token.type not in {tokenize.COMMENT, tokenize.NL}:
                break
    return ""


def load(kind: str, package: ModuleType, name: str) -> ModuleType:
    """Import the plug-in with this name.

    Args:
        kind: The kind of plug-in, such as "method", for the message.
        package: The package to look in.
        name: The plug-in's name as typed, with `-` or `_`.

    Raises:
        UnknownName: The package has no such plug-in.
    """
    module = name.replace("-", "_")
    full = f"{package.__name__}.{module}"
    if full in sys.modules and module.isidentifier() and not module.startswith("_"):
        return importlib.import_module(full)  # waits for a thread that is importing it now
    known = names(package)
    if module not in known:
        raise unknown(kind, name, known)
    return importlib.import_module(full)


def load_file(file: OwnFile) -> ModuleType:
    """Import a plug-in from a file outside the tree; later calls return the same module.

    Raises:
        NoSuchFile: The path names no file.
        BadPlugin: The file raises an error when it is imported.
    """
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
    """Return the error for a plug-in's file that raised `error`: its line, the error, and how to
    see more.
    """
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
    """Return whether the two paths name the same file."""
    return Path(name).resolve() == Path(path).resolve()


def members(protocol: type) -> set[str]:
    """Return the names of the public members that a protocol class requires or offers."""
    return {name for name in (*protocol.__annotations__, *vars(protocol)) if name[0] != "_"}


def defaults(protocol: type) -> dict[str, Any]:
    """Return the optional members of a protocol class, each with its default value."""
    return {
        name: value
        for name, value in vars(protocol).items()
        if name[0] != "_" and not inspect.isfunction(value)
    }


def conform(
    kind: str, plugin: Any, protocol: type, where: str, without: Collection[str] = ()
) -> Any:
    """Return the plug-in if it has the members that the protocol of its kind requires.

    Members to which the protocol gives a value are optional; a plug-in that leaves one out gets
    that value.

    Args:
        kind: The kind of plug-in, for the message.
        plugin: The module or object to check.
        protocol: The protocol of its kind.
        where: File or name of the plug-in, for the message.
        without: Required members that this plug-in may lack.

    Raises:
        BadPlugin: A required member is missing, or a public name looks like a misspelt member.
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
    complete(plugin, protocol)
    return plugin


def complete(plugin: Any, protocol: type) -> None:
    """Give a plug-in the optional members of its protocol that it leaves out."""
    for name, value in defaults(protocol).items():
        if not hasattr(plugin, name):
            vars(plugin)[name] = value


def _own_names(plugin: Any) -> list[str]:
    """Return the public names that a plug-in defines itself, without those that it imports."""
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
    """Return at most `n` of the known names that resemble the name, ignoring case."""
    folded = {each.casefold(): each for each in known}
    close = difflib.get_close_matches(name.casefold(), folded, n=n, cutoff=cutoff)
    return [folded[each] for each in close]


def folders(package: ModuleType) -> list[str]:
    """Return the names of those plug-ins of a package that are packages themselves, sorted."""
    return [
        name
        for name in names(package)
        if any((Path(folder) / name / "__init__.py").exists() for folder in package.__path__)
    ]


def digest(*paths: Path) -> str:
    """Return the SHA-256 over the names and bytes of files, and of all files in folders.

    Raises:
        FileNotFoundError: One of the paths does not exist.
    """
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
