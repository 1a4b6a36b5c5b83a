"""How often the best player wins: by an exact sum over the sheet's opponent."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache

from agent.interface import Element, Observation
from scenarios.widgets import tic_tac_toe
from scenarios.widgets._page_view import PageView
from scenarios.widgets.tic_tac_toe import completing, free, put, won

EMPTY = ("",) * 9
CARELESS, STARTS = Fraction(55, 100), Fraction(49, 100)


@cache
def x_moves(board) -> Fraction:
    """The best chance with X to move, over every move."""
    if won(board, "O") or not free(board):
        return Fraction(0)
    return max(o_moves(put(board, n, "X")) for n in free(board))


@cache
def o_moves(board) -> Fraction:
    if won(board, "X"):
        return Fraction(1)
    if not free(board):
        return Fraction(0)
    return sum((share * x_moves(put(board, n, "O")) for n, share in opponent(board).items()))


def opponent(board) -> dict[int, Fraction]:
    """Its moves with their probabilities: at random with 0.55, and always on the empty board;
    else it completes its line, blocks a line, or moves at random."""
    moves = free(board)
    blind = {n: Fraction(1, len(moves)) for n in moves}
    aim = completing(board, "O")
    aim = completing(board, "X") if aim is None else aim
    if aim is None or board == EMPTY:
        return blind
    return {n: CARELESS * p + (1 - CARELESS) * (n == aim) for n, p in blind.items()}


def test_the_best_possible_rate_is_0_849():
    first, second = x_moves(EMPTY), o_moves(EMPTY)
    assert round(float(first), 3) == 0.966 and round(float(second), 3) == 0.727
    assert round(float((1 - STARTS) * first + STARTS * second), 3) == 0.849


def test_the_expert_is_a_best_player():
    """Its moves lose nothing against the exact sum, in every position that it can meet."""
    met = {EMPTY, *(put(EMPTY, n, "O") for n in range(9))}
    todo = list(met)
    while todo:
        board = todo.pop()
        if won(board, "O") or not free(board):
            continue
        after = put(board, tic_tac_toe.best(board), "X")
        assert o_moves(after) == x_moves(board), board
        if not won(after, "X"):
            new = {put(after, n, "O") for n in free(after)} - met
            met |= new
            todo += new
    assert len(met) > 300


def test_the_seeds_are_those_that_it_wins_not_all():
    seeds = tic_tac_toe.FAMILY.seeds
    assert len(seeds) >= 50 and len(seeds) < 75
    assert all(one < two for one, two in itertools.pairwise(seeds))


def test_the_expert_gives_up_where_squares_do_not_say_whose_they_are():
    squares = tuple(Element(n + 1, "button", str(n)) for n in range(9))
    assert not tic_tac_toe.advise(PageView("Win", Observation("", "", squares))).actions
