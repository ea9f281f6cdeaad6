"""Build the wheel and the sdist, check them, and use the wheel in clean environments.

One of each Python that is named: python .ci/package.py [PYTHON...]

Prints what the core installs against its bounds in pyproject.toml; exits 1 above one.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from daybook.domain import embedded_postgres

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
MOST_MB = 1.5
BOUNDS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["daybook"]["size"]["adopter"]

# What the core brings beside pip, and its files on disk.
INSTALLED = """
import importlib.metadata, pathlib, sysconfig
apart = {"pip", "setuptools", "wheel"}
known = [one for one in importlib.metadata.distributions() if one.name not in apart]
site = pathlib.Path(sysconfig.get_path("purelib"))
files = (file for top in site.iterdir() if top.name.partition("-")[0] not in apart
         for file in ([top] if top.is_file() else top.rglob("*")) if file.is_file())
print(len(known), round(sum(file.stat().st_size for file in files) / 1e6, 1))
"""


def run(*command: str | Path, **more: str) -> str:
    """Run a command in a folder that is no checkout, and return what it printed."""
    environment = {**os.environ, **more}
    environment.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{ended.stdout}{ended.stderr}")
    return ended.stdout.strip()


def hold(name: str, count: float, bound: float) -> None:
    """Print a figure, and end above its bound."""
    print(f"{name}: {count:g} (at most {bound:g})", flush=True)
    if count > bound:
        sys.exit(f"{name}: {count:g} is above {bound:g}")


def build() -> Path:
    """Build the sdist and from it the wheel, check both, and return the wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", DIST, ROOT)
    # Beside the modules it would be found before what is installed.
    for left in (ROOT / "src").glob("*.egg-info"):
        shutil.rmtree(left)
    [wheel], [sdist] = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    print(run(sys.executable, "-m", "twine", "--no-color", "check", "--strict", wheel, sdist))
    hold(f"MB of {wheel.name}", round(wheel.stat().st_size / 1e6, 2), MOST_MB)
    names = zipfile.ZipFile(wheel).namelist()
    if strays := [name for name in names if not name.startswith(("daybook/", "daybook_agent-"))]:
        sys.exit(f"The wheel holds what is not ours: {strays}")
    if strays := [name for name in names if name.startswith("daybook/demo/")]:
        sys.exit(f"The wheel holds the demo: {strays}")
    return wheel


def use(wheel: Path, python: str, database: str) -> None:
    """Install the wheel for a Python, measure what came with it, and carry an effect out."""
    with tempfile.TemporaryDirectory(prefix="daybook-package-") as folder:
        venv = Path(folder) / "venv"
        run(python, "-m", "venv", venv)
        inside = venv / "bin/python"
        run(inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
        version = run(inside, "-c", "import platform; print(platform.python_version())")
        count, size = map(float, run(inside, "-c", INSTALLED).split())
        hold(f"Python {version}: packages of the core", count, BOUNDS["packages of the core"][1])
        hold(f"Python {version}: MB of the core", size, BOUNDS["MB of the core"][1])
        effect = ROOT / "examples/first_effect.py"
        print(f"Python {version}:", run(inside, effect, DATABASE_URL=database), flush=True)


def main() -> None:
    """Do it for the Pythons that are named, else for this one."""
    wheel = build()
    for python in sys.argv[1:] or [sys.executable]:
        with tempfile.TemporaryDirectory(prefix="daybook-postgres-") as folder:
            database = embedded_postgres(Path(folder))
            try:
                use(wheel, python, database.url)
            finally:
                database.close()


if __name__ == "__main__":
    main()
