"""What may be asked of a person's past in SQL: the views, and the check of a query over them.

Roles and row-level security hold what a query can see. They do not hold a session, which can
change its own role and settings from within a query (`set_config`), read files and sleep: that no
such function is called is checked here. What is sent to Postgres is written anew from the tree that
was checked, so that a text which the two parsers read differently gives nothing away.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.errors import SqlglotError
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.tokenizer_core import TokenType

from daybook.state.errors import ToolRefused

VIEWS: Mapping[str, tuple[str, ...]] = {
    "turns": ("thread_id", "turn_id", "at", "done_at"),
    "effects": (
        *("thread_id", "plan_id", "action", "op", "gen", "tool", "name", "state", "at"),
        *("settled_at", "args", "result", "reason"),
    ),
    "plans": (
        *("thread_id", "turn_id", "plan_id", "action", "tool", "title", "total", "currency"),
        *("opened_at", "decision", "decided_by", "decided_as", "ended_at", "succeeded", "reason"),
    ),
    "reads": (
        *("thread_id", "turn_id", "handle", "tool", "args", "result", "refused", "read_at"),
        "superseded",
    ),
    "changes": ("thread_id", "turn_id", "at", "type", "args", "text"),
    "facts": ("subject", "value", "kind", "source", "at"),
    "events": (
        *("thread_id", "seq", "at", "event", "turn_id", "plan_id", "op", "gen", "tool"),
        *("author", "role", "reason"),
    ),
}
"""View of the schema `history` to its columns."""

SEALED = frozenset(
    {"args", "result", "title", "reason", "type", "text", "subject", "value", "kind", "source"}
)
"""Columns that are null where the database is encrypted."""

LONGEST_QUERY = 2000
"""Characters."""

MOST_VIEWS = 8
"""Times that a query may name a view or a part of itself: the planner takes them all at once."""

_LONGEST_TEXT = 2000
_NOTHING_DONE = "Nothing was read."


class _Parser(PostgresParser):
    # In other dialects `x -> y` within a call is a function of its own.
    LAMBDAS: ClassVar[dict[TokenType, Any]] = {}


class _Dialect(Postgres):
    Parser = _Parser


_SHAPE = (
    *(exp.Select, exp.From, exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit),
    *(exp.Offset, exp.Fetch, exp.LimitOptions, exp.Distinct, exp.Join, exp.Lateral, exp.Table),
    *(exp.TableAlias, exp.Alias, exp.Subquery, exp.With, exp.CTE, exp.Union, exp.Except),
    *(exp.Intersect, exp.Values, exp.Tuple, exp.Paren, exp.Column, exp.Identifier, exp.Star),
    *(exp.Window, exp.WindowSpec, exp.Filter),
)
_VALUES = (
    *(exp.Literal, exp.Boolean, exp.Null, exp.Interval, exp.Var, exp.Cast, exp.DataType),
    *(exp.DataTypeParam, exp.JSONPath, exp.JSONPathRoot, exp.JSONPathKey, exp.JSONPathSubscript),
)
_OPERATORS = (
    *(exp.And, exp.Or, exp.Not, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is),
    *(exp.NullSafeEQ, exp.NullSafeNEQ, exp.In, exp.Exists, exp.Between, exp.Like, exp.ILike),
    *(exp.Escape, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.DPipe, exp.Case),
    *(exp.If, exp.AtTimeZone, exp.JSONExtract, exp.JSONExtractScalar, exp.JSONBExtract),
    *(exp.JSONBExtractScalar, exp.ArrayContainsAll, exp.ArrayContainedBy),
    *(exp.JSONBContainsTopKey, exp.JSONBContainsAnyTopKeys, exp.JSONBContainsAllTopKeys),
)
_FUNCTIONS = (
    *(exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max, exp.LogicalAnd, exp.LogicalOr),
    *(exp.RowNumber, exp.Rank, exp.DenseRank, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue),
    *(exp.Coalesce, exp.Nullif, exp.Greatest, exp.Least, exp.Lower, exp.Upper, exp.Length),
    *(exp.Substring, exp.Trim, exp.Left, exp.Right, exp.SplitPart, exp.StrPosition),
    *(exp.StartsWith, exp.Concat, exp.Replace, exp.Round, exp.Abs, exp.Ceil, exp.Floor),
    *(exp.TimestampTrunc, exp.Extract, exp.CurrentTimestamp, exp.CurrentDate, exp.TimeToStr),
    exp.Date,
)
_NODES = frozenset((*_SHAPE, *_VALUES, *_OPERATORS, *_FUNCTIONS))

_OF_ROWS = ("jsonb_array_elements", "jsonb_array_elements_text", "jsonb_each_text")
_OF_JSON = frozenset({"key", "value"})
"""Columns of those."""

_BY_NAME = frozenset({"age", "jsonb_array_length", "jsonb_object_keys", "jsonb_typeof", *_OF_ROWS})
"""Functions that the parser knows by their names alone."""

_T = exp.DType
_TYPES = frozenset(
    {
        *(_T.TEXT, _T.VARCHAR, _T.SMALLINT, _T.INT, _T.BIGINT, _T.DECIMAL, _T.DOUBLE, _T.FLOAT),
        *(_T.BOOLEAN, _T.DATE, _T.TIME, _T.TIMESTAMP, _T.TIMESTAMPTZ, _T.INTERVAL, _T.JSONB),
    }
)

_GROWS = (exp.Concat, exp.DPipe, exp.Replace)
"""What makes longer text of text: a few of them, one upon the other, would fill the memory."""

_SPELT: Mapping[type[exp.Expr], str] = {
    exp.GroupConcat: "string_agg",
    exp.ExplodingGenerateSeries: "generate_series",
    exp.Pad: "lpad or rpad",
}
"""What Postgres calls functions that the parser knows by another name."""

_HELPFUL = (
    "aggregates and row_number, rank, lag, lead; coalesce, nullif, greatest, least; lower, upper, "
    "length, substring, trim, left, right, concat, replace, split_part; round, abs, ceil, floor; "
    "date_trunc, extract, age, now, to_char; jsonb_array_elements, jsonb_array_length, "
    "jsonb_typeof; casts to text, numbers, dates and jsonb"
)

_NAME_OF_QUERY = "q_"
"""Before every name that a query gives: so none of them can name a table or a function."""

_RENAMED = re.compile(rf"(?<!\w){_NAME_OF_QUERY}")

_WORD = re.compile(r"\w+")
_INTERVAL = re.compile(r"[\w\s.:+-]*")


def checked(sql: str, views: Mapping[str, str], *, is_sealed: bool = False) -> str:
    """Return a query to be run in the place of one that was given, or refuse that.

    Args:
        sql: one SELECT over the views, in the words of Postgres.
        views: names that the domain adds, as queries of the views.
        is_sealed: what threads hold is encrypted, so `SEALED` is null.

    Raises:
        ToolRefused: it is no such query; the sentence says what is wrong and what there is.
    """
    try:
        query = _parsed(sql)
        added = {name: _view(text) for name, text in views.items()}
        _check(query, {**VIEWS, **{name: _columns(view) for name, view in added.items()}})
        query = _composed(query, added)
        if is_sealed:
            _refuse_sealed(query)
        text = _written(query)
        if _written(_read_back(text)) != text:
            raise ToolRefused(f"The query can be read in two ways. {_NOTHING_DONE} {_PLAINLY}")
    except RecursionError:
        raise ToolRefused(f"The query is nested too deeply. {_NOTHING_DONE}") from None
    return text


_PLAINLY = "Write one plain SELECT in the words of Postgres."


def _written(query: exp.Expr) -> str:
    return query.sql(dialect=_Dialect, identify=True, comments=False)


def _read_back(text: str) -> exp.Expr:
    """Read what was written: a tree that does not come back as it was is one that we misread."""
    try:
        (tree,) = _Dialect().parse(text)
    except (SqlglotError, ValueError):
        tree = None
    if tree is None:
        raise ToolRefused(f"This is no SQL that can be read. {_NOTHING_DONE} {_PLAINLY}")
    return tree


def _parsed(sql: str) -> exp.Query:
    """Parse one SELECT."""
    if len(sql) > LONGEST_QUERY:
        raise ToolRefused(f"A query has at most {LONGEST_QUERY} characters. {_NOTHING_DONE}")
    if not all(sign.isprintable() or sign in "\n\r\t" for sign in sql):
        raise ToolRefused(f"The query has signs that cannot be printed. {_NOTHING_DONE}")
    try:
        tokens = _Dialect().tokenize(sql)
        while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
            tokens.pop()
        kinds = [token.token_type for token in tokens]
        # Before they are parsed: the parser writes what it does not understand into the log.
        if TokenType.SEMICOLON in kinds:
            raise ToolRefused(f"Ask one query at a time, without a semicolon. {_NOTHING_DONE}")
        if not kinds or kinds[0] not in (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN):
            raise ToolRefused(
                f"Only a SELECT can be asked: nothing here can be changed. {_NOTHING_DONE}"
            )
        (tree,) = _Dialect().parser().parse(tokens, sql)
    except (SqlglotError, ValueError) as error:
        raise ToolRefused(
            f"This is no SQL that can be read{_near(error)}. {_NOTHING_DONE} {_PLAINLY}"
        ) from None
    if not isinstance(tree, exp.Query):
        raise ToolRefused(f"Only a SELECT can be asked. {_NOTHING_DONE}")
    return tree


def _near(error: Exception) -> str:
    found = getattr(error, "errors", None) or [{}]
    word = str(found[0].get("highlight") or "")[:40]
    return f": see near {word!r}" if word else ""


@lru_cache(maxsize=64)
def _view(text: str) -> exp.Query:
    """Parse a view of a domain: our own text, which is not checked."""
    view = _Dialect().parse(text)[0]
    assert isinstance(view, exp.Query), "a view is a query"
    return view


def _columns(view: exp.Query) -> tuple[str, ...]:
    return tuple(view.named_selects)


def _check(query: exp.Query, views: Mapping[str, tuple[str, ...]]) -> None:
    """Check every node, and give every name its place: a view, or a part of the query itself.

    Raises:
        ToolRefused: there is a node or a name that is not known to be harmless.
    """
    parts = _parts(query, views)
    for name in list(query.find_all(exp.Identifier)):
        _fold(name)
    for node in list(query.walk()):
        _check_node(node)
    known = {column for name in _used(query, views) for column in views[name]}
    for column in query.find_all(exp.Column):
        _check_column(column, known | _names(query) | _OF_JSON, views)
    tables = list(query.find_all(exp.Table))
    if len(tables) > MOST_VIEWS:
        raise ToolRefused(f"A query names at most {MOST_VIEWS} views. {_NOTHING_DONE}")
    for table in tables:
        _place(table, parts, views)
    _rename(query, {*views, *_OF_JSON, *(column for of in views.values() for column in of)})
    # From the inside out: what is copied into its place has been bounded already.
    for node in reversed(list(query.find_all(*_GROWS))):
        node.replace(exp.Left(this=node.copy(), expression=exp.Literal.number(_LONGEST_TEXT)))
    for subquery in query.find_all(exp.Subquery):
        _fence(subquery)


def _rename(query: exp.Query, kept: Collection[str]) -> None:
    """Write every name that the query gave itself so that no function has it.

    To Postgres `x.current_setting` is a call of that function, where x has no such column: with a
    text for x, of any function of one text, of which some run SQL.

    Args:
        kept: names of views and of their columns.
    """
    for name in list(query.find_all(exp.Identifier)):
        of = name.parent
        is_part = isinstance(of, exp.TableAlias) and isinstance(of.parent, exp.CTE)
        # Those have their names already, or get them with the rest of the WITH.
        is_placed = isinstance(of, exp.Table) or (is_part and name.arg_key == "this")
        if not is_placed and name.this not in kept:
            name.set("this", f"{_NAME_OF_QUERY}{name.this}")


def name_told(column: str) -> str:
    """Return the name of a column of an answer as the query gave it."""
    return column.removeprefix(_NAME_OF_QUERY)


def words_told(said: str) -> str:
    """Return what Postgres said of a query, with the names that the query gave."""
    return _RENAMED.sub("", said)


def _fence(subquery: exp.Subquery) -> None:
    """Keep a subquery in FROM apart from what it stands in.

    The planner would write its expressions wherever their names stand outside. A few levels that
    name each column eight times are then more than the server's memory holds, before any time-out
    is looked at: it ends with all its sessions.
    """
    inner = subquery.this
    stands_in_from = isinstance(subquery.parent, exp.From | exp.Join | exp.Lateral)
    if stands_in_from and isinstance(inner, exp.Query) and not inner.args.get("offset"):
        inner.set("offset", exp.Offset(expression=exp.Literal.number(0)))


def _parts(query: exp.Query, views: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Return the names of the WITH, which stands before the whole query and nowhere else."""
    withs = list(query.find_all(exp.With))
    if len(withs) > 1 or (withs and withs[0].parent is not query):
        raise ToolRefused(f"WITH stands before the whole query only. {_NOTHING_DONE}")
    if withs and withs[0].args.get("recursive"):
        raise ToolRefused(f"A query cannot be recursive. {_NOTHING_DONE}")
    names = frozenset(
        _spelt(cte.args["alias"].this) for with_ in withs for cte in with_.expressions
    )
    if taken := sorted(names & views.keys()):
        raise ToolRefused(f"{taken[0]} is a view: give your WITH another name. {_NOTHING_DONE}")
    return names


def _spelt(name: exp.Identifier) -> str:
    return str(name.this if name.args.get("quoted") else name.this.lower())


def _fold(name: exp.Identifier) -> None:
    """Spell a name as Postgres reads it, so that it can be written in quotes."""
    name.set("this", _spelt(name))
    name.set("quoted", True)


def _check_node(node: exp.Expr) -> None:
    if isinstance(node, exp.Anonymous):
        if node.name.lower() not in _BY_NAME or not isinstance(node.this, str):
            _refuse_function(node.name)
    elif type(node) not in _NODES:
        if isinstance(node, exp.Func):
            _refuse_function(_SPELT.get(type(node), node.sql_name()))
        raise ToolRefused(
            f"A part of the query cannot be used here ({type(node).__name__}). {_NOTHING_DONE} "
            "Write a plain SELECT."
        )
    match node:
        case exp.DataType() if node.this not in _TYPES or node.args.get("kind"):
            raise ToolRefused(f"This type cannot be cast to. {_NOTHING_DONE} {_USE}")
        case exp.Var() if not _WORD.fullmatch(node.name):
            raise ToolRefused(f"{node.name[:40]!r} is no unit. {_NOTHING_DONE}")
        case exp.Interval() if not _INTERVAL.fullmatch(node.this.name if node.this else ""):
            raise ToolRefused(f"This is no interval: write interval '30 days'. {_NOTHING_DONE}")
        case exp.JSONPath() if len(node.expressions) < 2:
            raise ToolRefused(f"A key of JSON is not empty. {_NOTHING_DONE}")


_USE = f"There are: {_HELPFUL}."


def _refuse_function(name: str) -> None:
    raise ToolRefused(
        f"The function {name.lower()[:40]} cannot be used here. {_NOTHING_DONE} {_USE}"
    )


def _names(query: exp.Query) -> set[str]:
    """Return the names that the query gives itself: of columns, tables and functions."""
    aliases = {node.alias for node in query.find_all(exp.Alias)}
    for alias in query.find_all(exp.TableAlias):
        aliases |= {alias.name, *(column.name for column in alias.columns)}
    return aliases | {table.name for table in query.find_all(exp.Table)}


def _used(query: exp.Query, views: Collection[str]) -> Iterator[str]:
    return (table.name for table in query.find_all(exp.Table) if table.name in views)


def _check_column(
    column: exp.Column, known: Collection[str], views: Mapping[str, tuple[str, ...]]
) -> None:
    """Refuse a name that no view and no part of the query has.

    To Postgres `turns.some_function` is a call of that function, where there is no such column.
    """
    if column.args.get("db"):
        if column.text("db") != "history" or column.args.get("catalog"):
            raise ToolRefused(f"Write a column as view.column. {_NOTHING_DONE}")
        column.set("db", None)
    if isinstance(column.this, exp.Star) or column.name in known:
        return
    root = column.root()
    assert isinstance(root, exp.Query)
    used = sorted(set(_used(root, views)))
    there = "; ".join(f"{name}({', '.join(views[name])})" for name in used) or ", ".join(views)
    raise ToolRefused(f"There is no column {column.name[:60]}. {_NOTHING_DONE} There are: {there}.")


def _place(table: exp.Table, parts: Collection[str], views: Mapping[str, tuple[str, ...]]) -> None:
    """Let a name in FROM mean a view, a part of the query, or a function over JSON; never a table.

    Postgres would look a name up in its catalogue as well, where the part that has this name is not
    in sight at that place.
    """
    if not isinstance(table.this, exp.Identifier):
        of_rows = isinstance(table.this, exp.Anonymous) and table.this.name.lower() in _OF_ROWS
        if of_rows and not table.args.get("db"):
            return
        raise ToolRefused(f"Only views can be asked: {', '.join(views)}. {_NOTHING_DONE}")
    name, schema = table.name, table.text("db")
    if table.args.get("catalog") or (schema and (schema != "history" or name not in VIEWS)):
        raise ToolRefused(
            f"There is no {schema}.{name[:60]} here. {_NOTHING_DONE} There are the views "
            f"{', '.join(views)}."
        )
    if name in views or name in parts:
        _alias(table, name)
        _mean(table, name)
        return
    raise ToolRefused(
        f"There is no view {name[:60]}. {_NOTHING_DONE} There are: {', '.join(views)}."
    )


def _alias(table: exp.Table, name: str) -> None:
    if not table.alias:
        alias = table.args.get("alias") or exp.TableAlias()
        alias.set("this", exp.to_identifier(name, quoted=True))
        table.set("alias", alias)


def _mean(table: exp.Table, name: str) -> None:
    if name in VIEWS:
        table.set("db", exp.to_identifier("history", quoted=True))
    else:
        table.set("this", exp.to_identifier(f"{_NAME_OF_QUERY}{name}", quoted=True))


def _composed(query: exp.Query, added: Mapping[str, exp.Query]) -> exp.Query:
    """Put the domain's views before a checked query, as parts of it."""
    own = query.args.get("with_")
    ctes = [cte.copy() for cte in own.expressions] if own else []
    for cte in ctes:
        # For the same reason as `_fence`.
        cte.set("materialized", True)
        alias = cte.args["alias"]
        alias.set("this", exp.to_identifier(f"{_NAME_OF_QUERY}{alias.name}", quoted=True))
    before = []
    for name, view in added.items():
        body = view.copy()
        for table in list(body.find_all(exp.Table)):
            _alias(table, table.name)
            _mean(table, table.name)
        alias = exp.TableAlias(this=exp.to_identifier(f"{_NAME_OF_QUERY}{name}", quoted=True))
        before.append(exp.CTE(this=body, alias=alias, materialized=True))
    wanted = {table.name for table in query.find_all(exp.Table)}
    kept: list[exp.CTE] = []
    for cte in reversed(before):
        if cte.alias in wanted:
            kept.insert(0, cte)
            wanted |= {table.name for table in cte.find_all(exp.Table)}
    if kept or ctes:
        query.set("with_", exp.With(expressions=[*kept, *ctes]))
    return query


def _refuse_sealed(query: exp.Query) -> None:
    """Refuse what would be null throughout, and would read as if there were nothing.

    Raises:
        ToolRefused: it asks for what is encrypted.
    """
    asked = {column.name for column in query.find_all(exp.Column)} & SEALED
    stars = [star for star in query.find_all(exp.Star) if not isinstance(star.parent, exp.Count)]
    if asked or stars:
        raise ToolRefused(
            f"What was said and called with is encrypted here, so these are not to be had in SQL: "
            f"{', '.join(sorted(SEALED))}, and * for all columns. {_NOTHING_DONE} Ask for others "
            "by name, or use another tool."
        )
