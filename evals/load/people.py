"""The people: each buys a pair of boots, thinks, and buys the next, in one thread each time.

They are as clients ought to be. Told to come back later they do; where an answer broke off they say
the same again, under the same id.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import uuid
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any

import httpx

from daybook.state.clock import SYSTEM
from daybook.tools.services.mail import message_id
from evals.servers import SKU

PATIENCE_S = 60.0
"""How long a person waits for one turn; then it counts as timed out."""

_BROKE_S = 0.5
_WORDS = 100
"""Of an error, as many letters as tell it from others."""

_PATH = "/threads/{}/runs/stream"
_NOTHING_PENDING = "NothingPending"


@dataclass
class Seen:
    """What people saw.

    Attributes:
        turns: seconds from saying something to its answer, as long as refusals lasted too.
        refused: answers by status (429, 503).
        broken: answers that ended in the middle: by what, as a client knows it.
        failed: turns that ended with an error, by its name.
        rejoined: streams that ended before their run, and were joined again.
        impolite: refusals without a Retry-After.
        stranded: people whose last purchase did not come to its end in time.
    """

    turns: list[float] = field(default_factory=list)
    refused: Counter[int] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    rejoined: int = 0
    impolite: int = 0
    stranded: int = 0
    purchases: int = 0


@dataclass
class Shopper:
    """One person, with a token of theirs.

    Attributes:
        threads: those that they bought in.
        approved: how many plans they approved.
        is_buying: a purchase was begun and is not ended.
    """

    user: str
    token: str
    http: httpx.AsyncClient
    seen: Seen
    think_s: float
    threads: list[str] = field(default_factory=list)
    approved: int = 0
    is_buying: bool = False

    def __post_init__(self) -> None:
        self._headers = {"Authorization": f"Bearer {self.token}"}
        self._random = random.Random(self.user)

    async def shop_until(self, over: Callable[[], bool], most: int | None = None) -> None:
        """Buy again and again, `most` times at most; a purchase that was begun is ended."""
        await self._think()
        while not over() and (most is None or len(self.threads) < most):
            await self._buy()

    async def settles(self, thread: str, sent: Container[str]) -> bool:
        """Answer what is asked in doubt in a thread, by what the other side shows; tell if any is.

        Args:
            sent: references of all that happened.
        """
        state = await self._asked("GET", f"/threads/{thread}/state", None)
        for question in (one["value"] for one in state["interrupts"]):
            if "in_doubt" in question:
                reference = message_id(question["in_doubt"])
                said = f"it happened {reference}" if reference in sent else "it did not happen"
                decided = {"type": "respond", "message": said}
                await self._turn(thread, {"command": {"resume": {"decisions": [decided]}}})
                return True
        return False

    async def _buy(self) -> None:
        self.is_buying = True
        thread = str(uuid.uuid4())
        await self._asked("POST", "/threads", {"thread_id": thread, "if_exists": "do_nothing"})
        self.threads.append(thread)
        for words in (f"add {SKU}", "check out"):
            message = {"role": "user", "content": words, "id": str(uuid.uuid4())}
            await self._turn(thread, {"input": {"messages": [message]}})
            await self._think()
        self.approved += 1
        await self._turn(thread, {"command": {"resume": {"decisions": [{"type": "approve"}]}}})
        self.seen.purchases += 1
        self.is_buying = False
        await self._think()

    async def _turn(self, thread: str, given: dict[str, Any]) -> None:
        """Say something until it is answered."""
        began = SYSTEM.monotonic()
        while not await self._answered(thread, given):
            pass
        self.seen.turns.append(SYSTEM.monotonic() - began)

    async def _answered(self, thread: str, given: dict[str, Any]) -> bool:
        body = {
            "assistant_id": "shop",
            "stream_mode": ["values"],
            "multitask_strategy": "enqueue",
            "on_disconnect": "continue",
            **given,
        }
        try:
            async with self.http.stream(
                "POST", _PATH.format(thread), json=body, headers=self._headers
            ) as answer:
                if answer.status_code in (429, 503):
                    await self._come_back(answer)
                    return False
                if answer.is_error:
                    await answer.aread()
                    self._fails(answer)
                    await SYSTEM.sleep(_BROKE_S)
                    # An answer that was given already: no question waits any more.
                    return answer.status_code == 400 and "command" in given
                return await self._heard(answer, given)
        except httpx.TimeoutException:
            self.seen.broken["timed out"] += 1
        except httpx.TransportError as error:
            self.seen.broken[type(error).__name__] += 1
        await SYSTEM.sleep(_BROKE_S)
        return False

    async def _heard(
        self, answer: httpx.Response, given: dict[str, Any], path: str | None = None
    ) -> bool:
        """Listen to the end of a stream; join it again where it ends before, as LangGraph's SDK."""
        event, has_ended, why, last = "", False, "", ""
        path = path or answer.headers.get("Location")
        async for line in answer.aiter_lines():
            if line.startswith("id: "):
                last = line[4:]
            elif line.startswith("event: "):
                event = line[7:]
                has_ended = has_ended or event == "end"
            elif line.startswith("data: ") and event == "error":
                told = json.loads(line[6:])
                why = str(told.get("error") or told.get("message"))
        if why:
            if _NOTHING_PENDING in why and "command" in given:
                # What was said twice was done the first time.
                return True
            self.seen.failed[why] += 1
            await SYSTEM.sleep(_BROKE_S)
            return False
        if not has_ended and path and answer.is_success:
            self.seen.rejoined += 1
            await SYSTEM.sleep(_BROKE_S)
            more = {"Last-Event-ID": last} if last else {}
            async with self.http.stream("GET", path, headers={**self._headers, **more}) as rest:
                return await self._heard(rest, given, path)
        if not has_ended:
            self.seen.broken["ended early"] += 1
            await SYSTEM.sleep(_BROKE_S)
        return has_ended

    async def _asked(self, method: str, path: str, body: Any) -> Any:
        while True:
            try:
                answer = await self.http.request(method, path, json=body, headers=self._headers)
            except httpx.TransportError as error:
                self.seen.broken[type(error).__name__] += 1
                await SYSTEM.sleep(_BROKE_S)
                continue
            if answer.status_code in (429, 503):
                await self._come_back(answer)
            elif answer.is_error:
                self._fails(answer)
                await SYSTEM.sleep(_BROKE_S)
            else:
                return answer.json()

    def _fails(self, answer: httpx.Response) -> None:
        words = re.sub(r"[0-9a-f-]{36}", "ID", answer.text)
        self.seen.failed[f"HTTP {answer.status_code} {words[:_WORDS]}"] += 1

    async def _come_back(self, answer: httpx.Response) -> None:
        self.seen.refused[answer.status_code] += 1
        after = answer.headers.get("Retry-After")
        self.seen.impolite += after is None
        await SYSTEM.sleep(float(after or 1) * self._random.uniform(1.0, 1.5))

    async def _think(self) -> None:
        await SYSTEM.sleep(self._random.uniform(0.5, 1.5) * self.think_s)


async def shop_all(
    shoppers: list[Shopper], over: Callable[[], bool], most: int | None = None
) -> None:
    """Let all shop, each until it is over and their purchase is ended."""
    async with asyncio.TaskGroup() as group:
        for one in shoppers:
            group.create_task(one.shop_until(over, most))
