"""Errors of the model's side. Every message is one line and holds no key."""

from __future__ import annotations

from rehearsal_errors import RehearsalError, RunFailed


class ModelFault(RunFailed):
    """The model gave no usable answer."""


class ModelUnavailable(ModelFault):
    """No reply: no connection, rate limit, server error, deadline; all retries failed."""


class RequestRefused(ModelFault):
    """The server refused this request (400, 422), as it would again: the agent's failure."""


class AccessRefused(RequestRefused):
    """The server refuses every request (401, 403, 404, spent quota, or a first request that it
    does not accept): no episode can run until somebody mends that."""


class UnreadableReply(ModelFault):
    """The reply is no chat completion, twice in a row."""


class MissingSetting(RehearsalError, ValueError):
    """A live model was chosen and the environment does not say how to reach it."""
