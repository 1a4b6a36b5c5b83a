"""Performs the agent's actions as trusted input events.

Mouse and keys go through the browser's own input queue (`isTrusted` is true), after a hit test of
the place. A select element is opened, its option is reached with the arrow keys and chosen with
Enter, which fires one trusted `input` and `change`. Options of a list box are clicked.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from agent.actions import MOST_PLACES
from agent.browser import keyboard, pointer, xpath
from agent.browser.dragging import drag, drag_along
from agent.browser.faults import PageOverloaded, Refused
from agent.browser.keystrokes import keystrokes
from agent.browser.tab import Tab
from agent.browser.wall import address
from agent.interface import (
    LONGEST_WAIT,
    SHORTEST_WAIT,
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
    Scroll,
    ScrollIn,
    Select,
    Target,
    Type,
    Wait,
)

AIM_MS = 1000.0  # for a covered target to become clickable
CHOICE_MS = 500.0  # for an opened select to report its choice to the page
NAVIGATION_SECONDS = 10.0
LEAVE_SECONDS = 1.0  # for the requests of a page before leaving it
LONGEST_TYPED = 64  # longer texts are inserted in one piece by `KeyboardType`
BY_PARTS = ("date", "time")  # field types whose text is typed key by key
LONGEST_TARGET = 4096
LONGEST_TEXT = 10_000
FARTHEST = 10_000
TARGET_SECONDS = 10.0  # for the page to find a target and make it ready


async def perform(tab: Tab, action: Action, origins: Sequence[str]) -> None:
    """Perform an action.

    Args:
        tab: The tab.
        action: The action.
        origins: Origins to which the agent may go.

    Raises:
        Refused: The action cannot be performed; the message is a sentence for the agent.
        Moved: The document was replaced during the action.
        PageOverloaded: The page hangs.
        BrowserFault: The browser failed.
    """
    check_length(action)
    if isinstance(action, Goto):
        url = address(action.url, tab.url, *origins)
        await _leave(tab)
        await goto(tab, url)
    else:
        await _HANDLERS[type(action)](tab, action)


def check_length(action: Action) -> None:
    """Raise `Refused` if a text of the action is too long."""
    for text in (getattr(action, name, "") for name in ("text", "url", "keys", "option")):
        if len(text) > LONGEST_TEXT:
            raise Refused(f"An action's text has at most {LONGEST_TEXT:,} characters.")


def check_wait(action: Wait) -> None:
    """Raise `Refused` if a wait is too short or too long."""
    if not SHORTEST_WAIT <= action.seconds <= LONGEST_WAIT:
        raise Refused(f"A wait takes {SHORTEST_WAIT:g} to {LONGEST_WAIT:g} seconds.")


async def _leave(tab: Tab) -> None:
    """Remove the focus from the current field, and wait for the request that this may send.

    Otherwise the request could arrive after the next document.
    """
    await tab.ask("leave")
    await tab.traffic.idle(time.monotonic() + LEAVE_SECONDS)


async def goto(tab: Tab, url: str) -> None:
    """Open an address in the tab. Raises `Refused` if it is not a page, for example a download."""
    reply = await tab.send("Page.navigate", url=url)
    if reply.get("errorText") == "net::ERR_ABORTED":
        raise Refused(f"{url} is not a page.")


async def _click(tab: Tab, action: Click) -> None:
    place = await _aim(tab, action.target, "click")
    await pointer.click(tab, place)


async def _hover(tab: Tab, action: Hover) -> None:
    place = await _aim(tab, action.target, "hover")
    await pointer.move(tab, place)


async def _drag(tab: Tab, action: Drag) -> None:
    start = await _aim(tab, action.target, "click")
    await drag(tab, start, lambda: _aim(tab, action.onto, "hover"))


async def _type(tab: Tab, action: Type) -> None:
    place = await _aim(tab, action.target, "type")
    try:
        text = keystrokes(place["field"], action.text)
    except ValueError as error:
        raise Refused(str(error)) from None
    await pointer.click(tab, place)
    field = await ask_walker(tab, "seize", action.target)
    if not text and not field["empty"]:
        parts = 3 if place["field"] in BY_PARTS else 1
        await _strike(tab, ["Delete", "ArrowRight"] * parts)
    await _write(tab, text, by_keys=place["field"] in BY_PARTS or _is_keyed(place, text))
    if action.enter:
        await _strike(tab, ["Enter"])


def _is_keyed(place: Any, text: str) -> bool:
    """Return whether to type each letter as a key of its own: the page is external, so its scripts
    may expect that, and the text is short.
    """
    return bool(place["foreign"]) and len(text) <= LONGEST_TYPED


async def _keyboard_type(tab: Tab, action: KeyboardType) -> None:
    text = re.sub(r"[\r\n]+", " ", action.text)
    await _write(tab, text, by_keys=len(text) <= LONGEST_TYPED)


async def _write(tab: Tab, text: str, *, by_keys: bool) -> None:
    """Type a text into the focused field, letter by letter (`by_keys`), or all but the last letter
    in one piece, as an input method does.

    Each key costs the browser as much time as a whole text. The last letter is a key, so that key
    listeners get an event.
    """
    if not by_keys and text[:-1]:
        await tab.send("Input.insertText", text=text[:-1])
        text = text[-1]
    for character in text:
        if keyboard.can_type(character):
            await _send_keys(tab, keyboard.stroke(character))
        else:
            await tab.send("Input.insertText", text=character)


async def _select(tab: Tab, action: Select) -> None:
    option = await ask_walker(tab, "option", action.target, action.option)
    if option["chosen"]:
        return
    if option["list"]:
        await pointer.click(tab, await ask_walker(tab, "aimOption", action.target, action.option))
    else:
        await _choose(tab, action, option["down"], option["up"])


async def _choose(tab: Tab, action: Select, down: int, up: int) -> None:
    """Choose an option of a select element: open its list, go `down` or `up` to the option with
    arrow keys, and press Enter.

    If the list does not open, use only the arrows.
    """
    await ask_walker(tab, "seize", action.target)
    arrows = ["ArrowDown"] * down + ["ArrowUp"] * up
    document = tab.traffic.documents
    for keys in (["Alt+ArrowDown", *arrows, "Enter"], arrows):
        await _strike(tab, keys)
        answer = await tab.ask("chosen", action.target, action.option, CHOICE_MS)
        if answer.get("chosen") or tab.traffic.documents != document:
            return
    raise Refused(f"The option {action.option[:60]!r} could not be chosen.")


async def _strike(tab: Tab, keys: Iterable[str]) -> None:
    """Press these keys or key combinations in the tab, one after another. Raises
    `keyboard.UnknownKey`.
    """
    for combination in keys:
        for events in keyboard.press(combination):
            await _send_keys(tab, events)


async def _send_keys(tab: Tab, events: Iterable[keyboard.Event]) -> None:
    await asyncio.gather(*(tab.send("Input.dispatchKeyEvent", **event) for event in events))


async def _press(tab: Tab, action: Press) -> None:
    if not re.fullmatch(r"(?:(?:Control|Shift|Alt|Meta)\+)*(?:[^+\s]\w*|\+)", action.keys):
        raise Refused(f"{action.keys[:40]!r} is not a key; write one such as Enter or Control+a.")
    try:
        await _strike(tab, [action.keys])
    except keyboard.UnknownKey:
        raise Refused(f"{action.keys[:40]!r} is not a key.") from None


async def _scroll(tab: Tab, action: Scroll) -> None:
    await ask_walker(tab, "scroll", direction(action))


def direction(action: Scroll | ScrollIn) -> str:
    """Return the direction of a scroll. Raises `Refused` if it is neither up nor down."""
    if action.direction not in ("up", "down"):
        raise Refused(f"{action.direction[:40]!r} is not a direction; write up or down.")
    return action.direction


async def _click_at(tab: Tab, action: ClickAt) -> None:
    [at] = await _places(tab, action.target, action.at)
    await pointer.click(tab, at)


async def _hover_at(tab: Tab, action: HoverAt) -> None:
    [at] = await _places(tab, action.target, action.at)
    await pointer.move(tab, at)


async def _draw(tab: Tab, action: Draw) -> None:
    if not 1 < len(action.path) <= MOST_PLACES:
        raise Refused(f"A path has 2 to {MOST_PLACES} places.")
    await drag_along(tab, await _places(tab, action.target, *action.path))


async def _places(tab: Tab, target: Target, *path: tuple[int, int]) -> list[pointer.Place]:
    if max(abs(pixels) for at in path for pixels in at) > FARTHEST:
        raise Refused(f"A place is at most {FARTHEST} pixels away.")
    found = await ask_walker(tab, "places", target, path, AIM_MS)
    places: list[pointer.Place] = found["places"]
    return places


async def _mark_text(tab: Tab, action: MarkText) -> None:
    found = await ask_walker(tab, "textEnds", action.target, action.text)
    await drag_along(tab, found["places"])


async def _scroll_in(tab: Tab, action: ScrollIn) -> None:
    await ask_walker(tab, "scrollInside", action.target, direction(action))


async def travel(tab: Tab, step: int) -> None:
    """Go `step` entries through the tab's history.

    A page that answered a form cannot be shown again without sending the form; its address is
    opened instead, as a reader does who presses Enter in the address bar.

    Raises `Refused` at either end of the history.
    """
    await _leave(tab)
    history = await tab.send("Page.getNavigationHistory")
    at = history["currentIndex"] + step
    if not 0 <= at < len(history["entries"]):
        raise Refused(f"There is no page to go {'back' if step < 0 else 'forward'} to.")
    traffic = tab.traffic
    before, deadline = traffic.commits, time.monotonic() + NAVIGATION_SECONDS
    await tab.send("Page.navigateToHistoryEntry", entryId=history["entries"][at]["id"])
    while traffic.commits == before and await traffic.news(deadline):
        pass
    if traffic.unreachable:
        shown, address = traffic.documents, json.dumps(traffic.unreachable)
        await tab.send("Runtime.evaluate", expression=f"location.replace({address})")
        await traffic.another_document(shown, deadline)


async def _aim(tab: Tab, target: Target, need: str) -> dict[str, Any]:
    return await ask_walker(tab, "aim", target, need, AIM_MS)


async def ask_walker(tab: Tab, name: str, target: Target | None, *arguments: Any) -> dict[str, Any]:
    """Call a function of the walker (the script that reads the page) for a target.

    Raises:
        Refused: The walker reports an error; the message is its text.
        PageOverloaded: The page hangs.
    """
    if isinstance(target, str) and not 0 < len(target.strip()) <= LONGEST_TARGET:
        raise Refused(f"A target has 1 to {LONGEST_TARGET} characters, not {len(target)}.")
    if isinstance(target, str) and xpath.is_path(target):
        xpath.check(target)
    try:
        async with asyncio.timeout(TARGET_SECONDS):
            answer = await tab.ask(name, target, *arguments)
    except TimeoutError:
        raise PageOverloaded(f"the page hangs on the target {str(target)[:80]!r}") from None
    if "error" in answer:
        raise Refused(answer["error"])
    return answer


_HANDLERS: dict[type, Callable[[Tab, Any], Awaitable[None]]] = {
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
    Back: lambda tab, _: travel(tab, -1),
    Forward: lambda tab, _: travel(tab, 1),
}
