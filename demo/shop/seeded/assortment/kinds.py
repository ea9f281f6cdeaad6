"""All kinds of goods, in the order in which the shop shows them."""

from daybook.demo.shop.seeded.assortment.backpacks import BACKPACKS
from daybook.demo.shop.seeded.assortment.boots import BOOTS
from daybook.demo.shop.seeded.assortment.bottles import BOTTLES
from daybook.demo.shop.seeded.assortment.headlamps import HEADLAMPS
from daybook.demo.shop.seeded.assortment.jackets import JACKETS
from daybook.demo.shop.seeded.assortment.poles import POLES
from daybook.demo.shop.seeded.assortment.sleeping_bags import SLEEPING_BAGS
from daybook.demo.shop.seeded.assortment.socks import SOCKS
from daybook.demo.shop.seeded.assortment.stoves import STOVES
from daybook.demo.shop.seeded.assortment.tents import TENTS

KINDS = (
    BOOTS,
    SOCKS,
    JACKETS,
    TENTS,
    SLEEPING_BAGS,
    BACKPACKS,
    HEADLAMPS,
    STOVES,
    BOTTLES,
    POLES,
)
