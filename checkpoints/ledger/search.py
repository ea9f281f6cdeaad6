"""Search the ledger over all threads of a tenant, and list the threads."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from daybook.checkpoints.ledger.page import hashed
from daybook.checkpoints.pool import Pool, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.effects.keys import step_id
from daybook.state.ledger.recovery import StepState
from daybook.state.money import HUNDREDTHS, Money

_SQL = statements("search.sql")

MOST_READ, _READ_AT_ONCE = 5_000, 500
"""The most steps whose texts are read for one page of hits: a second or two."""

_NEVER_DONE = {"rejected", "expired", "withdrawn"}
"""Decisions after which nothing of a plan is done."""


@dataclass(frozen=True)
class Place:
    """Name a row of the ledger, for the next page to begin after it."""

    at: datetime
    thread_id: str
    seq: int


@dataclass(frozen=True)
class Wanted:
    """Say what is looked for; None does not narrow.

    Attributes:
        at_least, at_most: hundredths of a unit, of the action that a step belongs to, whatever its
            currency.
        since, until: UTC, of the intent; `until` itself is left out.
        reference: what names an effect at its provider, such as an order's id, to the letter.
        words: what stands in the title, summary, arguments or result, such as a product.
    """

    tool: str | None = None
    state: StepState | None = None
    user_id: str | None = None
    at_least: int | None = None
    at_most: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    reference: str | None = None
    words: str | None = None


@dataclass(frozen=True)
class Hit:
    """A step that was found.

    Attributes:
        total: of its action; None if there is none or it was erased.
        title: of its action; "" if there is none or it was erased.
    """

    place: Place
    user_id: str
    step_id: str
    tool: str
    state: StepState
    total: Money | None
    title: str


@dataclass(frozen=True)
class Hits:
    """One page of what was found, newest first, and where the next one begins.

    Attributes:
        read: how many steps were read one by one for words; 0 if none were looked for.
        erased: how many of those had been erased.
        back_to: UTC; how far back they were read, where older ones are left.
    """

    steps: list[Hit]
    older: Place | None
    read: int = 0
    erased: int = 0
    back_to: datetime | None = None


@dataclass(frozen=True)
class ThreadSeen:
    """A thread as it is listed.

    Attributes:
        domain: None if no agent has begun it.
        status: active (a turn is in progress), waiting (for a person), idle, closed.
        created_at, last_activity: UTC.
        came: what came of its latest plan: "done", "failed", "rejected", "expired" or "withdrawn",
            "doubt" where a person is to say what became of a step, "asked" where one is to approve
            it, "open" while it is in progress; "" if there is no plan.
        about: its latest plan in a few words, "" if there is none that has words.
        total: of that plan; None if no money moves.
    """

    thread_id: str
    user_id: str
    domain: str | None
    status: str
    created_at: datetime
    last_activity: datetime
    came: str
    about: str
    total: Money | None


@dataclass(frozen=True)
class Runner:
    """Who runs a thread, or ran it last.

    Attributes:
        process: its name; None if the database knows of none.
        is_at_work: it holds the thread; with a lease and without that, it is gone.
        lease_until: UTC; None while nobody runs it.
        tries: how often a worker came for it since a run of it ended well.
        retry_at: UTC; not before that a worker comes again. None if nothing holds one back.
    """

    process: str | None
    is_at_work: bool
    lease_until: datetime | None
    tries: int
    retry_at: datetime | None


class Search:
    """Look through the ledger and the threads of one tenant."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def steps(self, wanted: Wanted, before: Place | None, most: int) -> Hits:
        """Return steps, the newest first.

        Args:
            before: older than this one.
            most: how many at most.
        """
        if wanted.words is not None:
            return await self._with_words(wanted, wanted.words, before, most)
        rows = await self._steps(wanted, before, most + 1)
        hits = [_hit(row) for row in rows[:most]]
        return Hits(hits, hits[-1].place if len(rows) > most else None)

    async def _with_words(
        self, wanted: Wanted, words: str, before: Place | None, most: int
    ) -> Hits:
        """Read steps one by one, at most `MOST_READ`: words may be encrypted in the database."""
        found, read, erased = list[Hit](), 0, 0
        while read < MOST_READ:
            rows = await self._steps(wanted, before, _READ_AT_ONCE)
            for row in rows:
                read, erased, before = read + 1, erased + row["is_erased"], _place(row)
                if words.casefold() in _words_of(row):
                    found.append(_hit(row))
                    if len(found) == most:
                        return Hits(found, before, read, erased, before.at)
            if len(rows) < _READ_AT_ONCE:
                return Hits(found, None, read, erased)
        return Hits(found, before, read, erased, before.at if before else None)

    async def _steps(self, wanted: Wanted, before: Place | None, most: int) -> list[DictRow]:
        reference = hashed(wanted.reference) if wanted.reference is not None else None
        about = {
            **asdict(wanted),
            "hundredths": Jsonb(HUNDREDTHS),
            "reference": reference,
            "before_at": before.at if before else None,
            "before_thread": before.thread_id if before else None,
            "before_seq": before.seq if before else None,
        }
        return await self._rows("search", **about, most=most)

    async def threads(
        self,
        domains: list[str] | None,
        user_id: str | None,
        most: int,
        *,
        status: str | None = None,
        named: str | None = None,
    ) -> list[ThreadSeen]:
        """Return threads, those with the newest activity first.

        Args:
            domains: of these domains or programs alone.
            user_id: of this person alone.
            most: how many at most.
            status: those that stand so alone.
            named: those alone whose id begins so, or whose person is called so.
        """
        about = {"domains": domains, "user_id": user_id, "status": status, "named": named}
        return [_seen(row) for row in await self._rows("threads", **about, most=most)]

    async def standings(self, domains: list[str] | None, user_id: str | None) -> dict[str, int]:
        """Count the threads by how they stand.

        Args:
            domains: of these domains or programs alone.
            user_id: of this person alone.
        """
        rows = await self._rows("standings", domains=domains, user_id=user_id)
        return {row["status"]: row["threads"] for row in rows}

    async def runner(self, thread_id: str) -> Runner | None:
        """Tell who runs a thread; None if nobody ever did."""
        rows = await self._rows("runner", thread_id=thread_id)
        return Runner(**{**rows[0], "is_at_work": bool(rows[0]["is_at_work"])}) if rows else None

    async def is_begun(self, thread_id: str) -> bool:
        """Tell whether anybody has begun a thread; one that was erased is begun too."""
        (row,) = await self._rows("is_begun", thread_id=thread_id)
        return bool(row["is_begun"])

    async def heads(self, thread_ids: Collection[str]) -> dict[str, tuple[int, bool]]:
        """Tell how far threads have come: their last entry, and whether someone runs them."""
        rows = await self._rows("heads", thread_ids=list(thread_ids))
        return {row["thread_id"]: (row["seq"], row["is_running"]) for row in rows}

    async def _rows(self, statement: str, **about: Any) -> list[DictRow]:
        return await rows_of(self._pool, _SQL[statement], about)


def _place(row: DictRow) -> Place:
    return Place(row["at"], row["thread_id"], row["seq"])


def _described(row: DictRow) -> Mapping[str, Any]:
    about: Mapping[str, Any] = ((row["described"] or {}).get("actions") or {}).get(
        row["action"], {}
    )
    return about


def _words_of(row: DictRow) -> str:
    """Return the words by which a step is found."""
    about, args = _described(row), (row["own"] or {}).get("args", {})
    result = (row["answered"] or {}).get("result") or {}
    said = [about.get("title"), about.get("about"), *about.get("summary", ())]
    said += [*args.values(), *result.values()]
    return "\n".join(str(one) for one in said if one).casefold()


def _hit(row: DictRow) -> Hit:
    return Hit(
        place=_place(row),
        user_id=row["user_id"],
        step_id=step_id(row["op"], row["gen"]),
        tool=row["tool"],
        state=StepState(row["state"]),
        total=None
        if row["amount"] is None
        else Money(amount=row["amount"], currency=row["currency"]),
        title=_described(row).get("title", ""),
    )


def _seen(row: DictRow) -> ThreadSeen:
    described = ((row.pop("described") or {}).get("actions") or {}).get("0") or {}
    total = described.get("total")
    events, decisions = row.pop("events") or [], row.pop("decisions") or []
    is_doubted = row.pop("is_doubted")
    came = _came(events, decisions, is_doubted=is_doubted) if row.pop("is_planned") else ""
    return ThreadSeen(
        **row,
        came=came,
        about=described.get("about") or described.get("title") or "",
        total=Money(**total) if total else None,
    )


def _came(events: Collection[str], decisions: Sequence[str], *, is_doubted: bool) -> str:
    """Say what came of a plan, by how it was decided and how it ended."""
    if is_doubted:
        return "doubt"
    if "succeeded" in events:
        return "done"
    if "decision" not in events:
        return "asked" if "ended" not in events else "expired"
    if "ended" not in events:
        return "open"
    never = set(decisions)
    return never.pop() if len(never) == 1 and never <= _NEVER_DONE else "failed"
