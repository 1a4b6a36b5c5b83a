"""What the scripted model remembers of pages that are past: what its request tells, no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.interface import REMEMBERED, Action, Advice, Click, Element, Note, Observation, Text
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge, Lost, Request
from agent.llm.simulated.remembered import notes, remembering, without_notes
from agent.renderings import markers, state

WISH = "press what stood first"
SHOWN = Observation(
    "http://w/",
    "Boxes",
    (Element(1, "button", "A", value="2"), Element(2, "button", "B", value="1")),
)
COVERED = replace(SHOWN, content=tuple(replace(each, value=None) for each in SHOWN.elements))


def advise(page: Observation) -> Advice:
    """Note which box has the number 1, and press it; once it is covered, by the note."""
    first = next((each for each in page.elements if each.value == "1"), None)
    if first:
        return Advice("press", (Note(f"box {first.name}"), Click(first.id)))
    noted = [node.text for node in page.content if isinstance(node, Text)]
    wanted = next((each for each in page.elements if f"box {each.name}" in noted), None)
    return Advice("press", (Click(wanted.id),) if wanted else ())


def request(*shown: str) -> Request:
    messages = [{"role": "user", "content": text} for text in shown]
    return Request("m/act", {"model": "scripted", "messages": messages})


def page(observation: Observation) -> str:
    return markers.fence(state.render(observation))


TASK = Knowledge(WISH, "w/1", "widgets", 0, advise)


def choice(asked: Request, done: tuple[Action, ...] = ()) -> Action:
    return SimulatedModel({WISH: TASK}).decide(asked, "state", already=done)[1].action


def test_it_takes_a_note_and_goes_by_it_when_the_page_has_changed() -> None:
    assert choice(request(WISH, page(SHOWN))) == Note("box B")
    assert choice(request(WISH, page(SHOWN)), (Note("box B"),)) == Click(2)
    assert choice(request(WISH, page(COVERED)), (Note("box B"),)) == Click(2)
    assert choice(request(WISH, page(COVERED)), (Note("box A"),)) == Click(1), "what it noted"


def test_without_notes_it_goes_by_the_pages_that_it_is_shown_again() -> None:
    assert choice(request(WISH, page(SHOWN), page(COVERED))) == Click(2)


def test_what_the_request_does_not_tell_is_not_remembered() -> None:
    for lacking in ((WISH, page(COVERED)), (WISH, page(COVERED), page(COVERED))):
        with pytest.raises(Lost):
            choice(request(*lacking))


def test_pages_of_examples_are_of_another_task() -> None:
    other = replace(SHOWN, content=(Element(1, "button", "A", value="1"),))
    with pytest.raises(Lost):
        choice(request("an example", page(other), WISH, page(COVERED)))
    assert list(notes(request("x", page(other), WISH, page(SHOWN)), "state", TASK, ())) == []
    whole = request(WISH, page(other), WISH, page(SHOWN), page(COVERED))
    assert list(notes(whole, "state", TASK, ())) == ["box B"]


def test_notes_stand_beside_a_page_that_does_not_tell_what_to_do_and_beside_no_other() -> None:
    asked = list[Observation]()

    def watched(seen: Observation) -> Advice:
        asked.append(seen)
        return advise(seen)

    remembering(watched, lambda: ["box B"])(SHOWN)
    assert asked == [SHOWN]
    remembering(watched, lambda: ["box B"])(COVERED)
    assert asked[1:] == [
        COVERED,
        replace(COVERED, content=(*COVERED.content, Text("box B", REMEMBERED))),
    ]


def test_who_has_no_notes_does_what_comes_after_them() -> None:
    assert without_notes(advise)(SHOWN).actions == (Click(2),)
