"""BERT's encoder (Devlin et al. 2019) in numpy, and a reader for its weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

EPSILON = 1e-12  # what BERT adds to a variance


def tensors(path: Path) -> dict[str, Array]:
    """Return the 32-bit float arrays of a safetensors file by name.

    Raises OSError or ValueError.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        arrays = load_file(path)
    except SafetensorError as error:
        raise ValueError(str(error)) from None
    return {name: array for name, array in arrays.items() if array.dtype == np.float32}


@dataclass(frozen=True)
class Bert:
    """BERT's encoder; `weights` are its arrays by their names in the published checkpoints."""

    weights: Mapping[str, Array]
    layers: int
    heads: int

    def states(self, tokens: Sequence[int]) -> Array:
        """Return the last hidden states of one text without padding, of shape (tokens, width)."""
        words = self.weights["embeddings.word_embeddings.weight"][list(tokens)]
        places = self.weights["embeddings.position_embeddings.weight"][: len(tokens)]
        kind = self.weights["embeddings.token_type_embeddings.weight"][0]
        states = self._normal("embeddings.LayerNorm", words + places + kind)
        for number in range(self.layers):
            states = self._layer(f"encoder.layer.{number}", states)
        return states

    def _layer(self, layer: str, states: Array) -> Array:
        attended = self._dense(f"{layer}.attention.output.dense", self._attention(layer, states))
        states = self._normal(f"{layer}.attention.output.LayerNorm", states + attended)
        inner = gelu(self._dense(f"{layer}.intermediate.dense", states))
        outer = self._dense(f"{layer}.output.dense", inner)
        return self._normal(f"{layer}.output.LayerNorm", states + outer)

    def _attention(self, layer: str, states: Array) -> Array:
        query, key, value = (
            self._split(self._dense(f"{layer}.attention.self.{each}", states))
            for each in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed: Array = scores / scores.sum(axis=-1, keepdims=True) @ value
        return mixed.transpose(1, 0, 2).reshape(states.shape)

    def _split(self, states: Array) -> Array:
        """Reshape an array from (tokens, width) to (heads, tokens, width of a head), for
        attention.
        """
        return states.reshape(len(states), self.heads, -1).transpose(1, 0, 2)

    def _dense(self, name: str, states: Array) -> Array:
        product: Array = states @ self.weights[f"{name}.weight"].T
        return product + self.weights[f"{name}.bias"]

    def _normal(self, name: str, states: Array) -> Array:
        centred: Array = states - states.mean(axis=-1, keepdims=True)
        spread: Array = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + EPSILON)
        return centred / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def gelu(x: Array) -> Array:
    """Return x times the normal distribution function of x, to 5e-7 for |x| up to 8.

    The error function is by Abramowitz and Stegun, 7.1.26.
    """
    z: Array = np.abs(x) * np.float32(math.sqrt(0.5))
    t: Array = np.reciprocal(1 + np.float32(0.3275911) * z)
    total: Array = np.full_like(t, 1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        total *= t
        total += np.float32(factor)
    tail: Array = total * t * np.exp(-z * z) * np.float32(0.5)
    below: Array = x * tail
    return np.where(x > 0, x - below, below)
