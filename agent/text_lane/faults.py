"""What the text lane cannot do, found out during an episode."""

from __future__ import annotations

from agent.browser.faults import NotInThisLane


class NotInTextLane(NotInThisLane):
    """A page, or an agent's request, needs a browser.

    Args:
        reason: What needs a browser, and what is missing here.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}; run this with --lane browser")


class UnknownScript(NotInTextLane):
    """A page has a script that is not written again in Python.

    Args:
        address: The address of the script.
    """

    def __init__(self, address: str) -> None:
        super().__init__(f"the text lane does not know the script {address}")


class UnknownCss(NotInTextLane):
    """A style sheet has a rule whose meaning is not known here.

    Args:
        problem: The rule, and what is not known about it.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(f"the text lane does not know a style sheet: {problem}")
