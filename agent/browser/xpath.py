"""What an XPath is, and which ones an agent may ask for: those whose evaluation takes a moment.

The browser evaluates an XPath in one piece that nothing can interrupt. Its time grows with the
number of elements to the power of the depth to which predicates hold paths through the page.
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
    """Whether a target is an XPath, and not a name."""
    return target.startswith(("/", "("))


def check(path: str) -> None:
    """Raises Refused where evaluation could take long."""
    depth = deepest = predicates = wide = 0
    for part in _TOKEN.findall(_TEXT.sub("", path)):
        if part in "[]":
            depth += 1 if part == "[" else -1
            deepest, predicates = max(deepest, depth), predicates + (part == "[")
        else:
            wide += 1
    if deepest > MOST_NESTED or predicates > MOST_PREDICATES or wide > MOST_WIDE:
        raise Refused(f"This XPath could take long. Write a simpler one: {LIMITS}.")
