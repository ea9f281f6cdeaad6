"""What the check reads by: groups of words, and phrases, in English, German, Spanish and French."""

from __future__ import annotations

import re
from typing import Final

_GROUPS: Final = """
adverbs: just already now also then successfully officially fully all both since today automatically
 immediately finally bereits schon jetzt nun soeben gerade eben erfolgreich auch ebenfalls vollständig
 heute direkt somit gleich ya también correctamente finalmente exitosamente con éxito ahora bien déjà
 aussi également maintenant désormais correctement immédiatement enfin tout juste avec succès donc
status: confirmed approved accepted successful complete done bestätigt erfolgreich erfolgt akzeptiert
 confirmado confirmada aprobado aceptado confirmé confirmée accepté réussi
negations: not no zero never nothing neither nor none nobody without cannot unable failed declined nicht
 nichts kein keine keinen keiner nie weder noch ohne ni nunca nada sin ningún ninguna tampoco ne n' pas
 aucun aucune rien jamais sans non
denials: nein pending waiting unknown ausstehend pendiente ❌ ✗ ✘ 🚫 ⏳ ⚠ ⬜ ☐ ❓ ✖ 🕒
modals: will would can could may might should must shall going want need needs let please ready to wird
 werden würde würden kann können könnte soll sollte muss müssen möchte wollen bitte zu hätte wäre voy vas
 va vamos será sería podría puedo puede puedes debe quiero quieres quiere habrá haya vais vont sera seront
 serait pourrait peux peut pouvez doit devrait veux voulez aura aurai ait soit
conditions: if once when whenever unless until till before whether wenn falls sobald sofern bis bevor ob
 damit si cuando hasta antes quand lorsque lorsqu' dès jusqu' avant afin
after: after nachdem nach después tras après
general: usually typically normally always generally often only upon moment time automatically within
 every each any still remains üblicherweise normalerweise immer erst stets innerhalb jede nur weiterhin
 noch normalmente siempre solo sólo cada sigue normalement toujours seulement chaque uniquement
hedges: maybe perhaps possibly presumably probably unclear unsure suppose example seems looks appears may
 according might either said mentioned mention says saying promise sure check ensure verify laut scheint
 vielleicht möglicherweise vermutlich unklar sagten sagst beispiel prüfen prüfe quizá quizás según parece
 dices dijiste ejemplo asegúrate comprueba peut-être probablement selon semble dites exemple vérifiez
mine: your you yours ihr ihre ihren ihrem ihrer sie dein deine deinen deiner dir ihnen dich su sus tu tus
 te votre vos vous ton ta tes
past: yesterday ago later after previously earlier last monday tuesday wednesday thursday friday saturday
 sunday january february gestern letzte letzten vorher seit später montag dienstag mittwoch donnerstag
 freitag ayer pasado anteriormente hace desde lunes martes miércoles jueves viernes hier dernier dernière
 depuis lendemain lundi mardi mercredi jeudi vendredi
aside: cart basket warenkorb carrito cesta panier checkout request top list overview anfrage solicitud
 demande approval review freigabe aprobación approbation validation draft entwurf borrador brouillon
unreal: next open todo missing remaining awaiting say try steps options policy rules nächste nächsten offen
 fehlt schritte próximos pasos falta opciones prochaines étapes attente reste
links: of for to from on by nr number id status total amount with für über von der des vom an nummer de del
 por para número al estado la el du d' le l' les des pour numéro statut importe montant betrag auf your
 ihre su votre is was has have been 's ist sind wurde wurden está ha han sido est a été usd eur gbp chf $ €
 £ : | - – — → ✅ ✔ ☑ ✓ 🎉 \ufe0f " ' # ( ) ,
leads: done great perfect ok erledigt alles klar perfekt fertig listo hecho perfecto c' est parfait voilà
 fait order
and: and und y e et , & / then sowie
i: i we ich wir hab habe he hemos ai avons
others: you he she they it that which who
moving: out raus way weg unterwegs camino route
sent: sent gesendet geschickt verschickt zugeschickt enviado enviada mandado mandé envié envoyé envoyée
placed: placed aufgegeben passée
breaks: ; — – - → | • : but however although though while whereas so because since aber doch jedoch sondern
 obwohl während weil pero sino aunque mientras porque mais cependant parce car
pronouns: i we you it they ich wir sie du es habe yo usted je nous vous on il elle j' he hemos te le les se
 lo
determiners: your the this that my no die der das den ihre ihr dein deine diese el la los las su tu este
 esta l' le les votre vos ton ta ce cette
finite: is are was were has have will would can 's wird werden wurde wurden ist sind hat haben habe kann he
 ha han fue está se es son será puede a ont est sont sera peut
supposed: if would could instead otherwise were unless falls wäre wären würde würden hätte sonst si sería
 serían podría serait seraient pourrait sinon cart warenkorb carrito panier
abbreviations: e.g i.e approx no nos nr ca z.b d.h bzw usw inkl zzgl ggf st mr mrs dr sr sra ud p.ej núm vs
standards: iso en din ip ipx eu us uk usb hdmi spf upf gps co wifi wi lte ddr type class typ version size
 größe talla taille cat covid rtx gtx ffp ps rfc utc gmt windows ios mk gen gpt cr aa aaa pm
prefixes: ord order bk book bkg res ref rf rfd inv tkt tck ticket sup case pay ch txn tx trx trk cnf conf
 rma ret po so rg fac fact req cmd ped bst auf sav inc re pi pm sub cus
"""
WORDS: Final = {
    name: frozenset(words.split())
    for name, words in re.findall(r"^(\w+): ((?:.|\n )+)$", _GROUPS, re.M)
}

_PHRASES: Final = r"""
order | (?:order|purchase)s? (?:is|are|'s) (?:in|through|complete)\b
order | (?:put|sent|pushed) (?:the|your) order (?:in|through)|checkout (?:is )?(?:complete|successful)
charge | (?:took|taken|deducted|collected) (?:\S+ ){0,5}(?:from|off) your (?:card|account|visa|balance)
charge | (?:came|gone|went) (?:off|through on) your (?:card|account|visa)
refund | (?:put|sent|given|paid|returned) (?:\S+ ){0,5}back to (?:you|your)|put (?:in|through) (?:\S+ ){0,4}refund
refund | (?:money|amount|[\d.,]+) (?:is|are) back (?:on|in) your|(?:got|have|has) (?:your|the) money back
send | (?:i|we)(?: have)?(?: just| already| also)? (?:let (?:\S+ ){1,4}know|written to|wrote to|messaged|replied to)
send | dropped (?:\S+ ){1,3}(?:line|note|email|mail|message)
send | (?:mail|email|message|invitation|reply)s? (?:is|are|'s) (?:out|delivered)
book | (?:table|room|seats?|flight|tickets) (?:\S+ ){0,4}in your name|(?:set|put) aside for you|is held for you
book | (?:table|room|seats?|tickets) (?:\S+ ){0,4}(?:is|are) yours|got you (?:a|an|the|two|three|four|both)\b
book | you (?:are|have been) (?:now )?(?:confirmed (?:on|for)|checked in|ticketed)
cancel | called (?:it|them|the \S+) off|rückgängig gemacht|dado de baja
change | you are now (?:on|in) (?:the |our )?(?:\S+ )?(?:plan|tier|business|pro|premium|basic|team|free)
change | (?:moved|switched|put|bumped) you (?:over )?(?:to|onto|on)
create | passed (?:\S+ ){1,6}(?:on )?to (?:a|our|the) \S+ ?(?:team|department|colleague|technician)
order | bestellung ist (?:drin|durch|raus|eingegangen|unterwegs)
charge | (?:geld|betrag) ist (?:abgegangen|eingezogen|eingegangen)|zahlung ist (?:durch|eingegangen)
refund | geld ist (?:zurück|wieder)|(?:wieder|zurück) auf (?:ihrem|deinem) konto
send | (?:habe|hab) (?:\S+ ){1,5}bescheid (?:gegeben|gesagt)|weiß (?:jetzt |nun |bereits )?bescheid
send | (?:habe|hab) (?:ich )?(?:ihr|ihm|ihnen|an|dem|der|herrn|frau) (?:\S+ ){0,5}(?:geschrieben|geantwortet)
send | (?:mail|nachricht|einladung|antwort) ist (?:raus|draußen|rausgegangen)
book | (?:auf|unter) (?:ihren|deinen|ihrem|deinem) namen|für (?:sie|dich) (?:zurückgelegt|freigehalten)
change | (?:sind|bist) (?:jetzt|nun|ab sofort) (?:im|auf|bei|in)\b
block | karte ist (?:jetzt |nun |ab sofort )?(?:dicht|deaktiviert|blockiert)
refund | (?:te|le|os) (?:ha|han) (?:devuelto|abonado|ingresado)|ya tienes (?:el reembolso|el dinero|tu dinero)
send | (?:he|hemos) (?:avisado|escrito|respondido|contestado) (?:a|al|ya|también)\b
send | (?:correo|mensaje|invitación) (?:ya )?(?:ha salido|está fuera)
book | (?:mesa|habitación|plazas?|billetes) (?:\S+ ){0,4}a tu nombre|ya (?:tienes|tiene) (?:\S+ )?(?:mesa|plazas?|billetes?)
change | ya est(?:ás|á) en el plan|ya es (?:business|pro|premium)
refund | vous (?:a|ont) (?:remboursé|rendu)|de retour sur votre
send | (?:ai|avons) (?:bien )?(?:prévenu|averti|relancé) (?!que)|(?:ai|avons) (?:bien )?(?:écrit|répondu) (?:à|au)\b
book | (?:table|chambre|places?|billets) (?:\S+ ){0,4}à votre nom|(?:est|sont) à vous\b
change | vous (?:êtes|voilà) (?:désormais|maintenant|bien|passés?|passée) (?:au|sur|en)\b
"""
PHRASES: Final = [
    (kind, re.compile(rf"(?<!\S)(?:{pattern})"))
    for kind, pattern in (line.split(" | ", 1) for line in _PHRASES.strip().splitlines())
]
"""Phrases that claim an effect of a kind; their words are separated by one space."""
