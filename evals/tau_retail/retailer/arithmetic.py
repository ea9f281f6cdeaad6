"""The pocket calculator: arithmetic of numbers, with the words of Python where it fails."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from evals.tau_retail.retailer.records import Refused

_ALLOWED = frozenset("0123456789+-*/(). ")

_MOST_BITS = 4_096
"""Of a whole number: a larger one is no float, and takes time."""

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}


def calculated(expression: str) -> str:
    """Work an expression out, to two decimals.

    Raises:
        Refused: it holds something else than numbers, operators, parentheses and spaces.
        Exception: of whatever kind Python raises; its text is the answer.
    """
    if not all(character in _ALLOWED for character in expression):
        raise Refused("invalid characters in expression")
    tree = ast.parse(expression.lstrip(), "<string>", "eval")
    return str(round(float(_value(tree.body)), 2))


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=sign, operand=operand):
            return _UNARY[type(sign)](_value(operand))
        case ast.BinOp(left=left, op=op, right=right):
            before, after = _value(left), _value(right)
            if isinstance(op, ast.Pow):
                _check_size(before, after)
            return _BINARY[type(op)](before, after)
        case ast.Call(func=called):
            raise TypeError(f"'{type(_value(called)).__name__}' object is not callable")
        case _:
            return ()


def _check_size(base: Any, exponent: Any) -> None:
    is_whole = isinstance(base, int) and isinstance(exponent, int)
    if is_whole and base.bit_length() * exponent > _MOST_BITS:
        raise OverflowError("int too large to convert to float")
