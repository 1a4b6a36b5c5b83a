"""What a request tells of pages that are past, for one who has to go on from memory.

It is the notes that the request shows as taken. Where a method's prompt has no notes, but pages
that are past are shown again, it is what one would have noted there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from agent.interface import REMEMBERED, Action, Advice, Note, Observation, Text
from agent.llm.simulated.reading import Knowledge, Lost, Request, read_page

Advise = Callable[[Observation], Advice]


def remembering(advise: Advise, notes: Callable[[], Iterable[str]]) -> Advise:
    """The advice for a page; with the notes beside it where it does not tell what to do."""

    def asked(page: Observation) -> Advice:
        advice = advise(page)
        if advice.answer is not None or advice.actions:
            return advice
        held = tuple(Text(note, REMEMBERED) for note in notes())
        return advise(replace(page, content=(*page.content, *held))) if held else advice

    return asked


def notes(
    request: Request, rendering: str, task: Knowledge, done: Iterable[Action]
) -> Iterable[str]:
    """The notes among what is shown as done, else those of earlier pages of this task."""
    return taken(done) or list(_would_be_noted(request, rendering, task))


def taken(done: Iterable[Action]) -> list[str]:
    """The notes among what was done."""
    return [each.text for each in done if isinstance(each, Note)]


def _would_be_noted(request: Request, rendering: str, task: Knowledge) -> Iterator[str]:
    for shown in _own(request, task).shown[:-1]:
        try:
            advice = task.advise(read_page(shown, rendering))
        except Lost:
            continue
        yield from (each.text for each in advice.actions if isinstance(each, Note))


def _own(request: Request, task: Knowledge) -> Request:
    """The request from where it tells the task last: examples show pages of others."""
    apart = [Request(request.purpose, {"messages": [each]}) for each in request.messages]
    starts = [n for n, each in enumerate(apart) if task.instruction in each.text_without_pages]
    return Request(request.purpose, {"messages": request.messages[starts[-1] if starts else 0 :]})


def unwritten(advice: Advice, page: Observation) -> Advice:
    """The advice without the notes that stand beside the page already."""
    kept = page.notes or ()
    left = tuple(
        each for each in advice.actions if not (isinstance(each, Note) and each.text in kept)
    )
    return replace(advice, actions=left)


def without_notes(advise: Advise) -> Advise:
    """The advice of one who has no notes to take."""

    def asked(page: Observation) -> Advice:
        advice = advise(page)
        left = tuple(each for each in advice.actions if not isinstance(each, Note))
        return replace(advice, actions=left)

    return asked
