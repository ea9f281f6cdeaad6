"""Words that stand around the name of a product, and tell whether it is meant."""

STANDS_FOR = frozenset({"one", "pair", "model", "product", "item", "footwear"})
"""Nouns that may stand for any kind of goods."""

DEFINITE = frozenset({"the", "this", "thi", "that", "these", "those", "your", "our", "my"})
"""Words that point at goods that are known."""

ARTICLES = frozenset({"a", "an", "any", "every", "each", "some"})
"""Words behind which anything of a kind may stand."""

OTHERS = frozenset(
    {"other", "another", "more", "several", "many", "different", "few", "some", "any", "all"}
)
"""Words that tell of other goods, or of many."""

PARTS = frozenset({"or", "and", "for", "but", "than", "with", "instead", "while", "to", "in"})
"""Words at which one thing ends and another begins."""

BY = frozenset({"by", "from", "of"})
"""Words between goods and their brand."""

OPENING = frozenset(
    {
        "try", "consider", "take", "get", "buy", "see", "look", "choose", "pick", "add", "order",
        "how", "what", "why", "maybe", "perhaps", "also", "our", "here", "still", "recommended",
        "wear", "grab", "best", "my", "i", "so", "yes", "no", "but", "option", "choice", "shall",
        "should", "can", "could", "would", "may", "might", "will", "do", "did", "if", "when",
        "since", "because", "well", "ok", "okay", "now", "then", "let", "want",
    }
)  # fmt: skip
"""Words that may stand with a capital before a name, and are no part of it."""

TAKING = frozenset({"try", "consider", "take", "get", "buy", "choose", "pick", "wear", "grab"})
"""Words behind which a name may stand without anything else."""
