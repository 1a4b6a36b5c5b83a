"""Versions of the handbook for the tickets: with changed numbers, or with a bulletin that applies
to the case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from sites.crm.airline_desk.handbook.edition import Bulletin, Edition


def with_parameters(edition: Edition, **changed: Any) -> Edition:
    """Return the handbook version with these numbers, which its bulletins about the same numbers
    get too.
    """
    bulletins = tuple(
        replace(each, value=changed.get(each.parameter, each.value)) for each in edition.bulletins
    )
    return replace(edition, bulletins=bulletins, **changed)


def bulletin_about(
    rng: Random, edition: Edition, articles: Sequence[str], share: float = 0.8
) -> Bulletin | None:
    """Draw a bulletin in force about an article; None if no bulletin is, or by chance.

    Args:
        rng: The random numbers of the case.
        edition: The version of the handbook.
        articles: The numbers of articles.
        share: The probability of a bulletin, if the handbook has one.
    """
    found = [each for each in edition.bulletins if each.in_force and each.article in articles]
    return rng.choice(found) if found and rng.random() < share else None
