"""A calculator as a function of every state: a tool, as LASER's section on limitations proposes."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import replace

from agent.methods.laser.state_graph import Function, State

CALCULATE = Function(
    "calculate",
    "Work out sums, differences, products and quotients; the history then shows the result.",
    (),
    next="",
    parameters={
        "properties": {
            "expression": {
                "type": "string",
                "description": "numbers with + - * / and parentheses, such as (12.50 + 3) / 6",
            }
        },
        "required": ["expression"],
    },
)
"""The function. It does not count as a transition."""
LONGEST = 500
"""The most characters of an expression."""
_OPERATORS: Mapping[type[ast.operator | ast.unaryop], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


def offered(state: State) -> State:
    """Return the state with the calculator among its functions; a final state as it is."""
    return state if state.final else replace(state, functions=(*state.functions, CALCULATE))


def result(expression: str) -> str:
    """Return the value of an arithmetic expression as text, rounded to six digits after the point;
    a message for the model if it has none. Dollar signs, and commas between digits, do not matter.
    """
    plain = expression.replace("$", "").replace(",", "").strip()
    try:
        if len(plain) > LONGEST:
            raise ValueError("it is too long")
        value = round(_value(ast.parse(plain, mode="eval").body), 6)
        if not math.isfinite(value):
            raise ValueError("it is no number")
    except (ValueError, SyntaxError, ArithmeticError, RecursionError) as error:
        return f"cannot be worked out ({error}); write numbers with + - * / and parentheses"
    return f"{value:f}".rstrip("0").rstrip(".")


def _value(node: ast.expr) -> float:
    """Return the value of a node of numbers and operators. Raises ValueError for other nodes."""
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.operand))
    raise ValueError("it is no arithmetic")
