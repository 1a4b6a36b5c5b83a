"""Recognises XPaths, and limits them to those that the browser can evaluate quickly and safely.

The browser evaluates an XPath without interruption. The time grows with the number of elements to
the power of the depth at which predicates contain paths through the page. A variable ends the
renderer of Chromium 150.
"""

from __future__ import annotations

import re

from agent.browser.faults import Refused

MOST_NESTED, MOST_PREDICATES, MOST_WIDE = 2, 12, 8
_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'")
_TOKEN = re.compile(r"\[|\]|//|(?:descendant|ancestor|following|preceding)[\w-]*\s*::")
LIMITS = (
    f"predicates within predicates at most {MOST_NESTED} deep, {MOST_PREDICATES} predicates and"
    f" {MOST_WIDE} steps through the page (such as // or ancestor::)"
)


def is_path(target: str) -> bool:
    """Return whether a target is an XPath and not a name."""
    return target.startswith(("/", "("))


def check(path: str) -> None:
    """Raise `Refused` if evaluating the XPath could take long, or if it has a variable."""
    depth = deepest = predicates = wide = 0
    bare = _TEXT.sub("", path)
    if "$" in bare:
        raise Refused("This XPath has a variable, and a page has none. Write it without $.")
    for part in _TOKEN.findall(bare):
        if part in "[]":
            depth += 1 if part == "[" else -1
            deepest, predicates = max(deepest, depth), predicates + (part == "[")
        else:
            wide += 1
    if deepest > MOST_NESTED or predicates > MOST_PREDICATES or wide > MOST_WIDE:
        raise Refused(f"This XPath could take long. Write a simpler one: {LIMITS}.")
