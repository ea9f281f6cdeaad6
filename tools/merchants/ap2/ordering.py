"""The mandates of an order: made as it is sent, and the same ones when it is sent again."""

from __future__ import annotations

from daybook.state.context import EffectContext
from daybook.state.effects.outcome import Declined
from daybook.state.errors import ConfigurationError, ToolRefused
from daybook.tools.merchants.ap2.authorization import Unauthorized
from daybook.tools.merchants.ap2.mandates import For, Mandates, mandates
from daybook.tools.merchants.ap2.signatory import Signatory
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices


async def mandated(
    ctx: EffectContext[MerchantServices],
    there: Merchant,
    checkout_id: str,
    instrument_id: str,
    terms: str,
    nonce: str,
) -> Mandates | Declined:
    """Return the mandates of an order; a no where the merchant has not signed what was approved.

    Args:
        terms: that were approved.
        nonce: the key under which the order is sent.

    Raises:
        ToolRefused: nobody signs here, or the instrument is not in the wallet.
        ServiceUnavailable: the checkout cannot be read.
    """
    signatory = signatory_of(ctx.services, there)
    try:
        held = await signatory.held(ctx.key)
    except ConfigurationError as error:
        raise ToolRefused(str(error)) from error
    if held is not None:
        return held
    proposed = await there.proposed(checkout_id)
    if not proposed.jwt:
        code = proposed.fault or "not_signed"
        return Declined(code, f"{there.name} has not signed the checkout as it stands now.")
    if (proposed.checkout.status, proposed.checkout.terms) != ("ready_for_complete", terms):
        why = f"{there.name} has signed another checkout than was approved."
        return Declined("changed_since", why)
    instrument = next(
        (
            one
            for one in await ctx.services.wallet.instruments(ctx.session.user_id)
            if one.id == instrument_id
        ),
        None,
    )
    if instrument is None:
        raise ToolRefused(f"There is no instrument {instrument_id} in the wallet.")
    whom = For(there.url, there.name, nonce, instrument.model_dump())
    try:
        made = mandates(proposed, whom, signatory.key, signatory.issuer, ctx.deadline.clock.now())
    except Unauthorized as why:
        return Declined(why.code, f"The checkout of {there.name} cannot be in a mandate: {why}.")
    return await signatory.hold(ctx.key, ctx.session, made)


def signatory_of(services: MerchantServices, there: Merchant) -> Signatory:
    """Return who signs here.

    Raises:
        ToolRefused: nobody does.
    """
    if services.signatory is None:
        raise ToolRefused(
            f"{there.name} takes orders with a signed mandate alone, and nobody signs here: give "
            "MerchantServices a signatory (docs/merchants.md)."
        )
    return services.signatory
