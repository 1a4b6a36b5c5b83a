"""The ranker `minilm`: the cosine of the sentence vectors of the query and of the element.

A vector takes a tenth of a second or more, and a page has hundreds of elements; `minilm:FILE` keeps
the vectors in an SQLite file, by the hash of their text.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agent.embedders import EmbedderUnusable, minilm
from agent.embedders.minilm import MiniLM
from agent.mind2web.rankers import Entry, RankerUnusable, query

WORDS = 48
"""Words of a text that are read, some 64 tokens."""


@dataclass(frozen=True)
class ByMiniLM:
    """The ranker `minilm`; `kept` is the file of the vectors, if they are to be kept."""

    embedder: MiniLM
    kept: Path | None = None

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The model and how much of a text it reads."""
        return {**self.embedder.parameters, "words": WORDS}

    def rank(self, task: str, previous: Sequence[str], candidates: Sequence[Entry]) -> list[float]:
        """Return the cosines, from -1 to 1."""
        texts = [query(task, previous), *(each.document.target for each in candidates)]
        texts = [" ".join(each.split()[:WORDS]) for each in texts]
        known = self._vectors({_name(each): each for each in texts})
        vectors = np.stack([known[_name(each)] for each in texts])
        return [float(each) for each in vectors[1:] @ vectors[0]]

    def _vectors(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the vectors of texts by the texts' names."""
        if self.kept is None:
            return self._made(texts)
        with closing(sqlite3.connect(self.kept)) as file, file:
            file.execute("CREATE TABLE IF NOT EXISTS vectors (text TEXT PRIMARY KEY, vector BLOB)")
            known = {name: found for name in texts if (found := _kept(file, name)) is not None}
            made = self._made({name: texts[name] for name in texts if name not in known})
            rows = ((name, each.astype("<f4").tobytes()) for name, each in made.items())
            file.executemany("INSERT INTO vectors VALUES (?, ?)", rows)
        return {**known, **made}

    def _made(self, texts: Mapping[str, str]) -> dict[str, Any]:
        vectors = self.embedder.vectors([*texts.values()]) if texts else ()
        return dict(zip(texts, vectors, strict=True))


def _name(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _kept(file: sqlite3.Connection, name: str) -> Any:
    row = file.execute("SELECT vector FROM vectors WHERE text = ?", (name,)).fetchone()
    return np.frombuffer(row[0], dtype="<f4") if row else None


def made(argument: str = "") -> ByMiniLM:
    """Return the ranker; `argument` is the file of the vectors. Raises `RankerUnusable`."""
    try:
        return ByMiniLM(minilm.fitted(), Path(argument) if argument else None)
    except EmbedderUnusable as error:
        raise RankerUnusable(error.problem, error.remedy) from error
