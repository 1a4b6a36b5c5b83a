"""A client outside that knows what to do, for tests of runs in which one decides."""

from __future__ import annotations

from agent import actions
from agent.renderings import markers, tree
from scenarios import registry


def page_of(text: str) -> str:
    """The page that a text shows, "" where it shows none."""
    return next(iter(markers.unfence(text)), "")


def advised(text: str, scenario: str) -> str:
    """The line by which an expert of this scenario would go on."""
    drawn = registry.scenario(scenario)
    advice = registry.family(drawn.family).advise(drawn, tree.parse(page_of(text)))
    return actions.show(advice.actions[0]) if advice.actions else f"stop [{advice.answer}]"
