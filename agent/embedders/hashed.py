"""The embedder `hashed`: words and pairs of words, hashed to positions of a vector.

Feature hashing (Weinberger et al. 2009) with sublinear term frequency, and inverse document
frequency over the memory's keys; nothing else is learned. The vectors are the same in every
process, and need no network.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from agent.embedders import EmbedderUnusable
from agent.interface import LLM

if TYPE_CHECKING:
    from agent.embedders import Vectors

DIMENSIONS = 4096
RARE = 0.01
"""The largest share of the memory's keys in which an n-gram may occur and still be ignored; such
n-grams distinguish single keys, not kinds of tasks.
"""

_WORD = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True)
class Hashed:
    """An embedder by hashed words; `weights` contains the weight of each n-gram (word or pair) that
    is used.
    """

    weights: Mapping[str, float]
    stored: ClassVar[bool] = False
    online: ClassVar[bool] = False
    parameters: ClassVar[Mapping[str, float]] = {"dimensions": DIMENSIONS, "rare": RARE}

    async def embed(self, texts: Sequence[str], llm: LLM | None = None) -> Vectors:
        """Return the vectors. A text without any n-gram of the keys gets a vector of zeros."""
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(DIMENSIONS, np.float32)
        for gram, count in Counter(grams(text)).items():
            if gram in self.weights:
                place = zlib.crc32(gram.encode()) % DIMENSIONS
                vector[place] += (1 + math.log(count)) * self.weights[gram]
        length = np.linalg.norm(vector)
        return vector / length if length else vector


def fitted(keys: Sequence[str], model: str = "") -> Hashed:
    """Return the embedder with n-gram weights computed from these keys. Raises
    `EmbedderUnusable`.
    """
    if model:
        raise EmbedderUnusable(f"hashed has no model {model!r}", "write hashed")
    found = Counter(gram for key in keys for gram in set(grams(key)))
    total = len(keys)
    return Hashed(
        {
            gram: math.log((1 + total) / count)
            for gram, count in found.items()
            if count > RARE * total
        }
    )


def grams(text: str) -> list[str]:
    """Return the words of a text in lower case and all pairs of neighbouring words; every number
    becomes `0`.
    """
    words = ["0" if word.isdecimal() else word for word in _WORD.findall(text.lower())]
    return words + [f"{one} {other}" for one, other in pairwise(words)]
