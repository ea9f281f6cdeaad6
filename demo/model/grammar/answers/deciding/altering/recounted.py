"""Read new counts of several lines of the cart, said one after the other: "no, 3 and 2". Pure.

Each number is of one line: by its name, or in the order of the cart. Something must say that what
was put in is put right, or the numbers may as well be places in a list, or more of the same.
"""

import re
from typing import Final

from daybook.demo.model.grammar.answers.deciding.altering.lines import meant
from daybook.demo.model.grammar.answers.deciding.altering.units import Unit
from daybook.demo.model.grammar.answers.deciding.lately import MOST, changed_last
from daybook.demo.model.grammar.language.intents.cart import SetQuantity
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Named, Sku
from daybook.demo.model.grammar.language.intents.talk import Talk
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.words import NUMBERS
from daybook.demo.model.grammar.seen.prompt import Line, Prompt
from daybook.demo.model.grammar.seen.scene import scene_of

_NUMBER: Final = rf"(?:\d{{1,2}}|{'|'.join(NUMBERS)})"
_NUMBERS: Final = r"(?:the |those )?(?:numbers?|counts?|quantit\w+)"
_RIGHTS: Final = re.compile(
    r"\b(?:no|nope|nah|sorry|actually|oops|wait|my (?:apologies|bad|mistake)|correction|instead"
    r"|rather|scratch that|vice versa|reversed?|the reverse|do it|only|just|in total|altogether"
    r"|will do|is enough"
    r"|i (?:meant|mean|said|wanted|miscounted|misread(?: \w+){0,2}|mistyped"
    r"|(?:mixed|got) (?:it|that|them|those) (?:up|wrong|mixed up))"
    r"|(?:(?:it|that|they) )?(?:should|(?:was|were|is) meant to) (?:be|have been|read|say)"
    rf"|(?:make|change|set|do|correct|adjust) (?:it|that|them|those|{_NUMBERS})"
    r"(?: (?:to|all|both))?"
    r"|(?:the )?(?:wrong|other) way(?: a?round)?"
    rf"|(?:swap|switch|turn|flip) (?:it|them|that|{_NUMBERS})(?: (?:round|around|over|please))?)\b"
)
_IDLE: Final = re.compile(
    r"\b(?:ok|okay|so|well|then|and|please|pls|oh|ah|hm+|but|can you|could you|to|thanks|thank you"
    r"|now|it is|that is|let us|lets|(?:\w+ ){1,2}(?:says?|wants?|thinks?|reckons?|said|needs?)"
    r"(?: that)?)\b"
)
_EACH: Final = re.compile(
    rf"(?P<n>{_NUMBER}) (?:pairs? |pieces? )?(?:of )?(?:each|both|all|everything)"
    r"(?: of (?:them|those|these|it))?"
)
_PIECE: Final = re.compile(
    rf"(?P<n>{_NUMBER})(?: (?:pairs?|pieces?|pcs|units?))?"
    r"(?: (?:of )?(?:the |those |these |my )?(?P<name>[a-z]{2,8}-\d{2,6}|[a-z][a-z -]*?))?"
)
_TURNED: Final = re.compile(
    r"\b(?:(?:other|wrong) way|vice versa|reversed?|(?:swap|switch|turn|flip) (?:the|those) "
    r"(?:numbers?|counts?|quantit\w+))\b"
)
_CHANGES: Final = frozenset({"add_to_cart", "set_quantity"})
_PAIR: Final = 2


def recounted_lines(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return how many there shall be of each of several lines; None where it is not said."""
    plain = " ".join("&" if token.text in "!.,;:" else token.text for token in tokens_of(text))
    scene = scene_of(prompt)
    lines = scene.cart
    if len(lines) < _PAIR or "?" in plain or not prompt.past:
        return None
    if not _RIGHTS.search(plain):
        return _all_counted(plain, prompt)
    rest = " ".join(_IDLE.sub(" & ", _RIGHTS.sub(" & ", plain)).split())
    pieces = [piece for cut in re.split(r"[&+]|\bplus\b", rest) if (piece := cut.strip())]
    if not pieces:
        return _set_already(prompt) or _turned(lines, plain)
    if len(pieces) == 1 and (each := _EACH.fullmatch(pieces[0])) is not None:
        return tuple(SetQuantity(Sku(line.sku), _count(each["n"])) for line in lines)
    said = [found for piece in pieces if (found := _PIECE.fullmatch(piece)) is not None]
    if len(said) != len(pieces) or len(said) < _PAIR:
        return None
    named = [_line(one["name"], prompt) if one["name"] else None for one in said]
    if not any(one["name"] for one in said):
        # Of what was looked at since, numbers alone may be places.
        is_fresh = any(call.tool in _CHANGES for call in prompt.past[-1].calls)
        named = [line.sku for line in lines] if is_fresh and len(said) == len(lines) else []
    counts = [_count(one["n"]) for one in said]
    skus = [sku for sku in named if sku is not None]
    if len({*skus}) != len(said) or not all(0 < count <= MOST for count in counts):
        return None
    return tuple(SetQuantity(Sku(sku), n) for sku, n in zip(skus, counts, strict=True))


def count_that_was_right(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return the count that is said to be right, of the line changed last: "no, 4 was fine"."""
    scene = scene_of(prompt)
    sku = changed_last(scene, prompt)
    plain = " ".join(token.text for token in tokens_of(text))
    found = _WAS_RIGHT.fullmatch(plain)
    line = scene.in_cart(sku) if sku is not None else None
    if found is None or line is None:
        return None
    set_now = any(call.tool == "set_quantity" for call in prompt.turn.calls)
    count = _count(found["n"])
    if count == line.quantity and not set_now:
        return (Talk("told"),)
    is_fresh = any(call.tool in _CHANGES for call in prompt.past[-1].calls)
    if not is_fresh or not 0 < count <= MOST or found["shared"]:
        return None
    return (SetQuantity(Sku(line.sku), count),)


_WAS_RIGHT: Final = re.compile(
    r"(?:(?:oh|no|nope|ah|ok|okay|good|yes|yeah|well|wait|sorry|actually|hm+|so|my bad|then|fine"
    r"|right|on reflection|hang on|come to think of it|[.,!]) )*"
    rf"(?P<n>{_NUMBER})(?: pairs?| pieces?| of (?:them|those|these))?"
    r" (?:is|was|were|are|will be|would be|would have been)"
    r" (?:(?:actually|really|just|perfectly|quite|already|the) )*"
    r"(?:fine|better|right|ok|okay|good|correct|enough|plenty|perfect|right (?:number|count))"
    r"(?: (?:after all|then|thanks|thank you|really|actually|as it was|for (?:me|us)|[.!]))*"
    r"(?: ,? ?(?:because |as |since |for )?(?:my|our) \w+ (?:wants?|needs?|would like)"
    r"(?: (?:one|some|it|them|a pair|also|too|as well))+(?: [.!])*)?"
    rf"(?P<shared> ?[,.;-]? (?:{_NUMBER}|the other|another)(?: one| of them)? is for (?:the |my "
    r"|our |his |her |a )?\w+(?: \w+)?(?: [.!])*)?"
)
"""A count that was right, or is: "sorry, 4 was fine", "good, two is right, one is for my mum"."""


def _all_counted(plain: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Read a count of each line, right after one was changed: "two lamps, one fleece"."""
    if not any(call.tool in _CHANGES for call in prompt.past[-1].calls):
        return None
    pieces = [cut.strip() for cut in re.split(r"[&+]|\band\b", plain) if cut.strip()]
    said = [found for piece in pieces if (found := _PIECE.fullmatch(piece)) is not None]
    lines = {line.sku for line in scene_of(prompt).cart}
    if len(said) != len(pieces) or not all(one["name"] for one in said):
        return None
    named = [_line(one["name"], prompt) for one in said]
    counts = [_count(one["n"]) for one in said]
    if {*named} != lines or len(named) != len(lines) or not all(0 < n <= MOST for n in counts):
        return None
    return tuple(SetQuantity(Sku(sku), n) for sku, n in zip(named, counts, strict=True) if sku)


def _set_already(prompt: Prompt) -> tuple[Intent, ...]:
    """Return what this turn has set: what there was before can no longer be told of the cart."""
    done = [call.args for call in prompt.turn.calls if call.tool == "set_quantity"]
    return tuple(
        SetQuantity(Sku(str(args["sku"]).upper()), count)
        for args in done
        if isinstance(count := args.get("quantity"), int)
    )


def _turned(lines: tuple[Line, ...], plain: str) -> tuple[Intent, ...] | None:
    """Give each of two lines the other one's count: "other way round!"."""
    if len(lines) != _PAIR or not _TURNED.search(plain):
        return None
    one, other = lines
    return (SetQuantity(Sku(one.sku), other.quantity), SetQuantity(Sku(other.sku), one.quantity))


def _count(word: str) -> int:
    return NUMBERS.get(word) or int(word)


def _line(name: str, prompt: Prompt) -> str | None:
    scene = scene_of(prompt)
    if scene.in_cart(name.upper()) is not None:
        return name.upper()
    words = tuple(name.split())
    found = meant(Unit("@", Named(words), said=words), (), scene, prompt)
    return found.sku if isinstance(found, Sku) else None
