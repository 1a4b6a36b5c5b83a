"""Reads the body of an embeddings reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.llm.completion import Usage, refuse_error, usage
from agent.llm.faults import UnreadableReply

Vectors = tuple[tuple[float, ...], ...]
_LEAST, _MOST = 1e-30, 1e30  # for the squared length of a vector of 32-bit floats


def read(body: Mapping[str, Any], texts: int) -> tuple[Vectors, Usage]:
    """Return the vectors of the texts in their order, and the token counts.

    Args:
        body: Body of the reply.
        texts: Number of texts that were sent.

    Raises:
        UnreadableReply: The body contains an error, or not exactly one vector per text, all finite,
            of length above 0 and of the same dimensions.
    """
    found = vectors(body)
    if len(found) != texts:
        raise UnreadableReply(f"the model's reply has {len(found)} embeddings of {texts} texts")
    return found, Usage(usage(body).prompt, 0)


def vectors(body: Mapping[str, Any]) -> Vectors:
    """Return the vectors of an embeddings reply in the order of their indices. Raises as `read`
    does.
    """
    refuse_error(body)
    try:
        found = _vectors(body)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise UnreadableReply("the model's reply is no list of embeddings") from None
    if len(set(map(len, found))) > 1 or not all(map(_is_direction, found)):
        raise UnreadableReply("the embeddings of the model's reply are not alike")
    return found


def _vectors(body: Mapping[str, Any]) -> Vectors:
    """Return the vectors of an embeddings reply, sorted by their indices, which must be 0, 1 and so
    on without gaps.
    """
    numbered = {each["index"]: _vector(each["embedding"]) for each in body["data"]}
    if len(numbered) != len(body["data"]):
        raise ValueError("two embeddings have the same index")
    return tuple(numbered[index] for index in range(len(numbered)))


def _vector(values: object) -> tuple[float, ...]:
    if not isinstance(values, list):
        raise TypeError("an embedding is a list")
    return tuple(map(float, values))


def _is_direction(vector: tuple[float, ...]) -> bool:
    """Return whether a vector has a direction: its length is not 0, and finite in the 32 bits that
    embedders keep.
    """
    square = sum(value * value for value in vector)
    return _LEAST < square < _MOST


def summary(found: Vectors) -> str:
    """Return number and dimensions of the vectors as a text, such as "3 x 1536 numbers"."""
    return f"{len(found)} x {len(found[0])} numbers"
