"""What the scripted SteP writes into brackets."""

from __future__ import annotations

from agent.llm.simulated.brackets import NOTHING, matter, of_payment

NOTE = (
    "Do all of it. First: Ms Berg moves to May. Second: Mr Holm adds a bag. Third: Ms Lund leaves."
)


def test_a_matter_is_the_one_that_names_all_that_is_needed():
    assert matter(NOTE, [("holm",), ("suitcase", "bag")]) == "Mr Holm adds a bag."
    assert matter(NOTE, [("berg",), ("bag",)]) == NOTE, "no single one names both"
    assert matter(NOTE, []) == NOTE
    assert matter("Mr Holm adds a bag.", [("holm",)]) == "Mr Holm adds a bag."


def test_a_payment_has_its_parts_in_their_places():
    card, others = ["4000 1234 5678 9017", "09/29", "123"], ["$30", "Ben"]
    assert of_payment([*others, *card]) == [*card, NOTHING, "$30, Ben"]
    assert of_payment(["100", "4000-1234-5678-9017", "10:30"]) == [
        *("4000-1234-5678-9017", NOTHING, NOTHING, NOTHING),
        "100, 10:30",
    ], "minutes are no digits of a card whose date is unknown"
    assert of_payment(card) == [*card, NOTHING, NOTHING]
