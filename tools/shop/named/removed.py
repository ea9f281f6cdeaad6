"""What was taken out of the cart stays away: hidden from hits, cut out of answers, asked about.

Unless the person names it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from daybook.state.shop.cart import Cart, Removed
from daybook.tools.bumps import State
from daybook.tools.shop.named.mentions import Product
from daybook.tools.shop.named.page import Page
from daybook.tools.shop.named.pieces import Piece, Pieces, Shape
from daybook.tools.shop.named.sentence import Sentence
from daybook.tools.shop.named.wanted import asked_for, asks_what_went, said_of, wanted_back

NOTHING_ELSE = "I have nothing else to suggest."
"""Said where nothing is left of an answer."""

_OUT = (
    r"(?:remov(?:ed|al|ing)|took|taken|dropp(?:ed|ing)|delet(?:ed|ing)|out of (?:your|the) (?:cart"
    r"|basket)|is out|are out|gone|no longer|not (?:in|part)|isn'?t in|aren'?t in|cleared|emptied)"
)
_TELLS_IT_WENT = re.compile(rf"\b{_OUT}\b", re.IGNORECASE)
_NOT_AGAIN = re.compile(
    r"\b(?:won'?t|will not|not|never|no longer|stop|without|don'?t|shall not)\b[^.!?]{0,30}?"
    r"\b(?:suggest\w*|recommend\w*|show\w*|mention\w*|offer\w*|bring\w*|propos\w*|come)\b"
    r"(?: (?:it|them|you|that|up|to you|back|again|any ?more))*",
    re.IGNORECASE,
)
_EXCLAIMED = re.compile(
    r"^\W*(?:good|great|perfect|nice|excellent|alright|all right|ok(?:ay)?|sure|done|fine)\b"
    r"[,.!:;\s-]+",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"\b(?:recommend\w*|suggest\w*|consider\w*|great|good|nice|better|best\w*|perfect|ideal|excellent"
    r"|favou?rite|popular|worth\w*|back|reconsider|after all|second look|another look|look at|still"
    r"|though|want|would|could|should|might|why not|how about|what about|try|buy|order it|deal"
    r"|bargain|sale|fits?|goes with|go with|match\w*|love\w*|like|highly|rated|stars?|top|choice"
    r"|option|pick|available|in stock|miss\w*|need|add|wear|shame|pity|wrong|waterproof"
    r"|durable)\b",
    re.IGNORECASE,
)
"""What a sentence that only tells that something went does not hold."""

_ORDER = re.compile(
    r"\border(?:s|ed)?(?: number| no\.?)?:? #?[A-Z]{2,4}-\d{4,}\b"
    r"|\b[A-Z]{2,4}-\d{4,}\b.{0,20}\b(?:placed|cancelled|shipped|delivered|refunded)\b"
)
_ASKS = re.compile(
    r"^\W*(?:is|are|was|were|what|which|who|where|when|do|does|did|anything)\b.*\?", re.IGNORECASE
)

_TAKEN_OUT_BY = (
    r"(?:that |which )?(?:you|we|i)(?:'ve| have| had)?(?: just| already| earlier)? "
    r"(?:removed|took out|taken out|dropped|deleted|threw out|had in (?:your|the) cart|put back"
    r"|rejected|turned down|decided against|passed on|discarded|gave up|ruled out|sent back"
    r"|did(?:n't| not) (?:want|like))"
)
_POINTS_BACK = (
    rf"\b(?:ones?|pair|product|item|thing|it|them|both|two|three|four|all|everything|anything"
    rf"|KIND)s?(?: of (?:them|those))? {_TAKEN_OUT_BY}"
    rf"|\bwhat {_TAKEN_OUT_BY}"
    r"|\bthe (?:removed|deleted|previous|former|earlier) (?:\w+ ){0,2}"
    r"(?:ones?|pair|product|item|KIND)s?\b"
    r"|\bthe (?:ones?|pair|product|item|KIND)s? (?:from )?(?:before|earlier)\b"
    r"|\byour (?:first|original|initial|earlier|previous|former|old) "
    r"(?:choice|pick|selection|one|pair(?! of)|KIND)s?\b"
    r"|\b(?:put|add|bring|get)(?:ting|ing)? (?:it|them|both|all|everything"
    r"|(?:the|that|those) (?:\w+ ){0,2}(?:ones?|pair|KIND)s?) (?:back|again)\b"
)
_WAS_THERE = (
    r"(?:\b(?:ones?|pair|product|item|thing|KIND)s? (?:that |which )?(?:was|were|had been)"
    r"|\bwhat (?:was|you had)) in (?:your|the) (?:cart|basket)\b"
)
_OF_THE_BEST = re.compile(
    r"\b(?:best|better|beats?|great|good|perfect|ideal|excellent|top|worth|recommend\w*)\b",
    re.IGNORECASE,
)
_UNDOES = re.compile(
    r"\b(?:undo|reconsider|regret|mistake)\w*\b.{0,20}"
    r"\b(?:remov\w+|(?:tak|dropp)ing (?:it|them|that|those|these)\b)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?<!like )(?<!than )(?<!instead of )(?<!replace )(?<!similar to )(?<!besides )(?<!unlike )"
    r"(?<!without )(?<!let )"
    r"\b(?:it|its|they|them|their|theirs|these|those"
    r"|(?:this|that|the) (?:one|pair(?! of)|model|product))\b",
    re.IGNORECASE,
)
_EMPTY_IT = re.compile(
    r"\bit (?:depends|seems|looks like|takes|is (?:up to you|not|done|easy|hard|best to|better to"
    r"|raining|possible|empty|now)|now|holds|contains|comes to|has \d)\b"
    r"|\b(?:these|those) (?:are|were)? ?(?:the )?(?:others?|alternatives?)\b"
    r"|\b(?:whether|if|make|makes|brings|takes) it\b|\bi mean it\b"
    r"|\bback within\b",
    re.IGNORECASE,
)
_OTHERS_COME = re.compile(
    r"\b(?:here (?:are|is)|there (?:are|is)|i (?:have|found|can)|we have)\b.{0,40}"
    r"\b(?:others?|alternatives?|another|options|something)\b",
    re.IGNORECASE,
)
"""What brings up other goods: what follows speaks of them."""

_LONGEST_PRAISE = 6
"""Words."""

_ONLY_PRAISE = re.compile(
    r"\W*(?:(?:simply|still|really|honestly|easily|a|an|the) )*(?:best|top|great|excellent|perfect"
    r"|unbeatable|highly|ideal|worth|superb|outstanding|real|good (?:choice|value|pick|deal))\b",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\b(?:i|you|we|me|us|your|our|my|it'?s?|anything|something|there|here|is|are)\b|\?",
    re.IGNORECASE,
)
"""What makes a sentence of its own."""

_CART = re.compile(
    r"\b(?:carts?|basket|total|anything else|something else|others?)\b", re.IGNORECASE
)
_FOR_IT = (
    r"\b(?:for|with|to (?:match|go with)|goes? with) (?:it|them|these|those"
    r"|(?:that|this) (?:one|pair)"
    r"|(?:the|those|these|your) (?:\w+ )?(?:KIND)s?)\b"
)
_OFFERS = re.compile(
    r"\b(?:back|again|add|buy|order (?:it|them)|(?:re)?consider\w*|recommend\w*|suggest\w*"
    r"|another look|second look)\b",
    re.IGNORECASE,
)


def removed_hits(state: State, words: str, result: Any) -> tuple[str, ...]:
    """Name the hits that were removed from the cart and that the person does not ask for now."""
    if not isinstance(result, Mapping) or "hits" not in result:
        return ()
    cart: Cart = state["cart"]
    gone = {
        item.sku
        for item in cart.removed
        if not any(asked_for(item, said) for said in said_of(item, state, words))
    }
    return tuple(hit["sku"] for hit in result["hits"] if hit["sku"] in gone)


def question_before_adding(item: Removed) -> str:
    """Ask whether what was taken out is to be added again.

    Not by whom: the model may have removed it without being asked to.
    """
    return f"{item.name} was taken out of the cart before; add it again?"


MAIL_QUESTION = (
    "This mail speaks of what was taken out of the cart before; shall it be sent all the same?"
)


def is_of_removed(state: State, words: str, text: str) -> bool:
    """Tell whether a text would recommend what was taken out.

    Args:
        words: what the person said in this turn.
    """
    sieve = sieve_of(state, words)
    return sieve is not None and sieve.feed(text) + sieve.end() != text


def sieve_of(state: State, words: str) -> Sieve | None:
    """Make what an answer goes through on its way; None where nothing is to be kept back.

    Args:
        words: what the person said in this turn.
    """
    cart: Cart = state["cart"]
    turn = (state.get("turn") or {}).get("turn_id", "")
    if asks_what_went(words):
        return None
    gone = [
        Product(item)
        for item in cart.removed
        if item.turn_id == turn
        or not any(wanted_back(cart, item, said) for said in said_of(item, state, words))
    ]
    now = [product for product in gone if product.item.turn_id == turn]
    return Sieve(gone, now) if gone else None


class Sieve:
    """Hold back of a text, while it comes, what is about products that were removed.

    What it gives out in all is the same however the text is dealt out, and nothing that was given
    out is ever taken back.

    Example:
        >>> boots = Removed(sku="BOOT-1", name="Ridge Boot", category="boots", turn_id="t")
        >>> sieve = Sieve([Product(boots)])
        >>> [sieve.feed("Take the tent. Or BOOT"), sieve.feed("-1. That is all."), sieve.end()]
        ['Take the tent.', '', ' That is all.']
    """

    def __init__(self, gone: Sequence[Product], now: Sequence[Product] = ()) -> None:
        """Begin.

        Args:
            gone: what nothing is to be said of.
            now: those of them that went in this turn: "them" in an answer are these.
        """
        self._gone, self._judge = tuple(gone), _Judge(gone, now)
        self._pieces, self._page = Pieces(), Page()
        self._waiting: Piece | None = None

    def feed(self, text: str) -> str:
        """Take more of the text; return what may be shown of it by now."""
        return "".join(self._taken(piece) for piece in self._pieces.feed(text))

    def end(self) -> str:
        """Return what is left, and a word where nothing was."""
        rest = "".join(self._taken(piece) for piece in self._pieces.end())
        if self._waiting is not None:
            rest += self._judged(self._waiting)
        rest += self._page.end()
        return rest if self._page.has_shown or not self._page.has_dropped else NOTHING_ELSE

    def _taken(self, piece: Piece) -> str:
        """Take a piece; one that ends in the middle of a name waits for the next."""
        given = ""
        if (first := self._waiting) is not None:
            self._waiting = None
            if any(one.is_named_across(first.text, piece.text) for one in self._gone):
                self._page.drop(first)
                self._page.drop(piece)
                return ""
            given = self._judged(first)
        if any(one.may_go_on(piece.text) for one in self._gone):
            self._waiting = piece
            return given
        return given + self._judged(piece)

    def _judged(self, piece: Piece) -> str:
        if piece.text and self._judge.is_about(piece):
            self._page.drop(piece)
            return ""
        return self._page.keep(piece)


class _Judge:
    """Tell of each piece of a text whether it is about what was removed, by what came before."""

    def __init__(self, gone: Sequence[Product], now: Sequence[Product]) -> None:
        self._gone, self._topic = tuple(gone), tuple(now)
        self._dangles = False
        self._under: Piece | None = None
        self._in_block = False

    def is_about(self, piece: Piece) -> bool:
        """Tell whether a piece goes."""
        said = Sentence(piece.text)
        if piece.text in [
            MAIL_QUESTION,
            *(question_before_adding(one.item) for one in self._gone),
        ]:
            return False
        meant = [product for product in self._gone if product.is_meant(said)]
        if meant:
            self._topic = tuple(meant)
            self._dangles = not _only_tells(said, meant)
            is_label = piece.shape in (Shape.ITEM, Shape.HEADING) or piece.text[-1:] in ":*"
            self._under = piece if self._dangles and is_label else None
            self._in_block = False
            return self._dangles
        if any(product.others_in(said) for product in self._gone):
            self._topic, self._under, self._dangles = (), None, False
            return False
        if self._is_under(piece):
            return True
        points_back = self._points_back(said)
        goes = points_back or self._goes_on(said)
        self._dangles = goes
        if points_back:
            self._topic = self._gone
        others = said.kinds - {kind for one in self._topic for kind in one.kinds}
        if not goes and (others or _OTHERS_COME.search(said.plain)):
            # It speaks of other goods, and so does what follows it.
            self._topic = ()
        return goes

    def _is_under(self, piece: Piece) -> bool:
        """Tell whether a piece stands below a heading, or in an item, that went."""
        label = self._under
        if label is None:
            return False
        if label.shape is Shape.ITEM:
            is_inside = piece.begins and piece.indent > label.indent
        elif piece.shape is Shape.HEADING:
            is_inside = False
        else:
            # Its block, or the next one where it ended its own.
            is_inside = not (self._in_block and piece.opens_block and piece.shape is not Shape.ITEM)
        self._in_block = True
        if not is_inside:
            self._under, self._dangles = None, False
        return is_inside

    def _points_back(self, said: Sentence) -> bool:
        """Tell whether a sentence recommends "the pair you removed"."""
        if _UNDOES.search(said.plain):
            return True
        own = {kind for product in self._gone for kind in product.kinds}
        if said.is_general or (said.kinds - own and not own & set(said.stems)):
            return False
        points = _of_kinds(_POINTS_BACK, self._gone).search(said.plain)
        if points is None and _OF_THE_BEST.search(said.plain):
            points = _of_kinds(_WAS_THERE, self._gone).search(said.plain)
        return points is not None and not _only_tells(said, self._gone)

    def _goes_on(self, said: Sentence) -> bool:
        """Tell whether a sentence goes on about a removed product that was spoken of before."""
        if not self._topic or _CART.search(said.plain) or _EMPTY_IT.search(said.plain):
            return False
        if _only_tells(said, self._topic):
            return False
        if _of_kinds(_FOR_IT, self._topic).search(said.plain):
            return True
        if any(one.tells_another(said) for one in self._topic):
            return False
        if self._dangles and any(one.traits_in(said) > 1 for one in self._topic):
            return True
        # What introduces a list speaks of what stands in that.
        is_of_all = said.is_general or said.plain.rstrip().endswith(":")
        has_kind = not is_of_all and any(one.has_kind(said) for one in self._topic)
        points = _PRONOUN.search(said.plain) is not None
        if self._dangles and (points or _only_praises(said)):
            return True
        praises = _PRAISE.search(said.plain) is not None and _ASKS.search(said.plain) is None
        offers = _OFFERS.search(said.plain) is not None
        says_more = praises or offers or bool(said.amounts or said.ratings)
        return (points or has_kind) and says_more


def _only_praises(said: Sentence) -> bool:
    """Tell whether a sentence is a word of praise, and says not for what: "Best in class."."""
    is_short = len(said.words) <= _LONGEST_PRAISE and not said.kinds
    praises = _ONLY_PRAISE.match(said.plain) is not None
    return is_short and praises and _SOMEBODY.search(said.plain) is None


def _of_kinds(pattern: str, products: Sequence[Product]) -> re.Pattern[str]:
    """Make a pattern of one that names kinds of goods."""
    kinds = sorted({re.escape(kind) for product in products for kind in product.kinds})
    return re.compile(pattern.replace("KIND", "|".join(kinds) or "product"), re.IGNORECASE)


def _only_tells(said: Sentence, meant: Sequence[Product]) -> bool:
    """Tell whether a sentence only says of a product that it went, or of an order that holds it."""
    places = [at for product in meant for at in product.others_in(said)]
    plain = said.before(min(places)) if places else said.plain
    plain = _EXCLAIMED.sub("", plain)
    left = _NOT_AGAIN.sub(" ", plain)
    tells = left != plain or _TELLS_IT_WENT.search(plain) or _ORDER.search(plain)
    names = {stem for product in meant for stem in product.name_words}
    left = " ".join(word.text for word in Sentence(left).words if word.stem not in names)
    asks = "?" in plain
    return bool(tells) and not asks and _PRAISE.search(left) is None
