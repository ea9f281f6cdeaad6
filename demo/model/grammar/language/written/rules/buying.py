"""Rules of buying: the card, and where it is sent."""

from typing import Final

BUYING: Final = """
# ---- buying ----------------------------------------------------------------------------------

Checkout    <- CheckoutVerb PayShip* / PayShip (PayShip)*
CheckoutVerb <- (go / proceed / move / continue) (on)? to (the)? (check out / payment / checkout)
             / check (me)? out / (buy / order / purchase / get) BuyAll
             / (place / submit / make / send / complete / confirm / finish / finalise
               / finalize) (the / my / an / this / that)? (order / purchase) / order (now)?
             / buy (now)? / purchase (now)?
             / i (am ready / would like / want) to (pay / check out / order / buy / purchase)
               (BuyAll)? / ready to (pay / check out / order / buy)
             / pay (now)? (for (it / them / everything / that))?
             / i will (buy / order / purchase) BuyAll / (ring / cash) me (up / out) / finish (up)?
             / (complete / do) the check out / take me to (the)? check out / i would like to pay
BuyAll      <- (it all / them all / all of (it / them / this / that) / everything (in (my
               / the) cart)? / (all)? (the / my) (items / things / stuff / cart)
               / what is in my cart / my cart / the cart / it / them / that / this / these
               / those / all) (now)?
PayShip     <- (and / ',' / then)? (Pay / Ship / ShipFirst)
Pay         <- (pay (for (it / that / them))? (with / by / using / on)? / paying (with / by)?
               / charge (it (to / on))? / charge / put it on / bill (it to)? / i will pay (with
               / by) / on / with / using / by) CardChoice / (use / take) CardNamed
CardChoice  <- (the / my)? CardNamed / (the / my)? ChoiceWord (card)? / my ChoiceWord card
CardNamed   <- (the / my)? (CARD / CARDWORD (card)? (ending (in / with))? ((DIGITS))? / (ending
               (in / with)) DIGITS / (card) (number / ending (in / with) / no)? DIGITS
               / NTH card / card NUMBER / DIGITS &ItemEnd / DIGITS &PayShip / ChoiceWord card
               / NTH (one)?)
Ship        <- (ship / send / deliver / post / shipping / delivered / have it (sent / delivered
               / shipped) / dispatch) (it / them / that / everything / all / this / the order
               / my order)? to AddressChoice / (use / take) AddressNamed
ShipFirst   <- to AddressChoice
AddressChoice <- (the / my)? (ADDRESS / NTH (address / one)? / address NUMBER / ChoiceWord
               (address / place)?)
AddressNamed <- (the / my)? (ADDRESS / NTH address / address (number)? NUMBER
               / ChoiceWord address / ChoiceWord place)
ChoiceWord  <- !(cart / order / summary / the / my / me / mail / email / it) !Grammatical WORD
Finished    <- i am (done / finished / ready / all set / set) / that is (all / it / everything)
             / that will be (all / it) / done / all done / all set / nothing else i need
"""
