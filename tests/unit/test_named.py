"""People and threads have one name each, however it is written."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.state.session import Person, thread_named, user_named

THREAD = "6f9619ff-8b86-4d01-b42d-00c04fc964ff"


def test_spellings_of_a_person_are_one_person():
    names = ("ada", "Ada", "ADA", " ada ", "\uff21\uff44\uff41")
    assert {Person(name) for name in names} == {Person("ada")}
    assert user_named("Stra\u00dfe") == user_named("STRASSE")
    assert user_named("ada.l@example.com") == "ada.l@example.com"


@given(st.text())
def test_the_one_form_is_its_own(name: str):
    assert user_named(user_named(name)) == user_named(name)
    assert thread_named(thread_named(name)) == thread_named(name)


@pytest.mark.parametrize(
    "name",
    [
        THREAD,
        THREAD.upper(),
        THREAD.replace("-", ""),
        f"{{{THREAD}}}",
        f"urn:uuid:{THREAD}",
        uuid.UUID(THREAD).hex.upper(),
    ],
)
def test_spellings_of_a_thread_are_one_thread(name: str):
    assert thread_named(name) == THREAD


def test_another_name_of_a_thread_stays():
    assert thread_named("My-Thread") == "My-Thread"
