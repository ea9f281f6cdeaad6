"""The written grammar: what each example utterance means, and that grammar and table agree."""

import re

import pytest

from daybook.demo.model.grammar.language.intents.cart import Add, SetQuantity
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.language.tokens import MOST_TOKENS, Kind, tokenise
from daybook.demo.model.grammar.language.words import (
    GOES_WITH,
    KINDS,
    OWN_NOUNS,
    fold,
    kind_of,
    kind_of_item,
)
from daybook.demo.model.grammar.language.written.commands import READERS, Reader
from daybook.demo.model.grammar.language.written.grammar import GRAMMAR
from daybook.demo.model.grammar.language.written.parser import Grammar
from tests.words.utterances import UTTERANCES


def test_every_utterance_is_understood_and_every_command_has_a_reader_and_an_utterance(monkeypatch):
    used: set[str] = set()

    def noted(name: str, reader: Reader) -> Reader:
        return lambda node, text: used.add(name) or reader(node, text)

    for name, reader in READERS.items():
        monkeypatch.setitem(READERS, name, noted(name, reader))
    understand.cache_clear()
    otherwise = {
        text: (found, intents)
        for text, intents in UTTERANCES
        if (found := list(understand(text))) != intents
    }
    assert otherwise == {}
    assert set(re.findall(r"[A-Z]\w+", _rules()["Command"])) == set(READERS) == used


@pytest.mark.parametrize("text", [text for text, _ in UTTERANCES[::12]])
def test_capitals_spaces_and_a_full_stop_change_nothing(text: str):
    loud = f"  {text.replace(' ', '  ').capitalize()} . "
    known = {type(intent) for intent in understand(text)} - {NotUnderstood}
    assert {type(intent) for intent in understand(loud)} - {NotUnderstood} == known


def test_the_table_names_no_utterance_twice():
    texts = [text for text, _ in UTTERANCES]
    assert len(texts) == len(set(texts))
    assert len(texts) >= 150


def test_every_rule_of_the_grammar_is_used():
    rules = _rules()
    used = {name for text in rules.values() for name in re.findall(r"\b[A-Z][a-z]\w*", text)}
    assert set(rules) - used == {"Text"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("A <- Missing", "not defined"),
        ("Ab <- NOTHING", "no kind of token"),
        ("Ab <- (one / two", "too early"),
        ("Ab <- one )", "after the end"),
        ("Ab <- &", "too early"),
        ("Ab <- / ?", "must"),
        ("Ab <- one\nAb <- two", "twice"),
        ("Ab <- one $", "unreadable"),
    ],
)
def test_a_grammar_that_is_written_wrongly_is_refused(text: str, fault: str):
    with pytest.raises(ValueError, match=fault):
        Grammar(text, {})


def test_a_choice_does_not_commit_to_its_first_alternative_and_a_look_ahead_takes_nothing():
    grammar = Grammar("Two <- (one / one two) three", {})
    assert grammar.parse("Two", tokenise("one two three")) is not None
    grammar = Grammar("Word <- &hello !bye ANY END", {})
    assert grammar.parse("Word", tokenise("hello")) is not None
    assert grammar.parse("Word", tokenise("bye")) is None


@pytest.mark.parametrize(
    ("text", "kinds", "values"),
    [
        ("BOOT-004 DB-10001 card_a_1 addr_a_1", "SKU ORDER CARD ADDRESS", [0, 0, 0, 0]),
        ("$80 49.99 1,200 80€", "MONEY MONEY MONEY MONEY", [8000, 4999, 120000, 8000]),
        (
            "2nd #3 third x4 5x six 7",
            "NTH NTH NTH TIMES TIMES NUMBER NUMBER",
            [2, 3, 3, 4, 5, 6, 7],
        ),
        ("2-person 40l <100 -1 20% a@b.de", "WORD WORD WORD NUMBER ODD NUMBER ODD ODD", None),
        ("don\u2019t — stop", "WORD WORD MARK WORD", None),
    ],
)
def test_tokens_have_kinds_and_values(text: str, kinds: str, values: list[int] | None):
    tokens = tokenise(text)
    assert [token.kind for token in tokens] == [Kind(kind) for kind in kinds.split()]
    if values is not None:
        assert [token.value for token in tokens] == values


def test_a_text_that_is_too_long_is_not_tried_and_saying_nothing_means_nothing():
    (intent,) = understand("please " * (MOST_TOKENS + 1))
    assert isinstance(intent, NotUnderstood)
    assert intent.hedged
    assert understand("") == understand(" ... ") == understand("please") == ()


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("hiking boots", "hiking-boots"),
        ("rain coat", "jackets"),
        ("sleeping bag", "sleeping-bags"),
        ("boot socks", "socks"),
        ("socks for hiking boots", "socks"),
        ("torches", "headlamps"),
        ("piano", None),
    ],
)
def test_words_name_a_kind_of_goods(words: str, kind: str | None):
    assert kind_of(words.split()) == kind


def test_a_product_whose_name_has_no_noun_is_known_by_its_sku():
    assert kind_of_item("Merino Trail Crew", "SOCK-044") == "socks"
    assert kind_of_item("Something", "X-1") is None


def test_the_tables_of_words_fit_together():
    assert set(GOES_WITH) == set(KINDS)
    assert {kind for kinds in GOES_WITH.values() for kind in kinds} <= set(KINDS)
    assert all(kind_of([noun]) is not None for noun in OWN_NOUNS)
    assert {fold(word) for word in ("boots", "torches", "glass")} == {"boot", "torch", "glass"}


def _rules() -> dict[str, str]:
    plain = re.sub(r"#[^\n]*", "", GRAMMAR)
    parts = re.split(r"^(\w+)\s*<-", plain, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("ok checkout before I think again", "check out"),
        ("order before they change it again", "order"),
        ("buy it before i change my mind", "buy it"),
        ("oh and one for Pete, so two", "make it two"),
        ("and one for my brother, so that's three", "make it three"),
        ("the cheapest of those. one.", "add the cheapest"),
        (
            "ok let me try one pair of the Pine Ledge liners",
            "give me one pair of the pine ledge liners",
        ),
        ("boots for his dad, men's", "show me men's boots"),
        ("can i speak to someone from sales", "talk to a person"),
    ],
)
def test_another_wording_is_read_as_the_plain_one(said: str, plain: str):
    assert understand(said) == understand(plain)


@pytest.mark.parametrize(
    "said",
    [
        "let me try one more time",
        "should I order before they change it?",
        "check out before we get the invoice?",
        "one for Pete, one for me",
    ],
)
def test_near_misses_of_such_wordings_change_nothing(said: str):
    assert not any(isinstance(one, Add | SetQuantity | Checkout) for one in understand(said))
