"""What can go wrong on the model's side. Every message is one line and holds no key."""

from __future__ import annotations

from rehearsal_errors import RehearsalError, RunFailed


class ModelFault(RunFailed):
    """The model gave no usable answer; the agent is not to blame."""


class ModelUnavailable(ModelFault):
    """Nobody answered: no connection, rate limit, server error, deadline; retries are spent."""


class RequestRefused(ModelFault):
    """The server said no to this request (400, 422): asking again cannot help."""


class AccessRefused(RequestRefused):
    """The server says no to every request (401, 403, 404, spent quota, or a first request that it
    does not take): nothing can be played until somebody has put that right."""


class UnreadableReply(ModelFault):
    """The reply is no chat completion, twice in a row."""


class MissingSetting(RehearsalError, ValueError):
    """A live model was asked for and the environment does not say how to reach it."""
