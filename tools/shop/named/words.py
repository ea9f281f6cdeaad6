"""Words as the shop compares them: without case, Markdown, hyphens and plural; and the kinds."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote

from daybook.tools.said.numbers import in_digits

KINDS = frozenset(
    {
        "anorak", "backpack", "bag", "boot", "bottle", "burner", "canteen", "coat", "cooker",
        "daypack", "flashlight", "flask", "footwear", "headlamp", "headlight", "headtorch",
        "jacket", "knapsack", "lamp", "liner", "pack", "parka", "pole", "quilt", "raincoat",
        "rucksack", "shell", "shelter", "shoe", "sock", "stick", "stocking", "stove", "tent",
        "torch",
    }
)  # fmt: skip
"""The nouns, in the singular, that name a kind of goods."""

PLAIN = frozenset(
    {
        "a", "also", "an", "and", "are", "as", "at", "base", "best", "big", "by", "camp",
        "camping", "cheap", "compact", "day", "expedition", "family", "folding", "for", "four",
        "from", "good", "have", "heavy", "high", "hike", "hiking", "in", "insulated", "is", "it",
        "its", "kid", "large", "layer", "leather", "light", "lightweight", "long", "low", "made",
        "man", "men", "mid", "new", "nice", "of", "on", "one", "or", "outdoor", "overnight",
        "person", "rain", "range", "rechargeable", "red", "road", "roll", "running", "season",
        "size", "small", "snow", "soft", "steel", "summer", "than", "that", "the", "thin", "three",
        "to", "top", "trail", "travel", "trek", "trekking", "two", "ultralight", "walking", "warm",
        "water", "waterproof", "wet", "winter", "with", "woman", "women", "wool", "you", "your",
    }
)  # fmt: skip
"""Words that many products have in their names and descriptions: none is known by them alone."""

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe0f\ufeff]"
)
_SIGNS = re.compile("[\u2122\u00ae\u00a9\u2120]")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_CELL = re.compile(r"</?(?:td|th|tr|li|p|div|br|h[1-6]|table|ul|ol)\b[^<>]{0,200}>", re.IGNORECASE)
"""A tag that stands between words, and not within one."""

_ATTRIBUTE = re.compile(r"""=\s*(?:"([^"]*)"|'([^']*)')""")
_ALIKE = str.maketrans(
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0406\u0456",
    "ABEKMHOPCTXaeopcyxIi",
)
"""Letters of another script that look like ours."""

_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\(([^()\s]*)(?:\s[^()]*)?\)|\[[^\[\]]*\])")
_MARKS = re.compile(r"[*~`\\]|(?<![^\W_])_+|_+(?![^\W_])")
_POSSESSIVE = re.compile("(?<=\\w)['\u2019\u02bc]s?(?!\\w)")
_DASHES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\u2043", "-")
)
_LETTER_BY_LETTER = re.compile(r"(?<![^\W_])[A-Za-z](?:[ .-][^\W_]){3,}(?![^\W_])")
"""A word whose letters stand apart."""

_PIECE = re.compile(r"[^\W_]+|[^\s]")


BUDGETS = ("budget", "limit", "spend", "afford")
"""Words of a subject under which a person's budget is remembered."""

# Not that of an order or of a product, such as DB-10002.
_NUMBER = re.compile(r"(?<![\w-])(\d[\d,.']*)(?:\s?(k|grand)\b)?", re.IGNORECASE)
_OF_WHAT_ELSE = re.compile(
    r"\s?(?:days?|weeks?|months?|years?|hours?|items?|things?|pairs?|pieces?|people|persons?|of us"
    r"|kg|kilos?|g|grams?|cm|k?m|met(?:re|er)s?|feet|degrees|lit(?:re|er)s?|%|percent)\b",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(
    r"\b(?:was|were|instead of|rather than|formerly|previously|before|not|up from|down from)"
    r"\s+(?:[$\u20ac\u00a3]|usd)?\s?$",
    re.IGNORECASE,
)
"""What stands before an amount that holds no more."""
_MOST = 1e9
_YEAR = re.compile(r"(?:19|20)\d\d")
_THOUSANDS = re.compile(r"[,.'](?=\d{3}(?!\d))")


@dataclass(frozen=True)
class Word:
    """Hold one word of a text.

    Attributes:
        text: as it stands there.
        stem: folded, in the singular.
        apart: a mark of punctuation or a spaced dash stands before it.
    """

    text: str
    stem: str
    apart: bool = False

    @property
    def is_capital(self) -> bool:
        """Tell whether it begins with a capital letter."""
        return self.text[:1].isupper()


def spelled(text: str) -> str:
    """Write a text without what is only its form: Markdown, tags, entities, odd hyphens.

    The address of a link is told behind the text, and so is what stands within a tag.
    """
    plain = _SIGNS.sub("", unquote(html.unescape(text)))
    plain = _without_accents(unicodedata.normalize("NFKC", plain).translate(_ALIKE))
    plain = _UNSEEN.sub("", plain)
    tags = " ".join(tag.group() for tag in _TAG.finditer(plain))
    behind = [found[1] or found[2] for found in _ATTRIBUTE.finditer(tags)]
    plain = _TAG.sub("", _CELL.sub(" ", plain)).translate(_DASHES)
    behind += [found[2] for found in _LINK.finditer(plain) if found[2]]
    plain = _MARKS.sub("", _LINK.sub(r"\1", plain))
    plain = _LETTER_BY_LETTER.sub(lambda found: re.sub(r"[ .-]", "", found.group()), plain)
    return f"{plain} ({' '.join(behind)})" if behind else plain


def _without_accents(text: str) -> str:
    parted = unicodedata.normalize("NFD", text)
    kept = "".join(sign for sign in parted if not unicodedata.combining(sign))
    return unicodedata.normalize("NFC", kept)


def words_of(text: str) -> tuple[Word, ...]:
    """Read a text as words, whatever is written between them."""
    plain = _POSSESSIVE.sub("", spelled(text))
    found: list[Word] = []
    apart = False
    for piece in _PIECE.finditer(plain):
        sign = piece.group()
        if sign[0].isalnum():
            found.append(Word(sign, stem(sign.casefold()), apart))
            apart = False
        elif sign in "-/'\u2019+&_#":
            # Between letters they join; with blanks around, a dash parts.
            around = plain[max(piece.start() - 1, 0) : piece.end() + 1]
            apart = apart or (sign == "-" and around != around.replace(" - ", ""))
        else:
            apart = True
    return tuple(found)


def words_in(text: str) -> list[str]:
    """Return the stems of a text's words."""
    return [word.stem for word in words_of(text)]


def amounts_in(text: str) -> list[float]:
    """Return the numbers of a text that may be amounts of money, in digits or in words.

    No years, no parts of ids, no counts of something else.
    """
    text = in_digits(text)
    return [
        _amount(found[1], 1_000 if found[2] else 1)
        for found in _NUMBER.finditer(text)
        if not _YEAR.fullmatch(found[1].rstrip(",.'"))
        and not _OF_WHAT_ELSE.match(text, found.end())
        and not _NO_LONGER.search(text[: found.start()])
    ]


def _amount(number: str, times: int) -> float:
    plain = _THOUSANDS.sub("", number).rstrip(",.'").replace(",", ".").replace("'", "")
    try:
        amount = times * float(plain)
    except ValueError:
        return 0.0
    # More than anybody has is no amount; of enough digits it would be infinite.
    return amount if amount < _MOST else 0.0


def is_telling(word: str) -> bool:
    """Tell whether a stem may tell a product from others, or a property of it."""
    return len(word) > 2 and word not in _FILLING


def is_slip(written: str, meant: str) -> bool:
    """Tell whether a word of some length is another one with a slip.

    A letter more, less or wrong, or two that changed places.
    """
    if min(len(written), len(meant)) < _SHORTEST_SLIP or abs(len(written) - len(meant)) > 1:
        return False
    pairs = zip(written, meant, strict=False)
    alike = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if alike is None:
        return True
    left, right = written[alike:], meant[alike:]
    if left[:2] == right[1::-1] and left[2:] == right[2:]:
        return True
    return left[1:] == right[1:] or left == right[1:] or left[1:] == right


def stem(word: str) -> str:
    """Return a folded word in the singular."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if re.search(r"(?:ch|sh|x|ss|zz)es$", word):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word


_SHORTEST_SLIP = 4
"""Letters from which a word may be misspelt and be meant all the same."""

_FILLING = frozenset(
    {
        "about", "all", "and", "any", "are", "away", "been", "behind", "but", "can", "day", "does",
        "each", "enough", "even", "for", "from", "full", "has", "have", "here", "him", "his",
        "how", "into", "its", "just", "keep", "let", "like", "made", "make", "more", "most",
        "much", "nor", "not", "off", "one", "only", "our", "out", "over", "own", "same", "she",
        "some", "such", "than", "that", "the", "them", "then", "there", "they", "this", "thi",
        "too", "under", "until", "very", "was", "way", "well", "what", "when", "where", "which",
        "while", "who", "will", "with", "without", "you", "your", "take", "need", "come",
    }
)  # fmt: skip
