"""Refuse a skin that lacks a word, or whose words cannot be told apart on one page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import Formatter

from sites._kit.declare import BadDeclaration, Field, Form, Link, Page, Site, Skin
from sites._kit.skins.pagers import PAGERS

Columns = Mapping[str, set[str]]
"""Columns by the name of the page."""


@dataclass(frozen=True)
class Word:
    """A word that a page shows.

    Attributes:
        name: The name of the word.
        role: link, button or field, or "" for a text that nobody clicks.
        meaning: The target or the purpose. Two words of one page with the same text must have the
            same meaning.
        known: The columns that may stand in its pattern.
        in_row: Whether it stands in every row of a list.
    """

    name: str
    role: str
    meaning: object
    known: frozenset[str]
    in_row: bool = False

    @property
    def kind(self) -> str:
        """The kind of the word, as `Skin.say` takes it."""
        return {"button": "button", "field": "label"}.get(self.role, "")


def check_words(site: Site, skin: Skin, shown: Columns, listed: Columns) -> None:
    """Check the words of a skin.

    Args:
        site: The site.
        skin: The skin.
        shown: The columns of each page's record.
        listed: The columns of the rows of each page's list.

    Raises:
        BadDeclaration: The skin lacks a word, a word shows a column that is not there, or two words
            of one page are the same.
    """
    for page in site.pages:
        own, row = frozenset(shown[page.name]), frozenset(listed.get(page.name, ()))
        words = [*_frame(skin, page, own), *_of_page(page, own), *_of_list(skin, page, own, row)]
        for word in words:
            _check_word(skin, page, word)
        _check_collisions(skin, page, words)


def _check_word(skin: Skin, page: Page, word: Word) -> None:
    pattern = skin.pattern(word.name, word.kind)
    place = f"skin {skin.name}, page {page.name}"
    if pattern is None:
        problem = f"{place}: the word {word.name} is missing"
        raise BadDeclaration(problem, "add it to the words of the skin")
    missing = _slots(pattern, f"{place}, word {word.name}") - word.known
    if missing:
        problem = f"{place}: the word {word.name} shows {min(missing)}, which is no column there"
        raise BadDeclaration(problem, f"the columns are {', '.join(sorted(word.known))}")
    if word.in_row and word.role == "link" and "{" not in pattern:
        problem = f"{place}: the word {word.name} is the same in every row"
        raise BadDeclaration(problem, "put a column into it that tells the rows apart")


def _check_collisions(skin: Skin, page: Page, words: list[Word]) -> None:
    first: dict[tuple[str, str], Word] = {}
    for word in words:
        if word.role:
            pattern = skin.pattern(word.name, word.kind) or ""
            other = first.setdefault((word.role, pattern.casefold()), word)
            if other.meaning != word.meaning:
                raise BadDeclaration(
                    f"skin {skin.name}, page {page.name}: the {word.role}s {other.name} and"
                    f" {word.name} are both called “{pattern}”",
                    "give one of them another word",
                )


def _slots(pattern: str, place: str) -> set[str]:
    """Return the names of the columns in a pattern."""
    try:
        return {name for _, name, _, _ in Formatter().parse(pattern) if name is not None}
    except ValueError as error:
        problem = f"{place}: “{pattern}” cannot be read ({error})"
        raise BadDeclaration(problem, "write each column as {column}") from None


# The words of a page


def _frame(skin: Skin, page: Page, known: frozenset[str]) -> Iterator[Word]:
    for name in ("site", "signed_in", "footer", f"title_{page.name}"):
        yield Word(name, "", name, known)
    if "nav" in skin.menus:
        yield Word("menu", "button", "menu", known)
    for link in skin.nav:
        yield _link(link, known)


def _of_page(page: Page, known: frozenset[str]) -> Iterator[Word]:
    for link in page.links:
        yield _link(link, known)
    for form in page.forms:
        yield from _form(form, known)
    for each in page.asks:
        yield from _field(each, page.name, known)
    if page.asked:
        yield Word("apply", "button", "apply", known)
    for column in page.shows:
        for show in column.shows:
            if show.kind == "word":
                yield Word(show.of, "", show.of, known)


def _of_list(
    skin: Skin, page: Page, known: frozenset[str], row: frozenset[str]
) -> Iterator[Word]:  # fmt: skip
    listing = page.listing
    if listing is None:
        return
    for link in listing.links:
        yield _link(link, row, in_row=True)
    for form in listing.forms:
        yield from _form(form, row)
    if listing.mass:
        yield from _form(listing.mass, known)
        yield Word("pick", "", "pick", row)
    for name in listing.filters:
        yield Word(name, "field", ("filter", name), frozenset())
    if listing.keyword:
        yield Word("keyword", "field", "keyword", known)
    if listing.kept:
        yield Word("clear", "button", "clear", known)
    yield Word("found", "", "found", known)
    if listing.head:
        yield Word(f"head_{page.name}", "", "head", row)
    yield from _pager(skin, known)
    if len(listing.sorts) > 1:
        yield Word("sorting", "button" if "sort" in skin.menus else "", "sorting", known)
        yield from (
            Word(f"sort_{each}", "link", ("sort", each), frozenset()) for each in listing.sorts
        )
    yield from _cells(skin, page, known, row)


def _cells(
    skin: Skin, page: Page, known: frozenset[str], row: frozenset[str]
) -> Iterator[Word]:  # fmt: skip
    assert page.listing
    for cell in page.listing.cells:
        if skin.rows == "table":
            yield Word(f"col_{cell.name}", "", cell.name, known)
        for show in cell.shows:
            if show.kind == "word":
                yield Word(show.of, "", show.of, row)
    if skin.rows == "table" and page.listing.forms:
        yield Word("col_buttons", "", "col_buttons", known)


def _pager(skin: Skin, known: frozenset[str]) -> Iterator[Word]:
    yield Word("pages", "", "pages", known)
    for word, _ in PAGERS[skin.pager](2, 3):
        yield Word(word, "link", word, frozenset({"n"}))


def _link(link: Link, known: frozenset[str], in_row: bool = False) -> Word:
    meaning = link.to, tuple(sorted(link.using.items())), tuple(sorted(link.fixed.items()))
    return Word(link.label, "link", meaning, known, in_row)


def _form(form: Form, known: frozenset[str]) -> Iterator[Word]:
    yield Word(form.name, "button", ("form", form.name), known)
    if form.keeps:
        yield Word("keep", "button", ("keep", form.name), known)
        yield Word("kept", "", "kept", known)
    for each in form.fields:
        yield from _field(each, form.name, known)


def _field(each: Field, form: str, known: frozenset[str]) -> Iterator[Word]:
    yield Word(each.name, "field", (form, each.name), known)
    if each.tab:
        yield Word(each.tab, "button", ("tab", form, each.tab), known)
    if each.kind == "suggest":
        yield Word("look", "button", ("look", form, each.name), known)
        yield Word("nothing", "", "nothing", known)
