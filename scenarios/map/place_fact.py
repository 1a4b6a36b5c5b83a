"""Tell a fact that the page of a place has, or that it does not have."""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from scenarios.map._places import looked_up, opened
from scenarios.places import NAMED

WORDINGS = (
    "Which {fact} does the map have for {place}?",
    "Tell me the {fact} of {place}, as the map has it.",
    "Find {place} on the map and tell me the {fact}.",
    "I need the {fact} of {place}.",
)
FACTS = {
    "phone number": "Phone", "website": "Website", "operator": "Operator",
    "opening hours": "Opening hours",
}  # fmt: skip
OF = "SELECT value FROM facts WHERE place = ? AND fact = ?"
ALIKE = (
    "SELECT f.value FROM places p JOIN facts f ON f.place = p.id WHERE p.kind = ? AND f.fact = ?"
)


def draw(d: Draw) -> Right:
    """Draw a place and a fact; in one of six attempts a fact that its page does not have."""
    fact = d.some([*FACTS, "postcode"])
    place = d.pick(NAMED)
    found = [each.value for each in d.all(OF, place.id, FACTS.get(fact, ""))]
    right = place.postcode if fact == "postcode" else "".join(found)
    slots, via = {"fact": fact, "place": place.label}, [looked_up(d, place.label)]
    if not right:
        d.need(d.rng.random() < 0.2)
        page = opened(d, place, place.name)
        return Right(slots, via=via, read=[page], status="NOT_FOUND")
    others = d.all(ALIKE, place.kind, FACTS.get(fact, "Phone"))
    wrong = [each.value for each in others if each.value != right]
    d.need(wrong)
    return Right(
        slots,
        via=via,
        read=[opened(d, place, right)],
        answer=right,
        instead={"of another place": d.some(wrong), "nothing": "NOT_FOUND"},
    )


TEXT = AnswerSchema("text")
FAMILY = Family(
    __file__, draw, WORDINGS, TEXT, templates=("webarena:70", "webarena:501"), size="medium"
)
