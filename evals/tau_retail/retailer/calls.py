"""What a call comes to, whatever a model wrote: a tool's rule, or what is wrong with the call."""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evals.tau_retail.retailer import rules
from evals.tau_retail.retailer.rules import Answer, Refused, Tables

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


def calculate(tables: Tables, expression: Any) -> str:
    """Work an expression out, to two decimals; where that fails, in the words of Python.

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


READS: Mapping[str, Callable[..., str]] = {
    rule.__name__: rule
    for rule in (
        calculate,
        rules.find_user_id_by_email,
        rules.find_user_id_by_name_zip,
        rules.get_order_details,
        rules.get_product_details,
        rules.get_user_details,
        rules.list_all_product_types,
        rules.think,
        rules.transfer_to_human_agents,
    )
}

WRITES: Mapping[str, Callable[..., Answer]] = {
    rule.__name__: rule
    for rule in (
        rules.cancel_pending_order,
        rules.exchange_delivered_order_items,
        rules.modify_pending_order_address,
        rules.modify_pending_order_items,
        rules.modify_pending_order_payment,
        rules.modify_user_address,
        rules.return_delivered_order_items,
    )
}

ERROR = "Error: "
"""Begins the text of every call that failed; nothing was changed then."""


def answered(tool: str, tables: Tables, args: Mapping[str, Any]) -> Answer:
    """Answer a call. Every failure is a text: the model reads it."""
    rule = READS.get(tool) or WRITES.get(tool)
    if rule is None:
        return Answer(f"Unknown action {tool}")
    try:
        if wrong := _misfit(tool, rule, args):
            raise TypeError(wrong)
        answer = rule(tables, **args)
    except Exception as error:
        # Wrongly typed values are not validated: what they come to in Python is the answer.
        return Answer(f"{ERROR}{error}")
    return answer if isinstance(answer, Answer) else Answer(answer)


def parameters(tool: str) -> list[str]:
    """Name the arguments of a tool, all of which are required."""
    return list(inspect.signature(READS.get(tool) or WRITES[tool]).parameters)[1:]


def _misfit(tool: str, rule: Callable[..., Any], args: Mapping[str, Any]) -> str:
    """Say which argument is not known or missing, in Python's words; nothing where all fit."""
    wanted = parameters(tool)
    called = f"{''.join(word.capitalize() for word in tool.split('_'))}.invoke()"
    if unknown := next((name for name in args if name not in wanted), None):
        return f"{called} got an unexpected keyword argument '{unknown}'"
    missing = [f"'{name}'" for name in wanted if name not in args]
    if not missing:
        return ""
    arguments = f"argument{'s' if len(missing) > 1 else ''}: {_listed(missing)}"
    return f"{called} missing {len(missing)} required positional {arguments}"


def _listed(names: Sequence[str]) -> str:
    *before, last = names
    if len(before) < 2:
        return " and ".join(names)
    return f"{', '.join(before)}, and {last}"
