"""How much properties are tried here, too."""

from tests.property.conftest import pytest_configure as pytest_configure
