"""Answers for the baseline Flat: `flat/act`. One policy, told the whole task."""

from __future__ import annotations

from agent import prompting
from agent.actions import show
from agent.interface import Reply
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Lost, Request
from agent.llm.simulated.shown_history import Input


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """The next thing to do on this page."""
    told = Input(request)
    task = simulated.task(request)
    if task.instruction not in told.objective:
        raise Lost("the objective is none that anybody knows")
    rendering = prompting.load("flat", task.site).rendering
    _, decision = simulated.decide(told.told, rendering, already=list(told.operations), task=task)
    return told.spoken(show(decision.action))


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    """What somebody says who was told too little."""
    return Reply(("ACTION: stop [I do not know what to do]",))
