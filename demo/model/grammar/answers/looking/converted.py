"""Read a question for what was just told in another unit: "what's that in pounds?". Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.intents.goods import AskProperty
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, Sku
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import Scene
from daybook.demo.model.grammar.units import DEGREES, LENGTHS, UNITS, VOLUMES, WEIGHTS

_UNIT: Final = (
    rf"(?:degrees )?(?:us |fluid |fl )?({'|'.join(sorted(UNITS, key=len, reverse=True))})"
)
_THAT: Final = r"(?:that|it|this|they|those|these|them|both|all of them|the temperature|the weight)"
_LEAD: Final = r"(?:(?:and|so|ok|but|sorry|no|i mean|hm+|please|now|well|oh|,) )*"
_END: Final = r"(?: (?:i mean|i meant|please|then|for (?:me|us|americans)|again))*"
_ASKED: Final = re.compile(
    rf"{_LEAD}(?:"
    rf"(?:(?:what|how much|how many|how (?:heavy|tall|high|long|cold|big)) (?:is|are|would|does|do)"
    rf" {_THAT}(?: (?:be|weigh|hold|measure|come to))* )?(?:in|as|to) {_UNIT}"
    rf"|how many {_UNIT}(?: (?:is|are|would|does|do) {_THAT}"
    r"(?: (?:be|weigh|hold|measure|come to))*)?"
    rf"|(?:can you |could you )?(?:convert|put|say|give|tell)(?: me)? {_THAT}"
    rf" (?:in|to|into|as) {_UNIT}"
    r"|(?:(?:i am afraid|unfortunately|sadly|being \w+|as an? \w+) )*(?:i|we|he|she|my \w+)"
    r" (?:can |do |will |really )*(?:(?:only|just) )?(?:understands?|knows?|thinks?|works?|uses?"
    rf"|speaks?|reads?|goes? by|go by)(?: (?:only|just))?(?: (?:in|with))? {_UNIT}"
    rf"){_END}"
)
_MEASURES: Final = (
    ("weight", WEIGHTS, ("weight:",)),
    ("height", LENGTHS, ("height:",)),
    ("folded", LENGTHS, ("folded:",)),
    ("length", LENGTHS, ("length:",)),
    ("capacity", VOLUMES, ("capacity:",)),
    ("comfort", DEGREES, ("comfort:", "comfortable to")),
)
_MONEY: Final = frozenset({"pounds", "pound"})
_OF_MONEY: Final = re.compile(r"\b(?:price|prices|cost|costs|how much (?:is|are))\b(?!.*\bweigh)")
_LOOKS_BACK: Final = 2


def in_units(plain: str, scene: Scene, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return what is asked in another unit; pounds are money where no weight was spoken of."""
    found = _ASKED.fullmatch(plain.strip(" ?.!"))
    if found is None or not (scene.focus or scene.group):
        return None
    unit = next(group for group in found.groups() if group)
    answers = [turn.answer.lower() for turn in prompt.past[: -_LOOKS_BACK - 1 : -1]]
    is_fluid = re.search(r"\b(?:fluid|fl)\b", plain) is not None
    fitting = [
        (name, marks)
        for name, units, marks in _MEASURES
        if unit in units and not (is_fluid and units is not VOLUMES)
    ]
    told = [
        name for answer in answers for name, marks in fitting if any(m in answer for m in marks)
    ]
    is_weight = bool(told) or "how many" in plain
    if unit in _MONEY and (not is_weight or _OF_MONEY.search(prompt.past[-1].text.lower())):
        return None
    item = Sku(scene.focus) if scene.focus else Every()
    asked = told[0] if told else fitting[0][0]
    return (AskProperty(item, (asked, "fl" if is_fluid else unit)),)
