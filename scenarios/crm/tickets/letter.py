"""The letter of a customer who wants a change of a booking and gives a card to pay for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.airline_desk.value_formats import card_words
from scenarios.crm.tickets.customers import Known, fact_sentence
from scenarios.phrasings import Speaker
from sites.crm import CrmData

SAD, DIGRESS = 0.3, 0.4
"""The shares of letters with a sad remark and with an irrelevant remark."""


def asides(
    speaker: Speaker, data: CrmData, sad: float = SAD, mourner: Speaker | None = None
) -> Iterator[str]:
    """Draw a sad remark and an irrelevant remark, each for a share of the letters.

    Args:
        speaker: The sampler of phrasings.
        data: The site data.
        sad: The share of letters with a sad remark.
        mourner: The sampler of the sad remark; None means `speaker`.
    """
    rng = speaker.rng
    if rng.random() < sad:
        yield (mourner or speaker).say("sad")
    if rng.random() < DIGRESS:
        yield speaker.say("digress", **decoys(rng, data))


def compose(
    case: Known, sentences: Iterable[str], data: CrmData, speaker: Speaker, *, free: bool
) -> str:
    """Return a letter of three paragraphs: the request with its claims in random order, the
    identity facts with the card, and the signature.

    Args:
        case: The case.
        sentences: The wishes and claims.
        data: The site data.
        speaker: The sampler of phrasings.
        free: Whether the customer wants everything for free.
    """
    rng, first = speaker.rng, speaker.say("ask", reference=case.held.reference)
    others = [*sentences]
    if free:
        others.append(speaker.say("free"))
    others += asides(speaker, data)
    rng.shuffle(others)
    facts = [fact_sentence(case, fact, speaker) for fact in case.given if fact != "email"]
    facts.append(speaker.say("pay", **card_words(rng, case.card)))
    sign = speaker.say("sign", name=case.customer.person.name)
    return "\n".join([" ".join([first, *others]), " ".join(facts), sign])
