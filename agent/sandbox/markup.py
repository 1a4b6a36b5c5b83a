"""HTML as plain columns: all that the host does for `agent.sandbox.soup`, which makes the tree.

The rules are those of BeautifulSoup over `html.parser`: an end tag closes up to its start tag or
is ignored, `<x/>` is closed at once, blank text folds to one blank or one line end. Comments,
declarations and processing instructions are left out. Reading takes time linear in the length.
"""

from __future__ import annotations

from collections import Counter
from html import unescape
from html.parser import HTMLParser

LONGEST = 2_000_000  # characters of HTML
MOST = 60_000  # nodes, elements and texts
PIECES = 4 * MOST  # tags, texts, comments and what is none of them
DEEPEST = 300  # elements inside one another

HIDING = ("script", "style", "template")
"""Elements whose text is no text of the elements around them."""

VOID = (
    *("area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link", "menuitem"),
    *("meta", "param", "source", "track", "wbr"),
)
"""Elements that hold nothing and have no end tag."""

_VERBATIM = ("pre", "textarea")
_LISTS = ("class", "accesskey", "dropzone", "rel", "rev", "headers")

Attributes = dict[str, str | list[str]]
Columns = tuple[list[int], list[str], list[Attributes | str], list[int]]


class TooLarge(ValueError):
    """The page is longer, fuller or deeper than what is read; the message says which."""


def nodes(html: str) -> Columns:
    """The nodes in document order: parents, names, values, ends (the first node not inside).

    Node 0 is the document and its own parent. The value of an element is its attributes, that of
    a text its text; a text has the name "", or "#script" and the like inside what hides it.
    Raises `TooLarge`.
    """
    if len(html) > LONGEST:
        raise TooLarge(f"the page is longer than {LONGEST:,} characters")
    reader = _Reader()
    reader.feed(html)
    return reader.finish()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self._columns: Columns = [0], [""], [{}], [1]
        self._open = [0]
        self._tags: list[str] = []
        self._counts: Counter[str] = Counter()
        self._text: list[str] = []
        self._pieces = 0

    def updatepos(self, i: int, j: int) -> int:
        """Called after each piece; where it stands is not wanted."""
        self._pieces += 1
        if self._pieces > PIECES:
            raise TooLarge(f"the page has more than {PIECES:,} pieces")
        return j

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._write()
        place = self._add(tag, {name: _value(name, value) for name, value in attrs})
        if tag in VOID:
            return
        if len(self._open) > DEEPEST:
            raise TooLarge(f"the page is nested deeper than {DEEPEST} elements")
        self._open.append(place)
        self._tags.append(tag)
        self._counts[tag] += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self._write()
        if self._counts[tag]:
            while self._close() != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._text.append(data)

    def handle_comment(self, data: str) -> None:
        self._write()

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """`<![...>` is a comment, as in HTML; the library's reader asserts that it is SGML."""
        return self.parse_bogus_comment(i)

    def finish(self) -> Columns:
        """Instead of `close()`, which can take quadratic time over a malformed end: it is text."""
        if not self.cdata_elem:
            self.handle_data(unescape(self.rawdata))
        self._write()
        while self._tags:
            self._close()
        self._columns[-1][0] = len(self._columns[0])
        return self._columns

    def _write(self) -> None:
        """Make a node of the text since the last tag."""
        text = "".join(self._text)
        self._text.clear()
        if not text:
            return
        blank = not text.strip(" \t\n\r\f\v")
        if blank and not any(self._counts[tag] for tag in _VERBATIM):
            text = "\n" if "\n" in text else " "
        hiding = [tag for tag in HIDING if self._counts[tag]]
        self._add(f"#{hiding[0]}" if hiding else "", text)

    def _add(self, name: str, value: Attributes | str) -> int:
        parents, names, values, ends = self._columns
        if len(names) > MOST:
            raise TooLarge(f"the page has more than {MOST:,} nodes")
        parents.append(self._open[-1])
        names.append(name)
        values.append(value)
        ends.append(len(names))
        return len(names) - 1

    def _close(self) -> str:
        *_, ends = self._columns
        ends[self._open.pop()] = len(ends)
        tag = self._tags.pop()
        self._counts[tag] -= 1
        return tag


def _value(name: str, value: str | None) -> str | list[str]:
    return (value or "").split() if name in _LISTS else value or ""
