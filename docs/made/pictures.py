"""Three pictures: the parts, the write path, and a crash with its recovery."""

from __future__ import annotations

from docs.made.svg import arrow, box, line, svg, text


def parts() -> str:
    """Draw what runs where: your process, Postgres, a worker, providers and approvers."""
    return svg(
        880,
        330,
        "The parts: your process with the ledger in it, Postgres, a worker, providers, approvers",
        [
            box(30, 30, 250, 110, ("Your process", "StateGraph or create_agent", "and your model")),
            box(30, 190, 250, 110, ("daybook worker", "finishes the work of", "dead processes")),
            box(355, 30, 200, 110, ("Ledger", "effects, approvals,", "recovery"), "ours"),
            box(
                355,
                190,
                200,
                110,
                ("Postgres", "ledger (append-only),", "checkpoints, leases"),
                "ours",
            ),
            box(640, 30, 210, 110, ("Providers", "payments, orders, mail")),
            box(640, 190, 210, 110, ("Approvers", "console, chat, Slack", "or your own page")),
            arrow((280, 85), (353, 85)),
            text(316, 77, "calls", "note"),
            arrow((280, 245), (353, 245)),
            arrow((455, 140), (455, 188), both=True),
            text(497, 168, "commits", "note"),
            arrow((555, 70), (638, 70)),
            text(597, 62, "sends once", "note"),
            arrow((555, 105), (638, 105), kind="dash"),
            text(597, 123, "looks up", "note"),
            arrow((540, 140), (640, 205), both=True),
            text(623, 168, "asks", "note"),
        ],
    )


_PATH = (
    ("1 Propose", "check arguments,", "read preconditions", "intent and key"),
    ("2 Approve", "one question,", "exact arguments", "the decision"),
    ("3 Claim", "preconditions", "still hold?", "the attempt"),
    ("4 Call", "send with the key,", "up to a deadline", ""),
    ("5 Look up", "does the provider", "show it?", ""),
    ("6 Record", "compare with the", "expected result", "the outcome"),
)


def write_path() -> str:
    """Draw the six stages of a write, and what each commits."""
    found = []
    for number, (head, first, second, commit) in enumerate(_PATH):
        x = 14 + 146 * number
        found.append(box(x, 40, 126, 84, (head, first, second), "ours" if commit else ""))
        if number:
            found.append(arrow((x - 20, 82), (x - 2, 82)))
        if commit:
            found.append(arrow((x + 63, 124), (x + 63, 160)))
            found.append(text(x + 63, 214, commit, "note"))
    found += [
        box(14, 162, 856, 36, ("Postgres: each commit is in the ledger before the next stage",)),
        text(525, 26, "no transaction is open here", "note"),
        arrow((661, 124), (661, 140), (525, 140), (525, 126), kind="dash"),
        text(593, 155, "certainly absent: send again", "note"),
        text(660, 232, "neither shown nor certainly absent: in doubt, a reviewer decides", "note"),
    ]
    return svg(884, 246, "The write path: propose, approve, claim, call, look up, record", found)


_LANES = (("Process A", 90), ("Ledger in Postgres", 320), ("Provider", 560), ("Process B", 790))


def crash() -> str:
    """Draw a process that is killed after its charge, and the one that goes on."""
    a, ledger, provider, b = (x for _, x in _LANES)
    found = []
    for name, x in _LANES:
        found += [
            box(x - 80, 14, 160, 34, (name,), "ours" if x == ledger else ""),
            line((x, 48), (x, 196 if x == a else 392)) if x != b else line((b, 216), (b, 392)),
        ]
    found += [
        arrow((a, 84), (ledger, 84)),
        text(205, 76, "attempt, key order/o-1/charge", "note"),
        arrow((a, 128), (provider, 128)),
        text(205, 120, "charge 42.00 USD", "note"),
        arrow((provider, 172), (a, 172), kind="dash"),
        text(205, 164, "done: CH-1001", "note"),
        line((a - 12, 184), (a + 12, 208), "cut"),
        line((a + 12, 184), (a - 12, 208), "cut"),
        text(a + 22, 201, "SIGKILL before the record", "fail left"),
        arrow((b, 236), (ledger, 236)),
        text(668, 228, "what was attempted?", "note"),
        arrow((b, 280), (provider, 280)),
        text(676, 272, "look up order/o-1/charge", "note"),
        arrow((provider, 316), (b, 316), kind="dash"),
        text(676, 308, "found: CH-1001", "note"),
        arrow((b, 360), (ledger, 360)),
        text(668, 352, "done, CH-1001: not sent again", "note"),
        text(440, 418, "One charge. The model was not asked again."),
    ]
    title = "A process is killed after a charge; another one looks up the charge and continues"
    return svg(884, 436, title, found)
