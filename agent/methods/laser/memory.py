"""What LASER remembers: the history, the memory buffer, and the item that is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.interface import Element, Observation, Text
from agent.methods.laser.state_graph import FunctionCall


@dataclass
class MemoryItem:
    """An item of the memory buffer."""

    title: str
    price: str
    address: str
    rationale: str = ""


@dataclass
class Memory:
    """`history` holds all thoughts and calls, `buffer` the examined items by their key.

    `item` is the key of the item that is open ("" for none), `sections` the texts of its detail
    pages that were read, `target` the target item details.
    """

    history: list[str] = field(default_factory=list)
    buffer: dict[str, MemoryItem] = field(default_factory=dict)
    item: str = ""
    sections: dict[str, str] = field(default_factory=dict)
    target: Mapping[str, Any] = field(default_factory=dict)

    def open(self, item: str) -> None:
        """Another item is open, or none; none of its detail pages was read."""
        self.item, self.sections = item, {}

    def add_thought(self, thought: str) -> None:
        self.history.append(f"Rationale{len(self.history) // 2}: {thought}")
        if self.item:
            self.buffer[self.item].rationale = thought

    def add_call(self, call: FunctionCall) -> None:
        self.history.append(f"Action{len(self.history) // 2}: {call}")

    def take_history(self) -> str:
        """The history, which is then forgotten."""
        shown = "\n".join(self.history)
        self.history.clear()
        return shown

    def extended(self, observation: Observation) -> Observation:
        """The page with the texts of its detail pages below it."""
        lines = [
            Text(line)
            for name, text in self.sections.items()
            for line in (f"{name}:", *text.split("\n"))
        ]
        content: tuple[Element | Text, ...] = (*observation.content, *lines)
        return Observation(observation.url, observation.title, content, observation.dialog)
