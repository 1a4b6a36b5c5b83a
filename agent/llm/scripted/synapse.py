"""Answers for Synapse: `synapse/abstract`, `synapse/code` and `synapse/act`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.interface import Action, Reply, Stop
from agent.llm.scripted._mind import Mind
from agent.llm.scripted._reading import Lost, Request
from agent.methods import _programs

_PAIR = re.compile(r"^State:\n(.*?)\nObservation:\n(.*?)(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)
_TAG = re.compile(r" *<([\w.:-]+)(.*?)>")
_ATTRIBUTE = re.compile(r' (data-id|role|type)(?:="([^"]*)")?')
_STYLE = re.compile(r' style="[^"]*"')
_BLOCK = re.compile(r"^```\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def act(mind: Mind, request: Request) -> Reply:
    """One program of everything that is to be done before looking again."""
    situation, decision = mind.decide(request, "state")
    actions: tuple[Action, ...] = situation.advice.actions
    if decision.mistake:
        actions = (decision.action,)
    return Reply((f"```\n{_written(actions, request)}\n```",))


def _written(actions: tuple[Action, ...], request: Request) -> str:
    """A program; one that ends the task is empty."""
    kept = [action for action in actions if not isinstance(action, Stop)]
    try:
        return _programs.write(kept, request.observation("state")) if kept else ""
    except _programs.Unwritable as error:
        raise Lost(str(error)) from None


def lost(mind: Mind, request: Request) -> Reply:
    """What somebody says who was told too little: a program that does nothing."""
    return Reply(("```\n# I do not know what to do\n```",))


# State abstraction ------------------------------------------------------------------------------


def abstract(mind: Mind, request: Request) -> Reply:
    """The lines of the state that are of a kind that the examples keep.

    Lines of a kind that the examples show and never keep are dropped, and so are colours where no
    example has kept one.
    """
    mind.task(request)
    pairs = [_Pair(*found) for found in _PAIR.findall(request.told)]
    kept = {kind for pair in pairs for kind in pair.kept}
    dropped = {kind for pair in pairs for kind in pair.shown} - kept
    plain = bool(pairs) and not any(" style=" in pair.observation for pair in pairs)
    lines = [line for line in _newest(request).split("\n") if _kind(line) not in dropped]
    return Reply(("\n".join(_STYLE.sub("", line) if plain else line for line in lines),))


@dataclass(frozen=True)
class _Pair:
    """An example of a state and its clean observation."""

    state: str
    observation: str

    @property
    def shown(self) -> Iterator[str]:
        return map(_kind, self.state.split("\n"))

    @property
    def kept(self) -> Iterator[str]:
        return map(_kind, self.observation.split("\n"))


def _kind(line: str) -> str:
    """What a line is: its tag, its role and type, and whether it can be acted on."""
    found = _TAG.match(line)
    if found is None:
        return ""
    told = dict(_ATTRIBUTE.findall(found[2]))
    return " ".join((found[1], told.get("role", ""), told.get("type", ""), str("data-id" in told)))


def code(mind: Mind, request: Request) -> Reply:
    """The program of the example, which is of the same kind of task."""
    mind.task(request)
    programs = _BLOCK.findall(request.told)
    if not programs:
        raise Lost("there is no example to go by")
    return Reply((f"```\n{programs[-1]}\n```",))


def _newest(request: Request) -> str:
    if not request.shown:
        raise Lost("no page is shown")
    return request.shown[-1]
