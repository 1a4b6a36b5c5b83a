"""The interface of a method: observations, actions, the task, the page and the model.

Standard library only; this module imports nothing of the project. A method is written against
`Task`, `Page` and `LLM` and needs nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

# Observations ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Element:
    """An interactive element of a page.

    `id` counts from 1 in reading order and names the element until the next observation.
    `value` is None where the element holds none. `states` is a sorted subset of STATES.
    `options` are the labels of a select. `colors` are (css property, css colour) pairs that
    differ from the parent's. `commits` is true where the page declares that the element makes
    a change that cannot be taken back. `depth` is the nesting among shown nodes, from 0.
    """

    id: int
    role: str
    name: str
    value: str | None = None
    states: tuple[str, ...] = ()
    tag: str = ""
    html_id: str = ""
    kind: str = ""
    options: tuple[str, ...] = ()
    colors: tuple[tuple[str, str], ...] = ()
    commits: bool = False
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Text:
    """A text that belongs to no interactive element, with white space folded to blanks.

    `role` is "text", or the structure that holds it: "heading", "cell", "listitem", ... `current`
    is true where the page declares it the one of its kind at which one is: the step of several.
    """

    text: str
    role: str = "text"
    depth: int = 0
    colors: tuple[tuple[str, str], ...] = ()
    current: bool = False


REMEMBERED = "remembered"
"""The role of a text that no page shows: what somebody noted on an earlier one. Advice alone is
asked about pages with such texts."""

STATES = (
    *("checked", "collapsed", "disabled", "expanded", "focused", "invalid", "pressed"),
    *("readonly", "required", "selected", "visited"),
)


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog that waits for an answer: `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """One snapshot of what the browser shows.

    `content` holds elements and texts in reading order. `error` says in a sentence why the last
    action failed. `tabs` are the titles of all open pages and `tab` is the index of this one.
    `capped` is true if the page was still busy at the settling limit. `left_out` counts the
    elements that a method removed from `content`. `more` says where the page goes on beyond the
    viewport, if only that was asked for: above, below. `inputs` are verbs beyond the usual ones
    that the page declares it is made for (`agent.offered`). `action_seconds` is the time that
    passes with each action, where time passes with nothing else and the page takes `wait`. `notes`
    are those that the method has written, oldest first; None where none are kept. On request,
    `source` is the outer HTML of a part of the page and `screenshot` holds PNG bytes.
    """

    url: str
    title: str
    content: tuple[Element | Text, ...] = ()
    dialog: Dialog | None = None
    error: str | None = None
    tabs: tuple[str, ...] = ()
    tab: int = 0
    capped: bool = False
    left_out: int = 0
    more: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    action_seconds: float | None = None
    notes: tuple[str, ...] | None = None
    source: str = field(default="", repr=False, compare=False)
    screenshot: bytes | None = field(default=None, repr=False, compare=False)

    @property
    def elements(self) -> tuple[Element, ...]:
        return tuple(node for node in self.content if isinstance(node, Element))

    @property
    def text(self) -> str:
        """The texts and the names of the elements in reading order, one a line."""
        shown = (node.name if isinstance(node, Element) else node.text for node in self.content)
        return "\n".join(shown)


# Actions ---------------------------------------------------------------------------------------

Target = int | str
"""An element id, an accessible name, or an XPath (a string that begins with `/` or `(`)."""


@dataclass(frozen=True, slots=True)
class Click:
    target: Target


@dataclass(frozen=True, slots=True)
class Type:
    """Replace the field's text; with `enter`, press Enter afterwards."""

    target: Target
    text: str
    enter: bool = False


@dataclass(frozen=True, slots=True)
class KeyboardType:
    """Type at the cursor of the focused element; a line break is typed as a blank."""

    text: str


@dataclass(frozen=True, slots=True)
class Select:
    """Choose the option with this label in a select element."""

    target: Target
    option: str


@dataclass(frozen=True, slots=True)
class Hover:
    target: Target


@dataclass(frozen=True, slots=True)
class Drag:
    """Press on one element and release on another."""

    target: Target
    onto: Target


@dataclass(frozen=True, slots=True)
class Press:
    """A key or a combination such as `Enter`, `Control+a`, sent to the focused element."""

    keys: str


@dataclass(frozen=True, slots=True)
class Scroll:
    """`direction` is up or down: one viewport height."""

    direction: str


Place = tuple[int, int]
"""Pixels to the right of and below the upper left corner of an element."""


@dataclass(frozen=True, slots=True)
class ClickAt:
    """Click at a place of an element."""

    target: Target
    at: Place


@dataclass(frozen=True, slots=True)
class HoverAt:
    """Move the mouse to a place of an element."""

    target: Target
    at: Place


@dataclass(frozen=True, slots=True)
class Draw:
    """Press at the first place of an element, move through the others, release at the last.

    Places after the first may lie outside the element.
    """

    target: Target
    path: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class MarkText:
    """Select a text in an element with the mouse, from its first letter to its last."""

    target: Target
    text: str


@dataclass(frozen=True, slots=True)
class ScrollIn:
    """Scroll what an element holds by its height; `direction` is up or down."""

    target: Target
    direction: str


SHORTEST_WAIT, LONGEST_WAIT = 0.1, 10.0
"""In seconds."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing and let so many seconds of the page's time pass."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Goto:
    url: str


@dataclass(frozen=True, slots=True)
class Back:
    pass


@dataclass(frozen=True, slots=True)
class Forward:
    pass


@dataclass(frozen=True, slots=True)
class Tab:
    """Bring the tab with this index to the front; with `close`, close it instead."""

    index: int
    close: bool = False


@dataclass(frozen=True, slots=True)
class Respond:
    """Answer an open dialog."""

    accept: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Remember a sentence; nothing is done in the browser."""

    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """End the episode with an answer (empty if the task asks for none)."""

    answer: str = ""


Action = (
    Click
    | Type
    | KeyboardType
    | Select
    | Hover
    | Drag
    | Press
    | Scroll
    | ClickAt
    | HoverAt
    | Draw
    | MarkText
    | ScrollIn
    | Wait
    | Goto
    | Back
    | Forward
    | Tab
    | Respond
    | Note
    | Stop
)


# The task --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """The form of a task's answer: `kind` is number, money, date, text, list or yes_no."""

    kind: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A parsed answer: `status` is SUCCESS, NOT_FOUND or NOT_ACHIEVABLE."""

    status: str = "SUCCESS"
    value: Any = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What a competent person would do on this screen.

    `actions` are all actions before the next observation, `step` is the family's step that they
    belong to, `answer` is set when the task is done. `needs` lists the accepted spellings of each
    value that the actions depend on and that the page does not show: without one of them in the
    prompt nobody could act so. `ahead` is what somebody who knows the site could write down instead
    of `actions`, this screen's and the next ones', each with a remark; its targets may be XPaths.
    `part` are the steps of the part of the task that this belongs to, where a task has several.
    """

    step: str
    actions: tuple[Action, ...] = ()
    answer: str | None = None
    needs: tuple[tuple[str, ...], ...] = ()
    ahead: tuple[tuple[str, Action], ...] = ()
    part: tuple[str, ...] = ()


def _record_nothing(word: str, what: str = "", /, **details: Any) -> None:
    """The `record` of a task without a trace."""


@dataclass(frozen=True, slots=True)
class Task:
    """The task as the agent gets it: no seed, id, details or gold.

    `site` is the name of the host where it begins, for which prompts are written.
    `record(word, what="", **details)` writes one line into the trace; it has no other effect.
    """

    site: str
    instruction: str
    start_url: str
    family: str
    answer: AnswerSchema | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(0), repr=False, compare=False)
    record: Callable[..., None] = field(default=_record_nothing, repr=False, compare=False)


# The page and the model ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a function; `id` is the server's, which a message with its result repeats."""

    name: str
    arguments: str
    """JSON as the model wrote it; not checked."""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's reply: the texts of `n` samples, and the function calls of the first."""

    texts: tuple[str, ...]
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"

    @property
    def text(self) -> str:
        return self.texts[0]


Message = Mapping[str, Any]
"""A chat message in the shape of the OpenAI API: at least `role` and `content`.

`content` is a text, or a list of parts, texts and pictures (`agent.llm.messages`).
"""


class Page(Protocol):
    """The browser, as a method may use it. Every call may raise `BudgetExceeded`."""

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """What the page shows now. `view` is "document" or "viewport".

        `source` is the CSS selector of elements whose current outer HTML is added, a line each,
        hidden parts included; the tags of shown elements also hold their `data-id`, role, name,
        value, states and colours. A selector that cannot be read, is too long or nested too deep,
        or finds too much, is the observation's `error`.
        """

    async def act(self, action: Action) -> Observation:
        """Do it with real input events and observe; a failure is `Observation.error`."""

    async def restart(self) -> Observation:
        """Begin a new attempt: a fresh copy of the start world, the start URL.

        It counts as a step. A method may begin as many attempts as its `budget` allows, by itself
        one: `replace(standard, attempts=...)`.
        """

    async def checkpoint(self) -> object:
        """Save the world, the address and the inputs since the document was loaded."""

    async def restore(self, mark: object) -> Observation:
        """Go back to a checkpoint; a page that then differs is an `Observation.error`."""


class LLM(Protocol):
    """The model, as a method may use it. Every call may raise `BudgetExceeded`."""

    async def ask(
        self,
        purpose: str,
        messages: Iterable[Message],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        tool: str | None = None,
        n: int = 1,
        stop: Sequence[str] = (),
        temperature: float | None = None,
        top_p: float | None = None,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
        model: str = "",
    ) -> Reply:
        """One request. `purpose` is `<method>/<what for>`; `tool` forces a call of that tool;
        `schema` asks for a text that is JSON by that schema, which not every server heeds.

        `model` names another model than the agent's. Raises `ContextOverflow` if the request is
        longer than the model's context.
        """

    async def embed(
        self, purpose: str, texts: Sequence[str], *, model: str
    ) -> Sequence[Sequence[float]]:
        """A vector for each text from the embedding model of that name, in one request."""


# Exceptions that end an episode without an answer ----------------------------------------------


class BudgetExceeded(Exception):
    """The episode has used up its steps, attempts, calls, tokens, dollars or seconds: it is
    truncated."""

    def __init__(self, what: str, limit: float) -> None:
        super().__init__(f"the budget of {limit:g} {what} is spent")
        self.what = what
        self.limit = limit


class ContextOverflow(Exception):
    """The request does not fit the model's context; the method decides what to drop."""


class FormatError(Exception):
    """The model's reply could not be parsed, even after it was asked again."""
