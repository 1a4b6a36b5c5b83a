"""A page of our sites as a raw page of Mind2Web, with its candidates.

The outer HTML of the page is the only source, with the attributes that an observation adds to the
elements that it shows. Both lanes give it, so a page has no geometry: `bounding_box_rect` is left
out of elements that are shown, and says "-1,-1,-1,-1" of those that are not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lxml import etree

from agent.interface import Element, Observation
from agent.mind2web.cleaning import BOX, NO_BOX, cleaned, meaning
from agent.mind2web.files import INSTRUMENT
from agent.mind2web.page_text import ID, TEXT, Node
from agent.text_lane import dom
from agent.text_lane.fields import fold

CLICKABLE = "is_clickable"
_LEFT_OUT = {"script", "style", "meta", "link", "noscript", "template", "base"}
_COPIED = {
    *("alt", "class", "id", "label", "name", "placeholder", "role", "title", "type", "value"),
    *("aria-description", "aria-label", "aria-role"),
}
"""The attributes of HTML that a raw page keeps; no address, style or mark of ours is among them."""
_VALUED = {"textbox", "searchbox", "spinbutton", "slider", "combobox", "listbox"}
"""The roles of elements whose `value` is what somebody entered."""
_INNER = {"option", "optgroup"}
"""Tags of elements that are shown as a part of another one, and have no place of their own."""
_FIELDS = {"input", "select", "textarea"}
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAG = re.compile(r"[a-z][a-z0-9_.-]*", re.IGNORECASE)


@dataclass(frozen=True)
class Page:
    """A raw page.

    Attributes:
        root: The root element. Elements and texts are numbered in the order of the document.
        numbers: The id of each element that the observation shows, by its number there.
        shown: The ids of all elements that are shown.
        labels: The ids of the labels of a field, by the id of the field.
    """

    root: Node
    numbers: Mapping[int, str]
    shown: frozenset[str]
    labels: Mapping[str, Sequence[str]]

    @cached_property
    def by_id(self) -> Mapping[str, Node]:
        """The elements by their ids."""
        return {node.get(ID): node for node in self.root.iter()}

    @cached_property
    def candidates(self) -> tuple[str, ...]:
        """The ids of the candidates in the order of the document.

        These are the elements that can be used, and the shown elements that have text of their own
        or an attribute that says something.
        """
        usable = {*self.numbers.values()}
        return tuple(
            number
            for number, node in self.by_id.items()
            if number in usable or (number in self.shown and _speaks(node))
        )

    def raw(self, target: str, uid: str) -> str:
        """Return the page as XML, in which an element is marked as that of an action."""
        node = self.by_id[target]
        node.set(INSTRUMENT, uid)
        text: str = etree.tostring(self.root, encoding="unicode")
        del node.attrib[INSTRUMENT]
        return text

    @cached_property
    def cleaned(self) -> str:
        """The cleaned page as XML."""
        text: str = etree.tostring(cleaned(self.root, {*self.candidates}), encoding="unicode")
        return text

    def candidate(self, number: str) -> dict[str, str]:
        """Return a candidate as the files have it."""
        node = self.by_id[number]
        attributes = json.dumps({**node.attrib}, ensure_ascii=False)
        return {"tag": node.tag, ID: number, "attributes": attributes}

    def also(self, number: str) -> tuple[str, ...]:
        """Return the candidates that are the same place as an element, or that stand for it.

        These are candidates around it or in it that hold nothing else, and the labels of a field.
        """
        node = self.by_id[number]
        found = {*_only_parents(node), *_only_children(node), *self.labels.get(number, ())}
        return tuple(each for each in self.candidates if each in found)


def _only_parents(node: Node) -> Iterator[str]:
    """Yield the ids of the elements that hold this one and nothing else, the innermost first."""
    while (outer := node.getparent()) is not None and len(outer) == 1:
        yield outer.get(ID)
        node = outer


def _only_children(node: Node) -> Iterator[str]:
    """Yield the ids of the elements that are all that this one holds, the outermost first."""
    while len(node) == 1 and node[0].tag not in (TEXT, *_INNER):
        node = node[0]
        yield node.get(ID)


def _speaks(node: Node) -> bool:
    return bool(meaning(node)) or any(child.tag == TEXT for child in node)


def page(observation: Observation) -> Page:
    """Return the raw page of an observation that has the source of the whole page."""
    return _Maker(observation).page()


class _Maker:
    """Copies the elements of a page, and numbers them."""

    def __init__(self, observation: Observation) -> None:
        self._source = observation.source
        self._elements = {each.id: each for each in observation.elements}
        self._words = _Words(observation)
        self._count = 0
        self._numbers: dict[int, str] = {}
        self._shown: set[str] = set()
        self._ids: dict[dom.Node, str] = {}

    def page(self) -> Page:
        root = dom.parse(self._source)
        made, _ = self._copied(root, is_within=False, is_hidden=False)
        return Page(made, self._numbers, frozenset(self._shown), self._labels())

    def _labels(self) -> Mapping[str, Sequence[str]]:
        """Return the ids of the labels of each field."""
        named = {each.attrib["id"]: each for each in self._ids if "id" in each.attrib}
        found: dict[str, list[str]] = {}
        for label, number in self._ids.items():
            field = _field(label, named) if label.local_name == "label" else None
            if field is not None:
                found.setdefault(self._ids[field], []).append(number)
        return found

    def _copied(self, node: dom.Node, *, is_within: bool, is_hidden: bool) -> tuple[Node, bool]:
        """Return the copy of an element, and whether it is shown.

        Args:
            node: The element.
            is_within: Whether an element that the observation shows is around it.
            is_hidden: Whether an attribute hides it or an element around it.
        """
        element = self._known(node)
        copy = etree.Element(_tag(node))
        self._ids[node] = number = self._number(copy)
        if element is not None:
            self._numbers[element.id] = number
        is_hidden = element is None and (is_hidden or _is_hidden(node))
        within = is_within or element is not None
        shown = element is not None or self._is_picture(node, is_hidden=is_hidden)
        for child in _children(node):
            if isinstance(child, str):
                shown |= self._text(copy, child, is_within=within, is_hidden=is_hidden)
            else:
                part, is_shown = self._copied(child, is_within=within, is_hidden=is_hidden)
                copy.append(part)
                shown |= is_shown
        self._describe(copy, node, element, is_shown=shown)
        return copy, shown

    def _known(self, node: dom.Node) -> Element | None:
        """Return the element of the observation, or None if the observation does not show it."""
        text = node.attrib.get("data-id", "")
        found = self._elements.get(int(text)) if text.isdecimal() else None
        is_its = found is not None and found.tag in ("", node.local_name)
        return found if is_its and found and found.id not in self._numbers else None

    def _number(self, copy: Node) -> str:
        self._count += 1
        copy.set(ID, str(self._count))
        return str(self._count)

    def _text(self, parent: Node, text: str, *, is_within: bool, is_hidden: bool) -> bool:
        """Add a text, if it has words, and return whether it is shown."""
        words = fold(_NOT_XML.sub(" ", text))
        if not words:
            return False
        copy = etree.SubElement(parent, TEXT)
        self._number(copy)
        copy.text = words
        return not is_hidden and (is_within or words in self._words)

    def _is_picture(self, node: dom.Node, *, is_hidden: bool) -> bool:
        """Return whether an element is a picture whose text the observation has."""
        text = fold(node.attrib.get("alt") or node.attrib.get("aria-label") or "")
        return bool(text) and not is_hidden and text in self._words

    def _describe(
        self, copy: Node, node: dom.Node, element: Element | None, *, is_shown: bool
    ) -> None:
        for name, text in _attributes(node, element).items():
            if written := _NOT_XML.sub(" ", text):
                copy.set(name, written)
        if not is_shown:
            copy.set(BOX, NO_BOX)
        elif node.local_name not in _INNER:
            self._shown.add(copy.get(ID))


class _Words:
    """The words that an observation shows.

    Args:
        observation: The observation.
    """

    def __init__(self, observation: Observation) -> None:
        lines = [fold(line) for line in (*observation.text.split("\n"), *_held(observation))]
        self._text = "\n".join(f" {line} " for line in lines)

    def __contains__(self, words: str) -> bool:
        return words in self._text


def _held(observation: Observation) -> Iterator[str]:
    """Yield what the fields of a page hold and offer."""
    for each in observation.elements:
        yield from (each.value or "", *each.options)


def _children(node: dom.Node) -> Iterable[dom.Node | str]:
    """Return the children of an element that a raw page has; a text area's text is its value."""
    if node.local_name == "textarea":
        return ()
    return (
        child
        for child in node.children
        if isinstance(child, str) or child.local_name not in _LEFT_OUT
    )


def _tag(node: dom.Node) -> str:
    """Return the tag of a copy; a text of a drawing must not look like a text of the page."""
    tag = node.local_name
    return "tspan" if tag == TEXT else tag if _TAG.fullmatch(tag) else "span"


def _field(label: dom.Node, named: Mapping[str, dom.Node]) -> dom.Node | None:
    """Return the field of a label, or None."""
    if "for" in label.attrib:
        return named.get(label.attrib["for"])
    inside = (each for each in label.iter_subtree() if each.local_name in _FIELDS)
    return next(inside, None)


def _is_hidden(node: dom.Node) -> bool:
    attrib = node.attrib
    return (
        "hidden" in attrib
        or attrib.get("aria-hidden") == "true"
        or attrib.get("type") == "hidden"
        or "display:none" in attrib.get("style", "").replace(" ", "")
    )


def _attributes(node: dom.Node, element: Element | None) -> dict[str, str]:
    """Return the attributes of a raw page: those of HTML, and those that an observation adds."""
    made = {name.replace("-", "_"): node.attrib[name] for name in node.attrib if name in _COPIED}
    if made.get("type") == "hidden":
        made.pop("value", None)
    if element is None:
        return made | _chosen(node)
    if element.value is not None and element.role in _VALUED:
        made.pop("value", None)
        made["input_value"] = element.value
    if "checked" in element.states:
        made["input_checked"] = "true"
    if element.name not in ("", fold(node.text), *made.values()):
        made["aria_label"] = element.name
    return made | {CLICKABLE: "true"}


def _chosen(node: dom.Node) -> dict[str, str]:
    """Return the attribute of an option that is chosen."""
    field = node.closest("select") if node.local_name == "option" else None
    label = fold(node.attrib.get("label") or node.text)
    if field is None or not label:
        return {}
    value = field.attrib.get("value", "")
    is_chosen = label == value or ("multiple" in field.attrib and label in value.split(", "))
    return {"option_selected": "true"} if is_chosen else {}
