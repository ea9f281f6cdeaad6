"""What adopters copy passes pyright's strict mode: the examples, and the code of a page."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/agents.md").read_text()
MODEL = """
from langchain_core.language_models import BaseChatModel
from daybook.testing import ScriptedModel
model: BaseChatModel = ScriptedModel()
"""


def test_the_code_of_the_page_passes_pyright_as_the_examples_do(tmp_path: Path):
    code = "".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    (tmp_path / "page.py").write_text(MODEL + code)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pyright"]
    own = {**settings, "include": ["."], "venvPath": str(ROOT)}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(own))
    command = [sys.executable, "-m", "pyright", "--project", tmp_path]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
