"""Kinds of effects, and the words with which a text claims that one was carried out.

A domain with other effects extends the table:

    >>> unlock = EffectKind("unlock", ("unlock",), {"en": Words("lock", "unlocked")})
    >>> [kind.name for kind in kinds_of("unlock_room", (*KINDS, unlock))]
    ['unlock']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, cast

Language = Literal["en", "de", "es", "fr"]
Use = Literal["participle", "first", "third", "infinitive"]


class Words(NamedTuple):
    """How a language speaks of a kind of effect; words are separated by spaces.

    Attributes:
        nouns: what such an effect is called.
        alone: participles that say by themselves that it was carried out.
        beside: participles that say so beside one of the nouns or objects.
        objects: what such an effect changes.
    """

    nouns: str = ""
    alone: str = ""
    beside: str = ""
    objects: str = ""


@dataclass(frozen=True)
class EffectKind:
    """A kind of effect that a model can claim to have carried out.

    Attributes:
        name: such as `charge`; English corrections use it.
        tools: words of tool names that are of this kind, such as `charge` and `pay`.
        verbs: its words by language. Spanish participles in -ado and -ido and French ones in -é are
            given in the masculine singular.
    """

    name: str
    tools: tuple[str, ...]
    verbs: Mapping[Language, Words]


_TABLE: Final = """
charge: charge pay payment capture debit bill checkout purchase buy invoice
 en payment charge transaction bill invoice | charged billed debited paid
 de zahlung abbuchung belastung bezahlung rechnung | belastet abgebucht bezahlt beglichen eingezogen
 es pago cobro cargo recibo transacción factura | cobrado cargado pagado
 fr paiement prélèvement débit règlement facture | débité prélevé payé réglé facturé
refund: refund reimburse
 en refund reimbursement credit | refunded reimbursed | applied credited
 de erstattung rückerstattung rückzahlung gutschrift | erstattet rückerstattet zurückerstattet \
zurückgezahlt gutgeschrieben | ausgezahlt
 es reembolso devolución | reembolsado reintegrado | abonado
 fr remboursement | remboursé
order: order checkout purchase buy
 en order purchase | ordered purchased bought
 de bestellung kauf | bestellt gekauft
 es pedido compra orden | comprado encargado
 fr commande achat | commandé acheté
cancel: cancel cancellation void terminate unsubscribe
 en cancellation | cancelled canceled
 de stornierung kündigung | storniert gekündigt
 es cancelación anulación | cancelado anulado
 fr annulation résiliation | annulé résilié
send: send email mail notify message sms confirmation
 en email e-mail mail message confirmation receipt notification copy | emailed e-mailed
 de e-mail email mail nachricht bestätigung bestätigungsmail bestätigungs-e-mail
 es correo email e-mail mensaje confirmación notificación comprobante
 fr e-mail email mail courriel message confirmation notification
book: book booking
 en booking | booked
 de buchung | gebucht
 es reserva | reservado
 fr réservation | réservé
reserve: reserve reservation hold
 en reservation hold | reserved
 de reservierung | reserviert
 es reserva | reservado
 fr réservation | réservé
transfer: transfer wire payout
 en transfer money | transferred wired
 de überweisung geld | überwiesen
 es transferencia dinero | transferido
 fr virement argent | viré transféré
change: change update modify upgrade downgrade switch rebook reschedule exchange
 en upgrade downgrade change | rebooked upgraded downgraded rescheduled | changed updated modified \
moved switched scheduled | subscription plan booking reservation flight
 de umbuchung änderung | umgebucht hochgestuft | geändert umgestellt verschoben gewechselt | abo \
tarif buchung reservierung flug anreise
 es cambio | | cambiado modificado | suscripción plan vuelo reserva
 fr changement | | modifié changé déplacé | abonnement forfait vol réservation
create: create open ticket file
 en | | created opened filed raised logged | ticket case claim
 de | | erstellt eröffnet angelegt | ticket fall
 es | | creado abierto abierta registrado | ticket incidencia caso reclamación
 fr | | créé ouvert enregistré | ticket dossier réclamation
block: block freeze lock
 en | | blocked frozen locked | card account
 de sperrung | | gesperrt | karte kreditkarte mastercard visa konto
 es bloqueo | | bloqueado | tarjeta cuenta
 fr blocage | | bloqué | carte compte
"""
"""Words of tool names; then by language nouns | participles alone | beside a noun | objects."""

_DONE: Final[Mapping[Language, str]] = {
    "en": "placed made processed issued completed complete finalized executed confirmed sent through "
    "successful done dispatched approved accepted taken secured way",
    "de": "aufgegeben getätigt durchgeführt ausgeführt abgeschlossen bestätigt erfolgreich erfolgt "
    "vorgenommen erledigt gesendet geschickt versendet verschickt abgeschickt akzeptiert unterwegs",
    "es": "realizado hecho hecha completado procesado efectuado confirmado emitido ejecutado exitoso "
    "exitosa enviado mandado finalizado formalizado tramitado gestionado aprobado aceptado camino",
    "fr": "passé effectué réalisé traité validé confirmé émis émise finalisé terminé exécuté réussi "
    "envoyé enregistré transmis accepté fait faite route",
}
"""What says beside a noun of any kind that it was carried out."""

_STARTED: Final[Mapping[Language, str]] = {
    "en": "submitted initiated started requested",
    "de": "veranlasst eingeleitet angestoßen ausgelöst übermittelt eingereicht",
    "es": "iniciado solicitado",
    "fr": "lancé initié soumis soumise procédé",
}
"""The same, of an effect that may still be open: no claim where one of the kind is."""


def _parsed(table: str) -> Iterator[EffectKind]:
    for entry in re.split(r"\n(?=\w)", table.strip()):
        head, *rows = entry.splitlines()
        name, _, tools = head.partition(":")
        verbs = {row[1:3]: Words(*row[3:].split("|")) for row in rows}
        yield EffectKind(name, tuple(tools.split()), cast(Mapping[Language, Words], verbs))


KINDS: Final[tuple[EffectKind, ...]] = tuple(_parsed(_TABLE))
"""The default table."""

_MESSAGES: Final = frozenset({"confirmation", "receipt", "email", "mail", "message", "sms"})
_UNDOING: Final = frozenset({"cancel", "refund"})


def kinds_of(tool: str, kinds: Iterable[EffectKind] = KINDS) -> tuple[EffectKind, ...]:
    """Return the kinds that a tool's name tells of; none for a name without a known word.

    Example:
        >>> [kind.name for kind in kinds_of("cancel_order")], [kind.name for kind in kinds_of("buy")]
        (['cancel'], ['charge', 'order'])
    """
    words = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", tool).lower())
    found = tuple(kind for kind in kinds if set(words) & set(kind.tools))
    # `cancel_order` and `send_order_confirmation` place no order; `change_booking` books nothing.
    if _MESSAGES & set(words):
        return tuple(kind for kind in found if kind.name == "send") or found
    verb = tuple(kind for kind in found if words[0] in kind.tools)
    return tuple(kind for kind in found if kind.name in _UNDOING) or verb or found


class Form(NamedTuple):
    """A word form that can claim an effect.

    Attributes:
        use: `first` and `third` are Spanish past tenses ("cancelé", "se canceló").
        kind: the kind that it claims; empty for any kind beside its noun.
        is_alone: it needs no noun or object.
        is_started: it claims no more than that the effect was begun.
    """

    language: Language
    use: Use
    kind: str = ""
    is_alone: bool = False
    is_started: bool = False


class Lexicon(NamedTuple):
    """Word forms, nouns and objects of a set of kinds; of nouns and objects with the kinds' names."""

    forms: dict[str, list[Form]]
    nouns: dict[str, set[str]]
    objects: dict[str, set[str]]


def lexicon(kinds: Iterable[EffectKind]) -> Lexicon:
    """Inflect all words of some kinds."""
    found = Lexicon({}, {}, {})

    def add(language: Language, text: str, kind: str, alone: bool, started: bool = False) -> None:
        for participle in text.lower().split():
            for word, use in _inflected(participle, language):
                form = Form(language, use, kind, alone, started)
                found.forms.setdefault(word, []).append(form)

    for kind in kinds:
        for language, words in kind.verbs.items():
            add(language, words.alone, kind.name, True)
            add(language, words.beside, kind.name, False)
            for noun in words.nouns.lower().split():
                found.nouns.setdefault(noun, set()).add(kind.name)
            for noun in f"{words.nouns} {words.objects}".lower().split():
                found.objects.setdefault(noun, set()).add(kind.name)
    for table, started in ((_DONE, False), (_STARTED, True)):
        for language, text in table.items():
            add(language, text, "", False, started)
    return found


def _inflected(participle: str, language: Language) -> Iterator[tuple[str, Use]]:
    """Yield a participle's genders and numbers, and the verb forms that follow from it."""
    stem, root = participle[:-1], participle[:-3]
    if language == "es" and participle.endswith(("ado", "ido")):
        yield from ((stem + ending, "participle") for ending in ("o", "a", "os", "as"))
        if participle.endswith("ado"):
            yield root[:-1] + {"g": "gu", "c": "qu", "z": "c"}.get(root[-1], root[-1]) + "é", "first"
            yield from ((root + ending, "third") for ending in ("ó", "aron"))
        yield root + ("ar" if participle.endswith("ado") else "ir"), "infinitive"
    elif language == "fr" and participle.endswith("é"):
        yield from ((participle + ending, "participle") for ending in ("", "e", "s", "es"))
        yield stem + "er", "infinitive"
    else:
        yield participle, "participle"
