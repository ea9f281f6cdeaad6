"""Phrases that claim an effect without a participle that could be inflected."""

from __future__ import annotations

import re
from typing import Final

_TABLE: Final = r"""
order | (?:order|purchase)s? (?:is|are|'s) (?:in|through|complete)\b
order | (?:put|sent|pushed) (?:the|your) order (?:in|through)
order | checkout (?:is )?(?:complete|done|successful)
charge | (?:took|taken|deducted|collected|withdrawn) (?:\S+ ){0,5}(?:from|off) your (?:card|account|visa|balance)
charge | (?:came|gone|went) (?:off|through on) your (?:card|account|visa)
refund | (?:put|sent|given|paid|returned|transferred) (?:\S+ ){0,5}back to (?:you|your)
refund | (?:money|amount|[\d.,]+) (?:is|are) back (?:on|in) your
refund | (?:got|have|has) (?:your|the) money back
refund | put (?:in|through) (?:\S+ ){0,4}refund
send | (?:i|we)(?: have)?(?: just| already| also)? (?:let (?:\S+ ){1,4}know|written to|wrote to|messaged|texted|replied to|passed (?:\S+ ){1,4}on to)
send | dropped (?:\S+ ){1,3}(?:line|note|email|mail|message)
send | (?:mail|email|message|invitation|reply)s? (?:is|are|'s) (?:out|sent|delivered)
book | (?:table|room|seat|seats|flight|tickets|place) (?:\S+ ){0,4}in your name
book | (?:table|room|seat|seats|tickets) (?:\S+ ){0,4}(?:is|are) yours
book | got you (?:a|an|the|two|three|four|both) 
book | you (?:are|have been) (?:now )?(?:confirmed (?:on|for)|checked in|ticketed)
book | (?:set|put) aside for you|(?:is|are) (?:being )?held for you
cancel | called (?:it|them|the \S+) off
change | you are now (?:on|in) (?:the |our )?(?:\S+ )?(?:plan|tier|business|pro|premium|basic|team|free)
change | (?:moved|switched|put|bumped) you (?:over )?(?:to|onto|on)
create | passed (?:\S+ ){1,6}(?:on )?to (?:a|our|the) \S+ ?(?:team|department|colleague|technician)
order | bestellung ist (?:drin|durch|raus|eingegangen|unterwegs)
charge | (?:geld|betrag) ist (?:abgegangen|eingezogen|eingegangen)|zahlung ist (?:durch|eingegangen)
refund | geld ist (?:zurück|wieder)|(?:wieder|zurück) auf (?:ihrem|deinem) konto
send | (?:habe|hab) (?:\S+ ){1,5}bescheid (?:gegeben|gesagt)|wei(?:ß|ss) (?:jetzt |nun |bereits )?bescheid
send | (?:habe|hab) (?:ich )?(?:ihr|ihm|ihnen|an|dem|der|herrn|frau) (?:\S+ ){0,5}(?:geschrieben|geantwortet)
send | (?:mail|nachricht|einladung|antwort) ist (?:raus|draußen|rausgegangen|verschickt)
book | (?:auf|unter) (?:ihren|deinen|ihrem|deinem) namen (?:reserviert|gebucht|hinterlegt)
book | (?:für (?:sie|dich) )(?:zurückgelegt|freigehalten|gesichert)
cancel | rückgängig gemacht
change | (?:sind|bist) (?:jetzt|nun|ab sofort) (?:im|auf|bei|in) 
block | karte ist (?:jetzt |nun |ab sofort )?(?:dicht|deaktiviert|blockiert)
charge | (?:te|le|les|os) (?:ha|han) (?:cobrado|cargado)
refund | (?:te|le|les|os) (?:ha|han) (?:devuelto|reembolsado|abonado|ingresado)|ya tienes (?:el reembolso|el dinero|tu dinero)
refund | (?:dinero|importe) ya (?:está|ha vuelto)
send | (?:he|hemos) (?:avisado|escrito|respondido|contestado|informado) (?:a|al|ya|también) 
send | (?:correo|mensaje|invitación) (?:ya )?(?:ha salido|está fuera)
book | (?:mesa|habitación|plaza|plazas|billetes) (?:\S+ ){0,4}a tu nombre|(?:es|son) tuy[oa]s?
book | ya (?:tienes|tenéis|tiene) (?:\S+ )?(?:mesa|plaza|plazas|habitación|billete|billetes|vuelo)
change | ya est(?:ás|á) en el plan|ya es(?:tá)? (?:business|pro|premium)
cancel | dado de baja
order | (?:commande|achat) est (?:dans|en cours de prép)
refund | (?:vous|on vous) (?:a|ont) (?:remboursé|rendu)|de retour sur votre
send | (?:ai|avons) (?:bien )?(?:prévenu|averti|informé|relancé) (?!que)
send | (?:ai|avons) (?:bien )?(?:écrit|répondu) (?:à|au)
book | (?:table|chambre|place|places|billets) (?:\S+ ){0,4}à votre nom|(?:est|sont) à vous\b
book | (?:ai|avons) (?:bien )?mis (?:\S+ ){1,4}de côté
change | vous (?:êtes|voilà) (?:désormais|maintenant|bien|passé|passés|passée) (?:au|sur|en|à)
charge | on vous a (?:débité|prélevé)
"""
PHRASES: Final = [
    (kind, re.compile(rf"(?<!\S)(?:{pattern})"))
    for kind, pattern in (line.split(" | ", 1) for line in _TABLE.strip().splitlines())
]
"""With the kind of effect that a phrase claims; words of a sentence are separated by one space."""
