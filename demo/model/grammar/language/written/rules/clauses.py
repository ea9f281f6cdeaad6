"""A text as a row of clauses; what is in none of them was not understood."""

from typing import Final

CLAUSES: Final = """
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
"""
