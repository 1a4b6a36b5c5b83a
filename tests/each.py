"""One test that walks many cases: cheaper to collect and to report than a test for each.

`@for_each("path", FILES)` stands where `@pytest.mark.parametrize("path", FILES)` would, for tests
that take milliseconds. Every case is checked, and each that fails is reported by its values; the
others are not reported. Fixtures are made once for all cases. Of seeds, coverage is measured on the
first.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from tests.measuring import SEED, unmeasured

ROOT = Path(__file__).parents[1]
LONGEST = 100
REPORTED = (pytest.fail.Exception, pytest.skip.Exception, pytest.xfail.Exception)
"""How a case ends otherwise than by an error: pytest's own, which are no `Exception`."""


def for_each(
    names: str | tuple[str, ...], cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The test as one test that walks the cases; arguments as of `pytest.mark.parametrize`."""
    variables = [names] if isinstance(names, str) else list(names)
    rows = [(case,) if isinstance(names, str) else tuple(case) for case in cases]
    assert rows, "there is nothing to check"

    def walking(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def walk(subtests: pytest.Subtests, **fixtures: Any) -> None:
            for number, row in enumerate(rows):
                values = dict(zip(variables, row, strict=True))
                try:
                    with _measuring(variables, number):
                        test(**fixtures, **values)
                except (Exception, *REPORTED):
                    labels = {name: shown(value) for name, value in values.items()}
                    with subtests.test(case=number, **labels):
                        raise

        walk.__signature__ = _without(test, variables)  # type: ignore[attr-defined]
        return walk

    return walking


def _measuring(variables: list[str], number: int) -> AbstractContextManager[None]:
    return unmeasured() if variables == [SEED] and number else nullcontext()


def _without(test: Callable[..., None], variables: list[str]) -> inspect.Signature:
    """The fixtures of the test, which pytest reads from its signature, and `subtests`."""
    parameters = inspect.signature(test).parameters
    assert set(variables) <= set(parameters), f"{test.__name__} does not take {variables}"
    own = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
    fixtures = [parameters[name] for name in parameters if name not in variables]
    return inspect.Signature(
        [*(one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in fixtures), own]
    )


def shown(value: Any) -> str:
    """A value as a failure names it: a file by its path in the project, a long text cut."""
    if isinstance(value, Path) and value.is_relative_to(ROOT):
        return str(value.relative_to(ROOT))
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
