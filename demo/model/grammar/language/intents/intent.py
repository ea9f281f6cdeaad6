"""What a clause can mean: all the typed intents, each described in the module of its subject.

An intent holds only what the words say.
"""

from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Doubtful,
    Keep,
    Offer,
    Remove,
    SetQuantity,
    ShowCart,
    Swap,
)
from daybook.demo.model.grammar.language.intents.goods import (
    AskKinds,
    AskPrice,
    AskProperty,
    CompareReviews,
    Details,
    Differ,
    Mention,
    NewGoal,
    Pick,
    Reviews,
    Search,
    ShowList,
    Suggest,
    Those,
    Times,
)
from daybook.demo.model.grammar.language.intents.orders import (
    AskPolicy,
    CancelOrder,
    Checkout,
    ChooseAgain,
    Mail,
    OrderNews,
    OrderStatus,
    SameAgain,
    ShowOrders,
    ShowProfile,
)
from daybook.demo.model.grammar.language.intents.past import PastIntent
from daybook.demo.model.grammar.language.intents.talk import (
    Agree,
    Finished,
    NotUnderstood,
    Refuse,
    Talk,
)

Intent = (
    Talk
    | Agree
    | Refuse
    | Finished
    | Search
    | Those
    | ShowList
    | AskKinds
    | Add
    | Remove
    | SetQuantity
    | Keep
    | Swap
    | Offer
    | Doubtful
    | Times
    | Differ
    | SameAgain
    | OrderNews
    | AskPolicy
    | ClearCart
    | ShowCart
    | Details
    | Reviews
    | AskPrice
    | AskProperty
    | Mention
    | Pick
    | Suggest
    | Checkout
    | ChooseAgain
    | CancelOrder
    | ShowOrders
    | OrderStatus
    | Mail
    | ShowProfile
    | CompareReviews
    | NewGoal
    | PastIntent
    | NotUnderstood
)
World = Checkout | CancelOrder | Mail
"""Intents that act on the outside world: nothing may be doubtful about them."""
