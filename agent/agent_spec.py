"""Parses the names of agents: `method[:variant][:option=value,...][@model]`, or the path of a file
in place of a method.
"""

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
"""The prefix of the names of the null agents in `agent/cheaters/`."""


CONTEXT = "context"
EVERYWHERE: Mapping[str, type] = {
    "notes": bool,
    CONTEXT: int,
    "confidence": bool,
    "several": bool,
}
"""Types of the options that every method has, because the engine implements them. `notes` shows the
agent's notes next to later pages, on tasks that require memory; `context` is the model's context in
tokens; with `confidence` the model says at the end how sure it is that the task is done; with
`several` all actions of a reply are done, one after another.
"""
MAX_STEPS = "max_steps"
"""The key of a variant that names the most actions of an episode, by site, as the released code of
a paper limits them. The engine implements it; an agent's name cannot set it.
"""


class BadAgent(RehearsalError, ValueError):
    """The error for an agent's name that cannot be read; says which part is wrong and how to write
    it.
    """


@dataclass(frozen=True)
class Agent:
    """A method with its options, and the model behind it.

    Attributes:
        name: The name as typed; the path of a file is shortened to the file's name.
        method: Name of the method.
        options: Only the options that differ from the method's defaults.
        model: Name of the model; "" if the run decides.
        skill: Skill of the scripted model, from 0 to 1.
        mistakes: Mistake model of the scripted model; "" if the run decides.
        path: Path of the user's own agent file as typed; "" for a method of the tree.
        description: The definitions of an own agent that this process does not import; else None.
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

    @property
    def variants(self) -> dict[str, dict[str, Any]]:
        """The options of each named variant of the method."""
        return variants(self.method)

    def module(self) -> ModuleType:
        """Return the method's module.

        Raises:
            UnknownName: No method has this name.
            NoSuchFile: The path of the agent's file does not exist.
            BadPlugin: The module does not define what a method must define.
            BadAgent: The module's `Options` is no dataclass.
        """
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
        """Check the agent's options. Raises ValueError if a value is invalid or a file that they
        name is missing.
        """
        if self.options.get(CONTEXT, 1) < (0 if CONTEXT in self._own_options else 1):
            raise ValueError(f"context={self.options[CONTEXT]}: write the tokens, 1 or more")
        options, check = self.build(), self.module().check
        if check:
            check(options)

    def build(self, **given: Any) -> Any:
        """Return the method's `Options`, filled with the agent's options.

        Args:
            **given: Values from the engine; fields that the method does not have are ignored.
        """
        known = self._own_options
        filled = {name: value for name, value in given.items() if name in known}
        own = {
            name: value
            for name, value in self.options.items()
            if name in known or name not in {*EVERYWHERE, MAX_STEPS}
        }
        return self.module().Options(**{**filled, **own})

    def given(self, **values: Any) -> Agent:
        """Return the agent with values from the engine as options, if its method defines them.

        A file of the user's own gets none.
        """
        known = set() if self.path else self._own_options
        own = {name: value for name, value in values.items() if name in known}
        return dataclasses.replace(self, options={**own, **self.options})

    def max_steps(self, site: str) -> int | None:
        """Return the most actions that the agent's variant allows on a site; None if it names
        none.
        """
        limits: Mapping[str, int] = self.options.get(MAX_STEPS, {})
        return limits.get(site)

    @property
    def needs_sight(self) -> bool:
        """Whether the agent looks at pictures or at a window of the page, which only a browser
        has.
        """
        options = self.build()
        return bool(getattr(options, "vision", False)) or (
            getattr(options, "view", "") == "viewport"
        )

    @property
    def _own_options(self) -> set[str]:
        """Return the names of the options that the method defines."""
        return {each.name for each in dataclasses.fields(self.module().Options)}

    @property
    def takes_notes(self) -> bool:
        """Whether the engine keeps the agent's notes.

        False if the method defines an option `notes` of its own, which means something else.
        """
        return bool(self._for_engine("notes"))

    @property
    def tells_confidence(self) -> bool:
        """Whether the engine asks the agent's model at the end how sure it is."""
        return bool(self._for_engine("confidence"))

    @property
    def takes_several(self) -> bool:
        """Whether the engine does all actions of a reply that has several."""
        return bool(self._for_engine("several"))

    @property
    def context(self) -> int | None:
        """The model's context in tokens, or None if the run decides.

        None if the method defines an option `context` of its own, for which it shortens its
        requests itself.
        """
        context: int | None = self._for_engine(CONTEXT)
        return context

    def _for_engine(self, name: str) -> Any:
        """Return the value of an option that the engine implements (`EVERYWHERE`).

        None if it is not given, or if the method defines an option of that name, which means
        something else.
        """
        return None if name in self._own_options else self.options.get(name)


def read(
    text: str, skill: float = 1.0, isolated: Path | None = None, kind: type[Agent] = Agent
) -> Agent:
    """Return the agent that a name on the command line stands for.

    Args:
        text: The name, as `method[:variant][:option=value,...][@model]`.
        skill: Skill of the scripted model if the name gives none.
        isolated: Folder of prompts if the user's own file must be imported in a separate process
            only; None to import it in this process.
        kind: The class of the agent, which finds the method's module.

    Raises:
        BadAgent: A part of the name cannot be read, or an option is invalid.
        UnknownName: No method, variant or option has this name.
    """
    head, _, model = text.partition("@")
    cheat = CHEAT if head.startswith(CHEAT) else ""
    method, *settings = head.removeprefix(cheat).split(":")
    method = cheat + method
    path = method if method.endswith(".py") else ""
    made = kind(shown_name(text), Path(path).stem if path else method, path=path)
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
    """Return the module of a built-in method or of a null agent in `agent/cheaters/`. Raises
    `UnknownName`.
    """
    if method.startswith(CHEAT):
        return plugins.load("cheater", agent.cheaters, method.removeprefix(CHEAT))
    try:
        return plugins.load("method", agent.methods, method)
    except plugins.UnknownName as error:
        raise plugins.with_own_file(error, method) from None


def shown_name(text: str) -> str:
    """Return an agent's name for records: the typed name, without the folder and the `.py` of a
    file.
    """
    path, *rest = re.split(r"(?=[:@])", text, maxsplit=1)
    return "".join([Path(path).stem if path.endswith(".py") else path, *rest])


def _place(kind: Any, where: str) -> str:
    """Return the file and line that define a class, or `where` if its source cannot be found."""
    try:
        return f"{where}:{inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return where


def names() -> list[str]:
    """Return the names of all built-in methods, as typed on the command line."""
    return [name.replace("_", "-") for name in plugins.names(agent.methods)]


def variants(method: str) -> dict[str, dict[str, Any]]:
    """Return the options of each named variant of a method, as a dict from variant to options."""
    return prompting.variants(method.replace("-", "_"))


def _options(made: Agent, settings: list[str]) -> dict[str, Any]:
    """Return the options that an agent's name gives after the method's name, by variants and by
    single options.
    """
    kind = made.module().Options
    options: dict[str, Any] = {}
    for setting in settings:
        if "=" in setting:
            options |= dict(_option(made, kind, part) for part in setting.split(","))
        else:
            named = made.variants
            if setting not in named:
                raise plugins.unknown(f"variant of {made.method}", setting, named or ["(none)"])
            options |= named[setting]
    return options


def _option(made: Agent, kind: type, text: str) -> tuple[str, Any]:
    """Return the name and the value of one `option=value` setting."""
    name, _, value = text.partition("=")
    own = get_type_hints(kind)
    types = {**EVERYWHERE, **own}
    name = name.replace("-", "_")
    if name not in types:
        raise plugins.unknown(f"option of {made.method}", name, own or ["(none)"])
    return name, _value(types[name], value, text)


def _value(kind: Any, value: str, text: str) -> Any:
    """Convert an option's text to its type. Raises `BadAgent`."""
    if kind is bool:
        if value.lower() not in {"true", "false"}:
            raise BadAgent(f"{text!r}: {value!r} is no bool", "write true or false")
        return value.lower() == "true"
    try:
        return kind(value)
    except (TypeError, ValueError):
        raise BadAgent(f"{text!r}: {value!r} is no {getattr(kind, '__name__', kind)}") from None


def _model(model: str, skill: float) -> tuple[str, float, str]:
    """Return three values from the part of an agent's name after `@`: the model's name, and skill
    and mistake model of the scripted model.
    """
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
    """Return the agent with this skill and mistake model of the scripted model, also in
    its name.
    """
    model = "-".join(filter(None, (SCRIPTED, f"{skill:g}", mistakes)))
    name = f"{unskilled(agent.name)}@{model}"
    return dataclasses.replace(agent, name=name, skill=skill, mistakes=mistakes)


def unskilled(name: str) -> str:
    """Return an agent's name without the scripted model's skill and mistake model."""
    return name.partition(f"@{SCRIPTED}-")[0]


def skill_of(text: str) -> float:
    """Return the skill that a text gives. Raises ValueError if it is no number from 0 to 1."""
    skill = float(text)
    if not 0 <= skill <= 1:
        raise ValueError(f"{text}: a skill is a number from 0 to 1")
    return skill
