"""What a rule finds, and which rules beat which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from scenarios.crm.policy.facts import Brand, Facts
from sites.crm.airline_desk.handbook.edition import Edition


@dataclass(frozen=True)
class Finding:
    """What a rule says of the facts.

    `amount` is money, `parts` the same in parts: by payment, voucher or passenger. `allowed` is
    False where the rule forbids what is asked. `brand` is the one that counts, `applies` are the
    other rules that the rule makes use of, `until` the day to which what is given is good. `given`
    is money that passengers get, by their numbers, `pieces` are bags by direction and passenger.
    """

    amount: int = 0
    parts: tuple[tuple[str, int], ...] = ()
    allowed: bool = True
    brand: Brand | None = None
    extended: tuple[str, ...] = ()
    given: tuple[tuple[int, int], ...] = ()
    pieces: tuple[tuple[str, int, int], ...] = ()
    applies: tuple[str, ...] = ()
    until: date | None = None


Find = Callable[[str], "Finding | None"]
"""What another rule finds, by its number; None where it says nothing."""
Rule = Callable[[Edition, Facts, Find], Finding | None]

BEATS: Mapping[str, tuple[str, ...]] = {
    "1": ("2", "5"),
    "6": ("1", "2", "3", "5", "7"),
    "7": ("2", "3", "5"),
    "8": ("9", "10"),
    "10": ("9", "11"),
    "17": ("16",),
}
"""The rules that a rule beats where both say something."""
GIVE_BACK = ("1", "2", "3", "5", "6", "7")
"""How much goes back; what the standing ones say is added."""
CHANGE_FEE = ("8", "9", "10")
"""What a change costs."""


@dataclass(frozen=True)
class Reading:
    """The rules of an edition applied to facts; each is asked once, when it is needed first."""

    edition: Edition
    facts: Facts
    rules: Mapping[str, Rule]
    found: dict[str, Finding | None] = field(default_factory=dict)

    def find(self, number: str) -> Finding | None:
        if number not in self.found:
            rule = self.rules.get(number)
            self.found[number] = rule(self.edition, self.facts, self.find) if rule else None
        return self.found[number]

    def stands(self, number: str) -> bool:
        """Whether a rule says something, and no other that does beats it."""
        return self.find(number) is not None and not any(
            number in beaten and self.stands(other) for other, beaten in BEATS.items()
        )

    def standing(self, numbers: Sequence[str]) -> dict[str, Finding]:
        found = {each: self.find(each) for each in numbers if self.stands(each)}
        return {number: each for number, each in found.items() if each is not None}
