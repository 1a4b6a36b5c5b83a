"""What every page is given before its own scripts run: how it looks, its clock, the walker."""

from __future__ import annotations

from collections.abc import Iterator

from agent.browser import reports
from agent.browser.context import Command
from agent.browser.scripts import call, source
from agent.browser.tab import WORLD, Tab
from agent.browser.virtual_time import VirtualTime

_MEDIA = {
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "reduce",
    "forced-colors": "none",
    "prefers-contrast": "no-preference",
}
_WINDOW: Command = (
    "Emulation.setDeviceMetricsOverride",
    {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False},
)
_FAR_OFF = 100_000
"""CSS pixels, further than the browser draws ahead of what is in view."""
_LOOK: tuple[Command, ...] = (
    ("Page.enable", {}),
    ("Network.enable", {}),
    ("Runtime.enable", {}),  # a page without scripts would have no walker, and none a binding
    ("Page.setInterceptFileChooserDialog", {"enabled": True}),
    ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
    ("Emulation.setLocaleOverride", {"locale": "en-US"}),
    ("Emulation.setUserAgentOverride", {"userAgent": "", "acceptLanguage": "en-US"}),
    ("Emulation.setTimezoneOverride", {"timezoneId": "UTC"}),
    (
        "Emulation.setEmulatedMedia",
        {"media": "", "features": [{"name": name, "value": to} for name, to in _MEDIA.items()]},
    ),
)


def commands(
    frozen_time: float | None,
    virtual_time: VirtualTime | None,
    *,
    takes_reports: bool,
    foreign: bool = False,
    in_sight: bool = False,
) -> Iterator[Command]:
    """The commands for a new page.

    Unless it is `in_sight`, no pixel of it is drawn before `show`: that saves a fifth of what an
    episode costs, and no page can tell, whose frames, sizes and places are the same.
    Its clock stands at `frozen_time`, epoch seconds, or runs where that is None. On `foreign`
    pages the walker gives roles and names to what has none.
    """
    yield from _LOOK
    yield _WINDOW if in_sight else _out_of_sight()
    if takes_reports:
        yield reports.BINDING
        yield script(reports.script())
    frozen = None if frozen_time is None else frozen_time * 1000
    yield script(call("init_script.js", frozen))
    if virtual_time is not None:
        yield script(virtual_time.script)
    walker = source("walker.js")
    yield script(source("guesses.js") + walker if foreign else walker, worldName=WORLD)


def _out_of_sight() -> Command:
    """The window, of which the browser draws a part where no page reaches."""
    name, size = _WINDOW
    part = {"x": _FAR_OFF, "y": _FAR_OFF, "width": size["width"], "height": size["height"]}
    return name, {**size, "viewport": {**part, "scale": 1}}


async def show(tab: Tab) -> None:
    """Have the page drawn from now on, for pictures of it. Raises Moved or BrowserFault."""
    if not tab.shown:
        await tab.send(_WINDOW[0], **_WINDOW[1])
        tab.shown = True


def script(text: str, **more: str) -> Command:
    """Run a script in every document, the one that is there included."""
    return (
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": text, "runImmediately": True, **more},
    )
