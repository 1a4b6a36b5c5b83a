"""The ranker `cross:DIR`: a cross-encoder of your own, for example the published one, which MindAct
trained from DeBERTa-v3-base (section 3.1 of Deng et al. 2023).

It needs the package sentence-transformers, which is no dependency of ours.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.mind2web.rankers import Entry, RankerUnusable, query

TOKENS = 512


@dataclass(frozen=True)
class CrossEncoder:
    """The ranker `cross`: `model` reads pairs of texts, `name` is that of its folder."""

    model: Any
    name: str

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The folder's name and how many tokens of a pair are read."""
        return {"model": self.name, "tokens": TOKENS}

    def rank(self, task: str, previous: Sequence[str], candidates: Sequence[Entry]) -> list[float]:
        """Return the model's figure for each pair of candidate and query."""
        asked = query(task, previous)
        pairs = [(str(each.document), asked) for each in candidates]
        return [float(each) for each in self.model.predict(pairs, show_progress_bar=False)]


def made(argument: str) -> CrossEncoder:
    """Return the ranker; `argument` is the model's folder. Raises `RankerUnusable`."""
    folder = Path(argument)
    if not argument or not (folder / "config.json").is_file():
        raise RankerUnusable(f"{argument!r} is no model's folder", "write cross:DIR")
    try:
        package = importlib.import_module("sentence_transformers")
    except ImportError as error:
        remedy = "pip install sentence-transformers"
        raise RankerUnusable("cross needs the package sentence-transformers", remedy) from error
    return CrossEncoder(package.CrossEncoder(argument, max_length=TOKENS), folder.resolve().name)
