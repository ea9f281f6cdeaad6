"""Rules of what was read and done before."""

from typing import Final

PAST: Final = """
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
             / (what / which) (were / was / are) (the / those / my)? ReopenWords (again)?
               (that / which)? (from)? ShownThen
             / (what / which) ReopenWords (did you / have you) (show / shown / list / find / found)
               (me)? ShownThen
ReopenVerb  <- (open / show / read / see / view / display / give / recall / reopen / get) (me)?
ReopenPlace <- NTH / last / latest / previous / earlier / earliest / original / initial / old /
               older
             / last but one
ReopenThing <- results / hits / list / search
ReopenWords <- &HasNoun (!ReopenThing !Before ThingWord)+
Before      <- before / earlier / (from / of) (before / earlier) / you (found / showed) (me)?
               (before
               / earlier)?
ShownThen   <- you (had)? (found / showed / listed / told) (me)? (of / about)? (before / earlier
               / first / again / just now / at first)?
             / before / earlier / first / at first
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
"""
