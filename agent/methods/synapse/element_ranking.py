"""State abstraction by ranking: of a page's elements those that a task is most likely about.

Synapse's for Mind2Web (section 3.2 and appendix) keeps the best of a ranker that was trained on
people's trajectories. Ours is not trained and asks no model. An element counts by

- how much of what it says is said by the task, rare words of the page weighing more;
- how like it is to what the exemplars act on, on the page of theirs that is most like this one;
- and less where something was entered into it since this page came up.

The same in every process: words are compared, ties go to what comes first on the page.
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
"""So many texts after an element, before the next one, belong to it: a product's name and price."""

_WORD = re.compile(r"[^\W_]+(?:\.\d+)?")
_FORM = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True)
class Acted:
    """What somebody did once: on which page, and to which kind of element."""

    page: Words
    kind: Words


@dataclass(frozen=True)
class Ranker:
    """For a task, with what exemplars did."""

    task: str
    known: Sequence[Acted] = ()

    def best(
        self, seen: Observation, k: int, entered: Collection[str] = (), keep: Collection[int] = ()
    ) -> list[int]:
        """The ids of the `k` best elements, best first, and those of `keep` besides.

        `entered` are the elements, by `identity`, that something was entered into.
        """
        scores = self._scores(seen, entered)
        ranked = sorted(scores, key=lambda number: (-scores[number], number))
        return [*ranked[:k], *(number for number in keep if number not in ranked[:k])]

    def _scores(self, seen: Observation, entered: Collection[str]) -> dict[int, float]:
        words = {
            place: _words(_text(seen, place)) if isinstance(node, Element) else _words(node.text)
            for place, node in enumerate(seen.content)
        }
        rarity = _rarity(words.values())
        asked, near = _words(self.task), self._near(seen)
        return {
            node.id: _covered(words[place], asked, rarity)
            + max((weight * _likeness(kind(node), other) for weight, other in near), default=0.0)
            - (identity(node) in entered)
            for place, node in enumerate(seen.content)
            if isinstance(node, Element)
        }

    def _near(self, seen: Observation) -> list[tuple[float, Words]]:
        """What was acted on, weighed by how like its page is to this one; the likest counts 1."""
        here = page(seen)
        likeness = [_likeness(here, each.page) for each in self.known]
        most = max(likeness, default=0.0)
        if not most:
            return []
        return [(each / most, acted.kind) for each, acted in zip(likeness, self.known, strict=True)]


def reduced(seen: Observation, elements: Collection[int], texts: bool = True) -> Observation:
    """The page with these elements alone, with all its `texts` or with those beside them.

    It says how many other elements there are; colours are left out.
    """
    shown = {each.id for each in seen.elements} & {*elements}
    own = {
        at
        for place, node in enumerate(seen.content)
        if isinstance(node, Element) and node.id in elements
        for at in (place, *_beside(seen, place))
    }
    content = tuple(
        replace(node, colors=())
        for place, node in enumerate(seen.content)
        if place in own or (texts and isinstance(node, Text))
    )
    return replace(seen, content=content, left_out=len(seen.elements) - len(shown))


def past(ranker: Ranker, seen: Observation, action: Action, k: int) -> Observation:
    """A page that something was done on, as trajectories show it: the best elements and the one
    acted on, with the texts beside them."""
    target = getattr(action, "target", None)
    keep = [each.id for each in seen.elements if each.id == target]
    return reduced(seen, ranker.best(seen, k, keep=keep), texts=False)


def _beside(seen: Observation, place: int) -> list[int]:
    """Where the texts are that belong to the element at a place."""
    found = []
    for at in range(place + 1, min(place + 1 + BESIDE, len(seen.content))):
        if isinstance(seen.content[at], Element):
            break
        found.append(at)
    return found


def entered(turns: Iterable[tuple[Observation, Action]], now: Observation) -> frozenset[str]:
    """What was typed into or chosen in since the page of `now` came up, by `identity`."""
    found: set[str] = set()
    for seen, action in turns:
        if seen.title != now.title:
            found.clear()
        elif isinstance(action, Type | Select):
            found.update(identity(each) for each in seen.elements if each.id == action.target)
    return frozenset(found)


def acted(seen: Observation, action: Action) -> list[Acted]:
    """What an action was done to; nothing where it is to no element of the page."""
    target = getattr(action, "target", None)
    return [Acted(page(seen), kind(each)) for each in seen.elements if each.id == target]


def page(seen: Observation) -> Words:
    """What tells one kind of page from another: its elements, and what its title begins with."""
    return frozenset(
        [seen.title.partition(" · ")[0], *(f"{each.role} {each.name}" for each in seen.elements)]
    )


def kind(element: Element) -> Words:
    """The words of what an element is, every number the same."""
    text = f"{element.role} {element.kind} {element.name} {element.html_id}".casefold()
    return frozenset("0" if word.isdecimal() else word for word in _FORM.findall(text))


def identity(element: Element) -> str:
    """What tells an element from the others of its page, its number apart."""
    return f"{element.role} {element.name} {element.html_id}"


def _text(seen: Observation, place: int) -> str:
    """What an element says, with the texts that belong to it."""
    element = seen.content[place]
    assert isinstance(element, Element)
    texts = [node.text for at in _beside(seen, place) if isinstance(node := seen.content[at], Text)]
    return " ".join((element.name, *element.options, *texts))


def _words(text: str) -> Words:
    return frozenset(_WORD.findall(text.casefold()))


def _rarity(shown: Collection[Words]) -> Mapping[str, float]:
    """The weight of each word: how few of the page's elements and texts say it."""
    counts = Counter(word for words in shown for word in words)
    return {word: math.log((1 + len(shown)) / count) for word, count in counts.items()}


def _covered(own: Words, asked: Words, rarity: Mapping[str, float]) -> float:
    """How much of an element's words the task says, from 0 to 1."""
    whole = _total(own, rarity)
    return _total(own & asked, rarity) / whole if whole else 0.0


def _total(words: Words, rarity: Mapping[str, float]) -> float:
    """Summed in a fixed order, each sum rounded: from Python 3.12 on `sum` corrects its rounding,
    and elements that are equally good here would not be there."""
    return reduce(add, (rarity[word] for word in sorted(words)), 0.0)


def _likeness(one: Words, other: Words) -> float:
    """Jaccard's, from 0 to 1."""
    return len(one & other) / len(one | other) if one or other else 0.0
