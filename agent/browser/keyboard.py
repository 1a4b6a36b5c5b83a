"""The keys of a US keyboard, as events of the DevTools protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

Event = dict[str, Any]
"""The parameters of `Input.dispatchKeyEvent`."""

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
_SHIFT = MODIFIERS["Shift"]


class UnknownKey(ValueError):
    """The error for a key that the keyboard does not have."""


@dataclass(frozen=True)
class Key:
    """A key of the keyboard.

    Attributes:
        name: `key` of a `KeyboardEvent`.
        code: `code` of a `KeyboardEvent`.
        number: Virtual key code of Windows.
        text: The text that the key types.
        location: 1 for left, 2 for right, 3 for the number pad, else 0.
        shifted: The same key with Shift; None if Shift makes no difference.
    """

    name: str
    code: str
    number: int
    text: str = ""
    location: int = 0
    shifted: Key | None = None


_SIGNS = (
    *(("Backquote", "`~", 192), ("Minus", "-_", 189), ("Equal", "=+", 187)),
    *(("BracketLeft", "[{", 219), ("BracketRight", "]}", 221), ("Backslash", "\\|", 220)),
    *(("Semicolon", ";:", 186), ("Quote", "'\"", 222)),
    *(("Comma", ",<", 188), ("Period", ".>", 190), ("Slash", "/?", 191)),
    *((f"Digit{digit}", f"{digit}{sign}", 48 + digit) for digit, sign in enumerate(")!@#$%^&*(")),
    *((f"Key{letter}", letter.lower() + letter, ord(letter)) for letter in map(chr, range(65, 91))),
)
"""Rows for the keys with signs: the key's code, its characters without and with Shift, and its
Windows key code.
"""
_NAMED = {
    "Backspace": 8, "Tab": 9, "Pause": 19, "CapsLock": 20, "Escape": 27, "PageUp": 33,
    "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
    "ArrowDown": 40, "PrintScreen": 44, "Insert": 45, "Delete": 46, "ContextMenu": 93,
    "NumLock": 144, "ScrollLock": 145, "AltGraph": 225,
    **{f"F{number}": 111 + number for number in range(1, 13)},
}  # fmt: skip
_PAD = {"Multiply": ("*", 106), "Add": ("+", 107), "Subtract": ("-", 109), "Divide": ("/", 111)}
_NUMBERS = {"Shift": 16, "Control": 17, "Alt": 18, "Meta": 91}


@cache
def _keys() -> dict[str, Key]:
    """Return a dict that finds each key by its code, by its name, and by each character that it
    types.
    """
    keys = [
        *(_sign(*each) for each in _SIGNS),
        *(Key(name, name, number) for name, number in _NAMED.items()),
        *_modifiers(),
        Key(" ", "Space", 32, " "),
        Key("Enter", "Enter", 13, "\r"),
    ]
    pad = [Key(sign, f"Numpad{name}", number, sign, 3) for name, (sign, number) in _PAD.items()]
    pad.append(Key("Enter", "NumpadEnter", 13, "\r", 3))
    found = {each.code: each for each in [*keys, *pad]}
    for each in keys:
        for one in filter(None, (each, each.shifted)):
            found.setdefault(one.name, one)
    return {**found, "\n": found["Enter"], "\r": found["Enter"]}


def _sign(code: str, signs: str, number: int) -> Key:
    plain, shifted = (Key(sign, code, number, sign) for sign in signs)
    return replace(plain, shifted=shifted)


def _modifiers() -> Iterator[Key]:
    for name, number in _NUMBERS.items():
        yield Key(name, f"{name}Left", number, location=1)
        yield Key(name, f"{name}Right", number + (name == "Meta"), location=2)


def can_type(character: str) -> bool:
    """Return whether a key types this character."""
    return len(character) == 1 and character in _keys()


def press(keys: str) -> Iterator[tuple[Event, ...]]:
    """Yield the events of pressing a key or a combination, such as `Enter`, `a` or
    `Control+Shift+a`.

    The events of one tuple may be sent at the same time. Raises `UnknownKey`.
    """
    *held, last = re.findall(r"\+(?=$)|[^+]+", keys)
    modifiers, released = 0, []
    for name in held:
        key = _key(name)
        modifiers |= MODIFIERS.get(key.name, 0)
        yield (_down(key, modifiers),)
        released.append((key, MODIFIERS.get(key.name, 0)))
    yield stroke(last, modifiers)
    for key, bit in reversed(released):
        modifiers &= ~bit
        yield (_up(key, modifiers),)


def stroke(name: str, modifiers: int = 0) -> tuple[Event, ...]:
    """Return the events of pressing and releasing one key. Raises `UnknownKey`."""
    key = _key(name)
    if modifiers & _SHIFT and key.shifted:
        key = key.shifted
    return _down(key, modifiers), _up(key, modifiers)


def _key(name: str) -> Key:
    try:
        return _keys()[name]
    except KeyError:
        raise UnknownKey(name) from None


def _down(key: Key, modifiers: int) -> Event:
    text = key.text if not modifiers & ~_SHIFT else ""
    kind = "keyDown" if text else "rawKeyDown"
    return {"type": kind, "text": text, "unmodifiedText": text, **_facts(key, modifiers)}


def _up(key: Key, modifiers: int) -> Event:
    return {"type": "keyUp", **_facts(key, modifiers)}


def _facts(key: Key, modifiers: int) -> Event:
    return {
        "key": key.name,
        "code": key.code,
        "windowsVirtualKeyCode": key.number,
        "modifiers": modifiers,
        "location": key.location,
        "isKeypad": key.location == 3,
    }
