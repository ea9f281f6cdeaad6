"""Tell by its shape whether a text is talk: what is felt, thought or told, and wants nothing. Pure.

It holds no question, no act, no wish and no goods; and either all of its words praise, sigh or
thank, or it has a subject and says something of it, as no name of goods does.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.polite import IDLE, JOINTS
from daybook.demo.model.grammar.language.chat.frames.things import UNITS
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import SILENT, says_goods
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import HEDGES, NOUNS, fold

Mood = Literal["thanks", "greeting", "bye", "pleased", "sorry", "told", "trouble"]

_FOREIGN: Final[tuple[tuple[Mood, frozenset[str]], ...]] = (
    (
        "thanks",
        frozenset(
            """
            merci danke gracias grazie obrigado obrigada bedankt dankjewel dankeschön dankeschoen
            tack takk kiitos dziekuje dziękuję dzieki dzięki spasibo arigato mahalo xiexie shukran
            efharisto köszönöm multumesc mulțumesc teşekkürler tesekkurler diolch vielen dank
            """.split()  # noqa: SIM905
        ),
    ),
    (
        "bye",
        frozenset(
            """
            adios adiós revoir tschüss tschuess tschüs wiedersehen wiederschauen arrivederci tchau
            sayonara luego doei servus ciao
            """.split()  # noqa: SIM905
        ),
    ),
    (
        "greeting",
        frozenset(
            """
            bonjour bonsoir hola hallo salut buongiorno buonasera olá hej moin namaste aloha salaam
            """.split()  # noqa: SIM905
        ),
    ),
)
_NODS: Final = frozenset(
    """
    alles klar genau perfetto bueno vale uff puh naja na ja ach so stimmt prima toll claro exacto
    bravo daccord voilà voila va bene si sí oui genial perfecto parfait bon super mal schade
    """.split()  # noqa: SIM905
)
_ENGLISH: Final = SILENT | IDLE | ACTS
_BESIDE_FOREIGN: Final = frozenset(
    """
    beaucoup bien vielmals schön schon schoen sehr viel muchas muchísimas mil mille tante molto
    muito wel je u so mange tusen bom bon amigo amiga amigos ami mon mes a au auf hasta la luego
    bis bald muy dir ihnen euch très tres señor monsieur madame mein freund
    per tutto todo pour tout für alles fuer dia
    """.split()  # noqa: SIM905
)
_PLEASED: Final = frozenset(
    """
    better good great nice lovely brilliant perfect sweet easy awesome amazing wonderful excellent
    fantastic super cool neat sorted happy glad pleased relief phew yay hooray love loving funny
    fun delighted thrilled chuffed cute handy smart clever impressive impressed bargain winner
    """.split()  # noqa: SIM905
)
_SORRY: Final = frozenset(
    """
    shame pity ugh ouch sad tired exhausted stressed annoying annoyed hard nightmare worse worst
    hopeless awful terrible disappointing disappointed upset sick headache damn bad hate hated
    bother bummer gutted stressful overwhelmed overwhelming frustrating frustrated rubbish
    unlucky harder difficult complicated confusing
    """.split()  # noqa: SIM905
)
_PLAIN: Final = frozenset(
    """
    fair typical point way sense choice choices decision decisions deal idea news luck call job
    question work point thought thoughts true false exactly precisely absolutely totally definitely
    indeed quite enough interesting surprising strange odd weird clear obvious obviously fingers
    crossed whatever bless touch wood cheers bunch heaps million
    story life star legend ever wow whoa gosh jeez blimey crikey yikes ha haha hehe
    heh lol lmao omg phew bravo touche touché tough same here goes now known told go figure
    much makes make sense man boy girl mate lads guys folks dear god goodness heavens gracious
    hmm hm mm mmm meh right back at world small life such is then ok fine
    """.split()  # noqa: SIM905
)
"""Words of which, with those of every day, an exclamation is made."""
_FILLS: Final = (SILENT | IDLE | JOINTS) - frozenset(
    """
    show find look looking search view get give want need add buy order take put set cart list
    price priced cost costs review reviews rated rating stock available left size sizes cheaper
    expensive product products item items next more other another else instead any anything some
    something under over below above limit budget spend person people new old both all
    """.split()  # noqa: SIM905
)
_SUBJECTS: Final = frozenset(
    """
    i we he she they you it that this these those there mine ours everyone everybody nobody
    """.split()  # noqa: SIM905
)
_OWNED: Final = frozenset({"my", "our", "his", "her", "their"})
_SAYS: Final = frozenset(
    """
    is are am be been has have do does will would can could may might says thinks never always
    hates loves likes wears keeps knows look looks sounds seems feels smells tastes
    """.split()  # noqa: SIM905
)
_PAST: Final = frozenset(
    """
    was were had did said thought went came saw lost got left broke fell slept froze made found
    rang died ate woke told forgot knew felt spent stood ran
    """.split()  # noqa: SIM905
)
_WISHES: Final = re.compile(
    r"\b(?:please|want|wants|wanted|needs?|needed|looking|look for|find|search|show|see if"
    r"|tell me|give|gimme|would (?:like|love|prefer)|prefer|rather|help|let us|let me|try"
    r"|any|anything|something|must|should|has to|have to|had better|how about|what about"
    r"|instead|only|just (?:the|a|one|two)|not the|reserve|hold|save|note|remember"
    r"|forget|allergic|budget|size|again|cancel"
    r"|too (?:expensive|dear|pricey|much|big|small|heavy|long|warm|cold)"
    r"|undo|refund|ship|deliver|address|card|email|mail)\b"
)
_ASKS: Final = re.compile(
    r"^(?:(?:and|so|but|ok|then|well|also|oh|now|please) )*(?:how|what(?! an?\b)|which|where|when"
    r"|why|who|whose|is(?! what)|are|was|were|am|do|does|did|has|have|can|could(?! be)|will"
    r"|would(?! (?:go|look|be|make|suit|match|pair|come|work|fit)\b)|should|shall|may)\b"
)
_COMMANDS: Final = re.compile(
    r"^(?>(?:(?:and|so|but|ok|then|well|also|oh|now|no|yes) )*)(?!(?:bless|thank|love|god|the|that"
    r"|this|is|not|in|at|on|for|of|with|by|what|such|quite|half|i|we|it|there|all)\b)[a-z]+"
    r" (?:it|them|the|a|an|everything|all|me|one|two|three)\b"
)
"""A verb and what it is to be done to: none of the shop's, and no statement either."""
_PROGRESS: Final = re.compile(r"\w'?s (?:\w+ing|here|late|off|gone|calling|ready)$")
_BEGINS: Final = re.compile(
    r"(?:(?:ah|huh|ok|well|right|no|nah|yes|so|and|but|sorry|anyway|then|because|,|\.|!) )*"
    r"(?:i|we|my|our|he|she|they|it|there|must|would|poor|same) \w"
)
_LONGEST: Final = 8
_LONGEST_FOREIGN: Final = 6


def mood_of(tokens: Sequence[Token]) -> Mood | None:
    """Return what kind of talk a text is; None where it may want something, or names goods."""
    words = [token.text for token in tokens if token.kind is Kind.WORD]
    if not words or any(token.kind not in _KINDS or token.text == "?" for token in tokens):
        return None
    if (foreign := _foreign(words)) is not None:
        return foreign
    text = " ".join(token.text for token in tokens).strip(" .,!;:-").removesuffix(" at all")
    text = _THAN_THOUGHT.sub("", text)
    words = words[:-2] if words[-2:] == ["at", "all"] else words
    names = has_model(words) or any(fold(word) in NOUNS for word in words)
    if names or ACTS & {*words} or _WISHES.search(text) or _ASKS.match(text):
        return None
    if _exclaims(words) or _states(words, text):
        return "trouble" if _COMPLAINS.search(text) else _of_words({*words})
    return None


_THAN_THOUGHT: Final = re.compile(
    r" than (?:it|this|that|they|i|we) (?:should(?: be)?|has to be|needs to be|ought to(?: be)?"
    r"|must be"
    r"|wanted|needed)$"
)
"""What is so, and should not be: nothing is wished for by it."""
_COMPLAINS: Final = re.compile(
    r"^(?!i\b|my\b).*\b(?:wrong|mistake|incorrect|mixed up|not (?:right|correct|true|what)|never"
    r" (?:came|arrived|asked))\b"
)
_KINDS: Final = (Kind.WORD, Kind.MARK, Kind.NUMBER, Kind.NTH)


def _foreign(words: Sequence[str]) -> Mood | None:
    """Return what is said in another language, where nothing else is."""
    if len(words) > _LONGEST_FOREIGN:
        return None
    for mood, said in _FOREIGN:
        rest = [word for word in words if word not in said]
        if len(rest) < len(words) and all(
            w in _BESIDE_FOREIGN | IDLE or w in _PLEASED for w in rest
        ):
            return mood
        if words[0] in said and not any(w in _ENGLISH or says_goods(w) for w in rest):
            return mood
    return "told" if all(word in _NODS | _BESIDE_FOREIGN for word in words) else None


def _exclaims(words: Sequence[str]) -> bool:
    """Tell whether all the words are such as an exclamation is made of."""
    said = _PLEASED | _SORRY | _PLAIN
    return (
        len(words) <= _LONGEST
        and any(word in said for word in words)
        and all(word in said or word in _FILLS for word in words)
    )


def _states(words: Sequence[str], text: str) -> bool:
    """Tell whether a text has a subject and says something of it."""
    if _COMMANDS.match(text):
        return False
    said = [n for n, word in enumerate(words) if word in _SAYS or _is_past(word)]
    if _PROGRESS.search(text):
        return True
    has_subject = bool((_SUBJECTS | _OWNED) & {*words}) or said[:1] > [0]
    return _BEGINS.match(text) is not None or (bool(said) and has_subject)


def figures(tokens: Sequence[Token]) -> bool:
    """Tell whether a sentence only repeats a measure that was told: "2.3 kilos"."""
    words = [token.text for token in tokens if token.kind is not Kind.MARK]
    units = [word for word in words if word in UNITS]
    return bool(units) and all(
        word in units or word in _FILLS or token.kind is not Kind.WORD
        for word, token in zip(words, (t for t in tokens if t.kind is not Kind.MARK), strict=True)
    )


def behind_talk(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return a text without the sentences of talk before its last: "jonas is in!! 4".

    What is doubted or denied stays: it may be said of what follows.
    """
    ends = [at for at, token in enumerate(tokens[:-1]) if token.text in (".", "!", "\n")]
    for end in reversed(ends):
        before, behind = tokens[:end], tokens[end + 1 :]
        is_plain = not (HEDGES | {"not", "no"}) & {token.text for token in before}
        if is_plain and behind and mood_of(before) in ("told", "pleased"):
            return behind
    return tokens


def is_story(tokens: Sequence[Token]) -> bool:
    """Tell whether a text tells of what was: its rain and its days are nothing to look for."""
    return mood_of(tokens) is not None and any(_is_past(token.text) for token in tokens)


def _is_past(word: str) -> bool:
    is_regular = len(word) > len("eded") and word.endswith("ed") and not says_goods(word)
    return is_regular or word in _PAST


def _of_words(words: set[str]) -> Mood:
    if words & (_SORRY | _PLEASED):
        return "sorry" if bool(words & _SORRY) != ("not" in words) else "pleased"
    return "told"
