"""BERT in numpy against the same sums written out, and the file of its weights."""

from __future__ import annotations

import math

import numpy as np
import pytest
from safetensors.numpy import save_file

from agent.embedders._bert import Bert, gelu, tensors

WIDTH, INNER, HEADS, WORDS = 4, 6, 2, 5
LAYER = "encoder.layer.0"


def weights(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)

    def drawn(*shape):
        return rng.normal(size=shape).astype(np.float32)

    made = {
        f"embeddings.{name}_embeddings.weight": drawn(count, WIDTH)
        for name, count in (("word", WORDS), ("position", 8), ("token_type", 2))
    }
    denses = {f"attention.self.{each}": (WIDTH, WIDTH) for each in ("query", "key", "value")}
    denses |= {
        "attention.output.dense": (WIDTH, WIDTH),
        "intermediate.dense": (INNER, WIDTH),
        "output.dense": (WIDTH, INNER),
    }
    for name, shape in denses.items():
        made[f"{LAYER}.{name}.weight"] = drawn(*shape)
        made[f"{LAYER}.{name}.bias"] = drawn(shape[0])
    for name in ("embeddings", f"{LAYER}.attention.output", f"{LAYER}.output"):
        made[f"{name}.LayerNorm.weight"] = drawn(WIDTH)
        made[f"{name}.LayerNorm.bias"] = drawn(WIDTH)
    return made


class Slow:
    """One layer of BERT over lists of numbers, token by token."""

    def __init__(self, weights):
        self.weights = {name: value.tolist() for name, value in weights.items()}

    def states(self, tokens):
        embedded = [
            self.normal(
                "embeddings",
                [
                    word + place + kind
                    for word, place, kind in zip(
                        self.weights["embeddings.word_embeddings.weight"][token],
                        self.weights["embeddings.position_embeddings.weight"][at],
                        self.weights["embeddings.token_type_embeddings.weight"][0],
                        strict=True,
                    )
                ],
            )
            for at, token in enumerate(tokens)
        ]
        return [self.layer(at, embedded) for at in range(len(tokens))]

    def layer(self, at, states):
        attended = self.dense("attention.output.dense", self.attended(at, states))
        mine = self.normal(f"{LAYER}.attention.output", self.plus(states[at], attended))
        inner = [
            x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in self.dense("intermediate.dense", mine)
        ]
        return self.normal(f"{LAYER}.output", self.plus(mine, self.dense("output.dense", inner)))

    def attended(self, at, states):
        query = self.dense("attention.self.query", states[at])
        keys = [self.dense("attention.self.key", each) for each in states]
        values = [self.dense("attention.self.value", each) for each in states]
        size, mixed = WIDTH // HEADS, []
        for head in range(HEADS):
            part = slice(head * size, (head + 1) * size)
            scores = [math.exp(self.dot(query[part], key[part]) / math.sqrt(size)) for key in keys]
            mixed += [
                self.dot(scores, [value[column] for value in values]) / sum(scores)
                for column in range(head * size, (head + 1) * size)
            ]
        return mixed

    def dense(self, name, state):
        rows, bias = self.weights[f"{LAYER}.{name}.weight"], self.weights[f"{LAYER}.{name}.bias"]
        return [self.dot(row, state) + shift for row, shift in zip(rows, bias, strict=True)]

    def normal(self, name, state):
        mean = sum(state) / len(state)
        spread = math.sqrt(sum((x - mean) ** 2 for x in state) / len(state))
        scale = self.weights[f"{name}.LayerNorm.weight"]
        shift = self.weights[f"{name}.LayerNorm.bias"]
        return [(x - mean) / spread * a + b for x, a, b in zip(state, scale, shift, strict=True)]

    @staticmethod
    def dot(one, other):
        return sum(x * y for x, y in zip(one, other, strict=True))

    @staticmethod
    def plus(one, other):
        return [x + y for x, y in zip(one, other, strict=True)]


@pytest.mark.parametrize("tokens", [[0], [1, 2], [4, 3, 3, 0, 1]])
def test_it_is_bert(tokens):
    made = weights(len(tokens))
    states = Bert(made, 1, HEADS).states(tokens)
    assert states.dtype == np.float32
    assert states == pytest.approx(np.array(Slow(made).states(tokens)), abs=1e-4)


def test_gelu_is_exact_to_a_float():
    xs = np.linspace(-8, 8, 4001, dtype=np.float32)
    exact = [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in xs.tolist()]
    assert gelu(xs).dtype == np.float32
    assert gelu(xs) == pytest.approx(exact, abs=5e-7)


def test_the_32_bit_floats_of_a_file_are_read(tmp_path):
    arrays = {
        "ids": np.arange(3),
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.float32([7.5]),
    }
    save_file(arrays, tmp_path / "m", {"format": "pt"})
    found = tensors(tmp_path / "m")
    assert set(found) == {"a", "b"}
    assert (found["a"] == arrays["a"]).all()
    assert (found["b"] == arrays["b"]).all()


@pytest.mark.parametrize("end", [0, 5, 40, -4])
def test_a_file_that_was_cut_is_no_model(tmp_path, end):
    save_file({"a": np.arange(6, dtype=np.float32)}, tmp_path / "m")
    data = (tmp_path / "m").read_bytes()
    (tmp_path / "m").write_bytes(data[:end])
    with pytest.raises(ValueError):
        tensors(tmp_path / "m")
