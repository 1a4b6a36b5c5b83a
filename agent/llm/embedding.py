"""Read the body of an embeddings reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.llm.completion import Usage, refuse_error, usage
from agent.llm.faults import UnreadableReply

Vectors = tuple[tuple[float, ...], ...]
_LEAST, _MOST = 1e-30, 1e30  # of the square of a vector's length: it is a number of 32 bits


def read(body: Mapping[str, Any], texts: int) -> tuple[Vectors, Usage]:
    """The vectors of `texts` texts, in their order; a server counts only tokens sent.

    Raises `UnreadableReply` unless there is one for each text, all of one length above 0 and
    finite, or if the body holds an error.
    """
    found = vectors(body)
    if len(found) != texts:
        raise UnreadableReply(f"the model's reply has {len(found)} embeddings of {texts} texts")
    return found, Usage(usage(body).prompt, 0)


def vectors(body: Mapping[str, Any]) -> Vectors:
    """The vectors of a body, in the order of their indices. Raises as `read` does."""
    refuse_error(body)
    try:
        found = _vectors(body)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise UnreadableReply("the model's reply is no list of embeddings") from None
    if len(set(map(len, found))) > 1 or not all(map(_is_direction, found)):
        raise UnreadableReply("the embeddings of the model's reply are not alike")
    return found


def _vectors(body: Mapping[str, Any]) -> Vectors:
    """The vectors by their indices, which are 0, 1 and so on, in any order."""
    numbered = {each["index"]: _vector(each["embedding"]) for each in body["data"]}
    if len(numbered) != len(body["data"]):
        raise ValueError("two embeddings have the same index")
    return tuple(numbered[index] for index in range(len(numbered)))


def _vector(values: object) -> tuple[float, ...]:
    if not isinstance(values, list):
        raise TypeError("an embedding is a list")
    return tuple(map(float, values))


def _is_direction(vector: tuple[float, ...]) -> bool:
    """Whether a vector points anywhere: numbers of which one is not 0, and whose length, taken
    with the 32 bits that embedders keep, is finite."""
    square = sum(value * value for value in vector)
    return _LEAST < square < _MOST


def summary(found: Vectors) -> str:
    """Their number and length, for people."""
    return f"{len(found)} x {len(found[0])} numbers"
