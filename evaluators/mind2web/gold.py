"""The scripted model's knowledge of a recorded task: the annotator's next action."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from agent.interface import Action, Advice, Click, Element, Observation, Select, Type
from agent.llm.simulated.reading import Knowledge
from agent.mind2web import page_text
from agent.mind2web.page_text import UnreadablePage
from agent.mind2web.task import RecordedTask, Step


def knowledge(task: RecordedTask, scenario: str, trial: int) -> Knowledge:
    """Return the knowledge of a person who did the task.

    Args:
        task: The task.
        scenario: The name of the scenario.
        trial: The number of the trial.
    """
    return Knowledge(task.instruction, scenario, task.website, trial, partial(_advise, task))


def _advise(task: RecordedTask, seen: Observation) -> Advice:
    """Return the annotator's next action after the previous ones, which `seen.notes` lists.

    If the element is not shown, nothing is to be done. Elements that a request writes alike without
    their numbers are told apart only if it shows the numbers of the data (`html_id`).
    """
    at = [*_places(task, seen.notes or ())]
    for number in at:
        step = task.steps[number]
        if element := _shown(step, seen):
            return Advice(f"step {number}", (_action(step, element),))
    return Advice(f"step {at[0]}" if at else "", answer="")


def _places(task: RecordedTask, previous: Sequence[str]) -> Iterator[int]:
    """Yield the steps before which these were the last actions."""
    reprs, count = [each.repr for each in task.steps], len(previous)
    for at in range(count, len(reprs) if count else 1):
        if reprs[at - count : at] == [*previous]:
            yield at


def _shown(step: Step, seen: Observation) -> Element | None:
    """Return the right element among those that a request shows, or None."""
    right = [each.id for each in step.positives]
    numbered = {each.html_id: each for each in seen.elements}
    found = (numbered[each] for each in right if each in numbered)
    worded = [each for each in seen.elements if not each.html_id]
    return next(found, None) or (_worded(worded, [*_words(step, right)]) if worded else None)


def _worded(elements: Sequence[Element], right: Sequence[Sequence[str]]) -> Element | None:
    """Return the element whose words begin the words of a right element."""
    for words in right:
        for each in elements:
            shown = each.name.split()
            if shown == [*words[: len(shown)]]:
                return each
    return None


def _words(step: Step, elements: Sequence[str]) -> Iterator[list[str]]:
    """Yield the words of the elements as requests write them, without their numbers."""
    try:
        page = page_text.read(step.cleaned)
    except UnreadablePage:
        return
    for each in elements:
        pruned = page_text.prune(page, [each])
        for node in pruned.iter("*"):
            if node.get(page_text.ID) == each:
                yield re.sub(r" id=\d+", "", page_text.write(node, numbers={each: "0"})).split()


def _action(step: Step, element: Element) -> Action:
    if step.op == "TYPE":
        return Type(element.id, step.value)
    return Select(element.id, step.value) if step.op == "SELECT" else Click(element.id)
