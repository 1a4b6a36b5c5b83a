"""A visitor who only reads HTML: opens pages, fills forms and presses buttons."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from lxml import html
from werkzeug.datastructures import MultiDict


class Visitor:
    """One open page.

    Args:
        client: The client, with the cookie of the visit.
        url: The page to open first.
    """

    def __init__(self, client: FlaskClient, url: str = "/") -> None:
        self.client = client
        self.open(url)

    def open(self, url: str) -> None:
        self._take(self.client.get(url), url)

    def _take(self, response: Any, url: str) -> None:
        while response.status_code in (302, 303):
            url = response.location
            response = self.client.get(url)
        self.status, self.url, self.source = response.status_code, url, response.text
        self.page = html.fromstring(response.text)

    @property
    def text(self) -> str:
        """What the page says."""
        return " ".join(self.page.text_content().split())

    def links(self) -> dict[str, str]:
        """The address of each link, by its label."""
        return {" ".join(a.text_content().split()): a.get("href") for a in self.page.iter("a")}

    def alerts(self) -> list[str]:
        """What the page says is wrong."""
        found = self.page.xpath("//*[@class='why' or @role='alert']")
        return [each.text_content() for each in found]

    def status_lines(self) -> list[str]:
        """What the page says was kept."""
        return [each.text_content() for each in self.page.xpath("//*[@role='status']")]

    def sent(self, button: str, **filled: Any) -> MultiDict[str, str]:
        """What a browser sends if somebody fills fields and presses the button with this label."""
        pressed = next(b for b in self.page.iter("button") if b.text_content() == button)
        form = next(each for each in pressed.iterancestors("form"))
        pairs: MultiDict[str, str] = MultiDict(form.form_values())
        for name, value in filled.items():
            assert name in {each.get("name") for each in form.iter("input", "select", "textarea")}
            pairs.setlist(name, value if isinstance(value, list) else [value])
        if pressed.get("name"):
            pairs.add(pressed.get("name"), pressed.get("value"))
        self.form = form
        return pairs

    def press(self, button: str, **filled: Any) -> None:
        """Fill fields and press a button."""
        pairs = self.sent(button, **filled)
        url = self.form.get("action")
        if (self.form.get("method") or "get").lower() == "get":
            self._take(self.client.get(url, query_string=pairs), url)
        else:
            self._take(self.client.post(url, data=pairs), url)
