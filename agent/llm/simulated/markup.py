"""A reader of outer HTML that does not see the page: elements with ids, their states, and the texts
between them.
"""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from agent.interface import STATES, Element, Observation, Text
from agent.renderings.roles import implied

_VOID = frozenset(("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"))
_PICTURES = frozenset(("img", "svg"))
_INLINE = frozenset(("a", "b", "em", "i", "small", "span", "strong", "text", "tspan", "u"))
_ROLES = {
    **{f"h{level}": "heading" for level in range(1, 7)},
    "td": "cell",
    "th": "columnheader",
    "li": "listitem",
    "label": "label",
    "legend": "legend",
}
_NESTED = re.compile(rf"<(?!(?:{'|'.join(sorted(_VOID))})\b)\w[^>]*>\s*<(?!option)\w")
_YEAR = re.compile(r"\d{4}")
_COLOURS = frozenset(("color", "background-color", "fill", "stroke"))


def is_markup(page: str) -> bool:
    """Return whether a page is shown as outer HTML: its first tag contains another tag."""
    return _NESTED.match(page) is not None


def parse(page: str) -> Observation:
    """Return the observation that outer HTML shows: marked elements and texts in reading order,
    without hidden parts.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return Observation("", "", tuple(reader.content()))


@dataclass
class _Open:
    """An HTML element that is not closed yet; `place` is its index in the observation's content,
    None if it has no id.
    """

    tag: str
    hidden: bool
    role: str
    place: int | None = None
    name: str | None = None
    """The name that the element's tag gives. If it is empty, texts inside the element are shown
    separately.
    """
    texts: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.stack = [_Open("", False, "text")]
        self.found: list[Element | Text] = []
        self.run: list[str] = []

    def content(self) -> Iterator[Element | Text]:
        self._flush()
        yield from self.found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        outer, attributes = self.stack[-1], {name: value or "" for name, value in attrs}
        self._gap(tag)
        opened = _Open(tag, outer.hidden or _hides(tag, attributes), _ROLES.get(tag, outer.role))
        if "data-id" not in attributes:
            opened.role = attributes.get("role", opened.role)
        if "data-id" in attributes and not opened.hidden:
            opened.place, opened.name = len(self.found), attributes.get("data-name")
            self.found.append(_element(tag, attributes, self._depth))
        elif tag in _PICTURES and not opened.hidden:
            label = attributes.get("aria-label") or attributes.get("alt", "")
            self.found += [Text(label, "img", self._depth)] if label else []
        if tag not in _VOID:
            self.stack.append(opened)

    def handle_endtag(self, tag: str) -> None:
        while len(self.stack) > 1:
            closed = self.stack[-1]
            self._gap(tag)
            if closed.place is not None:
                self._finish(closed.place, closed)
            self.stack.pop()
            if closed.tag == tag:
                return

    def handle_data(self, data: str) -> None:
        if self.stack[-1].hidden:
            return
        inside = [each for each in self.stack if each.place is not None]
        for each in inside:
            each.texts.append(data)
        if all(each.name == "" for each in inside):
            self.run.append(data)

    def _finish(self, place: int, closed: _Open) -> None:
        element = self.found[place]
        assert isinstance(element, Element)
        if element.tag == "select":
            options = tuple(each.strip() for each in "".join(closed.texts).split("\n") if each)
            self.found[place] = replace(element, options=options)
        elif closed.name is None:
            self.found[place] = replace(element, name=_fold(closed.texts))

    def _gap(self, tag: str) -> None:
        """Separate the texts before and after a tag; the tag of a block also separates words in the
        names of enclosing elements.
        """
        for each in self.stack if tag not in _INLINE else ():
            each.texts.append(" " if each.tag != "select" else "\n")
        self._flush()

    def _flush(self) -> None:
        text, self.run = _fold(self.run), []
        last = self.found[-1] if self.found else None
        if isinstance(last, Text) and last.text in month_name and _YEAR.fullmatch(text):
            self.found[-1] = replace(
                last, text=f"{last.text} {text}"
            )  # month and year form one text
        elif text:
            self.found.append(Text(text, self.stack[-1].role, self._depth))

    @property
    def _depth(self) -> int:
        return sum(each.place is not None for each in self.stack)


def _fold(texts: list[str]) -> str:
    return " ".join("".join(texts).split())


def _hides(tag: str, attributes: Mapping[str, str]) -> bool:
    style = attributes.get("style", "").replace(" ", "")
    return "hidden" in attributes or "display:none" in style or "visibility:hidden" in style


def _element(tag: str, attributes: Mapping[str, str], depth: int) -> Element:
    kind = attributes.get("type", "text") if tag == "input" else ""
    pairs = (pair.partition(":") for pair in attributes.get("style", "").split(";"))
    return Element(
        int(attributes["data-id"]),
        attributes.get("role", implied(tag, kind)),
        attributes.get("data-name", ""),
        attributes.get("value"),
        tuple(state for state in STATES if state in attributes),
        tag,
        attributes.get("id", ""),
        kind,
        colors=tuple((key, colour) for key, _, colour in pairs if key in _COLOURS),
        depth=depth,
    )
