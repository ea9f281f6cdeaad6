"""Create the data folder if needed, and become the Postgres server.

A script of the standard library alone: `python -I -S program.py BINARIES DATA SOCKETS`.
It runs as the keeper's program, under the program lock: no process of an earlier server over these
data lives, which is why leftovers may be removed here and nowhere else.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys

USER = "postgres"
"""Not daybook: a search path leads a user first into the schema of its name."""
PORT = 5432
SOCKET_NAME = f".s.PGSQL.{PORT}"

_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    # A failed statement and the key it violated may hold personal data, which must not outlive
    # their erasure in a log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}


def main(binaries: str, data: str, sockets: str) -> None:
    """Initialise `data` unless it is there, and execute the server over it.

    Args:
        binaries: the folder of `postgres` and `initdb`.
        sockets: the folder of the server's socket; it exists and is private.
    """
    if not os.path.exists(data):
        _initialise(binaries, data)
    _remove_leftovers(data, sockets)
    settings = _SETTINGS | {"unix_socket_directories": sockets}
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    # Its own name in full: Postgres looks for its libraries beside the program that it names.
    postgres = f"{binaries}/postgres"
    os.execv(postgres, [postgres, "-D", data, *options])


def _initialise(binaries: str, data: str) -> None:
    """Make a data folder beside its place and move it there complete.

    A killed `initdb` leaves only the folder beside it, which the next start removes.
    """
    import subprocess  # slow to import, and wanted only at the first start

    unfinished = f"{data}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        subprocess.run(
            [
                *(f"{binaries}/initdb", "-D", unfinished, "--username", USER),
                # Only the socket's folder, of mode 0700, lets anybody in: the system's user is
                # checked there, before any word of Postgres.
                *("--auth", "trust", "--encoding", "UTF8", "--locale", "C"),
                *("--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
                "--no-instructions",
            ],
            stdout=sys.stderr,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        sys.exit(f"initdb ended with {error.returncode}.")
    except KeyboardInterrupt:
        sys.exit("Stopped while the data folder was made.")
    os.rename(unfinished, data)


def _remove_leftovers(data: str, sockets: str) -> None:
    """Remove what a killed server left: its files name a process id that anybody may have now."""
    pid_file = f"{data}/postmaster.pid"
    if os.path.exists(pid_file):
        foreign = _answering_socket(pid_file)
        if foreign:
            sys.exit(f"A server that Daybook did not start runs over {data}, at {foreign}.")
        os.unlink(pid_file)
    for name in (SOCKET_NAME, f"{SOCKET_NAME}.lock"):
        path = f"{sockets}/{name}"
        if os.path.lexists(path):
            os.unlink(path)


def _answering_socket(pid_file: str) -> str:
    """Return the socket of the server that wrote the file if it accepts connections, else ""."""
    with open(pid_file) as file:
        lines = file.read().splitlines()
    if len(lines) < 5 or not lines[4]:
        return ""
    path = f"{lines[4].strip()}/.s.PGSQL.{lines[3].strip()}"
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except OSError:
            return ""
    return path


if __name__ == "__main__":
    main(*sys.argv[1:])
