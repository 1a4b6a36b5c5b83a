"""The price of a call, from the user's own file or else from `prices.toml`.

The price of a model that is not listed is None: it is shown as unknown, and never counted as 0. The
scripted model is free.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from agent.llm.completion import Usage
from agent.llm.completion_models import served_name
from rehearsal_errors import RehearsalError

OURS = Path(__file__).with_name("prices.toml")
OWN = "REHEARSE_PRICES"  # the environment variable that names the user's own file
SNAPSHOT = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{4})$")


class BadPrices(RehearsalError, ValueError):
    """The error for a file of prices that cannot be read."""


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a model's prompt and completion tokens, in US dollars per million tokens."""

    prompt: float
    completion: float


def known() -> Mapping[str, Price]:
    """Return the price of every listed model.

    Raises `BadPrices` if the user's file cannot be read.
    """
    own = os.environ.get(OWN)
    return {**_read(OURS), **(_read(Path(own)) if own else {})}


@cache
def _read(path: Path) -> Mapping[str, Price]:
    try:
        lines = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadPrices(f"{path} ({OWN}): {error}") from None
    return {model: _price(path, model, value) for model, value in lines.items()}


def _price(path: Path, model: str, value: object) -> Price:
    numbers = value if isinstance(value, list) else []
    good = [each for each in numbers if type(each) in (int, float) and each >= 0]
    if len(good) != 2 or len(numbers) != 2:
        raise BadPrices(
            f"{path}: {model} = {value!r}",
            f'write "{model}" = [prompt, completion], dollars per million tokens',
        )
    return Price(*map(float, good))


def price(model: str, prices: Mapping[str, Price] | None = None) -> Price | None:
    """Return the price of a model, or None if it is not listed.

    A dated snapshot costs as much as its model, unless it is listed itself. A completion model
    costs as much as the name without `completions/` says.
    """
    listed = known() if prices is None else prices
    name = served_name(model)
    return listed.get(name) or listed.get(SNAPSHOT.sub("", name))


def cost(model: str, usage: Usage, prices: Mapping[str, Price] | None = None) -> float | None:
    """Return the US dollars that a call costs, or None if the price or the usage is unknown."""
    each = price(model, prices)
    if each is None or usage.prompt is None or usage.completion is None:
        return None
    return (usage.prompt * each.prompt + usage.completion * each.completion) / 1e6
