"""Rules of what is asked about one product."""

from typing import Final

PRODUCT: Final = """
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
"""
