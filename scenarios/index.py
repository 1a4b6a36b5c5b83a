"""The families of the tree in one file, so that listing them imports none of them.

`python -m tools.index_families` writes `families.json`. If files of families have been added or
removed since, the families themselves are read instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scenarios.scenario import Family

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
    """

    family: str
    site: str
    level: int
    tag: str
    about: str


def entries() -> list[Entry]:
    """Return all families, sorted by name."""
    if FILE.is_file():
        read = json.loads(FILE.read_text(encoding="utf-8"))
        if read["files"] == files():
            return [Entry(**each) for each in read["families"]]
    return made()


def levels() -> Mapping[str, int]:
    """Return the level of each family by name."""
    return {each.family: each.level for each in entries()}


def made() -> list[Entry]:
    """Return what `entries` returns, from the families themselves."""
    from scenarios import registry

    return [entry(name, each) for name, each in sorted(registry.family_modules().items())]


def entry(name: str, family: Family) -> Entry:
    """Return the entry of a family."""
    about = str(family.__doc__ or "").strip().split("\n")[0]
    return Entry(name, family.SITE, family.LEVEL, family.TAG, about)


def files() -> list[str]:
    """Return the paths of all files that may provide a family."""
    found = (path.relative_to(FOLDER) for path in FOLDER.glob("*/**/*.py"))
    helpers = ("_", ".")
    return sorted(
        path.as_posix()
        for path in found
        if path.name == "__init__.py" or not path.name.startswith(helpers)
    )


def save() -> Path:
    """Write the file of the index and return its path."""
    content = {"files": files(), "families": [asdict(each) for each in made()]}
    FILE.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return FILE
