"""What the scripted SteP writes into brackets."""

from __future__ import annotations

from agent.llm.simulated.brackets import NOTHING, of_payment


def test_a_payment_has_its_parts_in_their_places():
    card, others = ["4000 1234 5678 9017", "09/29", "123"], ["$30", "Ben"]
    assert of_payment([*others, *card]) == [*card, NOTHING, "$30, Ben"]
    assert of_payment(["100", "4000-1234-5678-9017", "10:30"]) == [
        *("4000-1234-5678-9017", NOTHING, NOTHING, NOTHING),
        "100, 10:30",
    ], "minutes are no digits of a card whose date is unknown"
    assert of_payment(card) == [*card, NOTHING, NOTHING]
