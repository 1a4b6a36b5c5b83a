"""Win tic-tac-toe against an often careless opponent; the best player wins 85 of 100 games."""

from __future__ import annotations

from functools import cache

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget
from sites.sums import in_order

CARELESS = 0.55
"""The probability of a random move; otherwise the opponent wins or blocks if it can."""
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")

LOST = {18, 27, 43, 48, 50, 52, 58, 65, 71}
"""The seeds below 75 on which even the best player does not win."""
DRAWN = (2, 15, 25, 26, 29, 34, 35, 36, 39, 47, 67)
"""Seeds on which even the worst player does not lose, because the opponent is too careless."""

Board = tuple[str, ...]
"""The nine fields of the board: X, O or ""."""


def advise(view: PageView) -> Advice:
    here = board(view)
    playing = len(here) == 9 and free(here)
    return do(click(view.all("button")[best(here)])) if playing else do()


def board(view: PageView) -> Board:
    marks = (each.name.rpartition(" ")[2] for each in view.all("button")[:9])
    return tuple("" if mark == "free" else mark for mark in marks)


@cache
def best(board: Board) -> int:
    """Return the move with the highest chance of winning."""
    return max(free(board), key=lambda n: (chance(put(board, n, "X")), -n))


@cache
def chance(board: Board) -> float:
    """Return the probability that X wins with best play if O moves next."""
    if won(board, "X"):
        return 1.0
    moves = free(board)
    if not moves:
        return 0.0
    after = {n: value(put(board, n, "O")) for n in moves}
    blind = in_order(after.values()) / len(moves)
    aimed = completing(board, "O")
    aimed = completing(board, "X") if aimed is None else aimed
    if len(moves) == 9 or aimed is None:
        return blind
    return CARELESS * blind + (1 - CARELESS) * after[aimed]


@cache
def value(board: Board) -> float:
    """Return the probability that X wins with best play if X moves next."""
    if won(board, "O") or not free(board):
        return 0.0
    return chance(put(board, best(board), "X"))


def free(board: Board) -> list[int]:
    return [n for n, mark in enumerate(board) if not mark]


def put(board: Board, n: int, mark: str) -> Board:
    return (*board[:n], mark, *board[n + 1 :])


def won(board: Board, mark: str) -> bool:
    return any(all(board[int(n)] == mark for n in line) for line in LINES)


def completing(board: Board, mark: str) -> int | None:
    """Return the first move that completes a line of X or of O (`mark`), or None."""
    return next((n for n in free(board) if won(put(board, n, mark), mark)), None)


def lose(view: PageView) -> Advice:
    """Advise the worst move, until O has won or the board is full: a wrong end for tests."""
    here = board(view)
    return do(click(view.all("button")[min(free(here), key=lambda n: chance(put(here, n, "X")))]))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=5,
    outcomes={
        "wrong": Outcome(lose, -0.75, [seed for seed in range(75) if seed not in DRAWN]),
        "wrong, a draw": Outcome(lose, -0.5, DRAWN),
    },
    seeds=[seed for seed in range(75) if seed not in LOST],
)
