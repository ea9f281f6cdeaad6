from dataclasses import dataclass


@dataclass(frozen=True)
class EffectKind:
    name: str


KINDS = ()


def kinds_of(tool, kinds=KINDS):
    return ()
