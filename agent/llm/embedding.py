"""Read the body of an embeddings reply."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from agent.llm.completion import Usage, usage
from agent.llm.faults import UnreadableReply

Vectors = tuple[tuple[float, ...], ...]


def read(body: Mapping[str, Any], texts: int) -> tuple[Vectors, Usage]:
    """The vectors of `texts` texts, in their order; a server counts only tokens sent.

    Raises `UnreadableReply` where they are not so many, of one length, and finite.
    """
    try:
        ordered = sorted(body["data"], key=lambda each: each["index"])
        vectors = tuple(tuple(map(float, each["embedding"])) for each in ordered)
    except (KeyError, TypeError, ValueError):
        raise UnreadableReply("the model's reply is no list of embeddings") from None
    if len(vectors) != texts:
        raise UnreadableReply(f"the model's reply has {len(vectors)} embeddings of {texts} texts")
    if len(set(map(len, vectors))) != 1 or not all(map(math.isfinite, sum(vectors, ()))):
        raise UnreadableReply("the embeddings of the model's reply are not alike")
    return vectors, Usage(usage(body).prompt, 0)


def summary(vectors: Vectors) -> str:
    """Their number and length, for people."""
    return f"{len(vectors)} x {len(vectors[0])} numbers"
