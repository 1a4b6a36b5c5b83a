"""The elements of a living page as MindAct's candidates: their order by a ranker, and the part of
the page that a request shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from agent.interface import Element, Observation
from agent.methods.synapse import element_ranking
from agent.mind2web import ranks
from agent.mind2web.page_text import SIBLINGS, Document
from agent.mind2web.rankers import Entry, Ranker
from agent.mind2web.task import Candidate


def ranked(seen: Observation, task: str, previous: Sequence[str], ranker: Ranker) -> Sequence[str]:
    """Return the ids of the page's elements, the best first; ties are in reading order.

    Args:
        seen: The page.
        task: The instruction.
        previous: The actions before, in words, oldest first.
        ranker: A ranker of Mind2Web's candidates.
    """
    found = entries(seen)
    scores = ranker.rank(task, previous, found) if found else []
    by_id = {each.candidate.id: float(score) for each, score in zip(found, scores, strict=True)}
    return ranks.by_score("", by_id).order


def entries(seen: Observation) -> list[Entry]:
    """Return the page's elements in reading order, as rankers read them."""
    places = [at for at, node in enumerate(seen.content) if isinstance(node, Element)]
    return [_entry(seen, place, number) for number, place in enumerate(places)]


def _entry(seen: Observation, place: int, position: int) -> Entry:
    element = seen.content[place]
    assert isinstance(element, Element)
    text = element_ranking.text_of(seen, place)
    return Entry(
        Candidate(str(element.id), element.tag, _attributes(element)),
        Document(f"({element.tag or element.role} id=0 {text})", ""),
        position,
        depth=element.depth,
        parent=_around(seen, place),
    )


def _attributes(element: Element) -> dict[str, str]:
    """Return the attributes that Mind2Web's pages would have for an element of a living page."""
    found = {"role": element.role, "type": element.kind, "input_value": element.value or ""}
    found["input_checked"] = "true" if "checked" in element.states else ""
    return {name: text for name, text in found.items() if text} | {"is_clickable": "true"}


def _around(seen: Observation, place: int) -> str:
    """Return the place of the nearest node before that is less deep; "" for none."""
    depth = seen.content[place].depth
    before = (at for at in reversed(range(place)) if seen.content[at].depth < depth)
    return str(next(before, ""))


def around(seen: Observation, candidates: Collection[str]) -> Observation:
    """Return the page with these elements, with the three before and the three after each, and with
    all texts.

    Args:
        seen: The page.
        candidates: The ids of the elements.

    Source: `prune_tree` of MindAct, by reading order in place of the tree.
    """
    numbers = [each.id for each in seen.elements]
    places = (at for at, number in enumerate(numbers) if str(number) in candidates)
    near: Iterable[int] = chain.from_iterable(
        numbers[max(0, at - SIBLINGS) : at + SIBLINGS + 1] for at in places
    )
    return element_ranking.reduced(seen, {*near})
