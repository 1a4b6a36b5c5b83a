"""The findings (results) of the handbook's rules, and which rules override which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from scenarios.crm.policy.facts import Brand, Facts
from sites.crm.airline_desk.handbook.edition import Edition


@dataclass(frozen=True)
class Finding:
    """The result of one rule of the handbook for the facts of a case.

    Attributes:
        amount: Dollars.
        parts: The amount divided by payment, voucher, passenger or flight.
        allowed: False if the rule forbids the request.
        brand: The fare brand that counts.
        extended: Vouchers to be extended, each as "<code> <last day>".
        given: Dollars that passengers get, by their numbers.
        pieces: Numbers of bags by direction and passenger.
        applies: Other rules that this rule makes use of.
        until: The last day on which the voucher that is given is valid.
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
"""A function from a rule's number to its finding, or to None if that rule does not apply."""
Rule = Callable[[Edition, Facts, Find], Finding | None]

BEATS: Mapping[str, tuple[str, ...]] = {
    "1": ("2", "5"),
    "6": ("1", "2", "3", "5", "7"),
    "7": ("2", "3", "5"),
    "8": ("9", "10"),
    "10": ("9", "11"),
    "17": ("16",),
}
"""For each rule, by number, the rules that it overrides if both apply."""
GIVE_BACK = ("1", "2", "3", "5", "6", "7")
"""The rules that say how much money goes back. The amounts of those not overridden are added."""
CHANGE_FEE = ("8", "9", "10")
"""The rules that say how much a change costs."""


@dataclass(frozen=True)
class Reading:
    """A reader's application of the handbook's rules to the facts of a case.

    Each rule is evaluated once, when it is first needed.

    Attributes:
        edition: The edition, with the bulletins that apply.
        facts: The facts.
        rules: The rules that the reader knows, by number.
        found: The findings of the rules that were evaluated already.
    """

    edition: Edition
    facts: Facts
    rules: Mapping[str, Rule]
    found: dict[str, Finding | None] = field(default_factory=dict)

    def find(self, number: str) -> Finding | None:
        """Return the finding of a rule, or None if the reader does not know the rule or it does not
        apply.
        """
        if number not in self.found:
            rule = self.rules.get(number)
            self.found[number] = rule(self.edition, self.facts, self.find) if rule else None
        return self.found[number]

    def stands(self, number: str) -> bool:
        """Return whether a rule applies and is not overridden by another rule that applies."""
        return self.find(number) is not None and not any(
            number in beaten and self.stands(other) for other, beaten in BEATS.items()
        )

    def standing(self, numbers: Sequence[str]) -> dict[str, Finding]:
        """Return, by number, the findings of these rules, as far as they apply and are not
        overridden.
        """
        found = {each: self.find(each) for each in numbers if self.stands(each)}
        return {number: each for number, each in found.items() if each is not None}
