"""Advice that follows a path over the store's pages (`scenarios.store.pages.site_map`).

It remembers nothing. The open page tells how far the path is followed, and links that the page
marks as visited tell which pages were opened already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.interface import Action, Advice, Click, Element, Note, Observation, Type
from scenarios.scenario import Scenario
from scenarios.store.pages import site_map
from scenarios.store.pages.screen import Gold, Needs, click, find
from scenarios.store.pages.site_map import PathStep, page_of

SORT_LINKS = {("price", "asc"): "Price: low to high", ("price", "desc"): "Price: high to low"}


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to follow the path of a question, to take its notes, and to answer at its end."""
    gold = scenario.gold
    return follow(gold, observation) or _deeper(gold, observation) or finish(gold, observation)


def follow(gold: Gold, observation: Observation) -> Advice | None:
    """Return the advice that leads to the next page of the path.

    Returns:
        None at the end of the path, or on a page outside the path if everything was opened.
    """
    path, place = gold["path"], site_map.here(observation)
    at = [number for number, each in enumerate(path) if site_map.is_at(each, place)]
    if not at:
        return _beside(gold, place, observation)
    below = list(_below(path, at[-1]))
    unopened = [each for each in below if _is_unopened(gold, each, observation)]
    if unopened:
        first = len(unopened) == len(below)
        return go(gold, unopened[0], observation, leaving=path[at[-1]] if first else None)
    end = _end(path, at[-1])
    if end == len(path) and (below or at[-1] == end - 1):
        return None
    return go(gold, path[end], observation, leaving=None if below else path[at[-1]])


def _deeper(gold: Gold, observation: Observation) -> Advice | None:
    """Return the advice that leads down to the path's end, by a link that was followed before.

    Such a link does not tell whether all pages below it were opened. None on the last page, and
    outside the path.
    """
    path, place = gold["path"], site_map.here(observation)
    at = [number for number, each in enumerate(path) if site_map.is_at(each, place)]
    below = list(_below(path, at[-1])) if at else []
    return go(gold, below[-1], observation) if below else None


def _end(path: Sequence[PathStep], at: int) -> int:
    """Return the index after the last page that is reached from the page at index `at`."""
    own = page_of(path[at]).level
    others = (number for number in range(at + 1, len(path)) if page_of(path[number]).level <= own)
    return next(others, len(path))


def _below(path: Sequence[PathStep], at: int) -> Iterator[PathStep]:
    """Return the pages of the path to which the page at this index leads directly."""
    block = path[at + 1 : _end(path, at)]
    return (each for each in block if page_of(each).level <= page_of(block[0]).level)


def _beside(gold: Gold, place: PathStep, observation: Observation) -> Advice | None:
    """Return the advice that leads from a page outside the path back to it, or to its next page."""
    page = page_of(place)
    back = click(observation, page.back) if page.level > 1 else ()
    if back:
        return Advice(gold["path"][0]["step"], back, needs=needs(gold))
    tops = [each for each in gold["path"] if page_of(each).level == 1]
    shown = [each for each in tops if _is_shown(gold, each, observation)]
    ahead = next((each for each in shown if _is_unopened(gold, each, observation)), None)
    return None if shown and not ahead else go(gold, ahead or gold["path"][0], observation)


def _is_shown(gold: Gold, step: PathStep, observation: Observation) -> bool:
    """Return whether this page shows a link to the step's page, or leads to a search."""
    return step["page"] == "results" or _link(gold, step, observation) is not None


def _is_unopened(gold: Gold, step: PathStep, observation: Observation) -> bool:
    """Return whether this page shows an unvisited link to the step's page, or leads to a search."""
    found = _link(gold, step, observation)
    visited = found is not None and "visited" in found.states
    return _is_shown(gold, step, observation) and not visited


def _link(gold: Gold, step: PathStep, observation: Observation) -> Element | None:
    return site_map.link(step, observation, needs(gold))


def go(
    gold: Gold, ahead: PathStep, observation: Observation, leaving: PathStep | None = None
) -> Advice:
    """Return the advice that leads to a page of the path.

    Args:
        gold: The gold of the scenario.
        ahead: The page to open.
        observation: The current page.
        leaving: The page of the path to be left, whose note is taken first; None to take no note.
    """
    place, note = site_map.here(observation), leaving.get("note", "") if leaving else ""
    moves = _moves(gold, place, ahead, observation)
    if ahead["page"] == "results":
        return Advice(ahead["step"], moves, needs=((ahead["query"],),))
    if place["page"] == "results" and ahead["page"] == "item":
        return Advice(ahead["step"], moves, needs=((ahead["name"],),))
    notes = (Note(note),) if note and moves else ()
    unseen = unshown(note.split(", ") if note else (), observation)
    return Advice(ahead["step"], (*notes, *moves), needs=(*needs(gold), *unseen))


def _moves(
    gold: Gold, place: PathStep, ahead: PathStep, observation: Observation
) -> tuple[Action, ...]:
    """Return the actions that lead from the open page to another page."""
    found = _link(gold, ahead, observation)
    if site_map.is_turned(place, ahead):
        turn = "Next page" if ahead["number"] > place["number"] else "Previous page"
        return click(observation, turn)
    if (
        page_of(place).level > 1
        and site_map.is_near(ahead)
        and (found is None or page_of(ahead).level == 1)
    ):
        return click(observation, page_of(place).back)
    if ahead["page"] == "results":
        return _search(ahead, observation)
    if place.get("name") == ahead.get("name") and ahead.get("sort", "position") != "position":
        return click(observation, SORT_LINKS[ahead["sort"], ahead["direction"]])
    return (Click(found.id),) if found else ()


def _search(ahead: PathStep, observation: Observation) -> tuple[Action, ...]:
    box = find(observation, "Search products") or find(observation, roles=("searchbox",))
    if box is None:
        return click(observation, "Back to Search")
    return (Type(box.id, ahead["query"], enter=True),)


def finish(gold: Gold, observation: Observation) -> Advice:
    """Advise to answer; this requires values that the page shows or that were noted before."""
    unseen = unshown(gold.get("values", ()), observation)
    text = gold.get("answer", {}).get("text", "")
    return Advice(gold["path"][-1]["step"], answer=text, needs=(*needs(gold), *unseen))


def unshown(values: Iterable[str], observation: Observation) -> Needs:
    """Return the values that the page does not show, as `Advice.needs` lists them."""
    shown = observation.text.casefold()
    return tuple((value,) for value in values if value.casefold() not in shown)


def needs(gold: Gold) -> Needs:
    """Return the values that the instruction gives, each with its spellings."""
    return tuple(tuple(spellings) for spellings in gold["told"])


def fill(observation: Observation, values: Mapping[str, str]) -> tuple[Type, ...]:
    """Type the given text into each field, by name, that does not contain it yet."""
    fields = ((find(observation, name), text) for name, text in values.items())
    return tuple(
        Type(field.id, text)
        for field, text in fields
        if field is not None and " ".join((field.value or "").split()) != text
    )
