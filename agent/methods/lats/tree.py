"""A tree of states that were reached, and which of them to go on from (LATS, Zhou et al. 2023).

UCT of a state: its mean value and sqrt(2 ln N / n), for n visits of it and N of its parent;
endless where it was not visited.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from agent.interface import Observation


@dataclass(eq=False)
class Node:
    """A state: its screen, the mark by which one comes back to it, the subtask (from 1) that is
    at work there, and what was done and noted on the way.

    `estimate` is the evaluator's value of it, from 0 to 1; `total` the sum of the values that its
    `visits` brought. A `dead` state cannot be gone on from.
    """

    screen: Observation
    mark: object
    subtask: int = 1
    path: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    parent: Node | None = None
    estimate: float = 0.0
    done: bool = False
    dead: bool = False
    visits: int = 0
    total: float = 0.0
    children: list[Node] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """Actions from the root."""
        return 0 if self.parent is None else self.parent.depth + 1

    @property
    def uct(self) -> float:
        if not self.visits or self.parent is None:
            return math.inf
        spread = 2 * math.log(self.parent.visits) / self.visits
        return self.total / self.visits + math.sqrt(spread)

    def is_open(self, deepest: int) -> bool:
        """Whether the tree can grow below it: there is a leaf above the deepest level."""
        if self.dead or self.depth >= deepest:
            return False
        return not self.children or any(child.is_open(deepest) for child in self.children)

    def states(self) -> Iterator[Node]:
        """This one and all below it."""
        yield self
        for child in self.children:
            yield from child.states()


def select(root: Node, deepest: int) -> Node | None:
    """The leaf that is reached by the highest UCT at each state; None where nothing can grow."""
    if not root.is_open(deepest):
        return None
    node = root
    while node.children:
        growing = (each for each in node.children if each.is_open(deepest))
        node = max(growing, key=lambda each: each.uct)
    return node


def backpropagate(end: Node, value: float) -> None:
    """A visit of this value, for the state and all above it."""
    node: Node | None = end
    while node is not None:
        node.visits += 1
        node.total += value
        node = node.parent
