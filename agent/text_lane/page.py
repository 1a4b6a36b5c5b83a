"""A page that is open: its document, and what was read of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from lxml import etree

from agent.browser import xpath
from agent.browser.faults import Refused
from agent.interface import Element, Target, Text
from agent.text_lane import dom
from agent.text_lane.css import Cascade
from agent.text_lane.dom import Node
from agent.text_lane.fields import Controls, fold, quoted
from agent.text_lane.names import INTERACTIVE, Names, native_role, spoken_role
from agent.text_lane.scripts import known
from agent.text_lane.source import source
from agent.text_lane.walk import PageReader

Sheets = Callable[[Sequence[str]], Cascade]
"""A function that gives the style sheets at these addresses, from the page's own address on."""
LONGEST_TARGET = 4096


class Document:
    """A document with the state of its fields.

    Args:
        html: The HTML.
        sheets: Loads style sheets.
    """

    def __init__(self, html: bytes | str, sheets: Sheets) -> None:
        self.root = dom.parse(html)
        self.controls = Controls(self.root)
        head = next(iter(self.root.elements), None)
        inside = head.elements if head else []
        self.title = fold(next((one.text for one in inside if one.local_name == "title"), ""))
        hrefs = [one.attrib.get("href", "") for one in inside if _is_sheet(one)]
        self.cascade = sheets(hrefs)
        self.scripts = known(
            [one.attrib.get("src", "") for one in inside if one.local_name == "script"]
        )
        self.names = Names(self.controls, self.cascade)
        self.walk = PageReader(self.controls, self.cascade, self.names)
        self.inputs = tuple(self.root.attrib.get("data-inputs", "").split())

    def read(self) -> tuple[Element | Text, ...]:
        """Return the content of the page as it is now."""
        self.walk = PageReader(self.controls, self.cascade, self.names)
        return self.walk.read()

    def source(self, area: str, content: Sequence[Element | Text]) -> tuple[str, str]:
        """Return the HTML of what a selector finds, or "" and a sentence about the selector."""
        elements = [node for node in content if isinstance(node, Element)]
        try:
            return source(area, self.root, self.walk.shown, elements), ""
        except Refused as problem:
            return "", str(problem)

    # Targets -----------------------------------------------------------------------------------

    def find(self, target: Target) -> Node:
        """Return the element that a target names. Raises `Refused`."""
        if isinstance(target, int):
            if 0 < target <= len(self.walk.shown):
                return self.walk.shown[target - 1]
            raise Refused(f"There is no element {target} on this page.")
        if not 0 < len(target.strip()) <= LONGEST_TARGET:
            raise Refused(f"A target has 1 to {LONGEST_TARGET} characters, not {len(target)}.")
        if xpath.is_path(target):
            xpath.check(target)
            return self._by_path(target)
        return self._by_name(target)

    def _by_name(self, name: str) -> Node:
        wanted = fold(name)
        names = [self._current_name(node) for node in self.walk.shown]
        if wanted not in names:
            names, wanted = [one.lower() for one in names], wanted.lower()
        if wanted in names:
            return self.walk.shown[names.index(wanted)]
        raise Refused(f"No element on this page is named {quoted(fold(name))}.")

    def _current_name(self, node: Node) -> str:
        spoken = spoken_role(node)
        role = spoken if spoken in INTERACTIVE else native_role(node)
        return self.names.name(node, role or "generic")

    def _by_path(self, path: str) -> Node:
        tree, nodes = self._mirror
        try:
            found = tree.xpath(path)
        except (etree.XPathError, TypeError, ValueError):
            found = None
        if not isinstance(found, list):
            raise Refused(f"{quoted(path)} is not an XPath that finds elements.")
        first = found[0] if found else None
        if isinstance(first, str):
            first = first.getparent()  # type: ignore[attr-defined]  # of lxml's smart strings
        if first is None or first not in nodes:
            raise Refused(f"Nothing on this page is at {quoted(path)}.")
        return nodes[first]

    @cached_property
    def _mirror(self) -> tuple[etree._ElementTree, dict[etree._Element, Node]]:
        """The same tree for `lxml`, which evaluates XPaths, and its elements."""
        nodes: dict[etree._Element, Node] = {}

        def copied(node: Node) -> etree._Element:
            made = etree.Element(_xml_name(node.local_name))
            for name, value in node.attrib.items():
                made.set(_xml_name(name), _xml_text(value))
            nodes[made] = node
            last: etree._Element | None = None
            for child in node.children:
                if isinstance(child, Node):
                    last = copied(child)
                    made.append(last)
                elif last is None:
                    made.text = (made.text or "") + _xml_text(child)
                else:
                    last.tail = (last.tail or "") + _xml_text(child)
            return made

        return etree.ElementTree(copied(self.root)), nodes


def _is_sheet(node: Node) -> bool:
    return node.local_name == "link" and "stylesheet" in node.attrib.get("rel", "").split()


def _xml_name(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name) if re.match(r"[A-Za-z_]", name) else f"_{len(name)}"


def _xml_text(text: str) -> str:
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
