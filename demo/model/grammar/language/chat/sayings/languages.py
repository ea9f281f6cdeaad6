"""Tell what is in another language than English, or asks for one. Pure."""

import re
from typing import Final

_STRONG: Final = frozenset(
    """
    hola gracias quiero necesito busco tienes tienen hablas habla cuanto cuánto cuesta botas zapatos
    mochila buenos buenas dias espanol español ayuda comprar puedo donde dónde
    hallo danke bitte ich möchte moechte suche brauche haben sie wanderschuhe wanderstöcke rucksack
    zelt schlafsack guten sprechen deutsch kaufen habt kann gibt wieviel wie viel kostet
    bonjour salut merci je voudrais cherche parlez vous avez chaussures combien sac tente bonsoir
    francais français acheter est-ce veux besoin
    ciao grazie vorrei cerco scarponi avete quanto buongiorno parla italiano stivali zaino
    ola olá obrigado obrigada preciso quero voce você botas português
    goedendag ik zoek heeft wandelschoenen dank
    hej tak szukam dzien czesc привет здравствуйте
    """.split()  # noqa: SIM905
) - frozenset("wie viel sac tak rucksack kann dank est-ce hej sie gibt je".split())  # noqa: SIM905
_WEAK: Final = frozenset(
    """
    der die das und ein eine für fuer mit wie sie gibt viel kann nicht ist mir auf deutsch
    el la los las un una para con por que qué de mi y en es por favor
    le les un une pour avec et des du dans mon je vous est tu ma
    guten tag morgen abend il lo gli per che di una sono
    o os um uma com
    de het een voor met
    """.split()  # noqa: SIM905
)
_SPEAKS: Final = re.compile(
    r".*\b(?:speak|talk|understand|chat|answer|write|know|reply|in)\b.*\b(?:spanish|german"
    r"|french|italian"
    r"|portuguese|dutch|polish|chinese|japanese|russian|arabic|turkish|korean|swedish|hindi"
    r"|other languages?|another language|different language|my language|(?:which|what) "
    r"languages?)\b.*"
    r"|.*\b(?:which|what) languages?\b.*|(?:spanish|german|french|italian|deutsch|espanol|español"
    r"|francais|français)(?: please)?"
)
_FOREIGN_SHARE: Final = 0.4


def speaks_otherwise(sentence: str) -> bool:
    """Tell whether a sentence is in another language than English, or asks for one."""
    if _SPEAKS.fullmatch(sentence):
        return True
    words = re.findall(r"[^\W\d_]+", sentence)
    if not words:
        return False
    letters = "".join(words)
    if sum(letter > "\u024f" for letter in letters) * 2 > len(letters):
        return True
    strong = sum(word in _STRONG for word in words)
    weak = sum(word in _WEAK for word in words)
    return (strong > 0 and strong + weak >= min(2, len(words))) or (
        weak >= 2 and weak >= _FOREIGN_SHARE * len(words)
    )
