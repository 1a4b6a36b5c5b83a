"""The HTML of a part of a page, with what HTML alone does not tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cssselect2 import SelectorError, compile_selector_list

from agent.browser.faults import Refused
from agent.interface import Element
from agent.text_lane.dom import Node
from agent.text_lane.fields import fold, quoted
from agent.text_lane.names import native_role

LONGEST_SELECTOR = 4096
MOST_NESTED = 20
LONGEST = 5_000_000
"""The most characters of a source; an element within another one counts twice."""
_VOID = frozenset(
    {
        *("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"),
    }
)
_SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in '&<>"'}


def source(area: str, root: Node, shown: Sequence[Node], elements: Sequence[Element]) -> str:
    """Return the outer HTML of what a selector finds, a line each, hidden parts included.

    The tags of shown elements also tell their number, role, name, value, states and colours.

    Args:
        area: The CSS selector.
        root: The root element of the page.
        shown: The elements that an observation shows.
        elements: The same elements, as the observation has them.

    Raises:
        Refused: The selector is wrong, or finds too much.
    """
    writer = _Writer(area, dict(zip(shown, elements, strict=True)))
    return "\n".join(writer.written(node) for node in _selected(area, root))


def _selected(area: str, root: Node) -> list[Node]:
    if len(area) > LONGEST_SELECTOR:
        raise Refused(f"A selector has at most {LONGEST_SELECTOR} characters, not {len(area)}.")
    if _nesting(area) > MOST_NESTED:
        raise Refused(f"{quoted(area)} is nested too deep; {MOST_NESTED} brackets are the most.")
    try:
        tests = [each.test for each in compile_selector_list(area) if not each.pseudo_element]
    except SelectorError:
        raise Refused(f"{quoted(area)} is not a CSS selector.") from None
    return [node for node in root.iter_subtree() if any(test(node) for test in tests)]


def _nesting(area: str) -> int:
    """Return how deep the brackets of a selector stand within each other."""
    depth = deepest = 0
    for sign in area:
        if sign in "()":
            depth += 1 if sign == "(" else -1
            deepest = max(deepest, depth)
    return deepest


class _Writer:
    def __init__(self, area: str, known: Mapping[Node, Element]) -> None:
        self._area, self._known, self._length = area, known, 0

    def written(self, node: Node) -> str:
        """Return an element as HTML."""
        tag = node.local_name
        attributes = {**node.attrib, **self._attributes(node)}
        pairs = "".join(f' {name}="{to.translate(_SIGNS)}"' for name, to in attributes.items())
        opened = self._counted(f"<{tag}{pairs}>")
        if tag in _VOID:
            return opened
        inside = "".join(
            self._counted(child.translate(_SIGNS))
            if isinstance(child, str)
            else self.written(child)
            for child in node.children
        )
        return f"{opened}{inside}</{tag}>"

    def _attributes(self, node: Node) -> dict[str, str]:
        element = self._known.get(node)
        if element is None:
            return {}
        shown = {"data-id": str(element.id)}
        if element.role != native_role(node):
            shown["role"] = element.role
        if element.name != fold(node.text):
            shown["data-name"] = element.name
        if element.value is not None:
            shown["value"] = element.value
        shown |= dict.fromkeys(element.states, "")
        if element.colors:
            own = node.attrib.get("style", "").rstrip().removesuffix(";")
            styles = [f"{name}:{to}" for name, to in element.colors]
            shown["style"] = ";".join([*([own] if own else []), *styles])
        return shown

    def _counted(self, text: str) -> str:
        self._length += len(text)
        if self._length > LONGEST:
            raise Refused(f"The source at {quoted(self._area)} is too long; name a smaller part.")
        return text
