"""The scripted model's answers on Mind2Web: the requests `mind2web/act` (Synapse) and
`mind2web/choose` (MindAct).

The script reads the page and the previous actions from the request. Its knowledge is a person's who
did the task: the next action after these previous actions, if the element is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from agent.interface import Action, Element, Observation, Reply, Select, Stop, Type
from agent.llm.simulated.mistakes import Situation
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Lost, Request

_PAGE = re.compile(r"Observation: `(.*?)`(?=\nTask: |\Z)", re.DOTALL)
_ELEMENT = re.compile(r"<(\w+) id=(\S+?)(\s[^<>]*?)?/?>([^<]*)")
_CHOICE = re.compile(r"^[B-Z]\. (.*)$", re.MULTILINE)
_NUMBER = re.compile(r" id=\d+")
_DONE = re.compile(r"^Action: `.*?` \((.*)\)$", re.DOTALL)
_PREVIOUS = re.compile(
    r"^Previous actions:\n(.*?)\n?(?:Next action:|What is the next action)",
    re.MULTILINE | re.DOTALL,
)
_CHOICES = "A. None of the above\n"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next action on the newest page, between backticks."""
    newest = str(request.messages[-1]["content"])
    page = _PAGE.search(newest)
    if page is None:
        raise Lost("no page is shown")
    elements = [
        Element(at, tag, f"{words.strip()} {text.strip()}".strip(), html_id=number)
        for at, (tag, number, words, text) in enumerate(_ELEMENT.findall(page[1]), start=1)
    ]
    action = _decided(simulated, request, elements, _listed(newest) or _done(request.messages))
    numbers: dict[object, str] = {each.id: each.html_id for each in elements}
    target = getattr(action, "target", "")
    operation, value = _operation(action)
    if isinstance(action, Stop):
        return Reply(("I see nothing to do here.",))
    value = f" [{value}]" if operation != "CLICK" else ""
    return Reply((f"`{operation} [{numbers.get(target, target)}]{value}`",))


def choose(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the letter of the next action's element, its operation and its value."""
    newest = str(request.messages[-1]["content"])
    choices = _CHOICE.findall(newest.rpartition(_CHOICES)[2])
    elements = [
        Element(at, each[1:].split()[0], _NUMBER.sub("", each))
        for at, each in enumerate(choices, start=1)
    ]
    action = _decided(simulated, request, elements, _listed(newest))
    if isinstance(action, Stop):
        return Reply(("Answer: A.",))
    target = getattr(action, "target", 0)
    letter = LETTERS[target if isinstance(target, int) else len(choices) + 1]
    operation, value = _operation(action)
    lines = [f"Answer: {letter}.", f"Action: {operation}"]
    return Reply(("\n".join(lines + ([f"Value: {value}"] if value else [])),))


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer without an action."""
    return Reply(("Answer: A." if request.purpose.endswith("/choose") else "I am lost.",))


def _decided(
    simulated: SimulatedModel,
    request: Request,
    elements: Iterable[Element],
    previous: Sequence[str],
) -> Action:
    """Return what the model does: the right action after these previous ones, or a mistake."""
    task = simulated.task(request)
    seen = Observation("", "", tuple(elements), notes=tuple(previous))
    situation = Situation(task.advise(seen), seen)
    return simulated.believe(request, task, situation, lambda action: False).action


def _listed(text: str) -> list[str]:
    """Return the previous actions that a message lists."""
    found = _PREVIOUS.search(text)
    return [each for each in found[1].splitlines() if each != "None"] if found else []


def _done(messages: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the previous actions of the newest trajectory."""
    texts = [str(each["content"]) for each in messages]
    begins = max((at for at, text in enumerate(texts) if text.startswith("Task: ")), default=0)
    return [found[1] for text in texts[begins:] if (found := _DONE.match(text))]


def _operation(action: Action) -> tuple[str, str]:
    """Return an action's operation and value."""
    if isinstance(action, Type):
        return "TYPE", action.text
    return ("SELECT", action.option) if isinstance(action, Select) else ("CLICK", "")
