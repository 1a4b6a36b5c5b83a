"""Embedders: each file here turns texts into vectors and gives its name to an embedder."""

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
    """An embedder cannot be used like this; the message says what to do."""


class Embedder(Protocol):
    """Turns texts into vectors whose Euclidean distance tells how unlike they are.

    `stored` says whether a memory's file keeps the vectors, because making them again is slow or
    costs money; `online` whether a model has to be asked for each text. `parameters` are what the
    vectors depend on besides the texts, as JSON.
    """

    @property
    def stored(self) -> bool: ...

    @property
    def online(self) -> bool: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    async def embed(self, texts: Sequence[str], llm: LLM | None) -> Vectors:
        """Shape (texts, dimensions), each row of length 1. Only some embedders ask `llm`."""


class _Plugin(Protocol):
    """The protocol of the files of this folder."""

    def fitted(self, keys: Sequence[str], model: str) -> Embedder:
        """The embedder for a memory of these texts. Raises `EmbedderUnusable`."""


def names() -> list[str]:
    return plugins.names(sys.modules[__name__])


def get(name: str, keys: Sequence[str] = ()) -> Embedder:
    """`hashed`, `minilm`, `openai` or `openai/MODEL`, for a memory of these texts.

    Raises `plugins.UnknownName` or `EmbedderUnusable`.
    """
    kind, _, model = name.partition("/")
    plugin = cast("_Plugin", plugins.load("embedder", sys.modules[__name__], kind))
    return plugin.fitted(keys, model)
