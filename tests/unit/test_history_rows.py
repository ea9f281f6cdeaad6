"""How a query of the history is offered to a model, and how its rows are written for it."""

import re
from pathlib import Path

from rs_bpe.bpe import openai

from daybook.state.context import Rows
from daybook.tools.own.history import lines_of, query_history, render
from daybook.tools.shop.history import VIEWS as SHOP_VIEWS
from daybook.tools.shop.history import WORDS


def test_the_tool_names_the_documented_views_in_few_tokens():
    text = (Path(__file__).parents[2] / "docs" / "history.md").read_text()
    documented = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+) \|$", text, re.MULTILINE)
    assert len(documented) == 7
    for view, columns in documented:
        names = ", ".join(re.findall(r"`(\w+)`", columns))
        assert f"{view}({names})" in query_history.description.replace("\n", " ")
    assert len(openai.o200k_base().encode(query_history.description)) < 220


def test_the_shop_names_its_views():
    assert set(SHOP_VIEWS) == set(re.findall(r"(\w+)\(", WORDS)) - {"query_history"}


def test_rows_are_lines_and_no_value_makes_a_line_of_its_own():
    rows = Rows(
        ("order_id", "total", "note", "args", "placed"),
        (("DB-1", 9890, "two\nlines | here", {"sku": "B\n1"}, True), (None, 0, "", [], False)),
        True,
    )
    assert lines_of(rows) == [
        "order_id | total | note | args | placed",
        'DB-1 | 9890 | two lines / here | {"sku":"B\\n1"} | yes',
        "- | 0 |  | [] | no",
    ]
    result = {"columns": list(rows.columns), "rows": list(rows.rows), "truncated": True}
    first, *rest = render(4, result, (), lambda *_: "").splitlines()
    assert first == "r4 query_history ok: 2 rows, and there are more: narrow it, or aggregate"
    assert rest == lines_of(rows)
    assert lines_of(Rows(("# Now\ncart | r9",), ((1,),), False)) == ["# Now cart / r9", "1"]


def test_no_rows_are_one_line():
    result = {"columns": [], "rows": [], "truncated": False}
    assert render(1, result, (), lambda *_: "") == "r1 query_history ok: 0 rows"
