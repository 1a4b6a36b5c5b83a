"""The features of a candidate that the ranker `trained` weighs."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from agent.methods.synapse.element_ranking import covered, rarity_of, words_of
from agent.mind2web.rankers import Entry, bm25

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

TAGS = (
    *("a", "button", "input", "select", "option", "textarea", "li", "ul", "div", "span"),
    *("svg", "img", "label", "td", "p", "h1", "h2", "h3", "form"),
)
ROLES = (
    *("button", "link", "checkbox", "radio", "combobox", "option", "menuitem", "tab"),
    *("searchbox", "textbox", "listbox", "dialog"),
)
OPERATIONS = ("", "CLICK", "TYPE", "SELECT")
"""The operation of the last action; "" before the first."""
ACTED = ("a", "button", "input", "select", "textarea")
"""The tags that are weighed together with the last operation."""
DEEP = 20
_REPR = re.compile(r"\[(?P<role>[^\]]*)\]\s*(?P<name>.*?)\s*-> (?P<op>[A-Z]+)(?::|$)", re.DOTALL)


def names() -> list[str]:
    """Return the names of the features, in their order."""
    return [
        *(f"{kind} of {of}" for kind in ("words", "bm25") for of in ("task", "actions")),
        *(f"tag {each}" for each in TAGS),
        *(f"role {each}" for each in ROLES),
        *("text", "placeholder", "value", "clickable"),
        *("last element", "after the last element", "beside the last element"),
        *(f"{tag} after {op or 'nothing'}" for op in OPERATIONS for tag in ACTED),
        *("position", "depth", "equals"),
    ]


def features(task: str, previous: Sequence[str], candidates: Sequence[Entry]) -> Numbers:
    """Return the features of a page's candidates, of shape (candidates, names).

    Args:
        task: The instruction.
        previous: The last actions in words, oldest first.
        candidates: The candidates in document order.
    """
    alike = Counter(each.words for each in candidates)
    op, last = _last(previous, candidates)
    rows = [
        [
            *texts,
            *_kind(each),
            *_near(each, last),
            *_after(each, op),
            each.position / max(1, len(candidates) - 1),
            min(each.depth, DEEP) / DEEP,
            math.log(alike[each.words]),
        ]
        for each, texts in zip(candidates, _texts(task, previous, candidates), strict=True)
    ]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(names()))


def _texts(
    task: str, previous: Sequence[str], candidates: Sequence[Entry]
) -> Iterable[tuple[float, ...]]:
    """Return the agreement of each candidate's text with the task and with the last actions."""
    texts = [each.words for each in candidates]
    own = [words_of(each) for each in texts]
    rarity = rarity_of(own)
    columns: list[Sequence[float]] = []
    asked = (task, " ".join(previous))
    columns += [[covered(each, words_of(text), rarity) for each in own] for text in asked]
    columns += [_to_one(bm25.scores(text, texts)) for text in asked]
    return zip(*columns, strict=True)


def _to_one(scores: Sequence[float]) -> list[float]:
    """Return scores as shares of the highest."""
    most = max(scores, default=0.0) or 1.0
    return [each / most for each in scores]


def _kind(entry: Entry) -> Iterator[float]:
    """Yield the features of the element itself."""
    attributes, tag = entry.candidate.attributes, entry.candidate.tag
    role = attributes.get("role") or attributes.get("aria_role", "")
    yield from (float(tag == each) for each in TAGS)
    yield from (float(role == each) for each in ROLES)
    yield float(bool(entry.words))
    yield float("placeholder" in attributes)
    yield float(any(attributes.get(each) for each in ("input_value", "value", "input_checked")))
    yield float(attributes.get("is_clickable") == "true")


def _last(previous: Sequence[str], candidates: Sequence[Entry]) -> tuple[str, Entry | None]:
    """Return the last action's operation, and the first candidate with its element's name."""
    found = _REPR.match(previous[-1]) if previous else None
    if found is None:
        return "", None
    op = {"HOVER": "CLICK", "ENTER": "CLICK"}.get(found["op"], found["op"])
    name = " ".join(found["name"].casefold().removesuffix("...").split())
    of_name = (each for each in candidates if name and each.words.casefold().startswith(name))
    return op, next(of_name, None)


def _near(entry: Entry, last: Entry | None) -> Iterator[float]:
    """Yield the features about the element of the last action."""
    if last is None:
        yield from (0.0, 0.0, 0.0)
        return
    after = entry.position - last.position
    yield float(after == 0)
    yield float(after == 1)
    yield float(after != 0 and entry.parent == last.parent)


def _after(entry: Entry, op: str) -> Iterator[float]:
    """Yield, for each operation and tag, whether it is that of the last action and of this
    element.
    """
    for operation in OPERATIONS:
        for tag in ACTED:
            yield float(op == operation and entry.candidate.tag == tag)
