"""The rules of operators for tools: stored one row per tool, and effective at once.

Nothing is kept in memory: every process reads them for every call. The tokens of a limited tool are
in the row too, so that a limit is exact across processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from daybook.checkpoints.pool import Pool, rows_of, run_of
from daybook.checkpoints.statements import statements
from daybook.state.effects.keys import digest
from daybook.state.people.rules import Barred, Bucket, DeclaredTool, Limit, Rules, ToolRule

RULES = statements("rules.sql")


class ToolRules:
    """Read and make the rules of one tenant's tools."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def all(self) -> Rules:
        """Read all rules."""
        return rules_of(await rows_of(self._pool, RULES["rules"]))

    async def take(self, tool: str) -> Barred | None:
        """Take a token for one call; say why the tool may not be called where it may not."""
        async with self._pool.connection() as conn, conn.transaction():
            # The clock is read when the lock was granted, or a token could come back in the past.
            async with conn.pipeline():
                locked = await conn.execute(RULES["lock_rule"], {"tool": tool})
                clock = await conn.execute(RULES["now"])
            row, read = await locked.fetchone(), await clock.fetchone()
            if row is None or read is None:
                return None
            rule, now = rule_of(row), read["now"]
            barred = rule.bars(now)
            if barred is None and rule.bucket is not None:
                await conn.execute(RULES["keep_bucket"], bucket_row(tool, rule.bucket.taken(now)))
            return barred

    async def switch(self, tool: str, *, is_off: bool, why: str, by: str) -> None:
        """Switch a tool off or on.

        Args:
            why: for people and models; not empty where it is switched off.
        """
        about = {"tool": tool, "is_off": is_off, "why": why, "by": by}
        await run_of(self._pool, RULES["switch"], about)

    async def limit(self, tool: str, limit: Limit | None, *, by: str) -> None:
        """Limit how often a tool may be called, from a full bucket on; None is no limit."""
        most, seconds = (limit.most, limit.seconds) if limit is not None else (None, None)
        about = {"tool": tool, "most": most, "seconds": seconds, "by": by}
        await run_of(self._pool, RULES["limit"], about)

    async def declare(self, program: str, tools: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep what a program declares of its tools, so that operators find them.

        Args:
            tools: what is kept of each, as JSON, by its name.
        """
        # In one order: processes that start at once would wait for each other's rows in a ring.
        rows = [
            {"program": program, "tool": tool, "digest": digest(about), "about": Jsonb(dict(about))}
            for tool, about in sorted(tools.items())
        ]
        async with self._pool.connection() as conn, conn.cursor() as cursor:
            await cursor.executemany(RULES["declare"], rows)

    async def forget(self, program: str) -> int:
        """Forget what a program declared, for it has other tools now; count the tools."""
        return await run_of(self._pool, RULES["forget"], {"program": program})

    async def declared(self) -> list[DeclaredTool]:
        """Read the tools that programs have declared, by program and name."""
        rows = await rows_of(self._pool, RULES["declared"])
        return [DeclaredTool(**row) for row in rows]


def rules_of(rows: list[DictRow]) -> Rules:
    """Make the rules of rows of `tool_rule`."""
    return {row["tool"]: rule_of(row) for row in rows}


def rule_of(row: Mapping[str, Any]) -> ToolRule:
    """Make the rule of a row of `tool_rule`."""
    bucket = None
    if row["most"] is not None:
        limit = Limit(row["most"], row["seconds"])
        bucket = Bucket(limit, row["tokens"], row["refilled_at"])
    return ToolRule(
        tool=row["tool"],
        is_off=row["is_off"],
        why=row["why"],
        switched_by=row["switched_by"],
        switched_at=row["switched_at"],
        bucket=bucket,
        limited_by=row["limited_by"],
    )


def bucket_row(tool: str, bucket: Bucket | None) -> dict[str, Any]:
    """Write a bucket for its row."""
    assert bucket is not None
    return {"tool": tool, "tokens": bucket.tokens, "refilled_at": bucket.refilled_at}
