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
    "not no zero never nothing neither nor none nobody without cannot unable failed declined nicht nichts "
    "kein keine keinen keiner nie weder noch ohne ni nunca nada sin ningún ninguna tampoco ne n' pas "
    "aucun aucune rien jamais sans non"
)
_DENIED: Final = _NEGATIONS | word_set(
    "nein pending waiting unknown ausstehend pendiente ❌ ✗ ✘ 🚫 ⏳ ⚠ ⬜ ☐ ❓ ✖ 🕒"
)
_WITHOUT: Final = word_set("without ohne sin sans")
HARMLESS: Final = re.compile(
    r"\b(?:no (?:problem|worries|te preocupes|se preocupe)|kein problem|keine sorge|pas de (?:problème|"
    r"souci)s?|(?:can|kann|puedo|peux) (?:\w+ ){0,2}?(?:confirm\w*|bestätigen)|(?:not|nicht|no) (?:only|"
    r"nur|solo|sólo)|non seulement|nothing (?:else|more|further)|nada más|rien d'autre)\b"
)
_NOT: Final = word_set("nicht nichts kein keine")
"""In German, a negation may stand behind the participle."""
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
_AS_SOON_AS: Final = re.compile(r"\b(?:as soon as|en cuanto|una vez|une fois|aussitôt)\b")
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
    "peut-être probablement selon semble dites exemple sure check ensure verify prüfen prüfe asegúrate comprueba vérifiez assurez"
)
_MINE: Final = word_set(
    "sie your you yours ihr ihre ihren ihrem ihrer dein deine deinen deiner dir ihnen dich su sus tu tus te "
    "votre vos vous ton ta tes"
)
_BY: Final = re.compile(r"(?:by|von|por|par) (?:you|the|him|her|them|ihnen|dir|dem|der|ti|usted|el|la|tu|vous|le|un)\b")
_PAST: Final = word_set(
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag lunes "
    "martes miércoles jueves viernes lundi mardi mercredi jeudi vendredi january february yesterday ago later after desde seit depuis später lendemain previously earlier gestern letzte letzten vorher ayer pasado anteriormente hace "
    "hier dernier dernière"
)
_NO_EFFECT: Final = word_set(
    "cart basket warenkorb carrito cesta panier checkout request top list overview anfrage solicitud demande "
    "approval review freigabe aprobación approbation validation draft entwurf borrador brouillon"
)
"""What is placed in a cart, or submitted for approval, is no effect yet."""
_SORTED: Final = {
    "ordered": word_set("by according alphabetically"),
    "pedido": word_set("que confirmación aprobación información datos permiso"),
}
"""Beside these words, a participle means something else."""
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
_ON_ITS_WAY: Final = word_set("out raus way weg unterwegs camino route")
_NATURAL: Final = {
    **dict.fromkeys(["sent", "gesendet", "geschickt", "verschickt", "zugeschickt"], "send"),
    **dict.fromkeys(["enviado", "enviada", "mandado", "mandé", "envié"], "send"),
    **dict.fromkeys(["envoyé", "envoyée", "transmis"], "send"),
    **dict.fromkeys(["placed", "aufgegeben", "passée"], "order"),
}
"""What a participle claims without a noun, where the thread has an effect of that kind."""
_FRAMES: Final = [
    (language, use, frame, re.compile(rf"(?:^|\s)(?:{pattern})$"))
    for language, use, frame, pattern in (
        ("en", "participle", "active", r"(?:i|we)(?: have)?(?: got| had)?(?: you| it| both| your(?: \S+){1,3})?"),
        ("en", "infinitive", "active", r"(?:i|we)(?: have)? (?:did|was able to|were able to|managed to)"),
        ("en", "participle", "passive", r"(?:has|have|'s) been|was|were|got|did get"),
        ("en", "participle", "state", r"is|are|'s"),
        ("es", "participle", "active", r"(?:he|hemos)(?: dejado)?"),
        ("es", "participle", "passive", r"(?:ha|han) (?:sido|quedado)|fue|fueron|se (?:\S+ )?(?:ha|han)"),
        ("es", "participle", "state", r"está|están|queda|quedan|quedó|tienes|tiene"),
        ("es", "first", "active", r".*"),
        ("es", "third", "passive", r"se(?: \S+)?"),
        ("es", "infinitive", "active", r"acab(?:o|amos) de|(?:he|hemos) (?:podido|logrado|conseguido)"),
        ("fr", "participle", "active", r"ai|avons|on a"),
        ("fr", "participle", "passive", r"(?:a|ont|avez|as) (?:\S+ )?été|vien(?:t|nent) (?:\S+ ){0,2}être"),
        ("fr", "participle", "state", r"est|sont|êtes"),
        ("fr", "infinitive", "active", r"(?:viens|venons) (?:de|d')(?: \S+)?|(?:ai|avons) (?:pu|réussi à)(?: \S+)?"),
    )
]  # fmt: skip
"""What stands right before a word form, adverbs left out."""
_SPECIAL: Final = {
    "through": "went|gone",
    "out": "went|gone|is|are",
    "way": "(?:is|are) on (?:its|the|their)",
    "weg": r"(?:ist|sind)(?: \S+){0,3} dem",
    "durch": r"(?:ging|gingen|ist|sind)(?: \S+){0,3}",
    "geklappt": r"(?:hat|haben)(?: \S+){0,4}",
    "camino": "(?:está|están|va|van) en",
    "route": "(?:est|sont) en",
    "salido": "ha|han",
    "abouti": "a|ont",
    "baja": "(?:he|hemos) dado de",
}
"""What stands before a word that claims in this phrase alone."""
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
    label = [word.text for word in words[:6]]
    if sentence.place == "entry" and ":" in label:
        # "- **Charged**: your card was debited" explains a word, where nothing of the kind was tried.
        forms = [form for text in label[: label.index(":")] for form in lexicon.forms.get(text, ())]
        if any(form.is_alone and form.kind not in held for form in forms):
            return
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
            if claim and not _is_blocked(sentence, at, inside, later, claim, held):
                last = (word.clause, claim.frame)
                yield claim
                break


def _tail(inside: Sequence[str]) -> str:
    return " ".join(word for word in inside if word not in _ADVERBS)


def _frame(text: str, inside: Sequence[str], later: Sequence[str], form: Form) -> Frame | None:
    tail = _tail(inside)
    if inside and inside[-1] in ("wie", "como", "comme", "as"):
        return None
    if text in _SPECIAL:
        return "passive" if re.search(rf"\b(?:{_SPECIAL[text]})$", tail) else None
    if form.language == "de":
        if form.use == "infinitive":
            return "active" if re.search(r"\b(?:konnte ich|ich konnte|konnten wir|wir konnten)\b", tail) else None
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
    alike = lexicon.forms[text] if form.is_alone else ()
    kinds, noun = frozenset({form.kind, *(one.kind for one in alike if one.is_alone)}), at
    if not form.is_alone:
        before = [*range(at - 1, max(-1, at - 16), -1)]
        if not frame:
            before = [i for i in before if at - i < 3 or not words[i].text[:1].isdigit()]
        ahead = range(at + 1, min(at + 9, len(words)))
        ahead = [*takewhile(lambda index: words[index].text not in _AND, ahead)]
        ahead = [] if text in _SPECIAL else ahead
        order = (*ahead, *before) if frame == "active" and form.language != "de" else (*before, *ahead)
        noun, kinds = _noun(words, order if frame else before, form, lexicon, held)
        if text in _ON_ITS_WAY:
            kinds &= {"send", "refund", "transfer"} | held
        natural = _NATURAL.get(text, "")
        if not kinds and (natural in held or (natural == "send" and frame == "active")):
            noun, kinds = at, frozenset({natural})
    if not kinds or (frame is None and form.use != "participle"):
        return None
    if frame is None and not _is_fragment(sentence, at, noun, form, lexicon, held):
        return None
    # A charge that was "sent" may still be in doubt.
    is_sent = _NATURAL.get(text) == "send" and "send" not in kinds
    start = words[min(noun, at)].start
    return Claim(kinds, frame or "noun", form.is_started or is_sent, start, words[at].end)


def _noun(
    words: Sequence[Word], order: Sequence[int], form: Form, lexicon: Lexicon, held: frozenset[str]
) -> tuple[int, frozenset[str]]:
    """Return where the first noun of a form stands, and its kinds."""
    for index in order:
        text = words[index].text
        objects = lexicon.objects.get(text, set())
        kinds = objects & {form.kind} if form.kind else lexicon.nouns.get(text) or objects & held
        if kinds:
            return index, frozenset(kinds)
    return -1, frozenset()


def _is_fragment(
    sentence: Sentence, at: int, noun: int, form: Form, lexicon: Lexicon, held: frozenset[str]
) -> bool:
    """Tell whether a word claims without a finite verb: "Order placed", "Refunded: 20 USD"."""
    texts = [word.text for word in sentence.words]
    begin = next((index for index in range(noun - 1, -1, -1) if texts[index] in "|:;,•→"), -1)
    cell = [text for text in texts[begin + 1 : noun] if text not in _ADVERBS and text.isalnum()]
    if noun < at:
        if texts[noun][:1].isdigit() and at - noun > 2:
            return False
        gap = [text for text in texts[noun + 1 : at] if text not in _LINKS]
        if texts[noun][:1].isdigit() and "|" in texts[noun:at]:
            return False
        return len(cell) <= 2 and all(any(map(str.isdigit, text)) for text in gap)
    following = texts[at + 1] if at + 1 < len(texts) else ""
    label = {text for text in texts[:at] if form.kind in lexicon.objects.get(text, set())}
    if texts[at] in lexicon.nouns:
        return False
    if begin >= 0 and label and not cell:
        return True
    if sentence.place == "row":
        return False
    if form.kind not in held and texts[at].startswith(("paid", "bezahlt", "pagad", "payé")):
        return False
    lead = [text for text in cell if text not in _LEADS]
    if not following.isalnum() and following not in _AND | {":"}:
        return len(lead) <= 1
    is_open = following in _AND or following in (":", "to") or following[:1].isdigit()
    return not lead and is_open


def _is_blocked(
    sentence: Sentence,
    at: int,
    inside: Sequence[str],
    later: Sequence[str],
    claim: Claim,
    held: frozenset[str],
) -> bool:
    """Tell whether a claim is negated, conditional, general, hedged or of the past."""
    words = sentence.words
    earlier = [word.text for word in words[:at]]
    after = [word.text for word in words[at + 1 : at + 9]]
    later = list(takewhile(lambda text: text not in ("and", "und", "y", "et", ","), later))
    said = set(HARMLESS.sub(" ", " ".join(inside)).split())
    before = inside if claim.frame == "active" else earlier
    if _NEGATIONS & said or _HEDGES.intersection(before):
        return True
    if _NOT.intersection(later):
        return True
    is_apart = after[:1] and after[0] in ":|-–—(*"
    if (_DENIED - _WITHOUT).intersection(after[1:2] if is_apart else after[:1]):
        return True
    if (_DENIED - _NEGATIONS).intersection(earlier[:3]) or _NO_EFFECT.intersection(after):
        return True
    if re.search(r"(?:^|[$€£] ?|\s)0(?:[.,]00)?(?:\s|$)", " ".join([*earlier[-3:], "|", *after])):
        return True
    if _SORTED.get(words[at].text, frozenset()).intersection(after[:4]):
        return True
    if claim.is_started and _NO_EFFECT.intersection(inside):
        return True
    if _CONDITIONS.intersection(before) or _AS_SOON_AS.search(" ".join(before)):
        return True
    if _AFTER & said:
        return True
    if claim.frame == "active":
        return False
    around = said.union(later)
    if claim.frame == "noun" and _MODALS & said:
        return True
    if claim.frame != "passive" and _GENERAL & around:
        return True
    if _BY.match(" ".join(after[:2])):
        return True
    if not claim.kinds & held and _is_general(sentence, claim, after):
        return True
    near = [*inside[-12:], words[at].text, *later]
    return not claim.kinds & {"book", "reserve", "change"} and (
        bool(_PAST.intersection(near)) or has_date(near)
    )


def _is_general(sentence: Sentence, claim: Claim, after: Sequence[str]) -> bool:
    """Tell whether a claim of a kind that the thread never tried may tell of rules or of others."""
    texts = {word.text for word in sentence.words}
    if claim.frame == "state" or (claim.frame == "passive" and sentence.place != "prose"):
        return texts.isdisjoint(_MINE)
    if claim.frame == "passive":
        return False
    is_short = len(texts) <= 4 and sentence.place in ("prose", "heading")
    is_loud = sentence.ends_with == "!" or not texts.isdisjoint("✅✔✓☑🎉")
    return after[:1] == [":"] or not (is_short or is_loud)
