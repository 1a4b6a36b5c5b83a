"""A site on paper, and a model whose replies are written down by what they answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent import actions
from agent.interface import (
    Action,
    AnswerSchema,
    ContextOverflow,
    Element,
    FormatError,
    Goto,
    Message,
    Note,
    Observation,
    Reply,
    Task,
)
from agent.llm import tokens
from evaluators.episode.trace import Trace

HOME = "http://store.localhost/home"


def screen(
    name: str, *links: str, site: str = "http://store.localhost", **more: Any
) -> Observation:
    """A screen with links, numbered from 1."""
    elements = [Element(i, "link", link) for i, link in enumerate(links, start=1)]
    return Observation(f"{site}/{name}", name, (*elements, *more.pop("content", ())), **more)


@dataclass
class Site:
    """`moves` say where an action on a screen leads; any other is an error. The same screen may
    stand at an address in several `versions`, of which each visit shows the next."""

    versions: Mapping[str, Sequence[Observation]]
    moves: Mapping[tuple[str, str], str]
    gone: set[str] = field(default_factory=set)
    at: Observation = field(init=False)
    visits: list[str] = field(default_factory=list)
    attempts: int = 1
    went: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.at = self._open("home")

    def _open(self, name: str) -> Observation:
        seen = self.visits.count(name)
        self.visits.append(name)
        versions = self.versions[name]
        self.at = versions[min(seen, len(versions) - 1)]
        return self.at

    async def observe(self, *, view: str = "document", screenshot: bool = False) -> Observation:
        return self.at if view == "document" else replace(self.at, content=self.at.content[:1])

    async def act(self, action: Action) -> Observation:
        if isinstance(action, Note):
            return self.at
        self.went.append(actions.show(action))
        name = self.at.title
        if isinstance(action, Goto):
            name = action.url.rpartition("/")[2]
            if name in self.gone:
                self.at = Observation("chrome-error://", "error", error="it cannot be opened")
                return self.at
        elif (name, actions.show(action)) not in self.moves:
            return replace(self.at, error="nothing came of it")
        else:
            name = self.moves[name, actions.show(action)]
        return self._open(name)

    async def restart(self) -> Observation:
        self.attempts += 1
        return self._open("home")

    async def checkpoint(self) -> object:
        return self.at

    async def restore(self, mark: object) -> Observation:
        assert isinstance(mark, Observation)
        self.at = mark
        return mark


MOVES = {
    ("home", "click [1]"): "left",
    ("home", "click [2]"): "right",
    ("left", "click [1]"): "dead",
    ("right", "click [1]"): "goal",
}
SCREENS = {
    "home": [screen("home", "Left", "Right")],
    "left": [screen("left", "Dead")],
    "right": [screen("right", "Goal")],
    "dead": [screen("dead")],
    "goal": [screen("goal")],
}
BRANCHES = SCREENS, MOVES


def branching_site() -> Site:
    """Left is a dead end; the goal is on the right."""
    return Site(*BRANCHES)


USUAL = {
    "task-done": "NO",
    "step-done": "NO",
    "describe": "The action is to go on.",
    "remedy": "note [no other]",
    "remedies": "Action: NONE",
    "answer": "###Answer 42",
}
"""What is said where nothing is written down (any more)."""


@dataclass
class Hand:
    """Replies by purpose, in order; an alignment may be a lone yes or no, and samples are parted
    by a bar. Requests of more tokens than `context` are refused."""

    written: dict[str, list[str]]
    asked: list[tuple[str, list[Message], dict[str, Any]]] = field(default_factory=list)
    context: int | None = None
    refused: list[str] = field(default_factory=list)

    async def ask(self, purpose: str, messages: Iterable[Message], **settings: Any) -> Reply:
        what, talk = purpose.partition("/")[2], [dict(each) for each in messages]
        size = tokens.of_request({"messages": talk})
        if self.context is not None and size > self.context:
            self.refused.append(what)
            raise ContextOverflow(f"the request takes about {size} of {self.context} tokens")
        self.asked.append((what, talk, settings))
        left = self.written.get(what) or []
        text = left.pop(0) if left else USUAL[what]
        if what == "align" and text in ("YES", "NO"):
            text = f"The action is to go on.\n{text}"
        return Reply(tuple(text.split(" | ")) if settings.get("n") else (text,))

    @property
    def purposes(self) -> list[str]:
        return [what for what, _, _ in self.asked]

    def questions(self, what: str) -> list[str]:
        """The newest message of each request of a purpose."""
        return [str(talk[-1]["content"]) for name, talk, _ in self.asked if name == what]


@dataclass
class Seen:
    """The answer or the error, with what was recorded."""

    answer: str | None
    error: Exception | None
    trace: Trace

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [each.to_json() for each in self.trace.reported]

    def texts(self, word: str) -> list[str]:
        return [each["what"] for each in self.events(word)]

    def events(self, word: str) -> list[dict[str, Any]]:
        return [each for each in self.lines if each["word"] == word]

    @property
    def stacks(self) -> list[list[str]]:
        """What lay on the stack before each pop, the top last: `action@subtask`."""
        stack: list[str] = []
        found = []
        for each in self.lines:
            entry = f"{each['what']}@{each.get('subtask')}"
            if each["word"] == "push":
                stack.append(entry)
                assert each["depth"] == len(stack)
            elif each["word"] == "pop":
                found.append([*stack])
                assert stack.pop() == entry and each["depth"] == len(stack)
        return found


async def solved(method: Any, site: Site, llm: Hand, options: Any, prompts: str = "store") -> Seen:
    """Let the method act on the site on paper, with the prompts of a real one."""
    trace = Trace()
    task = Task(
        prompts,
        "find the answer",
        HOME,
        "on_paper",
        answer=AnswerSchema("number"),
        record=trace.record,
    )
    try:
        return Seen(await method.solve(task, site, llm, options), None, trace)
    except (FormatError, ContextOverflow) as error:
        return Seen(None, error, trace)
