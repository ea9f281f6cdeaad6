"""The written grammar of what the stand-in understands.

This text is the grammar that runs: `notation` reads it (the notation is explained there), `parser`
parses by it what `tokens` cuts, and `commands` turns each command into `intents`.
To teach the model a sentence, add it to a rule here and to the table of utterances in the tests.

Words in lower case stand for themselves, after contractions are written out ("I'll" is read as
"i will", "checkout" as "check out", "basket" as "cart"). Names in capitals are kinds of tokens:

    SKU BOOT-004    ORDER DB-10001    CARD card_ada_1    ADDRESS addr_ada_1
    MONEY $80, 49.99    NUMBER 3, three    DIGITS 3    NTH 2nd, #2, second    TIMES x2, 2x
    NOUN a noun for a kind of goods    ADJECTIVE a known adjective    CARDWORD visa, mastercard
    HANDLE r7    WORD any word    ANY any token    END the end of the text
"""

from typing import Final

from daybook.demo.model.grammar.language.written.rules_past import PAST

_SHOPPING: Final = """

# ---- a text is a row of clauses; what is in none of them was not understood ------------------

Text        <- Joint* (Clause Joint*)* END
Clause      <- Whole / Opener (!Whole Opener)* Whole / Opener+ &Boundary / Unknown
Whole       <- Command Closer* &Boundary
Boundary    <- END / Joint
Joint       <- and / then / also / plus / but / '.' / ',' / ';' / ':' / '!' / '?' / '&' / '-'
             / '\n'
Unknown     <- (!Joint ANY)+

Opener      <- Hello / actually / ok / okay / alright / well / so / now / hmm / oh / ah / great
             / cool / perfect / super / nice / please / just / kindly / first / next / finally
             / Thanking / (can / could / would / will) (you / we) / (can / could / may) i
             / i would like (you)? to / i want (you)? to / i need (you)? to / let us / let me
             / help me (to)? (choose / find / pick / select)? / (i (have)?)? changed my mind
             / on second (thought / thoughts) / go ahead / yes / yeah / yep / sure / no / nope / nah
             / sorry / tell me / fine / in that case / by the way / anyway / i (guess / think)
             / one more thing / right
Closer      <- please / Thanking / actually / now / right now / right away / today / for me
             / for us / too / as well / then / for now / this time / again / instead / if possible
             / if you can / daybook / asap / first / anyway / i (guess / think) / maybe &END
             / if you have (it / them / any / one) / thanks / though / so far
             / i (mean / meant) &END

# Groups of alternatives that begin with the same words: where none of these comes, a group is
# passed over at once.
Command     <- (Identity / Greeting / Thanks / Help / Bye / Introduce)
             / (ForgetAll / ForgetWhat / Forget / Reopen / CompareReviews / Advise / JustShow)
             / (AskKnown / AskKinds / Remember / AskPast / NewGoal / NoMatter)
             / (CancelOrder / OrderStatus / ShowOrders) / (Clear / Remove / SetQuantity) / Mail
             / (Checkout / Finished) / (ShowCart / Profile / Suggest) / (ShowList / More / Cheaper)
             / (Reviews / Price / Ask) / (Add / Details / Search) / (Agree / Decline)
             / (Pick / Mention / BareSearch)

# ---- talk ------------------------------------------------------------------------------------

Hello       <- hi / hello / hey / good (morning / afternoon / evening / day) / greetings
Thanking    <- thanks (a lot)? / thank you (very much / so much)? / many thanks / cheers
Greeting    <- Hello (there / daybook / again)? (how are you (doing)? (today)?)? / how are you
             / how is it going
Thanks      <- (ok / okay / great / perfect / cool / alright / nice / good)? Thanking
Bye         <- bye (bye)? / farewell / cheerio / so long / take care
             / goodbye / good bye / see you (later / soon)? / good night
Help        <- help (me)? / i need help / what (else)? can you do
             / what (else)? can i (say / do / ask) / what do you (understand / do)
             / how does this work / how do i use (this / you) / show (me)? help / commands
             / instructions
Identity    <- (who / what) are you / what is your name / are you (a / an)? (real / actual)? Being
             / are you (real / there) / how do you work / who (made / built / wrote) you
             / (what / which) (ai / language)? model are you
             / (am i (talking / speaking / chatting) (to / with) / is this) (a / an)?
               (real)? Being / what (kind / sort) of (ai / model / bot / assistant) are you
             / tell me about yourself
Being       <- (human being / human / person / people / man / woman / robot / bot / machine
               / computer / ai / llm / language model / program / chatbot / chatgpt / gpt
               / claude / gemini) ((or) (a / an)? (real)? (human / person / robot / bot
               / machine / ai / program))?
Introduce   <- (my name is / call me) Name
Name        <- WORD
Agree       <- (yes / yeah / yep / yup / sure / ok / okay / correct / exactly / absolutely
               / alright / of course / please do / do it / do that / go ahead / go on
               / go for it / sounds good / that is right / that is fine / fine / i do / i agree
               / i approve (it)? / approve (it)? / approved / confirm (it)? / confirmed / right)
               (please / go ahead / do it / do that)?
Decline     <- no (thanks / thank you)? / nope / nah / not now / not yet / not today
             / nothing (else)? / never mind / nevermind / forget it / forget that / cancel / stop
             / rather not / do not (do (it / that))?

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
Measure     <- pairs / pair / pieces / piece / units / unit / packs / pcs / items / copies / x
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

# ---- about one product -----------------------------------------------------------------------

Details     <- DetailsVerb Items DetailsTail? / tell me more / more (details / info / information)
             / (show (me)? / open / view / see / display / check out / look at / inspect
               / what about / how about) ShownItem DetailsTail?
             / what (is / are) (SKU / NthOnly) (like)?
             / (compare / (what is)? (the)? (difference / differences) between) Items
DetailsVerb <- (tell me)? (some / a bit / a little)? more (info / information / details)?
               (about / on)
             / (show / give) (me)? more (info / information / details)? (about / on / of)
             / tell me about
             / (show / give)? (me)? (the)? (details / detail / info / information / specs
               / description / features) (about / on / of / for) / describe
             / i want to know more about
             / (tell me / know / learn) (everything / something / more) about / more (about / on)
             / explain / what can you tell me about
DetailsTail <- in (more)? detail / more closely / details
ShownItem   <- SKU / NthOnly / Extreme / (that / this) one / Definite Thing (one / ones)?
NthOnly     <- Nth
Reviews     <- (show / read / see / get / give / list / check out)? (me)? (the / some
               / customer / its / all / any)? (customer)? (reviews / review / ratings / rating
               / opinions / feedback) ((of / for / on / about) Subject)?
             / what do (people / customers / others / buyers / users / reviewers / they) (say
               / think) (about / of) Subject
             / what (are / is) (the / its)? (reviews / rating / ratings / opinions) ((of / for
               / on / about) Subject)? (like)? / what are people saying about Subject
             / how (is / are) Subject (rated / reviewed) / how good (is / are) Subject
             / (is / are) (the / its) (reviews / ratings / rating) (any)? (good / okay / ok
               / positive)
             / (is / are) Subject (any good / good / worth it / worth the money / popular
               / well rated) / do people (like / recommend) Subject
             / has Subject got (any)? good reviews / Subject (reviews / ratings)
Price       <- how much (is / are / does / do / for) Subject (cost)?
             / how much would Subject (be / cost) / (the)? price / (what is)? the price
             / what (is / are) the price (of / for) Subject / what does Subject cost
             / what do Subject cost / price of Subject / (is / are) Subject (expensive / cheap)
Ask         <- do you have Subject in Property
             / (is / are) Subject (in stock / available / sold out / still available)
             / (is / are) Subject Property
             / (does / do) Subject (have / come with / come in / include / fit / contain / keep
               / hold / work in) (a / an / any / the)? Property / how (HowWord) (is / are) Subject
             / how much (does / do) Subject weigh
             / (what / which) WhatWord (is / are / does / do) Subject (have / come in / weigh)?
             / what (is / are) (the / its / their) WhatWord ((of / for) Subject)?
             / what (is / are) Subject made (of / from) / what material (is / are) Subject
             / how many (are (there)?)? (are)? (left / in stock) (of Subject)?
Subject     <- SKU / (it / they / them / (this / that) (one)? / (these / those) (ones)?)
             / NthShort (one / SubjectName)? / Extreme / Definite SubjectName
NthShort    <- (the / that / this)? (NTH / last)
             / the? (number / option / item / no) (DIGITS / NUMBER)
SubjectName <- (!NOUN ThingWord)* NOUN system?
Property    <- (!Closer (WORD / NUMBER))+
HowWord     <- heavy / light / warm / big / large / small / long / tall / high / waterproof
             / durable / roomy / thick / bright / hot
WhatWord    <- weight / size / sizes / color / colors / material / fabric / capacity / volume
             / length / height / temperature rating / temperature / comfort / season / brand
             / stock

# ---- what else -------------------------------------------------------------------------------

Suggest     <- (is there)? (anything / something / what) else (that)? (you (would / can / could
               / do)? (suggest / recommend / advise / propose) / do you (suggest / recommend)
               / would you (suggest / recommend / advise) / can you (suggest / recommend) / i
               (should / might / may) (need / get / buy / want) / should i (get / buy / take
               / bring) / do i need / goes with SuggestBy / would (go / fit)
               (well)? with SuggestBy)? (for SuggestBy)?
             / what (do / would / can / should) (you / i) (suggest / recommend / advise / get
               / buy) (next / else)? (for SuggestBy / to go with SuggestBy)?
             / (any / do you have any / have you any / have you got any)? (other / more
               / further)? (suggestions / suggestion / recommendations / recommendation / ideas
               / tips)
             / (suggest / recommend) (me)? (anything / something / anything else
               / something else) ((to go)? with SuggestBy / for SuggestBy)?
             / what (goes / would go / fits / pairs) (well)? with SuggestBy
             / what (matches / fits) SuggestBy / surprise me
SuggestBy   <- (it / them / that / this / these / those) / my cart / (Definite)? Thing

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

# ---- orders and mail -------------------------------------------------------------------------

CancelOrder <- (cancel / refund / undo / revoke / annul) OrderRef (Because)?
             / i want (a refund / my money back) (for OrderRef)? (Because)?
             / i (want / would like / need) to (cancel / refund / undo) OrderRef (Because)?
OrderRef    <- ORDER
             / (the / that / this / my)? (very)? (last / latest / newest / recent
               / most recent)? order (number / no)? (ORDER)? / OrderVague / OrderAny / OrderWith
OrderAny    <- (an / one / some / any) order / one of (my / the / those / these) orders
             / (my / the) orders
OrderWith   <- (the / my / that) order (with / of / for / containing) (Definite / a / an)? Thing
OrderVague  <- it / that / this
Because     <- ','? (because / since / as) (of)? Reason
Reason      <- (!('.' END) !('!' END) ANY)+
OrderStatus <- where is ('my' / the / that)? (last / latest)? (order / package / parcel
               / delivery) (ORDER)? / where is ORDER
             / (what is)? (the)? status (of / for)? (the / my / that)? (last / latest)? (order)?
               (ORDER)?
             / (show / check / track / see / view / open) (me)? (the / my / that)? (last
               / latest / status of)? (my)? (order) ORDER
             / (show / check / track / see / view / open) (me)? ORDER
             / (show / check / track / see / view) (me)? (the / my / that) (status of my / last
               / latest)? order / (track / check) my order
             / what happened (to / with) (the / my / that)? (order)? (ORDER)?
             / (did / has) my order (ship / shipped / arrive / arrived / go through
               / gone through) / (tell me)? (more)? about (the / my)? order ORDER
             / (my / the)? order (number / no / id)? ORDER / ORDER
             / (what is / what was) in (my / the)? (last)? order (ORDER)?
ShowOrders  <- (show / list / view / see / display) (me)? (all)? (of)? (my / the)? (past
               / previous / recent / old)? (orders / order history / purchases)
             / what (are / were)? (my)? (past / previous / recent)? orders (do i have
               / have i placed / are there)?
             / what (did / have) i (just / already)? (order / ordered / buy / bought)
               (so far / before / last time)?
             / (my / order) (orders / history / past orders / order history) / orders
             / do i have any orders / have i ordered (anything)? / what orders do i have
Mail        <- (mail / email / send) (me / us) (a / an / the / my)? MailTopic (by (mail
               / email) / via email / as (a / an) (mail / email) / to my (email / inbox))?
             / (mail / email) (a / an / the / my)? MailTopic (to me)?
             / send (a / an / the / my) MailTopic (to me)? (by (mail / email) / to my (email
               / inbox))?
             / send me (a / an) (mail / email / message) ((with / of / about) (a / an / the
               / my)? MailTopic)? / (mail / email) (it / that / this / everything)? (to)? me
             / send (it / that / this / everything) (to me)? by (mail / email)
MailTopic   <- (short / quick / brief)? (Cart / Orders / Shown / Summary)
Cart        <- (summary / list / content / contents / copy) of (my / the)? (shopping)? cart
             / (shopping)? cart / shopping list / cart summary
             / (what (i have / is) / everything / all) in (my / the) cart
Orders      <- (summary / list / copy) of (my / the)? (orders / order / purchases) / orders
             / order / order summary / receipt / invoice / order history / purchases
Shown       <- (that / this) (list / results) / (summary / list / copy)? (of)?
               (the / these / those)? (results / search results / hits / products)
Summary     <- summary (of (everything / this / all of this / our (chat / conversation) / it
               / that / what we have))? / overview / recap / everything / list / details / this
             / that / it
Profile     <- (what / which) (payment)? ProfileWord (do i have / have i (got)? / are (saved
               / on file / there) / do you have (on file / for me)? / is on file / can i use)
             / (show / list / see / view) (me)? (my / the)? (saved)? ProfileWord / my ProfileWord
             / who am i / what is my (name / address / default card / default address / profile)
             / do you know (my name / who i am / me) / what are my ProfileWord
ProfileWord <- cards / card / payment methods / payment options / methods / addresses / address
             / profile / account / details
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

GRAMMAR: Final = _SHOPPING + PAST
