"""A person's line in the terminal, read as an answer."""

import pytest

from daybook.app.conversations.answers import DOUBT_HELP, HELP, Unclear, decision, doubt
from daybook.state.people.questions.approvals import Answer, verdict

ACTION = {"name": "checkout", "args": {"card_id": "c1", "address_id": "a1"}}


def test_y_approves_and_n_rejects_and_says_why():
    for line in ("y", "Y", " yes ", "approve"):
        assert decision(line, ACTION) == {"type": "approve"}
    for line, message in (("n", ""), ("No", ""), ("n too dear ", "too dear")):
        assert decision(line, ACTION) == {"type": "reject", "message": message}
    for line in ("y", "n why", "e card_id=c2"):
        Answer.model_validate(decision(line, ACTION))


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("e card_id=c2", {"card_id": "c2"}),
        ("edit card_id=c2 address_id=a2", {"card_id": "c2", "address_id": "a2"}),
        ('e reason="not now = later"', {"reason": "not now = later"}),
        ('e {"card_id": "c2", "count": 3}', {"card_id": "c2", "count": 3}),
        ("e card_id=", {"card_id": ""}),
    ],
)
def test_e_edits_and_keeps_the_other_arguments(line: str, changed):
    read = decision(line, ACTION)
    assert read["type"] == "edit"
    assert read["edited_action"] == {"name": "checkout", "args": {**ACTION["args"], **changed}}


SCHEMA = {
    "properties": {
        "amount": {"type": "integer"},
        "rush": {"type": "boolean"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "to": {"$ref": "#/$defs/To"},
        "size": {"enum": ["5", "7"]},
    },
    "$defs": {"To": {"type": "object"}},
}


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("e amount=5000", {"amount": 5000}),
        ("e rush=true", {"rush": True}),
        ("e note=5000", {"note": "5000"}),
        ("e either=7", {"either": 7}),
        ("e size=7", {"size": "7"}),
        ('e to=\'{"b": 1, "a": 2}\'', {"to": {"b": 1, "a": 2}}),
        ("e code=12", {"code": "12"}),
        ("e count=12", {"count": 12}),
    ],
)
def test_what_is_typed_is_read_as_the_schema_says_or_as_it_was(line: str, changed):
    """Text is brought to its type at this door, and nowhere behind it."""
    action = {"name": "pay", "args": {"amount": 1, "either": 1, "count": 1, "code": "11"}}
    read = decision(line, action, SCHEMA)
    assert read["edited_action"]["args"] == {**action["args"], **changed}


def test_a_line_that_is_no_answer_says_what_would_be():
    no_word = ("", "  ", "maybe", "yy", "yes but ship it to work", "y?")
    for line in (*no_word, "e", "e card_id", 'e "open', "e {", "e {}", "e [1]"):
        with pytest.raises(Unclear) as unclear:
            decision(line, ACTION)
        assert str(unclear.value).count(HELP) == 1
    for line in ("", "y", "yes", "happened"):
        with pytest.raises(Unclear) as unclear:
            doubt(line)
        assert DOUBT_HELP in str(unclear.value)


def test_a_line_about_a_doubt_is_one_of_three():
    for line, meant in (
        ("h", ("happened", "")),
        ("H ch_1", ("happened", "ch_1")),
        ("n", ("not_happened", "")),
        ("u", ("undo", "")),
        ("u ch_1", ("undo", "ch_1")),
        # As the question prints them.
        ("it happened", ("happened", "")),
        ("It happened CH-1.", ("happened", "CH-1")),
        ("it did not happen", ("not_happened", "")),
        ("undo CH-1", ("undo", "CH-1")),
    ):
        assert verdict(Answer.model_validate(doubt(line)).message) == meant
