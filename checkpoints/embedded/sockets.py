"""Where the embedded server's socket is: a short, private folder with a name that stays."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

# A socket's path has at most 103 bytes (macOS) or 107 (Linux), so it cannot be with the data. The
# place is fixed: TMPDIR and XDG_RUNTIME_DIR differ between processes that must meet.
_PLACE = Path("/tmp")


def socket_folder(folder: Path) -> Path:
    """Name the socket's folder of the server over `folder`; it is the same for every process.

    The name hashes the path, so that a copied folder has another one, and a token in the folder,
    so that a folder made anew in the place of a removed one has another one too: the keeper of the
    removed one may still be about to remove its sockets.
    """
    identity = f"{_token(folder)}:{folder.resolve()}"
    return _PLACE / f"daybook-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"


def _token(folder: Path) -> str:
    """Read the folder's token, written once by whichever process comes first."""
    path = folder / "token"
    if not path.exists():
        own = folder / f"token.{os.getpid()}.{secrets.token_hex(4)}"
        own.write_text(secrets.token_hex(8))
        try:
            path.hardlink_to(own)  # complete or not at all, and never over another process's
        except FileExistsError:
            pass
        finally:
            own.unlink()
    return path.read_text()
