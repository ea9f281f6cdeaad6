"""The agents' side of spck-conformance, with prices: run by the Python of its own environment.

Its sandbox is a merchant that shows no price of a line and cannot be asked how a session stands, so
nothing can be bought there that a person could approve. Here it gets both, and nothing else of it
is changed: its answers, its stimuli, its signatures, and that it verifies those of requests. What
is asked of it is written down as its own agent would log it, and its rules grade that log.

    python lane.py SCENARIO KEYS

prints where it listens; then it takes one line of JSON, what the agent did with what it was told,
and prints what each rule says.
"""

from __future__ import annotations

import importlib
import json
import sys
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

SPELT = {
    name.lower(): name for name in ("UCP-Agent", "Content-Type", "Signature-Input", "Authorization")
}
"""Header names as the rules look for them."""

NOT_OURS = ("IDL", "CAT-034", "PAY-032", "PAY-041")
"""Requirements of what is not done: linking identities, options of products, AP2 mandates."""


def loaded() -> tuple[Any, Any]:
    """Return their sandbox and their rules."""
    package = importlib.import_module("spck_conformance")
    bundle = Path(package.__file__ or "").parent / "_bundle" / "conformance"
    sys.path[:0] = [str(bundle / "agent"), str(bundle)]
    return importlib.import_module("sandbox"), importlib.import_module("agent_checks")


def with_prices(handler: Any, log: list[dict[str, Any]]) -> Any:
    """Return their handler, which shows prices, keeps sessions, and writes down what is asked."""

    class Priced(handler):  # type: ignore[misc]
        def _read_raw(self) -> bytes:
            self.raw = bytes(super()._read_raw())
            return self.raw

        def do_GET(self) -> None:
            self.raw = b""
            _, _, session = self.path.partition("/checkout-sessions/")
            if session in self.server.kept:
                self._send(200, self.server.kept[session])
            else:
                super().do_GET()

        def _send(self, code: int, obj: Any, extra_headers: Any = None) -> None:
            shown = self.shown(code, obj)
            log.append(self.entry(code, shown))
            super()._send(code, shown, extra_headers)

        def shown(self, code: int, obj: Any) -> Any:
            """Return an answer with what a person must see, beside what it says itself."""
            if self.path == "/.well-known/ucp":
                obj["ucp"]["capabilities"]["dev.ucp.shopping.catalog.search"] = [{}]
            if code not in (200, 201) or "/checkout-sessions" not in self.path:
                return obj
            kept = self.server.kept.get(obj["id"], {})
            if not kept:
                total = 1_000
                lines = [
                    {
                        **line,
                        "id": f"li_{at}",
                        "item": {"title": "Teapot", "price": total, **line["item"]},
                        "totals": [{"type": "total", "amount": total * line["quantity"]}],
                    }
                    for at, line in enumerate(obj["line_items"], 1)
                ]
                ready = {"status": "ready_for_complete", "line_items": lines, "links": []}
                obj = {**obj, **ready}
            self.server.kept[obj["id"]] = {**kept, **obj}
            return self.server.kept[obj["id"]]

        def entry(self, code: int, shown: Any) -> dict[str, Any]:
            headers = {SPELT.get(n.lower(), n.lower()): v for n, v in self.headers.items()}
            body = json.loads(self.raw) if self.raw else None
            request = {"method": self.command, "path": self.path, "headers": headers, "body": body}
            response = {"status": code, "headers": {}, "body": shown}
            return {"op": op_of(self.command, self.path, body), "request": request} | {
                "response": response
            }

    return Priced


def op_of(method: str, path: str, body: Any) -> str:
    """Name what is asked for as their own agent does."""
    if path == "/.well-known/ucp":
        return "discover"
    if path == "/catalog/search":
        return "search_page" if (body or {}).get("pagination", {}).get("cursor") else "search"
    if path.endswith("/complete"):
        return "complete"
    if path == "/checkout-sessions":
        return "create_checkout"
    return f"{method} {path}"


def graded(rules: Any, scenario: str, log: list[dict[str, Any]], did: dict[str, Any]) -> list[Any]:
    """Let each rule of a scenario grade what was asked, and say which are not the agent's."""
    for entry in log:
        if entry["op"] == "create_checkout":
            entry["sig_verified"] = not did["rejected"]
            entry["rejected"] = did["rejected"]
            entry["totals_mismatch"] = did["refused_totals"]
    opened = {"op": "follow_escalation", "response": {"status": 200}}
    person = [{**opened, "request": {"path": did["page"], "headers": {}}}] if did["page"] else []
    log = [one for one in log if not (did["page"] or "").endswith(one["request"]["path"])]
    said = []
    for rule in rules.CHECKS:
        if rule.scenario != scenario:
            continue
        is_ours = not any(one.startswith(NOT_OURS) for one in rule.req_ids)
        # Who opens the page is a person, whose browser is no agent: no other rule sees it.
        beside = person if rule.id == "agent.follows_escalation" else []
        verdict = rule.predicate([*log, *beside]) if is_ours else "not ours"
        said.append({"id": rule.id, "verdict": verdict})
    return said


def main() -> None:
    """Serve one scenario until what the agent did is told."""
    scenario, keys = sys.argv[1:]
    sandbox, rules = loaded()
    log: list[dict[str, Any]] = []
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), with_prices(sandbox._Handler, log))
    server.observed, server.sessions, server.tokens, server.granted = [], {}, {}, set()
    server.kept, server.scenario, server.agent_jwks = {}, scenario, json.loads(keys)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}), flush=True)
    did = json.loads(sys.stdin.readline())
    print(json.dumps({"rules": len(rules.CHECKS), "graded": graded(rules, scenario, log, did)}))


if __name__ == "__main__":
    main()
