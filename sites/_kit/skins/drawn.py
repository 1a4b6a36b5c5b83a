"""A skin of a site, drawn by a number: the same number always draws the same skin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from sites._kit.addresses import meet
from sites._kit.declare import FRAMES, ROWS, THEMES, Link, Page, Site, Skin
from sites._kit.skins.labels import collisions, labels
from sites._kit.skins.pagers import PAGERS
from sites._kit.skins.synonyms import KIT_WORDS, Choice, Synonyms, with_nouns
from sites.site_app import RESERVED

TRIES = 100
MENUS: Sequence[tuple[str, ...]] = ((), (), ("nav",), ("sort",), ("nav", "sort"))
"""The sets of menus that must be opened. The empty set stands twice, so it has twice the chance."""
SIZES = (8, 10, 12, 15, 20, 25)
TAKEN = {"", "do", "kit", *RESERVED}
"""The first parts of addresses that belong to the kit or to the server."""

Words = dict[str, str]


@dataclass(frozen=True)
class DrawnSkins:
    """Draws the skins of a site from synonyms: `Site(…, drawn=DrawnSkins(SYNONYMS))`."""

    synonyms: Synonyms

    def __call__(self, site: Site, number: int) -> Skin:
        """Return the skin `skin-<number>` of the site."""
        return draw_skin(self.synonyms, site, number)


def draw_skin(synonyms: Synonyms, site: Site, number: int) -> Skin:
    """Return the skin `skin-<number>` of a site.

    Args:
        synonyms: The words and addresses to draw from.
        site: The site; its first skin gives the navigation, and the words without synonyms.
        number: The number of the skin.

    Raises:
        ValueError: In no try were all labels and addresses distinct; the message names those of
            the last try.
    """
    clashes: list[str] = []
    for attempt in range(TRIES):
        skin = _draw(synonyms, site, f"skin-{number}", f"{site.name}/skin/{number}/{attempt}")
        clashes = [*collisions(site, skin), *overlaps(site, skin)]
        if not clashes:
            return skin
    raise ValueError(
        f"{site.name}: skin-{number} cannot be drawn. {clashes[0]}"
        " Give one of these words more synonyms."
    )


def _draw(synonyms: Synonyms, site: Site, name: str, seed: str) -> Skin:
    nouns = _nouns(synonyms, Random(f"{seed}/nouns"))
    rng = Random(f"{seed}/look")
    skin = Skin(
        name,
        words=site.skins[0].words,
        nav=_shuffled(site.skins[0].nav, rng),
        look=rng.choice(FRAMES),
        theme=rng.choice(THEMES),
        rows=rng.choice(ROWS),
        buttons=rng.choice(("before", "after")),
        pager=rng.choice([*PAGERS]),
        menus=rng.choice(MENUS),
        size=rng.choice(SIZES),
        sorts=_sorts(site.pages, rng),
        addresses=_addresses(synonyms, site.pages, nouns, Random(f"{seed}/addresses")),
    )
    return _with_words(skin, site, _words(synonyms, site, skin, nouns, Random(f"{seed}/words")))


def _with_words(skin: Skin, site: Site, words: Words) -> Skin:
    return replace(skin, words={**site.skins[0].words, **words})


def _shuffled(nav: Sequence[Link], rng: Random) -> tuple[Link, ...]:
    return tuple(rng.sample(nav, len(nav)))


def _sorts(pages: Sequence[Page], rng: Random) -> Words:
    """Return the usual order of each list; lists with the same orders have the same usual one."""
    usual: dict[tuple[str, ...], str] = {}
    found = {}
    for page in pages:
        if page.listing:
            orders = tuple(page.listing.sorts)
            if orders not in usual:
                usual[orders] = rng.choice(orders)
            found[page.name] = usual[orders]
    return found


# Words


def _nouns(synonyms: Synonyms, rng: Random) -> Words:
    return {name: text for each in synonyms.nouns for name, text in _chosen(each, rng).items()}


def _chosen(choice: Choice, rng: Random) -> Words:
    return rng.choice(choice.texts())


def _words(synonyms: Synonyms, site: Site, skin: Skin, nouns: Words, rng: Random) -> Words:
    """Return a text for each word with synonyms; two labels never get the same text."""
    presses, taken = _presses(synonyms, site, skin), set[str]()
    found: Words = {}
    for choice in (*KIT_WORDS, *synonyms.words):
        options = [_in_nouns(each, nouns) for each in choice.texts()]
        free = [each for each in options if not taken & _pressed(each, presses)]
        chosen = rng.choice(free or options)
        taken |= _pressed(chosen, presses)
        found |= chosen
    return found


def _in_nouns(texts: Words, nouns: Words) -> Words:
    return {word: with_nouns(text, nouns) for word, text in texts.items()}


def _pressed(texts: Words, presses: set[str]) -> set[str]:
    return {text.casefold() for word, text in texts.items() if word in presses}


def _presses(synonyms: Synonyms, site: Site, skin: Skin) -> set[str]:
    """Return the words that links and buttons carry."""
    every = {name: "" for choice in (*KIT_WORDS, *synonyms.words) for name in choice.names}
    named = _with_words(skin, site, every)
    shown = (each for page in site.pages for each in labels(site, named, page))
    return {each.word for each in shown if each.role != "field"}


# Addresses


def _addresses(
    synonyms: Synonyms, pages: Sequence[Page], nouns: Words, rng: Random
) -> Mapping[str, str]:
    """Return the address of each page; one part of addresses becomes the same text everywhere."""
    joint = rng.choice("-_")
    drawn = {
        part: with_nouns(rng.choice(options), nouns).replace(" ", joint)
        for part, options in synonyms.paths.items()
    }
    return {
        page.name: "/".join(drawn.get(part, part) for part in page.address.split("/"))
        for page in pages
    }


def overlaps(site: Site, skin: Skin) -> Iterator[str]:
    """Yield a sentence for each pair of pages that one address could mean."""
    addresses = {page.name: skin.addresses.get(page.name, page.address) for page in site.pages}
    for (first, one), (second, other) in combinations(addresses.items(), 2):
        if meet(one, other):
            yield f"The pages {first} and {second} have the addresses {one} and {other}."
    for name, address in addresses.items():
        if address != "/" and address.split("/")[1] in TAKEN:
            yield f"The address {address} of the page {name} belongs to the server."
