"""Splits: the scenarios to train on, without end, and those to test on, which are frozen.

- `reply:train` and `reply:test` are scenarios of one family.
- `forum.l1:train` and `forum.l1:test` are those of a site and level, one family after the other.
- `forum-60` and every other suite without browser tasks is a split as well.

Training seeds begin at `FIRST_TRAINING_SEED`, and no suite has such a seed. So nobody trains on a
scenario of a suite or of a test split.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rehearsal_errors import RehearsalError
from scenarios import index, registry, suites

TRAIN, TEST = "train", "test"
FIRST_TRAINING_SEED = 1_000_000
TESTS = 100
"""The number of test scenarios of a family."""
TRAININGS = 100_000_000
"""The number of training scenarios of a family; nobody reaches the end."""


class UnknownSplit(RehearsalError, ValueError):
    """No split has this name."""


class BadIndex(RehearsalError, ValueError):
    """A split has no scenario with this index."""


@dataclass(frozen=True)
class Split:
    """A list of scenarios.

    Attributes:
        name: The name of the split.
        families: The families that take turns; empty for a suite.
        seeds: The seeds of each family.
        frozen: The scenarios of a suite, in their order.
    """

    name: str
    families: Sequence[str] = ()
    seeds: range = range(0)
    frozen: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.frozen) or len(self.families) * len(self.seeds)

    def scenario(self, index: int) -> str:
        """Return the name of a scenario, such as "forum/reply/1000003".

        Raises:
            BadIndex: The index is negative or too large.
        """
        if not 0 <= index < len(self):
            raise BadIndex(
                f"{self.name} has no scenario {index}", f"give an index from 0 to {len(self) - 1}"
            )
        if self.frozen:
            return self.frozen[index]
        turn, number = divmod(index, len(self.families))
        family = self.families[number]
        return f"{registry.family(family).SITE}/{family}/{self.seeds[turn]}"


@cache
def families() -> Mapping[str, Sequence[str]]:
    """Return the families that can be played without a browser, by their name and by their site and
    level.
    """
    groups: dict[str, list[str]] = {}
    for each in index.entries():
        made = registry.family(each.family)
        if made.seeds is None and not registry.needs_browser(made):
            groups[each.family] = [each.family]
            groups.setdefault(f"{each.site}.l{each.level}", []).append(each.family)
    return groups


def names() -> list[str]:
    """Return the names of all splits."""
    parts = [f"{group}:{part}" for group in families() for part in (TRAIN, TEST)]
    return [*parts, *(name for name in suites.names() if _is_offered(name))]


def split(name: str) -> Split:
    """Return a split by its name.

    A family may be a variant, such as "reply.depot:test".

    Raises:
        UnknownSplit: No split has this name.
    """
    group, _, part = name.partition(":")
    if part in (TRAIN, TEST):
        found = families().get(group) or [*_variant(group)]
        if found:
            seeds = range(FIRST_TRAINING_SEED, FIRST_TRAINING_SEED + TRAININGS)
            return Split(name, found, range(TESTS) if part == TEST else seeds)
    elif not part and name in suites.names() and _is_offered(name):
        return Split(name, frozen=[*suites.load(name).scenarios])
    raise UnknownSplit(
        f"no split {name[:80]!r} can be played without a browser",
        "give a suite, FAMILY:train, FAMILY:test, or SITE.lN:train, such as forum.l1:train",
    )


def _variant(name: str) -> Iterator[str]:
    """Yield a variant of a family, such as "reply.depot", if there is one."""
    base, _, skin = name.partition(".")
    if base in families() and skin:
        try:
            made = registry.family(name)
        except RehearsalError:
            return
        if not registry.needs_browser(made):
            yield name


def _is_offered(suite: str) -> bool:
    """Return whether every family of a suite can be played without a browser."""
    pairs = {tuple(each.split("/")[:2]) for each in suites.load(suite).scenarios}
    known = {registry.family(each[0]).SITE for each in families().values()}
    return all(site in known for site, _ in pairs) and not any(
        registry.needs_browser(registry.family(name)) for _, name in pairs
    )
