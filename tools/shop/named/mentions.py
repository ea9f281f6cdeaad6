"""Whether words mean one product: by its sku, its name, its brand and kind, or what it is like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from daybook.state.shop.cart import Removed
from daybook.tools.shop.named.around import (
    ARTICLES,
    BY,
    DEFINITE,
    OPENING,
    OTHERS,
    PARTS,
    STANDS_FOR,
    TAKING,
)
from daybook.tools.shop.named.sentence import Sentence
from daybook.tools.shop.named.skus import Sku
from daybook.tools.shop.named.words import KINDS, PLAIN, Word, is_slip, words_in, words_of


@dataclass(frozen=True)
class Product:
    """Know one product again in words that may mean it."""

    item: Removed

    @cached_property
    def _sku(self) -> Sku:
        return Sku(self.item.sku)

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
        return frozenset(held | PLAIN | STANDS_FOR | DEFINITE)

    @cached_property
    def _traits(self) -> frozenset[str]:
        """Return the properties of it, without what the whole kind has."""
        kind = self.kinds | set(words_in(self.item.category))
        held = {*self._name, *self.item.traits.words} - set(self._own) - set(self._brand)
        return frozenset(one for one in held - kind if len(one) > 2)

    def is_named(self, said: Sentence) -> bool:
        """Tell whether a sentence names it: sku, name, a part of it, or brand and kind."""
        return (
            self._sku.is_in(said)
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
            if self._sku.is_other_at(said, at) or self._is_other_name(said, at)
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
            if word.apart or word.stem in PARTS:
                break
            if word.stem in self.kinds:
                return True
            if word.stem in KINDS:
                return False
        before = said.stems[start - 1] if start else ""
        return in_capitals or before not in ARTICLES

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
            if following.apart or following.stem in PARTS:
                break
            if self._sku.is_other_at(said, place):
                return False
            if following.stem in self.kinds or following.stem in STANDS_FOR:
                return True
            if following.stem in KINDS or self._is_a_strangers(following):
                return False
        if before is None or self.others_in(said) or said.kinds - self.kinds:
            return False
        return before.stem in DEFINITE or before.stem in TAKING

    def _stands_by_its_kind(self, said: Sentence, at: int) -> bool:
        """Tell whether an own word in small letters stands with the kind: "the strand boots"."""
        word, before = said.words[at], said.stems[at - 1] if at else ""
        is_alone = word.apart or not before or before in DEFINITE
        of_it = {*self._name, *self._brand, *self.item.traits.words, *self.kinds}
        for following in said.words[at + 1 : at + 6]:
            if following.apart or following.stem not in of_it:
                return False
            if following.stem in self.kinds:
                return is_alone
        return False

    def _is_a_strangers(self, word: Word) -> bool:
        """Tell whether a word is part of another product's name."""
        known = word.stem in self._known or word.stem in OPENING
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
            if before in OTHERS or self._follows_another(said, at):
                continue
            if self._kind_after(said, at + length) or self._kind_before(said, at):
                return True
        return False

    def _kind_after(self, said: Sentence, at: int) -> bool:
        for word in said.words[at : at + 7]:
            if word.stem in self.kinds or word.stem in STANDS_FOR:
                return True
            is_of_others = word.stem in KINDS | PARTS | OTHERS
            if is_of_others or self._is_a_strangers(word):
                return False
        return False

    def _kind_before(self, said: Sentence, at: int) -> bool:
        """Tell whether it is "the boots by BRAND"."""
        near = said.stems[max(at - 5, 0) : at]
        for back, one in enumerate(reversed(near), 1):
            if one in self.kinds | STANDS_FOR:
                place = at - back
                before = said.stems[max(place - 4, 0) : place]
                is_by = bool(BY & set(near[-2:]))
                return (
                    is_by and not (OTHERS & set(before)) and not self._follows_another(said, place)
                )
        return False

    def _follows_another(self, said: Sentence, at: int) -> bool:
        """Tell whether a stranger's name stands right before a word."""
        for word in reversed(said.words[max(at - 5, 0) : at]):
            if self._is_a_strangers(word) and word is not said.words[0]:
                return True
            if word.stem in PARTS or word.apart:
                return False
        return False

    def _by_traits(self, said: Sentence) -> bool:
        """Tell whether kind, price, rating and properties together leave no other product."""
        if self.tells_another(said) or not (self.kinds | STANDS_FOR) & set(said.stems):
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
            if word.stem in DEFINITE:
                return True
            if word.stem in PARTS:
                return False
        return False


def _as_a_name(words: Sequence[Word], item: Removed) -> bool:
    """Tell whether words of a name that any product may have stand there as a name."""
    capitals = sum(word[:1].isupper() for word in item.name.split())
    return len(words) > 1 and sum(word.is_capital for word in words) >= max(capitals, 2)
