"""Calls the applications of sites in this process, as a browser would ask their servers."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import quote, quote_plus, unquote_to_bytes, urljoin, urlsplit

from agent.browser.faults import SiteSilent
from agent.browser.wall import origin_of

WSGI = Callable[[dict[str, Any], Any], Iterable[bytes]]
Pairs = Sequence[tuple[str, str]]
MOST_REDIRECTS = 20
_REDIRECTS = ("301", "302", "303", "307", "308")
_PATH = "!$&'()*+,-./:;=@_~%[]|^\\"
_QUERY = "!$&()*+,-./:;=?@_~%[]|^\\{}`"


class Outside(Exception):
    """The address lies outside the sites of the episode; `url` is the address."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


@dataclass(frozen=True)
class Answer:
    """What a site answered.

    Attributes:
        url: The address after redirections.
        status: The HTTP status, such as "200 OK".
        kind: The media type, such as "text/html".
        body: The bytes.
        is_download: Whether the browser would save it instead of showing it.
        posted: Whether the last request sent a form in its body.
    """

    url: str
    status: str
    kind: str
    body: bytes
    is_download: bool = False
    posted: bool = False

    @property
    def is_ok(self) -> bool:
        """Whether the site accepted the request."""
        return self.status.startswith("2")


class Client:
    """A visitor of some sites, with cookies.

    Args:
        sites: The application of each origin.
    """

    def __init__(self, sites: Mapping[str, WSGI]) -> None:
        self._sites = sites
        self._cookies: dict[str, dict[str, str]] = {}

    def set_cookie(self, origin: str, name: str, value: str) -> None:
        """Set a cookie for one origin."""
        self._cookies.setdefault(origin, {})[name] = value

    def load(self, url: str, fields: Pairs | None = None, referrer: str = "") -> Answer:
        """Return what a site answers, and follow its redirections.

        Args:
            url: The address.
            fields: The names and values of a form to send in the body; None for GET.
            referrer: The address of the page that leads there; "" for an address that was typed.
                Our sites let browsers send it to the same origin only.

        Raises:
            Outside: The address, or a redirection, leads to another site.
            SiteSilent: The redirections do not end.
        """
        for _ in range(MOST_REDIRECTS):
            status, headers, body = self._call(url, fields, referrer)
            if status[:3] not in _REDIRECTS or "Location" not in headers:
                kind = headers.get("Content-Type", "").partition(";")[0].strip()
                is_download = headers.get("Content-Disposition", "").startswith("attachment")
                return Answer(url, status, kind, body, is_download, fields is not None)
            url = absolute(url, headers["Location"])
            fields = fields if status[:3] in ("307", "308") else None
        raise SiteSilent(f"{url} leads in a circle")

    def _call(
        self, url: str, fields: Pairs | None, referrer: str
    ) -> tuple[str, dict[str, str], bytes]:
        try:
            origin = origin_of(url)
        except ValueError:
            raise Outside(url) from None
        application = self._sites.get(origin)
        if application is None:
            raise Outside(url)
        started: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]], problem: Any = None) -> None:
            started.update(status=status, headers=headers)

        environ = self._environ(url, origin, fields)
        if referrer and origin_of(referrer) == origin:
            environ["HTTP_REFERER"] = referrer.partition("#")[0]
        answer = application(environ, start)
        try:
            body = b"".join(answer)
        finally:
            if hasattr(answer, "close"):
                answer.close()
        headers = started["headers"]
        self._keep_cookies(origin, [value for name, value in headers if name == "Set-Cookie"])
        return started["status"], dict(headers), body

    def _environ(self, url: str, origin: str, fields: Pairs | None) -> dict[str, Any]:
        parts, sent = urlsplit(url), encoded(fields or ()).encode()
        host = origin.removeprefix("http://")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": "GET" if fields is None else "POST",
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(parts.path or "/").decode("latin-1"),
            "QUERY_STRING": parts.query,
            "HTTP_HOST": host,
            "HTTP_SEC_FETCH_DEST": "document",
            "HTTP_SEC_FETCH_MODE": "navigate",
            "HTTP_ACCEPT_LANGUAGE": "en-US",
            "SERVER_NAME": host,
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(sent),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        if fields is not None:
            environ["CONTENT_TYPE"] = "application/x-www-form-urlencoded"
            environ["CONTENT_LENGTH"] = str(len(sent))
            environ["HTTP_ORIGIN"] = origin
        if cookies := self._cookies.get(origin):
            environ["HTTP_COOKIE"] = "; ".join(f"{name}={to}" for name, to in cookies.items())
        return environ

    def _keep_cookies(self, origin: str, lines: Iterable[str]) -> None:
        for line in lines:
            for name, cookie in SimpleCookie(line).items():
                self.set_cookie(origin, name, cookie.value)


def encoded(fields: Pairs) -> str:
    """Return names and values as a form sends them."""
    return "&".join(f"{_word(name)}={_word(value)}" for name, value in fields)


def _word(text: str) -> str:
    return quote_plus(text, safe="*").replace("~", "%7E")


def absolute(here: str, address: str) -> str:
    """Return an address on a page as a whole address, as a browser writes it."""
    text = address.strip("\t\n\r\f ").translate({9: None, 10: None, 13: None})
    parts = urlsplit(urljoin(here, text))
    if parts.scheme != "http":
        return parts.geturl()
    host = (parts.hostname or "") + (f":{parts.port}" if parts.port not in (None, 80) else "")
    return parts._replace(
        netloc=host,
        path=quote(parts.path, safe=_PATH) or "/",
        query=quote(parts.query, safe=_QUERY),
        fragment=quote(parts.fragment, safe=_QUERY + "#"),
    ).geturl()
