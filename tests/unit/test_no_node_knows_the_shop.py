"""What serves every domain names none: neither the shop's tools nor its words."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

OF_THE_SHOP = {"state/shop/cart.py", "state/shop/state.py"}
ROOMS = {ROOT / "state" / "shop", ROOT / "state" / "merchants"}
"""The shop's own, and the merchants', on a floor that all share."""

PATTERNS = (
    "nodes/**/*.py",
    "checkpoints/**/*.py",
    "checkpoints/**/*.sql",
    "state/**/*.py",
    "tools/*.py",
    "tools/services/**/*.py",
)
NAMING = {"state/extras.py"}
"""An extra is called so."""

WIRING = [f"graph/{name}.py" for name in ("build", "database", "guarded", "serve")]
SHARED = sorted(
    {
        *WIRING,
        *(
            str(path.relative_to(ROOT))
            for p in PATTERNS
            for path in ROOT.glob(p)
            if not ROOMS & set(path.parents)
        ),
    }
)

WORDS = re.compile(
    r"tools\.shop|state\.(shop|cart)|(?<![a-z])(shops?|carts?|skus?|checkouts?|baskets?)(?![a-z])",
    re.IGNORECASE,
)


def test_no_word_of_the_shop_stands_in_what_serves_every_domain():
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in SHARED
        if path not in NAMING
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1)
        if WORDS.search(line)
    ]
    assert found == []


def test_the_second_domain_imports_nothing_of_the_shop():
    for path in (ROOT / "tests" / "rooms").glob("*.py"):
        assert not WORDS.search(path.read_text().split('"""', 2)[2]), path.name


def test_the_words_are_found_where_they_stand():
    assert all(WORDS.search((ROOT / path).read_text()) for path in OF_THE_SHOP)
