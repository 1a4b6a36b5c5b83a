"""State abstraction by ranking: keep the elements of a page that most likely matter for the task.

Synapse for Mind2Web (section 3.2 and appendix) keeps the best elements of a ranker that was trained
on trajectories of people. Our ranker is not trained and asks no model. An element's score depends
on

- the share of its words that occur in the task, where words that are rare on the page weigh more;
- its similarity to the elements that the exemplars act on, on their pages that resemble this page;
- a deduction if the agent entered something into it since this page came up.

The ranking is the same in every process: it compares words, and ties go to the element that comes
first on the page.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

from agent.interface import Action, Element, Observation, Select, Text, Type

Words = frozenset[str]

BESIDE = 2
"""The number of texts directly after an element that at most belong to it, such as a product's name
and price.
"""

_WORD = re.compile(r"[^\W_]+(?:\.\d+)?")
_FORM = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True)
class Acted:
    """An action in an exemplar: the words of its page, and the words that describe the kind of its
    element.
    """

    page: Words
    kind: Words


@dataclass(frozen=True)
class Ranker:
    """A ranker of a page's elements by their importance for a task; `known` are the actions in the
    exemplars.
    """

    task: str
    known: Sequence[Acted] = ()

    def best(
        self, seen: Observation, k: int, entered: Collection[str] = (), keep: Collection[int] = ()
    ) -> list[int]:
        """Return the ids of the `k` best elements, best first, followed by the other ids in `keep`.

        Args:
            seen: The page.
            k: Number of elements to keep.
            entered: Elements, by `identity`, into which the agent has entered something.
            keep: Ids of elements to keep in any case.
        """
        scores = self._scores(seen, entered)
        ranked = sorted(scores, key=lambda number: (-scores[number], number))
        return [*ranked[:k], *(number for number in keep if number not in ranked[:k])]

    def _scores(self, seen: Observation, entered: Collection[str]) -> dict[int, float]:
        words = {
            place: words_of(text_of(seen, place))
            if isinstance(node, Element)
            else words_of(node.text)
            for place, node in enumerate(seen.content)
        }
        rarity = rarity_of(words.values())
        asked, near = words_of(self.task), self._near(seen)
        return {
            node.id: covered(words[place], asked, rarity)
            + max((weight * _likeness(kind(node), other) for weight, other in near), default=0.0)
            - (identity(node) in entered)
            for place, node in enumerate(seen.content)
            if isinstance(node, Element)
        }

    def _near(self, seen: Observation) -> list[tuple[float, Words]]:
        """Return the elements on which the exemplars act, as words, each with the similarity of its
        page to this page as a weight.

        The most similar page has weight 1.
        """
        here = page(seen)
        likeness = [_likeness(here, each.page) for each in self.known]
        most = max(likeness, default=0.0)
        if not most:
            return []
        return [(each / most, acted.kind) for each, acted in zip(likeness, self.known, strict=True)]


def reduced(seen: Observation, elements: Collection[int], texts: bool = True) -> Observation:
    """Return the page with these elements only, plus a note of how many elements were left out.

    Args:
        seen: The page.
        elements: Ids of the elements to keep.
        texts: Whether to keep all texts, or only the texts that belong to these elements.
    """
    shown = {each.id for each in seen.elements} & {*elements}
    own = {
        at
        for place, node in enumerate(seen.content)
        if isinstance(node, Element) and node.id in elements
        for at in (place, *_beside(seen, place))
    }
    content = tuple(
        node
        for place, node in enumerate(seen.content)
        if place in own or (texts and isinstance(node, Text))
    )
    return replace(seen, content=content, left_out=len(seen.elements) - len(shown))


def past(ranker: Ranker, seen: Observation, action: Action, k: int) -> Observation:
    """Return a past page in the short form that trajectories show: the `k` best elements and the
    action's own element, with the texts that belong to them.
    """
    target = getattr(action, "target", None)
    keep = [each.id for each in seen.elements if each.id == target]
    return reduced(seen, ranker.best(seen, k, keep=keep), texts=False)


def released_past(ranker: Ranker, seen: Observation, action: Action, k: int) -> Observation:
    """Return a past page as the released code keeps it: `k` elements, which are the action's own
    and the best others.
    """
    target = getattr(action, "target", None)
    own = [each.id for each in seen.elements if each.id == target]
    others = [number for number in ranker.best(seen, k + 1) if number not in own]
    return reduced(seen, [*own, *others[: k - len(own)]], texts=False)


def _beside(seen: Observation, place: int) -> list[int]:
    """Return the indices of the texts that directly follow the element at index `place` and belong
    to it.
    """
    found = []
    for at in range(place + 1, min(place + 1 + BESIDE, len(seen.content))):
        if isinstance(seen.content[at], Element):
            break
        found.append(at)
    return found


def entered(turns: Iterable[tuple[Observation, Action]], now: Observation) -> frozenset[str]:
    """Return the identities (role, name, HTML id) of the elements into which the agent has typed or
    chosen a value since the current page came up.
    """
    found: set[str] = set()
    for seen, action in turns:
        if seen.title != now.title:
            found.clear()
        elif isinstance(action, Type | Select):
            found.update(identity(each) for each in seen.elements if each.id == action.target)
    return frozenset(found)


def acted(seen: Observation, action: Action) -> list[Acted]:
    """Return the action's page and element as a list with one `Acted`; empty if it acts on no
    element of the page.
    """
    target = getattr(action, "target", None)
    return [Acted(page(seen), kind(each)) for each in seen.elements if each.id == target]


def page(seen: Observation) -> Words:
    """Return the set of texts by which pages are compared: the elements' roles and names, and the
    beginning of the title.
    """
    return frozenset(
        [seen.title.partition(" · ")[0], *(f"{each.role} {each.name}" for each in seen.elements)]
    )


def kind(element: Element) -> Words:
    """Return the set of words that describe an element's kind; all numbers count as the
    same word.
    """
    text = f"{element.role} {element.kind} {element.name} {element.html_id}".casefold()
    return frozenset("0" if word.isdecimal() else word for word in _FORM.findall(text))


def identity(element: Element) -> str:
    """Return role, name and HTML id of an element in one text, which identifies it across pages
    better than its number.
    """
    return f"{element.role} {element.name} {element.html_id}"


def text_of(seen: Observation, place: int) -> str:
    """Return the name and options of the element at index `place`, with the texts that belong to
    it.
    """
    element = seen.content[place]
    assert isinstance(element, Element)
    texts = [node.text for at in _beside(seen, place) if isinstance(node := seen.content[at], Text)]
    return " ".join((element.name, *element.options, *texts))


def words_of(text: str) -> Words:
    """Return the set of a text's words, in lower case."""
    return frozenset(_WORD.findall(text.casefold()))


def rarity_of(shown: Collection[Words]) -> Mapping[str, float]:
    """Return a weight for each word of the page; rare words weigh more."""
    counts = Counter(word for words in shown for word in words)
    return {word: math.log((1 + len(shown)) / count) for word, count in counts.items()}


def covered(own: Words, asked: Words, rarity: Mapping[str, float]) -> float:
    """Return the share of an element's words that occur in the task, weighted by rarity, from 0 to
    1.
    """
    whole = _total(own, rarity)
    return _total(own & asked, rarity) / whole if whole else 0.0


def _total(words: Words, rarity: Mapping[str, float]) -> float:
    """Return the sum of the words' weights, added in a fixed order.

    The function `sum` compensates rounding errors since Python 3.12, so ties between elements would
    depend on the version.
    """
    return reduce(add, (rarity[word] for word in sorted(words)), 0.0)


def _likeness(one: Words, other: Words) -> float:
    """Return Jaccard's similarity of two sets of words, from 0 to 1."""
    return len(one & other) / len(one | other) if one or other else 0.0
