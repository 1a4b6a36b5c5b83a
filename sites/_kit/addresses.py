"""Addresses: `<name>` stands for an argument, `<*name>` at the end for one that may contain `/`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote


def names(address: str) -> list[str]:
    """Return the names of the arguments in an address."""
    return [_name(slot) for slot in slots(address)]


def slots(address: str) -> list[str]:
    """Return the parts of an address that stand for arguments."""
    return [part for part in address.split("/") if _is_slot(part)]


def early(address: str) -> list[str]:
    """Return the slots before the end of an address whose arguments may contain `/`."""
    return [part for part in address.split("/")[:-1] if _is_rest(part)]


def write(address: str, args: Mapping[str, str]) -> str:
    """Return an address with its arguments."""
    parts = (
        quote(args[_name(part)], safe="/" if _is_rest(part) else "") if _is_slot(part) else part
        for part in address.split("/")
    )
    return "/".join(parts)


def match(address: str, parts: Sequence[str]) -> dict[str, str] | None:
    """Return the arguments of a path, or None if it is not of this address.

    Args:
        address: The address with its slots.
        parts: The parts of the path.
    """
    pattern = address.split("/")
    if _is_rest(pattern[-1]) and len(parts) > len(pattern):
        at = len(pattern) - 1
        parts = [*parts[:at], "/".join(parts[at:])]
    if len(pattern) != len(parts):
        return None
    pairs = [*zip(pattern, parts, strict=True)]
    if not all(part if _is_slot(own) else own == part for own, part in pairs):
        return None
    return {_name(own): part for own, part in pairs if _is_slot(own)}


def meet(one: str, other: str) -> bool:
    """Return whether a path may be of both addresses."""
    first, second = one.split("/"), other.split("/")
    if len(first) > len(second):
        first, second = second, first
    is_longer = len(first) < len(second)
    if is_longer and not _is_rest(first[-1]):
        return False
    ends_open = _is_rest(first[-1]) or _is_rest(second[-1])
    pairs = zip(first, second, strict=not ends_open)
    return all(a == b or (a and _is_slot(b)) or (b and _is_slot(a)) for a, b in pairs)


def _is_slot(part: str) -> bool:
    return part[:1] == "<"


def _is_rest(part: str) -> bool:
    return part[:2] == "<*"


def _name(slot: str) -> str:
    return slot.strip("<*>")
