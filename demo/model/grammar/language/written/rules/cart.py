"""Rules of what shall be in the cart."""

from typing import Final

CART: Final = """
# ---- the cart --------------------------------------------------------------------------------

Add         <- AddVerb Items Again? AddTail* / GetVerb WantedItems Again? AddTail*
             / &HasNoun (Definite)? Thing ((',' / ':' / '-') WantedCount / WantedTimes) &Boundary
             / put Items Again? IntoCart AddTail* / put Items (back in / back) AddTail*
             / (put / throw) in Items / Items IntoCart
             / &MoreSign Item / (get / give / bring / fetch / order / buy) me &Quantity Items
WantedCount <- Quantity
WantedTimes <- TIMES / twice / NUMBER (times / Measure)
MoreSign    <- another / (an / one) (extra / additional / more)
             / NUMBER (more / extra / additional)
AddVerb     <- add (in)? (me)? / have / i would rather (have / take / get) / include / throw in
             / i will (take / have / go (with / for) / get) / i am (taking / going (with / for))
             / we will (take / have) / take / grab / pick / choose / put me down for
             / let me (have / take) / add to (my / the)? cart ':'? / cart ':'? / i take
GetVerb     <- (get / give / buy / order / bring) (me)?
             / i (would (like / love) / want / need) (to (buy / get / have / order / add / take))?
             / purchase
WantedItems <- WantedItem (ItemJoint !Guard Item)*
WantedItem  <- !Everything Quantity &Sure Reference
             / !Everything !Pronoun &Sure Reference TimesTail?
Sure        <- NthDigits / SKU / All / Leading / Nth / Extreme / OtherOne / Pronoun / Definite
             / ((!ItemJoint !Joint ANY)+ IntoCart)
Everything  <- it / them / everything / that / this / these / those / all
Again       <- back / again / after all / back in
AddTail     <- IntoCart / please / too / as well / also

Remove      <- RemoveVerb Items (FromCart / RemoveTail)* / take Items (out / off / away) FromCart?
             / take (out / off / away) Items (FromCart)? / take Items FromCart
             / (kick / throw / chuck / toss / cross / leave) Items (out / off / away) FromCart?
             / never mind &Definite Items
             / put Items back on the shelf
             / i (do not / no longer) (want / need) Items (anymore / any more / after all)?
             / (i do not (want / need)) any more Items
             / (no more / lose / forget / skip) Items / no &HasNoun Items RemoveTail*
             / leave out Items / leave Items out / cancel CancelItem
             / send Items back to the shelf
RemoveVerb  <- remove / delete / drop / discard / get rid of / kick out / throw out / ditch
             / erase
RemoveTail  <- anymore / any more / again / after all
CancelItem  <- SKU / (Definite !(order / checkout / check) Thing)
Clear       <- (clear / empty / reset) (out)? (my / the / this / whole)? (whole / entire)? cart
             / empty it
             / (clear / empty / wipe / reset) (everything / all / it all / them all)?
               (please / out)? &END
             / (remove / delete / drop / clear / discard) (everything / all / it all / them all
               / all (of)? (them / it / items / the items / my items)) (FromCart)?
             / take everything out (FromCart)? / start (over / again / from scratch)
             / start a new cart
SetQuantity <- make SetTarget (a)? NewQuantity (Measure of? Thing?)? (instead)?
             / (change / set / update / adjust / increase / reduce / raise / lower / decrease
               / bump / put) (up / down)? ((the / my)? (quantity / amount / number / count) (of
               / for))? SetTarget (quantity / count)? (up / down)? (to / at / '='
               / ':') NewQuantity Measure? / SetTarget to NewQuantity Measure?
             / Double (the / my)? SetTarget / i (only / just)? (want / need) NewQuantity Measure?
             / (only / just) NewQuantity Measure?
             / i (only / just) (want / need) NewQuantity (Measure? of)? SetTarget
             / (only / just) NewQuantity (Measure? of) SetTarget
             / NewQuantity (Measure)? instead (of NUMBER)?
             / (set / change) (the / my)? (quantity / amount / number) to NewQuantity
SetTarget   <- (it / that / them / this / those) !ThingWord / SKU / Nth / (Definite)? Thing
Double      <- double
NewQuantity <- TIMES / NUMBER !Unit / a couple / a dozen / a pair
ShowCart    <- (show / view / see / open / check / display / list) (me)? (what is in)? (my
               / the)? (whole)? (shopping)? cart !(out)
             / (what is / what do i have / what have i (got)? / what) (there)? (now
               / currently)? (in) (my / the)? (shopping)? cart (now / so far / at the moment)?
             / (my / the)? (shopping)? cart (please / contents)? !':'
             / what do i have (so far / now)? / what did i (add / put in) (so far)?
             / what have i got (so far)?
             / what is (my / the)? (current)? (cart / cart total / total / sum / bill
               / subtotal) (now / so far)?
             / how much (is / will) (it all / everything / all of it / it all together
               / my cart / the cart / the total / my total / all that / all of that) (be / cost
               / now / together / altogether / in total)?
             / how much (is (it / that) / do i (owe / pay) / does (it / that) (come to / make))
               (altogether / in total / all together / together)
             / how much do i (owe / pay / have to pay) / (my / the)? (total / subtotal) (please)?
             / what does (it all / everything / my cart) cost
             / how many (items / things) (are / do i have) (in)? (my / the)? cart
             / is my cart empty / how much (is / does) (my / the) cart (cost)?
"""
