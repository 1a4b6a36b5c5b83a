"""The element that an XPath names on a state, as the prompt shows that state.

A state is evaluated here and not in the page, which has other tags and attributes: the role, the
name and the data-id of an element stand in the state alone.
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
"""So many nodes an evaluation may visit, which takes half a second; nothing can interrupt it."""

_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_FAR = (
    r"//|\.\.|(?:ancestor|descendant|following|preceding|parent)[\w-]*\s*::|(?<![\w\])*.@/])/(?!/)"
)
_TOKEN = re.compile(rf"\[|\]|{_FAR}")


@dataclass(frozen=True)
class Named:
    """An element by its mark, the data-id; `option` where the XPath names an option of it."""

    mark: int
    option: str | None = None


@dataclass(frozen=True)
class ShownState:
    """A state, as HTML."""

    text: str

    def find(self, path: str) -> Named | None:
        """The first element with a mark that the XPath finds.

        None where there is none, where the XPath is wrong, or where it could take long.
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
    """The power of the number of nodes that an evaluation can visit at most.

    Only steps that lead far from a node count, at most two at each depth of predicates.
    """
    depth, far = 0, Counter[int]()
    for part in _TOKEN.findall(_QUOTED.sub("", path)):
        if part in "[]":
            depth += 1 if part == "[" else -1
        else:
            far[depth] += 1
    return max(1, sum(min(2, count) for count in far.values()))


def _named(node: Any) -> Iterator[Named]:
    """What a node is named by: nothing where it is a text or has no mark."""
    if not isinstance(getattr(node, "tag", None), str):
        return
    select = node.getparent() if node.tag == "option" else None
    option = None if select is None else "".join(node.itertext())
    mark = (node if select is None else select).get("data-id", "")
    if mark.isdecimal():
        yield Named(int(mark), option)
