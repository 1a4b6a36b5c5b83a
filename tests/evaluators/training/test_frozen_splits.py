"""The first scenarios of each split are those that `scenarios/splits.json` has frozen."""

from __future__ import annotations

import pytest

from tests.each import for_each
from tools.freeze_splits import digests, families, frozen

TENTH = families()[::10]
ADVICE = (
    "%s draws other scenarios than the frozen splits have; undo the change of its draw, or run"
    " `python -m tools.freeze_splits` and say in CHANGELOG.md that scores from before and after"
    " cannot be compared"
)


def check(family: str) -> None:
    assert digests(family) == frozen()[family], ADVICE % family


def test_every_family_is_frozen():
    assert [*frozen()] == families(), "run `python -m tools.freeze_splits`"


@for_each("family", TENTH)
def test_splits_of_a_tenth_of_the_families_are_frozen(family):
    check(family)


@pytest.mark.wide
@for_each("family", [each for each in families() if each not in TENTH])
def test_splits_of_the_other_families_are_frozen(family):
    check(family)


def test_a_digest_tells_its_split_and_family():
    found = [digest for each in frozen().values() for digest in each.values()]
    assert len({*found}) == len(found) > 100
