"""What a call comes to, whatever a model wrote: a tool's rule, or what is wrong with the call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evals.tau_retail.retailer import reads, writes
from evals.tau_retail.retailer.records import Answer, Tables

READS: Mapping[str, Callable[..., str]] = {
    rule.__name__: rule
    for rule in (
        reads.calculate,
        reads.find_user_id_by_email,
        reads.find_user_id_by_name_zip,
        reads.get_order_details,
        reads.get_product_details,
        reads.get_user_details,
        reads.list_all_product_types,
        reads.think,
        reads.transfer_to_human_agents,
    )
}

WRITES: Mapping[str, Callable[..., Answer]] = {
    rule.__name__: rule
    for rule in (
        writes.cancel_pending_order,
        writes.exchange_delivered_order_items,
        writes.modify_pending_order_address,
        writes.modify_pending_order_items,
        writes.modify_pending_order_payment,
        writes.modify_user_address,
        writes.return_delivered_order_items,
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
