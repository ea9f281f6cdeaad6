"""Find what a clause points at: a product, items with a count, words that mean goods. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.vocabulary import BRANDS, is_a_name, says_goods
from daybook.demo.model.grammar.language.intents.references import It, Named, Nth, Reference, Sku
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import NOUNS, fold
from daybook.demo.model.grammar.language.written.references import Counted

_MEASURED: Final = frozenset(
    "person persons people man season seasons litre litres liter liters burner lumen lumens".split()  # noqa: SIM905
)


_OF_LENGTH: Final = frozenset({"long", "short", "high", "low"})


def content_of(tokens: Sequence[Token]) -> list[str]:
    """Return the words that say something of goods; a name only where it stands beside such."""
    words: list[str] = []
    for at, token in enumerate(tokens):
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if words[-2:-1] == [tokens[at - 1].text if at else ""] and token.text == words[-1]:
            continue
        if token.text in ("good", "nice"):
            continue
        if token.text in _OF_LENGTH and not (
            says_goods(after) or after in ("range", "one", "ones")
        ):
            # "A long hike" says nothing of a bottle.
            continue
        if token.kind is Kind.NUMBER and after in _MEASURED:
            words += [token.text, after]
        elif token.kind is Kind.SKU or (token.kind is Kind.WORD and says_goods(token.text)):
            words.append(token.text)
    return words


def pointed_at(clause: Clause, text: str) -> Reference | None:
    """Return the product that a clause points at, None where it points at none."""
    tokens = clause.tokens
    for token in tokens:
        if token.kind is Kind.SKU:
            return Sku(token.text.upper())
    for at, token in enumerate(tokens):
        before = tokens[at - 1].text if at else ""
        if token.kind is Kind.NTH and not _says_when(tokens, at):
            return Nth(token.value, counted=token.text[0] != "#")
        if token.kind is Kind.NUMBER and before in ("number", "no", "nr", "option", "item"):
            return Nth(token.value)
    if re.search(r"\blast one\b", text):
        return Nth(-1)
    named = named_in(tokens)
    if named is not None and not (_OF_IT.match(text) and not has_model(named.words)):
        return named
    if re.search(r"\b(?:it|its|they|them|their|this|that|these|those)\b", text):
        return It(bool(re.search(r"\b(?:they|them|their|these|those)\b", text)))
    return None


def _says_when(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether "first" says when, and not which: "can I read the reviews first"."""
    before = [token.text for token in tokens[max(0, at - 1) : at]]
    ends = all(token.kind is Kind.MARK for token in tokens[at + 1 :])
    is_apart = at + 1 < len(tokens) and tokens[at + 1].text == ":"
    is_order = at > 1 or (at == 1 and before[0] in _FOR_WHOM)
    is_adverb = is_order and (ends or is_apart) and before not in (["the"], ["that"])
    return tokens[at].text == "first" and is_adverb


_FOR_WHOM: Final = frozenset("kid kids me him her us you them wife husband".split())  # noqa: SIM905
"""Who comes first: "kid first. what is there under 30"."""


_OF_IT: Final = re.compile(
    r"(?:(?:and|but|so|ok|also) )*(?:does|do|is|are|can|could|will|would|has|have|did) "
    r"(?:it|they|this"
    r"|that|these|those)\b(?! \w+ (?:one|ones)\b)"
)
"""A question whose subject was spoken of before: "does it need trekking poles to stand"."""


def named_in(tokens: Sequence[Token]) -> Named | None:
    """Return the longest row of words that may name a product."""
    rows: list[list[Token]] = [[]]
    for token in tokens:
        is_part = token.kind in (Kind.WORD, Kind.NUMBER) and (
            is_a_name(token.text) or says_goods(token.text) or (rows[-1] and token.text == "person")
        )
        if is_part or (token.kind is Kind.NUMBER and token.value <= 4 and not token.text.isdigit()):
            rows[-1].append(token)
        elif rows[-1]:
            rows.append([])
    rows = [row for row in rows if _tells(row) > (False, 0, len(row))]
    if not rows:
        return None
    best = max(rows, key=_tells)
    at = next(i for i, t in enumerate(tokens) if t is best[0])
    before = tokens[at - 1].text if at else ""
    words = tuple(token.text for token in _up_to_its_kind(best))
    return Named(words, before in ("the", "that", "this", "these", "those", "my"))


def _up_to_its_kind(row: Sequence[Token]) -> Sequence[Token]:
    """Leave out what is said behind a model and its kind: "the lone pine boot sounds nice"."""
    texts = [token.text for token in row]
    kinds = [at for at, text in enumerate(texts) if fold(text) in NOUNS]
    behind = kinds[-1] + 1 if kinds else len(row)
    return row[:behind] if has_model(texts[:behind]) else row


def _tells(row: Sequence[Token]) -> tuple[bool, int, int]:
    """Return how well a row of words names goods: by a model, by kinds and makers, its length."""
    texts = [token.text for token in row]
    return has_model(texts), sum(fold(one) in NOUNS or one in BRANDS for one in texts), len(row)


def tail_of(tokens: Sequence[Token], words: str) -> list[Token]:
    """Return the last tokens that read as these words."""
    wanted = words.split()
    if not wanted:
        return []
    texts = [token.text for token in tokens]
    for start in range(len(texts) - len(wanted), -1, -1):
        if texts[start : start + len(wanted)] == wanted:
            return list(tokens[start : start + len(wanted)])
    # Words were taken out of the middle: take those that are left, in their order.
    kept: list[Token] = []
    at = len(wanted) - 1
    for token in reversed(tokens):
        if at >= 0 and token.text == wanted[at]:
            kept.insert(0, token)
            at -= 1
    return kept if at < 0 else []


_EDGES: Final = frozenset(
    """
    please then too also as well anyway now ok okay so and thanks right just actually maybe for me
    us one more that this in there to you do have it is again after all , . ! ? ; : - the fine if
    possible i guess think though my cart either both yes well instead today
    """.split()  # noqa: SIM905
)


def items_in(tokens: Sequence[Token], clause: Clause) -> list[Counted]:
    """Read items by the grammar's rule; words at the edges that say nothing may stay unread."""
    kept = [token for token in tokens if token.text not in (".", "!", "?")]
    for start in range(min(4, len(kept))):
        if start and kept[start - 1].text not in _EDGES:
            break
        for end in range(len(kept), start, -1):
            if end < len(kept) and not _may_end(kept[end:]):
                break
            if found := clause.items(kept[start:end]):
                return found
    return []


def _may_end(rest: Sequence[Token]) -> bool:
    return all(token.text in _EDGES for token in rest)


def one_item(clause: Clause, text: str) -> Reference | None:
    """Read a text as one item, None where it is none or several."""
    found = items_in(tail_of(clause.tokens, text), clause)
    return found[0].item if len(found) == 1 else None


def definite(item: Reference) -> Reference:
    """Return what is named as a product that is there already."""
    return replace(item, definite=True) if isinstance(item, Named) else item
