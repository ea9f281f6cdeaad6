"""Sentences, clauses and figures of a text, each with where it stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from daybook.state.once import once_for_each
from daybook.tools.said.numbers import SMALL, numbers_in, worth_of

_MARK = r"US\$|C\$|A\$|[$€£¥]"
_CURRENCY = r"USD|EUR|GBP|CAD|AUD|CHF|JPY|SEK|NOK|DKK|PLN|dollars?|bucks|euros?|pounds?|francs?"
_DIGITS = r"\d{1,3}(?:[,'\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?"
_FIGURE = re.compile(
    rf"(?P<before>{_MARK}|\b(?:{_CURRENCY})\s)?\s?(?<![\w.,-])(?P<digits>{_DIGITS})(?![\w]*-\w)"
    rf"(?P<after>\s?(?:{_MARK}|(?:{_CURRENCY})\b))?(?P<tail>\s?[%°]|[^\W\d_]+)?",
    re.IGNORECASE,
)
_CENTS = re.compile(r"[.,]\d\d$")
_MEASURED = re.compile(
    r"^\s?(?:%|°|kg|g\b|lbs?\b|oz\b|cm\b|mm\b|m\b|km\b|l\b|ml\b|liters?|litres?|inch|in\b|ft\b|"
    r"hours?|h\b|min|denier|lumens?|people|persons?|/\s?5|of 5|out of|stars?|x\b|°|percent|"
    r"-?season|watts?|w\b|v\b|mah)",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:times|factor(?: of)?|multipl(?:y|ied) (?:it |that )?by|divided by|ratio(?: of)?)[\s*]*$",
    re.IGNORECASE,
)
_MOST_OF_A_FACTOR = 3
"""Below this a number behind "times" is no amount, unless it has a currency."""
_WEIGHS = re.compile(
    r"\b(?:weigh\w*|heav\w+|light\w*|kg|kilos?|kilograms?|grams?|lbs?|oz|ounces?)\b|\d ?g\b",
    re.IGNORECASE,
)
"""In a text whose pounds are no money."""
_STOCK = re.compile(
    # Not the end of an id, as in "BOOT-005 is in stock".
    r"(?<![\w.,$€£-])(?P<n>\d+|no|none|zero) (?:(?:of (?:it|them|these|those)|units?|pieces?|pairs?|items?) )?"
    r"(?:(?:are|is|were) )?(?:still |currently |now )*(?:left(?! ?-?hand)|in stock|available|"
    r"on hand|remaining|remain)\b"
    r"|(?:^\W*left(?=:? \d+\W*$)|\b(?:stock|in stock|available|inventory))(?: of| is|:| are| count| level| now)*[ :(]+"
    r"(?P<m>\d+)(?![\w.,]*\d)",
    re.IGNORECASE,
)
SOLD_OUT = re.compile(
    r"\b(?:sold out|out of stock|not in stock|isn't in stock|aren't in stock|unavailable|"
    r"not available|isn't available|aren't available|(?<!approval )(?<!request )(?<!question )(?<!time )(?<!window )(?<!checkout )(?<!offer )(?<!deadline )(?<!clock )(?:had|has|have|'ve) (?:all )?run out|no longer available|none left|^\W*(?:nothing|none) (?:is|are) left(?=\W*$)|no (?:more )?stock\b(?!(?: (?:is|was|were|has been|is being|had been))?(?: [a-z]+)? (?:set|put|held|hold|reserved|reservation|kept|touched|taken|blocked|allocated|locked|claimed|moved|changed)\b))\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"(?<![\w.,-])(?P<n>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?:-(?=denier|lumen|fill|gram|kw|watt)|\s)?"
    r"(?:kg|kilos?|kilograms?|g|grams?|gr|mm|cm|m|centimet(?:re|er)s?|millimet(?:re|er)s?|met(?:re|er)s?|l|ml|lumens?|litres?|liters?|denier|fill(?= (?:power|goose|duck|down))|kw|watts?|mah)\b",
    re.IGNORECASE,
)
_POUNDS = re.compile(
    r"(?<![\w.,$€£-])(?P<n>\d+(?:\.\d+)?) ?(?P<unit>lbs?\.?|pounds?)\b(?:,? (?:and )?(?P<oz>\d+(?:\.\d+)?) ?(?:oz|ounces?)\b)?",
    re.IGNORECASE,
)
_OUNCES = re.compile(
    r"(?<![\w.,$€£-])(?<!lb )(?<!lbs )(?<!pounds )(?<!pound )(?<!and )(?P<n>\d+(?:\.\d+)?) ?(?:oz|ounces?)\b",
    re.IGNORECASE,
)
_GRAMS_IN_A_POUND, _GRAMS_IN_AN_OUNCE = Decimal("453.6"), Decimal("28.35")
_A_KILO = re.compile(r"(?<=just under )a kilo\b(?! and)|(?<=about )a kilo\b(?! and)", re.IGNORECASE)
_STARS = re.compile(
    r"(?P<n>\d(?:[.,]\d)?)\s?(?:/\s?5|of 5|out of (?:5|five)|stars?\b|-star\b|★)(?! (?:behind|ahead|higher|lower|less|more|apart|above|below|better|worse|difference|gap)\b)"
    r"|(?<![\d.,$€£])(?P<k>\d\.\d) (?:average|rating|score)\b"
    r"|\b(?:rated|(?:rating|average|overall score)(?: of| is|:)?|with) (?P<m>\d\.\d)(?!\d|\.\d|-[a-z])(?! (?!stars?\b|points?\b|out\b|of\b|and\b|from\b|by\b|over\b|on\b|in\b|but\b|from\b|or\b|at\b|after\b|is\b|while\b|against\b|across\b|average\b|to\b|for\b|as\b|versus\b|vs\b|beats\b|lower\b|higher\b|less\b|more\b|better\b|worse\b|below\b|above\b)[a-z]+\b)(?! ?(?:USD|EUR|kg|m\b|l\b|(?:stars? |points? )?(?:lower|higher|less|more|better|worse|below|above)\b))",
    re.IGNORECASE,
)
_REVIEWS = re.compile(
    r"(?<![\d.,])(?P<n>\d+(?:,\d{3})*) (?:\w+ )?review(?:s|ers?)?\b|\breviews?(?: so far)?[*_]{0,2}: ?[*_]{0,2}(?P<m>\d{1,5})(?![\d.,/]*\d)",
    re.IGNORECASE,
)
_FEW_REVIEWS = re.compile(
    rf"\b(?:there are|has|have|got|based on|basis of|from|with)(?: only| just| all of)? (?P<n>{'|'.join(SMALL)}) (?:customer )?reviews?\b(?! (?:that|which|say|saying|mention|mentioning|praise|speak|of|about|with|give|giving|below|under))",
    re.IGNORECASE,
)
_REVIEWED_BY = re.compile(
    r"\b(?:rated?|reviewed|scored?|liked|\d\.\d|\d\.\d stars)\b.{0,30}\b(?:by|from) (?P<n>[\w-]+(?: [\w-]+)?) (?:people|persons?|customers?|reviewers?|buyers?)\b",
    re.IGNORECASE,
)
_PICTURES = "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff]\ufe0f?"
_END = re.compile(
    rf"(?<=[.!?…])[\"'”’)\]*_]*\s+(?=(?:{_PICTURES}\s*)*[\"'“(\[*_]*[^\Wa-z_])"
    r"|(?<=[.!?])\s+(?=[a-z]+(?:_[a-z0-9]+)* )"
)
_ROW = re.compile(r"^\s*(?:[-*•–+]|\d+[.)])\s+")
_HEADING = re.compile(r":[*_]*$")
_OF_SAMPLES = re.compile(
    r"\b(?:sentences|phrases|questions|requests|commands|things|words)\b[\w ]*\b(?:such as|like|you can (?:say|ask|type|try|use))\b|"
    r"\b(?:you (?:can|could|may|might)|try|try to|just)(?: (?:also|simply))? (?:say|saying|ask|asking|ask me|tell me|type|typing|write|writing)\b",
    re.IGNORECASE,
)
"""A line above rows that a person may say, and nobody says now."""

_OF_CHOICES = re.compile(
    r"\b(?:options?|choices?|possibilities|ways forward|next steps?|(?:you|we|i) (?:can|could|might|may)|would you (?:like|prefer)|what (?:next|now)|"
    r"(?:shall|should) (?:i|we)|alternatives?|suggestions?|one of (?:these|the following)|ideas)\b",
    re.IGNORECASE,
)
"""A line above rows of which somebody may choose one."""

_OF_BEFORE = re.compile(
    r"^\W*(?:before|previously|previous(?: \w+)?|earlier|was|old(?: \w+)?|from|until now|original(?:ly)?|at first)\W*$",
    re.IGNORECASE,
)
"""Heads a column of what was so, and is no longer."""

_ABBREVIATED = re.compile(
    r"(?:\b(?:no|nr|approx|incl|excl|e\.g|i\.e|vs|st|dr|mr|mrs|ms)|^\s*\d+)\.$", re.I
)
_ENDS = re.compile(r": (?:no|No)\.$")
"""A no that is an answer, and no number: "waterproof: no."."""
_CLAUSE = re.compile(
    r"\s*(?:[;:—–\U0001f000-\U0001faff⛽⛺⏱☔]|\s-\s|,(?!\d)|\.\.\.|…|\((?=\w)|\))\s*|\s+(?:and|but|(?<!or )so(?! far)|because|since|though|"
    r"although|however|(?<!not )(?<!n't )yet(?! to\b|\W*$)|then)\s+",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)|[*_`~#]+")


_LONGEST = 400
"""Characters of a sentence; a longer one is judged in pieces."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_RULE = re.compile(r"^[\s|:-]*-[\s|:-]*$")
"""The line under the head of a table."""

_GLUED = re.compile(r"\S{81,}")


@dataclass(frozen=True)
class Sentence:
    """A sentence, or a row of a list, and where in its text it stands.

    Attributes:
        begins: it is the first of its paragraph or list: it goes on from nothing.
        columns: of the table of which it is a row.
        heading: the line with a colon under which it is a row, or "".
    """

    text: str
    start: int
    end: int
    begins: bool
    columns: tuple[str, ...] = ()
    heading: str = ""

    @property
    def headed(self) -> str:
        """Return it behind the line under which it is a row: "In the cart: two socks"."""
        return f"{self.heading} {_ROW.sub('', self.text)}" if self.heading else self.text

    @property
    def clauses(self) -> list[str]:
        """Return its clauses."""
        return [clause for clause in _CLAUSE.split(self.text) if clause and clause.strip()]


@dataclass(frozen=True)
class Amount:
    """An amount of money as it is written.

    Attributes:
        value: in the units of its currency.
        start: where in the text it stands.
    """

    value: Decimal
    shown: str
    start: int


def bounded(text: str, most: int) -> str:
    """Return the beginning of a text, with blanks in the place of what is too long to be a word.

    What looks for words in a text of strangers takes the square of the longest one's length.
    """
    return _GLUED.sub(lambda found: " " * len(found.group()), text[:most])


def sentences_in(text: str) -> Iterator[Sentence]:
    """Yield the sentences and rows of a text, in order."""
    begins, at, columns, heading = True, 0, tuple[str, ...](), ""
    lines = text.split("\n")
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if _RULE.match(below) and "|" in line:
            columns = tuple(plain(cell) for cell in line.strip().strip("|").split("|"))
        elif "|" not in line:
            columns = ()
        if not line.strip():
            begins = True
        else:
            heading = heading if is_row(line) else ""
            for start, end in _parts_of(line):
                yield Sentence(line[start:end], at + start, at + end, begins, columns, heading)
                begins = False
                if _HEADING.search(line[start:end]):
                    heading = line[start:end]
        at += len(line) + 1


def ends_in(text: str) -> Iterator[int]:
    """Yield where sentences and lines of a text end, of those that no text behind it can prolong.

    Example:
        >>> text = "Yes. It is in the ca"
        >>> [text[:end] for end in ends_in(text)]
        ['Yes.']
    """
    at = 0
    for line in _LINE.findall(bounded(text, len(text))):
        yield from (at + gap.start() for gap in _gaps_of(line.rstrip()))
        at += len(line)
        if line.endswith("\n"):
            yield at


def _parts_of(line: str) -> Iterator[tuple[int, int]]:
    start = len(line) - len(line.lstrip())
    for gap in _gaps_of(line):
        yield from _pieces_of(line, start, gap.start())
        start = gap.end()
    if line[start:].strip():
        yield from _pieces_of(line, start, len(line.rstrip()))


def _gaps_of(line: str) -> Iterator[re.Match[str]]:
    """Yield the gaps between the sentences of a line."""
    start = len(line) - len(line.lstrip())
    for gap in _END.finditer(line):
        if not _ABBREVIATED.search(line[start : gap.start()]) or _ENDS.search(line[: gap.start()]):
            yield gap
            start = gap.end()


def _pieces_of(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > _LONGEST:
        cut = line.rfind(" ", start + 1, start + _LONGEST)
        cut = cut if cut > start else start + _LONGEST
        yield start, cut
        start = cut
    yield start, end


def is_sample(sentence: Sentence) -> bool:
    """Tell whether it is a row of what somebody may say, and says nothing itself."""
    return is_row(sentence.text) and _OF_SAMPLES.search(sentence.heading) is not None


def is_choice(sentence: Sentence) -> bool:
    """Tell whether it is a row of what somebody may choose, and of nothing that was done."""
    return is_row(sentence.text) and _OF_CHOICES.search(sentence.heading) is not None


def as_it_is_now(sentence: Sentence) -> Sentence:
    """Return a row of a table without the columns that tell how things were before."""
    cells = sentence.text.strip().strip("|").split("|")
    columns = sentence.columns
    if len(columns) != len(cells) or not any(map(_OF_BEFORE.match, columns)):
        return sentence
    kept = [at for at, column in enumerate(columns) if not _OF_BEFORE.match(column)]
    text = f"| {' | '.join(cells[at].strip() for at in kept)} |"
    return replace(sentence, text=text, columns=tuple(columns[at] for at in kept))


def is_row(text: str) -> bool:
    """Tell whether a line is a row of a list."""
    return _ROW.match(text) is not None


def unlinked(text: str) -> str:
    """Return a text with the words of its links in the place of the links."""
    return re.sub(r"\[([^\]\n]*)\]\([^)\n]*\)", r"\1", text)


@once_for_each
def plain(text: str) -> str:
    """Return a text in small letters, without markup, with blanks for hyphens of all kinds.

    Example:
        >>> plain("**Altura\u2011Trail** (BOOT-004)")
        'altura trail (boot 004)'
    """
    bare = _MARKUP.sub(lambda found: found.group(1) or "", text)
    folded = unicodedata.normalize("NFKC", bare).casefold()
    spaced = (" " if unicodedata.category(sign) == "Pd" else sign for sign in folded)
    return " ".join("".join(spaced).split())


def amounts_in(text: str) -> Iterator[Amount]:
    """Yield the amounts of money of a text: with a currency, or with two decimals and no unit."""
    for found in _FIGURE.finditer(text):
        behind = text[found.end("digits") :]
        is_money = bool(found["before"] or found["after"])
        if not is_money and _MEASURED.match(behind):
            continue
        if (found["after"] or "").strip().lower().startswith("pound") and _WEIGHS.search(text):
            continue
        if not is_money and (not _CENTS.search(found["digits"]) or _is_of_a_number(text, found)):
            continue
        value = worth_of(found["digits"])
        if not is_money and value < _MOST_OF_A_FACTOR and _TIMES.search(text[: found.start()]):
            continue
        if (found["after"] or "").strip().lower() == "cents":
            value /= 100
        yield Amount(value, found.group().strip(), found.start("digits"))


def _is_of_a_number(text: str, found: re.Match[str]) -> bool:
    """Tell whether digits are a part of something longer: a version, a date, an address."""
    behind = text[found.end("digits") : found.end("digits") + 2]
    return bool(re.match(r"[.,:/]\d", behind))


def stock_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield how much is said to be in stock, with the words that say it."""
    for found in _STOCK.finditer(text):
        number = found["n"] or found["m"]
        yield (int(number) if number.isdigit() else 0), found.group()


def ratings_in(text: str) -> Iterator[tuple[Decimal, str]]:
    """Yield the ratings out of five, and the counts of reviews, with the words that say them."""
    for found in _STARS.finditer(text):
        yield Decimal((found["n"] or found["k"] or found["m"]).replace(",", ".")), found.group()
    for found in _REVIEWS.finditer(text):
        yield Decimal((found["n"] or found["m"]).replace(",", "")), found.group()
    for found in _FEW_REVIEWS.finditer(text):
        yield Decimal(SMALL[found["n"].lower()]), found.group()
    for found in _REVIEWED_BY.finditer(text):
        small = [Decimal(SMALL[found["n"]])] if found["n"] in SMALL else []
        yield from ((number, found.group()) for number in (*small, *numbers_in(found["n"])))


def measures_in(text: str) -> Iterator[tuple[Decimal, str, int]]:
    """Yield the numbers with a unit of measure, with the words that say them and where these stand."""
    for found in _MEASURE.finditer(text):
        yield worth_of(found["n"]), found.group(), found.start()
    for found in _A_KILO.finditer(text):
        yield Decimal(1000), found.group(), found.start()
    for found in _POUNDS.finditer(text):
        if found["unit"].lower() != "pounds" or _WEIGHS.search(text):
            pounds, ounces = Decimal(found["n"]), Decimal(found["oz"] or 0)
            grams = pounds * _GRAMS_IN_A_POUND + ounces * _GRAMS_IN_AN_OUNCE
            yield Decimal(round(grams)), f"about {found.group()}", found.start()
    for found in _OUNCES.finditer(text):
        yield (
            Decimal(round(Decimal(found["n"]) * _GRAMS_IN_AN_OUNCE)),
            f"about {found.group()}",
            found.start(),
        )
