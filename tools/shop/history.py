"""The shop's additions to a user's history, as queries of its views: orders, lines, payments."""

from __future__ import annotations

from collections.abc import Mapping

_ORDERS = """
select placed.result ->> 'order_id' as order_id,
    case when placed.state <> 'done' or cancelled.order_id is not null
        then 'cancelled' else 'placed' end as status,
    (placed.args ->> 'total')::bigint as total, placed.args ->> 'currency' as currency,
    placed.at, placed.thread_id, placed.plan_id, placed.action
from effects as placed
left join (
    select distinct args ->> 'order_id' as order_id
    from effects where tool = 'cancel_order' and state = 'done'
    ) as cancelled on cancelled.order_id = placed.result ->> 'order_id'
where placed.tool = 'place_order' and placed.state in ('done', 'undoing', 'stuck', 'undone')
"""

_ORDER_LINES = """
select orders.order_id, held.args ->> 'sku' as sku, (held.args ->> 'quantity')::integer as quantity,
    (held.args ->> 'unit_price')::bigint as unit_price, orders.at
from orders join effects as held
    on held.plan_id = orders.plan_id and held.action = orders.action
where held.tool = 'reserve_inventory' and held.state = 'done'
"""

_PAYMENTS = """
select case when state = 'done' and tool = 'refund_payment' then 'refunded'
        when state = 'done' then 'charged'
        when state = 'negative' then 'failed'
        when state = 'undone' then 'charged and refunded'
        when state = 'void' then 'never tried'
        else 'in doubt' end as status,
    (args ->> 'amount')::bigint as amount, args ->> 'currency' as currency,
    args ->> 'card_id' as card_id, reason, at, thread_id, plan_id
from effects
where tool in ('charge_payment', 'refund_payment')
"""

VIEWS: Mapping[str, str] = {"orders": _ORDERS, "order_lines": _ORDER_LINES, "payments": _PAYMENTS}
"""Name to query; a query may use the names before it. Money is in cents."""

WORDS = """\
query_history also knows orders(order_id, status: placed or cancelled, total, currency, at,
thread_id), order_lines(order_id, sku, quantity, unit_price, at) and payments(status: charged,
failed, refunded, ..., amount, currency, card_id, reason, at, thread_id). Money is in cents.
"""
"""Their description in the prompt."""
