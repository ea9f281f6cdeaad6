"""The rules about the person, the past, and advice: the second part of the written grammar.

It is read together with `rules`, which explains the notation.
"""

from typing import Final

PAST: Final = """

# ---- what a person says about themselves -----------------------------------------------------

Remember    <- (Recollect that? / that)? Stated / Recollect that Free
Recollect   <- remember / note (down)? / keep in mind / do not forget / you should know
Stated      <- Trait / Wears / Allergy / Taste / Never / Budget / Body / Occasion / Diet / Home
             / Owned / Secret
Trait       <- my TraitName (is / are) Value
TraitName   <- TraitWord? TraitWord? (size / sizes)
             / (favourite / favorite / preferred) TraitWord TraitWord?
             / (foot / shoe / chest / waist / leg / arm / hip / head / body)? (width / length
               / height / weight / age / inseam / waist / chest)
             / feet / foot / knees / knee / back / shoulders / ankles / hands / toes
             / (hiking / walking / fitness)? (level / experience / pace / style) / diet
TraitWord   <- !Grammatical !(size / sizes) WORD
Wears       <- i (wear / have / need / take) (a / an)? TraitWord? size SizeName (in? Worn)?
             / i How* wear (a / an)? (NUMBER / MONEY) Worn?
             / i am (a / an)? TraitWord? size SizeName
SizeName    <- NUMBER / MONEY / WORD
Worn        <- NOUN / (hiking / walking / rain) NOUN
Allergy     <- i am (very / severely / badly / also)? allergic to Liking
             / i have (a / an) Allergen allergy
Allergen    <- WORD
Taste       <- i How* (Likes / Prefers / Dislikes) (the color)? Liking
How         <- really / also / always / usually / generally / particularly / do
Likes       <- like / love / enjoy / adore
Prefers     <- prefer / favour / favor
Dislikes    <- hate / dislike / detest / can not stand / (do not / did not ever) (really)? (like
               / love / enjoy)
Never       <- i (never (want / wear / use / buy) / will never (wear / use / buy)
               / can not (wear / use) / (do not / never / can not / will not) (eat / drink)) Liking
             / do not (ever)? (show / give / offer / suggest / recommend / sell) (me)? (anything
               / something / any (thing / product / products) / things / products) (with / of / in
               / made (of / from / with) / containing) (a / an / any)? Liking
Liking      <- !(Grammatical / SKU / NTH / ORDER / NUMBER / everything / all / both / each)
               Value
Budget      <- (my (total / whole / overall)? / the) (budget / limit) (is / of) UpTo* Amount
               Overall?
             / (keep / stay) Total? UpTo Amount Overall?
             / i (want to / would like to / can / could / may) (only / just)? spend UpTo* Amount
               Overall?
             / i (do not want to / can not / must not / will not / would not) spend (more than /
               over)
               Amount Overall?
             / i have (only / about)? Amount to spend / UpTo+ Amount Overall
Total       <- it (all)? / everything / (the / my) (total / cart / whole thing) / all of it
UpTo        <- under / below / at most / up to / within / about / around / less than / no more
               than
             / not more than / max / maximum / only
Overall     <- in (all / total / sum) / altogether / overall / all together / together
             / for (everything / all of it)
Body        <- i (have / have got) (a / an)? BodyTrait BodyPart
BodyTrait   <- (!BodyPart !Grammatical WORD) (!BodyPart !Grammatical WORD)?
BodyPart    <- feet / foot / knees / knee / back / shoulders / ankles / ankle / hands / toes /
               heels
             / arches / hips / legs
Occasion    <- (it / this / that / they / everything) (is / are) (all)? for
               !(me / us / sale / free / you / it / that / this / now) Value
Diet        <- i am (a / an)? (strict / strictly)? DietName
DietName    <- vegetarian / vegan / pescatarian / kosher / halal
Home        <- i (live / am living) in Place
Place       <- PlaceWord PlaceWord? PlaceWord?
PlaceWord   <- !Grammatical !(Closer Boundary) WORD
Owned       <- i have (a / an) OwnedThing (called / named) Value
OwnedThing  <- TraitWord TraitWord?
Secret      <- my TraitWord? SecretName (is / are) Value
SecretName  <- password / passwords / passphrase / passcode / pin / cvc / cvv / iban / card number
Free        <- FreeAm / FreeHave / FreeNot / (my / the / our)? FreeName (is / are) Value / FreeWords
FreeName    <- (!Joint !(is / are) ANY)+
FreeWords   <- Value
FreeAm      <- i am (a / an / the)? Value
FreeHave    <- i have (a / an) Value
FreeNot     <- i (do not / never) Value
Value       <- Bit+ (('and' / '&' / ',' 'and' / 'or') !Guard !Teller Bit+)*
Teller      <- i / my / we / our / it / he / she / they / you / please / show / find
Bit         <- !Joint !(Closer Boundary) !((anymore / any more / at all) Boundary) !or ANY

Forget      <- ForgetVerb (all)? (about)? ForgetItem ((and / ',' and / ',') (about)? ForgetItem)*
             / (delete / erase / remove / drop) (the / my) TraitName
ForgetVerb  <- forget / stop remembering / do not remember / you can forget / you may forget
ForgetItem  <- that Stated / (my / the) TraitName / my ForgetName / (the / my)? (budget / limit)
             / (what / everything / anything / all) (that)? (i (said / told you) / you know
               / you (have)? noted / you remember / i have (said / told you)) (about / on)
               AskedName
             / (the / my) TraitWord (preference / preferences / allergy / allergies / constraint)
ForgetName  <- my? (!(NOUN Closer* Boundary !about) TraitWord)+
ForgetWhat  <- forget (all of it / it all / everything / all)
ForgetAll   <- (forget / delete / erase / remove / clear / wipe) AllOfIt (that)? KnowsOfMe
             / (forget / delete / erase / clear / wipe) (your / the / my) (memory / memories)
             / (forget / delete / erase / clear) (all)? (of)? my (facts / preferences /
               constraints
               / data) / forget (all)? about me / forget me
AllOfIt <- everything / all / anything / what / all of it / whatever
KnowsOfMe   <- you (know / remember / noted / have / store / stored / have (noted / stored
               / remembered)) ((about / of / on) me)? / (about / on) me
             / i (have)? (told you / said) (about (me / myself))?
AskKnown    <- what (else)? (do you (know / remember / have) / did you (note / remember)
               / have you (noted / remembered / stored)) (about / on / of) (me / myself /
               AskedName)
             / what you (know / remember / (have)? noted) (about / on / of) (me / myself
               / AskedName)
             / what TraitWord? (size / sizes) do i (have / wear / need / take)
             / what TraitWord? (size / sizes / budget) did i (tell / give / say) (you)?
             / what (else)? (do you remember / have you (noted / remembered) / did you note)
             / what (did i tell you / have i told you / did i say) ((about / on) (me / myself
               / AskedName))?
             / (what (is / are) / do you (know / remember) / remind me of / what was) my
               (TraitName / AskedTrait)
             / (am i / what am i) AskedAllergic
             / what do i (AskedLikes / AskedDislikes)
             / (show / list / see) (me)? (my / your) (memory / memories / facts / preferences /
               notes
               / constraints) / my (preferences / facts / constraints)
AskedName   <- my? TraitWord+
AskedTrait  <- (budget / limit / trip / occasion)
AskedAllergic <- allergic to TraitWord*
AskedLikes  <- like / love / prefer / enjoy
AskedDislikes <- (hate / dislike / not like / never want)

# ---- what was read and done before -----------------------------------------------------------

Reopen      <- ReopenVerb? (the)? (result / read / list / handle)? HANDLE
             / ReopenVerb (the / my / your / that / those)? ReopenPlace (search)? ReopenThing
               Before?
             / ReopenVerb (the / my / your / those)? ReopenWords ReopenThing Before?
             / (go / take me / get)? back to (the / my / your / those)? (ReopenWords /
               ReopenPlace)
               ReopenThing? Before?
             / what (did you / have you) (find / found / show me / list) (for me)? (for / when i
               (asked
               for / searched for)) (the / my)? ReopenWords Before?
ReopenVerb  <- (open / show / read / see / view / display / give / recall / reopen / get) (me)?
ReopenPlace <- NTH / last / latest / previous / earlier / earliest / original / initial / old /
               older
             / last but one
ReopenThing <- results / hits / list / search
ReopenWords <- &HasNoun (!ReopenThing !Before ThingWord)+
Before      <- before / earlier / (from / of) (before / earlier) / you (found / showed) (me)?
               (before
               / earlier)?
AskPast     <- (PastAll / PastCancelled / PastOrders / PastSpent / PastRemoved / PastPayments
               / PastBought / PastCount
               / PastSearches)
PastOrders  <- what (did i / have i) (order / ordered / buy / bought / purchase / purchased
               / get / got) Period
             / which (orders / things) (did i / have i) (place / placed / buy / bought / order
               / ordered) Period?
             / (show / list) (me)? (all)? (my / the) (orders / purchases) (of / from / in)? Period
             / when (did i last (order / buy (anything / something)) / was my last (order /
               purchase))
PastSpent   <- how much (money)? (have i (spent / paid) / did i (spend / pay) / i (have)? spent)
               (here / so far / in (total / all) / altogether / with you)? (on orders)? Period?
             / what (have i spent / did i spend) (here / so far / in (total / all))? Period?
             / how much (money)? (have i (spent / paid) / did i (spend / pay)) (on / for) PastGoods
               Period?
Bought      <- bought / ordered / purchased
PastAll     <- (show / list / see) (me)? (all / everything) (that)? i (have)? (ever)? Bought Period?
PastCancelled <- (what / which (orders / order)) (all)? (did i / have i) (cancel / cancelled
               / canceled) Period? / (show / list) (me)? (my / the)? (cancelled / canceled) orders
PastRemoved <- what (all)? (did i / have i) Removing FromCart? Period?
             / (which / what) (items / products / things) (did i / have i) Removing FromCart?
               Period?
Removing    <- remove / removed / take / take out / taken out / delete / deleted / drop / dropped
             / throw out / thrown out
PastPayments <- (which / what) (of my)? (payments / payment / charges / charge) (have)? Failing
               Period?
             / (did / have / has) (any of)? (any / a / my (last)?)? (payments / payment / charges
               / charge) Failing Period?
             / why (did / was / has) my (last)? (payment / charge) Failing
             / (show / list) (me)? (my / the)? (failed / declined) (payments / charges) Period?
Failing     <- (were / was / been)? (fail / failed / declined / rejected / refused)
             / (did / do / does)? not (go / gone) through
PastBought  <- when (did i / have i) (last / first)? Buying PastGoods
             / have i (ever)? Buying PastGoods (before / already)?
             / did i (ever)? Buying PastGoods (before / already)?
             / how (often / many times) (did i / have i) Buying PastGoods
Buying      <- buy / bought / order / ordered / purchase / purchased
PastGoods   <- (a / an / any / the / my / these / those)? (SKU / &HasNoun (!(before Boundary)
               !(Period Closer* Boundary) ThingWord)+)
PastCount   <- how many (orders / purchases) (do i have / have i (placed / made / got) / did i
               (place
               / make) / are there) (so far / here)? Period?
             / how (often / many times) (did i / have i) Buying (here / from you / before)?
               Period?
PastSearches <- what (did i / have i) (search / searched / look / looked / ask / asked) for
               Period?
             / (which / what) (searches) (did i / have i) (make / made / run) Period?
Period      <- (in / on / during / from / of / for)? (today / yesterday / (this / last / past)
               (week
               / month / year) / (the)? (last / past) NUMBER (days / weeks / months / years / day
               / week / month / year) / Month) / this (morning / afternoon) / so far this year
Month       <- january / february / march / april / may / june / july / august / september /
               october
             / november / december

# ---- reviews of several, and advice ----------------------------------------------------------

CompareReviews <- compare (the / their / all)? (reviews / ratings / opinions) ((of / for)
               CompareItems)?
             / (which / what) (one)? of CompareItems (has / have / had / got / gets) (the)?
               (very)?
               (best / better / most positive) (reviews / review / opinions / feedback)
             / (which / what) (one / product)? (has / have / got / gets) (the)? best (reviews
               / opinions / feedback)
             / what do (people / customers / others / buyers / users / reviewers / they) (say
               / think) (about / of) (the / their)? Topic (in / of / with / on / for) CompareItems
CompareItems <- (Several / Item) ((and / ',' and / ',') Item)*
Several     <- (these / them / those / all of them / all of these / all / both)
Topic       <- (!(in / of / with / on / for) TraitWord)+
Advise      <- AdviseVerb ((for / on / about / with) Goal)?
             / what (gear / kit / equipment)? do i need for Goal
             / i need (gear / equipment / kit / everything / an outfit) for Goal
AdviseVerb  <- help me (to)? (choose / decide / pick / select) (something)?
             / i do not know (what (i (need / want / should (get / buy / take)) / to (buy / get
               / take / choose)) / which (one)? to (choose / take / buy))
             / i am not sure what (i (need / want / should (get / buy / take)) / to (buy / get /
               take
               / choose))
             / i (need / want / would like / could use) (some / your / a bit of / a little)?
               (advice
               / guidance / help (choosing / deciding) / to be advised) / advise me / guide me
             / give me (some / your)? (advice / guidance) / interview me
             / ask me (some / a few)? questions
Goal        <- Value
NewGoal     <- i (have)? changed my mind (',' / and / '.' / ':' / '-')? i (want / need / would
               like)
               SearchItem instead
NoMatter    <- i do not (care / mind) (at all / much)? / (it / that) does not matter / does not
               matter
             / no (preference / preferences / limit / idea / matter) / whatever / anything / any
               / either
             / any (price / size / kind / budget / of them / one)? (is / will) (fine / do / ok /
               okay)
             / all the same (to me)? / it is all the same / skip (it / that / this)? / as you like
             / i do not know / not sure / i am not sure / no idea / i have no idea
JustShow    <- (show / give / find) me (something / anything / some / what you have)
"""
