"""The scripted model's answers for the baseline Flat (`flat/act`): one policy with the whole task
as its objective.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from agent import prompting
from agent.actions import show
from agent.interface import Reply
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Lost, Request
from agent.llm.simulated.reasons import because
from agent.llm.simulated.remembered import unnoted
from agent.llm.simulated.shown_history import Input


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next action on the page.

    Raises:
        Lost: The objective belongs to no known task.
    """
    shown = Input(request)
    task = simulated.task(request)
    if task.instruction not in shown.objective:
        raise Lost("the objective is none of a known task")
    rendering = prompting.load("flat", task.site).rendering
    done = list(shown.operations)
    if not done:  # on the first page, where nothing has been noted
        task = replace(task, advise=partial(unnoted, task.advise))
    situation, decision = simulated.decide(shown.message, rendering, already=done, task=task)
    action = decision.action
    return shown.reply(show(action), because(situation, action, shown.objective))


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    return Reply(("ACTION: stop [I do not know what to do]",))
