"""A copy of a page for `lxml`, which evaluates XPaths."""

from __future__ import annotations

import re
from functools import cached_property

from lxml import etree

from agent.browser.faults import Refused
from agent.text_lane.dom import Node
from agent.text_lane.fields import Controls, quoted


class Mirror:
    """The tree of a page as `lxml` has it. The copy is made for the first XPath, and the page must
    not change after that.

    Args:
        controls: The controls of the page.
    """

    def __init__(self, controls: Controls) -> None:
        self._controls = controls

    def find(self, path: str) -> Node:
        """Return the first element that an XPath finds. Raises `Refused`."""
        tree, nodes = self._copy
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
    def _copy(self) -> tuple[etree._ElementTree, dict[etree._Element, Node]]:
        """The tree, and the page's element of each of its elements."""
        nodes: dict[etree._Element, Node] = {}

        def copied(node: Node) -> etree._Element:
            made = etree.Element(_xml_name(node.local_name))
            for name, value in self._attributes(node).items():
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

        return etree.ElementTree(copied(self._controls.root)), nodes

    def _attributes(self, node: Node) -> dict[str, str]:
        """Return the attributes; a click on a choice leaves `checked` as the HTML has it."""
        first = self._controls.first_checked.get(node)
        if first is None:
            return node.attrib
        others = {name: value for name, value in node.attrib.items() if name != "checked"}
        return {**others, "checked": ""} if first else others


def _xml_name(name: str) -> str:
    return re.sub(r"[^\w.-]", "_", name) if re.match(r"[A-Za-z_]", name) else f"_{len(name)}"


def _xml_text(text: str) -> str:
    return re.sub(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
