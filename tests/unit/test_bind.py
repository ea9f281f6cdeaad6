"""Arguments that are taken from results."""

import pytest

from daybook.state.effects.bind import Binding, fill, take, take_all, take_into

RESULTS = {"a": {"id": 1, "name": "x"}, "b": {"id": 2}}


@pytest.mark.parametrize(
    ("binding", "value"),
    [
        (take("a", "id"), 1),
        (take_all(["b", "a"], "id"), [2, 1]),
        (take_all(["a"], "id"), [1]),
        (take_into("Your order {}!", "a", "name"), "Your order x!"),
        (take_into("order {}", "c", "name"), "order {0} {}"),
    ],
)
def test_a_value_is_taken_as_it_is_in_a_list_or_in_a_text(binding: Binding, value: object):
    assert binding.value({**RESULTS, "c": {"name": "{0} {}"}}) == value


def test_a_template_has_one_place_for_each_value_and_other_braces_stay_as_they_are():
    assert fill("{x} {} {0}", ["v"]) == "{x} v {0}"
    for values in ([], ["a", "b"]):
        with pytest.raises(ValueError, match=r"zip\(\)"):
            fill("{}", values)


@pytest.mark.parametrize(
    "binding", [take("c", "id"), take_all(["a", "c"], "id"), take("b", "name")]
)
def test_a_value_that_is_not_there_yet_raises(binding: Binding):
    with pytest.raises(KeyError):
        binding.value(RESULTS)


@pytest.mark.parametrize(
    ("binding", "shown"),
    [
        (take("charge", "charge_id"), "<charge_id of charge>"),
        (take_all(["r1", "r2"], "hold_id"), "<hold_id of r1>, <hold_id of r2>"),
        (take_into("Your order {}", "order", "order_id"), "Your order <order_id of order>"),
    ],
)
def test_a_binding_is_shown_as_where_its_value_comes_from_and_read_back_as_it_was(binding, shown):
    assert str(binding) == shown
    assert Binding.model_validate(binding.model_dump(mode="json")) == binding
