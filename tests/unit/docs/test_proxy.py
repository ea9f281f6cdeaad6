"""The reverse proxy's file in docs/operations.md is one that nginx takes."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_nginx_takes_the_file_of_the_page(tmp_path: Path):
    page = Path("docs/operations.md").read_text()
    (found,) = re.findall(r"```nginx\n(.*?)```", page, re.DOTALL)
    config = tmp_path / "nginx.conf"
    logs = f"pid {tmp_path}/pid; error_log stderr;"
    config.write_text(f"{logs} events {{}} http {{ access_log off; {found} }}")
    tried = subprocess.run(
        [str(NGINX), "-t", "-p", str(tmp_path), "-c", str(config)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert tried.returncode == 0, tried.stderr
