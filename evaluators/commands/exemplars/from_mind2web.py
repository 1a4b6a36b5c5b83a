"""`rehearse exemplars from-mind2web`: make Synapse's exemplars from recorded tasks of Mind2Web.

Synapse's trajectories "can also be directly converted from human demonstrations" (section 3.3); its
exemplars for Mind2Web are recorded tasks. Here a recorded task becomes an exemplar for living
pages, in the form of the prompts of a site. It ends with the last recorded action, because the data
has no page after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agent import actions, embedders, prompting
from agent.interface import Action, Click, Element, Hover, Observation, Press, Select, Text, Type
from agent.methods.synapse.exemplar_files import Exemplar, Round
from agent.methods.synapse.memory import KEYS, Key, raw_state
from agent.mind2web import files, page_text
from agent.mind2web.page_text import ID, TEXT, Node, UnreadablePage
from agent.mind2web.task import RecordedTask, Step
from agent.plugins import unknown
from agent.prompting import Prompts
from evaluators.commands.exemplars import from_run, memory_keys, trajectories
from evaluators.commands.exemplars.build import BadExemplarFolder, check_empty, embedding_model
from evaluators.commands.exemplars.from_run import Made
from evaluators.run import event_loop
from scenarios import registry

ROLES = {
    "a": "link",
    "button": "button",
    "input": "textbox",
    "option": "option",
    "select": "combobox",
    "textarea": "textbox",
}
"""The roles of tags; others have none of their own."""
TYPES = {
    **dict.fromkeys(("button", "image", "reset", "submit"), "button"),
    "checkbox": "checkbox",
    "number": "spinbutton",
    "radio": "radio",
    "range": "slider",
    "search": "searchbox",
}
"""The roles of inputs by their type."""
NAMED = ("aria_label", "label", "alt", "title", "placeholder", "value", "name")
"""The attributes that name an element without text, the best first."""
FIELDS = {"textbox", "searchbox", "combobox", "spinbutton", "slider"}


class NotShown(ValueError):
    """A recorded task cannot be an exemplar; the text says why."""


def build(
    data: Path, split: str, site: str, folder: Path, embedder: str, say: Callable[[str], None]
) -> Path:
    """Write recorded tasks as exemplars for the pages of a site: a file for each website, and a
    memory of them.

    Args:
        data: A folder in the format of Mind2Web.
        split: The split whose tasks become exemplars.
        site: The site whose prompts give the form, and on whose pages the exemplars are shown.
        folder: The files go into `folder/<site>`, which must be empty or absent.
        embedder: The name of the embedder that makes the vectors of the memory.
        say: Called with the name of each file, and with a line for each task left out.

    Returns:
        `folder`.

    Raises:
        BadData: The data cannot be read.
        BadExemplarFolder: The site's folder holds something, its exemplars are programs, or no task
            can be an exemplar.
        UnknownName: There is no such site or embedder.
        EmbedderUnusable: The embedder cannot be used on this machine.
    """
    embedders.get(embedder)
    if site not in registry.host_names():
        raise unknown("site", site, registry.host_names())
    prompts = prompting.load("synapse", site)
    if "operations" not in prompts.data:
        raise BadExemplarFolder(f"exemplars of {site} are programs", "name another --site")
    check_empty(folder, [site])
    found = [*_made(data, split, site, prompts, say)]
    if not found:
        raise BadExemplarFolder(f"no task of {data / split} can be an exemplar of {site}")
    for name in from_run.write(folder / site, found):
        say(f"{site}/{name}")
    event_loop.run(_remember(folder / site / KEYS, [each.key for each in found], embedder))
    say(f"{site}/{KEYS}")
    return folder


def _made(
    data: Path, split: str, site: str, prompts: Prompts, say: Callable[[str], None]
) -> Iterator[Made]:
    for task in files.tasks(data, split):
        name = re.sub(r"[^A-Za-z0-9_-]", "_", task.website)
        try:
            made = exemplar(task, prompts)
            start = raw_state(page(task.steps[0], task.website)[0])
        except (NotShown, UnreadablePage) as reason:
            say(f"left out: {task.id}: {reason}")
            continue
        yield Made(site, "ranked", Key(name, task.instruction, start), made)


async def _remember(path: Path, keys: Sequence[Key], embedder: str) -> None:
    async with embedding_model(embedder) as llm:
        await memory_keys.build(path, keys, embedder, llm)


def exemplar(task: RecordedTask, prompts: Prompts) -> Exemplar:
    """Return a recorded task as an exemplar, with one action a round.

    Args:
        task: The task.
        prompts: The prompts of the site; their operations are the ones that an exemplar may have.

    Raises:
        NotShown: A step has no right element, or an operation that the prompts do not offer.
        UnreadablePage: A page cannot be read.
    """
    rounds = list[Round]()
    for seen, action in _rounds(task):
        verb = actions.show(action).partition(" ")[0]
        if verb not in prompts.data["operations"]:
            raise NotShown(f"the prompts offer no {verb}")
        rounds.append(trajectories.round_of(task.instruction, prompts, seen, action))
    return Exemplar(task.instruction, tuple(rounds))


def _rounds(task: RecordedTask) -> Iterator[tuple[Observation, Action]]:
    """Yield pages and actions. Typing and Enter in the same field are one action."""
    steps = [*task.steps]
    while steps:
        step = steps.pop(0)
        seen, target = page(step, task.website)
        action = _action(step, target)
        if isinstance(action, Type) and steps and _sends(step, steps[0]):
            steps.pop(0)
            action = Type(action.target, action.text, enter=True)
        yield seen, action


def _sends(step: Step, then: Step) -> bool:
    return then.original_op == "ENTER" and then.repr.partition(" -> ")[0] in step.repr


def _action(step: Step, target: int) -> Action:
    match step.original_op, step.op:
        case "ENTER", _:
            return Press("Enter")
        case "HOVER", _:
            return Hover(target)
        case _, "TYPE":
            return Type(target, step.value)
        case _, "SELECT":
            return Select(target, step.value)
    return Click(target)


def page(step: Step, title: str) -> tuple[Observation, int]:
    """Return the page of a step as an observation, and the number of the right element there.

    Elements are the right one, and the candidates that can be clicked or that are controls by their
    tag or role. Everything else is text.

    Args:
        step: The step.
        title: The title of the page, which the data does not have.

    Raises:
        NotShown: The step has no right element.
        UnreadablePage: The page cannot be read.
    """
    if not step.positives:
        raise NotShown("a step has no right element")
    right = step.positives[0].id
    clickable = {each.id for each in step.negatives if each.attributes.get("is_clickable")}
    reader = _Reader(right, clickable)
    content = tuple(reader.read(page_text.read(step.cleaned).root))
    if right not in reader.numbers:
        raise NotShown("the cleaned page does not have the right element")
    return Observation("", title, content), reader.numbers[right]


class _Reader:
    """Reads a page in document order; elements get numbers from 1 on.

    Args:
        right: The id of the right element.
        clickable: The ids of other elements that can be clicked.
    """

    def __init__(self, right: str, clickable: set[str]) -> None:
        self._right, self._wanted = right, {right, *clickable}
        self.numbers: dict[str, int] = {}

    def read(self, node: Node) -> Iterator[Element | Text]:
        """Yield the elements and texts of a node and of everything in it.

        An element that holds others is read as these, unless it is the right one.
        """
        if node.tag == TEXT:
            yield Text(" ".join((node.text or "").split()))
            return
        holds = any(each.get(ID) in self._wanted for each in node.iterdescendants("*"))
        is_one = node.get(ID) in self._wanted or bool(role_of(node))
        if node.get(ID) == self._right or (is_one and not holds):
            yield self._element(node)
            return
        for child in node.iterchildren("*"):
            yield from self.read(child)

    def _element(self, node: Node) -> Element:
        number = self.numbers[node.get(ID)] = len(self.numbers) + 1
        role = role_of(node) or "generic"
        value = node.get("input_value", "") if role in FIELDS else None
        states = ("checked",) if node.get("input_checked") == "true" else ()
        return Element(number, role, _name(node), value, states, node.tag, options=_options(node))


def role_of(node: Node) -> str:
    """Return the role of an element by its attribute or its tag, or ""."""
    spoken = node.get("role", "") if node.get("role") in {*ROLES.values(), *TYPES.values()} else ""
    kind = TYPES.get(node.get("type", ""), "") if node.tag == "input" else ""
    return spoken or kind or ROLES.get(node.tag, "")


def _name(node: Node) -> str:
    text = "" if node.tag == "select" else " ".join(_words(node))
    spoken = node.get("aria_label", "")
    return spoken or text or next((node.get(each) for each in NAMED if node.get(each)), "")


def _words(node: Node) -> list[str]:
    return [word for each in node.iter(TEXT) for word in (each.text or "").split()]


def _options(node: Node) -> tuple[str, ...]:
    if node.tag != "select":
        return ()
    return tuple(" ".join(_words(each)) or each.get("value", "") for each in node.iter("option"))
