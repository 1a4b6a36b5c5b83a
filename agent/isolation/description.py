"""The definitions of a user's own agent file, read in a separate process; the file is never
imported here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import rehearsal_json
from agent.isolation import protocol
from agent.isolation.launcher import Launcher, Sandboxed, line_from
from agent.isolation.protocol import Nonsense
from agent.plugins import BadPlugin

SECONDS = 60.0
LONGEST = 2**20
_KINDS: dict[str, type] = {"str": str, "int": int, "float": float, "bool": bool}


@dataclass(frozen=True)
class Description:
    """The definitions of a user's agent file: its options, each as (name, type or "", default), and
    the names of its folders of prompts.
    """

    options: tuple[tuple[str, str, Any], ...]
    prompts: tuple[str, ...]

    def module(self) -> ModuleType:
        """Return a module that stands for the file in this process: it has the options but not the
        code.
        """
        return _module(self)


@cache
def _module(description: Description) -> ModuleType:
    module = ModuleType("rehearse_isolated")
    options = [
        (name, _KINDS.get(kind, Any), dataclasses.field(default=default))
        for name, kind, default in description.options
    ]
    members = {
        "Options": dataclasses.make_dataclass("Options", options, frozen=True),
        "PROMPTS": description.prompts,
        "solve": _solve,
    }
    vars(module).update(members)
    return module


async def _solve(task: Any, page: Any, llm: Any, options: Any) -> str:
    raise AssertionError("an isolated file runs in a process of its own")


def files_of(path: str) -> list[Path]:
    """Return the user's files that an agent's file may read: itself, and a folder of the same name;
    [] for "".
    """
    return [Path(path), Path(path).with_suffix("")] if path else []


def describe(path: str, prompts: Path, options: Mapping[str, Any]) -> Description:
    """Ask a file for its definitions in a separate process, which also checks the options.

    Args:
        path: Path of the file.
        prompts: Folder of prompts.
        options: Options to check.

    Raises:
        BadPlugin: The file cannot be used, or its process ends too early.
        NotIsolated: The process cannot be started.
    """
    agent = {"name": "", "method": Path(path).stem, "options": dict(options), "path": path}
    agent["path"] = str(Path(path).absolute())
    launcher = Launcher(Sandboxed(files=[*files_of(path), prompts]))
    try:
        with launcher.talk(SECONDS) as link:
            link.sendall(protocol.write(["describe", agent, str(prompts.absolute())]))
            answer = rehearsal_json.loads(line_from(link, LONGEST))
        return _read(answer)
    except BadPlugin:
        raise
    except (OSError, ValueError, TypeError, KeyError):
        raise BadPlugin(
            f"{path}: its process ended without saying what it defines",
            "run it without --isolate to see why, if you trust it",
        ) from None
    finally:
        launcher.close()


def _read(answer: Any) -> Description:
    word, *values = protocol.list_of(answer, str, list)
    if word == "refused":
        problem, remedy = protocol.list_of(values, str)
        raise BadPlugin(_printable(problem), _printable(remedy))
    options, prompts = values
    return Description(tuple(map(_option, options)), tuple(protocol.list_of(prompts, str)))


def _option(value: Any) -> tuple[str, str, Any]:
    name, kind, default = value
    fits = default is None if kind == "" else type(default) is _KINDS[kind]
    if not str(name).isidentifier() or not fits:
        raise Nonsense(f"{value!r:.80} is no option")
    return name, kind, default


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else " " for each in text[:500])
