"""The scripted model's answers for ReAct: the requests `react/act`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from agent import prompting
from agent.actions import show
from agent.interface import Action, Click, Note, Observation, Reply, Stop, Type
from agent.llm.simulated.mistakes import element_of
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.placed import PlacedRequest
from agent.llm.simulated.reading import Knowledge, Lost, Request
from agent.llm.simulated.reasons import because
from agent.llm.simulated.remembered import notes, reading_back, remembering, without_notes
from agent.methods.react.action_formats import FORMATS, ActionFormat
from agent.offered import NOTE
from agent.prompting import Prompts
from agent.renderings import markers

_MOVE = re.compile(r"(search(?=\[)|click(?=\[[A-Z0-9]{10}\]))\[(.*)\]")


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a thought first, then with one action per turn."""
    site = simulated.task(request).site
    prompts = prompting.load("react", site)
    form = str(prompts.data["form"])
    if form == "webshop":
        request = PlacedRequest.of(request, _done_before(request))
    history = _History(request, FORMATS[form], prompts.rendering)
    task = _thinking(simulated.task(request), request, prompts)
    situation, decision = simulated.decide(
        request, prompts.rendering, already=history.done_here, tried=history.done, task=task
    )
    action = decision.action
    thought = because(situation, action, task.instruction)
    if form == "webarena":
        return Reply((f"Thought: {thought}\nAction: {show(action)}",))
    if not any(message["role"] == "assistant" for message in request.messages):
        return Reply((f"think[{thought}]",))
    return Reply((_webshop(action, situation.observation),))


def _thinking(task: Knowledge, request: Request, prompts: Prompts) -> Knowledge:
    """Return the task; if notes are no moves, its advice uses thoughts and earlier pages of the
    dialogue instead.
    """
    if prompts.data["form"] != "webarena" or _is_noting(request, prompts):
        return task
    seen = partial(notes, request, prompts.rendering, task, ())
    advise = without_notes(remembering(task.advise, seen))
    return replace(task, advise=reading_back(advise, request, task))


def _is_noting(request: Request, prompts: Prompts) -> bool:
    """Return whether the newest page or its prompt shows that the method takes notes."""
    return request.observation(prompts.rendering).notes is not None


def _done_before(request: Request) -> dict[str, str]:
    """Return the last search (`searched`) and the last opened item (`opened`) that the dialogue
    shows.
    """
    turns = [str(each["content"]) for each in request.messages if each["role"] == "assistant"]
    moves = [found for text in turns if (found := _MOVE.fullmatch(text.strip()))]
    named = {"search": "searched", "click": "opened"}
    return {named[move[1]]: move[2] for move in moves}


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    return Reply(("stop[I do not know what to do]",))


def _webshop(action: Action, observation: Observation) -> str:
    if isinstance(action, Note):
        return f"{'think' if observation.notes is None else NOTE}[{action.text}]"
    if isinstance(action, Type):
        field = element_of(action, observation)
        if field is None or field.role == "searchbox":
            return f"search[{action.text}]"
        return f"type[{field.name}][{action.text}]"
    if isinstance(action, Click):
        element = element_of(action, observation)
        return f"click[{element.name if element else action.target}]"
    if isinstance(action, Stop):
        return f"stop[{action.answer}]"
    raise Lost(f"the store knows no {type(action).__name__}")


@dataclass(frozen=True)
class _History:
    """The actions that the dialogue shows as done, oldest first."""

    request: Request
    form: ActionFormat
    rendering: str

    @property
    def done_here(self) -> list[Action]:
        """The actions on the newest page."""
        newest = self.request.shown[-1] if self.request.shown else ""
        return [action for page, action in self._turns() if page == newest]

    @property
    def done(self) -> list[Action]:
        return [action for _, action in self._turns() if not isinstance(action, Note)]

    def _turns(self) -> Iterator[tuple[str, Action]]:
        """Yield each action of the dialogue with the text of the page on which it was taken."""
        page, observation = "", self.request.observation(self.rendering)
        for message in self.request.messages:
            text = str(message["content"])
            if message["role"] == "assistant":
                yield from ((page, each) for each in _actions(text, self.form, observation))
            else:
                page = (markers.unfence(text) or [page])[-1]


def _actions(text: str, form: ActionFormat, observation: Observation) -> list[Action]:
    try:
        move = form.read(Reply((text,)))
    except ValueError:
        return []
    if move.action is None:
        return [Note(move.thought)]
    return [_by_id(form.resolve(move.action, observation), observation)]


def _by_id(action: Action, observation: Observation) -> Action:
    """Return the action with an element id as its target instead of a name, so that it can be
    compared with the model's own actions.
    """
    if isinstance(action, Click | Type) and isinstance(action.target, str):
        for element in observation.elements:
            if element.name == action.target:
                return replace(action, target=element.id)
    return action
