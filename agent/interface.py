"""The words that everything here shares: what an agent is told, what it sees, what it may do.

Standard library only; nothing here imports the rest of the project. A method is written
against `Task`, `Page` and `LLM` and needs nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

# What the agent sees ---------------------------------------------------------------------------


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
    """A run of text that belongs to no interactive element; white space is folded to blanks.

    `role` is "text", or the structure it is the text of: "heading", "cell", "listitem", ...
    """

    text: str
    role: str = "text"
    depth: int = 0
    colors: tuple[tuple[str, str], ...] = ()


STATES = (
    "checked",
    "collapsed",
    "disabled",
    "expanded",
    "focused",
    "invalid",
    "pressed",
    "readonly",
    "required",
    "selected",
    "visited",
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
    action did nothing. `tabs` are the titles of all open pages and `tab` is the index of this
    one. `capped` is true when the page was still busy at the settling limit. `left_out` counts the
    elements that a method left out of `content`. When they were asked for, `source` is the outer
    HTML of a part of the page, and `screenshot` is PNG bytes.
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
    source: str = field(default="", repr=False, compare=False)
    screenshot: bytes | None = field(default=None, repr=False, compare=False)

    @property
    def elements(self) -> tuple[Element, ...]:
        return tuple(node for node in self.content if isinstance(node, Element))

    @property
    def text(self) -> str:
        """Every line of text in reading order, an element's name standing for the element."""
        return "\n".join(
            node.name if isinstance(node, Element) else node.text for node in self.content
        )


# What it may do --------------------------------------------------------------------------------

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
    """Type characters to whatever has the focus, where its cursor stands; a line break is a
    blank."""

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
    """Remember a sentence; the browser is not touched."""

    text: str


@dataclass(frozen=True, slots=True)
class Stop:
    """End with an answer (empty where none is asked for)."""

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
    | Goto
    | Back
    | Forward
    | Tab
    | Respond
    | Note
    | Stop
)


# What it is told -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """How the answer of a task is read: `kind` is number, money, date, text, list or yes_no."""

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

    `actions` are everything to do before looking again, `step` is the family's step that they
    serve, `answer` is set when the task is done. `needs` lists, for each value that the actions
    rely on and that the page does not give, the accepted spellings: someone who was not told one
    of them could not act so.
    """

    step: str
    actions: tuple[Action, ...] = ()
    answer: str | None = None
    needs: tuple[tuple[str, ...], ...] = ()


def _unheard(word: str, what: str = "", /, **details: Any) -> None:
    """The record of a task that nobody traces."""


@dataclass(frozen=True, slots=True)
class Task:
    """What the agent is told; no seed, id, details or gold.

    `record(word, what="", **details)` writes one line into the trace. It cannot act, spend or
    score.
    """

    site: str
    instruction: str
    start_url: str
    family: str
    answer: AnswerSchema | None = None
    rng: random.Random = field(default_factory=lambda: random.Random(0), repr=False, compare=False)
    record: Callable[..., None] = field(default=_unheard, repr=False, compare=False)


# Its two doors ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a function; `id` is the server's, which a message with its result repeats."""

    name: str
    arguments: str
    """JSON as the model wrote it; not checked."""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said: the `n` samples' texts, and the function calls of the first sample."""

    texts: tuple[str, ...]
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"

    @property
    def text(self) -> str:
        return self.texts[0]


Message = Mapping[str, Any]
"""A chat message in the shape of the OpenAI API: at least `role` and `content`."""


class Page(Protocol):
    """The browser, as a method may use it. Every call may raise `BudgetExceeded`."""

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """What is shown now. `view` is "document" or "viewport".

        `source` is the CSS selector of elements whose outer HTML is wanted too, a line each, as it
        is now and with hidden parts; the tags of what is shown also hold its `data-id`, role, name,
        value, states and colours.
        """
        ...

    async def act(self, action: Action) -> Observation:
        """Do it with real input events and look again; a failure is `Observation.error`."""
        ...

    async def restart(self) -> Observation:
        """Begin a new attempt: a fresh copy of the start world, the start URL."""
        ...

    async def checkpoint(self) -> object:
        """A mark of the world, the address and the inputs since the document was loaded."""
        ...

    async def restore(self, mark: object) -> Observation:
        """Go back to a mark; a page that looks different afterwards is an observation error."""
        ...


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
        max_tokens: int | None = None,
        model: str = "",
    ) -> Reply:
        """One request. `purpose` is `<method>/<what for>`; `tool` forces the call of that tool.

        `model` is another one than the agent's, "" for the agent's own.

        Raises `ContextOverflow` where the request is longer than the model's context.
        """
        ...

    async def embed(
        self, purpose: str, texts: Sequence[str], *, model: str
    ) -> Sequence[Sequence[float]]:
        """A vector for each text, of the embedding model of that name: one request."""
        ...


# How an episode can end other than by an answer ------------------------------------------------


class BudgetExceeded(Exception):
    """The episode has spent its steps, calls, tokens, dollars or seconds: it is truncated."""

    def __init__(self, what: str, limit: float) -> None:
        super().__init__(f"the budget of {limit:g} {what} is spent")
        self.what = what


class ContextOverflow(Exception):
    """The request does not fit the model's context; the method decides what to drop."""


class FormatError(Exception):
    """The model's reply could not be read, also after it was asked again."""
