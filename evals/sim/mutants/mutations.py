"""The mutations: promises of the engine, each taken out of it by a few words.

PROTOCOL.md (and docs/recovery.md) say why each is there; what is left out is what the mutant does.
"""

from __future__ import annotations

from dataclasses import dataclass

from evals.sim.lives.recipe import AT_MERCHANTS
from evals.sim.mutants.editing import Edit, SqlEdit


@dataclass(frozen=True)
class Mutation:
    """An engine that lacks one promise.

    Attributes:
        does: what it does wrong.
        lives: what the seeds begin with of the lives in which it is hunted: where they are lived.
    """

    name: str
    does: str
    edits: tuple[Edit | SqlEdit, ...]
    lives: str = ""


_SETTLEMENT = "state.ledger.next_move"

MUTATIONS = (
    Mutation(
        "early-send",
        "sends before its claim is committed",
        (
            Edit(
                "nodes.sending.claim",
                "claim_step",
                (
                    (
                        "began, work, moved)\n",
                        "began, work, moved)\n"
                        "        if isinstance(claim, Claim) and isinstance(claimed, Claimed):\n"
                        "            from daybook.nodes.sending.call import call_once\n"
                        "            step = claimed.step\n"
                        "            effect = work.domain.registry.effect(step.tool)\n"
                        "            sent = call_once(\n"
                        "                work, effect, claimed.args, claimed, key=step.step_id)\n"
                        "            vars(step)['early'] = await sent\n",
                    ),
                ),
            ),
            Edit(
                "nodes.sending.send",
                "send",
                (
                    (
                        "await call_once(work, effect, claimed.args, claimed, key=step.step_id)",
                        "vars(step).pop('early', None) or await call_once(\n"
                        "            work, effect, claimed.args, claimed, key=step.step_id)",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "no-look",
        "sends again without a look whether it happened",
        (
            Edit(
                _SETTLEMENT,
                "_Settlement._unknown",
                (
                    (
                        "return self._look_or_act(step, guarantees, open_attempts)",
                        "return self._again(step)",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "no-fence",
        "lets a runner that was taken over write checkpoints",
        tuple(
            SqlEdit("saver.sql", name, ((" where %(epoch)s::bigint is not null", " where false"),))
            for name in ("put", "put_writes", "put_writes_anew")
        ),
    ),
    Mutation(
        "no-renewal",
        "does not renew its lease",
        (
            Edit(
                "checkpoints.runs.thread_lock",
                "ThreadLocks._renew_held",
                (
                    (
                        'await conn.execute(_SQL["renew"], {**self._whose, "threads": threads})',
                        "del conn, threads",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "early-absence",
        "believes an absence before D has passed",
        (
            Edit(
                _SETTLEMENT,
                "_Settlement._look_or_act",
                (
                    (
                        "settled_at = max(attempt.settle_at for attempt in step.attempts)",
                        "settled_at = min(attempt.at for attempt in step.attempts)",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "unbound-approval",
        "carries out what was approved although its arguments are others by now",
        (
            Edit(
                "state.ledger.plan",
                "Plan.is_bound",
                (('self.approval == "policy" or ', "True or "),),
            ),
        ),
    ),
    Mutation(
        "forward-undo",
        "undoes in the order in which it did",
        (
            Edit(
                _SETTLEMENT,
                "_Settlement._closing",
                (("for step in reversed(self.action.steps):", "for step in self.action.steps:"),),
            ),
        ),
    ),
    Mutation(
        "key-by-call",
        "sends every attempt under a key of its own",
        (
            Edit(
                "tools.services.http",
                "HttpService.post",
                (
                    (
                        "effect_headers(self.contract, key)",
                        "effect_headers(self.contract, f'{key}/{deadline.at}')",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "fresh-reads",
        "does not make reads stale by what it writes",
        (
            Edit(
                "checkpoints.ledger.page",
                "Page.make_stale",
                (("self._stale.update(tags)", "pass"),),
            ),
        ),
    ),
    Mutation(
        "no-lock",
        "writes outcomes without the lock of the thread, under the next number",
        (
            SqlEdit("ledger.sql", "lock_head", (("for update", ""),)),
            SqlEdit(
                "ledger.sql",
                "append_page",
                (
                    (
                        "%(entries)s,",
                        "(select jsonb_agg(e || jsonb_build_object('seq', n + ("
                        "select coalesce(max(seq), 0) from ledger_event"
                        " where thread_id = %(thread_id)s)))"
                        " from jsonb_array_elements(%(entries)s) with ordinality each (e, n)),",
                    ),
                    (
                        "%(payload_seqs)s::bigint[],",
                        "array(select p - (%(entries)s -> 0 ->> 'seq')::bigint + 1 + ("
                        "select coalesce(max(seq), 0) from ledger_event"
                        " where thread_id = %(thread_id)s)"
                        " from unnest(%(payload_seqs)s::bigint[]) p order by p),",
                    ),
                    (
                        "%(seq)s,",
                        "(select coalesce(max(seq), 0) + jsonb_array_length(%(entries)s)"
                        " from ledger_event where thread_id = %(thread_id)s),",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "withdrawn-mismatch",
        "takes a mismatch that is told once more for an answer",
        (
            Edit(
                "state.effects.evidence",
                "entries_of",
                (
                    (
                        "if judged.doubt and step.state in _MAY_BE_DOUBTED:",
                        "is_first = step.state in _MAY_BE_DOUBTED\n"
                        "    if judged.doubt and is_first:",
                    ),
                    (
                        "if not judged.doubt and evidence.outcome is not None",
                        "if not (judged.doubt and is_first) and evidence.outcome is not None",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "final-409",
        "takes the 409 of a key in use for a final no",
        (
            Edit(
                "tools.services.classify",
                "_meant",
                (
                    (
                        'case "declined" | "turned_away":',
                        'case "declined" | "turned_away" | "in_progress":',
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "transport-retry",
        "tries again inside the transport",
        (
            Edit(
                "tools.services.http",
                "HttpService.send",
                (
                    (
                        "    answer = await send(request, deadline, until)\n",
                        "    answer = await send(request, deadline, until)\n"
                        "    if isinstance(answer, Unknown):\n"
                        "        answer = await send(request, deadline, until)\n",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "undone-pivot",
        "undoes an order because of its mail",
        (
            Edit(
                _SETTLEMENT,
                "_Settlement._forward_step",
                (
                    (
                        "match row.after_pivot if self.action.pivot_done and not step.pivot "
                        "else row.forward:",
                        "match row.forward:",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "late-sender",
        "sends although its time is over",
        (
            Edit(
                "nodes.sending.call",
                "_deadline",
                (("patience.budget.total_seconds(),", "patience.budget.total_seconds() + 1000,"),),
            ),
        ),
    ),
    Mutation(
        "any-answer",
        "takes the answer to one question for another's",
        (
            Edit(
                "state.people.questions.approvals",
                "answers_for",
                (
                    (
                        "context=plan.plan_id",
                        "context=(value.get('approval_id') if isinstance(value, dict) else None)"
                        " or plan.plan_id",
                    ),
                ),
            ),
        ),
    ),
    Mutation(
        "unasked",
        "asks nobody",
        (
            Edit(
                _SETTLEMENT,
                "_Settlement._forward_step",
                (
                    (
                        "self._first_claim(step) if self.plan.decided else self._ask()",
                        "self._first_claim(step)",
                    ),
                ),
            ),
            Edit(
                _SETTLEMENT,
                "_Settlement._first_claim",
                (("if not self.action.is_approved or not self.plan.is_bound:", "if False:"),),
            ),
            Edit(
                "nodes.intend",
                "intend",
                (("if not plan.decided:", "if False:"),),
            ),
        ),
    ),
    Mutation(
        "key-by-order",
        "sends every Complete of an order under a key of its own",
        (
            Edit(
                "tools.merchants.merchant",
                "Merchant.send",
                (
                    (
                        "about, body, key)",
                        "about, body, key if operation != 'complete_checkout' else"
                        " str(uuid.uuid5(uuid.UUID(key), str(deadline.at))))",
                    ),
                ),
            ),
        ),
        AT_MERCHANTS,
    ),
    Mutation(
        "unverified-event",
        "takes an event for its merchant's by the name of its key",
        (
            Edit(
                "graph.merchants.events",
                "_signer",
                (("signatures.verify(message, arrived.body, keys)", "del message"),),
            ),
        ),
        AT_MERCHANTS,
    ),
    Mutation(
        "untold-session",
        "says nothing of sessions that were opened in vain",
        (
            Edit(
                "tools.merchants.settled",
                "_perhaps_open",
                (('step.tool == "open_session"', 'step.tool == "nothing"'),),
            ),
        ),
        AT_MERCHANTS,
    ),
    Mutation(
        "believed-key",
        "believes a merchant that it keeps the keys of orders",
        (
            Edit(
                "tools.merchants.services",
                "MerchantServices.guarantees",
                (
                    (
                        '"orders": Guarantees(settle=self.late)',
                        '"orders": Guarantees(honours_key=True, retention=KEPT, settle=self.late)',
                    ),
                ),
            ),
        ),
        AT_MERCHANTS,
    ),
)
