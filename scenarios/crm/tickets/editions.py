"""What tickets need of editions: one with other numbers, and a bulletin that is about something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from sites.crm.airline_desk.handbook.edition import Bulletin, Edition


def with_parameters(edition: Edition, **changed: Any) -> Edition:
    """The edition with other numbers, also where a bulletin about one of them holds."""
    bulletins = tuple(
        replace(each, value=changed.get(each.parameter, each.value)) for each in edition.bulletins
    )
    return replace(edition, bulletins=bulletins, **changed)


def bulletin_about(
    rng: Random, edition: Edition, articles: Sequence[str], share: float = 0.8
) -> Bulletin | None:
    """One that is in force and about one of these articles, in this share of the draws."""
    found = [each for each in edition.bulletins if each.in_force and each.article in articles]
    return rng.choice(found) if found and rng.random() < share else None
