from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    texts: tuple
    effects: tuple
    kinds: tuple


@dataclass(frozen=True)
class Finding:
    kind: str
    about: str
    start: int
    end: int
    quote: str
    correction: str


def check(text, known):
    return []


def correction_text(findings):
    return " ".join(f.correction for f in findings)
