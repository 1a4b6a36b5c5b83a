"""Add a price rule with a name and a discount for one group of customers or for all."""

from scenarios.kit import Draw, Family, Right
from sites.admin.operations import KINDS, add_rule
from sites.admin.texts import GROUPS

WORDINGS = (
    "Create the price rule “{rule}”: {off} off for {group}.",
    "Give {group} a discount of {off} by a new price rule. Call the rule “{rule}”.",
    "We need a price rule with the name “{rule}” that takes {off} off. It is for {group}.",
    "Set up a discount among the price rules, named “{rule}”: {off} less for {group}.",
)
TOPICS = ("Winter", "Spring", "Summer", "Autumn", "Birthday", "Opening", "Weekend", "Thank-you")
ALL = "All groups"
FOR = {ALL: "all groups of customers", **{each: f"the group {each} alone" for each in GROUPS}}
OFF = {"percent": "{} percent", "amount": "${}.00"}


def draw(d: Draw) -> Right:
    """Draw a name, a group and a discount, in per cent or in dollars."""
    rule = f"{d.some(TOPICS)} {d.some(('sale', 'discount', 'offer'))} {d.rng.randint(2, 99)}"
    group = ALL if d.rng.random() < 0.5 else d.some(GROUPS)
    wrong = "General" if group == ALL else ALL
    kind, other = d.rng.sample(KINDS, 2)
    value = d.rng.randint(5, 60)
    return Right(
        {"rule": rule, "off": OFF[kind].format(value), "group": FOR[group]},
        do=[add_rule(rule, kind, str(value), group)],
        instead={
            "of the other kind": [add_rule(rule, other, str(value), group)],
            "for other groups": [add_rule(rule, kind, str(value), wrong)],
            "without the number in the name": [
                add_rule(rule.rsplit(" ", 1)[0], kind, str(value), group)
            ],
            "one less": [add_rule(rule, kind, str(value - 1), group)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:258",))
