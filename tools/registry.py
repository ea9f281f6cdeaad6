"""The registry: every tool of a domain, checked when it is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from daybook.state.effects.guarantees import Guarantees
from daybook.state.errors import DeclarationError, ToolRefused
from daybook.tools.checks.tool import check_undo_fits, check_undo_repeats
from daybook.tools.kinds import EffectTool, Tool, tool_of
from daybook.tools.signature import schema_of


class Registry:
    """The tools of a domain by name.

    Args:
        offered: tools that the model may be offered, declared or plain async functions.
        steps: effects that only plans and compensations call.

    Raises:
        DeclarationError: two tools share a name, a step is no effect, a hybrid is offered by
            itself, or a compensation is not in the registry, is given arguments that it does not
            take, or may be done twice.

    Example:
        >>> async def send_fax(number: str, *, ctx: Any) -> Any:
        ...     "Send a fax."
        >>> registry = Registry([send_fax])
        >>> registry.names, registry.effect("send_fax").approval
        (['send_fax'], 'always')
    """

    def __init__(self, offered: Iterable[Any], steps: Iterable[Any] = ()) -> None:
        self._offered = _by_name(offered)
        # A plan may have the name of the effect that it comes to (cancel_order); an effect may not.
        effects = [t for t in self._offered.values() if isinstance(t, EffectTool)]
        self._effects: dict[str, EffectTool] = {}
        for name, tool in _by_name([*effects, *steps]).items():
            if not isinstance(tool, EffectTool):
                raise DeclarationError(
                    f"The {tool.kind} {name} is among the steps, which must be writes or hybrids. "
                    "Put it into Registry(offered=...)."
                )
            self._effects[name] = tool
        self._schemas = {
            tool.name: schema_of(tool.name, tool.description, tool.args)
            for tool in self._offered.values()
        }
        for effect in self._effects.values():
            if effect.undo is not None and effect.undo.tool not in self._effects:
                raise DeclarationError(
                    f"The tool {effect.name} is undone by {effect.undo.tool}, which is not in the "
                    f"registry. Add it to the domain's tools; effects: {sorted(self._effects)}."
                )
            if effect.undo is not None:
                undoing = self._effects[effect.undo.tool]
                check_undo_fits(effect.name, effect.args, effect.undo, undoing.args)
                if undoing.service is None:
                    check_undo_repeats(effect.name, effect.undo, _guaranteed(undoing, {}))
        if alone := [tool.name for tool in effects if tool.kind == "hybrid"]:
            raise DeclarationError(
                f"The hybrid {alone[0]} is offered to the model on its own, so nothing would ever "
                "undo it. Offer a plan that starts with it and put it into Registry(steps=...), "
                "or declare it as a write."
            )

    def offered(self, name: str) -> Tool:
        """Return a tool that the model may call.

        Raises:
            ToolRefused: there is no such tool.
        """
        tool = self._offered.get(name)
        if tool is None:
            raise ToolRefused(
                f"Unknown tool {name}. The tools are: {', '.join(sorted(self._offered))}."
            )
        return tool

    def effect(self, name: str) -> EffectTool:
        """Return an effect by name.

        Raises:
            DeclarationError: there is no such effect.
        """
        effect = self._effects.get(name)
        if effect is None:
            raise DeclarationError(
                f"The ledger has a step of the tool {name}, which this release does not have. "
                "Nothing was sent; run a release that has it."
            )
        return effect

    @property
    def effects(self) -> Mapping[str, EffectTool]:
        """Return all effects by name."""
        return self._effects

    def guarantees(self, promises: Mapping[str, Guarantees]) -> dict[str, Guarantees]:
        """Return the guarantees of each effect, by tool name.

        Args:
            promises: what the provider promises, by service name; an effect whose service is
                not named here has what it declares, the worst class unless it says otherwise.
        """
        return {name: _guaranteed(effect, promises) for name, effect in self._effects.items()}

    def check_promises(self, promises: Mapping[str, Guarantees]) -> None:
        """Check what depends on the promises of the provider.

        Args:
            promises: as for `guarantees`.

        Raises:
            DeclarationError: an undo could be done twice.
        """
        known = self.guarantees(promises)
        for effect in self._effects.values():
            if effect.undo is not None:
                check_undo_repeats(effect.name, effect.undo, known[effect.undo.tool])

    def schemas(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Return the schemas of some offered tools for the model's provider, in registry order."""
        wanted = set(names)
        return [schema for name, schema in self._schemas.items() if name in wanted]

    def arguments(self, names: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return the JSON schemas of the arguments of some of the offered tools, by name."""
        wanted = self._schemas.keys() & set(names)
        return {name: self._schemas[name]["function"]["parameters"] for name in wanted}

    @property
    def names(self) -> list[str]:
        """Return the names of the tools that the model may be offered."""
        return list(self._offered)

    def declarations(self) -> dict[str, dict[str, Any]]:
        """Return the declaration of each tool and step as JSON, by name."""
        # The plan comes first of two with one name: what is called by it.
        named = {
            name: [one[name] for one in (self._offered, self._effects) if name in one]
            for name in sorted({*self._offered, *self._effects})
        }
        return {
            name: {
                "description": ones[0].description.partition("\n")[0],
                "kind": ", ".join(dict.fromkeys(one.kind for one in ones)),
                "approval": getattr(ones[-1], "approval", None),
                "arguments": ones[0].args.model_json_schema(),
            }
            for name, ones in named.items()
        }


def _by_name(declared: Iterable[Any]) -> dict[str, Tool]:
    tools: dict[str, Tool] = {}
    for one in declared:
        tool = tool_of(one)
        if tool.name in tools:
            raise DeclarationError(f"Two tools are named {tool.name}. Rename one of them.")
        tools[tool.name] = tool
    return tools


def _guaranteed(tool: EffectTool, promises: Mapping[str, Guarantees]) -> Guarantees:
    guarantees = promises.get(tool.service or "", tool.guarantees)
    return replace(guarantees, provable=tool.probe is not None)
