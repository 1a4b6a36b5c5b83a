"""The tools by which a model in training acts on a page; each performs one action.

Trainers make the schema of a tool from its signature and its docstring, and show both to the model.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from agent.interface import Action, Back, Click, Note, Select, Stop, Type
from agent.methods import outside
from evaluators.training.session import Session, StepResult


class Tools(ABC):
    """The six tools. A subclass says what performs their actions."""

    @abstractmethod
    def _perform(self, action: Action) -> str:
        """Perform the action and return the text that the model reads next."""

    def click(self, element: int) -> str:
        """Click an element of the page.

        Args:
            element: Number of the element, such as 12 for [12].
        """
        return self._perform(Click(element))

    def type(self, element: int, text: str, enter: bool = False) -> str:
        """Replace the text of a field.

        Args:
            element: Number of the field, such as 12 for [12].
            text: The new text.
            enter: Whether to press Enter afterwards.
        """
        return self._perform(Type(element, text, enter))

    def select(self, element: int, option: str) -> str:
        """Choose an option of a select by its label.

        Args:
            element: Number of the select, such as 12 for [12].
            option: Label of the option.
        """
        return self._perform(Select(element, option))

    def go_back(self) -> str:
        """Go back to the page before."""
        return self._perform(Back())

    def note(self, text: str) -> str:
        """Write down a sentence. The page is not touched.

        Args:
            text: The sentence.
        """
        return self._perform(Note(text))

    def stop(self, answer: str = "") -> str:
        """End the task.

        Args:
            answer: The answer, empty if the task asks for none.
        """
        return self._perform(Stop(answer))


NAMES = tuple(name for name in vars(Tools) if not name.startswith("_"))


def task_of(session: Session) -> str:
    """Return the task of the open episode in words, with the form of its answer."""
    return f"{session.goal} {outside.asked(session.answer)}"


def read(turn: StepResult) -> str:
    """Return the page for a model, after the reason why its last action was not done."""
    return turn.text if turn.error in turn.text else f"error: {turn.error}\n{turn.text}"
