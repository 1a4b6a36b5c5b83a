"""The templates of WebArena's 812 tasks, and the families that stand for them.

Source: Zhou et al. 2024, WebArena: its task files have 190 numbers of templates on six kinds of
sites; number 42 is on two of them. A task asks for information, for a page (navigation) or for a
change (content), or it cannot be achieved; the class of each task is that of WebArena Verified.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scenarios import index

FILE = Path(__file__).parent / "webarena.csv"
PREFIX = "webarena:"
CLASSES = {"I": "information", "N": "navigation", "C": "content", "U": "unachievable"}
"""The classes of tasks by the letter that the file has."""
UNDECLARED = "store", "crm"
"""The sites with templates that are not declared with the kit."""


@dataclass(frozen=True)
class Template:
    """A template of WebArena's tasks.

    Attributes:
        template: Its number, as families name it, such as "webarena:27".
        site: The kind of its site, or of its two sites.
        tasks: The number of its tasks.
        classes: The number of its tasks by class.
        about: The thing that its tasks ask for, in our own words.
        policy: The policy of SteP that serves it; "" for none.
        posed: The difference of the families' tasks from its own; "" without a family.
        families: The families that stand for it.
    """

    template: str
    site: str
    tasks: int
    classes: Mapping[str, int]
    about: str
    policy: str
    posed: str
    families: tuple[str, ...]

    @property
    def is_covered(self) -> bool:
        """Whether a family stands for it."""
        return bool(self.families)


def load() -> list[Template]:
    """Return all templates, in the order of their sites and numbers."""
    named: dict[str, list[str]] = {}
    for each in index.entries():
        for template in each.templates:
            named.setdefault(template, []).append(each.family)
    with FILE.open(encoding="utf-8", newline="") as opened:
        return [_template(row, named) for row in csv.DictReader(opened)]


def scenario_of_each(found: Iterable[Template]) -> Iterator[tuple[Template, str]]:
    """Yield each template with a family, and a scenario for it.

    A template with several families gets the one that stands for the fewest templates, on a
    declared site if there is one. A family gets a new seed for each template.
    """
    sites = {each.family: each.site for each in index.entries()}
    own = [each for each in found if each.is_covered]
    stands = Counter(name for each in own for name in each.families)
    used = Counter[str]()
    for each in own:
        order = {name: (sites[name] in UNDECLARED, stands[name], name) for name in each.families}
        family = min(order, key=order.__getitem__)
        yield each, f"{sites[family]}/{family}/{used[family]}"
        used[family] += 1


def _template(row: Mapping[str, str], named: Mapping[str, list[str]]) -> Template:
    """Return the template of a row of the file, with its families by their templates."""
    name = f"{PREFIX}{row['template']}"
    return Template(
        name,
        row["site"],
        int(row["tasks"]),
        dict(_classes(row["classes"])),
        row["about"],
        row["policy"],
        row["posed"],
        tuple(named.get(name, ())),
    )


def _classes(text: str) -> Iterator[tuple[str, int]]:
    """Yield each class with its number of tasks, from a text such as "I4 U1"."""
    for each in text.split():
        yield CLASSES[each[0]], int(each[1:])
