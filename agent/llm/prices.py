"""What a call costs, where that is known.

US dollars per million tokens as on OpenAI's public price page in August 2025, standard tier,
without the discount for cached prompts: an upper bound. A model that is not listed costs None,
which is shown as unknown and never counted as 0. The scripted model is free.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from agent.llm.completion import Usage


@dataclass(frozen=True, slots=True)
class Price:
    prompt: float
    completion: float


PRICES: Mapping[str, Price] = {
    "gpt-3.5-turbo": Price(0.5, 1.5),
    "gpt-4": Price(30.0, 60.0),
    "gpt-4-turbo": Price(10.0, 30.0),
    "gpt-4.1": Price(2.0, 8.0),
    "gpt-4.1-mini": Price(0.4, 1.6),
    "gpt-4.1-nano": Price(0.1, 0.4),
    "gpt-4o": Price(2.5, 10.0),
    "gpt-4o-mini": Price(0.15, 0.6),
    "gpt-5": Price(1.25, 10.0),
    "gpt-5-mini": Price(0.25, 2.0),
    "gpt-5-nano": Price(0.05, 0.4),
    "o3": Price(2.0, 8.0),
    "o4-mini": Price(1.1, 4.4),
    "scripted": Price(0.0, 0.0),
    "text-embedding-3-large": Price(0.13, 0.0),
    "text-embedding-3-small": Price(0.02, 0.0),
    "text-embedding-ada-002": Price(0.1, 0.0),
}

SNAPSHOT = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{4})$")


def cost(model: str, usage: Usage, prices: Mapping[str, Price] = PRICES) -> float | None:
    """US dollars of a call, or None where the price or the usage is not known.

    A dated snapshot costs what its model costs, unless it is listed itself.
    """
    price = prices.get(model) or prices.get(SNAPSHOT.sub("", model))
    if price is None or usage.prompt is None or usage.completion is None:
        return None
    return (usage.prompt * price.prompt + usage.completion * price.completion) / 1e6
