"""Hashed words: what counts, and that it counts the same everywhere."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import embedders, plugins
from agent.embedders import EmbedderUnusable, hashed

KEYS = ['Click on the button "ok".', 'Click on the button "no".', "Enter 12:30 as the time."]
ROOT = Path(__file__).parents[3]


def embed(runner, *texts, keys=KEYS):
    return runner.run(hashed.fitted(keys).embed(texts))


def test_each_row_is_of_length_one(runner):
    vectors = embed(runner, *KEYS)
    assert vectors.shape == (3, hashed.DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1])


def test_what_shares_words_and_their_order_is_nearer(runner):
    asked, alike, turned, other = embed(
        runner,
        "click on the button",
        KEYS[0],
        "button the on click",
        KEYS[2],
    )
    assert asked @ alike > asked @ other
    assert asked @ turned < 0.999
    assert asked @ turned > asked @ other


def test_every_number_is_the_same_word(runner):
    one, two, three = embed(runner, "Enter 12:30", "Enter 4:5", "Enter four")
    assert one == pytest.approx(two)
    assert not np.allclose(one, three)


def test_a_rare_word_weighs_more_than_a_common_one(runner):
    weights = hashed.fitted(KEYS).weights
    assert weights["enter"] > weights["click"] > 0
    assert set(weights) == {gram for key in KEYS for gram in hashed.grams(key)}


def test_what_tells_one_key_of_many_counts_for_nothing():
    many = [f"press number {'abcdefghijklmnopqrstuvwxyz'[at % 26] * (at + 1)}" for at in range(150)]
    assert set(hashed.fitted(many).weights) == {"press", "number", "press number"}


def test_a_text_of_unknown_words_is_as_far_from_every_key(runner):
    [vector] = embed(runner, "Ångström?")
    assert not vector.any()


@given(st.text())
def test_any_text_has_a_finite_vector(text):
    vector = hashed.fitted([text, "a b"])._vector(text)
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1 if hashed.grams(text) else 0, abs=1e-5)


SCRIPT = """
import asyncio, hashlib
from agent.embedders import hashed
vectors = asyncio.run(hashed.fitted({keys!r}).embed({keys!r}))
print(hashlib.sha256(vectors.tobytes()).hexdigest())
"""


def test_other_processes_and_hash_seeds_make_the_same_vectors(runner):
    ours = hashlib.sha256(embed(runner, *KEYS).tobytes()).hexdigest()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(keys=KEYS)],
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == ours


def test_an_embedder_is_found_by_its_name():
    assert embedders.names() == ["hashed", "minilm", "openai"]
    assert embedders.get("openai/text-embedding-3-small").parameters == {
        "model": "text-embedding-3-small"
    }
    with pytest.raises(plugins.UnknownName, match="'hased'; did you mean hashed"):
        embedders.get("hased")
    with pytest.raises(EmbedderUnusable, match="hashed has no model 'x'; write hashed"):
        embedders.get("hashed/x")
