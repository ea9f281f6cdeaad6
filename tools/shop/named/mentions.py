"""Whether words mean one product: by its sku, its name, its brand and kind, or what it is like."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from daybook.state.shop.cart import Removed, Traits
from daybook.tools.said.numbers import in_digits
from daybook.tools.shop.named.words import (
    KINDS,
    PLAIN,
    Word,
    is_slip,
    is_telling,
    spelled,
    words_in,
    words_of,
)

_STANDS_FOR = frozenset({"one", "pair", "model", "product", "item", "footwear"})
"""Nouns that may stand for any kind of goods."""

_DEFINITE = frozenset({"the", "this", "thi", "that", "these", "those", "your", "our", "my"})
_ARTICLES = frozenset({"a", "an", "any", "every", "each", "some"})
_OTHERS = frozenset(
    {"other", "another", "more", "several", "many", "different", "few", "some", "any", "all"}
)
_PARTS = frozenset({"or", "and", "for", "but", "than", "with", "instead", "while", "to", "in"})
_BY = frozenset({"by", "from", "of"})
_OPENING = frozenset(
    {
        "try", "consider", "take", "get", "buy", "see", "look", "choose", "pick", "add", "order",
        "how", "what", "why", "maybe", "perhaps", "also", "our", "here", "still", "recommended",
        "wear", "grab", "best", "my", "i", "so", "yes", "no", "but", "option", "choice", "shall",
        "should", "can", "could", "would", "may", "might", "will", "do", "did", "if", "when",
        "since", "because", "well", "ok", "okay", "now", "then", "let", "want",
    }
)  # fmt: skip
"""Words that may stand with a capital before a name, and are no part of it."""

_TAKING = frozenset({"try", "consider", "take", "get", "buy", "choose", "pick", "wear", "grab"})
"""Words behind which a name may stand without anything else."""

_SKU = re.compile(r"\b([A-Za-z]{2,8})-?(\d+)\b")
_BETWEEN_RUNS = r"(?:[-_./#:=(\s]{0,3}|\s+(?:number|no\.?|nr\.?)\s*#?)"
"""What may stand between the letters and the number of a sku."""

_AMOUNT = re.compile(r"(?<![\d.,-])(\d{1,3}(?:[,' ]\d{3})+|\d+)[.,](\d\d)(?![\d])")
_TENTHS = re.compile(
    r"(?:[$\u20ac\u00a3]\s?)(\d+)[.,](\d)(?!\d)|(?<![\d.,-])(\d+)[.,](\d)\s?(?:usd|dollars?|eur)\b",
    re.IGNORECASE,
)
"""An amount whose last nought is left out."""

_ROUND = re.compile(
    r"[$\u20ac\u00a3]\s?(\d{1,5})(?![\d.,]*\d)"
    r"|(?<![\d.,-])(\d{1,5})[ -](?:usd|dollars?|bucks|eur(?:os?)?)\b",
    re.IGNORECASE,
)
"""An amount of which the cents are left out."""

_RATING = re.compile(
    r"(?<![\d.])([0-5][.,]\d|[0-5])\s*(?:of|out of|/)\s*5\b"
    r"|(?<![\d.])([0-5][.,]\d|[0-5])[ -]*stars?\b",
    re.IGNORECASE,
)
_VAGUE_PRICE = re.compile(
    r"\b(?:from|under|below|over|above|up to|between|about|around|less than|more than|at most)"
    r"\s+(?:[A-Z]{3}|[$\u20ac\u00a3])?\s*$",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"\b(?:should|usually|typically|generally|in general|look for|choose|depends?)\b", re.IGNORECASE
)


def traits_of(product: Mapping[str, Any]) -> Traits:
    """Take what a product may be told by without its name, as far as the shop says it."""
    found = product.get("attributes") or {}
    has = [name for name, value in found.items() if value is True]
    said = [str(value) for value in found.values() if not isinstance(value, bool)]
    held = _telling([*has, *said])
    rating = product.get("rating")
    return Traits(
        brand=str(product.get("brand") or ""),
        words=tuple(dict.fromkeys([*held, *_telling([str(product.get("description") or "")])])),
        held=held,
        rating=rating if isinstance(rating, int | float) else None,
    )


def _telling(texts: Sequence[str]) -> tuple[str, ...]:
    words = (word for text in texts for word in words_in(text) if is_telling(word))
    return tuple(dict.fromkeys(words))


class Sentence:
    """Hold a text as it is compared: spelled plainly, and as words."""

    def __init__(self, text: str) -> None:
        self.plain = spelled(text)
        self.words = words_of(text)

    def before(self, at: int) -> str:
        """Return what stands before the clause in which a word is."""
        first = next(
            (
                place
                for place in range(at, 0, -1)
                if self.words[place].apart
                or self.words[place].stem in ("and", "but", "so", "while")
            ),
            0,
        )
        return " ".join(word.text for word in self.words[:first])

    @property
    def is_general(self) -> bool:
        """Tell whether it says how things should be, and not how one is."""
        return _GENERAL.search(self.plain) is not None

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of goods that it speaks of."""
        return KINDS & set(self.stems)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Return the words' stems."""
        return tuple(word.stem for word in self.words)

    @cached_property
    def amounts(self) -> tuple[int, ...]:
        """Return the amounts of money in it, in cents, but those of a range."""
        text = in_digits(self.plain)
        whole = [
            (found.start(), int(re.sub(r"\D", "", found[1])) * 100 + int(found[2]))
            for found in _AMOUNT.finditer(text)
        ]
        tenths = [
            (found.start(), int(found[1] or found[3]) * 100 + int(found[2] or found[4]) * 10)
            for found in _TENTHS.finditer(text)
        ]
        return tuple(cents for at, cents in whole + tenths if not _VAGUE_PRICE.search(text[:at]))

    @cached_property
    def round_amounts(self) -> tuple[int, ...]:
        """Return the amounts of money of which no cents are told, but those of a range."""
        text = in_digits(self.plain)
        return tuple(
            int(found[1] or found[2])
            for found in _ROUND.finditer(text)
            if not _VAGUE_PRICE.search(text[: found.start()])
        )

    @cached_property
    def ratings(self) -> tuple[float, ...]:
        """Return the ratings of 5 in it."""
        return tuple(
            float((found[1] or found[2]).replace(",", "."))
            for found in _RATING.finditer(self.plain)
        )


@dataclass(frozen=True)
class Product:
    """Know one product again in words that may mean it."""

    item: Removed

    @cached_property
    def _sku(self) -> str:
        return _squeezed(self.item.sku)

    @cached_property
    def _name(self) -> tuple[str, ...]:
        return tuple(words_in(self.item.name))

    @cached_property
    def _brand(self) -> tuple[str, ...]:
        return tuple(words_in(self.item.traits.brand))

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Return the nouns of its kind, in the singular."""
        named = {*self._name, *words_in(self.item.category)}
        last = {stems[-1] for stems in (self._name, words_in(self.item.category)) if stems}
        return frozenset((named & KINDS) | (last - PLAIN))

    @cached_property
    def _own(self) -> tuple[str, ...]:
        """Return the words of its name that other products do not have in theirs."""
        of_all = PLAIN | KINDS | self.kinds | set(words_in(self.item.category))
        of_all |= {*self._brand, *words_in(self.item.sku)}
        own = [one for one in dict.fromkeys(self._name) if one not in of_all]
        # What its description says too is a property of it, if anything else is its name.
        return tuple(one for one in own if one not in self.item.traits.words) or tuple(own)

    @cached_property
    def _known(self) -> frozenset[str]:
        held = {*self._name, *self._brand, *self.item.traits.words, *self.kinds}
        return frozenset(held | PLAIN | _STANDS_FOR | _DEFINITE)

    @cached_property
    def _traits(self) -> frozenset[str]:
        """Return the properties of it, without what the whole kind has."""
        kind = self.kinds | set(words_in(self.item.category))
        held = {*self._name, *self.item.traits.words} - set(self._own) - set(self._brand)
        return frozenset(one for one in held - kind if len(one) > 2)

    def is_named(self, said: Sentence) -> bool:
        """Tell whether a sentence names it: sku, name, a part of it, or brand and kind."""
        return (
            self._by_sku(said)
            or self._by_name(said)
            or self._by_own_words(said)
            or self._by_brand(said)
        )

    def is_meant(self, said: Sentence) -> bool:
        """Tell whether a sentence names it, or tells so much of it that no other is meant."""
        return self.is_named(said) or self._by_traits(said)

    def others_in(self, said: Sentence) -> tuple[int, ...]:
        """Return where the words of a sentence name other products, by sku or by a name."""
        return tuple(
            at
            for at in range(len(said.words))
            if self._is_other_sku(said, at) or self._is_other_name(said, at)
        )

    def traits_in(self, said: Sentence) -> int:
        """Count the properties that a sentence tells of it, or of another like it."""
        return len(self._traits & set(said.stems))

    def has_kind(self, said: Sentence) -> bool:
        """Tell whether a sentence speaks of its kind, as of something that is known."""
        return any(
            one in self.kinds and self._is_definite(said, at) for at, one in enumerate(said.stems)
        )

    @property
    def name_words(self) -> frozenset[str]:
        """Return the stems of its name and its brand."""
        return frozenset({*self._name, *self._brand})

    def may_go_on(self, text: str) -> bool:
        """Tell whether a text ends within the words that are its name alone."""
        own, words = self._own, words_of(text)
        return len(own) > 1 and bool(words) and words[-1].stem in own

    def is_named_across(self, text: str, after: str) -> bool:
        """Tell whether its name stands half in one text and half in the next."""
        halves = Sentence(text), Sentence(after)
        if not halves[1].words or self.is_named(halves[0]):
            return False
        return halves[1].words[0].stem in self._own and self._by_own_words(
            Sentence(f"{halves[0].words[-1].text} {after}")
        )

    @cached_property
    def _sku_written(self) -> re.Pattern[str]:
        runs = re.findall(r"[A-Za-z]+|\d+", spelled(self.item.sku))
        parts = [_as_it_may_look(run) for run in runs]
        return re.compile(
            rf"(?<![A-Za-z0-9])(?<![A-Za-z0-9]-){_BETWEEN_RUNS.join(parts)}s?"
            r"(?![A-Za-z0-9])(?!-[A-Za-z0-9])",
            re.IGNORECASE,
        )

    def _by_sku(self, said: Sentence) -> bool:
        if not any(sign.isdigit() for sign in self._sku):
            return any(word.text == self.item.sku for word in said.words)
        for found in self._sku_written.finditer(said.plain):
            written = found.group()
            # "boot 1" may count boots.
            is_count = re.fullmatch(r"[a-z]+[\s:=(]+\d", written, re.IGNORECASE) is not None and (
                written[0].islower() or not written[:2].isupper()
            )
            if not is_count:
                return True
        return False

    def _by_name(self, said: Sentence) -> bool:
        """Tell whether the whole name stands there, in whatever order, or written in one."""
        name = self._name
        if not name:
            return False
        whole = "".join(name)
        for at in range(len(said.words)):
            window = said.words[at : at + len(name) + 2]
            joined = ""
            for count, word in enumerate(window):
                joined += word.stem
                if joined == whole and (self._own or _as_a_name(window[: count + 1], self.item)):
                    return True
            wide = {word.stem for word in said.words[at : at + len(name) + 4]}
            if len(set(name)) > 2 and self._own and wide.issuperset(name):
                return True
        return False

    def _by_own_words(self, said: Sentence) -> bool:
        own = self._own
        if not own:
            return False
        if len(own) == 1:
            return any(self._by_one_word(said, at) for at in range(len(said.words)))
        whole = "".join(own)
        for at in range(len(said.words)):
            near = said.stems[at : at + len(own)]
            ends = next(
                (
                    at + count
                    for count in range(1, len(near) + 1)
                    if "".join(near[:count]) == whole or set(near[:count]) >= set(own)
                ),
                None,
            )
            if ends is None and self._is_misspelt(said, at):
                ends = at + len(own)
            if ends is not None and self._is_not_of_another(said, at, ends):
                return True
        return any(self._by_one_word(said, at) for at in range(len(said.words)))

    def _is_misspelt(self, said: Sentence, at: int) -> bool:
        """Tell whether all own words stand there as a name, one of them with a slip."""
        near = said.words[at : at + len(self._own)]
        if len(near) < len(self._own) or not all(word.is_capital for word in near):
            return False
        wrong = [
            (word.stem, own) for word, own in zip(near, self._own, strict=True) if word.stem != own
        ]
        return len(wrong) == 1 and is_slip(*wrong[0])

    def _is_not_of_another(self, said: Sentence, start: int, end: int) -> bool:
        """Tell whether what follows own words is not another kind: another product shares them."""
        in_capitals = any(word.is_capital for word in said.words[start:end])
        for word in said.words[end : end + 6]:
            if word.apart or word.stem in _PARTS:
                break
            if word.stem in self.kinds:
                return True
            if word.stem in KINDS:
                return False
        before = said.stems[start - 1] if start else ""
        return in_capitals or before not in _ARTICLES

    def _by_one_word(self, said: Sentence, at: int) -> bool:
        """Tell whether one own word, written as a name, stands with the kind or is the name."""
        word, before = said.words[at], said.words[at - 1] if at else None
        if word.stem not in self._own:
            return False
        if not word.is_capital:
            return self._stands_by_its_kind(said, at)
        if before is not None and not word.apart and self._is_a_strangers(before):
            return False
        for place, following in enumerate(said.words[at + 1 : at + 6], at + 1):
            if following.apart or following.stem in _PARTS:
                break
            if self._is_other_sku(said, place):
                return False
            if following.stem in self.kinds or following.stem in _STANDS_FOR:
                return True
            if following.stem in KINDS or self._is_a_strangers(following):
                return False
        if before is None or self.others_in(said) or said.kinds - self.kinds:
            return False
        return before.stem in _DEFINITE or before.stem in _TAKING

    def _stands_by_its_kind(self, said: Sentence, at: int) -> bool:
        """Tell whether an own word in small letters stands with the kind: "the strand boots"."""
        word, before = said.words[at], said.stems[at - 1] if at else ""
        is_alone = word.apart or not before or before in _DEFINITE
        of_it = {*self._name, *self._brand, *self.item.traits.words, *self.kinds}
        for following in said.words[at + 1 : at + 6]:
            if following.apart or following.stem not in of_it:
                return False
            if following.stem in self.kinds:
                return is_alone
        return False

    def _is_a_strangers(self, word: Word) -> bool:
        """Tell whether a word is part of another product's name."""
        known = word.stem in self._known or word.stem in _OPENING
        return word.is_capital and not known and not word.text.isdigit()

    def _by_brand(self, said: Sentence) -> bool:
        brand = self._brand
        if not brand or self.tells_another(said):
            return False
        for at, word in enumerate(said.words):
            length = len(brand)
            if said.stems[at : at + length] != brand:
                # "The Altura boots" are of Altura Works.
                length = 1
                if word.stem != brand[0] or not word.is_capital or word.stem in PLAIN | KINDS:
                    continue
            before = said.stems[at - 1] if at else ""
            if before in _OTHERS or self._follows_another(said, at):
                continue
            if self._kind_after(said, at + length) or self._kind_before(said, at):
                return True
        return False

    def _kind_after(self, said: Sentence, at: int) -> bool:
        for word in said.words[at : at + 7]:
            if word.stem in self.kinds or word.stem in _STANDS_FOR:
                return True
            is_of_others = word.stem in KINDS | _PARTS | _OTHERS
            if is_of_others or self._is_a_strangers(word):
                return False
        return False

    def _kind_before(self, said: Sentence, at: int) -> bool:
        """Tell whether it is "the boots by BRAND"."""
        near = said.stems[max(at - 5, 0) : at]
        for back, one in enumerate(reversed(near), 1):
            if one in self.kinds | _STANDS_FOR:
                place = at - back
                before = said.stems[max(place - 4, 0) : place]
                is_by = bool(_BY & set(near[-2:]))
                return (
                    is_by and not (_OTHERS & set(before)) and not self._follows_another(said, place)
                )
        return False

    def _follows_another(self, said: Sentence, at: int) -> bool:
        """Tell whether a stranger's name stands right before a word."""
        for word in reversed(said.words[max(at - 5, 0) : at]):
            if self._is_a_strangers(word) and word is not said.words[0]:
                return True
            if word.stem in _PARTS or word.apart:
                return False
        return False

    def _by_traits(self, said: Sentence) -> bool:
        """Tell whether kind, price, rating and properties together leave no other product."""
        if self.tells_another(said) or not (self.kinds | _STANDS_FOR) & set(said.stems):
            return False
        if said.is_general:
            return False
        traits = self.traits_in(said)
        has_price = self.item.unit_price in said.amounts
        has_rating = self.item.traits.rating in said.ratings
        has_kind = bool(self.kinds & set(said.stems))
        is_definite = has_kind and self.has_kind(said)
        if is_definite and not said.amounts and self.item.unit_price is not None:
            cents = self.item.unit_price
            has_price = bool({cents // 100, -(-cents // 100)} & set(said.round_amounts))
        if not has_kind:
            if KINDS & set(said.stems):
                return False
            return has_price and (has_rating or traits > 1)
        if has_price:
            return has_rating or traits > 0 or is_definite
        if has_rating:
            return traits > 1 or (is_definite and traits > 0)
        return is_definite and traits > 2

    def tells_another(self, said: Sentence) -> bool:
        """Tell whether a sentence holds what this product is not: a name, a price, a rating."""
        price, rating = self.item.unit_price, self.item.traits.rating
        if price is not None and said.amounts and price not in said.amounts:
            return True
        if rating is not None and said.ratings and rating not in said.ratings:
            return True
        return bool(self.others_in(said))

    def _is_other_sku(self, said: Sentence, at: int) -> bool:
        word = said.words[at]
        after = said.words[at + 1 : at + 2]
        text = word.text
        if text.isalpha() and after and after[0].text.isdigit() and not after[0].apart:
            text += after[0].text
        found = _SKU.fullmatch(text)
        if found is None or _squeezed(text) == self._sku:
            return False
        ours = _SKU.fullmatch(self.item.sku.replace("-", ""))
        alike = ours is not None and found[1].casefold() == ours[1].casefold()
        joined = f"{found[1]}-{found[2]}"
        return alike or (found[1].isupper() and len(found[1]) > 2 and joined in said.plain)

    def _is_other_name(self, said: Sentence, at: int) -> bool:
        """Tell whether a name of more than one word begins here, with a stranger's word in it."""
        if at and said.words[at - 1].is_capital and not said.words[at].apart:
            return False
        run: list[Word] = []
        for word in said.words[at : at + 9]:
            if not word.is_capital or (run and word.apart):
                break
            run.append(word)
        strange = [word for word in run if self._is_a_strangers(word)]
        if len(run) < 2 or not strange:
            return False
        ends = at + len(run)
        follows = {word.stem for word in said.words[at : ends + 4]}
        return len(strange) > 1 or (strange[0] is not run[0] or at > 0) or bool(follows & KINDS)

    def _is_definite(self, said: Sentence, at: int) -> bool:
        for word in reversed(said.words[max(at - 7, 0) : at]):
            if word.stem in _DEFINITE:
                return True
            if word.stem in _PARTS:
                return False
        return False


def _as_it_may_look(run: str) -> str:
    """Return a pattern of letters or of a number of a sku, in which O and 0 are alike."""
    if run.isdigit():
        return f"[0o]*{(run.lstrip('0') or '0').replace('0', '[0o]')}"
    return re.escape(run).replace("O", "[O0]").replace("o", "[o0]")


def _squeezed(sku: str) -> str:
    """Write a sku without hyphens, blanks and leading noughts."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", re.sub(r"[\W_]", "", sku.casefold()))


def _as_a_name(words: Sequence[Word], item: Removed) -> bool:
    """Tell whether words of a name that any product may have stand there as a name."""
    capitals = sum(word[:1].isupper() for word in item.name.split())
    return len(words) > 1 and sum(word.is_capital for word in words) >= max(capitals, 2)
