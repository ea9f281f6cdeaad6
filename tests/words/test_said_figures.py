"""What is told of goods in figures: reckoned out, converted, compared, counted; and what holds in general."""

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Known, known

BOOT = """r1 get_product ok
BOOT-023 | Fallen Larch Insulated Winter Hiking Boot | 208.00 USD | 4.8 of 5 (5) | 54 in stock
A lined boot in nubuck leather that stays warm to -20 C and takes a snowshoe strap. A padded tongue keeps grit out. The toe cap is rubber and takes knocks from stones.
attributes: waterproof=yes, insulated=yes, height=high, material=nubuck leather, comfort=-20 C, sizes=36-47, fit=unisex, weight_g=1338"""
SOCK = """r2 get_product ok
SOCK-002 | Kestrel Edge Heavy Wool Socks | 18.00 USD | 4.8 of 5 (4) | 50 in stock
Thick terry socks in 85% merino wool, nylon for cold huts and big boots. Heel and toe are reinforced. The seam over the toes lies flat.
attributes: wool=yes, height=knee, cushion=heavy, warm=yes, material=85% merino wool, nylon, sizes=35-46, colour=forest, weight_g=104"""
PACK = """r1 get_product ok
PACK-022 | Arrow Pass Trekking Backpack | 281.50 USD | 4.1 of 5 (7) | 30 in stock
A 60 litre load carrier with an adjustable back for week-long walks. The lid pocket has a clip for keys. Two side pockets can be reached while walking.
attributes: hip_belt=yes, rain_cover=yes, adjustable_back=yes, capacity_litre=60, material=recycled 500-denier nylon, colour=brick, weight_g=1846"""
STOVE = """r1 get_product ok
STOV-018 | Timber Line Two-Burner Camping Stove | 128.95 USD | 4.8 of 5 (5) | 38 in stock
A table stove with two burners of 2.9 kW and wind flaps, for cooking properly. It stands steady on uneven ground. Tested with pots up to 20 centimetres.
attributes: fuel=gas, piezo_lighter=yes, power_kw=2.9, boil_minutes=4.0, weight_g=4794"""
TENTS = (
    """r1 get_product ok
TENT-003 | Willow Reach Ultralight Two Person Tent | 318.90 USD | 4.3 of 5 (7) | 0 in stock
For those who count grams: silicone nylon and carbon poles, pitched in four minutes. Reflective guy lines show up well at night. Pegs and a repair sleeve are in the bag.
attributes: persons=2, waterproof=yes, ultralight=yes, seasons=3, material=silicone nylon, poles=carbon poles, colour=mist, weight_g=1090""",
    """r2 get_product ok
TENT-009 | Salt Marsh Ultralight Two Person Tent | 381.90 USD | 4.4 of 5 (5) | 25 in stock
For those who count grams: silicone nylon and trekking poles as supports, pitched in four minutes. Reflective guy lines show up well at night. Pegs and a repair sleeve are in the bag.
attributes: persons=2, waterproof=yes, ultralight=yes, seasons=3, material=silicone nylon, poles=trekking poles as supports, colour=mist, weight_g=922""",
)
FLASKS = (
    """r1 get_product ok
BOTL-018 | Mill Brook Insulated Vacuum Flask | 43.95 USD | 4.5 of 5 (2) | 56 in stock
A flask of 0.7 litre with a cup for a lid; tea is hot at the summit. Spare seals can be had. The lid is tied on and cannot be lost.
attributes: material=stainless steel, insulated=yes, capacity_litre=0.7, colour=ink, weight_g=470""",
    """r2 get_product ok
BOTL-024 | Badger Moor Insulated Vacuum Flask | 51.90 USD | 3.3 of 5 (3) | 27 in stock
A flask of 0.7 litre with a cup for a lid; tea is hot at the summit. Safe in the dishwasher without its lid. Spare seals can be had.
attributes: material=stainless steel, insulated=yes, capacity_litre=0.7, colour=ink, weight_g=446""",
    """r3 get_product ok
BOTL-030 | Old Quarry Insulated Vacuum Flask | 58.50 USD | 3.8 of 5 (5) | 57 in stock
A flask of 1.0 litre with a cup for a lid; tea is hot at the summit. Spare seals can be had. Fits the side pockets of our packs.
attributes: material=stainless steel, insulated=yes, capacity_litre=1.0, colour=olive, weight_g=440""",
)
LAMPS = """r1 search_products ok: 4 hits
1. LAMP-009 | Amber Hollow Headlamp | 44.00 USD | 5.0 of 5 (2) | 4 in stock
2. LAMP-027 | Red Gorge Headlamp | 73.95 USD | 4.8 of 5 (5) | 17 in stock
3. LAMP-015 | Cairn Hill Headlamp | 54.00 USD | 4.4 of 5 (8) | 47 in stock
4. LAMP-003 | Quiet Valley Headlamp | 33.95 USD | 3.0 of 5 (7) | 10 in stock"""
BAG = """r1 get_product ok
SBAG-020 | Silver Birch Three-Season Synthetic Sleeping Bag | 136.00 USD | 4.2 of 5 (5) | 12 in stock
A mummy bag with synthetic fibre that still warms when damp; comfortable to 0 C. An inner pocket holds a phone. The hood draws in with a soft cord.
attributes: seasons=3, shape=mummy, fill=synthetic fibre, comfort=0 C, weight_g=1178"""
QUILT = """r1 get_product ok
SBAG-005 | Thistle Dale Ultralight Down Quilt | 199.00 USD | 3.5 of 5 (2) | 48 in stock
An open-backed quilt with 850-fill duck down that straps to the mat; comfortable to 4 C. An inner pocket holds a phone. The hood draws in with a soft cord.
attributes: seasons=3, shape=quilt, down=yes, ultralight=yes, fill=850-fill duck down, comfort=4 C, weight_g=606"""
POLES = """r1 get_product ok
POLE-018 | Stone Bridge Snow Trekking Poles | 88.95 USD | 4.5 of 5 (6) | 56 in stock
A pair of aluminium with wide baskets and long foam grips for winter slopes. Tips are carbide; rubber caps for roads come with it. Spare parts can be had for every piece.
attributes: material=aluminium, winter=yes, foldable=no, grip=foam, lock=lever lock, weight_g=548"""
OVERNIGHT = (
    """r1 get_product ok
PACK-021 | Pine Ledge Overnight Backpack | 193.90 USD | 4.3 of 5 (6) | 57 in stock
A 45 litre pack for one or two nights, with a long zip into the main space. The lid pocket has a clip for keys. Loops at the front take walking poles.
attributes: hip_belt=yes, rain_cover=yes, capacity_litre=45, material=420-denier nylon, colour=clay, weight_g=1246""",
    """r2 get_product ok
LAMP-013 | Clover Bank Compact Headlamp | 23.90 USD | 4.6 of 5 (7) | 13 in stock
A small lamp of 150 lumen on two AAA cells, for the tent and the path to the well. A low mode gives light for a whole night of reading. The switch works with gloves.
attributes: waterproof=no, lumen=150, battery=two AAA cells, weight_g=46""",
)
SOLO = (
    """r1 get_product ok
TENT-001 | Badger Moor One Person Tent | 88.95 USD | 4.0 of 5 (8) | 23 in stock
A tent for one with room for a pack beside you; 3 seasons, aluminium poles. Pegs and a repair sleeve are in the bag. The fly pitches first, so the inside stays dry in rain.
attributes: persons=1, waterproof=yes, freestanding=yes, seasons=3, poles=aluminium, colour=stone, weight_g=1766""",
    """r2 get_product ok
TENT-007 | Grey Heron One Person Tent | 135.90 USD | 3.0 of 5 (6) | 13 in stock
A tent for one with room for a pack beside you; 3 seasons, aluminium poles. The groundsheet is sold with it. The fly pitches first, so the inside stays dry in rain.
attributes: persons=1, waterproof=yes, freestanding=yes, seasons=3, poles=aluminium, colour=sage, weight_g=1350""",
    """r3 get_product ok
TENT-019 | Owl Beck One Person Tent | 232.00 USD | 4.2 of 5 (4) | 44 in stock
A tent for one with room for a pack beside you; 3 seasons, aluminium poles. Mesh pockets keep small things off the ground. The fly pitches first, so the inside stays dry in rain.
attributes: persons=1, waterproof=yes, freestanding=yes, seasons=3, poles=aluminium, colour=sage, weight_g=1512""",
)
POLICIES = (
    """r1 get_policy ok: returns
What was not used can be returned within 30 days of its arrival, and the money goes back to the card that was charged. The return label is free. An order that was placed can be cancelled in full. There is no exchange: return the one, and order the other.""",
    """r2 get_policy ok: shipping
Shipping is free and included in every price; there is no least amount. A parcel leaves within one working day and takes three to five working days. We ship within the United States only, to an address on file; there is no express delivery and no pick-up.""",
    """r3 get_policy ok: warranty
Everything has a warranty of two years against faults of material and making. Wear and accidents are not covered.""",
)
REVIEWS = """r2 get_reviews ok: 8 reviews of PACK-011
4 of 5 | Solid | No surprises in four months of use, and that is what I wanted.
4 of 5 | Good back | My back stays dry. The lid pocket is a little small.
5 of 5 | Exactly what I hoped for | Well made, as described, and here in three days.
3 of 5 | Straps slip | The shoulder straps need a tug every hour.
4 of 5 | Tough | Dragged through a thicket and no thread pulled.
5 of 5 | Bought one for my brother too | He tried mine for an afternoon and wanted his own.
5 of 5 | Second one I own | The first lasted six years, so I did not look for another.
5 of 5 | Light | It weighs little."""
ROLLTOP = """r1 get_product ok
PACK-011 | Alder Ridge Waterproof Roll-Top Backpack | 115.90 USD | 4.4 of 5 (8) | 22 in stock
A welded 25 litre pack that closes by rolling and stands in a canoe. A sleeve inside takes a drinking bladder.
attributes: waterproof=yes, hip_belt=yes, capacity_litre=25, material=TPU-coated nylon, colour=ocean, weight_g=832"""
ORDER = """r9 get_order ok
DB-28450716 | cancelled | 130.50 USD | LAMP-015 x2, SOCK-012 x3"""
ORDERS = """r1 list_orders ok: 2 orders
DB-47139208 | placed | 182.95 USD | COAT-009 x1, COAT-022 x1
DB-46820351 | placed | 47.00 USD | BOTL-002 x2"""
CART_BS = """cart r0 (USD):
  BOOT-023 x1 @ 208.00 = 208.00 | Fallen Larch Insulated Winter Hiking Boot
  SOCK-002 x2 @ 18.00 = 36.00 | Kestrel Edge Heavy Wool Socks
total: 244.00 USD"""
CART_ST = """cart r0 (USD):
  STOV-018 x1 @ 128.95 = 128.95 | Timber Line Two-Burner Camping Stove
  BOTL-003 x4 @ 8.90 = 35.60 | Fox Hollow Light Plastic Water Bottle
total: 164.55 USD"""
EMPTY = "user: dan\ncart r0 (USD): empty"


def read(*results: str) -> Known:
    return known(results, [], kinds=KINDS[:6])


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(PACK, EMPTY), "It weighs 1,846 grams, so about 1.85 kg (a little over 4 pounds)."),
        (read(PACK, EMPTY), "The Arrow Pass comes in at 1,846 g, or roughly 4.1 lb."),
        (read(PACK, EMPTY), "The pack weighs just under 4 pounds 2 ounces (1,846 g)."),
        (read(PACK, EMPTY), "281.50 / 60 = 4.69 USD per litre of volume."),
        (read(PACK, EMPTY), "Split between two people, that's $140.75 each."),
        (
            read(PACK, EMPTY),
            "60 litres is a common size for week-long trips; most people carry 12 to 15 kg in such a pack.",
        ),
        (read(PACK, EMPTY), "If you have $300 to spend, you'd have $18.50 left over."),
        (
            read(PACK, EMPTY),
            "An airline cabin bag is usually limited to 40 litres, so this one would have to be checked in.",
        ),
        (
            read(PACK, EMPTY),
            "500-denier nylon is pretty tough; by comparison, many daypacks use 210-denier fabric.",
        ),
        (read(LAMPS, EMPTY), "Prices run from $33.95 to $73.95, so the spread is $40."),
        (
            read(LAMPS, EMPTY),
            "Three Quiet Valley lamps would be $101.85, while three Red Gorge lamps would be $221.85. That's a difference of exactly $120.00.",
        ),
        (
            read(LAMPS, EMPTY),
            "Two Cairn Hill lamps come to $108.00. Add one Amber Hollow and you're at $152.00.",
        ),
        (
            read(LAMPS, EMPTY),
            "For $100 you could get two of the Amber Hollow ($88.00) and have $12.00 left.",
        ),
        (read(LAMPS, EMPTY), "The average price of the four is $51.48."),
        (
            read(LAMPS, EMPTY),
            "The Cairn Hill is $54.00, exactly $10 more than the Amber Hollow. Two of each: $196.00.",
        ),
        (read(LAMPS, EMPTY), "If you skip the Red Gorge, the three others together are $131.95."),
        (
            read(LAMPS, EMPTY),
            "We have 17 of the Red Gorge lamps and 47 of the Cairn Hill lamps in stock at present.",
        ),
        (read(LAMPS, EMPTY), "Under $50 there are two: the Quiet Valley and the Amber Hollow."),
        (read(LAMPS, EMPTY), "The Amber Hollow is only 0.2 stars ahead of the Red Gorge."),
        (
            read(LAMPS, EMPTY),
            "If I leave out anything below 4.5 stars, two remain: the Amber Hollow ($44.00) and the Red Gorge ($73.95).",
        ),
        (
            read(LAMPS, EMPTY),
            "In short: Amber Hollow $44.00 (5.0, 2 reviews), Red Gorge $73.95 (4.8, 5 reviews).",
        ),
        (
            read(STOVE, CART_ST),
            "It has two burners of 2.9 kW, runs on gas and has a piezo lighter.",
        ),
        (read(STOVE, CART_ST), "Both burners deliver 2.9 kW, 5.8 kW together."),
        (
            read(STOVE, CART_ST),
            "Two burners at 2.9 kW: enough for a family meal. One burner usually suffices for two people.",
        ),
        (
            read(ORDER, EMPTY),
            "The refund breaks down like this: two headlamps at $54.00 make $108.00, and three pairs of socks at $7.50 make $22.50. Together that's $130.50.",
        ),
        (
            read(ORDER, EMPTY),
            "The socks were $7.50 per pair, and you ordered three pairs, hence the $22.50 line. Add $108.00 for the lamps and you land at $130.50.",
        ),
        (read(POLES, EMPTY), "The poles weigh 548 g a pair, so both pairs together are 1,096 g."),
        (
            read(POLES, EMPTY),
            "For most people, a pole length of around 70% of body height is right: about 120 cm if you're 1.75 m tall.",
        ),
        (
            read(POLES, EMPTY),
            "Wide baskets keep the poles from sinking into snow. Aluminium bends before it breaks, which is handy far from the road.",
        ),
        (
            read(*OVERNIGHT, EMPTY),
            "Together the two items are quite light: the pack is 1,246 g and the lamp only 46 g.",
        ),
        (
            read(*OVERNIGHT, EMPTY),
            "The lamp gives 150 lumens, which is plenty around camp; trail runners often want 300 lumens or more.",
        ),
        (
            read(*OVERNIGHT, EMPTY),
            "45 litres are enough for one or two nights. For a week you'd usually want 60 litres or more.",
        ),
        (
            read(QUILT, EMPTY),
            "It's rated to 4 °C / 39 °F, so for frosty nights I'd look for something warmer.",
        ),
        (
            read(QUILT, EMPTY),
            "Down loses its warmth when wet, so keep it dry. A synthetic bag would be more forgiving.",
        ),
        (
            read(QUILT, EMPTY),
            "For temperatures below freezing, a bag rated to -5 C or so would be a better choice.",
        ),
        (read(BAG, EMPTY), "It's comfortable to 0 °C (32 °F) and weighs 1,178 g (about 2.6 lb)."),
        (
            read(BOOT, SOCK, CART_BS),
            "The Kestrel Edge pair is knee-high with heavy cushioning, so if you're between two boot sizes, the larger one is usually the safer choice.",
        ),
        (
            read(BOOT, SOCK, CART_BS),
            "Merino wool keeps warm even when it's damp, and cotton doesn't.",
        ),
        (
            read(BOOT, SOCK, CART_BS),
            "The pair of boots weighs 1,338 g, so that's about 670 g per boot.",
        ),
        (
            read(BOOT, SOCK, CART_BS),
            "European sizes 36 to 47 correspond to roughly US men's 4 to 13, but brands differ.",
        ),
        (read(BOOT, SOCK, CART_BS), "That's $44.00 more than your $200 budget."),
        (read(BOOT, SOCK, CART_BS), "With a third pair of socks you'd be at $262.00."),
        (read(BOOT, SOCK, CART_BS), "Half the price of the boots is $104.00."),
        (
            read(*SOLO, EMPTY),
            "The Grey Heron is the lightest of the three at 1,350 g, and the Badger Moor is the heaviest (1,766 g) but also the cheapest.",
        ),
        (
            read(*SOLO, EMPTY),
            "In terms of weight: Grey Heron (1,350 g) < Owl Beck (1,512 g) < Badger Moor (1,766 g).",
        ),
        (
            read(*SOLO, EMPTY),
            "The groundsheet comes only with the Grey Heron; you'd have to buy one for the others.",
        ),
        (read(*SOLO, EMPTY), "Cheapest: Badger Moor. Lightest: Grey Heron. Best rated: Owl Beck."),
        (
            read(*FLASKS, EMPTY),
            "Going from the Mill Brook to the Old Quarry costs $14.55 more and gets you 0.3 litre of extra capacity.",
        ),
        (read(*FLASKS, EMPTY), "- **Mill Brook:** $43.95 ÷ 0.7 ≈ $62.79"),
        (read(*FLASKS, EMPTY), "Per 100 ml it's $6.28, $7.41 and $5.85."),
        (
            read(*FLASKS, EMPTY),
            "Only the Badger Moor is safe in the dishwasher (without its lid), and spare seals can be had for all three.",
        ),
        (
            read(*TENTS, EMPTY),
            "The Salt Marsh Ultralight Two Person Tent is a close match. It's lighter but dearer.",
        ),
        (read(ROLLTOP, REVIEWS, EMPTY), "Seven of eight reviewers gave it four stars or more."),
        (
            read(ROLLTOP, REVIEWS, EMPTY),
            "- 5 stars: 4 reviews\n- 4 stars: 3 reviews\n- 3 stars: 1 review",
        ),
        (
            read(ORDERS, EMPTY),
            "DB-46820351 is the smaller one at $47.00; DB-47139208 was $135.95 more.",
        ),
        (
            read(ORDERS, EMPTY),
            "DB-47139208 (two jackets, $182.95) and DB-46820351 (two bottles, $47.00) both stand.",
        ),
        (read(*POLICIES, EMPTY), "That's about a month from the day the parcel arrives."),
        (read(*POLICIES, EMPTY), "The warranty lasts two years, i.e. 24 months."),
    ],
)
def test_what_is_so_is_left_as_it_is(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(PACK, EMPTY), "It weighs 1,946 grams."),
        (read(PACK, EMPTY), "The Arrow Pass weighs 3 pounds."),
        (read(PACK, EMPTY), "It's made of 210-denier nylon."),
        (read(PACK, EMPTY), "Two of them would be $573.00."),
        (read(LAMPS, EMPTY), "Prices run from $33.95 to $73.95, so the spread is $50."),
        (read(LAMPS, EMPTY), "Three Quiet Valley lamps would be $111.85."),
        (
            read(LAMPS, EMPTY),
            "When I looked, there were 37 of the Cairn Hill and 10 of the Quiet Valley.",
        ),
        (
            read(LAMPS, EMPTY),
            "Under $50 there are three: the Quiet Valley, the Amber Hollow and the Cairn Hill.",
        ),
        (read(LAMPS, EMPTY), "The Red Gorge is three times the price of the Quiet Valley."),
        (read(LAMPS, EMPTY), "If you buy two or more, you'll also get 10% off."),
        (read(LAMPS, EMPTY), "I found five headlamps."),
        (read(STOVE, CART_ST), "It has three burners of 2.9 kW."),
        (read(STOVE, CART_ST), "It has two burners of 3.9 kW."),
        (read(STOVE, CART_ST), "The four bottles come to $39.60."),
        (
            read(ORDER, EMPTY),
            "The refund breaks down like this: two headlamps at $54.00 make $108.00, and three pairs of socks at $8.50 make $25.50. Together that's $130.50.",
        ),
        (
            read(POLES, EMPTY),
            "The Stone Bridge poles fold down to 36 cm, so they'd fit in most packs.",
        ),
        (read(POLES, EMPTY), "They fold up for travel."),
        (read(POLES, EMPTY), "They have twist locks."),
        (read(POLES, EMPTY), "They have cork grips."),
        (
            read(*OVERNIGHT, EMPTY),
            "Together the two items are quite light: the pack is 946 g and the lamp only 46 g.",
        ),
        (read(*OVERNIGHT, EMPTY), "The lamp runs on three AAA cells."),
        (read(*OVERNIGHT, EMPTY), "It's a 54-litre pack."),
        (
            read(QUILT, EMPTY),
            "If you come back to it: the quilt uses 850-fill goose down and is comfortable down to -4 C.",
        ),
        (read(QUILT, EMPTY), "Comfort is 4 C (about 49 °F)."),
        (read(BAG, EMPTY), "The Silver Birch Three-Season Down Sleeping Bag costs $136.00."),
        (read(BAG, EMPTY), "It weighs about 3.6 lb."),
        (read(BOOT, SOCK, CART_BS), "The boots are mid height."),
        (read(BOOT, SOCK, CART_BS), "The boots come in 38 to 47."),
        (read(BOOT, SOCK, CART_BS), "The socks are $36.00 each."),
        (read(BOOT, SOCK, CART_BS), "The socks have 12 reviews."),
        (read(BOOT, SOCK, CART_BS), "The socks come in navy."),
        (read(BOOT, SOCK, CART_BS), "Your total is $254.00."),
        (
            read(*SOLO, EMPTY),
            "The Owl Beck is the lightest of the three, which explains its price of $232.00.",
        ),
        (
            read(*SOLO, EMPTY),
            "The Owl Beck comes in sage, slate or red, so you'd have the most choice there.",
        ),
        (
            read(*SOLO, EMPTY),
            "If you want to camp in snow, take the Owl Beck: it's the only four-season tent of the three.",
        ),
        (read(*SOLO, EMPTY), "All three come with a groundsheet."),
        (read(*SOLO, EMPTY), "The Owl Beck Two Person Tent costs $232.00."),
        (read(*SOLO, EMPTY), "All three are rated 4.0 or better."),
        (
            read(*FLASKS, EMPTY),
            "All three flasks are safe in the dishwasher without their lids, and spare seals can be had for each.",
        ),
        (
            read(*FLASKS, EMPTY),
            "Going from the Mill Brook to the Old Quarry gets you 0.5 litre of extra capacity.",
        ),
        (read(*FLASKS, EMPTY), "The lightest flask is the Badger Moor at 446 g."),
        (
            read(*TENTS, EMPTY),
            "The Willow Reach is sold out, but the Salt Marsh Ultralight Two Person Tent is a great substitute. It's cheaper and lighter, so you win on both counts!",
        ),
        (
            read(ROLLTOP, REVIEWS, EMPTY),
            "Six of the eight reviewers gave the Alder Ridge roll-top five stars.",
        ),
        (read(ROLLTOP, REVIEWS, EMPTY), "- 5 stars: 6 reviews\n- 4 stars: 2 reviews"),
        (read(ROLLTOP, REVIEWS, EMPTY), "Nobody gave it less than four stars."),
        (read(ORDERS, EMPTY), "Your jackets are still on order under DB-46820351, for $182.95."),
        (read(ORDERS, EMPTY), "DB-47139208 holds three jackets."),
        (
            read(*POLICIES, EMPTY),
            "You can send things back within 60 days of their arrival if they haven't been used, and the return label is free.",
        ),
    ],
)
def test_what_is_not_so_is_found(about: Known, said: str):
    assert untrue_in(said, about)
