"""An embedding model behind OpenAI's API, asked through the episode's own model client.

So its requests are live, recorded or replayed like all others. The default is the model that
Synapse used, text-embedding-ada-002 (Zheng et al. 2024, section 4.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from agent.embedders import EmbedderUnusable
from agent.interface import LLM

if TYPE_CHECKING:
    from agent.embedders import Vectors

MODEL = "text-embedding-ada-002"
PURPOSE = "synapse/embed"
AT_ONCE = 64  # texts of one request: the reply of the largest models stays under 5 MB


@dataclass(frozen=True)
class OpenAI:
    """The embedder `openai`; `model` is the name of the embedding model."""

    model: str
    stored: ClassVar[bool] = True
    online: ClassVar[bool] = True

    @property
    def parameters(self) -> Mapping[str, str]:
        """The parameters on which the vectors depend: the name of the model."""
        return {"model": self.model}

    async def embed(self, texts: Sequence[str], llm: LLM | None) -> Vectors:
        """Return the vectors of the texts. Raises the errors of `llm.embed`."""
        if llm is None:
            raise EmbedderUnusable("openai needs a model to ask", "hashed and minilm are offline")
        found = [
            vector
            for start in range(0, len(texts), AT_ONCE)
            for vector in await llm.embed(PURPOSE, texts[start : start + AT_ONCE], model=self.model)
        ]
        vectors: Vectors = np.array(found, np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def fitted(keys: Sequence[str] = (), model: str = "") -> OpenAI:
    """Return the embedder for an embedding model; for "", the default model. The keys do not
    matter.
    """
    return OpenAI(model or MODEL)
