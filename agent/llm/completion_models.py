"""Names of completion models: models that continue a text, on a server's `/completions`.

Text-davinci-003, to which LASER (section 4.1) and SteP (appendix B.1) sent texts, was one, and so
are models before they are tuned for chat. Their names begin with `completions/`, so that one run
can compare them with chat models.
"""

from __future__ import annotations

PREFIX = "completions/"
MOST_TOKENS = 512
"""Longest reply of a completion model if the method sets no limit, in tokens. Servers would end the
reply after 16 tokens.
"""


def is_completion_model(model: str) -> bool:
    """Return whether a model's name asks for the server's `/completions`."""
    return model.startswith(PREFIX)


def served_name(model: str) -> str:
    """Return the name by which the server knows the model."""
    return model.removeprefix(PREFIX)
