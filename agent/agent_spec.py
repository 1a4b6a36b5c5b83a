"""Agents by name: `method[:variant][:option=value,...][@model]`, or a file of one's own."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

import agent.cheaters
import agent.methods
from agent import plugins, prompting
from agent.isolation.description import Description, describe
from agent.llm.simulated.mistakes import MODELS
from agent.plugins import OwnFile
from rehearsal_errors import RehearsalError

SCRIPTED = "scripted"
CHEAT = "cheat:"
"""The names of the null agents in `agent/cheaters/` begin so."""


EVERYWHERE: Mapping[str, type] = {"notes": bool}
"""Options that every method has, for the engine sees to them: with `notes` what a method notes is
shown beside later pages, on families that ask for a memory."""


class BadAgent(RehearsalError, ValueError):
    """An agent's name that cannot be read; says which part, and what to write instead."""


@dataclass(frozen=True)
class Agent:
    """A method with its options, and the model behind it.

    `name` is what was typed, with the name of a file in place of its path. `options` holds only
    what differs from the method's defaults. `model` is "" where the run decides; `skill` and
    `mistakes` ("" where the run decides) belong to the scripted model. `path` is the file of one's
    own agent, as the caller typed it, and `description` what it defines where it is not imported
    here.
    """

    name: str
    method: str
    options: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""
    skill: float = 1.0
    mistakes: str = ""
    path: str = ""
    description: Description | None = None

    @property
    def prompts(self) -> str:
        """The name of the method's folder of prompts."""
        return self.method.replace("-", "_")

    def module(self) -> ModuleType:
        """The method's module. Raises `UnknownName`, `NoSuchFile`, `BadPlugin`."""
        if self.description:
            found, where = self.description.module(), self.path
        elif self.path:
            found, where = plugins.load_file(OwnFile(self.path)), self.path
        else:
            found = _installed(self.method)
            where = found.__name__
        module: ModuleType = plugins.conform("method", found, agent.methods.Method, where)
        if not dataclasses.is_dataclass(module.Options):
            raise BadAgent(
                f"{_place(module.Options, where)}: Options is no dataclass",
                "write @dataclass(frozen=True) above it",
            )
        return module

    def check(self) -> None:
        """Raise ValueError for options that mean nothing, or whose files cannot be had."""
        options, check = self.build(), self.module().check
        if check:
            check(options)

    def build(self, **given: Any) -> Any:
        """The method's `Options`; of `given` only the fields that it has."""
        known = self._own_options
        filled = {name: value for name, value in given.items() if name in known}
        own = {
            name: value
            for name, value in self.options.items()
            if name in known or name not in EVERYWHERE
        }
        return self.module().Options(**{**filled, **own})

    @property
    def _own_options(self) -> set[str]:
        return {each.name for each in dataclasses.fields(self.module().Options)}

    @property
    def takes_notes(self) -> bool:
        """Whether its notes are kept; a method's own option of that name means something else."""
        return "notes" not in self._own_options and bool(self.options.get("notes"))


def read(text: str, skill: float = 1.0, isolated: Path | None = None) -> Agent:
    """The agent that the caller names so; with `isolated`, the folder of prompts, a file of one's
    own is imported in a process of its own only. Raises `BadAgent` or `plugins.UnknownName`."""
    head, _, model = text.partition("@")
    cheat = CHEAT if head.startswith(CHEAT) else ""
    method, *settings = head.removeprefix(cheat).split(":")
    method = cheat + method
    path = method if method.endswith(".py") else ""
    made = Agent(shown_name(text), Path(path).stem if path else method, path=path)
    if path and isolated:
        made = dataclasses.replace(made, description=describe(path, isolated, {}))
    options = _options(made, settings)
    if path and isolated and options:
        describe(path, isolated, options)
    model, skill, mistakes = _model(model, skill)
    made = dataclasses.replace(made, options=options, model=model, skill=skill, mistakes=mistakes)
    try:
        made.check()
    except ValueError as error:
        raise BadAgent(f"{text!r}: {error}") from None
    except Exception as error:
        if not path:
            raise
        raise plugins.broken(path, error) from error
    return made


def _installed(method: str) -> ModuleType:
    """A method of the tree, or a cheater. Raises `UnknownName`."""
    if method.startswith(CHEAT):
        return plugins.load("cheater", agent.cheaters, method.removeprefix(CHEAT))
    return plugins.load("method", agent.methods, method)


def shown_name(text: str) -> str:
    """An agent's name in records: what was typed, without the folder and the `.py` of a file."""
    path, *rest = re.split(r"(?=[:@])", text, maxsplit=1)
    return "".join([Path(path).stem if path.endswith(".py") else path, *rest])


def _place(kind: Any, where: str) -> str:
    """Where a class is written, `where` if that cannot be told."""
    try:
        return f"{where}:{inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return where


def names() -> list[str]:
    return [name.replace("_", "-") for name in plugins.names(agent.methods)]


def variants(method: str) -> dict[str, dict[str, Any]]:
    return prompting.variants(method.replace("-", "_"))


def _options(made: Agent, settings: list[str]) -> dict[str, Any]:
    kind = made.module().Options
    options: dict[str, Any] = {}
    for setting in settings:
        if "=" in setting:
            options |= dict(_option(made, kind, part) for part in setting.split(","))
        else:
            named = variants(made.method)
            if setting not in named:
                raise plugins.unknown(f"variant of {made.method}", setting, named or ["(none)"])
            options |= named[setting]
    return options


def _option(made: Agent, kind: type, text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    own = get_type_hints(kind)
    types = {**EVERYWHERE, **own}
    name = name.replace("-", "_")
    if name not in types:
        raise plugins.unknown(f"option of {made.method}", name, own or ["(none)"])
    return name, _value(types[name], value, text)


def _value(kind: Any, value: str, text: str) -> Any:
    if kind is bool:
        if value.lower() not in {"true", "false"}:
            raise BadAgent(f"{text!r}: {value!r} is no bool", "write true or false")
        return value.lower() == "true"
    try:
        return kind(value)
    except (TypeError, ValueError):
        raise BadAgent(f"{text!r}: {value!r} is no {getattr(kind, '__name__', kind)}") from None


def _model(model: str, skill: float) -> tuple[str, float, str]:
    """The model's name, and the skill and the mistakes of the scripted one."""
    if not model.startswith(f"{SCRIPTED}-"):
        return model, skill, ""
    rest = model.removeprefix(f"{SCRIPTED}-")
    number, _, mistakes = rest.rpartition("-")
    if mistakes not in MODELS:
        number, mistakes = rest, ""
    try:
        return "", skill_of(number), mistakes
    except ValueError:
        known = " or ".join(f"-{name}" for name in MODELS)
        raise BadAgent(
            f"{model!r} names no scripted model",
            f"write scripted-S with S from 0 to 1, and {known} behind it or nothing",
        ) from None


def scripted(agent: Agent, skill: float, mistakes: str = "") -> Agent:
    """The agent with this skill and these mistakes, in place of those in its name."""
    model = "-".join(filter(None, (SCRIPTED, f"{skill:g}", mistakes)))
    name = f"{unskilled(agent.name)}@{model}"
    return dataclasses.replace(agent, name=name, skill=skill, mistakes=mistakes)


def unskilled(name: str) -> str:
    """An agent's name without skill and mistakes."""
    return name.partition(f"@{SCRIPTED}-")[0]


def skill_of(text: str) -> float:
    skill = float(text)
    if not 0 <= skill <= 1:
        raise ValueError(f"{text}: a skill is a number from 0 to 1")
    return skill
