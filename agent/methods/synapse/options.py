"""Options of Synapse."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agent import prompting
from agent.methods.synapse import exemplar_files, memory


@dataclass(frozen=True)
class Options:
    """Defaults are the paper's, but for `context`, which is the model's.

    `rounds`: of one program each. `calls`: of one program. `moves`: of one action each. `top`: the
    elements that the ranker keeps of the page (0: as many as the site's prompts say). `past`: of
    pages before, and in exemplars. `abstraction`: off, show outer HTML where the exemplars hold
    it, else the whole state. `trajectory`: off, single steps and no history. `memory`: off, look
    the exemplars up by the task's name. `embedder`: of the memory. `threshold`: the distance beyond
    which nothing is retrieved (0: none). `context`: the tokens that fit a prompt (0: as many as the
    model takes). `temperature`: the released code's; -1 leaves it to the model. `reasks`: for
    replies that cannot be read. `release`: rounds and history by task, as in the released code.
    `prompts`, `exemplars`: the folders of the files. `memory_file`: the memory where it is not the
    one among the exemplars.
    """

    rounds: int = 10
    calls: int = 50
    moves: int = 60
    top: int = 0
    past: int = 3
    abstraction: bool = True
    trajectory: bool = True
    memory: bool = True
    embedder: str = "hashed"
    threshold: float = 0.0
    context: int = 0
    temperature: float = 0.0
    reasks: int = 2
    release: bool = False
    prompts: Path = prompting.FOLDER
    exemplars: Path = exemplar_files.FOLDER
    memory_file: str = ""

    def __post_init__(self) -> None:
        for name in ("rounds", "calls", "moves", "past"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)} is below 1")
        for name in ("threshold", "context", "reasks", "top"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}={getattr(self, name)} is below 0")

    def keys(self, site: str) -> Path:
        """The file of the memory."""
        return Path(self.memory_file) if self.memory_file else self.exemplars / site / memory.KEYS
