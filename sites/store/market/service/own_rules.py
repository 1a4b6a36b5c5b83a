"""Special rules for one visitor (such as a return policy), stored in the visit's database as JSON
and explained on a help page.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sites.site_app import Refusal
from sites.store.market.as_json import adapter
from sites.store.market.service.help import add_topic
from sites.store.market.service.topic import Section
from sites.store.shop.world import signed_in
from sites.world import World

T = TypeVar("T")


@dataclass(frozen=True)
class OwnRules(Generic[T]):
    """A type of special rules, such as a return policy, that some visitors have.

    The dataclass of the rules is `kind`. `name` is their entry in the `about` of the visit's
    database and the name of the help page, which shows `sections` under `title`. `schema` creates
    their tables. A visitor without such rules is refused with the text `missing`.
    """

    name: str
    kind: Hashable
    title: str
    sections: Callable[[T], Sequence[Section]]
    schema: str
    missing: str

    def offer(self, world: World, rules: T) -> None:
        """Store these rules for a visitor, with their tables and their help page."""
        world.about[self.name] = json.dumps(self.to_json(rules))
        for statement in self.schema.split(";"):
            world.write(statement)
        add_topic(world, self.name, self.title, self.sections(rules))

    def has(self, world: World) -> bool:
        """Return whether the visitor has rules of this type."""
        return self.name in world.about

    def of(self, world: World) -> T:
        """Return the visitor's rules of this type. Raises `Refusal` (404) for a guest and if there
        are none.
        """
        if not self.has(world) or not signed_in(world):
            raise Refusal(404, self.missing)
        return self.from_json(json.loads(world.about[self.name]))

    def to_json(self, rules: T) -> dict[str, object]:
        fields: dict[str, object] = adapter(self.kind).dump_python(rules, mode="json")
        return fields

    def from_json(self, fields: Mapping[str, object]) -> T:
        rules: T = adapter(self.kind).validate_python(fields)
        return rules
