"""Answers for ReAct: `react/act` and `react/summary`."""

from __future__ import annotations

import re
from dataclasses import replace

from agent import prompting
from agent.actions import show
from agent.interface import Action, Click, Note, Observation, Reply, Stop, Type
from agent.llm.scripted import Coverage, ExtraEpisode
from agent.llm.simulated import page_view
from agent.llm.simulated.mistakes import element_of
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.placed import PlacedRequest
from agent.llm.simulated.reading import Lost, Request
from agent.methods.react.action_formats import FORMATS, ActionFormat
from agent.renderings import markers

COVERAGE = Coverage(extra=(ExtraEpisode("react:instructions", "latest_order"),))  # no purchase
_MOVE = re.compile(r"(search(?=\[)|click(?=\[\w{10}\]))\[(.*)\]")


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """A thought to begin with, then one action a turn."""
    site = simulated.task(request).site
    prompts = prompting.load("react", site)
    form = str(prompts.data["form"])
    if form == "webshop":
        request = PlacedRequest.of(request, _done_before(request))
    _, decision = simulated.decide(
        request, prompts.rendering, already=_done_here(request, FORMATS[form], prompts.rendering)
    )
    if form == "webarena":
        return Reply((f"Thought: This is the next thing to do.\nAction: {show(decision.action)}",))
    if not any(message["role"] == "assistant" for message in request.messages):
        return Reply(("think[I look for what was asked for and check its details, then I act.]",))
    return Reply((_webshop(decision.action, request.observation(prompts.rendering)),))


def _done_before(request: Request) -> dict[str, str]:
    """What the dialogue shows to be searched and opened last."""
    turns = [str(each["content"]) for each in request.messages if each["role"] == "assistant"]
    moves = [found for text in turns if (found := _MOVE.fullmatch(text.strip()))]
    named = {"search": "searched", "click": "opened"}
    return {named[move[1]]: move[2] for move in moves}


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    return Reply(("stop[I do not know what to do]",))


def summary(simulated: SimulatedModel, request: Request) -> Reply:
    rendering = prompting.load("react", simulated.task(request).site).rendering
    return page_view.summary(request.observation(rendering), rendering)


def _webshop(action: Action, observation: Observation) -> str:
    if isinstance(action, Note):
        return f"think[{action.text}]"
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


def _done_here(request: Request, form: ActionFormat, rendering: str) -> list[Action]:
    """The actions that the dialogue shows as taken on the newest page, oldest first."""
    newest, page, done = request.shown[-1] if request.shown else "", "", []
    observation = request.observation(rendering)
    for message in request.messages:
        if message["role"] == "assistant":
            done += _actions(str(message["content"]), form, observation) if page == newest else []
        else:
            page = (markers.unfence(str(message["content"])) or [page])[-1]
    return done


def _actions(text: str, form: ActionFormat, observation: Observation) -> list[Action]:
    try:
        move = form.read(Reply((text,)))
    except ValueError:
        return []
    if move.action is None:
        return [Note(move.thought)]
    return [_by_id(form.resolve(move.action, observation), observation)]


def _by_id(action: Action, observation: Observation) -> Action:
    """Names back to ids, so that what was done can be compared with what is believed."""
    if isinstance(action, Click | Type) and isinstance(action.target, str):
        for element in observation.elements:
            if element.name == action.target:
                return replace(action, target=element.id)
    return action
