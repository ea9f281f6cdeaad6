"""Post a message and pin it, as Slack has it: no keys, and nothing that can be looked up."""

from typing import Any

from daybook.state.effects.bind import take
from daybook.state.effects.outcome import Outcome
from daybook.state.flow import FlowTable
from daybook.tools.domain import Domain, Prompt
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import Undo, hybrid, plan, write
from daybook.tools.registry import Registry
from daybook.tools.services.contract import Contract
from daybook.tools.services.http import HttpService

SERVICE = Contract(
    name="Slack",
    ok=("ok",),
    code=(("error",),),
    declined={"is_archived", "permission_denied", "message_not_found"},
    not_done={"ratelimited"},
    key_header=None,
)
BACK = Undo(
    "delete_message",
    lambda args, result: {"channel": args["channel"], "ts": result["ts"]},
    frozenset({"message_not_found"}),
)


def reach(url: str) -> HttpService:
    return HttpService(url, contract=SERVICE, headers={"Authorization": "Bearer xoxb-strangers"})


async def post(path: str, ctx: Any, **body: Any) -> Outcome:
    return await ctx.services.post(path, body, key=ctx.key, deadline=ctx.deadline)


@hybrid(reference="ts", undo=BACK)
async def post_message(channel: str, text: str, *, ctx: Any) -> Outcome:
    """Post a message."""
    return await post("/chat.postMessage", ctx, channel=channel, text=text)


@write()
async def delete_message(channel: str, ts: str, *, ctx: Any) -> Outcome:
    """Delete a message."""
    return await post("/chat.delete", ctx, channel=channel, ts=ts)


@write()
async def pin_message(channel: str, timestamp: str, *, ctx: Any) -> Outcome:
    """Pin a message."""
    return await post("/pins.add", ctx, channel=channel, timestamp=timestamp)


@plan
async def buy(item: str, amount: int, *, ctx: Any) -> ActionDraft:
    """Announce that an item is bought. Asks for approval."""
    op, channel = f"announce/{ctx.turn_id}", {"channel": ctx.session.user_id}
    posted = {"timestamp": take("post", "ts")}
    steps = (
        StepDraft("post", "post_message", f"{op}/charge", {**channel, "text": item}),
        StepDraft("pin", "pin_message", f"{op}/order", channel, posted, pivot=True),
    )
    return ActionDraft("buy", {"item": item, "amount": amount}, f"Announce {item}", steps)


DOMAIN = Domain(
    name="slack",
    registry=Registry(offered=(buy,), steps=(post_message, delete_message, pin_message)),
    flow=FlowTable("ready", {}, {"ready": frozenset({"buy"})}),
    prompt=Prompt(system="You announce what people buy."),
)
