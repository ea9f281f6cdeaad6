"""Rules of asking for advice: what else would fit, reviews of several, how to choose."""

from typing import Final

ADVICE: Final = """
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
AdviseVerb  <- help me (to)? (choose / decide / pick / select)
               (something / (one / ones) &Boundary / the (right / best) (one / ones))?
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
