"""Encrypt anew what older keys wrote, so that they can be put away."""

from __future__ import annotations

from daybook.app.output import tell
from daybook.checkpoints.encryption import Cipher
from daybook.checkpoints.rekeying import rekey
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.errors import ConfigurationError


async def encrypt_anew(settings: Settings) -> None:
    """Write with the newest key whatever older ones wrote; it can be stopped and run again.

    Raises:
        ConfigurationError: there is no key, or the user of the database does not own it.
        CannotDecrypt: something was written with a key that is not here.
    """
    if settings.aes_key is None:
        raise ConfigurationError(
            "There is no key to encrypt with: set LANGGRAPH_AES_KEY, and the keys before it in "
            "DAYBOOK_OLDER_AES_KEYS. Nothing was changed."
        )
    cipher = Cipher(settings.aes_key, settings.older_aes_keys)
    async with open_database(settings) as postgres:
        count = await rekey(postgres, cipher)
    tell(f"{count} values encrypted anew. The older keys open nothing here any more.")
