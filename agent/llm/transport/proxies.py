"""The proxy that the environment names for a server; none for a server on this machine."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from collections.abc import Mapping

import httpx2

from agent.llm.faults import MissingSetting

FORM = "name an http proxy as http://HOST:PORT, or unset the variable"
ADDRESS = re.compile(r"https?://([^\s/@]*@)?[^\s/@?#,;]+/?", re.IGNORECASE)


def proxy(url: httpx2.URL, environment: Mapping[str, str] = os.environ) -> httpx2.Proxy | None:
    """Return the proxy for requests to an address, or None.

    The variables are `HTTP_PROXY` or `HTTPS_PROXY`, by the address's scheme, and then `ALL_PROXY`.
    The spelling in small letters takes precedence. Hosts on this machine and hosts in `NO_PROXY`
    get no proxy.

    Args:
        url: The address.
        environment: The environment variables.

    Raises:
        MissingSetting: The variable's value is no address of a proxy. The message names both.
    """
    if is_loopback(url.host) or _is_excepted(url, _variable("no_proxy", environment)[1]):
        return None
    for name in (f"{url.scheme}_proxy", "all_proxy"):
        variable, value = _variable(name, environment)
        if value:
            return _read(variable, value)
    return None


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine by its name or number, in any spelling.

    These are `localhost`, `*.localhost`, 127.0.0.0/8 (also in short, octal or hexadecimal form),
    `0.0.0.0`, `::1`, `::`, and the IPv4 addresses written as IPv6.
    """
    name = host.strip("[]").rstrip(".").lower().partition("%")[0]
    if name == "localhost" or name.endswith(".localhost"):
        return True
    number = _number(name)
    if number is None:
        return False
    mapped = getattr(number, "ipv4_mapped", None) or number
    return bool(mapped.is_loopback or mapped.is_unspecified)


def _number(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        pass
    try:  # 127.1, 0x7f.1 and 2130706433, as the system's look-up reads them
        return ipaddress.IPv4Address(socket.inet_aton(name))
    except (OSError, UnicodeError):
        return None


def _variable(name: str, environment: Mapping[str, str]) -> tuple[str, str]:
    """Return the name of an environment variable in the spelling that is set (small letters first),
    and its value ("" if unset).
    """
    for spelled in (name, name.upper()):
        if value := environment.get(spelled, "").strip():
            return spelled, value
    return name, ""


def _read(variable: str, value: str) -> httpx2.Proxy:
    problem = f"{variable} is {re.sub(r'[^/@]*@', '', value)[:100]!r}"
    if re.match(r"socks\w*:", value, re.IGNORECASE):
        raise MissingSetting(problem, f"a SOCKS proxy is not supported; {FORM}")
    try:
        url = httpx2.URL(value)
        if not ADDRESS.fullmatch(value) or not url.host or url.port == 0 or (url.port or 1) > 65535:
            raise ValueError
        return httpx2.Proxy(url)
    except (ValueError, TypeError, httpx2.InvalidURL):
        raise MissingSetting(problem, FORM) from None


def _is_excepted(url: httpx2.URL, listed: str) -> bool:
    """Return whether `NO_PROXY` lists the host.

    An entry is `*`, a name (which includes all names below it), an address or a network, each with
    or without a port. Entries are separated by commas or spaces; invalid entries are ignored.
    """
    return any(_names(entry, url) for entry in re.split(r"[\s,;]+", listed) if entry)


def _names(entry: str, url: httpx2.URL) -> bool:
    name, port = _host_and_port(entry.lower())
    host = url.host.strip("[]").rstrip(".").lower()
    if port and port != str(url.port or {"http": 80, "https": 443}.get(url.scheme)):
        return False
    if name == "*" or _in_network(host, name):
        return True
    suffix = name.removeprefix("*").strip(".")
    return bool(suffix) and (host == suffix or host.endswith(f".{suffix}"))


def _host_and_port(entry: str) -> tuple[str, str]:
    """Return host and port ("" for none) of a text such as `host:port`, `[::1]:port` or `::1`, with
    or without a scheme.
    """
    plain = entry.rpartition("://")[2]
    if found := re.fullmatch(r"\[([^]]*)](?::(\d+))?", plain):
        return found[1], found[2] or ""
    name, mark, port = plain.partition(":")
    return (name, port) if mark and port.isdigit() else (plain, "")


def _in_network(host: str, name: str) -> bool:
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(name, strict=False)
    except ValueError:
        return False
