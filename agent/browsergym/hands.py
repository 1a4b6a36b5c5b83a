"""Translates the agent's actions to BrowserGym's own actions, at places that the walker (the script
that reads a page) finds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import Any, Protocol
from urllib.parse import urljoin

from agent.browser.faults import Refused
from agent.browser.input import (
    AIM_MS,
    BY_PARTS,
    CHOICE_MS,
    check_length,
    check_wait,
    direction,
)
from agent.browser.keystrokes import keystrokes
from agent.interface import (
    Action,
    Back,
    Click,
    ClickAt,
    Drag,
    Draw,
    Forward,
    Goto,
    Hover,
    HoverAt,
    KeyboardType,
    MarkText,
    Press,
    Respond,
    Scroll,
    ScrollIn,
    Select,
    Tab,
    Target,
    Type,
    Wait,
)

NOOP = ("noop", 0)
"""The call of BrowserGym's action that does nothing and does not wait; after it, the environment's
task checks whether it is done.
"""

Call = tuple[Any, ...]
"""The name of one of BrowserGym's actions, and its arguments."""
Place = dict[str, Any]


class Hand(Protocol):
    """The part of a lane (an episode's browser page) that actions need."""

    @property
    def url(self) -> str:
        """Return the address of the browser tab in front."""
        ...

    @property
    def height(self) -> float:
        """Return the height of the browser window in CSS pixels."""
        ...

    @property
    def scale(self) -> float:
        """Return the number of BrowserGym's pixels per CSS pixel."""
        ...

    async def ask(self, name: str, *arguments: Any) -> dict[str, Any]:
        """Call a function of the walker (the script that reads pages), and return its result as a
        dict. Raises `Refused` with its message.
        """
        ...

    async def do(self, *calls: Call, settle: bool = True) -> None:
        """Take a step of the environment, which performs the calls.

        Args:
            *calls: The calls of the step.
            settle: Whether to wait afterwards; False if another step follows immediately.

        Raises:
            Refused: A call failed.
        """
        ...


async def perform(hand: Hand, action: Action) -> None:
    """Perform an agent's action by calls of BrowserGym's actions. Raises `Refused` with a sentence
    for the agent.
    """
    check_length(action)
    await _HANDLERS[type(action)](hand, action)


async def _click(hand: Hand, action: Click) -> None:
    await hand.do(_mouse(hand, "mouse_click", await _aim(hand, action.target, "click")))


async def _hover(hand: Hand, action: Hover) -> None:
    await hand.do(_mouse(hand, "mouse_move", await _aim(hand, action.target, "hover")))


async def _drag(hand: Hand, action: Drag) -> None:
    start = await _aim(hand, action.target, "click")
    end = await _aim(hand, action.onto, "hover")
    await hand.do(_mouse(hand, "mouse_drag_and_drop", start, end))


async def _type(hand: Hand, action: Type) -> None:
    place = await _aim(hand, action.target, "type")
    try:
        text = keystrokes(place["field"], action.text)
    except ValueError as error:
        raise Refused(str(error)) from None
    await hand.do(_mouse(hand, "mouse_click", place), settle=False)
    field = await hand.ask("seize", action.target)
    calls: list[Call] = [("keyboard_type", text)] if text else []
    if not text and not field["empty"]:
        parts = 3 if place["field"] in BY_PARTS else 1
        calls += [("keyboard_press", key) for key in ("Delete", "ArrowRight") * parts]
    if action.enter:
        calls.append(("keyboard_press", "Enter"))
    await hand.do(*(calls or [NOOP]))


async def _keyboard_type(hand: Hand, action: KeyboardType) -> None:
    await hand.do(("keyboard_type", " ".join(action.text.splitlines())))


async def _press(hand: Hand, action: Press) -> None:
    await hand.do(("keyboard_press", action.keys))


async def _select(hand: Hand, action: Select) -> None:
    option = await hand.ask("option", action.target, action.option)
    if option["chosen"]:
        await hand.do(NOOP)
    elif option["list"]:
        place = await hand.ask("aimOption", action.target, action.option)
        await hand.do(_mouse(hand, "mouse_click", place))
    else:
        await _choose(hand, action, option["down"], option["up"])


async def _choose(hand: Hand, action: Select, down: int, up: int) -> None:
    """Choose an option of a select element: open its list, go `down` or `up` to the option with
    arrow keys, and press Enter.

    If the list does not open, use only the arrows.
    """
    await hand.ask("seize", action.target)
    arrows = ["ArrowDown"] * down + ["ArrowUp"] * up
    for keys in (["Alt+ArrowDown", *arrows, "Enter"], arrows):
        await hand.do(*(("keyboard_press", key) for key in keys))
        answer = await hand.ask("chosen", action.target, action.option, CHOICE_MS)
        if answer.get("chosen"):
            return
    raise Refused(f"The option {action.option[:60]!r} could not be chosen.")


async def _scroll(hand: Hand, action: Scroll) -> None:
    pixels = hand.height * hand.scale * (-1 if direction(action) == "up" else 1)
    await hand.do(("scroll", 0, pixels))


async def _scroll_in(hand: Hand, action: ScrollIn) -> None:
    await hand.ask("scrollInside", action.target, direction(action))
    await hand.do(NOOP)


async def _click_at(hand: Hand, action: ClickAt) -> None:
    await hand.do(_mouse(hand, "mouse_click", *await _places(hand, action.target, action.at)))


async def _hover_at(hand: Hand, action: HoverAt) -> None:
    await hand.do(_mouse(hand, "mouse_move", *await _places(hand, action.target, action.at)))


async def _draw(hand: Hand, action: Draw) -> None:
    await _drag_along(hand, await _places(hand, action.target, *action.path))


async def _mark_text(hand: Hand, action: MarkText) -> None:
    found = await hand.ask("textEnds", action.target, action.text)
    await _drag_along(hand, found["places"])


async def _drag_along(hand: Hand, path: Sequence[Place]) -> None:
    """Drag the mouse along a path: press at its first place, move through the others, and release
    at the last.
    """
    moves = [_mouse(hand, "mouse_move", end) for _, end in pairwise(path)]
    ends = (_mouse(hand, name, path[at]) for name, at in (("mouse_down", 0), ("mouse_up", -1)))
    down, up = ends
    await hand.do(down, *moves, up)


async def _wait(hand: Hand, action: Wait) -> None:
    """Wait in real time, because the environment's time passes by itself."""
    check_wait(action)
    await hand.do(("noop", round(1000 * action.seconds)))


async def _goto(hand: Hand, action: Goto) -> None:
    await hand.do(("goto", urljoin(hand.url, action.url)))


async def _tab(hand: Hand, action: Tab) -> None:
    close: list[Call] = [("tab_close",)] if action.close else []
    await hand.do(("tab_focus", action.index), *close)


async def _respond(hand: Hand, action: Respond) -> None:
    raise Refused("Here dialogs are answered by the environment; there is none to answer.")


async def _aim(hand: Hand, target: Target, need: str) -> Place:
    return await hand.ask("aim", target, need, AIM_MS)


async def _places(hand: Hand, target: Target, *path: tuple[int, int]) -> list[Place]:
    found = await hand.ask("places", target, path, AIM_MS)
    places: list[Place] = found["places"]
    return places


def _mouse(hand: Hand, name: str, *places: Place) -> Call:
    """Return a call of one of BrowserGym's mouse actions, with the places converted to BrowserGym's
    pixels.
    """
    return name, *(float(place[key]) * hand.scale for place in places for key in ("x", "y"))


_HANDLERS: dict[type, Callable[[Hand, Any], Awaitable[None]]] = {
    Click: _click,
    Type: _type,
    KeyboardType: _keyboard_type,
    Select: _select,
    Hover: _hover,
    Drag: _drag,
    Press: _press,
    Scroll: _scroll,
    ClickAt: _click_at,
    HoverAt: _hover_at,
    Draw: _draw,
    MarkText: _mark_text,
    ScrollIn: _scroll_in,
    Wait: _wait,
    Goto: _goto,
    Back: lambda hand, _: hand.do(("go_back",)),
    Forward: lambda hand, _: hand.do(("go_forward",)),
    Tab: _tab,
    Respond: _respond,
}
