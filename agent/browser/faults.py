"""Errors of the browser."""

from __future__ import annotations

from rehearsal_errors import RunFailed


class NoBrowser(RunFailed):
    """No Chromium was found, or it did not start; the message gives the remedy."""


class BrowserFault(Exception):
    """The browser, its renderer or the site stopped responding; never the fault of the agent.

    The lane recovers by itself: its next `open` starts from a fresh context.
    """


class SiteSilent(BrowserFault):
    """The browser works, but the site's address does not respond."""


class NotInThisLane(Exception):
    """The lane cannot show a page, or give what an agent asks for; never the fault of the agent.

    Another try would end alike.
    """


class PageOverloaded(Exception):
    """The page hangs or has become too large to read after an action; counted as a failure of the
    agent.
    """


class Refused(Exception):
    """An action could not be performed; the message is a sentence for the agent."""


class EnvironmentFault(Exception):
    """An external environment has died, hangs or breaks its interface; never the fault of the
    agent.

    The next episode starts a new process.
    """
