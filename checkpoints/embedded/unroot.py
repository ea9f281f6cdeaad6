"""Run a command as a user other than root, since Postgres refuses to run as root.

A script of the standard library alone: `python -I -S embedded_unroot.py DATA REACH... -- COMMAND`.
Two ways are tried, each first in a forked child that reports whether it could reach every folder:

1. a user namespace in which root is called `nobody`. For the rest of the system the server stays
   root's (files are root's, folders of mode 0700 stay open to it), but it has no capability.
   Containers often forbid it.
2. the user `nobody` with the one capability CAP_DAC_OVERRIDE, so that it passes folders of mode
   0700 on the way to its data and its binaries. The data belong to `nobody` then; the folder around
   them stays root's, so that other processes of `nobody` reach neither data nor socket.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import signal
import sys
from collections.abc import Callable, Sequence

_CLONE_NEWUSER = 0x10000000
_PR_SET_PDEATHSIG = 1
_PR_SET_KEEPCAPS = 8
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_CAP_DAC_OVERRIDE = 1
_CAPABILITY_VERSION_3 = 0x20080522

ADVICE = "Set DATABASE_URL, or run as a user other than root, or choose another DAYBOOK_HOME."


def main(data: str, reach: Sequence[str], command: list[str]) -> None:
    """Become someone other than root and execute `command`.

    Args:
        data: the folder that the command must own, if it exists already.
        reach: folders and programs that it must be able to open.
    """
    nobody = pwd.getpwnam("nobody")
    for become, owner in ((enter_namespace, 0), (become_nobody, nobody.pw_uid)):
        if _works(become, nobody, reach):
            _give(data, owner)
            keeper = os.getppid()
            become(nobody)
            # A change of identity clears the signal that the keeper's death sends.
            _libc().prctl(_PR_SET_PDEATHSIG, signal.SIGINT, 0, 0, 0)
            if os.getppid() != keeper:
                sys.exit("The keeper is gone.")
            os.execv(command[0], command)
    sys.exit(f"Postgres refuses to run as root, and no other identity could be taken. {ADVICE}")


def enter_namespace(nobody: pwd.struct_passwd) -> None:
    """Enter a user namespace in which this process's user has the id of `nobody`.

    Raises:
        OSError: the system forbids it.
    """
    uid, gid = os.geteuid(), os.getegid()
    _check(_libc().unshare(_CLONE_NEWUSER), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{nobody.pw_uid} {uid} 1"),
        ("gid_map", f"{nobody.pw_uid} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def become_nobody(nobody: pwd.struct_passwd) -> None:
    """Change to an unprivileged user that can still pass every folder.

    Raises:
        OSError: this process may not change its user or pass on the capability.
    """
    libc, uid, gid = _libc(), nobody.pw_uid, nobody.pw_gid
    _check(libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0), "keep capabilities")
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    mask = 1 << _CAP_DAC_OVERRIDE
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    # effective, permitted and inheritable, for the low and then the high 32 capabilities
    sets = (ctypes.c_uint32 * 6)(mask, mask, mask, 0, 0, 0)
    _check(libc.capset(header, sets), "set capabilities")
    _check(
        libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, _CAP_DAC_OVERRIDE, 0, 0),
        "pass on the capability",
    )


def _works(
    become: Callable[[pwd.struct_passwd], None], nobody: pwd.struct_passwd, reach: Sequence[str]
) -> bool:
    """Try a way in a child, and log why it does not work."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    try:
        become(nobody)
        for path in reach:
            if not os.access(path, os.R_OK | os.X_OK, effective_ids=True):
                raise PermissionError(f"cannot reach {path}")
        os._exit(0)
    except Exception as error:
        os.write(2, f"{become.__name__}: {error}\n".encode())
    os._exit(1)


def _give(folder: str, owner: int) -> None:
    """Make `owner` the owner of a folder and of all in it, if it exists and is another's."""
    if not os.path.exists(folder) or os.lstat(folder).st_uid == owner:
        return
    for parent, folders, files in os.walk(folder, topdown=False):
        for name in (*folders, *files):
            os.lchown(os.path.join(parent, name), owner, -1)
    os.lchown(folder, owner, -1)  # last: it says that the rest is done


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    split = sys.argv.index("--")
    main(sys.argv[1], sys.argv[2:split], sys.argv[split + 1 :])
