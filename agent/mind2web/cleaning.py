"""Cleans a raw page of Mind2Web: it makes `cleaned_html` of `raw_html`.

The files of Mind2Web bring both pages; only pages that are made into such files are cleaned here.
The rules are those of MindAct's released code (Deng et al. 2023). The first one, which removes
elements that are not shown, is described in the paper only.
"""

from __future__ import annotations

from collections.abc import Collection

from lxml import etree

from agent.mind2web.page_text import ID, TEXT, Node

BOX, NO_BOX = "bounding_box_rect", "-1,-1,-1,-1"
KEPT = (
    *("alt", "aria_description", "aria_label", "aria_role", "input_checked", "input_value"),
    *("label", "name", "option_selected", "placeholder", "role", "text_value", "title", "type"),
    "value",
)
"""The attributes that say something about an element, apart from its class."""
_DROPPED = {"role": ("presentation", "none", "link"), "type": ("hidden",)}


def cleaned(page: Node, candidates: Collection[str]) -> Node:
    """Return a cleaned copy of a raw page.

    Args:
        page: The root of the raw page. Its box tells whether an element is shown.
        candidates: The ids of the elements that stay, whatever they have.
    """
    copy = etree.fromstring(etree.tostring(page))
    _remove_hidden(copy, candidates)
    for node in reversed([*copy.iter()]):
        _clean(node, candidates)
    return copy


def _remove_hidden(page: Node, candidates: Collection[str]) -> None:
    """Remove the elements without a box, unless they hold a candidate or an element with a box."""
    for node in reversed([*page.iter()]):
        is_hidden = node.get(BOX) == NO_BOX and node.get(ID) not in candidates
        if is_hidden and node is not page and not any(child.tag != TEXT for child in node):
            node.getparent().remove(node)


def _clean(node: Node, candidates: Collection[str]) -> None:
    attributes = meaning(node)
    number = node.get(ID)
    node.attrib.clear()
    if number is not None:
        node.set(ID, number)
    node.attrib.update(attributes)
    if node.tag == TEXT:
        if not (node.text or "").strip():
            _remove(node)
    elif number not in candidates and not attributes:
        _give_way(node)


def meaning(node: Node) -> dict[str, str]:
    """Return the attributes of an element that survive cleaning, without its id."""
    folded = {name: " ".join(node.get(name, "").split()) for name in KEPT}
    found = {
        name: text
        for name, text in folded.items()
        if text and text.lower() not in _DROPPED.get(name, ())
    }
    icons = [word for word in node.get("class", "").split() if "icon" in word]
    if node.tag == "svg" and icons:
        found["class"] = " ".join(icons)
    return found


def _give_way(node: Node) -> None:
    """Put an element's only child in its place, or remove an element without a child.

    An element with text of its own, with several children or without a parent stays.
    """
    if node.getparent() is None or len(node) > 1 or (node.text or "").strip():
        return
    if len(node):
        node.getparent().replace(node, node[0])
    else:
        _remove(node)


def _remove(node: Node) -> None:
    """Remove an element from its parent, unless it is the root."""
    if node.getparent() is not None:
        node.getparent().remove(node)
