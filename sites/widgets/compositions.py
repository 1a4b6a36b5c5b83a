"""Compositions: several tasks on one page, listed in one instruction (after CompWoB).

The page `compose-4` with a seed shows four of the task pages, each in a box of its own. Number and
seed determine which tasks appear, their places, the order in which the agent must do them, and the
wording of the list. The content of each task is drawn by its own script, as on its own page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from sites.widgets import frame
from sites.widgets.world import (
    TaskPage,
    WidgetsData,
    own_scripts,
    own_styles,
    shared_scripts,
    task_page,
)

NUMBERS = range(2, 9)
"""The possible numbers of tasks to do on a page with several tasks."""
NAME = re.compile(r"compose-([2-8])")
PARTS = (
    *("choose-list", "click-button", "click-checkboxes", "click-checkboxes-large"),
    *("click-checkboxes-soft", "click-checkboxes-transfer", "click-collapsible-2", "click-link"),
    *("click-option", "click-scroll-list", "click-shades", "click-shape", "click-tab-2"),
    *("click-tab-2-hard", "copy-paste-2", "count-shape", "email-inbox", "enter-date"),
    *("enter-password", "enter-text-2", "enter-time", "find-word", "grid-coordinate"),
    *("login-user", "multi-orderings", "navigate-tree", "read-table", "search-engine"),
    *("simple-algebra", "simple-arithmetic", "social-media", "social-media-all"),
    *("social-media-some", "use-slider", "use-spinner"),
)
"""The tasks that can be part of a composition: described in words, and without time pressure."""
ORDER, REVERSED, CONDITION = "order", "reversed", "condition"
WORDINGS = (ORDER, REVERSED, CONDITION)
SIGNS = ("left", "right", "north", "south", "red", "green", "day", "night")
MARKS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    ORDER: (
        ("First: ", "Then: ", "Last of all: "),
        ("Begin with this: ", "Go on with this: ", "End with this: "),
    ),
    REVERSED: (
        ("This comes last: ", "Just before it: ", "And before everything else: "),
        ("Finish with this: ", "Before that do this: ", "But begin with this: "),
    ),
    CONDITION: (
        ('If the sign says "{sign}", begin with this: ', "Then: ", "Last of all: "),
        ('Open the sign first. Does it say "{sign}", do this: ', "After that: ", "At the end: "),
    ),
}
"""Words before the first task of a list, a middle task and the last, by the style of the wording.
"""
OTHERWISE = ('If it says "{other}", with this instead: ', 'Does it say "{other}", do this: ')
"""The words before the task that the sign rules out, by the style of the wording."""


@dataclass(frozen=True)
class Composition:
    """The plan of a page with several tasks.

    Attributes:
        boxes: The tasks by their place on the page.
        order: The places of the tasks to do, in order.
        spare: The place of a task that a sign rules out; None without a sign.
        paged: Whether the page shows only one box at a time.
        telling: The words before each task in the instruction, with the task's place.
        sign: The text of the sign.
    """

    boxes: tuple[str, ...]
    order: tuple[int, ...]
    spare: int | None
    paged: bool
    telling: tuple[tuple[str, int], ...]
    sign: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Composition:
        """Return the composition that a JSON object describes."""
        telling = tuple((mark, place) for mark, place in value["telling"])
        lists = {"boxes": tuple(value["boxes"]), "order": tuple(value["order"])}
        return cls(**{**value, **lists, "telling": telling})


def draw(number: int, seed: int) -> Composition:
    """Draw a composition of `number` different tasks."""
    rng = Random(f"widgets/compose-{number}/{seed}")
    wording, paged = rng.choice(WORDINGS), rng.random() < 0.5
    has_sign = wording == CONDITION
    tasks = rng.sample(PARTS, number + has_sign)
    places = rng.sample(range(len(tasks)), len(tasks))
    order, spare = tuple(places[:number]), places[number] if has_sign else None
    sign, other = rng.sample(SIGNS, 2)
    style = rng.randrange(len(MARKS[wording]))
    marks = [*_marks(MARKS[wording][style], number)]
    listed = list(zip(marks, order[::-1] if wording == REVERSED else order, strict=True))
    if spare is not None:
        listed[0] = listed[0][0].format(sign=sign), order[0]
        listed.insert(1, (OTHERWISE[style].format(other=other), spare))
        if rng.random() < 0.5:  # the decisive part is listed second
            listed[0] = listed[0][0].replace(f'"{sign}"', f'"{other}"'), spare
            listed[1] = listed[1][0].replace(f'"{other}"', f'"{sign}"'), order[0]
    boxes = tuple(task for _, task in sorted(zip(places, tasks, strict=True)))
    return Composition(boxes, order, spare, paged, tuple(listed), sign if has_sign else "")


def _marks(style: tuple[str, str, str], number: int) -> Iterator[str]:
    first, middle, last = style
    yield first
    yield from [middle] * (number - 2)
    yield last


def number_of(name: str) -> int | None:
    """Return the number of tasks on the page with this name, 4 for `compose-4`; None for other
    pages.
    """
    found = NAME.fullmatch(name)
    return int(found[1]) if found else None


def page(number: int, seed: int, data: WidgetsData) -> TaskPage:
    """Return the page: the scripts and styles of its parts, and the plan that combines them."""
    plan = draw(number, seed)
    parts = [data.pages[name].html for name in plan.boxes]
    shared = dict.fromkeys(name for html in parts for name in shared_scripts(html))
    names = ["compose.js", *(name for name in shared if name != "core.js")]
    scripts = [each for html in parts for each in own_scripts(html)]
    scripts.append(f"\ncompose.begin({json.dumps(plan.to_json())});\n")
    styles = [
        each.replace("#area", f"#box-{place} .inner")
        for place, html in enumerate(parts, start=1)
        for each in own_styles(html)
    ]
    html = frame.framed(
        f"<title>{number} tasks in one</title>",
        '<link rel="stylesheet" href="/static/compose.css">\n'
        + "".join(f"<style>{each}</style>\n" for each in styles),
        "".join(f'<script src="/static/{name}"></script>\n' for name in names)
        + "".join(f"<script>{each}</script>\n" for each in scripts),
    )
    return task_page(f"compose-{number}", html)
