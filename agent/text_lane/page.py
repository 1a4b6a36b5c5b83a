"""A page that is open: its document, and what was read of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.browser import xpath
from agent.browser.faults import Refused
from agent.interface import Element, Target, Text
from agent.text_lane import dom
from agent.text_lane.css import Cascade
from agent.text_lane.dom import Node
from agent.text_lane.fields import Controls, fold, quoted, takes_focus
from agent.text_lane.mirror import Mirror
from agent.text_lane.modal import Modal
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
        self.modal = Modal(self.controls)
        self.inputs = tuple(self.root.attrib.get("data-inputs", "").split())
        self._look()

    def _look(self) -> None:
        """Forget what was read of the page, because it may have changed."""
        self.names = Names(self.controls, self.cascade)
        self.walk = PageReader(self.controls, self.cascade, self.names, self.modal)
        self._mirror = Mirror(self.controls)

    def read(self) -> tuple[Element | Text, ...]:
        """Return the content of the page as it is now."""
        self._look()
        return self.walk.read()

    def show_modal(self, dialog: Node) -> None:
        """Add a dialog to the page, open it over everything else, and move the focus into it."""
        self.modal.open(dialog)
        self._look()
        inside = (one for one in dialog.iter_subtree() if takes_focus(one))
        self.controls.focus(next(filter(self.walk.is_hit, inside), dialog))

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
            return self._mirror.find(target)
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


def _is_sheet(node: Node) -> bool:
    return node.local_name == "link" and "stylesheet" in node.attrib.get("rel", "").split()
