"""Errors of the browser."""

from __future__ import annotations

from rehearsal_errors import RunFailed


class NoBrowser(RunFailed):
    """No Chromium was found or it would not start; the message says what to do."""


class BrowserFault(Exception):
    """The browser, its renderer or the site stopped answering; never the agent's doing.

    The lane recovers by itself: its next `open` starts from a fresh context.
    """


class SiteSilent(BrowserFault):
    """The browser works, but the site's address does not answer."""


class PageOverloaded(Exception):
    """The page hangs, or has grown too large to be read, after what the agent did: its failure."""


class Refused(Exception):
    """An action that could not be done; the agent reads the message."""


class EnvironmentFault(Exception):
    """A foreign environment has died, hangs, or does not do what it promises; never the agent's
    doing. The next episode starts its process anew."""
