"""Find the places at which a text claims that an effect was carried out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, Literal, NamedTuple

from daybook.tools.receipts.claims import Form, Lexicon
from daybook.tools.receipts.text import Sentence, Word, has_date, word_set

Frame = Literal["active", "passive", "state", "noun"]


class Claim(NamedTuple):
    """A claim that an effect was carried out.

    Attributes:
        kinds: names of the kinds that it can be of.
        frame: "I charged", "was charged", "is charged", or "charge completed".
        is_started: it claims no more than that the effect was begun.
    """

    kinds: frozenset[str]
    frame: Frame
    is_started: bool
    start: int
    end: int


_ADVERBS: Final = word_set(
    "just already now also then successfully officially fully all both since today automatically "
    "immediately finally bereits schon jetzt nun soeben gerade eben erfolgreich auch ebenfalls "
    "vollständig heute direkt somit gleich ya también correctamente finalmente exitosamente con éxito "
    "ahora bien déjà aussi également maintenant désormais correctement immédiatement enfin tout juste "
    "avec succès donc"
)
_STATUS_ONLY: Final = word_set(
    "confirmed approved accepted successful complete done bestätigt erfolgreich erfolgt akzeptiert "
    "confirmado confirmada aprobado aceptado confirmé confirmée accepté réussi"
)
"""Said by "I" they mean something else: "I've confirmed that the order exists"."""
_NEGATIONS: Final = word_set(
    "not no never nothing neither nor none nobody without cannot unable failed declined nicht nichts "
    "kein keine keinen keiner nie weder noch ohne ni nunca nada sin ningún ninguna tampoco ne n' pas "
    "aucun aucune rien jamais sans non"
)
_DENIED: Final = _NEGATIONS | word_set(
    "nein pending waiting unknown ausstehend pendiente ❌ ✗ ✘ 🚫 ⏳ ⚠ ⬜ ☐ ❓ ✖ 🕒"
)
_HARMLESS: Final = re.compile(
    r"\b(?:no (?:problem|worries|te preocupes|se preocupe)|kein problem|keine sorge|pas de (?:problème|"
    r"souci)s?|(?:can|kann|puedo|peux) (?:\w+ ){0,2}?(?:confirm\w*|bestätigen)|(?:not|nicht|no) (?:only|"
    r"nur|solo|sólo)|non seulement|nothing (?:else|more|further)|nada más|rien d'autre)\b"
)
_MODALS: Final = word_set(
    "will would can could may might should must shall going want need needs let please ready to wird "
    "werden würde würden kann können könnte soll sollte muss müssen möchte wollen bitte zu hätte wäre "
    "voy vas va vamos será sería podría puedo puede puedes debe quiero quieres quiere habrá haya vais "
    "vont sera seront serait pourrait peux peut pouvez doit devrait veux voulez aura aurai ait soit"
)
_CONDITIONS: Final = word_set(
    "if once when whenever unless until till before whether wenn falls sobald sofern bis bevor ob damit "
    "si cuando hasta antes quand lorsque lorsqu' dès jusqu' avant afin"
)
_AFTER: Final = word_set("after nachdem nach después tras après")
_GENERAL: Final = _CONDITIONS | word_set(
    "usually typically normally always generally often only upon moment time automatically within after "
    "every each any still remains üblicherweise normalerweise immer erst nach stets innerhalb jede nur "
    "weiterhin noch normalmente siempre solo sólo después tras cada sigue normalement toujours seulement "
    "après chaque généralement uniquement"
)
"""Said of how things go or went on, where a present tense or a noun alone would claim."""
_HEDGES: Final = word_set(
    "maybe perhaps possibly presumably probably unclear unsure suppose example seems looks appears may "
    "according might either said mentioned mention says saying promise laut vielleicht möglicherweise "
    "vermutlich unklar scheint sagten sagst beispiel quizá quizás según parece dices dijiste ejemplo "
    "peut-être probablement selon semble dites exemple"
)
_MINE: Final = word_set(
    "your you yours ihr ihre ihren ihrem ihrer dein deine deinen deiner dir ihnen dich su sus tu tus te "
    "votre vos vous ton ta tes"
)
_DEFINITE: Final = _MINE | word_set("the this both die der das diese el la este esta l' le ce cette les")
_PAST: Final = word_set(
    "yesterday ago later previously earlier gestern letzte letzten vorher ayer pasado anteriormente hace "
    "hier dernier dernière"
)
_NO_EFFECT: Final = word_set(
    "cart basket warenkorb carrito cesta panier checkout request attempt anfrage solicitud demande "
    "approval review freigabe aprobación approbation validation draft entwurf borrador brouillon"
)
"""What is placed in a cart, or submitted for approval, is no effect yet."""
_UNREAL: Final = _DENIED | _MODALS | _CONDITIONS | _HEDGES | word_set(
    "next open todo missing remaining awaiting say try steps options policy rules nächste nächsten offen "
    "fehlt schritte próximos pasos falta opciones prochaines étapes attente reste"
)
_LINKS: Final = _ADVERBS | word_set(
    "of for to from on by nr number id status total amount with für über von der des vom an nummer de del "
    "por para número al estado la el du d' le l' les des pour numéro statut importe montant betrag auf "
    "your ihre su votre is was has have been 's ist sind wurde wurden está ha han sido est a été usd eur "
    "gbp chf $ € £ : | - – — → ✅ ✔ ☑ ✓ 🎉 \ufe0f \" ' # ( ) ,"
)
_LEADS: Final = _ADVERBS | word_set(
    "done great perfect ok erledigt alles klar perfekt fertig listo hecho perfecto c' est parfait voilà "
    "fait order"
)
_AND: Final = word_set("and und y e et , & / then sowie")
_OTHERS: Final = word_set("you he she they it that which who")
_NATURAL: Final = {
    **dict.fromkeys(["sent", "gesendet", "geschickt", "verschickt"], "send"),
    **dict.fromkeys(["enviado", "enviada", "envoyé", "envoyée", "mandé", "envié"], "send"),
    **dict.fromkeys(["placed", "aufgegeben", "passée"], "order"),
}
"""What a participle claims without a noun, where the thread has an effect of that kind."""
_FRAMES: Final = [
    (language, use, frame, re.compile(rf"(?:^|\s)(?:{pattern})$"))
    for language, use, frame, pattern in (
        ("en", "participle", "active", r"(?:i|we)(?: have)?"),
        ("en", "participle", "passive", r"(?:has|have|'s) been|was|were|got|did get"),
        ("en", "participle", "state", r"is|are|'s"),
        ("es", "participle", "active", r"he|hemos"),
        ("es", "participle", "passive", r"(?:ha|han) (?:sido|quedado)|fue|fueron|se (?:\S+ )?(?:ha|han)"),
        ("es", "participle", "state", r"está|están|queda|quedan|quedó"),
        ("es", "first", "active", r".*"),
        ("es", "third", "passive", r"se(?: \S+)?"),
        ("es", "infinitive", "active", r"acab(?:o|amos) de"),
        ("fr", "participle", "active", r"ai|avons|on a"),
        ("fr", "participle", "passive", r"(?:a|ont) (?:\S+ )?été|vien(?:t|nent) (?:\S+ ){0,2}être"),
        ("fr", "participle", "state", r"est|sont"),
        ("fr", "infinitive", "active", r"(?:viens|venons) (?:de|d')(?: \S+)?"),
    )
]  # fmt: skip
"""What stands right before a word form, adverbs left out."""
_VOID: Final = re.compile(
    r"\b(?:will|would|may|might|could|should|must|to|that|which|who|qui|que) (?:have |has |ha |a )?\S+$"
)
_HELPERS: Final = re.compile(r"\b(?:habe?|haben|wurden?|worden|war|ist|sind|wird|werden|hat|hast|habt)\b")


def is_unreal(sentence: Sentence) -> bool:
    """Tell whether a heading announces what has not happened, so that its list claims nothing."""
    return not _UNREAL.isdisjoint(word.text for word in sentence.words)


def claims_in(sentence: Sentence, lexicon: Lexicon, held: frozenset[str]) -> Iterator[Claim]:
    """Yield what a sentence claims, whether it is so or not.

    Args:
        sentence: of a text in lower case.
        lexicon: the word forms to look for.
        held: names of the kinds of which the thread has an effect.
    """
    if sentence.ends_with == "?" or sentence.place in ("header", "quote"):
        return
    words = sentence.words
    last: tuple[int, Frame] | None = None
    for at, word in enumerate(words):
        for form in lexicon.forms.get(word.text, ()):
            inside = [one.text for one in words[:at] if one.clause == word.clause]
            later = [one.text for one in words[at + 1 : at + 13] if one.clause == word.clause]
            frame = _frame(word.text, inside, later, form)
            if not frame and inside and _AND & {*inside[-1:], *_tail(inside).split()[-1:]}:
                joined = "active" if form.language == "en" and _is_mine(inside) else None
                frame = last[1] if last and last[0] == word.clause else joined
            claim = _claim(sentence, at, form, frame, lexicon, held)
            if claim and not _is_blocked(words, at, inside, later, claim):
                last = (word.clause, claim.frame)
                yield claim
                break


def _tail(inside: Sequence[str]) -> str:
    return " ".join(word for word in inside if word not in _ADVERBS)


def _frame(text: str, inside: Sequence[str], later: Sequence[str], form: Form) -> Frame | None:
    tail = _tail(inside)
    if text in ("through", "way", "camino", "route"):
        return "passive" if re.search(r"(?:went|gone|is on (?:its|the)|en)$", tail) else None
    if form.language == "de":
        return _german(tail, " ".join(later[:2]))
    for language, use, frame, pattern in _FRAMES:
        if language == form.language and use == form.use and pattern.search(tail):
            is_void = frame in ("passive", "state") and _VOID.search(tail)
            return None if is_void else frame  # type: ignore[return-value]
    return None


def _german(tail: str, later: str) -> Frame | None:
    """Judge by the helping verb, which stands far before the participle or right behind it."""
    helpers = _HELPERS.findall(tail) or _HELPERS.findall(later)
    if not helpers or helpers[-1] in ("wird", "werden", "hat", "hast", "habt"):
        return None
    if helpers[-1].startswith("hab"):
        mine = r"\bich\b" if helpers[-1] != "haben" else r"\b(?:wir haben|haben wir)\b|\bwir\b.*$"
        return "active" if re.search(mine, tail) and "sie haben" not in tail else None
    return "state" if helpers[-1] in ("ist", "sind") and "worden" not in later else "passive"


def _is_mine(inside: Sequence[str]) -> bool:
    """Tell whether "I checked the stock and" stands before a participle."""
    since = list(takewhile(lambda word: word not in ("i", "we"), reversed(inside)))
    return len(since) < len(inside) and not (_MODALS | _OTHERS).intersection(since)


def _claim(
    sentence: Sentence,
    at: int,
    form: Form,
    frame: Frame | None,
    lexicon: Lexicon,
    held: frozenset[str],
) -> Claim | None:
    words, text = sentence.words, sentence.words[at].text
    if frame == "active" and not form.kind and text in _STATUS_ONLY:
        return None
    kinds, noun = frozenset({form.kind}), at
    if not form.is_alone:
        before = range(at - 1, max(-1, at - 16), -1)
        ahead = range(at + 1, min(at + 9, len(words)))
        order = (*ahead, *before) if frame == "active" and form.language != "de" else (*before, *ahead)
        noun, kinds = _noun(words, order if frame in ("active", "passive") else before, form, lexicon)
        if not kinds and frame and _NATURAL.get(text) in held:
            noun, kinds = at, frozenset({_NATURAL[text]})
    if not kinds or (frame is None and form.use != "participle"):
        return None
    if frame is None and not _is_fragment(sentence, at, noun, form, lexicon):
        return None
    # A charge that was "sent" may still be in doubt.
    is_sent = _NATURAL.get(text) == "send" and "send" not in kinds
    start = words[min(noun, at)].start
    return Claim(kinds, frame or "noun", form.is_started or is_sent, start, words[at].end)


def _noun(
    words: Sequence[Word], order: Sequence[int], form: Form, lexicon: Lexicon
) -> tuple[int, frozenset[str]]:
    """Return where the first noun of a form stands, and its kinds."""
    for index in order:
        text = words[index].text
        kinds = lexicon.objects.get(text, set()) & {form.kind} if form.kind else lexicon.nouns.get(text)
        if kinds:
            return index, frozenset(kinds)
    return -1, frozenset()


def _is_fragment(sentence: Sentence, at: int, noun: int, form: Form, lexicon: Lexicon) -> bool:
    """Tell whether a word claims without a finite verb: "Order placed", "Refunded: 20 USD"."""
    texts = [word.text for word in sentence.words]
    begin = next((index for index in range(noun - 1, -1, -1) if texts[index] in "|:;•→"), -1)
    cell = [text for text in texts[begin + 1 : noun] if text not in _ADVERBS and text.isalnum()]
    if noun < at:
        gap = (text for text in texts[noun + 1 : at] if text not in _LINKS)
        return len(cell) <= 2 and all(any(map(str.isdigit, text)) for text in gap)
    following = texts[at + 1] if at + 1 < len(texts) else ""
    label = {text for text in texts[:at] if form.kind in lexicon.objects.get(text, set())}
    if begin >= 0 and label and not cell:
        return True
    if sentence.place == "row" or texts[at].startswith(("paid", "bezahlt", "pagad", "payé")):
        return False
    lead = [text for text in cell if text not in _LEADS]
    if not following or following in "✅✔✓":
        return len(lead) <= 1
    is_open = following in _AND or following in (":", "to") or following[:1].isdigit()
    return not lead and is_open


def _is_blocked(
    words: Sequence[Word], at: int, inside: Sequence[str], later: Sequence[str], claim: Claim
) -> bool:
    """Tell whether a claim is negated, conditional, general, hedged or of the past."""
    earlier = [word.text for word in words[:at]]
    after = [word.text for word in words[at + 1 : at + 9]]
    later = list(takewhile(lambda text: text not in ("and", "und", "y", "et", ","), later))
    said = set(_HARMLESS.sub(" ", " ".join(inside)).split())
    if _NEGATIONS & said or _HEDGES.intersection(earlier) or "nicht" in later:
        return True
    if _DENIED.intersection(after[:3]) - {"without", "ohne", "sin", "sans"}:
        return True
    if (_DENIED - _NEGATIONS).intersection(earlier[:3]) or _NO_EFFECT.intersection(after):
        return True
    if re.search(r"(?:^|[$€£] ?|\s)0(?:[.,]00)?(?:\s|$)", " ".join([*earlier[-3:], "|", *after])):
        return True
    if claim.is_started and _NO_EFFECT.intersection(inside):
        return True
    if _CONDITIONS.intersection(inside if claim.frame == "active" else earlier):
        return True
    if claim.frame == "active":
        return False
    around = said.union(later)
    if _AFTER & said or (claim.frame == "noun" and _MODALS & said):
        return True
    if claim.frame != "passive" and _GENERAL & around:
        return True
    is_owned = claim.kinds & {"book", "reserve", "block"} or words[at].text == "charged"
    if claim.frame == "state" and not around & (_MINE if is_owned else _DEFINITE):
        return "c'" not in inside
    near = [*inside[-12:], words[at].text, *later]
    return not claim.kinds & {"book", "reserve", "change"} and (
        bool(_PAST.intersection(near)) or has_date(near)
    )
