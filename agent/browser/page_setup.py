"""The setup of every page before its own scripts run: its appearance, its clock, and the walker
(the script that reads the page).
"""

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
"""A distance in CSS pixels, beyond the area that the browser draws in advance around the visible
part.
"""
_LOOK: tuple[Command, ...] = (
    ("Page.enable", {}),
    ("Network.enable", {}),
    ("Runtime.enable", {}),  # without it pages would have no walker and no binding
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
    """Yield the commands that set up a new page.

    Args:
        frozen_time: Time that the page's clock shows, in epoch seconds; None for a running clock.
        virtual_time: Virtual time of the page; None for real time.
        takes_reports: Whether the page can send reports.
        foreign: Whether the page is external; the walker then guesses missing roles and names.
        in_sight: Whether a person sees the page. Otherwise nothing is drawn before `show`, which
            saves a fifth of an episode's cost. The page cannot notice this, because its frames,
            sizes and places are the same.
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
    """Return the command that gives the page its normal window size, but lets the browser draw only
    a far-off, empty part.
    """
    name, size = _WINDOW
    part = {"x": _FAR_OFF, "y": _FAR_OFF, "width": size["width"], "height": size["height"]}
    return name, {**size, "viewport": {**part, "scale": 1}}


async def show(tab: Tab) -> None:
    """Let the browser draw the page from now on, so that pictures can be taken.

    Raises `Moved` or `BrowserFault`.
    """
    if not tab.shown:
        await tab.send(_WINDOW[0], **_WINDOW[1])
        tab.shown = True


def script(text: str, **more: str) -> Command:
    """Return the command that runs a JavaScript text in every document, including the
    current one.
    """
    return (
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": text, "runImmediately": True, **more},
    )
