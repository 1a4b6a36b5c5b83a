"""Find a value in a table of five rows, and type it."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [key] = view.groups(r"Enter the value of (.*) into the text field")
    return submit(view, table(view).get(key), needs=[key])


def table(view: PageView) -> dict[str, str]:
    """Return the values by key, or {} if the keys and values shown do not match in number."""
    keys, values = view.texts("rowheader"), view.texts("cell")
    return dict(zip(keys, values, strict=True)) if len(keys) == len(values) else {}


def wrong(view: PageView) -> Advice:
    """Advise typing the value of another row: a wrong end for tests."""
    other = next(key for key in table(view) if f"value of {key} " not in view.instruction)
    return advise(with_instruction(view, "value of .* into", f"value of {other} into"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
