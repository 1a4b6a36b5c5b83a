"""Errors of the model's side. Every message is one line and contains no key."""

from __future__ import annotations

from rehearsal_errors import RehearsalError, RunFailed


class ModelFault(RunFailed):
    """The base class of model errors: the model gave no usable answer."""


class ModelUnavailable(ModelFault):
    """No reply arrived: no connection, rate limit, server error or deadline; all retries failed."""


class MustWait(ModelUnavailable):
    """The server accepts no requests for now, because a rate limit is exceeded or the model is
    being loaded.

    `wanted` is the number of seconds that the server asks to wait; None if it does not say.
    """

    def __init__(self, problem: str, wanted: float | None = None, loads: bool = False) -> None:
        super().__init__(problem)
        self.wanted, self.loads = wanted, loads


class RequestRefused(ModelFault):
    """The server refused this request (400, 422) and would refuse it again; a failure of the
    agent.
    """


class RunStopped(ModelFault):
    """The server answers no request, so no episode can run.

    No episode has failed; the run can resume.
    """


class AccessRefused(RunStopped, RequestRefused):
    """The server refuses every request until the user fixes the cause: the key, the payment, the
    model, the address, or a first request that the server does not accept.
    """


class NoScript(RunStopped):
    """The scripted model has no answer for requests of this kind, so nobody answers the agent."""


class ServerPaused(RunStopped, ModelUnavailable):
    """The server asks for a longer pause than the time limit of a request allows."""


class NobodyListens(RunStopped, ModelUnavailable):
    """The connection was refused: no server listens at the address, so no request can succeed."""


class UnreadableReply(ModelFault):
    """The server's reply had not the structure of a chat completion, nor had the reply to the
    repeated request.
    """


class MissingSetting(RehearsalError, ValueError):
    """A live model was chosen, but the environment does not say how to reach it."""
