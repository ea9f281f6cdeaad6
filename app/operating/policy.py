"""Print who must approve what: the rules in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.table import Table

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.graph.settings.environment import Settings
from daybook.graph.settings.limits import policy_of
from daybook.state.people.policy import Policy, Rule
from daybook.tools.kinds import EffectTool

_HEADS = ("rule", "fits", "approves", "speaks of a doubt")


def print_policy(settings: Settings, terminal: Terminal) -> None:
    """Print a deployment's rules, the domain's, and what the tools declare where none fits.

    Raises:
        ConfigurationError, DeclarationError: the deployment's rules cannot be used.
    """
    domain = served_by(settings).domain
    own = policy_of(settings.policy, domain)
    table = Table(*_HEADS, box=box.SIMPLE_HEAD, show_edge=False)
    for source, policy in ((str(settings.policy), own), ("the domain", domain.policy)):
        for row in _rows(source, policy):
            table.add_row(*row)
    for effect in domain.registry.effects.values():
        table.add_row(*_declared(effect))
    terminal.table(table)


def _rows(source: str, policy: Policy) -> Iterator[Sequence[str]]:
    for rule in policy.rules:
        beside = ", of two people" if rule.four_eyes else ""
        yield (
            f"{rule.name} ({source})",
            _fits(rule),
            rule.approval + beside,
            rule.doubt or ("customer" if rule.approval == "nobody" else rule.approval),
        )


def _fits(rule: Rule) -> str:
    named = (
        ("", ", ".join(rule.tools)),
        ("every ", rule.kind or ""),
        ("at ", ", ".join(rule.at)),
        ("for ", ", ".join(rule.users)),
        ("above ", str(rule.above or "")),
        ("up to ", str(rule.up_to or "")),
    )
    return " ".join(f"{word}{value}" for word, value in named if value) or "everything"


def _declared(effect: EffectTool) -> Sequence[str]:
    approver = "customer" if effect.approval == "always" else "nobody"
    return ("as declared", f"{effect.name}, where no rule fits", approver, "customer")
