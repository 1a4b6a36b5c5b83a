"""Token counts by a real vocabulary, for limits that a paper gives in tokens.

The vocabulary is Mistral's Tekken, which is part of the package `mistral-common`; nothing is
downloaded. It is loaded at the first count, which takes about a second.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

PACKAGE = "mistral_common"
VOCABULARY = "the vocabulary Tekken"
REMEDY = "pip install 'rehearsal-web[tokens]'"
_VOCABULARY = Path("data", "tekken_240911.json")


def is_installed() -> bool:
    """Return whether the package with the vocabulary is installed."""
    return importlib.util.find_spec(PACKAGE) is not None


def count(text: str) -> int:
    """Return the number of tokens of a text."""
    return len(_tekken().encode(text, bos=False, eos=False))


@cache
def _tekken() -> Tekkenizer:
    import mistral_common
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    return Tekkenizer.from_file(Path(mistral_common.__file__).parent / _VOCABULARY)
