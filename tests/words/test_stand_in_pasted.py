"""What is pasted in rows of hundreds is read like the same in short."""

import pytest

from tests.words.shop_talk import ShopTalk


@pytest.mark.parametrize("sign", ["\n", " ", "!", ". ", "\n \n", "? ", "- "])
def test_a_row_of_one_sign_says_no_more_than_a_short_one(sign: str):
    answers = []
    for many in (3, 3_000):
        talk = ShopTalk()
        talk.say("tell me about TENT-001")
        answers.append((talk.say(f"add it{sign * many}"), talk.cart))
    short, long = answers
    assert long == short
