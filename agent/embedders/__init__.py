"""Embedders, which turn texts into vectors; each file of this package is one, and its name is the
embedder's name.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from agent import plugins
from agent.interface import LLM
from rehearsal_errors import RehearsalError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """Shape (texts, dimensions)."""


class EmbedderUnusable(RehearsalError, ValueError):
    """The error for an embedder that cannot be used in this way; the message gives the remedy."""


class Embedder(Protocol):
    """Turns texts into vectors; the Euclidean distance of two vectors measures how different texts
    are.

    Attributes:
        stored: Whether the file of a memory stores the vectors, because computing them is slow or
            costs money.
        online: Whether embedding a text takes a request to a model.
        parameters: Everything other than the texts on which the vectors depend, as JSON.
    """

    @property
    def stored(self) -> bool: ...

    @property
    def online(self) -> bool: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    async def embed(self, texts: Sequence[str], llm: LLM | None) -> Vectors:
        """Return the vectors of the texts.

        Args:
            texts: The texts.
            llm: The model, which only some embedders ask.

        Returns:
            An array of shape (texts, dimensions), with rows of length 1.
        """


class _Plugin(Protocol):
    """The protocol of the modules in this package."""

    def fitted(self, keys: Sequence[str], model: str) -> Embedder:
        """Return the embedder, fitted to the texts (`keys`) of a memory. Raises
        `EmbedderUnusable`.
        """


def names() -> list[str]:
    """Return the names of the embedders."""
    return plugins.names(sys.modules[__name__])


def get(name: str, keys: Sequence[str] = ()) -> Embedder:
    """Return an embedder.

    Args:
        name: `hashed`, `minilm`, `openai` or `openai/MODEL`.
        keys: The texts of the memory.

    Raises:
        UnknownName: No embedder has this name.
        EmbedderUnusable: The embedder cannot be used; the message gives the remedy.
    """
    kind, _, model = name.partition("/")
    plugin = cast("_Plugin", plugins.load("embedder", sys.modules[__name__], kind))
    return plugin.fitted(keys, model)
