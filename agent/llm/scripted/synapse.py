"""Answers for Synapse: `synapse/abstract`, `synapse/code` and `synapse/act`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from agent import actions, prompting, renderings
from agent.interface import Action, Observation, Reply, Stop
from agent.llm.scripted import Coverage, ExtraEpisode
from agent.llm.simulated.mistakes import GIVEN_UP_AFTER
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Lost, Request
from agent.methods.synapse import action_programs
from agent.methods.synapse.reply_format import show_action

COVERAGE = Coverage(
    unable={
        # 4,097 tokens do not hold the exemplars whole.
        "paper": ("TASK_BOOK_FLIGHT", "TASK_CANCEL_FLIGHT"),
    },
    extra=(  # both kinds of abstraction
        ExtraEpisode("synapse", "email-inbox-nl-turk"),
        ExtraEpisode("synapse", "click-pie"),
    ),
)
_PAIR = re.compile(r"^State:\n(.*?)\nObservation:\n(.*?)(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)
_TAG = re.compile(r" *<([\w.:-]+)(.*?)>")
_ATTRIBUTE = re.compile(r' (data-id|role|type)(?:="([^"]*)")?')
_STYLE = re.compile(r' style="[^"]*"')
_MARKUP = re.compile(r"<[^>]*>")
_TELLING = re.compile(r'"[^"]*"|@\w+|\(-?\d+,-?\d+\)|[A-Z][a-z]+')  # names, and what is quoted
_CODED = re.compile(r"^Task: ([^\n]*)\nState:\n.*?\n```\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """What is to be done, in the form that the request asks for."""
    return _operation(simulated, request) if _wants_one(request) else _program(simulated, request)


def _program(simulated: SimulatedModel, request: Request) -> Reply:
    """One program of everything that is to be done before looking again."""
    seen = request.observation("state")
    given_up = partial(_is_given_up, request, _own(simulated, request), seen)
    situation, decision = simulated.decide(request, "state", given_up=given_up)
    advice = situation.advice
    done = advice.ahead or action_programs.remarked(advice.actions, seen)
    if decision.mistake or not done:
        done = action_programs.remarked([decision.action], seen)
    return Reply((f"```\n{_written(done, seen)}\n```",))


def _is_given_up(request: Request, own: Request, seen: Observation, action: Action) -> bool:
    """Whether the trajectory shows that its program failed, or that it was run often enough."""
    program = f"```\n{_written(action_programs.remarked([action], seen), seen)}\n```"
    run = [str(each["content"]).strip() for each in own.messages if each["role"] == "assistant"]
    last_failed = own.says_failed and run[-1:] == [program]
    return last_failed or run.count(program) >= GIVEN_UP_AFTER


def _written(done: Iterable[tuple[str, Action]], seen: Observation) -> str:
    """A program; one that ends the task is `pass`."""
    written = [(remark, action) for remark, action in done if not isinstance(action, Stop)]
    try:
        return action_programs.write_with_remarks(written, seen) if written else "pass"
    except action_programs.Unwritable as error:
        raise Lost(str(error)) from None


def _wants_one(request: Request) -> bool:
    """Whether the request asks for single actions."""
    return bool(request.messages) and "STOP [" in str(request.messages[0]["content"])


def _operation(simulated: SimulatedModel, request: Request) -> Reply:
    """The next action; the task does not include what exemplars say."""
    own = _own(simulated, request)
    rendering = prompting.load("synapse", simulated.task(own).site).rendering
    done, here = list(_already(own, rendering)), list(_already(own, rendering, here=True))
    _, decision = simulated.decide(own, rendering, already=here, tried=done)
    return Reply((f"`{show_action(decision.action)}`",))


def _own(simulated: SimulatedModel, request: Request) -> Request:
    """The request from the last task on, without the exemplars."""
    starts = [
        place
        for place, message in enumerate(request.messages)
        if message["role"] == "user" and str(message["content"]).startswith("Task:")
    ]
    if not starts:
        raise Lost("there is no task")
    return Request(request.purpose, {"messages": request.messages[starts[-1] :]})


def _already(own: Request, rendering: str, here: bool = False) -> Iterator[Action]:
    """What was done, oldest first; `here`: since the page that is shown came up."""
    pages = [renderings.get(rendering).parse(page) for page in own.shown]
    replies = [str(each["content"]) for each in own.messages if each["role"] == "assistant"]
    for place, written in enumerate(replies):
        if not here or all(page.url == pages[-1].url for page in pages[place:]):
            with suppress(actions.BadAction):  # a reply that could not be read
                yield actions.parse(written)


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    """The reply to a request that lacks what is needed, in the form that it asks for."""
    if _wants_one(request):
        return Reply(("`STOP [I do not know what to do]`",))
    return Reply(("```\npass  # I do not know what to do\n```",))


def abstract(simulated: SimulatedModel, request: Request) -> Reply:
    """The lines of the state that are of a kind that the examples keep.

    Lines of a kind that the examples never keep are dropped, of one that they keep in part those
    that the task does not mention, and so are colours where no example has kept one.
    """
    instruction = simulated.task(request).instruction
    if not request.shown:
        raise Lost("no page is shown")
    kinds = _Kinds([_Pair(*found) for found in _PAIR.findall(request.text_without_pages)])
    words = _TELLING.findall(instruction)
    lines = [line for line in request.shown[-1].split("\n") if kinds.keeps(line, words)]
    text = "\n".join(lines) or request.shown[-1]
    return Reply((_STYLE.sub("", text) if kinds.plain else text,))


class _Kinds:
    """What the examples keep of which kind of lines."""

    def __init__(self, pairs: Sequence[_Pair]) -> None:
        dropped = [line for pair in pairs for line in pair.dropped]
        self.plain = bool(pairs) and not any(" style=" in pair.observation for pair in pairs)
        self._kept = {kind for pair in pairs for kind in pair.kept}
        self._dropped = {_kind(line) for line in dropped}
        self._verbs = {_first_word(line) for line in dropped}

    def keeps(self, line: str, words: Sequence[str]) -> bool:
        kind, verb = _kind(line), _first_word(line)
        if kind not in self._dropped:
            return True
        mentioned = any(word.strip('"') in line for word in words)
        return kind in self._kept and (mentioned or (verb.islower() and verb not in self._verbs))


@dataclass(frozen=True)
class _Pair:
    """An example of a state and its clean observation."""

    state: str
    observation: str

    @property
    def dropped(self) -> Iterator[str]:
        """The lines that the observation leaves out."""
        left = set(self.observation.split("\n"))
        return (line for line in self.state.split("\n") if not {line, _STYLE.sub("", line)} & left)

    @property
    def kept(self) -> Iterator[str]:
        return map(_kind, self.observation.split("\n"))


def _first_word(line: str) -> str:
    """The first word of what a line says."""
    return (_MARKUP.sub("", line).split() or [""])[0]


def _kind(line: str) -> str:
    """What a line is: its tag, its role and type, and whether it can be acted on."""
    found = _TAG.match(line)
    if found is None:
        return ""
    attributes = dict(_ATTRIBUTE.findall(found[2]))
    kind = (attributes.get("role", ""), attributes.get("type", ""), str("data-id" in attributes))
    return " ".join((found[1], *kind))


def code(simulated: SimulatedModel, request: Request) -> Reply:
    """The program of the last example, which is of the same kind, with the own task in it."""
    instruction = simulated.task(request).instruction
    programs = _CODED.findall(request.text_without_pages)
    if not programs:
        raise Lost("there is no example to go by")
    example, program = programs[-1]
    own = program.replace(_literal(example), _literal(instruction))
    return Reply((f"```\n{own}\n```",))


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
