"""The policy of a deployment: a TOML file whose rules come before the domain's own."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import ValidationError

from daybook.state.errors import ConfigurationError
from daybook.state.misfits import faults_of
from daybook.state.people.policy import Policy
from daybook.tools.checks.domain import check_policy
from daybook.tools.domain import Domain


def policy_of(path: Path | None, domain: Domain) -> Policy:
    """Read the rules of a deployment; none where there is no file.

    The file holds `[[rules]]` tables with the fields of `daybook.state.people.policy.Rule`, money
    as `{amount = 5000, currency = "USD"}` in cents.

    Raises:
        ConfigurationError: the file is not there, is no TOML, or holds something else.
        DeclarationError: a rule names a tool or a flow position that the domain does not have.
    """
    if path is None:
        return Policy()
    try:
        policy = Policy.model_validate(tomllib.loads(path.read_text()))
    except OSError as error:
        raise ConfigurationError(
            f"DAYBOOK_POLICY names {path}, which cannot be read: {error.strerror}. Nothing was "
            "started."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"DAYBOOK_POLICY names {path}, which is no TOML: {error}. Nothing was started."
        ) from error
    except ValidationError as error:
        raise ConfigurationError(
            f"DAYBOOK_POLICY names {path}, whose rules cannot be read: "
            f"{faults_of(error, 'the file')}. Nothing was started; `daybook policy` shows rules."
        ) from error
    check_policy(policy, domain.registry, domain.flow)
    return policy
