"""The families of the tree in one file, so that listing them imports none of them.

`python -m tools.index_families` writes `families.json`. If files of families have been added or
removed since, the families themselves are read instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenarios.scenario import Family, Scenario

FOLDER = Path(__file__).parent
FILE = FOLDER / "families.json"


@dataclass(frozen=True)
class Entry:
    """A family as a list shows it.

    Attributes:
        family: The name of the family.
        site: The name of its site.
        level: The difficulty level, 1 to 3.
        tag: The category of its tasks, or "".
        about: The first line of its docstring.
        templates: The published templates whose tasks its own are like, such as "webarena:27".
    """

    family: str
    site: str
    level: int
    tag: str
    about: str
    templates: list[str] = field(default_factory=list)


def entries() -> list[Entry]:
    """Return all families, sorted by name."""
    if not FILE.is_file():
        return made()
    read = json.loads(FILE.read_text(encoding="utf-8"))
    known = {each["family"]: Entry(**each) for each in read["families"]}
    return [*known.values()] if read["files"] == files() else made(known)


def levels() -> Mapping[str, int]:
    """Return the level of each family by name."""
    return {each.family: each.level for each in entries()}


def made(known: Mapping[str, Entry] = MappingProxyType({})) -> list[Entry]:
    """Return the entries of all families: those that are known, and the others from the families.

    Args:
        known: Entries by the name of the family.
    """
    from scenarios import registry

    families = sorted(registry.family_modules().items())
    return [known.get(name) or entry(name, each, first(each)) for name, each in families]


def entry(name: str, family: Family, drawn: Scenario) -> Entry:
    """Return the entry of a family; its level is that of a drawn scenario."""
    from scenarios import difficulty

    about = str(family.__doc__ or "").strip().split("\n")[0]
    level, templates = difficulty.level_of(family, drawn), list(family.TEMPLATES)
    return Entry(name, family.SITE, level, family.TAG, about, templates)


def first(family: Family) -> Scenario:
    """Return the scenario of the first valid seed."""
    from scenarios import registry

    seed = family.seeds[0] if family.seeds else 0
    return family.generate(seed, registry.site_data(family.SITE))


def files() -> list[str]:
    """Return the paths of all files that may provide a family."""
    found = (path.relative_to(FOLDER) for path in FOLDER.glob("*/**/*.py"))
    helpers = ("_", ".")
    return sorted(
        path.as_posix()
        for path in found
        if path.name == "__init__.py" or not path.name.startswith(helpers)
    )


def _row(entry: Entry) -> dict[str, object]:
    """Return the entry as JSON, without templates if it has none."""
    return {key: value for key, value in asdict(entry).items() if value or key != "templates"}


def save() -> Path:
    """Write the file of the index and return its path."""
    content = {"files": files(), "families": [_row(each) for each in made()]}
    FILE.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return FILE
