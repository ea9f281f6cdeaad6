"""The searches that the prompt tells of, whether their results stand in it or not."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.words import kind_of
from daybook.demo.model.grammar.seen.prompt import Prompt

_LISTED: Final = re.compile(r"^\d{1,3}\. \*\*", re.MULTILINE)
_PAGES_OF_A_LIST: Final = 3
_PAIR: Final = 2
ASK_AGAIN: Final = "Shall I search again?"


@dataclass(frozen=True)
class Listed:
    """A search of this thread: its handle, and what it looked for."""

    handle: int
    search: Search


def searches(prompt: Prompt) -> list[Listed]:
    """Return the searches, oldest first."""
    before = [
        Listed(read.handle, search) for read in prompt.digest.reads if (search := read.search)
    ]
    since = [
        Listed(int(call.handle[1:]), search_of(call.args))
        for turn in prompt.past
        for call in turn.calls
        if call.tool == "search_products" and call.handle[1:].isdigit()
    ]
    kept = {one.handle: one for one in (*before, *since)}
    return [kept[handle] for handle in sorted(kept)]


def listed_last(prompt: Prompt) -> Listed | None:
    """Return the last search whose hits were listed; what was only looked up pointed at nothing."""
    unlisted = {
        int(call.handle[1:])
        for turn in prompt.past
        for call in turn.calls
        if call.handle[1:].isdigit() and _LISTED.search(turn.answer) is None
    }
    found = [one for one in searches(prompt) if one.handle not in unlisted]
    return found[-1] if found and not _is_narrowed(found[-1].handle, prompt) else None


def _is_narrowed(handle: int, prompt: Prompt) -> bool:
    """Tell whether pages were read right behind a search: its list may have left hits out.

    Opened again, its hits would have other numbers than the list that was shown.
    """
    read = {one.handle for one in prompt.digest.reads if one.tool == "get_product"}
    return all(handle + n in read for n in range(1, _PAGES_OF_A_LIST + 1))


def page_read_last(prompt: Prompt) -> str | None:
    """Return the product whose page alone was read last, of what the prompt holds no more."""
    pages = [read.tool == "get_product" for read in prompt.digest.reads[-_PAIR:]]
    # Of several pages that were read one after the other, none alone was shown.
    alone = pages in ([True], [False, True])
    return prompt.digest.reads[-1].about.upper() if alone else None


def kind_looked_at(prompt: Prompt) -> str | None:
    """Return the kind of goods that was searched for last, of what the prompt holds no more."""
    found = [read.search for read in prompt.digest.reads if read.search is not None]
    return (found[-1].category or kind_of(found[-1].query.split())) if found else None


def opened_last(prompt: Prompt) -> Search | None:
    """Return the search that the last turn opened again, or None."""
    calls = [call for turn in prompt.past[-1:] for call in turn.calls if call.tool == "recall"]
    handle = calls[-1].args.get("handle") if calls else None
    return next((one.search for one in searches(prompt) if one.handle == handle), None)


def search_of(args: Mapping[str, Any]) -> Search:
    """Return the search that a call of the tool makes."""
    query, category, most = (args.get(name) for name in ("query", "category", "max_price"))
    return Search(
        query if isinstance(query, str) else "",
        category if isinstance(category, str) else None,
        most if isinstance(most, int) and most > 0 else None,
    )
