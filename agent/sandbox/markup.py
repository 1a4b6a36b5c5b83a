"""HTML as plain columns (lists of equal length): the part of parsing that this process does for
`agent.sandbox.soup`, which builds the tree.

The rules are those of BeautifulSoup with `html.parser`: an end tag closes all elements up to its
start tag or is ignored, `<x/>` is closed immediately, and blank text is folded to one blank or one
line end. Comments, declarations and processing instructions are left out. Parsing takes time linear
in the length.
"""

from __future__ import annotations

from collections import Counter
from html import unescape
from html.parser import HTMLParser

LONGEST = 2_000_000  # characters of HTML
MOST = 60_000  # nodes, elements and texts
PIECES = 4 * MOST  # tags, texts, comments and other pieces
DEEPEST = 300  # nested elements

HIDING = ("script", "style", "template")
"""Elements whose text is not part of the text of the elements around them."""

VOID = (
    *("area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link", "menuitem"),
    *("meta", "param", "source", "track", "wbr"),
)
"""Elements that have no content and no end tag."""

_VERBATIM = ("pre", "textarea")
_LISTS = ("class", "accesskey", "dropzone", "rel", "rev", "headers")

Attributes = dict[str, str | list[str]]
Columns = tuple[list[int], list[str], list[Attributes | str], list[int]]


class TooLarge(ValueError):
    """The page is too long, has too many nodes or is nested too deeply; the message says which."""


def nodes(html: str) -> Columns:
    """Return the nodes of HTML in document order.

    Node 0 is the document, which is its own parent. The value of an element is its attributes, that
    of a text is the text. The name of a text is "", or "#script" and the like inside an element
    that hides its text.

    Returns:
        Four lists: parents, names, values, and ends (the first node that is not inside).

    Raises:
        TooLarge: The page is too long, has too many nodes or is nested too deeply.
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
        """Count the pieces (tags, texts, comments) of the page. Raises `TooLarge` if there are too
        many.

        The parser calls this after each piece; the position is not needed.
        """
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
        """Read `<![...>` as a comment, as in HTML; the library would raise an error unless it is
        SGML.
        """
        return self.parse_bogus_comment(i)

    def finish(self) -> Columns:
        """Finish parsing and return the columns of nodes. It replaces `close()`, which can take
        quadratic time for a malformed end; such an end counts as text.
        """
        if not self.cdata_elem:
            self.handle_data(unescape(self.rawdata))
        self._write()
        while self._tags:
            self._close()
        self._columns[-1][0] = len(self._columns[0])
        return self._columns

    def _write(self) -> None:
        """Add a node for the text since the last tag."""
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
