"""The embedded Postgres under several users, each of whom may be killed at any time."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.state.errors import EmbeddedPostgresError
from tests.integration.processes import (
    REPOSITORY,
    User,
    keeper_and_program,
    lives,
    wait_for_end,
    wait_until_nothing_runs,
)

Start = Callable[..., User]

USE = """
import sys
from pathlib import Path
from daybook.checkpoints.embedded.postgres import embedded_postgres

with embedded_postgres(Path(sys.argv[1])) as server:
    print(server.url, flush=True)
    sys.stdin.readline()
"""

FORK_A_USER = """
import os, sys
from pathlib import Path
from daybook.checkpoints.embedded.postgres import embedded_postgres

server = embedded_postgres(Path(sys.argv[1]))
child = os.fork()
if child:
    print(child, flush=True)
    sys.stdin.readline()
else:
    import signal
    signal.pause()
"""

# Become root of a new user namespace with as many users as the first argument says, in which no
# further one may be made, and execute the rest. A forked child, which stays outside, writes the
# maps: more than one user may not be mapped from within.

# `env` in between, since setpriv itself passes every folder until it has executed something.
NOBODY = (
    *("setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups"),
    *("env", f"PYTHONPATH={REPOSITORY / 'src'}:{sysconfig.get_path('purelib')}"),
)


def works(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, cwd=REPOSITORY).returncode == 0


def python_for_nobody() -> tuple[str, ...] | None:
    """Find an interpreter that the user nobody can execute with what is installed here."""
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        if works(*NOBODY, python, "-c", "import daybook.checkpoints.embedded.postgres"):
            return (*NOBODY, python)
    return None


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")


@contextmanager
def new_home() -> Iterator[Path]:
    """Make a folder of mode 0700; wait in the end until no process of a server over it is left."""
    path = Path(tempfile.mkdtemp(prefix="daybook-test-"))
    yield path
    wait_until_nothing_runs(path / "postgres")
    shutil.rmtree(path)


@pytest.fixture
def home() -> Iterator[Path]:
    with new_home() as path:
        yield path


@pytest.fixture(scope="module")
def used_home() -> Iterator[Path]:
    """A home with a database that nobody uses; a test leaves it as it found it."""
    with new_home() as path:
        with embedded_postgres(path):
            pass
        yield path


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    """Start user processes of the server over `home`, and kill those that still live."""
    with ExitStack() as users:

        def start_user(script: str = USE, python: tuple[str, ...] = (sys.executable,)) -> User:
            return users.enter_context(User(script, str(home), python=python))

        yield start_user


def socket_folder(url: str) -> Path:
    return Path(parse_qs(urlsplit(url).query)["host"][0])


def write_row(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS entry (line text)")
        connection.execute("INSERT INTO entry VALUES ('kept')")


def rows(url: str) -> list[tuple[str]]:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT line FROM entry").fetchall()


def server_pid(url: str) -> int:
    """Return the id of the process that listens on the socket."""
    with (socket_folder(url) / ".s.PGSQL.5432.lock").open() as file:
        return int(file.readline())


def test_when_the_last_user_has_closed_all_that_is_left_is_in_the_home(home: Path) -> None:
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    server = embedded_postgres(home)
    keeper, postmaster = keeper_and_program(home / "postgres")
    assert lives(postmaster)
    server.close()
    assert not lives(postmaster)
    wait_for_end(keeper)
    assert not socket_folder(server.url).exists()
    assert (home / "postgres" / "data" / "PG_VERSION").exists()


def test_only_this_user_can_reach_the_server_and_only_by_its_socket(used_home: Path) -> None:
    with embedded_postgres(used_home) as server:
        folder = socket_folder(server.url)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.stat().st_uid == os.geteuid()
        with psycopg.connect(server.url) as connection:
            assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_a_commit_is_on_disk_and_text_and_time_do_not_depend_on_the_machine(
    used_home: Path,
) -> None:
    expected = {
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "data_checksums": "on",
        "server_encoding": "UTF8",
        "TimeZone": "UTC",
    }
    with embedded_postgres(used_home) as server, psycopg.connect(server.url) as connection:
        for name, value in expected.items():
            assert connection.execute("SELECT current_setting(%s)", (name,)).fetchone() == (value,)
        assert connection.execute("SELECT lower('ÄÖÜ')").fetchone() == ("äöü",)


def test_three_first_starts_at_once_share_one_server(home: Path, start: Start) -> None:
    users = [start() for _ in range(3)]
    urls = {user.line() for user in users}
    assert len(urls) == 1
    url = urls.pop()
    write_row(url)
    keeper, postmaster = keeper_and_program(home / "postgres")
    for user in users[:2]:
        user.leave()
        assert rows(url) == [("kept",)]
    users[2].leave()
    wait_for_end(keeper)
    wait_for_end(postmaster)


def test_after_a_killed_postmaster_the_next_use_has_all_committed_rows(home: Path) -> None:
    with embedded_postgres(home) as first:
        write_row(first.url)
        killed = server_pid(first.url)
        os.kill(killed, signal.SIGKILL)
        with embedded_postgres(home) as second:
            assert rows(second.url) == [("kept",)]
            assert server_pid(second.url) != killed
            assert rows(first.url) == [("kept",)]


def test_a_killed_only_user_takes_server_keeper_and_socket_along(home: Path, start: Start) -> None:
    user = start()
    url = user.line()
    keeper, postmaster = keeper_and_program(home / "postgres")
    user.kill()
    wait_for_end(postmaster)
    wait_for_end(keeper)
    assert not socket_folder(url).exists()
    log = (home / "postgres" / "log").read_text()
    assert "received fast shutdown request" in log
    assert "database system is shut down" in log


def test_a_forked_child_keeps_the_server_when_its_parent_is_killed(
    home: Path, start: Start
) -> None:
    parent = start(FORK_A_USER)
    child = int(parent.line())
    try:
        keeper, postmaster = keeper_and_program(home / "postgres")
        os.kill(parent.pid, signal.SIGKILL)
        wait_for_end(parent.pid)
        with embedded_postgres(home) as server:
            assert server_pid(server.url) == postmaster
        assert lives(postmaster)
    finally:
        os.kill(child, signal.SIGKILL)
    wait_for_end(postmaster)
    wait_for_end(keeper)


def test_a_killed_keeper_leaves_no_server_and_the_next_use_starts_one(home: Path) -> None:
    with embedded_postgres(home) as first:
        write_row(first.url)
        keeper, postmaster = keeper_and_program(home / "postgres")
        os.kill(keeper, signal.SIGKILL)
        wait_for_end(postmaster)
        with embedded_postgres(home) as second:
            assert rows(second.url) == [("kept",)]
            second_keeper, _ = keeper_and_program(home / "postgres")
            assert second_keeper != keeper
    assert not socket_folder(first.url).exists()


def test_a_server_that_somebody_else_runs_over_the_data_is_left_alone(used_home: Path) -> None:
    pid_file = used_home / "postgres" / "data" / "postmaster.pid"
    with socket.socket(socket.AF_UNIX) as foreign:
        foreign.bind(str(used_home / ".s.PGSQL.6000"))
        foreign.listen()
        pid_file.write_text(f"{os.getpid()}\ndata\n1700000000\n6000\n{used_home}\n\n0 0\nready\n")
        with pytest.raises(EmbeddedPostgresError, match="A server that Daybook did not start"):
            embedded_postgres(used_home)
    pid_file.unlink()  # it was left where it was


def test_an_initdb_that_was_killed_is_made_again(home: Path) -> None:
    unfinished = home / "postgres" / "data.unfinished"
    (unfinished / "base").mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")
    with embedded_postgres(home) as server:
        write_row(server.url)
        assert rows(server.url) == [("kept",)]
    assert not unfinished.exists()


def test_data_of_another_major_version_are_refused_with_both_named(home: Path) -> None:
    data = home / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedPostgresError, match=r"created by Postgres 17.* Postgres 18"):
        embedded_postgres(home)


def test_a_failed_start_shows_the_end_of_the_servers_log(used_home: Path) -> None:
    settings = used_home / "postgres" / "data" / "postgresql.auto.conf"
    before = settings.read_text()
    settings.write_text("shared_buffers = nonsense\n")
    with pytest.raises(EmbeddedPostgresError, match="shared_buffers"):
        embedded_postgres(used_home)
    settings.write_text(before)


def test_a_socket_folder_that_is_somebody_elses_is_refused(used_home: Path) -> None:
    with embedded_postgres(used_home) as server:
        pass
    sockets = socket_folder(server.url)
    sockets.symlink_to(used_home)
    try:
        with pytest.raises(EmbeddedPostgresError, match="belongs to another user"):
            embedded_postgres(used_home)
    finally:
        sockets.unlink()


@as_root
def test_a_folder_of_another_user_is_refused(home: Path) -> None:
    folder = home / "postgres"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    with pytest.raises(EmbeddedPostgresError, match="belongs to user id 65534"):
        embedded_postgres(home)


@as_root
def test_a_user_other_than_root_has_a_server_of_its_own(home: Path, start: Start) -> None:
    python = python_for_nobody()
    if python is None:
        pytest.skip("the user nobody can execute no interpreter with what is installed here")
    os.chown(home, 65534, 65534)
    user = start(python=python)
    url = user.line()
    assert socket_folder(url).stat().st_uid == 65534
    write_row(url)
    user.leave()
    again = start(python=python)
    assert rows(again.line()) == [("kept",)]
    assert (home / "postgres" / "data").stat().st_uid == 65534
    again.leave()
