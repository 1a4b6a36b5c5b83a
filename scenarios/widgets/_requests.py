"""Advice for what people ask for in words of their own: who wrote the mail, what to do with it.

It reads the words, not the page's list of sentences: a text in quotes is a reply, two people mean
that a mail is passed on, from the one that it is `by` to the other; of one person's mail it says
what is done with the word for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent.interface import Advice
from scenarios.widgets._mail import act
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Outcome

QUOTE = re.compile(r'"(.*)"')
NAME = r"\b(?!(?:It|Let|There|This|Why)\b)[A-Z][a-z]+\b"
DOES = r"asked|didn'?t|is|keeps|mailed|ought|sent|wrote"
PERSON = re.compile(rf"(?<=[a-z0-9,:;&] ){NAME}|{NAME}(?='s| (?:{DOES})\b)")
"""A capital within a sentence; at its beginning only of somebody who has or does something."""
SENDER = re.compile(rf"\b(?i:by|from) ({NAME})|({NAME})(?='s| (?:sent|wrote)\b)")
STAR = re.compile(r"\b(?:star|starred|important)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Request:
    """Reply with, or forward to, `text`; trash or star."""

    sender: str
    doing: str
    text: str = ""


def understood(instruction: str) -> Request:
    """What the instruction asks for."""
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
    """The same with another person's mail."""
    asked = understood(view.instruction)
    icons = [each.name.removeprefix("trash ") for each in view.all("button")]
    other = next((name for name in icons if name.istitle() and name != asked.sender), "")
    asked = replace(asked, sender=other or asked.sender)
    return act(view, asked.sender, asked.doing, asked.text)


def to_another(view: PageView) -> Advice:
    """Forward the right mail to the wrong person."""
    asked = understood(view.instruction)
    return act(view, asked.sender, asked.doing, f"{asked.text}x")


FORWARDING_OUTCOMES = {"wrong": Outcome(of_another), "wrong receiver": Outcome(to_another)}
