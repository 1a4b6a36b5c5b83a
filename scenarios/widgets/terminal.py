"""List the files in a terminal, and remove one with a certain ending."""

from __future__ import annotations

import re

from agent.interface import Advice, Type
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget

LIST = "user$ ls"


def advise(view: PageView) -> Advice:
    names = files(view)
    if not names:
        return do(entered(view, "ls"), step="list the files")
    chosen = next((name for name in names if fits(view, name)), "")
    return do(entered(view, f"rm {chosen}"), step="remove one", needs=ending(view))


def advise_original(view: PageView) -> Advice:
    """Advise on the original page, whose terminal is a single text that takes typed keys."""
    screen = next((each.name for each in view.page.elements if "user$" in each.name), "")
    shown = re.findall(rf"{re.escape(LIST)} (.*?) user\$", screen)
    names = shown[-1].split() if shown else []
    line = f"rm {next((name for name in names if fits(view, name)), '')}" if names else "ls"
    field = view.find("textbox")
    typed = Type(field.id, line, enter=True) if field else None
    step = "remove one" if names else "list the files"
    return do(typed, step=step, needs=ending(view) if names else ())


def files(view: PageView) -> list[str]:
    """Return the terminal's answer to `ls`, or [] if `ls` was not entered yet."""
    lines = view.texts("log")
    return lines[lines.index(LIST) + 1].split() if LIST in lines else []


def ending(view: PageView) -> list[str]:
    return view.groups(r"with the extension (\S+)")


def fits(view: PageView, name: str) -> bool:
    wanted = ending(view)
    return name.endswith(wanted[0]) if wanted else "." not in name


def entered(view: PageView, line: str) -> Type | None:
    field = view.find("textbox", name="Command")
    return Type(field.id, line, enter=True) if field else None


def wrong(view: PageView) -> Advice:
    """Advise removing another file: a wrong end for tests."""
    names = [name for name in files(view) if not fits(view, name)]
    return do(entered(view, f"rm {names[0]}")) if names else advise(view)


def wrong_exit(view: PageView) -> Advice:
    """Advise leaving the terminal: a wrong end for tests."""
    return do(entered(view, "exit"))


OUTCOMES = {"wrong": Outcome(wrong), "wrong exit": Outcome(wrong_exit)}
STEPS = ("list the files", "remove one")
FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=2,
    outcomes=OUTCOMES,
    STEPS=STEPS,
    on_original=advise_original,
)
