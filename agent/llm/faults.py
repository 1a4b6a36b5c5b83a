"""Errors of the model's side. Every message is one line and holds no key."""

from __future__ import annotations

from rehearsal_errors import RehearsalError, RunFailed


class ModelFault(RunFailed):
    """The model gave no usable answer."""


class ModelUnavailable(ModelFault):
    """No reply: no connection, rate limit, server error, deadline; all retries failed."""


class MustWait(ModelUnavailable):
    """The server takes no request now, this one or another: a rate limit, or a model that loads.

    `wanted` are the seconds that it asks to wait, None if it does not say.
    """

    def __init__(self, problem: str, wanted: float | None = None, loads: bool = False) -> None:
        super().__init__(problem)
        self.wanted, self.loads = wanted, loads


class RequestRefused(ModelFault):
    """The server refused this request (400, 422), as it would again: the agent's failure."""


class RunStopped(ModelFault):
    """The server answers no request: no episode can run, none has failed; the run is resumed."""


class AccessRefused(RunStopped, RequestRefused):
    """The server refuses every request (the key, the money, the model, the address, or a first
    request that it does not accept) until somebody mends that."""


class ServerPaused(RunStopped, ModelUnavailable):
    """The server asks for a longer wait than a request has time for."""


class UnreadableReply(ModelFault):
    """The reply is no chat completion, twice in a row."""


class MissingSetting(RehearsalError, ValueError):
    """A live model was chosen and the environment does not say how to reach it."""
