"""Versions of the handbook for tickets: versions with other numbers, and bulletins that apply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from sites.crm.airline_desk.handbook.edition import Bulletin, Edition


def with_parameters(edition: Edition, **changed: Any) -> Edition:
    """Return the handbook version with other numbers, also in bulletins that change these
    numbers.
    """
    bulletins = tuple(
        replace(each, value=changed.get(each.parameter, each.value)) for each in edition.bulletins
    )
    return replace(edition, bulletins=bulletins, **changed)


def bulletin_about(
    rng: Random, edition: Edition, articles: Sequence[str], share: float = 0.8
) -> Bulletin | None:
    """Draw a bulletin in force about one of these articles; None otherwise.

    Args:
        rng: The random numbers of the case.
        edition: The version of the handbook.
        articles: The numbers of articles.
        share: The probability of a bulletin, if the handbook has one.
    """
    found = [each for each in edition.bulletins if each.in_force and each.article in articles]
    return rng.choice(found) if found and rng.random() < share else None
