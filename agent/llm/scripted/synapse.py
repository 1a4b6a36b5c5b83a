"""The scripted model's answers for Synapse: the requests `synapse/abstract`, `synapse/code` and
`synapse/act`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from agent import actions, prompting, renderings
from agent.interface import Action, Observation, Reply, Stop
from agent.llm.simulated.mistakes import GIVEN_UP_AFTER
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Lost, Request, read_page
from agent.methods.synapse import action_programs
from agent.methods.synapse.exemplar_files import literal
from agent.methods.synapse.reply_format import show_action, without_summary

_PAIR = re.compile(
    r"^State:\n<<<observation\n(.*?)\nobservation>>>\nObservation:\n(.*?)(?=\n\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_TAG = re.compile(r" *<([\w.:-]+)(.*?)>")
_ATTRIBUTE = re.compile(r' (data-id|role|type|disabled)(?:="([^"]*)")?')
_PART = re.compile(r' ([a-z-]+)(?:="([^"]*)")?(?=[^<>]*>)')
_MARKUP = re.compile(r"<[^>]*>")
_CODED = re.compile(
    r"^Task: ([^\n]*)\nState:\n\nProgram:\n```\n(.*?)\n```$", re.DOTALL | re.MULTILINE
)


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next action or with a program of actions, as the request asks."""
    return _operation(simulated, request) if _wants_one(request) else _program(simulated, request)


def _program(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a program of all actions to do before the next look at the page."""
    seen = request.observation("state")
    given_up = partial(_is_given_up, request, _own(simulated, request), seen)
    situation, decision = simulated.decide(request, "state", given_up=given_up)
    advice = situation.advice
    done = advice.ahead or action_programs.remarked(advice.actions, seen)
    if decision.mistake or not done:
        done = action_programs.remarked([decision.action], seen)
    return Reply((f"```\n{_written(done, seen)}\n```",))


def _is_given_up(request: Request, own: Request, seen: Observation, action: Action) -> bool:
    """Return whether the trajectory shows that the action's program failed, or that it ran often
    enough.
    """
    program = f"```\n{_written(action_programs.remarked([action], seen), seen)}\n```"
    run = [str(each["content"]).strip() for each in own.messages if each["role"] == "assistant"]
    last_failed = own.says_failed and run[-1:] == [program]
    return last_failed or run.count(program) >= GIVEN_UP_AFTER


def _written(done: Iterable[tuple[str, Action]], seen: Observation) -> str:
    """Return the actions as the text of a program; `pass` if there are none, which ends
    the task.
    """
    written = [(remark, action) for remark, action in done if not isinstance(action, Stop)]
    try:
        return action_programs.write_with_remarks(written, seen) if written else "pass"
    except action_programs.Unwritable as error:
        raise Lost(str(error)) from None


def _wants_one(request: Request) -> bool:
    """Return whether the request asks for single actions instead of programs."""
    return bool(request.messages) and "STOP [" in str(request.messages[0]["content"])


def _operation(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next single action, without using the example tasks in the request."""
    own = _own(simulated, request)
    rendering = prompting.load("synapse", simulated.task(own).site).rendering
    done, here = list(_already(own, rendering)), list(_already(own, rendering, here=True))
    _, decision = simulated.decide(own, rendering, already=here, tried=done)
    return Reply((f"`{show_action(decision.action)}`",))


def _own(simulated: SimulatedModel, request: Request) -> Request:
    """Return the request from its last task on, without the example trajectories before it."""
    starts = [
        place
        for place, message in enumerate(request.messages)
        if message["role"] == "user" and str(message["content"]).startswith("Task:")
    ]
    if not starts:
        raise Lost("there is no task")
    return Request(request.purpose, {"messages": request.messages[starts[-1] :]})


def _already(own: Request, rendering: str, here: bool = False) -> Iterator[Action]:
    """Yield the actions that the trajectory shows, oldest first; with `here`, only those since the
    current page appeared.
    """
    pages = [renderings.get(rendering).parse(page) for page in own.shown]
    replies = [str(each["content"]) for each in own.messages if each["role"] == "assistant"]
    for place, written in enumerate(replies):
        if not here or all(page.url == pages[-1].url for page in pages[place:]):
            with suppress(actions.BadAction):  # a reply that could not be read
                yield actions.parse(without_summary(written))


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer a request that lacks needed values, in the form that it asks for."""
    if _wants_one(request):
        return Reply(("`STOP [I do not know what to do]`",))
    return Reply(("```\npass  # I do not know what to do\n```",))


def abstract(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a short form of the page state: the kinds of HTML lines that the request's
    examples keep.

    If examples keep only some lines of a kind, keep the lines that mention most words of the task.
    If only some examples keep a kind, keep its lines that are acted on next. Attributes that no
    example keeps are cut out of the lines.
    """
    task = simulated.task(request)
    advice = task.advise(request.observation("state"))
    targets = {getattr(action, "target", None) for action in advice.actions}
    shown = _as_lines(request.shown[-1]).split("\n")
    pressed = [line for line in shown if _number(line) in targets]
    pairs = [_Pair(_as_lines(state), seen) for state, seen in _PAIR.findall(request.text)]
    kinds = _Kinds(pairs, pressed)
    words = [spellings[0] for spellings in advice.needs]
    most = {
        kind: max(_mentioned(line, words) for line in shown if _kind(line) == kind)
        for kind in map(_kind, shown)
    }
    kept = [line for line in shown if kinds.keeps(line, words, most[_kind(line)])]
    lines = _with_holders(kept, shown, kinds)
    return Reply(("\n".join(map(kinds.clean, lines)) or request.shown[-1],))


def _as_lines(state: str) -> str:
    """Return a state with a line for each visible thing, also if it is shown as outer HTML."""
    return renderings.get("state").render(read_page(state, "state"))


def _with_holders(kept: Sequence[str], shown: Sequence[str], kinds: _Kinds) -> list[str]:
    """Return the kept lines and those around them (of less depth) whose kind the examples keep."""
    held = {*kept}
    for at in reversed(range(len(shown))):
        if shown[at] in held:
            around = _holder(shown[:at], _depth(shown[at]))
            held |= {around} if around and kinds.are_kept(around) else set()
    return [line for line in shown if line in held]


def _holder(before: Sequence[str], depth: int) -> str:
    """Return the last line of less depth; "" if there is none."""
    return next((line for line in reversed(before) if _depth(line) < depth), "")


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


class _Kinds:
    """The kinds of HTML lines that the examples keep or drop; `pressed` are the lines that are
    acted on next.
    """

    def __init__(self, pairs: Sequence[_Pair], pressed: Sequence[str]) -> None:
        self._pressed = frozenset(pressed)
        dropped = [line for pair in pairs for line in pair.dropped]
        kept = [[*pair.kept] for pair in pairs]
        self._dropped = {_kind(line) for line in dropped}
        self._kept = {_kind(line) for lines in kept for line in lines}
        self._verbs = {_first_word(line) for line in dropped}
        words = [{_first_word(line) for line in lines} for lines in kept]
        self._always = set[str].intersection(*words) if words else set[str]()
        self._cut = {part for pair in pairs for part in pair.cut}
        # Lines that only some tasks need, and that this task does not need next.
        others = {_kind(line) for pair in pairs for line in pair.dropped if pair.has_none_of(line)}
        self._unneeded = {
            *(others - set(map(_kind, pressed))),
            *(self._verbs & set[str]().union(*words) - set(map(_first_word, pressed))),
        }

    def are_kept(self, line: str) -> bool:
        """Return whether an example keeps a line of this line's kind."""
        return _kind(line) in self._kept

    def keeps(self, line: str, words: Sequence[str], most: int) -> bool:
        kind, verb = _kind(line), _first_word(line)
        if kind not in self._dropped or (line in self._pressed and self.are_kept(line)):
            return True
        if kind not in self._kept or {kind, verb} & self._unneeded:
            return False
        known = (verb.islower() or verb in self._always) and verb not in self._verbs
        return known or 0 < most == _mentioned(line, words)

    def clean(self, line: str) -> str:
        """Return the line without the attributes that the examples cut out of their lines."""
        return _PART.sub(lambda part: "" if _part(part) in self._cut else part[0], line)


@dataclass(frozen=True)
class _Pair:
    """An example of shortening a page: the full `state` and the shorter `observation`, both as
    lines of HTML.
    """

    state: str
    observation: str

    @property
    def dropped(self) -> Iterator[str]:
        """The lines of the state that the observation leaves out."""
        return (line for line in self.state.split("\n") if _key(line) not in self._keys)

    @property
    def kept(self) -> Iterator[str]:
        """The lines of the state that the observation keeps, as the state shows them."""
        return (line for line in self.state.split("\n") if _key(line) in self._keys)

    def has_none_of(self, line: str) -> bool:
        """Return whether the example's short observation keeps no line of this line's kind."""
        return _kind(line) not in set(map(_kind, self.kept))

    @property
    def cut(self) -> set[str]:
        """The names of attributes that the short observation cuts out of the lines that
        it keeps.
        """
        return {*_parts("\n".join(self.kept))} - {*_parts(self.observation)}

    @property
    def _keys(self) -> set[str]:
        return {_key(line) for line in self.observation.split("\n")}


def _mentioned(line: str, words: Sequence[str]) -> int:
    """Return how many of the words occur in the text of a line or in its element's HTML id."""
    shown = " ".join((*re.findall(r' id="([^"]*)"', line), _MARKUP.sub("", line)))
    return sum(word in shown for word in words)


def _parts(text: str) -> Iterator[str]:
    return map(_part, _PART.finditer(text))


def _part(found: re.Match[str]) -> str:
    """Return the name of a matched attribute; an attribute with an empty value gets a different
    name.
    """
    return f"{found[1]} of nothing" if found[2] == "" else found[1]


def _key(line: str) -> str:
    """Return the part of a line by which the full and the short page are matched: its element
    number, or else its text.
    """
    number = _number(line)
    return _MARKUP.sub("", line) if number is None else str(number)


def _number(line: str) -> int | None:
    found = re.search(r' data-id="(\d+)"', line)
    return int(found[1]) if found else None


def _first_word(line: str) -> str:
    """Return the first word of a line's text."""
    return (_MARKUP.sub("", line).split() or [""])[0]


def _kind(line: str) -> str:
    """Return the kind of an HTML line: its tag, role and type, and whether it can be acted on or is
    disabled.
    """
    found = _TAG.match(line)
    if found is None:
        return ""
    attributes = dict(_ATTRIBUTE.findall(found[2]))
    kind = (attributes.get("role", ""), attributes.get("type", ""))
    return " ".join(
        (found[1], *kind, *(each for each in ("data-id", "disabled") if each in attributes))
    )


def code(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the program of the most similar example, in which the task's instruction replaces
    the example's.
    """
    instruction = simulated.task(request).instruction
    programs = _CODED.findall(request.text_without_pages)
    if not programs:
        raise Lost("there is no example to go by")
    words = set(instruction.split())
    example, program = max(programs, key=lambda each: len(words & set(each[0].split())))
    return Reply((f"```\n{program.replace(literal(example), literal(instruction))}\n```",))
