"""Rules of how goods are pointed at, named and counted."""

from typing import Final

WHICH_ONE: Final = """
# ---- which one -------------------------------------------------------------------------------

Items       <- Item (ItemJoint !Guard Item)*
ItemJoint   <- ',' and / ',' / and / '&' / plus / as well as / along with / together with
Guard       <- Opener* ((Identity / Greeting / Thanks / Help / Bye)
               / (ForgetAll / Forget / Reopen / CompareReviews / Advise)
               / (AskKnown / Remember / AskPast) / (CancelOrder / OrderStatus / ShowOrders)
               / (Clear / Remove / SetQuantity) / Mail / (Checkout / Finished)
               / (ShowCart / Profile / Suggest) / (ShowList / More / Cheaper)
               / (Reviews / Price / Ask) / (Add / Details / Search)) Closer* &Boundary
Item        <- NthDigits / (Quantity Reference / Quantity &ItemEnd / Reference TimesTail?) Bounds?
NthDigits   <- DIGITS &ItemEnd
ItemEnd     <- Closer* Boundary / IntoCart / FromCart / out / off / away
TimesTail   <- TIMES / twice / NUMBER times
Quantity    <- Count (Measure of? / of / more of)?
Count       <- TIMES / (another / an additional / an extra / one more) (NUMBER !Unit)?
             / a couple (of)? / a pair / a dozen / a single
             / (only / just)? NUMBER !Unit (more / additional / extra)?
Measure     <- pairs / pair / sets / set / pieces / piece / units / unit / packs / pcs
             / items / copies / x
Unit        <- person / persons / people / man / men / season / seasons / litre / litres / liter
             / liters / l / lumen / lumens / degree / degrees / ply / day / days / inch / inches
             / burner / layer

Reference   <- SKU / All / Leading / Nth / Extreme / OtherOne / Pronoun / Described
All         <- (the two / both) of (them / these / those) / (those / these) two / them both
             / the two &ItemEnd
             / !(each Closer* Boundary) (all / both / every / each) (NUMBER)? (of)?
               (the / my / these / those / them / it)? (Thing / one / ones)?
             / everything / them (all / both) / it all / the lot / the whole lot / all NUMBER
Leading     <- the? first !one (NUMBER !Unit) (of (them / these / those) / ones)?
Nth         <- (the / that / this / my)? (NTH / last / final) (NthTail)?
             / the? (number / no / nr / option / item / choice / product / article / result
               / hit) '.'? (DIGITS / NUMBER)
NthTail     <- (one / of (them / these / those) / (pair of)? (Thing))
Extreme     <- (the / your)? (Cheapest / Dearest / Best / Most)
               (one / ones / of (them / these / those / the lot / (the / these / those) NUMBER)
               / (pair of)? Thing)?
             / the? one (with the / that has the / that is / that is the / which is the)
               (Cheapest / Dearest
               / Best / Most / highest / top) (price / reviews / rating / ratings)?
             / the Compared (one / of (them / these / those / the two) / &END / &Joint)
Cheapest    <- cheapest / least expensive / lowest priced / most affordable
Dearest     <- most expensive / priciest / dearest / highest priced
Best        <- best rated / highest rated / top rated / best reviewed / most popular / best / top
Most        <- lightest / heaviest / brightest / warmest / biggest / largest / roomiest / smallest
Compared    <- LessDear / MoreDear / Better / MoreOf
LessDear    <- cheaper / less expensive / lower priced
MoreDear    <- more expensive / pricier / dearer
Better      <- better (rated / reviewed)? / higher rated
MoreOf      <- lighter / heavier / brighter / warmer / bigger / larger / smaller / roomier
OtherOne    <- the other (one)? / (that / this) other one
Pronoun     <- (it / them / they / (that / this) (one)? / (these / those) (ones)?) !ThingWord
Described   <- Definite Thing (one / ones)? / (a / an / some / any / more / another)? Thing
Definite    <- the (same / other)? / that / this / those / these / my

Thing       <- ADJECTIVE (and / '&' / ',') ADJECTIVE Words ThingTail* / Words ThingTail*
ThingTail   <- !Bound !Mine !(with (the / my)? (CARD / CARDWORD / card)) !(for (me / us)) (for /
               with
               / of / in / on / without) !((my / the) cart) (the / a / an / my)? Words
             / that (is / are / fits / fit / has / have / keeps / keep)? (a / an)? Words
Words       <- ThingWord ThingWord? ThingWord? ThingWord? ThingWord? ThingWord? ThingWord?
               ThingWord?
ThingWord   <- first aid / NUMBER Unit / size NUMBER / !Stop !Bound WORD
Stop        <- Closer Boundary / Opener &IntoCart / Grammatical / IntoCart / FromCart
             / (more Boundary) / quantity / amount
Grammatical <- to / from / into / for / with / of / in / on / at / by / and / or / but / then
             / also / plus / the / a / an / my / your / our / his / her / their / this / that
             / these / those / i / you / we / he / she / it / they / me / us / him / them / myself
             / is / are / am / was / were / be / been / do / does / did / have / has / had / will
             / would / can / could / should / shall / may / might / must / not / no / never / if
             / unless / back / what / which / who / whom / when / where / why / how / because
             / since / while / please / there / here / than / as / so / such / very / out / off
             / up / instead / except / without / twice / again / anymore / cost / costs / about
             / yes / each / per / until / before / after / only / just / but / cart / order / orders
             / review / reviews / rating / ratings / total / difference / mail / email
IntoCart    <- (to / in / into / on / onto / inside) (my / the / our)? (shopping)? (cart / bag
               / order / list)
FromCart    <- (from / out of / off / in) (my / the / our)? (shopping)? (cart / bag / order
               / list)

Pick        <- (which / what) (one)? (of (them / these / those / the two) / product)? (is / are
               / would be) (the)? Compared (one)? / (which / what) Thing (is / are / has / have)
               (the)? (Extreme / Compared) (rating / price / reviews)?
             / (which / what) (one)? (of (them / these / those) / product)? (is / are / has the
               / would be) (the)? Extreme (rating / price / reviews)? (of (them / these / those))?
             / SearchVerb Extreme / (which / what) (one)? WouldPick
WouldPick   <- (would / do / should / can) (you / i) (recommend / suggest / pick / choose
               / take / prefer / buy / get / advise / go (for / with))
Mention     <- MentionItem (ItemJoint !Guard MentionItem)*
Numbered    <- (card / address) (number / no)? NUMBER
MentionItem <- SKU / Numbered / All / Leading / Nth / NthDigits / Extreme / OtherOne / Pronoun
             / Definite Thing (one / ones)? / Quantity (Nth / Extreme / SKU / Pronoun)
"""
