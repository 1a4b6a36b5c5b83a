"""Progress through a plan of steps: a pure function of the plan and the journal.

A step scores 1 once its button was accepted with every wanted field right. Otherwise it scores 0.8
times the share of its fields that hold the wanted value now. A later press of the same button
replaces the result, except that an earlier right search stays right if the plan continues after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluators.scoring.scorers.crm.journal import Commit, Deed, Draft

DRAFTED = 0.8
_SEARCHES = ("search-flights", "search-booking")


@dataclass(frozen=True)
class Goal:
    """A step of a plan: on this screen, about this booking, set these fields and press this
    button.
    """

    name: str
    screen: str
    reference: str
    control: str
    fields: Mapping[str, str]

    def about(self, deed: Deed) -> bool:
        """Return whether a journal entry is on the step's screen and about its booking."""
        return (deed.screen, deed.reference) == (self.screen, self.reference)

    def presses(self, deed: Deed) -> bool:
        """Return whether a journal entry is an accepted press of the step's button."""
        return isinstance(deed, Commit) and self.about(deed) and deed.control == self.control

    def share(self, held: Mapping[str, str]) -> float:
        """Return the share of the wanted fields that hold their value; 1 if no field is wanted."""
        right = [held.get(field) == value for field, value in self.fields.items()]
        return sum(right) / len(right) if right else 1.0


def steps(goals: Sequence[Goal], deeds: Sequence[Deed]) -> list[float]:
    """Return the score of each step, from 0 to 1."""
    last = len(goals) - 1
    return [
        _step(goal, deeds, kept=goal.control in _SEARCHES and place < last)
        for place, goal in enumerate(goals)
    ]


def _step(goal: Goal, deeds: Sequence[Deed], kept: bool) -> float:
    held: dict[str, str] = {}
    done = False
    for deed in filter(goal.about, deeds):
        if isinstance(deed, Draft):
            held[deed.field] = deed.value
        elif goal.presses(deed):
            held |= deed.values
            done = goal.share(deed.values) == 1 or (kept and done)
    if done:
        return 1.0
    return DRAFTED * goal.share(held) if goal.fields else 0.0


def recall(goals: Sequence[Goal], deeds: Sequence[Deed]) -> float:
    """Return the share of the solution's actions that were done: setting a field, or clicking a
    control.
    """
    done = [seen for goal in goals for seen in _seen(goal, deeds)]
    return sum(done) / len(done)


def _seen(goal: Goal, deeds: Sequence[Deed]) -> list[bool]:
    about = [deed for deed in deeds if goal.about(deed)]
    values = [_values(deed) for deed in about]
    return [
        *(any(each.get(field) == value for each in values) for field, value in goal.fields.items()),
        any(goal.presses(deed) for deed in about),
    ]


def _values(deed: Deed) -> Mapping[str, str]:
    return {deed.field: deed.value} if isinstance(deed, Draft) else deed.values
