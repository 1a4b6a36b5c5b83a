"""The labels that stand on the pages of a site in a skin, and the labels that mean two things."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sites._kit.declare import KEYWORD, Form, Link, Listing, Page, Site, Skin
from sites._kit.skins.pagers import PAGERS

LONG = 3
"""The length of a list, in pages, from whose middle page every turn of a pager is offered."""


@dataclass(frozen=True)
class Label:
    """One label of a page.

    Attributes:
        role: What carries the label.
        text: The skin's text; a column in braces stands for its value.
        word: The name of the skin's word.
        aim: What the link, button or field is for. Two labels of a page with one text must have
            one aim.
    """

    role: Literal["link", "button", "field"]
    text: str
    word: str
    aim: str


def labels(site: Site, skin: Skin, page: Page) -> Iterator[Label]:
    """Yield the labels of the links, buttons and fields that a page can show."""
    if "nav" in skin.menus:
        yield _label(skin, "button", "menu")
    for link in (*skin.nav, *page.links):
        yield _link(skin, link)
    for form in page.sent:
        yield from _form(skin, form)
    if page.listing:
        yield from _list(skin, page, page.listing)


def _list(skin: Skin, page: Page, listing: Listing) -> Iterator[Label]:
    for link in listing.links:
        yield _link(skin, link)
    if len(listing.sorts) > 1:
        yield from (_label(skin, "link", f"sort_{each}") for each in listing.sorts)
        if "sort" in skin.menus:
            yield _label(skin, "button", "sorting")
    if page.asked:
        yield from (_field(skin, each) for each in page.asked)
        yield _label(skin, "button", "apply")
    if listing.kept:
        yield _label(skin, "button", "clear")
    for word, _ in PAGERS[skin.pager](2, LONG):
        yield _label(skin, "link", word)


def _label(skin: Skin, role: Literal["link", "button"], word: str) -> Label:
    return Label(role, skin.words[word], word, word)


def _link(skin: Skin, link: Link) -> Label:
    aim = f"{link.to} {dict(link.using)} {dict(link.fixed)}"
    return Label("link", skin.words[link.label], link.label, aim)


def _form(skin: Skin, form: Form) -> Iterator[Label]:
    yield from (_field(skin, each.name) for each in form.fields)
    word = skin.named(form.name, "button")
    yield Label("button", skin.words[word], word, form.name)


def _field(skin: Skin, name: str) -> Label:
    word = "keyword" if name == KEYWORD else skin.named(name, "label")
    return Label("field", skin.words[word], word, name)


def collisions(site: Site, skin: Skin) -> list[str]:
    """Return a sentence for each label that means two things.

    Two links or buttons of one page may not share a label unless they lead to the same, nor may two
    fields. Two forms may not share the label of their buttons, on whatever pages they stand.
    """
    found = dict.fromkeys(_everywhere(site, skin))
    for page in site.pages:
        found |= dict.fromkeys(_of_page(page.name, [*labels(site, skin, page)]))
    return [*found]


def _of_page(name: str, shown: list[Label]) -> Iterator[str]:
    aims: dict[tuple[bool, str], dict[str, str]] = defaultdict(dict)
    for each in shown:
        aims[each.role == "field", each.text.casefold()][each.aim] = each.word
    for (_, text), words in aims.items():
        if len(words) > 1:
            yield f"{skin_words(words)} are all “{text}” on the page {name}."


def _everywhere(site: Site, skin: Skin) -> Iterator[str]:
    forms: dict[str, set[str]] = defaultdict(set)
    for form in all_forms(site):
        forms[skin.words[skin.named(form.name, "button")].casefold()].add(form.name)
    for text, names in forms.items():
        if len(names) > 1:
            yield f"The buttons of {', '.join(sorted(names))} are all “{text}”."


def all_forms(site: Site) -> Iterator[Form]:
    """Yield the forms of a site's pages and of their lists."""
    for page in site.pages:
        yield from page.sent


def skin_words(words: dict[str, str]) -> str:
    """Return the names of the words, sorted."""
    return ", ".join(sorted(set(words.values())))
