"""Tags of a call, from templates over its arguments."""

import pytest

from daybook.tools.calling import tags_of


@pytest.mark.parametrize(
    ("templates", "args", "tags"),
    [
        (("order:{order_id}", "all"), {"order_id": "#W1"}, ["order:#W1", "all"]),
        (("order:{order_id}", "all"), {}, ["all"]),
        (("order:{order_id}",), {"order_id": ["#W1"]}, ["order:['#W1']"]),
        ((), {"order_id": "#W1"}, []),
    ],
)
def test_a_tag_without_its_argument_names_nothing(templates, args, tags):
    assert tags_of(templates, args) == tags
