"""A tree of states that were reached, and the choice of the state to continue from (LATS, Zhou et
al. 2023).

The UCT of a state is its mean value plus sqrt(2 ln N / n), for n visits of it and N of its parent;
it is infinite for a state without visits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from agent.interface import Observation


@dataclass(eq=False)
class Node:
    """A state of the search.

    Attributes:
        screen: The page.
        mark: The checkpoint that restores the state.
        subtask: Number of the current subtask, from 1.
        path: The history on the way to the state.
        notes: The notes taken on the way.
        parent: The state before it; None for the root.
        estimate: The model's value of the state, from 0 to 1.
        done: Whether the model found the task done.
        dead: Whether the search cannot continue from the state.
        visits: Number of visits.
        total: Sum of the values of all visits.
        children: The states that follow.
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
        """Return the number of actions from the root."""
        return 0 if self.parent is None else self.parent.depth + 1

    @property
    def uct(self) -> float:
        """Return the UCT of the state."""
        if not self.visits or self.parent is None:
            return math.inf
        spread = 2 * math.log(self.parent.visits) / self.visits
        return self.total / self.visits + math.sqrt(spread)

    def is_open(self, deepest: int) -> bool:
        """Return whether the tree can grow below this state, that is, has a leaf above the deepest
        level.
        """
        if self.dead or self.depth >= deepest:
            return False
        return not self.children or any(child.is_open(deepest) for child in self.children)

    def states(self) -> Iterator[Node]:
        """Yield this state and all states below it."""
        yield self
        for child in self.children:
            yield from child.states()


def select(root: Node, deepest: int) -> Node | None:
    """Return the leaf that is reached from the root by following the child of highest UCT; None if
    no leaf can be expanded.
    """
    if not root.is_open(deepest):
        return None
    node = root
    while node.children:
        growing = (each for each in node.children if each.is_open(deepest))
        node = max(growing, key=lambda each: each.uct)
    return node


def backpropagate(end: Node, value: float) -> None:
    """Add one visit with this value to the state and to all states above it."""
    node: Node | None = end
    while node is not None:
        node.visits += 1
        node.total += value
        node = node.parent
