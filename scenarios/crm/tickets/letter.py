"""The letter of a customer who asks for something on one booking, and can pay for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.tickets.customers import Known, card_values, fact_sentence
from scenarios.phrasings import Speaker
from sites.crm import CrmData

SAD, DIGRESS = 0.3, 0.4
"""The shares of the letters with something sad, and with something that does not matter."""


def asides(
    speaker: Speaker, data: CrmData, sad: float = SAD, mourner: Speaker | None = None
) -> Iterator[str]:
    """Draw something sad, in a share of the letters and in the words of `mourner`, and something
    that does not matter."""
    rng = speaker.rng
    if rng.random() < sad:
        yield (mourner or speaker).say("sad")
    if rng.random() < DIGRESS:
        yield speaker.say("digress", **decoys(rng, data))


def compose(
    case: Known, sentences: Iterable[str], data: CrmData, speaker: Speaker, *, free: bool
) -> str:
    """Three paragraphs: the booking with what is asked for and claimed in any order (`free`: for
    nothing), by what the customer is known and which card pays, and who writes."""
    rng, first = speaker.rng, speaker.say("ask", reference=case.held.reference)
    others = [*sentences]
    if free:
        others.append(speaker.say("free"))
    others += asides(speaker, data)
    rng.shuffle(others)
    facts = [fact_sentence(case, fact, speaker) for fact in case.given if fact != "email"]
    facts.append(speaker.say("pay", **card_values(case, rng)))
    sign = speaker.say("sign", name=case.customer.person.name)
    return "\n".join([" ".join([first, *others]), " ".join(facts), sign])
