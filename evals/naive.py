"""An agent as a tutorial writes it: a loop over a list of messages, saved after each step.

It is right as long as it lives: the list is in a file, a restart goes on from there, and each call
of a tool has an idempotency key, the id that the model gave the call. But what was done and not
saved is decided again, and a call that is decided again has another id. (Saved before it acts, and
with its open calls made again, it would charge once here: that is the first line of a ledger.)
Run as

    python -m evals.naive --model URL --shop URL --smtp URL --messages FILE "Buy ..."
"""

from __future__ import annotations

import argparse
import json
import os
import smtplib
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from daybook.state.fault_points import VARIABLE, FaultPoint, arm, die_at, reached

Message = dict[str, Any]
Result = dict[str, Any]

USER = "ada"
SYSTEM = "You buy what the user asks for, with the tools. Say when the order is placed."


PATHS = {
    "reserve_inventory": "/holds",
    "charge_payment": "/charges",
    "place_order": "/orders",
}


class Tools:
    """Call the shop. Each call is given an idempotency key."""

    def __init__(self, shop_url: str, smtp_url: str) -> None:
        self._shop = httpx.Client(base_url=shop_url, timeout=10)
        self._smtp = urlsplit(smtp_url)

    def call(self, name: str, key: str, args: Result) -> Result:
        """Look a product up, mail the customer, or do what else there is."""
        if name == "get_product":
            found: Result = self._shop.get(f"/products/{args['sku']}").raise_for_status().json()
            return {one: found[one] for one in ("sku", "name", "price", "currency", "stock")}
        if name == "send_email":
            return self._mail(key, **args)
        body = {"reference": key, "user_id": USER, **args}
        answer = self._shop.post(PATHS[name], json=body, headers={"Idempotency-Key": key})
        result: Result = answer.raise_for_status().json()
        return result

    def _mail(self, key: str, subject: str, body: str) -> Result:
        mail = EmailMessage()
        mail["From"], mail["Subject"], mail["Message-ID"] = "agent@example.com", subject, f"<{key}>"
        mail["To"] = self._shop.get(f"/users/{USER}").raise_for_status().json()["email"]
        mail.set_content(body)
        with smtplib.SMTP(self._smtp.hostname or "", self._smtp.port or 25, timeout=10) as server:
            server.send_message(mail)
        return {"sent": True}


def run(model_url: str, tools: Tools, file: Path, wish: str) -> None:
    """Ask the model and do what it says, until it says something instead."""
    messages: list[Message] = (
        json.loads(file.read_text())
        if file.exists()
        else [{"role": "system", "content": SYSTEM}, {"role": "user", "content": wish}]
    )
    while True:
        reply = _ask(model_url, messages)
        messages.append(reply)
        for call in reply.get("tool_calls") or []:
            name, args = call["function"]["name"], json.loads(call["function"]["arguments"])
            result = tools.call(name, call["id"], args)
            print(f"{name}({', '.join(f'{k}={v}' for k, v in args.items())})", flush=True)
            reached(FaultPoint.AFTER_REPLY, name)
            messages.append(
                {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(result)}
            )
        file.write_text(json.dumps(messages, indent=1))
        if not reply.get("tool_calls"):
            print(reply["content"], flush=True)
            return


def _ask(model_url: str, messages: list[Message]) -> Message:
    body = {"model": "demo", "messages": messages}
    answer = httpx.post(f"{model_url}/chat/completions", json=body, timeout=60)
    reply: Message = answer.raise_for_status().json()["choices"][0]["message"]
    return reply


def main() -> None:
    """Run the loop; it dies where `DAYBOOK_DIE_AT` says, at the same point as Daybook does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--shop", required=True)
    parser.add_argument("--smtp", required=True)
    parser.add_argument("--messages", required=True, type=Path)
    parser.add_argument("wish")
    given = parser.parse_args()
    if wanted := os.environ.get(VARIABLE):
        arm(die_at(wanted))
    run(given.model, Tools(given.shop, given.smtp), given.messages, given.wish)


if __name__ == "__main__":
    main()
