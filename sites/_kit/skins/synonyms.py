"""The words that a drawn skin may use, and the words of the kit itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

NOUN = re.compile(r"<(\w+)>")


@dataclass(frozen=True)
class Choice:
    """Words that are chosen together, because one of them must fit the others.

    Attributes:
        words: The names of the words, separated by spaces.
        options: The options; each has the text of every word, in the same order, separated by
            `|`. A text may name a noun: `New <forum>` or `All <Forums>`.
    """

    words: str
    options: Sequence[str]

    @property
    def names(self) -> list[str]:
        """The names of the words."""
        return self.words.split()

    def texts(self) -> list[dict[str, str]]:
        """Return the options, each as the texts of the words by name.

        Raises:
            ValueError: An option has more or fewer texts than there are words.
        """
        split = (option.split("|") for option in self.options)
        return [dict(zip(self.names, texts, strict=True)) for texts in split]


@dataclass(frozen=True)
class Synonyms:
    """The words, addresses and questions that a site gives for its drawn skins.

    Attributes:
        nouns: The nouns that the texts name. Each option has the noun in the singular and in the
            plural, both in small letters.
        words: The words of the site's skins. A word that is missing here keeps the text that the
            site's first skin gives it.
        paths: For a part of an address, the texts that may stand in its place. They may name
            nouns; a space becomes `-` or `_`.
        tasks: For a word of a button or link, the end of the question "Which label would you press
            to …?". Further words, after spaces, are right answers as well.
    """

    nouns: Sequence[Choice]
    words: Sequence[Choice]
    paths: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tasks: Mapping[str, str] = field(default_factory=dict)


def with_nouns(text: str, nouns: Mapping[str, str]) -> str:
    """Return a text in which each `<noun>` is replaced; `<Noun>` begins with a capital letter.

    Args:
        text: The text of an option.
        nouns: The chosen nouns by name.
    """

    def chosen(found: re.Match[str]) -> str:
        name = found[1]
        noun = nouns[name[0].lower() + name[1:]]
        return noun[0].upper() + noun[1:] if name[0].isupper() else noun

    return NOUN.sub(chosen, text)


KIT_WORDS = (
    Choice(
        "previous next first last",
        (
            "Previous|Next|First|Last",
            "Previous page|Next page|First page|Last page",
            "Back|Forward|To the start|To the end",
            "« Before|After »|« Start|End »",
            "Page before|Page after|Start of the list|End of the list",
        ),
    ),
    Choice("number", ("{n}", "Page {n}", "p. {n}", "Go to {n}", "No. {n}")),
    Choice(
        "keyword apply",
        (
            "Search|Go",
            "Containing|Filter",
            "Find|Show matches",
            "Keyword|Apply",
            "With the word|Look",
        ),
    ),
    Choice("sorting", ("Sort by", "Order", "Arrange by", "Sorting", "Show in order of")),
    Choice("pages", ("Pages", "More pages", "Pages of this list", "Turn the page")),
    Choice("menu", ("Menu", "Sections", "Site menu", "Navigation", "Go to…")),
    Choice("found", ("found", "entries", "results", "in this list", "altogether")),
    Choice(
        "signed_in",
        ("Signed in as {me}", "{me}", "Hello, {me}", "Your account: {me}", "You are {me}"),
    ),
)
"""The words of the kit itself, on the pages of every site."""
