"""How much properties are tried here, too; and a certificate that nobody trusts by itself."""

import pytest

from tests.property.conftest import pytest_configure as pytest_configure
from tests.unit.certificates import Authority


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Issue a certificate for 127.0.0.1."""
    return Authority(tmp_path_factory.mktemp("authority"))
