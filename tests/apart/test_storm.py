"""`make storm`, for a few seconds: what it shows is so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.processes import REPOSITORY


@pytest.mark.long
def test_a_short_storm_leaves_every_effect_once(tmp_path: Path):
    storm = subprocess.run(
        [
            *(sys.executable, "-m", "evals.storm", "--ignore-keys", "--seconds", "4"),
            *("--threads", "3", "--workers", "2", "--alone", "0"),
        ],
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert storm.returncode == 0, storm.stdout + storm.stderr
    assert "Exact." in storm.stdout
    assert list(tmp_path.iterdir()) == []
