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
 en payment charge transaction bill | charged billed debited paid | settled
 de zahlung abbuchung belastung bezahlung rechnung | belastet abgebucht bezahlt beglichen eingezogen
 es pago cobro cargo recibo transacción | cobrado cargado pagado
 fr paiement prélèvement débit règlement | débité prélevé payé facturé | réglé | facture
refund: refund reimburse
 en refund reimbursement credit | refunded reimbursed credited | applied
 de erstattung rückerstattung rückzahlung gutschrift | erstattet rückerstattet zurückerstattet \
zurückgezahlt gutgeschrieben | ausgezahlt
 es reembolso devolución | reembolsado devuelto | abonado
 fr remboursement | remboursé
order: order checkout purchase buy
 en order purchase | ordered purchased bought
 de bestellung kauf | bestellt gekauft
 es pedido compra orden | comprado encargado pedido
 fr commande achat | commandé acheté
cancel: cancel cancellation void terminate unsubscribe
 en cancellation | cancelled canceled unsubscribed
 de stornierung kündigung | storniert gekündigt
 es cancelación anulación baja | cancelado anulado
 fr annulation résiliation | annulé résilié
send: send email mail notify message sms confirmation invite forward
 en email e-mail mail message confirmation receipt invoice notification copy invitation reply | \
emailed e-mailed forwarded notified invited
 de e-mail email mail nachricht bestätigung bestätigungsmail rechnung einladung antwort | \
weitergeleitet benachrichtigt eingeladen gemailt
 es correo email e-mail mensaje confirmación notificación factura invitación respuesta | reenviado \
notificado
 fr e-mail email mail courriel message confirmation notification facture invitation réponse | \
transféré
book: book booking
 en booking | booked | secured got | flight room table seat seats tickets hotel
 de buchung | gebucht | gesichert besorgt | flug zimmer tisch platz plätze tickets hotel
 es reserva | reservado | cogido sacado | vuelo habitación mesa plazas billetes hotel
 fr réservation | réservé | pris | vol chambre table places billets hôtel
reserve: reserve reservation hold
 en reservation hold | reserved | | table seat room
 de reservierung | reserviert | | tisch platz zimmer
 es reserva | reservado
 fr réservation | réservé
transfer: transfer wire payout
 en transfer money | transferred wired
 de überweisung geld | überwiesen
 es transferencia dinero | transferido
 fr virement argent | viré versé transféré
change: change update modify upgrade downgrade switch rebook reschedule exchange renew activate reset
 en upgrade downgrade change renewal | rebooked upgraded downgraded rescheduled renewed activated \
reactivated | changed updated modified moved switched scheduled extended reset deleted | \
subscription plan booking reservation flight password account arrival
 de umbuchung änderung verlängerung | umgebucht hochgestuft freigeschaltet verlängert aktiviert | \
geändert umgestellt verschoben gewechselt zurückgesetzt gelöscht | abo tarif buchung reservierung \
flug anreise ankunft termin passwort konto
 es cambio renovación | renovado activado ampliado | cambiado modificado restablecido \
eliminado aplazado | suscripción plan vuelo reserva cita contraseña cuenta llegada
 fr changement renouvellement | renouvelé activé prolongé | modifié changé déplacé décalé \
réinitialisé supprimé | abonnement forfait vol réservation rendez-vous compte arrivée
create: create open ticket file register escalate schedule arrange report
 en | filed escalated | created opened raised logged scheduled reported arranged | ticket case claim \
complaint visit pickup appointment dispute
 de reklamation meldung | | erstellt angelegt beauftragt eröffnet gemeldet vereinbart | ticket fall \
beschwerde abholung termin
 es | escalado | creado abierto abierta registrado presentado programado | ticket incidencia caso \
reclamación recogida cita
 fr | | signalé créé ouvert enregistré déposé programmé | ticket dossier réclamation enlèvement
block: block freeze lock
 en | | blocked frozen locked | card account
 de sperrung | gesperrt
 es bloqueo | bloqueado
 fr blocage | bloqué
"""
"""Words of tool names; then by language nouns | participles alone | beside a noun | objects."""

_DONE: Final[Mapping[Language, str]] = {
    "en": "placed made processed issued completed complete finalized executed confirmed sent through "
    "successful received authorised authorized done dispatched shipped approved accepted taken took given cleared way out",
    "de": "aufgegeben getätigt durchgeführt ausgeführt abgeschlossen bestätigt erfolgreich erfolgt raus "
    "vorgenommen erledigt gesendet geschickt versendet verschickt abgeschickt zugeschickt akzeptiert "
    "ausgestellt eingegangen übernommen durch unterwegs weg geklappt",
    "es": "realizado hecho hecha completado procesado efectuado confirmado emitido ejecutado exitoso "
    "exitosa hice hicimos enviado mandado finalizado formalizado tramitado gestionado cursado recibido autorizado aprobado aceptado camino salido",
    "fr": "passé effectué réalisé traité validé confirmé émis émise finalisé terminé exécuté réussi "
    "envoyé enregistré transmis accepté reçu fait faite obtenu rendu rendus parti partie abouti route",
}
"""What says beside a noun of any kind that it was carried out."""

_STARTED: Final[Mapping[Language, str]] = {
    "en": "submitted initiated started requested",
    "de": "veranlasst beantragt angefordert eingeleitet angestoßen ausgelöst übermittelt eingereicht",
    "es": "iniciado solicitado ordenado",
    "fr": "lancé initié soumis soumise procédé",
}
"""The same, of an effect that may still be open: no claim where one of the kind is."""


KINDS: Final[tuple[EffectKind, ...]] = tuple(
    EffectKind(
        name,
        tuple(tools.split()),
        cast(
            Mapping[Language, Words],
            {row[1:3]: Words(*row[3:].split("|")) for row in rows.splitlines()},
        ),
    )
    for name, tools, rows in re.findall(r"^(\w+): (.*)\n((?: .*\n)+)", _TABLE, re.M)
)
"""The default table."""


def kinds_of(tool: str, kinds: Iterable[EffectKind] = KINDS) -> tuple[EffectKind, ...]:
    """Return the kinds that a tool's name tells of; none for a name without a known word.

    Example:
        >>> [kind.name for kind in kinds_of("cancel_order")], [kind.name for kind in kinds_of("buy")]
        (['cancel'], ['charge', 'order'])
    """
    words = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", tool).lower())
    found = tuple(kind for kind in kinds if set(words) & set(kind.tools))
    # `cancel_order` and `send_order_confirmation` place no order; `change_booking` books nothing.
    if {"confirmation", "receipt", "email", "mail", "message", "sms"} & set(words):
        return tuple(kind for kind in found if kind.name == "send") or found
    undoing = tuple(kind for kind in found if kind.name in ("cancel", "refund"))
    return undoing or tuple(kind for kind in found if words[0] in kind.tools) or found


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
    """Word forms, and the kinds of nouns and of objects, in lower case."""

    forms: dict[str, list[Form]]
    nouns: dict[str, set[str]]
    objects: dict[str, set[str]]


def lexicon(kinds: Iterable[EffectKind]) -> Lexicon:
    """Inflect all words of some kinds."""
    found = Lexicon({}, {}, {})
    rows = [
        (language, text, kind.name, is_alone, False)
        for kind in kinds
        for language, words in kind.verbs.items()
        for text, is_alone in ((words.alone, True), (words.beside, False))
    ]
    rows += [(language, text, "", False, False) for language, text in _DONE.items()]
    rows += [(language, text, "", False, True) for language, text in _STARTED.items()]
    for language, text, *claimed in rows:
        for participle in text.lower().split():
            for word, use in _inflected(participle, language):
                found.forms.setdefault(word, []).append(Form(language, use, *claimed))
    for kind in kinds:
        for words in kind.verbs.values():
            for noun in words.nouns.lower().split():
                found.nouns.setdefault(noun, set()).add(kind.name)
            for noun in f"{words.nouns} {words.objects}".lower().split():
                found.objects.setdefault(noun, set()).add(kind.name)
    return found


_CLITICS: Final = ("", "te", "le", "lo", "la", "les", "se", "os", "selo", "sela", "telo", "tela")


def _inflected(participle: str, language: Language) -> Iterator[tuple[str, Use]]:
    """Yield a participle's genders and numbers, and the verb forms that follow from it."""
    stem, root = participle[:-1], participle[:-3]
    if language == "es" and participle.endswith(("ado", "ido")):
        yield from ((stem + ending, "participle") for ending in ("o", "a", "os", "as"))
        if participle.endswith("ido"):
            yield root + "í", "first"
        else:
            yield (
                root[:-1] + {"g": "gu", "c": "qu", "z": "c"}.get(root[-1], root[-1]) + "é",
                "first",
            )
            yield from ((root + ending, "third") for ending in ("ó", "aron"))
        infinitive = root + ("ar" if participle.endswith("ado") else "ir")
        yield from ((infinitive + clitic, "infinitive") for clitic in _CLITICS)
    elif language == "de":
        yield participle, "participle"
        ending = participle.removeprefix("ge").removesuffix("t").removesuffix("e") + "en"
        yield ending, "infinitive"
    elif language == "fr" and participle.endswith("é"):
        yield from ((participle + ending, "participle") for ending in ("", "e", "s", "es"))
        yield stem + "er", "infinitive"
    else:
        yield participle, "participle"
        if language == "en" and participle.endswith("ed"):
            yield from ((participle[:end], "infinitive") for end in (-1, -2, -3))
