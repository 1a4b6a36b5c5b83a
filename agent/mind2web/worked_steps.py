"""Three worked steps on pages of our own, which the methods show in their own forms.

The published examples are steps of three websites of `train`, which we do not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent import prompting

FILE = Path("mind2web", "examples", "pages.toml")
"""The place of the file in a folder of prompts."""


@dataclass(frozen=True)
class WorkedStep:
    """A step with its answer.

    Attributes:
        task: The task.
        previous: The actions before it, in words.
        page: The page as Synapse writes it.
        action: The action in Synapse's notation.
    """

    task: str
    previous: Sequence[str]
    page: str
    action: str


def load(folder: Path) -> dict[str, WorkedStep]:
    """Return the worked steps by name. Raises `BadPrompt`.

    Args:
        folder: The folder that holds the prompts of all methods.
    """
    found = prompting.parse(folder / FILE)
    return {name: WorkedStep(**each) for name, each in found.items() if isinstance(each, dict)}
