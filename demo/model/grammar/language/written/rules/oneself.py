"""Rules of what a person says about themselves."""

from typing import Final

ONESELF: Final = """
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
"""
