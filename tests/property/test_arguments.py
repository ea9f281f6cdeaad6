"""The normal form of arguments, and its hash."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daybook.state.effects.keys import canonical, digest, normalise

WORDS = st.text(st.characters(codec="utf-8"), max_size=8) | st.text(" \t\nab", max_size=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(st.text("abc", min_size=1, max_size=2), VALUES, max_size=4)


def shuffled(value: Any) -> Any:
    """Write the same JSON value with its keys the other way round."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(value)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


def spelled(value: Any) -> Any:
    """Tell JSON values apart that Python holds for equal: 1, 1.0 and True; 0.0 and -0.0."""
    if isinstance(value, dict):
        return ("object", frozenset((key, spelled(item)) for key, item in value.items()))
    if isinstance(value, list):
        return ("array", tuple(spelled(item) for item in value))
    return (type(value), repr(value))


@given(ARGUMENTS)
def test_a_normal_form_is_its_own_has_nothing_that_is_none_and_no_order(args):
    normal = normalise(args)
    assert spelled(normalise(normal)) == spelled(normal)
    assert None not in normal.values()
    assert set(normal) == {name for name, value in args.items() if value is not None}
    assert digest(normalise(shuffled(args))) == digest(normal)


@given(ARGUMENTS, ARGUMENTS, st.text("abc", min_size=1, max_size=2), VALUES)
def test_hashes_are_equal_when_and_only_when_normal_forms_are(args, other, name, value):
    for changed in (other, {**args, name: value}):
        same = spelled(normalise(args)) == spelled(normalise(changed))
        assert (digest(normalise(args)) == digest(normalise(changed))) == same


@given(st.lists(WORDS.filter(lambda word: "\n" not in word)))
def test_white_space_around_and_between_words_is_one_space(words):
    # NUL is in no name of the database, and these are names.
    clean = " ".join(" ".join(words).replace("\x00", "").split())
    assert normalise({"a": "  " + "  \t ".join(words) + " "}) == {"a": clean}


@given(VALUES)
def test_the_canonical_form_names_one_value_alone(value):
    assert canonical(value) == canonical(shuffled(value))
