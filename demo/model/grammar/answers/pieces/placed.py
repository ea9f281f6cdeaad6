"""Read what stands beside what was spoken of, in the last list: "the next one", "the one above it".

Pure. Such words become the product's id, so that every reading understands them. Where there is no
such place they stand as they are, and what is read of them is asked about: "the one after it" is
not "it".
"""

import re
from typing import Final

from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import Scene, scene_of

_BACK: Final = r"(?:before|above|over|on top of)"
_ON: Final = r"(?:after|below|under|beneath|underneath|following)"
_BESIDE: Final = re.compile(
    r"\b(?:the|that) (?:(?P<adjective>next|previous|following|preceding) (?:one|pair)"
    rf"|(?:one|pair) (?:right |just |directly )?(?P<where>{_BACK}|{_ON})"
    r"(?: (?:it|that|this|that one|this one))?)(?= *(?:[.,;!?&+]|$|and\b|plus\b|too\b|please\b"
    r"|then\b|in\b|into\b|to\b|as\b|also\b|for\b|with\b|on\b|instead\b))",
    re.IGNORECASE,
)
_PAIR: Final = 2


def is_beside(text: str) -> bool:
    """Tell whether a text points at what stands beside something."""
    return _BESIDE.search(text) is not None


def placed(text: str, prompt: Prompt) -> str:
    """Return a text with the id of the product in place of words for where it stands."""
    if not is_beside(text):
        return text
    scene = scene_of(prompt)

    def named(words: re.Match[str]) -> str:
        said = (words["adjective"] or words["where"]).lower()
        is_back = said in ("previous", "preceding") or re.fullmatch(_BACK, said) is not None
        return _beside(scene, -1 if is_back else 1) or words[0]

    return _BESIDE.sub(named, text)


def _beside(scene: Scene, step: int) -> str | None:
    """Return what stands so many places after what was spoken of last; None where nothing does."""
    rows = [row.sku for row in scene.latest]
    if scene.focus in rows:
        at = rows.index(scene.focus) + step
        return rows[at] if 0 <= at < len(rows) else None
    recent = list(scene.recent)
    return recent[1] if step < 0 and len(recent) >= _PAIR and recent[0] == scene.focus else None
