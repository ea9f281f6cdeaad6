"""The steps of questions about what was done before: each is a query over the person's past."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Say, Step, refused
from daybook.demo.model.grammar.language.intents.past import AskPast, Period
from daybook.demo.model.grammar.language.words import MONTHS, PREFIXES

_DAY: Final = "to_char(at, 'YYYY-MM-DD') as day"
_READ_DAY: Final = "to_char(read_at, 'YYYY-MM-DD') as day"
_MOST_ROWS: Final = 20


def ask_past(intent: AskPast, desk: Desk) -> Step:
    """Ask the person's past in SQL, and say what it came to."""
    sql = sql_of(intent)
    call = desk.take("query_history", sql=sql)
    if call is None:
        return desk.ask_for("query_history", sql=sql)
    sentence = refused(call)
    if sentence:
        return Say(wording.passed_on("query_history", sentence))
    return Say(_told(intent, table(call.result)))


def sql_of(intent: AskPast) -> str:
    """Write the question as a query; nothing in it was written by a person."""
    at = _since(intent.period) if intent.period is not None else ""
    match intent.about:
        case "orders":
            return _rows(f"order_id, status, total, currency, {_DAY}", "orders", [at])
        case "spent" if intent.kind or intent.sku:
            when = _since(intent.period, "orders.at") if intent.period is not None else ""
            conditions = ["orders.status = " + _text("placed"), _goods(intent), when]
            return (
                "select orders.currency, sum(order_lines.quantity * order_lines.unit_price) as"
                " total, count(distinct orders.order_id) as orders from order_lines"
                f" join orders on orders.order_id = order_lines.order_id{_where(conditions)}"
                " group by orders.currency"
            )
        case "spent":
            return (
                "select currency, sum(total) as total, count(*) as orders from orders"
                f"{_where(['status = ' + _text('placed'), at])} group by currency"
            )
        case "count":
            return f"select status, count(*) as orders from orders{_where([at])} group by status"
        case "removed":
            return _rows(f"text, {_DAY}", "changes", ["type = 'remove'", at])
        case "failed payments":
            return _rows(
                f"status, amount, currency, reason, {_DAY}", "payments", ["status = 'failed'", at]
            )
        case "searches":
            read_at = _since(intent.period, "read_at") if intent.period is not None else ""
            return (
                f"select args ->> 'query' as query, {_READ_DAY} from reads"
                f"{_where(['tool = ' + _text('search_products'), read_at])}"
                f" order by read_at desc limit {_MOST_ROWS}"
            )
        case "bought" | "everything":
            return _rows(f"order_id, sku, quantity, {_DAY}", "order_lines", [_goods(intent), at])
        case "cancelled":
            cancelled = "status = " + _text("cancelled")
            return _rows(f"order_id, status, total, currency, {_DAY}", "orders", [cancelled, at])


def table(text: str) -> list[dict[str, str]]:
    """Read the rows of a query's result by the names of their columns."""
    head, *lines = text.split("\n")
    if " query_history ok" not in head or not lines:
        return []
    names = lines[0].split(" | ")
    rows = (line.split(" | ") for line in lines[1:])
    return [dict(zip(names, row, strict=True)) for row in rows if len(row) == len(names)]


def _told(intent: AskPast, found: Sequence[Mapping[str, str]]) -> str:
    when = f" {_said(intent.period)}" if intent.period is not None else ""
    match intent.about:
        case "orders" if found:
            return _listed(f"Your orders{when}:", (_order(row) for row in found))
        case "cancelled" if found:
            return _listed(f"Your cancelled orders{when}:", (_order(row) for row in found))
        case "cancelled":
            return f"You cancelled no order{when or ' so far'}."
        case "everything" if found:
            return _listed(f"You bought{when}:", map(_line, found))
        case "everything":
            return f"You bought nothing{when or ' so far'}."
        case "orders" | "count" if not found:
            return f"You placed no order{when or ' so far'}."
        case "spent" if not found:
            what = f" on {_what(intent)}" if intent.kind or intent.sku else ""
            return f"You have spent nothing{what}{when or ' so far'}."
        case "spent":
            what = f" for {_what(intent)}" if intent.kind or intent.sku else ""
            sums = (
                f"{_money(row, 'total')} on {_number(row.get('orders', ''), 'order')}"
                for row in found
            )
            return f"You spent {' and '.join(sums)}{what}{when}. Cancelled orders are not counted."
        case "count":
            parts = [f"{row.get('orders', '?')} {row.get('status', '')}" for row in found]
            return f"Your orders{when}: {', '.join(parts)}."
        case "removed" if found:
            return _listed(f"You took out of your cart{when}:", map(_removed, found))
        case "removed":
            return f"You took nothing out of your cart{when}."
        case "failed payments" if found:
            return _listed(f"Payments that failed{when}:", map(_payment, found))
        case "failed payments":
            return f"No payment of yours failed{when}."
        case "searches" if found:
            return _listed(f"You searched for{when}:", map(_search, found))
        case "searches":
            return f"You searched for nothing{when}."
        case _:
            return _bought(intent, found)


def _bought(intent: AskPast, found: Sequence[Mapping[str, str]]) -> str:
    what = _what(intent) or "anything"
    if not found:
        return f"You have not bought {what} here so far."
    last = found[0]
    return _listed(f"You last bought {what} on {last.get('day', '?')}:", map(_line, found))


def _what(intent: AskPast) -> str:
    return intent.sku or intent.kind.replace("-", " ")


def _goods(intent: AskPast) -> str:
    """Write which goods are meant as a condition; "" where all are."""
    if intent.sku:
        return f"sku = {_text(intent.sku)}"
    return f"sku like {_text(f'{PREFIXES[intent.kind]}-%')}" if intent.kind else ""


def _line(row: Mapping[str, str]) -> str:
    return (
        f"{row.get('quantity', '?')} x {row.get('sku', '?')} on {row.get('day', '?')}"
        f" (order {row.get('order_id', '?')})"
    )


def _order(row: Mapping[str, str]) -> str:
    return (
        f"{row.get('order_id', '?')}: {row.get('status', '?')}, {_money(row, 'total')}"
        f", {row.get('day', '?')}"
    )


def _removed(row: Mapping[str, str]) -> str:
    # The line of a change: "cart r3>r4: -BOOT-004 (Alder Ridge)".
    what = row.get("text", "").partition(": -")[2] or row.get("text", "")
    return f"{what}, {row.get('day', '?')}"


def _payment(row: Mapping[str, str]) -> str:
    reason = row.get("reason", "-")
    why = f": {reason}" if reason not in ("-", "") else ""
    return f"{_money(row, 'amount')} on {row.get('day', '?')}{why}"


def _search(row: Mapping[str, str]) -> str:
    return f"“{row.get('query', '')}”, {row.get('day', '?')}"


def _listed(head: str, lines: Iterable[str]) -> str:
    # Without numbers: it is no list to choose from.
    return "\n".join([head, "", *(f"- {wording.one_line(line)}" for line in lines)])


def _money(row: Mapping[str, str], name: str) -> str:
    cents = row.get(name, "")
    return wording.money(int(cents), row.get("currency", "")) if cents.isdigit() else "?"


def _number(count: str, thing: str) -> str:
    return f"{count} {thing}" if count == "1" else f"{count} {thing}s"


def _rows(columns: str, view: str, conditions: Sequence[str]) -> str:
    return f"select {columns} from {view}{_where(conditions)} order by at desc limit {_MOST_ROWS}"


def _where(conditions: Sequence[str]) -> str:
    kept = [condition for condition in conditions if condition]
    return f" where {' and '.join(kept)}" if kept else ""


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _since(period: Period, at: str = "at") -> str:
    if period.month is not None:
        return f"extract(month from {at}) = {period.month} and {at} >= now() - interval '1 year'"
    if period.last is not None:
        return f"{at} >= now() - interval '{period.last} {period.unit}s'"
    begin = f"date_trunc('{period.unit}', now())"
    if period.which == 0:
        return f"{at} >= {begin}"
    return f"{at} >= {begin} - interval '1 {period.unit}' and {at} < {begin}"


def _said(period: Period) -> str:
    if period.month is not None:
        return f"in {MONTHS[period.month - 1]}"
    if period.last is not None:
        return f"in the last {_number(str(period.last), period.unit)}"
    if period.unit == "day":
        return "yesterday" if period.which else "today"
    return f"{'last' if period.which else 'this'} {period.unit}"
