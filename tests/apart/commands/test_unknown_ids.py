"""Commands that are given an id that nothing has."""

import pytest

from tests.apart.test_cli import Terminal, terminal
from tests.integration.test_unknown_ids import UNKNOWN

__all__ = ["terminal"]


CODES = {"probe-check": 2}


@pytest.mark.parametrize("command", UNKNOWN)
def test_an_unknown_id_is_an_error_in_words(terminal: Terminal, command: str):
    for args in UNKNOWN[command]:
        out, err, code = terminal.run(*command.split(), *args)
        assert code == CODES.get(command, 1), (args, out, err)
        assert err.strip()
        assert "Traceback" not in err
