"""The scripted model's answer to the question how sure it is (`evaluators.episode.confidence`).

It is sure if the task's advice has nothing left to do on the page that it sees. So its figure says
how well the page shows what was done, and nothing about a language model.
"""

from __future__ import annotations

from agent.interface import Reply
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Request

RENDERING = "tree"
SURE, UNSURE, UNKNOWN = "90", "20", "50"


def ask(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a number from 0 to 100."""
    advice = simulated.task(request).advise(request.observation(RENDERING))
    return Reply((UNSURE if advice.answer is None else SURE,))


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer that it is not known."""
    return Reply((UNKNOWN,))
