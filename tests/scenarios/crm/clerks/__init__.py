"""What the clerk does after the sale: a module for each family, named as it is.

A module has `work(clerk, request)`, which gives the answer, and `NEEDED`: the parts of the pages
(`tests.scenarios.crm.test_clerk.CUTS`) without which it cannot be done.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

FAMILIES = tuple(
    sorted(each.name for each in iter_modules(__path__) if not each.name.startswith("_"))
)


def module(family: str) -> ModuleType:
    return import_module(f"{__name__}.{family}")
