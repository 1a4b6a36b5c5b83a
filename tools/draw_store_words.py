"""Draw the names in sites/store/catalogue/words/{brands,people,accounts}.toml with Faker.

Run `python -m tools.draw_store_words`. The files are kept in the repository, so the store and its
tests do not depend on the version of Faker.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from sites.store.catalogue.tables import WORDS

if TYPE_CHECKING:
    from faker import Faker

SEED = 20_240
BRANDS, PEOPLE, TOWNS = 200, 300, 120
FAMILY_NAMES, STREETS = 120, 80
ENDINGS = ("ova", "elle", "wyn", "ix", "mont", "era", "ano", "ilo", "undo", "esta", "ique", "umi")
TAKEN = frozenset(
    {
        "Clique",
        "Coolique",
        "Crano",
        "Flix",
        "Gumi",
        "Lunova",
        "Medix",
        "Perera",
        "Salix",
        "Sextundo",
        "Gayelle",
    }
    | {"Stilo", "Strix", "Thique", "Wumi", "Morano", "Nordix", "Lopova", "Rundo", "Lestique"}
)
"""Names that the syllables can form and that are somebody's or unsuitable."""
SOUNDS = re.compile(r"[^aeiou]*[aeiou]+[^aeiou]+")


def draw() -> dict[str, str]:
    """Return the text of each file by name."""
    from faker import Faker

    faker = Faker("en_US")
    faker.seed_instance(SEED)
    rng = random.Random(f"store/words/{SEED}")
    brands = _different(BRANDS, lambda: _brand(faker, rng), TAKEN)
    people = _different(PEOPLE, lambda: f"{faker.first_name()} {faker.random_uppercase_letter()}.")
    towns = _different(TOWNS, lambda: f"{faker.city()}, {faker.state_abbr(False, False)}")
    families = _different(FAMILY_NAMES, faker.last_name)
    streets = _different(STREETS, faker.street_name)
    return {
        "accounts.toml": _list("family_names", families) + _list("streets", streets),
        "brands.toml": _list("brands", brands),
        "people.toml": _list("people", people) + _list("towns", towns),
    }


def _brand(faker: Faker, rng: random.Random) -> str:
    """Return a brand: the beginning of a family name with an ending that sounds like a shop."""
    syllable = SOUNDS.match(faker.last_name().lower())
    stem = syllable.group()[:4] if syllable else "ver"
    return stem.capitalize() + rng.choice(ENDINGS)


def _different(
    count: int, one: Callable[[], str], taken: frozenset[str] = frozenset()
) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        name = one()
        if name not in taken and "'" not in name:
            found[name] = None
    return sorted(found)


def _list(name: str, values: list[str]) -> str:
    lines = "".join(f'    "{value}",\n' for value in values)
    return f"{name} = [\n{lines}]\n"


def main() -> None:
    for name, text in draw().items():
        (WORDS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
