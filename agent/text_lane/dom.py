"""The elements of a page, as the HTML parser gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser

DEEPEST = 400
"""Levels of elements that are kept; deeper ones are dropped."""


class Node:
    """An element of a page.

    Selectors that `cssselect2` compiles can test it (`local_name`, `classes` and so on).

    Attributes:
        local_name: Tag in lower case.
        attrib: Attributes; one without a value has "".
        parent: Element around it, or None.
        children: Elements and texts in it, in order.
        style: Its computed style; set by `css.Cascade`.
    """

    __slots__ = ("attrib", "children", "local_name", "parent", "style")
    in_html_document = True
    namespace_url = "http://www.w3.org/1999/xhtml"

    def __init__(self, local_name: str, attrib: dict[str, str], parent: Node | None) -> None:
        self.local_name, self.attrib, self.parent = local_name, attrib, parent
        self.children: list[Node | str] = []
        self.style: Any = None

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return an attribute, or `default`."""
        return self.attrib.get(name, default)

    @property
    def etree_element(self) -> Node:
        """Return the element itself, which has `get` and `attrib`."""
        return self

    @property
    def id(self) -> str | None:
        """Return the attribute `id`."""
        return self.attrib.get("id")

    @property
    def classes(self) -> set[str]:
        """Return the classes."""
        return {*self.attrib.get("class", "").split()}

    @property
    def ancestors(self) -> Iterator[Node]:
        """Yield the elements around it, the innermost first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    @property
    def elements(self) -> list[Node]:
        """Return the elements directly in it."""
        return [child for child in self.children if isinstance(child, Node)]

    @property
    def index(self) -> int:
        """Return its position among the elements of its parent, from 0."""
        return self.parent.elements.index(self) if self.parent else 0

    @property
    def previous(self) -> Node | None:
        """Return the element before it, or None."""
        return self.parent.elements[self.index - 1] if self.parent and self.index else None

    @property
    def previous_siblings(self) -> list[Node]:
        """Return the elements before it, in the same parent."""
        return self.parent.elements[: self.index] if self.parent else []

    @property
    def next_siblings(self) -> list[Node]:
        """Return the elements after it, in the same parent."""
        return self.parent.elements[self.index + 1 :] if self.parent else []

    def iter_next_siblings(self) -> Iterator[Node]:
        """Yield the elements after it, in the same parent."""
        return iter(self.next_siblings)

    def iter_siblings(self) -> Iterator[Node]:
        """Yield all elements of its parent."""
        return iter(self.parent.elements if self.parent else [self])

    def iter_children(self) -> Iterator[Node]:
        """Yield the elements directly in it."""
        return iter(self.elements)

    def iter_subtree(self) -> Iterator[Node]:
        """Yield the element and all elements in it, in the order of the page."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            if node.children:
                waiting += [one for one in reversed(node.children) if isinstance(one, Node)]

    @property
    def text(self) -> str:
        """Return all text in it."""
        parts: list[str] = []
        _gather(self, parts.append)
        return "".join(parts)

    def append(self, child: Node) -> None:
        """Add an element at the end of this one."""
        child.parent = self
        self.children.append(child)

    def remove(self) -> None:
        """Take the element out of the one around it."""
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent = None

    def contains(self, other: Node | None) -> bool:
        """Return whether the other element is this one or in it."""
        return other is self or (other is not None and any(one is self for one in other.ancestors))

    def closest(self, *tags: str) -> Node | None:
        """Return the innermost element with one of these tags: itself or around it, or None."""
        if self.local_name in tags:
            return self
        return next((one for one in self.ancestors if one.local_name in tags), None)


def _gather(node: Node, take: Callable[[str], None]) -> None:
    for child in node.children:
        if isinstance(child, str):
            take(child)
        else:
            _gather(child, take)


def parse(html: bytes | str) -> Node:
    """Return the root element of a page."""
    root = LexborHTMLParser(html).root
    assert root is not None
    return _built(root, None, 0)


def _built(found: Any, parent: Node | None, level: int) -> Node:
    attrib = found.attributes
    if None in attrib.values():
        attrib = {name: value or "" for name, value in attrib.items()}
    node = Node(found.tag, attrib, parent)
    child = found.first_child
    if level > DEEPEST or child is None:
        return node
    add = node.children.append
    while child is not None:
        tag = child.tag
        if tag == "-text":
            add(child.text_content)
        elif tag[0] not in "-!":
            add(_built(child, node, level + 1))
        child = child.next
    return node
