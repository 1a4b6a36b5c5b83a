"""How the browser can fail its caller."""

from __future__ import annotations

from rehearsal_errors import RunFailed


class NoBrowser(RunFailed):
    """No Chromium was found or it would not start; the message says what to do."""


class BrowserFault(Exception):
    """The browser, its renderer or the site stopped answering; never the agent's doing.

    The lane recovers by itself: its next `open` starts from a fresh context.
    """


class SiteSilent(BrowserFault):
    """The browser is well, but nobody answers at the site's address."""


class Refused(Exception):
    """An action that could not be done; the message is the sentence that the agent reads."""
