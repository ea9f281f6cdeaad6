"""Write all that is made from the code anew."""

from __future__ import annotations

from docs.made.files import made, written

for path, text in made().items():
    if written(path) != text:
        path.write_text(text)
        print(f"{path.name}: written anew")  # noqa: T201
