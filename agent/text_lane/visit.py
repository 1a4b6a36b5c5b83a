"""A visit to sites without a browser: addresses, the history, forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape

from agent.browser.faults import Refused
from agent.browser.wall import task_sites
from agent.text_lane.css import Cascade
from agent.text_lane.dom import Node
from agent.text_lane.fields import Controls, FieldStates
from agent.text_lane.page import Document
from agent.text_lane.requests import WSGI, Answer, Client, Outside, Pairs, absolute, encoded

_EMPTY = "<!doctype html><title></title>"


@dataclass
class _Entry:
    """An address of the history.

    Attributes:
        url: The address.
        document: The number of its document, which addresses with fragments share.
        is_posted: Whether the page answers a form that was sent in a body. It cannot be shown
            again without sending the form, so its address is opened instead, without the texts.
        referrer: The address of the page that led there, or "".
        kept: What the fields of the page held when it was left.
    """

    url: str
    document: int = 0
    is_posted: bool = False
    referrer: str = ""
    kept: FieldStates = field(default_factory=list)


@dataclass
class Sites:
    """The sites that visits of one process may reach, with their style sheets.

    Attributes:
        applications: The application of each origin.
    """

    applications: dict[str, WSGI]
    _texts: dict[str, str] = field(default_factory=dict)
    _cascades: dict[tuple[str, ...], Cascade] = field(default_factory=dict)

    def cascade(self, client: Client, addresses: Sequence[str]) -> Cascade:
        """Return the style sheets at these addresses; each is loaded once."""
        key = tuple(addresses)
        if key not in self._cascades:
            self._cascades[key] = Cascade([self._text(client, each) for each in key])
        return self._cascades[key]

    def _text(self, client: Client, address: str) -> str:
        if address not in self._texts:
            answer = client.load(address)
            self._texts[address] = (
                answer.body.decode("utf-8", "replace") if answer.kind == "text/css" else ""
            )
        return self._texts[address]


class Visit:
    """A visit of one episode: the document that is open, and the addresses before and after it.

    Args:
        sites: The sites.
        origins: The origins that the episode may reach.
    """

    def __init__(self, sites: Sites, origins: Sequence[str]) -> None:
        self._sites, self._origins = sites, tuple(origins)
        reachable = {each: sites.applications[each] for each in origins}
        self.client = Client(reachable)
        self._entries: list[_Entry] = []
        self._at = -1
        self.documents = 0
        self.url = ""
        self.document = Document(_EMPTY, lambda hrefs: Cascade(()))

    @property
    def state(self) -> tuple[int, str]:
        """The number of the document, and its address without the fragment."""
        return self.documents, self.url.partition("#")[0]

    def open(self, url: str) -> None:
        """Load the first page; the history begins with it."""
        self.go(url, is_typed=True)
        self._entries, self._at = [_Entry(self.url, self.documents)], 0

    def go(
        self,
        url: str,
        fields: Pairs | None = None,
        *,
        is_sent: bool = False,
        is_typed: bool = False,
    ) -> None:
        """Load an address as the next entry of the history.

        Args:
            url: The address.
            fields: The names and values of a form to send in the body; None for GET.
            is_sent: Whether a form is sent, in the body or in the address.
            is_typed: Whether the agent gives the address. A place of the open document that is
                given twice is two entries of the history; a link that is followed twice is one.

        Raises:
            Refused: The address lies outside, or is not a page.
        """
        if fields is None and self._entries and _is_within(self.url, url):
            entry, replaces = self._entries[self._at], self.url == url and not is_typed
            self.url = url
            self._enter(replace(entry, url=url, kept=[]), replaces=replaces)
            return
        here, referrer = self.url, "" if is_typed else self.url
        answer = self._answer(url, fields, referrer)
        self._keep()
        self._show(answer)
        replaces = not is_sent and bool(self._entries) and url == here
        entry = _Entry(self.url, self.documents, answer.posted, referrer)
        self._enter(entry, replaces=replaces)

    def follow(self, address: str) -> None:
        """Follow a link of the page. Raises `Refused`."""
        self.go(absolute(self.url, address))

    def travel(self, step: int) -> None:
        """Go `step` entries through the history. Raises `Refused` at either end."""
        at = self._at + step
        if not 0 <= at < len(self._entries):
            raise Refused(f"There is no page to go {'back' if step < 0 else 'forward'} to.")
        self._keep()
        here, entry = self._entries[self._at], self._entries[at]
        self._at = at
        if here.document == entry.document:
            self.url = entry.url
            return
        self._show(self._answer(entry.url, None, entry.referrer))
        if entry.is_posted:
            entry.document, entry.is_posted = self.documents, False
        else:
            self.document.controls.restore(entry.kept)

    @property
    def controls(self) -> Controls:
        """What the fields of the page hold."""
        return self.document.controls

    def fetch(self, address: str, fields: Pairs | None = None) -> Answer:
        """Return what the site answers to an address, without leaving the page."""
        return self.client.load(absolute(self.url, address), fields, self.url)

    def show_modal(self, dialog: Node) -> None:
        """Add a dialog to the page and open it over everything else."""
        self.document.show_modal(dialog)

    def changed(self, node: Node) -> None:
        """Let the page's scripts learn that somebody chose something in a field."""
        for script in self.document.scripts:
            script.changed(self, node)

    def typed(self, node: Node) -> None:
        """Let the page's scripts learn that somebody changed the text of a field."""
        for script in self.document.scripts:
            script.typed(self, node)

    def send(self, form: Node, button: Node | None) -> None:
        """Send a form, as a click on `button` does. Raises `Refused`."""
        if any(script.sends(self, form) for script in self.document.scripts):
            return
        controls = self.document.controls
        given = button.attrib if button is not None else {}
        action = given.get("formaction") or form.attrib.get("action") or self.url
        method = (given.get("formmethod") or form.attrib.get("method", "get")).lower()
        address, fields = absolute(self.url, action), controls.sent(form, button)
        if method == "post":
            self.go(address, fields, is_sent=True)
        else:
            place = address.partition("#")[0].partition("?")[0]
            self.go(f"{place}?{encoded(fields)}", is_sent=True)

    def _answer(self, url: str, fields: Pairs | None, referrer: str) -> Answer:
        try:
            answer = self.client.load(url, fields, referrer)
        except Outside as away:
            if self.url:
                self._show(self.client.load(self.url, None, self._entries[self._at].referrer))
            raise Refused(
                f"{away.url[:200]} is outside {task_sites(*self._origins)}; it was not opened."
            ) from None
        if answer.is_download:
            raise Refused(f"{url} is not a page.")
        return answer

    def _show(self, answer: Answer) -> None:
        html = answer.body if answer.kind == "text/html" else _as_page(answer)
        self.url = answer.url
        self.documents += 1
        self.document = Document(html, self._sheets)

    def _sheets(self, hrefs: Sequence[str]) -> Cascade:
        return self._sites.cascade(self.client, [absolute(self.url, href) for href in hrefs])

    def _keep(self) -> None:
        """Keep what the fields of the page hold that is left now."""
        if self._entries:
            self._entries[self._at].kept = self.document.controls.kept()

    def _enter(self, entry: _Entry, *, replaces: bool = False) -> None:
        """Make the address that is open the newest entry of the history.

        Args:
            entry: The entry.
            replaces: Whether it replaces the entry that is open: the address that was asked for is
                the one that is open already.
        """
        if replaces:
            self._entries[self._at] = entry
            return
        del self._entries[self._at + 1 :]
        self._entries.append(entry)
        self._at += 1


def _is_within(here: str, url: str) -> bool:
    """Return whether an address is a place in the document that is open."""
    return "#" in url and here.partition("#")[0] == url.partition("#")[0]


def _as_page(answer: Answer) -> str:
    """Return an answer that is not HTML as the page that a browser shows."""
    if answer.kind.startswith("text/") or answer.kind == "application/json":
        return f"<!doctype html><body><pre>{escape(answer.body.decode('utf-8', 'replace'))}</pre>"
    return _EMPTY
