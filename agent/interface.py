"""The interface of a method: observations, actions, the task, the page and the model.

The module uses the standard library only and imports nothing of the project. A method is written
against `Task`, `Page` and `LLM` and needs nothing else.

Example:
    A whole method: it asks the model for the name of an element, clicks it, and stops.

    >>> async def solve(task: Task, page: Page, llm: LLM) -> Stop:
    ...     seen = await page.observe()
    ...     request = f"{task.instruction}\\n{seen.text}\\nName the element to click."
    ...     reply = await llm.ask("choose", [{"role": "user", "content": request}])
    ...     await page.act(Click(reply.text.strip()))
    ...     return Stop()
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

    Attributes:
        id: Number of the element, counted from 1 in reading order. It names the element until the
            next observation.
        role: ARIA role, such as "button" or "textbox".
        name: Accessible name.
        value: Current value of a field; None if the element has no value.
        states: A sorted subset of `STATES`.
        tag: HTML tag.
        html_id: The `id` attribute in the HTML; "" if it has none.
        kind: Type of an input field, such as "date"; "" for other elements.
        options: Labels of the options of a select element.
        colors: Pairs of a CSS property and a CSS colour, for colours that differ from the parent's.
        commits: Whether the page declares that the element makes a change that cannot be undone.
        depth: Nesting among the shown nodes, from 0.
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
    """A text that belongs to no interactive element, with white space folded to single blanks.

    Attributes:
        text: The text.
        role: "text", or the structure that contains it: "heading", "cell", "listitem" and so on.
        depth: Nesting among the shown nodes, from 0.
        colors: Pairs of a CSS property and a CSS colour, for colours that differ from the parent's.
        current: Whether the page marks it as the current item of a set, such as the current step of
            a process.
    """

    text: str
    role: str = "text"
    depth: int = 0
    colors: tuple[tuple[str, str], ...] = ()
    current: bool = False


REMEMBERED = "remembered"
"""The role of a text that no page shows: a note that the agent wrote on an earlier page. Only a
family's advice gets pages with such texts.
"""

STATES = (
    *("checked", "collapsed", "disabled", "expanded", "focused", "invalid", "pressed"),
    *("readonly", "required", "selected", "visited"),
)


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog that waits for an answer; `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """One snapshot of the browser's page.

    Attributes:
        url: Address of the page.
        title: Title of the page.
        content: Elements and texts in reading order.
        dialog: The dialog that is open, or None.
        error: A sentence that says why the last action failed, or None.
        tabs: Titles of all open tabs.
        tab: Index of this tab in `tabs`.
        capped: Whether the page was still busy when the time limit for settling was reached.
        left_out: Number of elements that a method removed from `content`.
        more: Where the page continues beyond the viewport: "above", "below". Empty unless the
            viewport alone was observed.
        inputs: Verbs beyond the usual ones that the page declares it is made for (see
            `agent.offered`).
        action_seconds: Seconds that pass on the page with each action, for pages that offer `wait`
            and whose clock moves only with actions; else None.
        clock_characters: Number of characters that the agent may write until the clock of the page
            moves on as with an action; None for a page whose clock ignores what the agent writes.
        notes: The agent's notes, oldest first; None if no notes are kept.
        source: Outer HTML of a part of the page, if it was asked for.
        screenshot: PNG bytes, if a picture was asked for.

    Example:
        >>> shop = (Text("Two chairs", role="heading"), Element(1, "button", "Buy"))
        >>> seen = Observation("http://store.test/", "Store", shop)
        >>> [each.name for each in seen.elements]
        ['Buy']
        >>> seen.text
        'Two chairs\\nBuy'
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
    clock_characters: int | None = None
    notes: tuple[str, ...] | None = None
    source: str = field(default="", repr=False, compare=False)
    screenshot: bytes | None = field(default=None, repr=False, compare=False)

    @property
    def elements(self) -> tuple[Element, ...]:
        """Return the interactive elements in reading order."""
        return tuple(node for node in self.content if isinstance(node, Element))

    @property
    def text(self) -> str:
        """Return the texts and the names of the elements in reading order, one per line."""
        shown = (node.name if isinstance(node, Element) else node.text for node in self.content)
        return "\n".join(shown)


# Actions ---------------------------------------------------------------------------------------

Target = int | str
"""An element id, an accessible name, or an XPath (a string that begins with `/` or `(`)."""


@dataclass(frozen=True, slots=True)
class Click:
    """Click an element."""

    target: Target


@dataclass(frozen=True, slots=True)
class Type:
    """Replace the text of a field; with `enter`, press Enter afterwards."""

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
    """Move the mouse onto an element."""

    target: Target


@dataclass(frozen=True, slots=True)
class Drag:
    """Press on one element and release on another."""

    target: Target
    onto: Target


@dataclass(frozen=True, slots=True)
class Press:
    """Press a key or a combination, such as `Enter` or `Control+a`, in the focused element."""

    keys: str


@dataclass(frozen=True, slots=True)
class Scroll:
    """Scroll the page by the height of the viewport; `direction` is "up" or "down"."""

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
    """Press at the first place of an element, move through the others and release at the last.

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
    """Scroll the content of an element by the element's height; `direction` is "up" or "down"."""

    target: Target
    direction: str


SHORTEST_WAIT, LONGEST_WAIT = 0.1, 10.0
"""Limits of `Wait`, in seconds."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing while `seconds` of the page's time pass."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Goto:
    """Open an address."""

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
    """Remember a sentence; the browser does nothing."""

    text: str

    @property
    def kept(self) -> str:
        """The text as it is kept, with white space folded."""
        return " ".join(self.text.split())


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
    """The form of a task's answer; `kind` is number, money, date, text, list or yes_no."""

    kind: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A parsed answer; `status` is SUCCESS, NOT_FOUND or NOT_ACHIEVABLE."""

    status: str = "SUCCESS"
    value: Any = None


@dataclass(frozen=True, slots=True)
class Advice:
    """The actions of a competent person on this screen.

    Attributes:
        step: The family's step that the actions belong to.
        actions: All actions before the next observation.
        answer: The answer, once the task is done; else None.
        needs: The facts that the actions depend on and that the page does not show, each as its
            accepted spellings. If a prompt lacks one of these facts, a reader cannot know these
            actions.
        ahead: A plan that a person who knows the site could write down in place of `actions`: the
            actions on this screen and the next ones, each with a remark. Targets may be XPaths.
        call: The name of what the actions do, if the site declares one: `open_thread` for a link to
            such a page, or the name of a form.

    Example:
        >>> Advice("search", (Type("Search", "chair", enter=True),)).answer is None
        True
    """

    step: str
    actions: tuple[Action, ...] = ()
    answer: str | None = None
    needs: tuple[tuple[str, ...], ...] = ()
    ahead: tuple[tuple[str, Action], ...] = ()
    call: str = ""


def _record_nothing(word: str, what: str = "", /, **details: Any) -> None:
    """Do nothing: the `record` of a task without a trace."""


@dataclass(frozen=True, slots=True)
class Task:
    """The task as the agent gets it, without seed, id, details or gold.

    Attributes:
        site: Name of the site on which the task begins; prompts are written per site.
        instruction: The instruction, in words.
        start_url: Address of the first page.
        family: Name of the family that generated the task.
        answer: Form of the answer; None if the task asks for no answer.
        rng: Source of randomness for the method.
        record: `record(word, what="", **details)` writes one line into the trace and has no other
            effect.

    Example:
        >>> money = AnswerSchema("money", "the price of one chair")
        >>> task = Task("store", "What does a chair cost?", "http://store.test/", "price_of", money)
        >>> task.answer.kind
        'money'
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
    """A function call by the model; `id` is set by the server, and the message with the result
    repeats it.
    """

    name: str
    arguments: str
    """JSON as the model wrote it; not checked."""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's reply: the texts of its `n` samples, and the function calls of the first one.

    Example:
        >>> Reply(("click [3]", "click [4]")).text
        'click [3]'
    """

    texts: tuple[str, ...]
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"

    @property
    def text(self) -> str:
        """Return the text of the first sample."""
        return self.texts[0]


Message = Mapping[str, Any]
"""A chat message in the format of the OpenAI API, with at least `role` and `content`.

`content` is a text, or a list of parts, which are texts and pictures (see `agent.llm.messages`).
"""


class Page(Protocol):
    """The browser, as a method may use it. Every call may raise `BudgetExceeded`."""

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """Return the current content of the page.

        Args:
            view: "document" for the whole page, or "viewport" for its visible part.
            screenshot: Whether to add a picture.
            source: CSS selector of elements whose current outer HTML is added, one per line, hidden
                parts included; "" for none. The tags of shown elements also carry their `data-id`,
                role, name, value, states and colours.

        Returns:
            The observation. Its `error` is set if the selector is invalid, too long or nested too
                deeply, or matches too much.
        """

    async def act(self, action: Action) -> Observation:
        """Perform the action with real input events, then observe.

        Returns:
            The page after the action. A failure is reported in its `error`.
        """

    async def restart(self) -> Observation:
        """Begin a new attempt on a fresh copy of the start world, at the start URL.

        A restart counts as a step. The standard budget allows one attempt; a method may allow
        itself more with `replace(standard, attempts=...)` in its `budget`.
        """

    async def checkpoint(self) -> object:
        """Save the world, the address, and the inputs made since the document was loaded.

        Returns:
            A mark to pass to `restore`.
        """

    async def restore(self, mark: object) -> Observation:
        """Go back to a checkpoint.

        Args:
            mark: The value that `checkpoint` returned.

        Returns:
            The restored page. Its `error` is set if the page differs from the saved one.
        """


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
        best_of: int = 1,
    ) -> Reply:
        """Send one request to the model.

        Args:
            purpose: Name of the request in the trace, as `<method>/<purpose>`.
            messages: The chat messages.
            tools: Function schemas that the model may call.
            tool: Name of the function that the model must call; None leaves it free.
            n: Number of samples.
            stop: Texts at which the reply ends.
            temperature: Sampling temperature; None for the model's own.
            top_p: Nucleus sampling; None for the model's own.
            max_tokens: Longest reply, in tokens; None for no limit.
            schema: JSON Schema that the text of the reply should follow. Some servers ignore it.
            model: Name of a model to ask in place of the agent's; "" for the agent's.
            best_of: Number of samples among which a completion model's replies are the likeliest;
                chat models have no such choice, and ignore it.

        Raises:
            ContextOverflow: The request is longer than the model's context.
        """

    async def embed(
        self, purpose: str, texts: Sequence[str], *, model: str
    ) -> Sequence[Sequence[float]]:
        """Embed texts with the named embedding model, in one request.

        Returns:
            A vector for each text.
        """


# Exceptions that end an episode without an answer ----------------------------------------------


class BudgetExceeded(Exception):
    """The episode has used up its steps, attempts, calls, tokens, dollars or seconds, and is
    truncated.
    """

    def __init__(self, what: str, limit: float) -> None:
        super().__init__(f"the budget of {limit:g} {what} is spent")
        self.what = what
        self.limit = limit


class ContextOverflow(Exception):
    """The request does not fit the model's context; the method decides which messages to drop."""


class FormatError(Exception):
    """The model's reply could not be parsed, even after the method had asked again."""
