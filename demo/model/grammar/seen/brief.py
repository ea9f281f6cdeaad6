"""Read the brief in the tail: what the interviewer found out."""

import re
from dataclasses import dataclass
from typing import Final

from daybook.demo.model.grammar.language.words import kind_of

NO_GOAL: Final = "to find what fits"
"""The goal of somebody who named none."""

_OTHERS: Final = re.compile(
    r"\bfor ((?:my|our|a|the|his|her) (?:\w+ )?(?:son|daughter|child|kid|boy|girl|baby|wife|husband"
    r"|partner|friend|girlfriend|boyfriend|mother|father|mum|mom|dad|sister|brother|uncle|aunt"
    r"|nephew|niece|grandmother|grandfather|grandma|grandpa|colleague|children|kids|parents))\b",
    re.IGNORECASE,
)
_MOST: Final = re.compile(r"^max (\d{1,9})\.(\d\d) ")


@dataclass(frozen=True)
class Brief:
    """The slots of the brief, empty where nothing is known; the price in cents."""

    goal: str = ""
    category: str = ""
    max_price: int | None = None
    size: str = ""
    for_whom: str = ""
    must_have: tuple[str, ...] = ()
    wish: str = ""

    @property
    def named_person(self) -> str:
        """Return whom the goal is for, if it is somebody else."""
        return person_in(self.goal)

    @property
    def named_category(self) -> str:
        """Return the category that the goal names, "" where it names none."""
        return kind_of(self.goal.lower().replace(",", " ").split()) or ""


def person_in(text: str) -> str:
    """Return whom something is for, where the words name another person, else ""."""
    found = _OTHERS.search(text)
    return found[1] if found else ""


def read_brief(text: str) -> Brief:
    """Read the line; a slot of another form is passed over."""
    goal = category = size = wish = for_whom = ""
    most: int | None = None
    must_have: tuple[str, ...] = ()
    for slot in text.split("; "):
        name, equals, value = slot.partition("=")
        price = _MOST.match(f"{slot} ")
        if equals and name == "goal":
            goal = value
        elif equals and name == "category":
            category = value
        elif equals and name == "wants now":
            wish = value
        elif price:
            most = int(price[1]) * 100 + int(price[2])
        elif slot.startswith("size "):
            size = slot.removeprefix("size ")
        elif slot.startswith("for "):
            for_whom = slot.removeprefix("for ")
        elif slot.startswith("must have "):
            must_have = tuple(slot.removeprefix("must have ").split(", "))
    return Brief(goal, category, most, size, for_whom, must_have, wish)
