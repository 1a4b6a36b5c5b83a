"""The form of the model's replies: programs, run in the sandbox, or single actions.

`rounds` is the most replies of an episode, `described` what the system prompt needs to describe the
form. `read` gives the text of a reply that the trajectory shows; it raises ValueError, in words for
the model. `answer` is that of a reply that ends the task, None where it goes on. `run` carries a
reply out on the page that was seen, of which the prompt showed `shown`: the new page, and what went
wrong. `summary` says what a reply did there, for prompts without a trajectory.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from agent import action_text, actions
from agent.interface import Action, Observation, Reply, Stop
from agent.methods.synapse.action_programs import Act, ProgramAgent
from agent.sandbox import CodeRunner, Limits, ProgramError
from agent.sandbox.monty import MontyRunner

LONGEST_PROGRAM = Limits().source  # longer ones are refused anyhow
_FENCE = "```"
_LABEL = re.compile(r"[ \t]*(?:[A-Za-z0-9_+#-]*[ \t]*\n|(?:python3?|py)[ \t]+)")
_CLOSING = re.compile(r"^[ \t]*```|```[ \t]*$", re.MULTILINE)
_QUOTED = re.compile(r"`+([^`\n]+)`+")
_WORD = re.compile(r"[A-Za-z_]+")


@dataclass(frozen=True)
class Programs:
    """Programs of all actions up to the next look (MiniWoB++); `pass` alone ends the task."""

    rounds: int
    calls: int
    record: Callable[..., None]
    runner: CodeRunner = field(default_factory=MontyRunner)

    @property
    def described(self) -> Mapping[str, str]:
        return {}

    def read(self, reply: Reply) -> str:
        return read_program(reply)

    def answer(self, text: str) -> str | None:
        return "" if set(_statements(text)) == {"pass"} else None

    def summary(self, text: str, seen: Observation) -> str:
        return ""

    async def run(
        self, text: str, seen: Observation, act: Act, shown: str = ""
    ) -> tuple[Observation, str]:
        agent = ProgramAgent(act, seen, shown)
        try:
            await self.runner.act(text, agent, calls=self.calls)
        except ProgramError as problem:
            self.record("program", str(problem), program=text, failure=problem.kind)
            return agent.now, str(problem)
        return agent.now, ""


@dataclass(frozen=True)
class SingleActions:
    """One action on one element, `CLICK [8]` (Mind2Web); STOP ends the task, with its answer.
    `offered` are those that the prompt describes, `beside` those that pages tell of."""

    rounds: int
    offered: Collection[str]
    beside: Collection[str] = ()

    @property
    def described(self) -> Mapping[str, str]:
        return {"operations": describe(self.offered)}

    def read(self, reply: Reply) -> str:
        return show_action(read_action(reply, (*self.offered, *self.beside)))

    def answer(self, text: str) -> str | None:
        action = actions.parse(text)
        return action.answer if isinstance(action, Stop) else None

    def summary(self, text: str, seen: Observation) -> str:
        """`[textbox] Search -> TYPE: lamp`: without the number, which other pages do not have."""
        action = actions.parse(text)
        target = getattr(action, "target", None)
        place = next((f"[{e.role}] {e.name} -> " for e in seen.elements if e.id == target), "")
        value = getattr(action, "text", getattr(action, "option", ""))
        return f"{place}{type(action).__name__.upper()}" + (f": {value}" if value else "")

    async def run(
        self, text: str, seen: Observation, act: Act, shown: str = ""
    ) -> tuple[Observation, str]:
        now = await act(actions.parse(text))
        return replace(now, error=None), now.error or ""


ReplyFormat = Programs | SingleActions


def read_program(reply: Reply) -> str:
    """The first block between backticks that is not empty, or a reply that is nothing but code.

    Raises ValueError, in words for the model.
    """
    if _FENCE not in reply.text:
        if _is_code(reply.text):
            return reply.text.strip("\n")
        raise ValueError("there is no program; write one between lines of three backticks")
    for program in _blocks(reply.text):
        if _statements(program):
            return program
    raise ValueError("the program is empty; write what is to be done, or pass where nothing is")


def _blocks(text: str) -> Iterator[str]:
    """What stands between three backticks, wherever on a line they are; the last may be open."""
    while _FENCE in text:
        _, _, rest = text.partition(_FENCE)
        first, _, _ = rest.partition("\n")
        one_line = first.find(_FENCE)
        label = _LABEL.match(rest)
        start = label.end() if label else 0
        closing = _CLOSING.search(rest, start)
        end = one_line if one_line >= 0 else closing.start() if closing else len(rest)
        yield textwrap.dedent(rest[min(start, end) : end]).strip("\n")
        text = rest[end + len(_FENCE) :]


def _statements(program: str) -> list[str]:
    """Its lines without blank ones and comments."""
    lines = (line.partition("#")[0].strip() for line in program.split("\n"))
    return [line for line in lines if line]


def _is_code(text: str) -> bool:
    """Whether a reply without backticks can be read as a program alone."""
    if len(text) > LONGEST_PROGRAM:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes such as \d, which models write
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(
        isinstance(node, ast.Name) and node.id in ("agent", "obs") for node in ast.walk(tree)
    )


def read_action(reply: Reply, offered: Collection[str]) -> Action:
    """The first line that begins with one of the words that are offered, else the one action that
    stands between backticks in a sentence.

    Raises ValueError, in words for the model.
    """
    for line in reply.text.splitlines():
        written = line.strip().removeprefix("Action:").strip()
        if _begins(written.lstrip("`* "), offered):
            return action_text.read(written, offered)
    quoted = {each.strip() for each in _QUOTED.findall(reply.text)}
    inside = [each for each in quoted if _begins(each, offered)]
    if len(inside) == 1:
        return action_text.read(inside[0], offered)
    known = ", ".join(word.upper() for word in offered)
    raise ValueError(f"there is no action; write one line that begins with one of {known}")


def _begins(written: str, offered: Collection[str]) -> bool:
    found = _WORD.match(written)
    return found is not None and found[0].lower() in offered


def show_action(action: Action) -> str:
    """The action as a line, its word in capitals; `actions.parse` reads it back."""
    word, _, rest = actions.show(action).partition(" ")
    return f"{word.upper()} {rest}".strip()


def describe(offered: Collection[str]) -> str:
    """The actions for a prompt, a line each."""
    lines = actions.describe(offered).split("\n")
    words = [line.partition(" ")[0] for line in lines]
    return "\n".join(
        line.replace(word, word.upper(), 1)
        for word, line in zip(words, lines, strict=True)
        if word in offered
    )
