"""Draw the names in sites/crm/base/people.toml with Faker.

Run `python -m tools.draw_crm_words`. The file is kept in the repository, so the site and its tests
do not depend on the version of Faker.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sites.crm.base import world

PEOPLE = Path(world.__file__).with_name("people.toml")
SEED = 20_240
FIRST, LAST = 120, 240


def draw() -> str:
    """Return the text of people.toml."""
    from faker import Faker

    faker = Faker("en_GB")
    faker.seed_instance(SEED)
    return "\n".join(
        (
            _list("female", _different(FIRST, faker.first_name_female)),
            _list("male", _different(FIRST, faker.first_name_male)),
            _list("last", _different(LAST, faker.last_name)),
        )
    )


def _different(count: int, draw: Callable[[], str]) -> list[str]:
    """Return `count` different names, sorted."""
    made: set[str] = set()
    while len(made) < count:
        made.add(draw())
    return sorted(made)


def _list(name: str, words: list[str]) -> str:
    lines = "".join(f'    "{word}",\n' for word in words)
    return f"{name} = [\n{lines}]\n"


if __name__ == "__main__":
    PEOPLE.write_text(draw(), encoding="utf-8")
