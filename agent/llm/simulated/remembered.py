"""Facts from past pages that a request contains, for a scripted model that needs more than the
newest page.

They are the notes that the request shows as taken. If a method's prompt has no notes but shows past
pages again, they are the notes that a model would have taken there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from agent.interface import REMEMBERED, Action, Advice, Note, Observation, Text
from agent.llm.simulated.reading import Knowledge, Lost, Request, occurs, read_page

Advise = Callable[[Observation], Advice]


def remembering(advise: Advise, notes: Callable[[], Iterable[str]]) -> Advise:
    """Return a function that gives the advice (right next actions) for a page, and uses notes if
    the page alone does not tell what to do.

    Args:
        advise: Returns the advice for a page.
        notes: Returns the notes; it is called only when needed.
    """

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
    """Return the notes that a model can rely on.

    Args:
        request: The request of the method.
        rendering: The name of the rendering in which the request shows pages.
        task: The task.
        done: The actions that the request shows as done.

    Returns:
        The notes among `done`, or else the notes that earlier pages of this task suggest.
    """
    return taken(done) or list(_would_be_noted(request, rendering, task))


def reading_back(advise: Advise, request: Request, task: Knowledge) -> Advise:
    """Return a function that gives the advice without needs that the request's earlier pages of
    this task meet. A value of the instruction must still be read from the instruction.
    """
    earlier = "\n".join(_own(request, task).shown[:-1]).casefold()
    known = task.instruction.casefold()

    def is_read(spellings: Sequence[str]) -> bool:
        spelled = [each.casefold() for each in spellings]
        return not any(occurs(each, known) for each in spelled) and any(
            occurs(each, earlier) for each in spelled
        )

    def asked(page: Observation) -> Advice:
        advice = advise(page)
        return replace(advice, needs=tuple(each for each in advice.needs if not is_read(each)))

    return asked


def taken(done: Iterable[Action]) -> list[str]:
    """Return the texts of the notes among the actions."""
    return [each.text for each in done if isinstance(each, Note)]


def _would_be_noted(request: Request, rendering: str, task: Knowledge) -> Iterator[str]:
    for shown in _own(request, task).shown[:-1]:
        try:
            advice = task.advise(read_page(shown, rendering))
        except Lost:
            continue
        yield from (each.text for each in advice.actions if isinstance(each, Note))


def _own(request: Request, task: Knowledge) -> Request:
    """Return the request from the last occurrence of the task's instruction on, without the pages
    of example tasks.
    """
    apart = [Request(request.purpose, {"messages": [each]}) for each in request.messages]
    starts = [n for n, each in enumerate(apart) if task.instruction in each.text_without_pages]
    return Request(request.purpose, {"messages": request.messages[starts[-1] if starts else 0 :]})


def unnoted(advise: Advise, page: Observation) -> Advice:
    """Return the advice (right next actions) for the first page, where nothing has been noted."""
    return advise(replace(page, notes=()))


def unwritten(advice: Advice, page: Observation) -> Advice:
    """Return the advice (right next actions) without the notes that the page already shows as
    taken.
    """
    kept = page.notes or ()
    left = tuple(
        each for each in advice.actions if not (isinstance(each, Note) and each.text in kept)
    )
    return replace(advice, actions=left)


def without_notes(advise: Advise) -> Advise:
    """Return a function that gives the same advice (right next actions) for a page as `advise`,
    without actions that take notes.
    """

    def asked(page: Observation) -> Advice:
        advice = advise(page)
        left = tuple(each for each in advice.actions if not isinstance(each, Note))
        return replace(advice, actions=left)

    return asked
