"""Rules of looking for goods, and of what they may cost."""

from typing import Final

LOOKING: Final = """
# ---- looking ---------------------------------------------------------------------------------

Search      <- SearchVerb SearchItems SearchTail?
             / (what / which) (kind of / kinds of / sort of / sorts of)? Thing (do you (have
               / sell / offer / carry) / are there / is there / have you got) SearchTail? Bounds?
             / what (do you have / is there / have you got) Bounds
SearchVerb  <- i (really / also)? (need / want / require / seek) (to (buy / get / see / find
               / order))? / i would (like / love) (to (buy / get / see / find / order / have))?
             / i am (looking / searching / shopping) for / i am after / i am interested in
             / i (look / search) for
             / i (could / can) use / need / want / (looking / searching) for / see / view
             / (look / search / browse) (for)? / find (me)? / show (me)? / get (me)? / give (me)?
             / (recommend / suggest) (me)? / buy / buying / purchase
             / (do / would) you (also)? (have / sell / carry / offer / stock) / have you (got)?
             / (are / is) there / got / what about / how about
SearchItems <- SearchItem (ItemJoint !Guard SearchItem)*
SearchItem  <- (Quantity !Boundary)? Vague* Bounds? Thing Mine* (','? Bounds)? Mine*
             / Vague* Bounds / Vague* Mine+
Mine        <- MySize / MyBudget
MySize      <- in my (TraitWord)? size / (that)? (fit / fits) me
MyBudget    <- (with)? in (my / the) budget / within (my / the) budget / for my budget
             / (that)? (fit / fits / is / are) (in / into / within)? my budget / i can afford
SearchTail  <- (in / at)? (stock / the shop / your shop / the store / your store)
             / (do you have / are there) / for sale / available
Vague       <- a / an / some / any / more / other / few / different / my / your / new / another
BareSearch  <- !Opener &HasNoun SearchItems / Quantity? Bounds
             / (anything / something / what is (there)?)? Mine+
HasNoun     <- (ADJECTIVE (and / ',' / '&') / !Joint !NOUN ANY)* NOUN
AskKinds    <- what (all)? (do you (sell / have / offer / carry / stock) / have you got) (here)?
             / (what / which) KindsWord (do you (have / sell / offer / carry / stock)
               / are there / is there / have you got)
             / what are (the / your) KindsWord / (show / list / name) (me)? (all)? (the / your)
               KindsWord / (something / anything) (nice / good / cool / special / useful)
KindsWord   <- (product / goods)? (categories / kinds / departments)
             / (kind / kinds / sort / sorts / type / types) of (things / thing / products / goods
               / gear / stuff) / products / goods
More        <- (show / give / see / get) (me)? (some)? more (results / options / hits / choices
               / of (them / those / these))?
             / (are there / do you have / any)? (any)? (more / other) (results / options / hits
               / choices / ones) / more (please)?
             / what else (do you have / is there / have you got)
ShowList    <- (show / give) (me)? (the / that / those)? (list / results / products / hits)
               (again / please) / (show / give) me the (list / results)
Cheaper     <- (do you have / show me / is there / are there / i need / i want)? (anything
               / something / any)? (cheaper / less expensive) (one / ones / Thing)? Bounds?

Bounds      <- Bound (('and' / ',')? Bound)*
Bound       <- (that)? (cost / costs / costing / priced)? (Between / AtMost / AtLeast / Around)
AtMost      <- Under Amount
             / Amount (or (less / under / cheaper / below) / max / maximum / at most / tops)
Under       <- (for)? (under / below / less than / cheaper than / at most / up to / max
               / maximum / within / no more than / not more than / not over / not above
               / beneath) (a (budget / price / maximum) of)?
             / (with)? (a / my)? (budget / price / maximum / limit) (limit)? (of / is / under
               / below) / for &(MONEY / DIGITS Currency)
AtLeast     <- (over / above / more than / at least / from / starting (at / from) / min
               / minimum / no less than) Amount
             / Amount (or (more / over / above) / and (up / more / above))
Between     <- (between Amount (and / to) Amount / from Amount (to / until) Amount / Amount (to
               / '-') Amount)
Around      <- (around / about / roughly / approximately) Amount
Amount      <- (MONEY / DIGITS) Currency?
Currency    <- dollars / dollar / usd / bucks / us dollars / Foreign
Foreign     <- euros / euro / eur / pounds / pound / gbp / yen / francs
"""
