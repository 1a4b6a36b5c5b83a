"""The two forms of Synapse's replies: programs, run in the sandbox, or single actions.

Both forms have the same members. `rounds` is the most replies of an episode; `described` gives the
values with which the system prompt describes the form. `read` returns the text of a reply for the
trajectory, and raises ValueError, in words for the model. `answer` returns the answer of a reply
that ends the task, or None. `run` carries out a reply on the page, whose state in the prompt is
`shown`, and returns the new page and an error or "". `summary` describes the effect of a reply
without the number of an element.
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

LONGEST_PROGRAM = Limits().source  # the sandbox refuses longer programs
_FENCE = "```"
_LABEL = re.compile(r"[ \t]*(?:[A-Za-z0-9_+#-]*[ \t]*\n|(?:python3?|py)[ \t]+)")
_CLOSING = re.compile(r"^[ \t]*```|```[ \t]*$", re.MULTILINE)
_QUOTED = re.compile(r"`+([^`\n]+)`+")
_WORD = re.compile(r"[A-Za-z_]+")
_SUMMARY = re.compile(r"` \(.*\)$")


@dataclass(frozen=True)
class Programs:
    """Replies that are programs, with all actions up to the next observation (MiniWoB++); `pass`
    alone ends the task.
    """

    rounds: int
    calls: int
    record: Callable[..., None]
    runner: CodeRunner = field(default_factory=MontyRunner)

    @property
    def described(self) -> Mapping[str, str]:
        """Return an empty dict, because the prompt describes programs itself."""
        return {}

    def read(self, reply: Reply) -> str:
        """Return the program in a reply."""
        return read_program(reply)

    def answer(self, text: str) -> str | None:
        """Return "" for a program that ends the task, else None."""
        return "" if set(_statements(text)) == {"pass"} else None

    def summary(self, text: str, seen: Observation) -> str:
        """Return "", because a program describes itself."""
        return ""

    async def run(
        self, text: str, seen: Observation, act: Act, shown: str = ""
    ) -> tuple[Observation, str]:
        """Run the program on the page. Return the new page, and an error or ""."""
        agent = ProgramAgent(act, seen, shown)
        try:
            await self.runner.act(text, agent, calls=self.calls)
        except ProgramError as problem:
            self.record("program", str(problem), program=text, failure=problem.kind)
            return agent.now, str(problem)
        return agent.now, ""


@dataclass(frozen=True)
class SingleActions:
    """Replies with one action on one element, such as `CLICK [8]` (Mind2Web); STOP ends the task
    with its answer.

    Attributes:
        rounds: Number of actions at most.
        offered: Verbs that the prompt describes.
        beside: Verbs that pages offer.
    """

    rounds: int
    offered: Collection[str]
    beside: Collection[str] = ()

    @property
    def described(self) -> Mapping[str, str]:
        """Return the descriptions of the offered actions, for the prompt."""
        return {"operations": describe(self.offered)}

    def read(self, reply: Reply) -> str:
        """Return the action in a reply."""
        return show_action(read_action(reply, (*self.offered, *self.beside)))

    def answer(self, text: str) -> str | None:
        """Return the answer of an action that ends the task; None for other actions."""
        action = actions.parse(text)
        return action.answer if isinstance(action, Stop) else None

    def summary(self, text: str, seen: Observation) -> str:
        """Return a line that describes the action, such as `[textbox] Search -> TYPE: lamp`; "" for
        `stop` (appendix C.4).

        It has no element number, because numbers differ between pages.
        """
        action = actions.parse(text)
        return "" if isinstance(action, Stop) else summary(action, seen)

    async def run(
        self, text: str, seen: Observation, act: Act, shown: str = ""
    ) -> tuple[Observation, str]:
        """Perform the action. Return the new page, and an error or ""."""
        now = await act(actions.parse(text))
        return replace(now, error=None), now.error or ""


ReplyFormat = Programs | SingleActions


def summary(action: Action, seen: Observation) -> str:
    """Return a line that describes an action, as Mind2Web's `action_reprs` do, such as
    `[textbox] Search -> TYPE: lamp`.
    """
    target = getattr(action, "target", None)
    place = next((f"[{e.role}] {e.name} -> " for e in seen.elements if e.id == target), "")
    value = getattr(action, "text", getattr(action, "option", ""))
    return f"{place}{type(action).__name__.upper()}" + (f": {value}" if value else "")


def read_program(reply: Reply) -> str:
    """Return the program in a reply: its first code block that is not empty, or the whole reply if
    it is only code.

    Raises:
        ValueError: There is no program; the message is written for the model.
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
    """Yield the code blocks of a text, between triple backticks anywhere on a line.

    The last block may be unclosed.
    """
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
    """Return the lines of a program without comments and blank lines."""
    lines = (line.partition("#")[0].strip() for line in program.split("\n"))
    return [line for line in lines if line]


def _is_code(text: str) -> bool:
    """Return whether a reply without backticks can be read as a program."""
    if len(text) > LONGEST_PROGRAM:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings of escapes such as \d, which models write
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(
        isinstance(node, ast.Name) and node.id in ("agent", "obs") for node in ast.walk(tree)
    )


def read_action(reply: Reply, offered: Collection[str]) -> Action:
    """Return the first action in a reply.

    The action is the first line that begins with an offered verb, or else the only action between
    backticks within a sentence.

    Raises:
        ValueError: There is no action; the message is written for the model.
    """
    for line in reply.text.splitlines():
        written = without_summary(line.strip().removeprefix("Action:").strip())
        if _begins(written.lstrip("`* "), offered):
            return action_text.read(written, offered)
    quoted = {each.strip() for each in _QUOTED.findall(reply.text)}
    inside = [each for each in quoted if _begins(each, offered)]
    if len(inside) == 1:
        return action_text.read(inside[0], offered)
    known = ", ".join(word.upper() for word in offered)
    raise ValueError(f"there is no action; write one line that begins with one of {known}")


def without_summary(line: str) -> str:
    """Return a line without the summary in brackets that prompts show after an action."""
    return _SUMMARY.sub("`", line)


def _begins(written: str, offered: Collection[str]) -> bool:
    found = _WORD.match(written)
    return found is not None and found[0].lower() in offered


def show_action(action: Action) -> str:
    """Return the action as a line with its verb in capitals; `actions.parse` reads it back."""
    word, _, rest = actions.show(action).partition(" ")
    return f"{word.upper()} {rest}".strip()


def describe(offered: Collection[str]) -> str:
    """Return the descriptions of the offered actions for a prompt, one per line."""
    lines = actions.describe(offered).split("\n")
    words = [line.partition(" ")[0] for line in lines]
    return "\n".join(
        line.replace(word, word.upper(), 1)
        for word, line in zip(words, lines, strict=True)
        if word in offered
    )
