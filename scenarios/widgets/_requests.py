"""Advice for mail tasks in people's own words: find the sender, and the thing to do with the mail.

The adviser reads the words, not the page's list of sentences. A text in quotes is a reply. With two
people, the mail goes from its writer to the other person. With a single person, the verb says
whether to delete or mark the mail.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent.interface import Advice
from scenarios.widgets._mail import act
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Outcome

QUOTE = re.compile(r'"(.*)"')
NAME = r"\b(?!(?:It|Let|There|This|Why)\b)[A-Z][a-z]+(?:-[A-Z][a-z]+)?\b"
DOES = r"asked|didn'?t|is|keeps|mailed|ought|sent|wants|wrote"
PERSON = re.compile(rf"(?<=[a-z0-9,:;&] ){NAME}|{NAME}(?='s| (?:{DOES})\b)")
"""A capitalized name in a sentence; at the start only if the person has or does something."""
SENDER = re.compile(rf"\b(?i:by|from) ({NAME})|({NAME})(?='s| (?:sent|wants his|wrote)\b)")
STAR = re.compile(r"\b(?:star|starred|important)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Request:
    """A thing to do with a sender's mail: "reply" or "forward" with `text`, "trash" or "star"."""

    sender: str
    doing: str
    text: str = ""


def understood(instruction: str) -> Request:
    """Return the request that an instruction in free wording makes."""
    quote, plain = QUOTE.search(instruction), QUOTE.sub("that", instruction)
    people = PERSON.findall(plain)
    if quote:
        return Request(people[0], "reply", quote[1])
    if len(people) == 2:
        [sender] = ("".join(found) for found in SENDER.findall(plain))
        [receiver] = (name for name in people if name != sender)
        return Request(sender, "forward", receiver)
    return Request(people[0], "star" if STAR.search(plain) else "trash")


def advise(view: PageView) -> Advice:
    asked = understood(view.instruction)
    return act(view, asked.sender, asked.doing, asked.text)


def of_another(view: PageView) -> Advice:
    """Advise doing the requested thing with another person's mail: a wrong end for tests."""
    asked = understood(view.instruction)
    icons = [each.name.removeprefix("trash ") for each in view.all("button")]
    other = next((name for name in icons if name.istitle() and name != asked.sender), "")
    asked = replace(asked, sender=other or asked.sender)
    return act(view, asked.sender, asked.doing, asked.text)


def to_another(view: PageView) -> Advice:
    """Advise forwarding the right mail to the wrong person: a wrong end for tests."""
    asked = understood(view.instruction)
    return act(view, asked.sender, asked.doing, f"{asked.text}x")


FORWARDING_OUTCOMES = {"wrong": Outcome(of_another), "wrong receiver": Outcome(to_another)}
