"""What the clerk does after the sale: a module for each family, named as it is.

The modules stand in the folder `clerks` of their family's group; the ones here are shared. A module
has `work(clerk, request)`, which returns the answer, and `NEEDED`: the parts of the pages
(`tests.scenarios.crm.airline_desk.test_clerk.CUTS`) without which the task cannot be done.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

GROUPS = Path(__file__).parents[2]
_FOLDERS = {
    file.stem: file.parents[1].name
    for file in sorted(GROUPS.glob("*/clerks/*.py"))
    if file.parent != Path(__file__).parent
}
FAMILIES = tuple(sorted(_FOLDERS))


def module(family: str) -> ModuleType:
    """Return the module that does the tasks of a family."""
    return import_module(f"tests.scenarios.crm.{_FOLDERS[family]}.clerks.{family}")
