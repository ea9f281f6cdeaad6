"""No folder outgrows its bound in pyproject.toml."""

from pathlib import Path

from evals.size import burdens, sizes


def test_each_folder_is_within_its_bound():
    assert [one for one in sizes() if one.is_above] == []


def test_what_an_adopter_takes_on_is_within_its_bounds():
    assert [one for one in burdens() if not 0 < one.count <= one.bound] == []


def test_a_folder_above_its_bound_is_found(tmp_path: Path):
    for folder in ("state", "checkpoints", "nodes", "graph", "tools", "app", "demo", "evals"):
        (tmp_path / folder).mkdir()
    (tmp_path / "tests" / "unit").mkdir(parents=True)
    (tmp_path / "tests" / "unit" / "test_it.py").write_text("pass\n" * 3)
    (tmp_path / "state" / "one.py").write_text("pass\n" * 2)
    targets = "\n".join(f"{size.folder} = 1" for size in sizes())
    (tmp_path / "pyproject.toml").write_text(
        f"[tool.daybook.size.bounds]\ntests = 2\nproduct = 2\n[tool.daybook.size.targets]\n{targets}\n"
    )
    found = {size.folder: size for size in sizes(tmp_path)}
    assert found["product"].lines == 2
    assert not found["product"].is_above
    assert found["tests"].is_above
