"""The tree of LATS: which state is gone on from, and what a visit leaves."""

from __future__ import annotations

import math

import pytest

from agent.interface import Observation
from agent.methods.lats.tree import Node, backpropagate, select

DEEP = 15


def node(parent: Node | None = None) -> Node:
    made = Node(Observation("u", "t"), None, parent=parent)
    if parent:
        parent.children.append(made)
    return made


@pytest.fixture
def root() -> Node:
    return node()


def test_the_mean_value_and_the_spread_are_added(root):
    child, other = node(root), node(root)
    for value in (1.0, 0.0, 0.5):
        backpropagate(child, value)
    backpropagate(other, 0.9)
    assert (root.visits, child.visits, other.visits) == (4, 3, 1)
    assert child.uct == pytest.approx(0.5 + math.sqrt(2 * math.log(4) / 3))
    assert other.uct == pytest.approx(0.9 + math.sqrt(2 * math.log(4) / 1))
    assert root.total == pytest.approx(2.4)


def test_a_state_that_was_not_visited_comes_first(root):
    visited, fresh = node(root), node(root)
    backpropagate(visited, 1.0)
    assert fresh.uct == math.inf and select(root, DEEP) is fresh


def test_the_leaf_is_reached_by_the_highest_uct_at_each_state(root):
    low, high = node(root), node(root)
    leaves = [node(parent) for parent in (low, low, high, high)]
    for leaf, value in zip(leaves, (0.1, 0.2, 0.8, 0.9), strict=True):
        backpropagate(leaf, value)
    assert select(root, DEEP) is leaves[3]
    for _ in range(9):  # what is visited often has less to gain
        backpropagate(leaves[3], 0.1)
    assert select(root, DEEP) in leaves[:3]


def test_what_cannot_grow_is_not_selected(root):
    one, two = node(root), node(root)
    deep = node(one)
    assert select(root, 2) is two, "nothing can grow at the deepest level"
    two.dead = True
    assert select(root, 2) is None and select(root, 3) is deep
    deep.dead = True
    assert not one.is_open(3) and select(root, 3) is None


def test_a_lone_root_is_a_leaf(root):
    assert select(root, 1) is root and root.depth == 0
    assert node(node(root)).depth == 2 and len([*root.states()]) == 3
