"""The screens of the handbook: its contents, a search, and an article."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sites.crm.airline_desk.handbook.article import KINDS, Article, article, articles
from sites.crm.airline_desk.handbook.article import search_handbook as search
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.world import edition_of
from sites.crm.airline_desk.pages.screen import Link, LinkList, Passage, Section, Text
from sites.crm.airline_desk.screens import _asked
from sites.crm.airline_desk.screens._view import Contents, Entry, ScreenKind, View
from sites.crm.base.fields import short
from sites.site_app import Refusal

CONTENTS = "contents"
"""The subject under which the journal records the handbook's contents page without a search."""
LONGEST = 100
"""Maximum number of letters of a search in the handbook that are used."""


def _edition(view: View) -> Edition:
    """Return the edition of the handbook. Raises `Refusal` (404) at a desk without a handbook."""
    found = edition_of(view.world)
    if found is None:
        raise Refusal(404, "This desk has no handbook. Search flights, or find a booking.")
    return found


def _entries(view: View) -> tuple[Entry, ...]:
    return (Entry("handbook-words", hint=view.word("hint-handbook")),)


def _words(view: View) -> tuple[View, str]:
    shown = _asked.fields(view, _entries(view))
    return shown, shown.values.get("handbook-words", "")[:LONGEST].strip()


def _handbook(view: View) -> Contents:
    edition, (shown, words) = _edition(view), _words(view)
    form = shown.form(view.word("group-handbook"), _entries(view), view.word("lead-handbook"))
    listed = _found(view, edition, words) if words else _all(view, edition)
    button = view.button("search-handbook")
    back = view.link("back", Place("handbook")) if words else None
    return Contents("title-handbook", (form, *listed), (button,), back=back, asks=True)


def _all(view: View, edition: Edition) -> Iterable[Section]:
    """Yield a list of links to the handbook's articles, one for each kind of article."""
    every = articles(edition, view.airline)
    for kind in KINDS:
        own = [each for each in every if each.kind == kind]
        yield LinkList(view.word(f"kind-{kind}"), tuple(_link(view, each) for each in own))


def _found(view: View, edition: Edition, words: str) -> Iterable[Section]:
    found = search(edition, words, view.airline)
    if found:
        title = view.word("articles-found", words=short(words))
        yield LinkList(title, tuple(_link(view, each) for each in found))
    else:
        yield Text((view.word("no-article", words=short(words)),))


def _link(view: View, one: Article) -> Link:
    place = Place("article", (one.number,))
    return view.link("open-article", place, one.number, number=one.number, title=one.title)


def _handbook_opened(view: View) -> str:
    _, words = _words(view)
    return f"words={' '.join(words.casefold().split())}" if words else CONTENTS


def _one(view: View) -> Article:
    """Return the handbook's article in the address. Raises `Refusal` (404) for an unknown
    number.
    """
    [number] = view.place.parts
    found = article(_edition(view), number, view.airline)
    if found is None:
        raise Refusal(
            404,
            f"There is no article {short(number)}. Look into the contents.",
            view.address(Place("handbook")),
            view.word("see-handbook"),
        )
    return found


def _article(view: View) -> Contents:
    one, edition = _one(view), _edition(view)
    since = view.word("article-since", day=view.airline.formats.day(one.day))
    sections = [Passage(one.paragraphs, since)]
    lists = {"beaten-by": one.beaten_by, "see-also": one.see}
    every = {each.number: each for each in articles(edition, view.airline)}
    linked = [
        LinkList(view.word(key), tuple(_link(view, every[number]) for number in numbers))
        for key, numbers in lists.items()
        if numbers
    ]
    back = view.link("back", Place("handbook"))
    slots = {"number": one.number, "title": one.title}
    return Contents("title-article", (*sections, *linked), back=back, slots=slots)


def _article_opened(view: View) -> str:
    return _one(view).number


HANDBOOK: Mapping[str, ScreenKind] = {
    "handbook": ScreenKind(_handbook, _entries, opened=_handbook_opened),
    "article": ScreenKind(_article, opened=_article_opened),
}
