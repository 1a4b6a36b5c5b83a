"""Write the tables of `docs/webarena.md`: `python -m tools.webarena_page`.

Do it when a family names other templates of WebArena, or when `scenarios/webarena.csv` or
`docs/webarena-near-misses.csv` changes. The text around the tables stays as it is: a table stands
between two comments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import click

from scenarios import templates
from scenarios.templates import CLASSES, Template
from tools import webarena_near_misses
from tools.webarena_near_misses import Counted

PAGE = Path(__file__).parents[1] / "docs" / "webarena.md"
PART = "<!-- {name}: `python -m tools.webarena_page` writes this part -->"
END = "<!-- end -->"
COVERAGE = ("kind of site", "templates", "tasks", *CLASSES.values())
NEAR_MISSES = ("kind of site", "templates", "near misses", "accepted by WebArena's checks")
TEMPLATES = ("template", "tasks", "asks for", "policy of SteP", "our families", "ours")


def filled(page: str, found: Sequence[Template]) -> str:
    """Return the text of the page with its tables written again.

    Args:
        page: The text as it is.
        found: All templates.
    """
    parts = {
        "coverage": coverage(found),
        "near misses": near_misses(webarena_near_misses.read()),
        "templates": by_kind(found),
    }
    for name, lines in parts.items():
        begin, rest = page.split(f"{PART.format(name=name)}\n")
        _, end = rest.split(END, maxsplit=1)
        table = "\n".join(lines)
        page = f"{begin}{PART.format(name=name)}\n\n{table}\n\n{END}{end}"
    return page


def coverage(found: Sequence[Template]) -> Iterator[str]:
    """Yield the table that counts templates and tasks by the kind of site."""
    yield from _head(COVERAGE)
    for kind, group in groupby(found, lambda each: each.site):
        yield _row([kind, *_counts([*group])])
    yield _row(["all", *_counts(found)])


def _counts(found: Sequence[Template]) -> Iterator[str]:
    """Yield the cells of a row of `coverage`: those with a family, of all."""
    own = [each for each in found if each.is_covered]
    yield f"{len(own)} of {len(found)}"
    yield f"{sum(each.tasks for each in own)} of {sum(each.tasks for each in found)}"
    covered, every = _by_class(own), _by_class(found)
    for name in CLASSES.values():
        yield f"{covered[name]} of {every[name]}" if every[name] else ""


def _by_class(found: Iterable[Template]) -> Counter[str]:
    """Return the number of tasks of each class."""
    return sum((Counter(each.classes) for each in found), Counter[str]())


def near_misses(found: Sequence[Counted]) -> Iterator[str]:
    """Yield the table that counts near misses by the kind of site."""
    yield from _head(NEAR_MISSES)
    kinds = dict.fromkeys(each.site for each in found)
    groups = {kind: [each for each in found if each.site == kind] for kind in kinds}
    for kind, group in (groups | {"all": [*found]}).items():
        misses, accepted = (sum(each) for each in zip(*(e.numbers for e in group), strict=True))
        share = f"{accepted} ({accepted / misses:.0%})"
        yield _row([kind, str(len(group)), str(misses), share])


def by_kind(found: Sequence[Template]) -> Iterator[str]:
    """Yield a heading and a table of templates for each kind of site."""
    for number, (kind, group) in enumerate(groupby(found, lambda each: each.site)):
        yield from [""] * bool(number)
        yield f"### {kind[0].upper()}{kind[1:]}"
        yield ""
        yield from _head(TEMPLATES)
        yield from map(_template, group)


def _template(each: Template) -> str:
    """Return the row of a template."""
    letters = {name: letter for letter, name in CLASSES.items()}
    tasks = ", ".join(f"{n} {letters[name]}" for name, n in each.classes.items())
    number = each.template.removeprefix(templates.PREFIX)
    families = ", ".join(f"`{name}`" for name in each.families)
    policy = f"`{each.policy}`" if each.policy else ""
    return _row([number, tasks, each.about, policy, families, each.posed])


def _head(names: Sequence[str]) -> Iterator[str]:
    yield _row(names)
    yield "|---" * len(names) + "|"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |")


def main() -> None:
    """Write the page again."""
    PAGE.write_text(filled(PAGE.read_text("utf-8"), templates.load()), encoding="utf-8")


if __name__ == "__main__":
    main()
    click.echo(PAGE)
