"""The scripts of our own pages that this lane knows, written again in Python.

A page whose scripts are all known acts here as it does in a browser. `known` refuses any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from agent.text_lane import dom
from agent.text_lane.dom import Node
from agent.text_lane.faults import UnknownScript
from agent.text_lane.fields import Controls, form_of
from agent.text_lane.requests import Answer, Pairs


class Reach(Protocol):
    """What a script can do on its page."""

    @property
    def controls(self) -> Controls:
        """What the fields of the page hold."""

    def follow(self, address: str) -> None:
        """Load an address of the page."""

    def send(self, form: Node, button: Node | None) -> None:
        """Send a form, as a click on a button does."""

    def fetch(self, address: str, fields: Pairs | None = None) -> Answer:
        """Return what the site answers to an address, without leaving the page."""

    def show_modal(self, dialog: Node) -> None:
        """Add a dialog to the page and open it over everything else."""


class Script:
    """A script that does nothing."""

    def changed(self, page: Reach, node: Node) -> None:
        """Learn that somebody chose or finished something in a field."""

    def typed(self, page: Reach, node: Node) -> None:
        """Learn that the text of a field has changed."""

    def sends(self, page: Reach, form: Node) -> bool:
        """Return whether the script does what sending the form would do."""
        return False


class _Store(Script):
    """`store.js`: an option loads its page; a form that only leads somewhere is a link."""

    def changed(self, page: Reach, node: Node) -> None:
        address = node.attrib.get("data-url")
        if address:
            page.follow(address)

    def sends(self, page: Reach, form: Node) -> bool:
        if "go" not in form.attrib.get("class", "").split():
            return False
        page.follow(form.attrib.get("action", ""))
        return True


class _Contact(Script):
    """`contact.js`: each field is kept as a draft while somebody types."""

    _LONGEST = 5_000

    def typed(self, page: Reach, node: Node) -> None:
        form = form_of(node)
        if form is None or form.id != "contact":
            return
        held = {one.attrib.get("name"): one for one in page.controls.of(form)}
        fields = [(name, page.controls.value(held[name])) for name in ("csrf", "messages")]
        value = page.controls.value(node)[: self._LONGEST]
        fields += [("field", node.attrib.get("name", "")), ("value", value)]
        kept = page.fetch(form.attrib.get("data-drafts", ""), fields).is_ok
        note = next((one for one in page.controls.root.iter_subtree() if one.id == "kept"), None)
        if note is not None:
            note.children = ["Draft saved." if kept else "This draft cannot be saved."]


class _Outlet(Script):
    """`outlet.js`: a choice is sent at once, and the basket opens over the page."""

    def changed(self, page: Reach, node: Node) -> None:
        form = form_of(node)
        if "data-submit" in node.attrib and form is not None:
            page.send(form, None)

    def sends(self, page: Reach, form: Node) -> bool:
        if "data-dialog" not in form.attrib:
            return False
        address = form.attrib.get("action", "")
        answer = page.fetch(address)
        dialog = _dialog(dom.parse(answer.body))
        if not answer.is_ok or dialog is None:
            page.follow(address)
            return True
        earlier = _dialog(page.controls.root)
        if earlier is not None:
            earlier.remove()
        page.show_modal(dialog)
        return True


def _dialog(root: Node) -> Node | None:
    return next((one for one in root.iter_subtree() if one.local_name == "dialog"), None)


KNOWN: Mapping[str, Script] = {
    "/static/store.js": _Store(),
    "/static/contact.js": _Contact(),
    "/static/outlet.js": _Outlet(),
}
"""The known scripts by address."""


def known(addresses: Sequence[str]) -> list[Script]:
    """Return the scripts at these addresses.

    Raises:
        UnknownScript: One is not known.
    """
    for address in addresses:
        if address not in KNOWN:
            raise UnknownScript(address)
    return [KNOWN[address] for address in addresses]
