"""The scripted model's answers for ASH: those of ReAct, and summaries of pages (`ash/summary`)."""

from __future__ import annotations

from agent import prompting
from agent.interface import Reply
from agent.llm.scripted import react as shared
from agent.llm.simulated import page_view
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Request

act, lost = shared.act, shared.lost


def summary(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with a shortened page."""
    rendering = prompting.load("ash", simulated.task(request).site).rendering
    return page_view.summary(request.observation(rendering), rendering)
