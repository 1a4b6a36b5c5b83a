"""The wall (the network isolation of the browser): a page or an agent reaches only the task's site.

It has three layers, and each would be enough in most cases:

1. The browser resolves the sites' names to their loopback ports. Every other name, IP address and
   port resolves to nothing.
2. Every context has a proxy, a small server of ours that answers 403 to everything. The task's own
   origins, mostly a single origin, are excepted from it. So a lane of one site cannot reach another
   site of the same browser in any way (redirect, worker, WebSocket, prefetch), and requests to its
   own site are not slowed down.
3. `address` refuses addresses that an agent may not type, and `outside` checks every page after
   every action.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from agent.browser.faults import Refused

WALL_HOST = "wall.invalid"
_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
_PAGE = b"<!doctype html><title>Outside</title><p>This address is outside the task's site."
_HEAD_LIMIT = 65536
_HEAD_SECONDS = 5.0


@dataclass
class Wall:
    """The server that answers 403; `refused` contains the last request lines that it saw."""

    port: int
    refused: deque[str] = field(default_factory=lambda: deque(maxlen=1000))

    def resolver_rules(self, hosts: Mapping[str, int]) -> str:
        """Return the value of Chromium's `--host-resolver-rules` for sites on these loopback
        ports.
        """
        sites = [f"MAP {_checked(host)}:80 127.0.0.1:{port}" for host, port in hosts.items()]
        ours = f"MAP {WALL_HOST}:80 127.0.0.1:{self.port}"
        return ", ".join([*sites, ours, "MAP * ~NOTFOUND"])

    def bypass(self, *hosts: str) -> str:
        """Return the proxy exceptions of a context that may reach these hosts only."""
        return ",".join(["<-loopback>", *(f"http://{host}:80" for host in hosts)])


def _checked(host: str) -> str:
    if not _NAME.fullmatch(host):
        raise ValueError(f"{host!r} is not a host name; use one such as store.localhost")
    return host


@asynccontextmanager
async def wall() -> AsyncIterator[Wall]:
    """Run the refusing server on a free loopback port during the block."""
    refused: deque[str] = deque(maxlen=1000)

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        refused.append(await _request_line(reader))
        writer.write(
            b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nCache-Control: no-store\r\n"
            b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(_PAGE), _PAGE)
        )
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0, limit=_HEAD_LIMIT)
    try:
        yield Wall(server.sockets[0].getsockname()[1], refused)
    finally:
        server.close()


async def _request_line(reader: asyncio.StreamReader) -> str:
    """Read the head of a request and return its first line; "" if the request is broken."""
    try:
        async with asyncio.timeout(_HEAD_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
    except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return ""
    return head.split(b"\r\n", 1)[0].decode("latin-1")


def origin_of(url: str) -> str:
    """Return the origin `http://host` of a site's address. Raises ValueError for an address of
    another form.
    """
    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.hostname or parts.port not in (None, 80):
        raise ValueError(f"{url!r} is no site's address; it must be like http://store.localhost/")
    return f"http://{parts.hostname}"


def outside(url: str, *origins: str) -> bool:
    """Return whether a page at this address is outside the task's origins; an empty page is not."""
    if url in ("", "about:blank"):
        return False
    return not any(url == each or url.startswith(each + "/") for each in origins)


def address(typed: str, here: str, *origins: str) -> str:
    """Return the absolute address that the agent's text stands for, if the agent may go there.

    Only plain http addresses of the task's own origins are allowed. Addresses that browsers and
    parsers interpret differently (with blanks, control characters, backslashes or user names) are
    refused.

    Args:
        typed: The address as the agent wrote it.
        here: The current address, for relative addresses.
        *origins: The task's origins.

    Raises:
        Refused: The agent may not go there.
    """
    text = typed.strip()
    hosts = [each.removeprefix("http://") for each in origins]
    if not text or re.search(r"[\s\\\x00-\x1f\x7f]", text):
        raise Refused(f"{_short(typed)} is not an address.")
    if re.match(rf"({'|'.join(map(re.escape, hosts))})(?::80)?(?=[/?#]|$)", text, re.IGNORECASE):
        text = "http://" + text
    try:
        parts = urlsplit(urljoin(here, text))
        same = (parts.scheme, parts.port or 80) == ("http", 80) and parts.hostname in hosts
    except ValueError:
        raise Refused(f"{_short(typed)} is not an address.") from None
    if not same or "@" in parts.netloc:
        raise Refused(f"{_short(typed)} is outside {task_sites(*origins)}.")
    return parts._replace(netloc=str(parts.hostname)).geturl()


def task_sites(*origins: str) -> str:
    """Return the origins of the task as part of a sentence for the agent."""
    return f"this task's site{'s' if len(origins) > 1 else ''}, {' and '.join(origins)}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:100] + "...")
