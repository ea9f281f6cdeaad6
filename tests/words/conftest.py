"""What conversations with the stand-in begin with, and how much properties are tried here, too."""

import pytest

from tests.property.conftest import pytest_configure as pytest_configure
from tests.words.shop_talk import ShopTalk, fill


@pytest.fixture
def talk() -> ShopTalk:
    """Yield a conversation with nothing in the cart."""
    return ShopTalk()


@pytest.fixture
def filled(talk: ShopTalk) -> ShopTalk:
    """Yield a conversation with boots and two pairs of socks in the cart."""
    fill(talk)
    return talk
