"""Why the scripted model does what it does, in a sentence made from the decision itself.

It names what was seen on the page, the words of the task that ask for it, and the step that it
belongs to; nothing that the request does not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agent.actions import show
from agent.interface import Action, Element, Observation, Stop, Type
from agent.llm.simulated.mistakes import Situation, element_of

_LONGEST = 60  # characters of a name or a text that a reason quotes
_MOST = 3  # values of the task that a reason quotes
_MARKS = re.compile(r"[][{}<>`\s]+")  # what could be taken for an action, a call or a page
_WORD = re.compile(r"\w{4,}")


def because(situation: Situation, action: Action, task: str) -> str:
    """Why one takes an action; `task` is what the request tells one to do."""
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
    """A text of the request, short and in one line."""
    whole = _MARKS.sub(" ", text).strip()
    return f"'{whole[:_LONGEST].strip()}'"


def _own_words(action: Action, page: Observation) -> Iterable[str]:
    """What an action is about: its text, its option, the name of its element and words of it."""
    element = element_of(action, page)
    texts = [action.text] if isinstance(action, Type) else [str(getattr(action, "option", ""))]
    name = element.name if element else ""
    return [*texts, *([] if isinstance(action, Type) else [name, *_WORD.findall(name)])]


def _found(words: Iterable[str], task: str) -> str:
    """The first of the words that stand in the task, as they are spelt there, "" for none."""
    for each in words:
        whole = rf"(?<!\w){re.escape(each)}(?!\w)"
        if each and (found := re.search(whole, task, re.IGNORECASE)):
            return found[0]
    return ""


def asked_for(needs: Iterable[Sequence[str]], task: str) -> list[str]:
    """The values that the task names, as they are spelt there."""
    found = (_found(sorted(need, key=len, reverse=True), task) for need in needs)
    return list(dict.fromkeys(each for each in found if each))
