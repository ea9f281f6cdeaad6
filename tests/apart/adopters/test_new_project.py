"""`daybook new` from the wheel, in a clean environment: what it writes runs, and passes its tests.

The project has packages called `tools`, `state` and `graph`, as Daybook's own folders are.
"""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.dev_server import free_port
from tests.integration.keyboard import PATIENCE, ROOT, Keyboard

CHAT = "hire red on 2031-05-06"
LONGEST = 600.0
"""Seconds after which a command is given up, on a machine that does much else."""


@dataclass(frozen=True)
class Stranger:
    """Hold somebody's machine: Daybook's wheel, a home, and the project that was written.

    Attributes:
        environment: what is set there, and nothing else.
    """

    environment: Mapping[str, str]
    folder: Path

    @property
    def project(self) -> Path:
        return self.folder / "shopfront"

    def runs(self, *command: str, there: Path | None = None, **more: str) -> str:
        """Run a command to its end, and return what it printed."""
        ended = subprocess.run(
            command,
            cwd=there or self.folder,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    """Install the wheel of this checkout where nothing else of it can be seen, and run `new`.

    What it depends on is not installed anew: the environment sees the packages of this one, by a
    path that no editable install comes along with.
    """
    folder = tmp_path_factory.mktemp("stranger")
    venv, home = folder / "venv", folder / "home"
    home.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    packages = sysconfig.get_path("purelib")
    (site,) = (venv / "lib").glob("python*/site-packages")
    (site / "dependencies.pth").write_text(f"{packages}\n")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    installing = ["install", "--no-index", "--no-deps", "--ignore-installed", wheel_in(folder)]
    subprocess.run([*pip, "--python", venv / "bin/python", *installing], check=True)
    path = os.pathsep.join([str(venv / "bin"), os.environ["PATH"]])
    environment = {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "COLUMNS": "200"}
    one = Stranger(environment, folder)
    one.runs("daybook", "new", "shopfront")
    return one


def wheel_in(folder: Path) -> Path:
    """Build the wheel from a copy: what an earlier build has left in the checkout stays out."""
    source, wheels = folder / "source", folder / "wheels"
    left = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", source / "src", ignore=left)
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, source)
    building = ["wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([sys.executable, "-m", "pip", *building, "-w", wheels, source], check=True)
    (wheel,) = wheels.glob("*.whl")
    return wheel


def test_the_wheel_is_what_is_used_and_the_checkout_is_out_of_reach(stranger: Stranger):
    asked = (
        "import daybook, importlib.util as u, tools, state, graph;"
        "print(daybook.__file__, u.find_spec('evals'), u.find_spec('nodes'), tools.__file__)"
    )
    said = stranger.runs("python3", "-c", asked, there=stranger.project).split()
    assert Path(said[0]).is_relative_to(stranger.folder / "venv")
    assert said[1:] == ["None", "None", str(stranger.project / "tools/__init__.py")]


def test_make_run_hires_a_bike_that_is_there_no_more(stranger: Stranger):
    person = Keyboard(stranger.environment, "run", program=("make",), folder=stranger.project)
    with person:
        person.sees("For which day?")
        person.type("bikes on 2031-05-06")
        person.sees("red (25.00 EUR)")
        person.type(CHAT)
        person.sees("Hire the red bike on 2031-05-06")
        person.sees("approve?")
        person.type("y")
        person.sees("the red bike is yours on 2031-05-06")
        person.type("bikes on 2031-05-06")
        assert "red" not in person.sees("cargo (60.00 EUR)").partition("find_bikes:")[2]
        said, code = person.leaves()
        assert code == 0
    continues = said.partition("Continue this conversation with: ")[2].strip()
    assert continues.startswith("make run CHAT=")
    back = Keyboard(stranger.environment, continues, program=("sh", "-c"), folder=stranger.project)
    with back:
        assert continues.split()[-1].strip("'") in back.sees("> ")
        os.killpg(back.process.pid, signal.SIGINT)
        assert "make: ***" not in back.leaves()[0]


def test_the_interpreter_that_wrote_a_project_runs_it_without_being_activated(
    stranger: Stranger,
):
    path = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    assert "opens the chat" not in stranger.runs("make", "ready", there=stranger.project, **path)
    ended = subprocess.run(
        [stranger.folder / "venv/bin/python", "-m", "daybook", "chat"],
        cwd=stranger.project,
        env={**stranger.environment, "DAYBOOK_HOME": str(stranger.project / ".daybook")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr.startswith("SERVICE_URL is not set")) == (1, True)


@pytest.mark.parametrize("every", ["8", pytest.param("1", marks=pytest.mark.long)])
def test_make_test_passes(stranger: Stranger, tmp_path: Path, every: str):
    shutil.copy(Path(__file__).with_name("few.py"), tmp_path)
    some = {"PYTHONPATH": str(tmp_path), "PYTEST_ADDOPTS": "-p few", "EVERY": every}
    assert " 4 passed" in stranger.runs("make", "test", there=stranger.project, **some)


@contextmanager
def served(stranger: Stranger) -> Iterator[httpx.Client]:
    """Run `make serve`, and end it with all that it has started."""
    port = free_port()
    make = subprocess.Popen(
        ["make", "serve", f"PORT={port}"],
        cwd=stranger.project,
        env=dict(stranger.environment),
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE) as http:
            while True:
                assert make.poll() is None, "the server has ended"
                with suppress(httpx.TransportError):
                    if http.get("/ok").is_success:
                        break
            yield http
    finally:
        # As a terminal does it: to everybody who runs in it.
        os.killpg(make.pid, signal.SIGINT)
        make.wait(PATIENCE)


@pytest.mark.long
def test_make_serve_asks_and_is_answered_through_the_api(stranger: Stranger):
    with served(stranger) as http:
        thread = http.post("/threads", json={}).json()["thread_id"]

        def run(**given: object) -> dict[str, object]:
            body = {"assistant_id": "shopfront", **given}
            answer = http.post(f"/threads/{thread}/runs/wait", json=body).raise_for_status()
            values: dict[str, object] = answer.json()
            return values

        said = {"role": "user", "content": "hire blue on 2031-05-07"}
        assert "__interrupt__" in run(input={"messages": [said]})
        done = run(command={"resume": {"decisions": [{"type": "approve"}]}})
        assert done["hired"] == ["blue on 2031-05-07"]
