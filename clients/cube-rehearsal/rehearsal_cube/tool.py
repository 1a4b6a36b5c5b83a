"""The actions of an agent on a page, as a CUBE tool."""

from __future__ import annotations

from typing import Annotated

from cube.container import Container
from cube.core import AgentStop
from cube.tool import Tool, ToolConfig, tool_action
from pydantic import Field, validate_call

from agent.actions import LONGEST
from agent.interface import Action, Back, Click, Note, Select, Stop, Type
from evaluators.integrations.ground_thread import shared
from evaluators.training.session import StepResult

Words = Annotated[str, Field(max_length=LONGEST)]


class PageTool(Tool):
    """The actions on the page of one episode; each of them returns the page as text.

    Lines of the page begin with the number of an element, such as `[12] button 'Buy Now'`.
    """

    def __init__(self) -> None:
        self.turn: StepResult | None = None
        self._sites = shared()
        self._session = self._sites.run(self._sites.ground.session())

    @property
    def goal(self) -> str:
        """The instruction of the episode."""
        return self._session.goal

    def begin(self, scenario: str) -> StepResult:
        """Open an episode of the scenario, and return its first turn."""
        self.turn = self._sites.run(self._session.reset(scenario))
        return self.turn

    def take(self, action: Action) -> str:
        """Do an action, and return the page after it.

        Raises:
            EpisodeOver: No episode is open.
            SessionClosed: The tool was closed.
        """
        self.turn = self._sites.run(self._session.step(action))
        refused = f"error: {self.turn.error}\n\n" if self.turn.error else ""
        return refused + self.turn.text

    def close(self) -> None:
        """Close the episode. Further calls do nothing."""
        self._sites.run(self._session.close())

    @tool_action
    @validate_call
    def click(self, element: int) -> str:
        """Click an element.

        Args:
            element: The number in brackets before the element.
        """
        return self.take(Click(element))

    @tool_action
    @validate_call
    def type(self, element: int, text: Words, press_enter: bool = False) -> str:
        """Replace the text of a field.

        Args:
            element: The number in brackets before the field.
            text: The new text.
            press_enter: Whether to press Enter afterwards.
        """
        return self.take(Type(element, text, press_enter))

    @tool_action
    @validate_call
    def select(self, element: int, option: Words) -> str:
        """Choose an option of a list.

        Args:
            element: The number in brackets before the list.
            option: The label of the option.
        """
        return self.take(Select(element, option))

    @tool_action
    def go_back(self) -> str:
        """Go back to the page before."""
        return self.take(Back())

    @tool_action
    @validate_call
    def note(self, text: Words) -> str:
        """Remember a sentence; the page does not change.

        Args:
            text: The sentence.
        """
        return self.take(Note(text))

    @tool_action
    @validate_call
    def stop(self, answer: Words = "") -> str:
        """End the task, with the answer if the task asks for one.

        Args:
            answer: The answer.
        """
        self.take(Stop(answer))
        raise AgentStop

    @tool_action
    def final_step(self) -> str:
        """End the task without an answer."""
        return self.stop("")


class PageToolConfig(ToolConfig):
    """Makes the tool of an episode."""

    def make(self, container: Container | None = None) -> PageTool:
        """Return a new tool; it ignores the container."""
        return PageTool()
