"""Rules of orders and mails, and of what is on file of oneself."""

from typing import Final

ORDERS: Final = """
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
"""
