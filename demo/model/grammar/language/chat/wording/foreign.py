"""Read a message in another language word by word, as far as it is about the shop. Pure.

It is no translation: it finds the goods, the numbers, the limits and the verbs, so that a person
is served who does not write English. What is left in the other language is not guessed.
"""

import re
from functools import lru_cache
from typing import Final

from daybook.demo.model.grammar.language.chat.names import MODEL_WORDS
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods

_TABLE: Final = """
ich=i möchte=would_like moechte=would_like will=want suche=look_for brauche=need hätte=would_like
gern= gerne= einen=a eine=a ein=a einem=a einer=a der=the die=the das=the den=the dem=the des=of
für=for fuer=for mit=with ohne=without und=and oder=or bitte=please danke=thanks unter=under
höchstens=at_most hoechstens=at_most maximal=at_most bis=up_to über=over ueber=over zwei=two
drei=three vier=four fünf=five fuenf=five sechs=six zehn=ten paar=pair schlafsack=sleeping_bag
schlafsäcke=sleeping_bags zelt=tent zelte=tents rucksack=backpack rucksäcke=backpacks
wanderschuhe=hiking_boots wanderstiefel=hiking_boots schuhe=shoes stiefel=boots socken=socks
jacke=jacket jacken=jackets regenjacke=rain_jacket stirnlampe=headlamp stirnlampen=headlamps
lampe=lamp kocher=stove gaskocher=gas_stove flasche=bottle trinkflasche=water_bottle
wasserflasche=water_bottle flaschen=bottles wanderstöcke=trekking_poles stöcke=poles
trekkingstöcke=trekking_poles wasserdicht=waterproof wasserdichte=waterproof
wasserdichten=waterproof warm=warm warme=warm leicht=light leichte=light leichter=lighter
günstig=cheap billig=cheap billigste=cheapest günstigste=cheapest günstigsten=cheapest
teuer=expensive lege=put legen=put leg=put warenkorb=cart in=in zum=to_the hinzu= hinzufügen=add
nehme=take nimm=take kaufe=buy kaufen=buy bestellen=order entfernen=remove entferne=remove raus=out
löschen=remove kostet=costs kosten=cost was=what wie=how viel=much viele=many versand=shipping
lieferung=delivery lieferzeit=delivery rückgabe=return zurückgeben=return umtauschen=exchange
zahlen=pay bezahlen=pay kasse=check_out habt=have_you_got haben=have sie=you ihr=you gibt=is_there
es=it ist=is sind=are wo=where meine=my mein=my bestellung=order zeig=show zeigen=show mir=me
ersten=first erste=first zweite=second zweiten=second dritte=third größe=size winter=winter
sommer=summer herren=men damen=women kinder=kids schwarz=black schwarze=black rot=red blau=blue
grün=green person=person personen=person hallo=hello guten=good tag=day morgen=morning
dollar=dollars von=of auch=also noch=another eins=one lang=long dauert=takes lange=long
nicht=not kein=no keine=no davon=of_them diese=these dieser=this dieses=this
moin=hello ne=a nen=a meinen=my meiner=my sohn=son tochter=daughter frau=wife mann=husband
insgesamt=in_total zusammen=in_total zeigt=show passt=fits passen=fit lieferung=delivery
liefert=deliver
queria=would_like oi=hello fica=costs celui=the_one celle=the_one livrez=deliver livrer=deliver
ajoutez=add montre=show prends=take prendre=take offre=offer quería=would_like envían=ship
envian=ship
enviáis=ship pago=pay devolución=return devolucion=return garantía=warranty garantia=warranty
garantie=warranty rückgaberecht=return umtausch=exchange zurück=back gratis=free kostenlos=free
quiero=want quisiera=would_like necesito=need busco=look_for tienen=have_you_got tienes=have_you_got
hay=is_there un=a una=a unos=some unas=some el=the la=the los=the las=the de=of del=of_the para=for
con=with sin=without y=and o=or por=for favor= gracias=thanks menos=less que=than hasta=up_to
máximo=at_most maximo=at_most dos=two tres=three cuatro=four cinco=five seis=six par=pair
pares=pairs
botella=bottle botellas=bottles agua=water filtro=filter saco=bag dormir=sleeping tienda=tent
campaña=camping mochila=backpack mochilas=backpacks botas=boots zapatos=shoes calcetines=socks
chaqueta=jacket chaquetas=jackets linterna=headlamp frontal=headlamp estufa=stove hornillo=stove
bastones=poles senderismo=hiking montaña=mountain impermeable=waterproof impermeables=waterproof
barato=cheap barata=cheap baratos=cheap baratas=cheap más=most mas=most cuál=which cual=which es=is
ponme=give_me dame=give_me pon=put añade=add agrega=add agregar=add añadir=add quita=remove
quitar=remove elimina=remove esa=that esas=those eso=that esos=those ese=that esta=this este=this
carrito=cart carro=cart comprar=buy compro=buy pagar=pay pedido=order cuánto=how_much
cuanto=how_much cuesta=costs cuestan=cost envío=shipping envio=shipping devolver=return
dónde=where donde=where mi=my hola=hello buenos=good buenas=good días=day primera=first
primero=first segunda=second segundo=second tercera=third negro=black negra=black rojo=red azul=blue
verde=green hombre=men mujer=women niños=kids invierno=winter verano=summer dólares=dollars
muéstrame=show_me muestra=show ver=see personas=person talla=size lana=wool
algodón=cotton algodon=cotton
je=i voudrais=would_like veux=want cherche=look_for besoin=need vous=you avez=have le=the les=the
une=a des=some du=of pour=for avec=with sans=without et=and ou=or svp=please merci=thanks deux=two
trois=three quatre=four cinq=five paire=pair paires=pairs chaussettes=socks chaussures=shoes
bottes=boots randonnée=hiking randonnee=hiking tente=tent sac=bag couchage=sleeping à=to
veste=jacket vestes=jackets lampe=lamp frontale=headlamp réchaud=stove rechaud=stove
bouteille=bottle bouteilles=bottles gourde=bottle eau=water bâtons=poles batons=poles
imperméable=waterproof impermeable=waterproof chaud=warm léger=light moins=less plus=more
cher=expensive
chère=expensive ajoutez=add ajouter=add ajoute=add mettez=put mets=put enlevez=remove enlever=remove
retirez=remove retirer=remove panier=cart acheter=buy payer=pay commande=order combien=how_much
coûte=costs coute=costs livraison=delivery retour=return première=first premier=first
deuxième=second second=second noir=black noire=black rouge=red bleu=blue vert=green homme=men
femme=women enfants=kids hiver=winter été=summer bonjour=hello bonsoir=hello salut=hello
montrez=show moi=me quel=which quelle=which au=to_the aux=to_the dans=in mon=my ma=my
maximum=at_most
laine=wool personnes=person
vorrei=would_like cerco=look_for ho=have bisogno=need avete=have_you_got di=of per=for senza=without
due=two tre=three quattro=four cinque=five paio=pair paia=pairs calze=socks calzini=socks
scarponi=boots scarpe=shoes tenda=tent sacco=bag pelo=sleeping zaino=backpack giacca=jacket
lampada=lamp torcia=headlamp fornello=stove borraccia=bottle bastoncini=poles aggiungi=add
metti=put togli=remove rimuovi=remove carrello=cart comprare=buy pagare=pay ordine=order
quanto=how_much costa=costs spedizione=shipping economico=cheap economica=cheap ciao=hello
buongiorno=hello grazie=thanks sotto=under meno=less dollari=dollars lana=wool il=the lo=the gli=the
ik=i zoek=look_for wil=want een=a het=the voor=for met=with zonder=without slaapzak=sleeping_bag
wandelschoenen=hiking_boots sokken=socks rugzak=backpack jas=jacket onder=under graag=please
hoeveel=how_much kost=costs verzending=shipping winkelwagen=cart toevoegen=add verwijder=remove
twee=two drie=three goedkoopste=cheapest waterdicht=waterproof waterdichte=waterproof
eu=i preciso=need procuro=look_for quero=want tem=have_you_got obrigado=thanks barraca=tent
botas=boots meias=socks casaco=jacket garrafa=bottle mochila=backpack carrinho=cart dois=two
duas=two três=three adicione=add remova=remove custa=costs frete=shipping abaixo=under
"""
_WORDS: Final[dict[str, str]] = {
    word: meaning.replace("_", " ")
    for word, _, meaning in (entry.partition("=") for entry in _TABLE.split())
}
_ENGLISH_TOO: Final = frozenset(
    """
    in was will es of the a o y i mi me dame more second maximum person winter warm tag par pair hay
    die den des dos plus sans moi pour ou on no us est el la le do due tre per con de del las los
    un una it met lange sac sacco ma mon mas mes tem eu het jas ver costa favor lo il vous menos
    """.split()  # noqa: SIM905
)
"""Words that are English as well, or too short to tell a language by."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = 2
_SHARE: Final = 0.6
_PHRASES: Final = (
    ("sleeping of couchage", "sleeping bag"), ("bag of sleeping", "sleeping bag"),
    ("bag to two", "backpack"), ("bag a two", "backpack"), ("the most cheap", "the cheapest"),
    ("the more cheap", "the cheapest"), ("the less expensive", "the cheapest"),
    ("less of", "less than"), ("tent of camping", "tent"),
    ("bottles of water with", "bottles with"),
    ("bag sleeping", "sleeping bag"), ("is there", "is there a"),
)  # fmt: skip


def _is_of_the_shop(word: str) -> bool:
    return word in MODEL_WORDS or says_goods(word)


@lru_cache(maxsize=256)
def in_english(text: str) -> str:
    """Return a text in another language with its known words in English, else as it stands."""
    there = [word.lower() for word in _WORD.findall(text)]
    # The shop's own names and goods stand in English in any language.
    words = [word for word in there if word in _WORDS or not _is_of_the_shop(word)]
    surely = {word for word in words if word in _WORDS and word not in _ENGLISH_TOO}
    known = sum(word in _WORDS for word in words)
    if not surely or len(surely) < min(_ENOUGH, len(words)) or known < _SHARE * len(words):
        return text
    plain = _WORD.sub(lambda found: _WORDS.get(found.group().lower(), found.group()), text)
    plain = (
        re.sub(r"(?<=\w)-(?=\w)", " ", " ".join(plain.split())).replace("¿", "").replace("¡", "")
    )
    for phrase, meaning in _PHRASES:
        plain = plain.replace(phrase, meaning)
    return plain
