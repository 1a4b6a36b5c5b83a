"""Finds the secrets that must never be written into a recording."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of secret with the pattern of its form.

    A text that contains none of the `hints`, ignoring case, has no such secret.
    """

    name: str
    hints: tuple[str, ...]
    shape: re.Pattern[str]


def _kind(name: str, hints: str, shape: str) -> Kind:
    return Kind(name, tuple(hints.split()), re.compile(shape))


KINDS = (
    _kind("a private key", "-----begin", r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"),
    _kind("an API key (sk-...)", "sk- rk-", r"(?<![\w-])[sr]k-(?=[\w-]*\d)[\w-]{16,}"),
    _kind("an API key (sk_..., rk_...)", "k_live_ k_test_", r"(?<!\w)[sr]k_(?:live|test)_\w{10,}"),
    _kind("a JSON web token", "eyj", r"(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]*"),
    _kind(
        "a bearer token",
        "bearer",
        r"(?<!\w)(?i:bearer)\s+(?:(?=[\w.~+/-]*\d)[\w.~+/-]{8,}|[\w.~+/-]{24,})=*",
    ),
    _kind(
        "a basic authorization",
        "authorization",
        r"(?i:authorization\\*[\"']?\s*[:=]\s*\\*[\"']?basic)\s+[\w+/=]{8,}",
    ),
    _kind(
        "a GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"(?<!\w)(?:gh[pousr]_\w{20,}|github_pat_\w{20,})",
    ),
    _kind("a GitLab token", "glpat-", r"(?<![\w-])glpat-[\w-]{16,}"),
    _kind("a Slack token", "xox", r"(?<!\w)xox[abeoprs]-[\w-]{10,}"),
    _kind("an AWS key", "akia asia", r"(?<!\w)(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)"),
    _kind("a Google key", "aiza ya29.", r"(?<!\w)(?:AIza[\w-]{35}|ya29\.[\w-]{20,})"),
    _kind("a Hugging Face token", "hf_", r"(?<!\w)hf_[A-Za-z0-9]{20,}"),
    _kind("an npm or PyPI token", "npm_ pypi-", r"(?<!\w)(?:npm_\w{30,}|pypi-[\w-]{30,})"),
)
"""The kinds of secrets that are refused. E-mail addresses are allowed, because the test pages show
invented addresses.
"""

VARIABLES = ("_API_KEY", "_TOKEN")
"""Endings of names of environment variables whose value is secret if it has at least `SHORTEST`
characters.
"""
SHORTEST = 8


class Scan:
    """A scanner for secrets: texts of the forms in `KINDS`, and the values of secret variables in
    `environment`.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._values = tuple(
            (name, form)
            for name, value in sorted(environment.items())
            if name.upper().endswith(VARIABLES) and len(value) >= SHORTEST
            for form in (value, json.dumps(value)[1:-1])  # plain, and inside JSON in a text
        )

    def found(self, text: str) -> str | None:
        """Return the kind of the first secret in the text, as words for a message, or None."""
        for name, value in self._values:
            if value in text:
                return f"the value of {name}"
        folded = text.lower()
        for kind in KINDS:
            if any(hint in folded for hint in kind.hints) and kind.shape.search(text):
                return kind.name
        return None

    def found_in(self, value: Any) -> str | None:
        """Return the kind of the first secret in any text of a JSON value, names of fields
        included, or None.
        """
        return self.found("\0".join(_texts(value)))

    def redacted(self, text: str) -> str:
        """Return the text with every secret replaced by `[secret]`."""
        for _, value in self._values:
            text = text.replace(value, "[secret]")
        for kind in KINDS:
            text = kind.shape.sub("[secret]", text)
        return text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
