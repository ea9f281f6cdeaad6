"""Decides as the interviewer of the shop: notes answers, asks the next question, hands over."""

from typing import Final

from daybook.demo.model import commands
from daybook.demo.model.commands import Groups, Reply, calls
from daybook.demo.model.prompt import Prompt
from daybook.demo.model.shop import INTERVIEW, NO_GOAL, Shop, kind_of, slots

_GOAL: Final = "What is it for?"
_CATEGORY: Final = "What kind of thing is it: boots, socks, a jacket, a tent, ...?"
_PRICE: Final = "What may it cost at most?"
_SIZE: Final = "Which size?"
_SIZED: Final = ("hiking-boots", "socks", "jackets")
_EXAMPLES: Final = ("waterproof boots", "under 150", "just show me something")


class Interview:
    """One prompt, as the interviewer reads it."""

    def __init__(self, prompt: Prompt) -> None:
        self._prompt = prompt
        self._brief = slots(prompt.now("brief"))
        self._asked = [turn.answer.strip().split("\n")[-1] for turn in prompt.past]

    def decide(self) -> Reply:
        """Take the next decision of the turn."""
        before, text = self._prompt.turn.calls, self._prompt.turn.text
        refused = [call.refusal for call in before if call.refusal is not None]
        if refused:
            return Reply("\n\n".join([*refused, self._question()]).strip())
        if before or self._prompt.is_handed_over:
            return self._go_on()
        if self._last() == _GOAL and len(text) <= 160 and "?" not in text:
            return calls("note_brief", goal=text)
        heard = commands.understand(text, INTERVIEW, self._act)
        if heard is not None and len(heard) == 1:
            return heard[0][2] if heard[0][2].wishes else self._go_on()
        if len(text) <= 60 and Shop(self._prompt).understood(text) is not None:
            return calls("hand_over", wish=text)
        return Reply(f"{commands.not_understood(_EXAMPLES)}\n\n{self._last()}".strip())

    def _act(self, name: str, groups: Groups, is_first: bool) -> Reply | None:
        last = self._last()
        if name == "category":
            kind = kind_of(groups["what"] or "")
            if kind is None:
                return None
            most = commands.cents(groups["most"])
            must_have = [one for one in kind[1] if one not in ("hiking", "trekking", "water")]
            found = {"category": kind[0], "must_have": must_have[:6], "max_price": most}
            return calls("note_brief", **{slot: value for slot, value in found.items() if value})
        if name == "price" and last != _SIZE:
            return calls("note_brief", max_price=commands.cents(groups["most"]))
        if name == "size" and last == _SIZE:
            return calls("note_brief", size=(groups["size"] or "").upper())
        if name == "enough":
            return calls("hand_over", declined=True)
        return Reply() if name == "any" else None

    def _go_on(self) -> Reply:
        """Note the category that the goal names, ask the next question, or hand over."""
        kind = kind_of(" ".join(self._brief.get("goal", "").split()[-3:]))
        if kind is not None and "category" not in self._brief:
            return calls("note_brief", category=kind[0])
        if question := self._question():
            return Reply(question)
        is_whole = {"goal", "category"} <= self._brief.keys()
        return calls("hand_over", **({} if is_whole else {"declined": True}))

    def _question(self) -> str:
        """Return the first question whose slot is empty and that was not asked; "" if none is."""
        category = self._brief.get("category", "")
        needed = (
            (_GOAL, self._brief.get("goal", NO_GOAL) == NO_GOAL),
            (_CATEGORY, not category),
            (_PRICE, "max" not in self._brief),
            (_SIZE, category in _SIZED and "size" not in self._brief),
        )
        open_ = [question for question, is_empty in needed if is_empty]
        return next((one for one in open_ if one not in self._asked), "")

    def _last(self) -> str:
        """Return the question that the user answers now, "" if none was asked."""
        last = self._asked[-1] if self._asked else ""
        return last if last in (_GOAL, _CATEGORY, _PRICE, _SIZE) else ""
