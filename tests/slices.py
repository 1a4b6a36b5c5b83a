"""The slice of the tests that `tox` plays; `tox -e wide` plays the others.

A contract holds for every family. The slice plays one family of each group, and every family that a
file which differs from `main` may change. Items of other families get the marker `wide`. Other
tests with many cases give it to a part of their cases by `sampled`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import pytest
from _pytest.mark import ParameterSet

from agent import agent_spec
from scenarios import registry
from tests import reach
from tests.between import shared

CONTRACTS = ("tests/contracts/", "tests/scenarios/")
WIDE = "wide"
BASE = "main"
SAMPLE = {
    "crm/published_desk": ("TASK_FIND_BOOKING",),
    "crm/sale": ("cheapest_fit",),
    "crm/after_sale": ("move_one_leg", "find_by_name.halcyra"),
    "crm/tickets": ("ticket_refund",),
    "crm/shift": (),
    "forum": ("vote_newest",),
    "shop": ("newsletter",),
    "store/account": ("latest_order",),
    "store/baskets": (),
    "store/checkout": ("checkout_exact",),
    "store/ledger": ("ledger_sum",),
    "store/two_shops": ("two_shops_cheapest",),
    "store/webshop": ("buy_item",),
    "store/wishes": ("buy_wish",),
    "widgets": ("book-flight", "click-checkboxes", "email-inbox", "login-user", "use-slider"),
}
"""The families that the slice plays of each group, a short episode each if there is a choice; none
of the groups whose episodes all take a fourth of a minute.
"""
METHODS = frozenset({"react", "laser"})
"""The methods that the slice plays in contracts that are about methods."""
SITES = frozenset({"widgets"})
"""The sites that the slice plays in contracts that are about a method and all families of a site.
"""
METHOD = re.compile(r"agent/(?:methods|prompts|llm/scripted)/([a-z]\w*)")


def mark(items: Iterable[pytest.Item]) -> None:
    """Mark as `wide` the contracts of families and methods that are not in the slice."""
    for item in items:
        if item.nodeid.startswith(CONTRACTS) and is_left_out(item):
            item.add_marker(WIDE)


def is_left_out(item: pytest.Item) -> bool:
    """Return whether a contract is about families or methods, and the slice plays none of them.

    A contract of a method that differs from `main` is played with every family.
    """
    words = _words(item)
    if words & methods():
        return False
    families = words & registry.family_modules().keys()
    agents = words & {*agent_spec.names()}
    sites = set() if families or not agents else words & {*registry.site_names()}
    return not all(
        _meet(named, in_slice)
        for named, in_slice in ((families, chosen()), (agents, METHODS), (sites, SITES))
    )


def _meet(named: set[str], in_slice: frozenset[str]) -> bool:
    """Return whether an item names none of a kind, or one that the slice plays."""
    return not named or bool(named & in_slice)


def sampled(
    cases: Iterable[str], keep: Callable[[int, str], bool] | None = None, every: int = 4
) -> list[ParameterSet]:
    """Return the cases as parameters of a test; those not kept get the marker `wide`.

    Args:
        cases: The cases.
        keep: Says by its place and value whether the slice plays a case.
        every: Without `keep`, the slice plays the first case and then every `every`th.
    """
    kept = keep or (lambda at, case: at % every == 0)
    return [
        pytest.param(case, marks=() if kept(at, case) else pytest.mark.wide)
        for at, case in enumerate(cases)
    ]


def _words(item: pytest.Item) -> set[str]:
    """Return the names in an item's parameters: of families, or of agents without their options."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return set()
    texts = [each for each in item.callspec.params.values() if isinstance(each, str)]
    return {*texts, *(text.partition(":")[0] for text in texts)}


@cache
def chosen() -> frozenset[str]:
    """Return the names of the families that the slice plays."""
    return frozenset(name for names in SAMPLE.values() for name in names) | differing()[0]


def methods() -> frozenset[str]:
    """Return the names of the methods that differ from `main`."""
    return differing()[1]


@cache
def differing() -> tuple[frozenset[str], frozenset[str]]:
    """Return the families and the methods that differ from `main`; none if git cannot tell."""
    found: tuple[frozenset[str], frozenset[str]] = shared("slices", BASE, _differing)
    return found


def _differing() -> tuple[frozenset[str], frozenset[str]]:
    try:
        paths = reach.changed(BASE)
    except (OSError, subprocess.CalledProcessError):
        return frozenset(), frozenset()
    return reach.families_near(paths), methods_near(paths)


def methods_near(paths: Iterable[str]) -> frozenset[str]:
    """Return the names of the methods that these files belong to."""
    found = (METHOD.match(path) for path in paths)
    return frozenset(each[1].replace("_", "-") for each in found if each)


def summary() -> Iterator[str]:
    """Yield the lines that say which families the contracts left out, by group."""
    every = len(registry.family_modules())
    yield f"The contracts were played on {len(chosen())} of {every} families. Left out:"
    for group in SAMPLE:
        if left := families(group) - chosen():
            yield f"  {group}: {len(left)} of {len(families(group))} families"
    yield "`tox -e wide` plays them, and every test marked `wide`."


@cache
def families(group: str) -> frozenset[str]:
    """Return the names of a group's families."""
    start = f"scenarios.{group.replace('/', '.')}."
    return frozenset(name for name, home in reach.homes().items() if f"{home}.".startswith(start))
