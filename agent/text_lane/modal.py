"""A dialog that covers the rest of its page: `showModal` of HTML, and Escape, which closes it."""

from __future__ import annotations

from dataclasses import dataclass

from agent.text_lane.dom import Node
from agent.text_lane.fields import Controls


@dataclass
class Modal:
    """The dialog that is open over a page, if one is.

    Attributes:
        controls: The controls of the page, which know what has the focus.
        dialog: The dialog; None if none is open.
    """

    controls: Controls
    dialog: Node | None = None
    _focused_before: Node | None = None

    def open(self, dialog: Node) -> None:
        """Add a dialog to the end of the page and open it. The caller moves the focus into it."""
        body = next(one for one in self.controls.root.elements if one.local_name == "body")
        body.append(dialog)
        dialog.attrib["open"] = ""
        self.dialog, self._focused_before = dialog, self.controls.focused

    def close(self) -> None:
        """Close the dialog, if one is open; what had the focus before it gets it back."""
        if self.dialog is not None:
            del self.dialog.attrib["open"]
            self.dialog = None
            self.controls.focus(self._focused_before)

    def covers(self, node: Node) -> bool:
        """Return whether the dialog keeps a click from the element."""
        return self.dialog is not None and not self.dialog.contains(node)
