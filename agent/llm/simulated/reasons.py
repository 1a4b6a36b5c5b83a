"""The reasons that the scripted model gives for its actions, each a sentence made from the
decision.

A reason names the element on the page, the words of the task that ask for it, and the step; it says
nothing that the request does not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agent.actions import show
from agent.interface import Action, Element, Observation, Stop, Type
from agent.llm.simulated.mistakes import Situation, element_of

_LONGEST = 60  # characters of a name or a text that a reason quotes
_MOST = 3  # values of the task that a reason quotes
_MARKS = re.compile(r"[][{}<>`\s]+")  # could be taken for an action, a call or a page
_WORD = re.compile(r"\w{4,}")


def because(situation: Situation, action: Action, task: str) -> str:
    """Return the reason for an action, as a sentence.

    Args:
        situation: The page and the advice for it.
        action: The action to explain.
        task: The task as the request gives it.
    """
    advice, page = situation.advice, situation.observation
    own = _found(_own_words(action, page), task)
    asked = [own] if own else asked_for(advice.needs, task)[:_MOST]
    named = f", and the task says {', '.join(map(quoted, asked))}" if asked else ""
    return f"{_seen(action, page)}{named}; this belongs to the step {quoted(advice.step)}."


def _seen(action: Action, page: Observation) -> str:
    element = element_of(action, page)
    if element is not None:
        held = f", which holds {quoted(element.value)}" if element.value else ""
        return f"The page shows the {called(element)}{held}"
    if isinstance(action, Stop):
        found = f" and the answer is {quoted(action.answer)}" if action.answer else ""
        return f"On the page {quoted(page.title)} nothing is left to do{found}"
    if isinstance(target := getattr(action, "target", None), str):
        return f"There should be a {quoted(target)} on the page {quoted(page.title)}"
    verb = show(action).partition(" ")[0].replace("_", " ")
    return f"On the page {quoted(page.title)} the next thing is to {verb}"


def called(element: Element) -> str:
    return f"{element.role} {quoted(element.name)}" if element.name else f"{element.role}"


def quoted(text: str) -> str:
    """Return a text of the request in quotes, shortened, in one line."""
    whole = _MARKS.sub(" ", text).strip()
    return f"'{whole[:_LONGEST].strip()}'"


def _own_words(action: Action, page: Observation) -> Iterable[str]:
    """Return the words of an action that the task may name: the text to type, or the chosen option
    and the words of its element's name.
    """
    element = element_of(action, page)
    texts = [action.text] if isinstance(action, Type) else [str(getattr(action, "option", ""))]
    name = element.name if element else ""
    return [*texts, *([] if isinstance(action, Type) else [name, *_WORD.findall(name)])]


def _found(words: Iterable[str], task: str) -> str:
    """Return the first of the words that occurs in the task, as the task spells it; "" if none
    does.
    """
    for each in words:
        whole = rf"(?<!\w){re.escape(each)}(?!\w)"
        if each and (found := re.search(whole, task, re.IGNORECASE)):
            return found[0]
    return ""


def asked_for(needs: Iterable[Sequence[str]], task: str) -> list[str]:
    """Return the values that the task names, as the task spells them.

    Args:
        needs: The spellings of each value.
        task: The text of the task.
    """
    found = (_found(sorted(need, key=len, reverse=True), task) for need in needs)
    return list(dict.fromkeys(each for each in found if each))
