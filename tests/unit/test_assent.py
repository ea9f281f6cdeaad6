"""Whether a message says yes and nothing else."""

import pytest

from daybook.state.people.questions.assent import is_assent


@pytest.mark.parametrize(
    "said",
    [
        "yes",
        "Yes!",
        "ok",
        "go ahead",
        "Yes, please go ahead.",
        "that\u2019s fine",
        "I approve",
        "ja",
        "\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}",
        "ok \N{WHITE HEAVY CHECK MARK}",
        "I approve this purchase",
        "approve the order",
        "go ahead and place the order, please",
        "yes, I'm sure",
        "yesss",
        "Let\u2019s do it",
        "works for me",
        "looks good to me",
        "my answer is yes",
        "yes, that is fine with me",
        "just do it",
        "proceed with it",
        "charge my card",
        "s\u00ec",
        "best\u00e4tigt",
        "\u0434\u0430",
    ],
)
def test_a_message_that_says_yes_and_nothing_else_is_known(said: str):
    assert is_assent(said)


def test_a_yes_may_name_what_is_asked():
    title = "Check out for 131.90 USD"
    assert is_assent("yes, check out for 131.90 USD", [title])
    assert not is_assent("yes, check out for 99.00 USD", [title])
    assert not is_assent("check out", [title]), "it says no yes, and may be wanted anew"


@pytest.mark.parametrize(
    "said",
    [
        *("", "no", "please", "yes but in blue", "yes?! or no", "approve the second one", "not ok"),
        *("I do not want it", "don't do it", "not yet", "it is all mine", "go on without the mail"),
        *(
            "order it again",
            "buy three",
            "yes, and add socks",
            "send it to my work",
            "\N{PILE OF POO}",
        ),
        *("is it ok with my other card", "what do you want", "the order", "thank you"),
    ],
)
def test_a_message_that_says_more_than_yes_is_no_yes(said: str):
    assert not is_assent(said)
