"""What a policy must know of its domain, checked before anything is judged by it."""

from __future__ import annotations

from daybook.state.errors import DeclarationError
from daybook.state.flow import FlowTable
from daybook.state.people.policy import Policy
from daybook.tools.registry import Registry


def check_policy(policy: Policy, registry: Registry, flow: FlowTable) -> None:
    """Check that every rule names tools and flow positions that are there.

    A rule that is misspelt would fit nothing, and what it was to hold back would pass.

    Raises:
        DeclarationError: one is not; the message says which there are.
    """
    for rule in policy.rules:
        if unknown := sorted(set(rule.tools) - registry.effects.keys()):
            raise DeclarationError(
                f'The rule "{rule.name}" names {", ".join(unknown)}, which is no effect of this '
                f"domain. Nothing was started; there are {sorted(registry.effects)}. (Of a plan, "
                "name the steps that it is about.)"
            )
        if unknown := sorted(set(rule.at) - flow.offered.keys()):
            raise DeclarationError(
                f'The rule "{rule.name}" names the flow position {", ".join(unknown)}, which is '
                f"not there. Nothing was started; there are {sorted(flow.offered)}."
            )
