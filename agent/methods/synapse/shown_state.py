"""Finds the element that an XPath names in a page state, as the prompt shows that state.

An XPath is evaluated on the state and not in the browser's page, which has other tags and
attributes. Only the state contains an element's role, name and data-id.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_VISITS = 3_000_000
"""The number of nodes that evaluating an XPath may visit. This takes half a second, and cannot be
interrupted.
"""

_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_FAR = (
    r"//|\.\.|(?:ancestor|descendant|following|preceding|parent)[\w-]*\s*::|(?<![\w\])*.@/])/(?!/)"
)
_TOKEN = re.compile(rf"\[|\]|{_FAR}")


@dataclass(frozen=True)
class Named:
    """An element that an XPath names, by its data-id (`mark`); `option` is the option's text if the
    XPath names an option of the element.
    """

    mark: int
    option: str | None = None


@dataclass(frozen=True)
class ShownState:
    """A page state as HTML, in which XPaths are evaluated."""

    text: str

    def find(self, path: str) -> Named | None:
        """Return the first element with a data-id that the XPath finds.

        Returns:
            None if the XPath finds no such element, is invalid, or could take too long.
        """
        from lxml import etree

        if self._tree is None or self._size ** exponent(path) > MOST_VISITS:
            return None
        try:
            found = self._tree.xpath(path)
        except (etree.XPathError, ValueError):
            return None
        nodes = found if isinstance(found, list) else []
        return next((named for node in nodes for named in _named(node)), None)

    @cached_property
    def _tree(self) -> Any:
        from lxml import etree

        parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True)
        return etree.HTML(self.text.encode("utf-8", "replace") or b" ", parser)

    @cached_property
    def _size(self) -> int:
        return sum(1 for _ in self._tree.iter())


def exponent(path: str) -> int:
    """Return the exponent x in n^x, a bound on the nodes visited when the XPath is evaluated on a
    state of n nodes.

    Only steps that lead far from a node count, and at most two of them at each depth of predicates.
    """
    depth, far = 0, Counter[int]()
    for part in _TOKEN.findall(_QUOTED.sub("", path)):
        if part in "[]":
            depth += 1 if part == "[" else -1
        else:
            far[depth] += 1
    return max(1, sum(min(2, count) for count in far.values()))


def _named(node: Any) -> Iterator[Named]:
    """Yield the element that an XML node stands for; nothing if the node is a text or has no
    data-id.
    """
    if not isinstance(getattr(node, "tag", None), str):
        return
    select = node.getparent() if node.tag == "option" else None
    option = None if select is None else "".join(node.itertext())
    mark = (node if select is None else select).get("data-id", "")
    if mark.isdecimal():
        yield Named(int(mark), option)
