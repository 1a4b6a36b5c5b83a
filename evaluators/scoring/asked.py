"""The answer that a scenario asks for, and the agent's answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from agent.interface import Answer, AnswerSchema
from evaluators.scoring import answers, in_words
from evaluators.scoring.answers import Unreadable
from evaluators.scoring.score import Check, f1


@dataclass(frozen=True)
class Asked:
    """The answer that a scenario asks for, and the agent's answer.

    Attributes:
        kind: The kind of the answer (`agent.interface.AnswerSchema`).
        text: The right answer.
        answer: The agent's answer; "" for none.
    """

    kind: str
    text: str
    answer: str

    @cached_property
    def right(self) -> Answer | Unreadable:
        """The right answer, as its kind is read."""
        return answers.read(AnswerSchema(self.kind), self.text)

    @cached_property
    def given(self) -> Answer | Unreadable:
        """The agent's answer, as its kind is read."""
        return answers.read(AnswerSchema(self.kind), self.answer)

    @property
    def is_right(self) -> bool:
        return self.given == self.right

    @property
    def likeness(self) -> float:
        """1 for the right answer, the F1 for another list, else 0."""
        values = [each.value for each in (self.given, self.right) if isinstance(each, Answer)]
        lists = [each for each in values if isinstance(each, tuple)]
        return f1(*lists) if len(lists) == 2 else float(self.is_right)

    def check(self, name: str) -> Check:
        """Return the check of the answer; days are written out, as in every other check."""
        write = in_words.days if self.kind in ("date", "list") else str
        found = write(self.answer), self.given
        return in_words.answer(name, self.is_right, found, write(self.text))
