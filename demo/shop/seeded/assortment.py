from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Style:
    """Describe one line of products within a kind.

    `low` and `high` are prices in cents. `fixed` are attributes that all its products share;
    `varied` are those of which each product has one. `weight` is a range in grams. In `text`,
    `{name}` stands for an attribute of that name.
    """

    title: str
    low: int
    high: int
    weight: tuple[int, int]
    text: str
    fixed: dict[str, Any] = field(default_factory=dict)
    varied: dict[str, tuple[Any, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """Describe one category: its styles, and sentences that fit each of its products."""

    slug: str
    name: str
    prefix: str
    styles: tuple[Style, ...]
    remarks: tuple[str, ...]


SHOE_SIZES = ("36-47", "37-46", "38-48", "40-49")
CLOTHES_SIZES = ("XS-XL", "S-XL", "S-XXL", "XS-XXL")
SOCK_SIZES = ("35-46", "36-47", "38-48")

BOOTS = Kind(
    "hiking-boots",
    "Hiking boots",
    "BOOT",
    (
        Style(
            "Waterproof Hiking Boot",
            9_900,
            16_400,
            (980, 1240),
            "A mid-height boot in {material} with a sealed membrane behind it, made for wet trails"
            " and full days.",
            {"waterproof": True, "height": "mid"},
            {
                "material": ("nubuck leather", "suede and nylon", "full-grain leather"),
                "sole": ("rubber, 5 mm lugs", "rubber, 4 mm lugs"),
                "sizes": SHOE_SIZES,
                "fit": ("men", "women", "unisex"),
            },
        ),
        Style(
            "Light Waterproof Hiking Boot",
            7_900,
            14_900,
            (760, 940),
            "The light one for weekends: {material} above, a thin membrane inside, and no days of"
            " breaking in.",
            {"waterproof": True, "height": "mid"},
            {
                "material": ("recycled mesh", "synthetic suede", "ripstop nylon"),
                "sole": ("rubber, 4 mm lugs", "foam and rubber"),
                "sizes": SHOE_SIZES,
                "fit": ("men", "women", "unisex"),
            },
        ),
        Style(
            "Hiking Boot",
            6_400,
            11_900,
            (820, 1020),
            "An airy boot in {material} for dry summers: it breathes well and dries overnight.",
            {"waterproof": False, "height": "mid"},
            {
                "material": ("open mesh", "canvas and suede", "split leather"),
                "sole": ("rubber, 4 mm lugs", "rubber, 3 mm lugs"),
                "sizes": SHOE_SIZES,
                "fit": ("men", "women", "unisex"),
            },
        ),
        Style(
            "Leather Trekking Boot",
            17_900,
            28_900,
            (1350, 1620),
            "A stiff, high boot in {material} for heavy loads and rough ground; it can be resoled.",
            {"waterproof": True, "height": "high", "resoleable": True},
            {
                "material": ("full-grain leather", "waxed leather"),
                "sole": ("rubber, 6 mm lugs", "rubber, 5 mm lugs"),
                "sizes": SHOE_SIZES,
                "fit": ("men", "women"),
            },
        ),
        Style(
            "Insulated Winter Hiking Boot",
            14_500,
            22_900,
            (1200, 1480),
            "A lined boot in {material} that stays warm to {comfort} and takes a snowshoe strap.",
            {"waterproof": True, "insulated": True, "height": "high"},
            {
                "material": ("nubuck leather", "rubberised leather"),
                "comfort": ("-15 C", "-20 C", "-25 C"),
                "sizes": SHOE_SIZES,
                "fit": ("men", "women", "unisex"),
            },
        ),
        Style(
            "Low Trail Shoe",
            5_900,
            12_900,
            (560, 720),
            "A nimble low shoe in {material} for fast walks on made paths.",
            {"waterproof": False, "height": "low"},
            {
                "material": ("open mesh", "knitted polyester", "recycled mesh"),
                "sole": ("rubber, 3 mm lugs", "foam and rubber"),
                "sizes": SHOE_SIZES,
                "fit": ("men", "women", "unisex"),
            },
        ),
    ),
    (
        "The toe cap is rubber and takes knocks from stones.",
        "Hooks at the top let you lace the ankle tighter than the foot.",
        "Runs true to size with a medium sock.",
        "The insole comes out for drying.",
        "A padded tongue keeps grit out.",
    ),
)

SOCKS = Kind(
    "socks",
    "Socks",
    "SOCK",
    (
        Style(
            "Merino Wool Hiking Socks",
            1_400,
            2_700,
            (62, 84),
            "Crew socks in {material} that stay pleasant for several days of walking.",
            {"wool": True, "height": "crew"},
            {
                "material": ("72% merino wool, nylon", "65% merino wool, nylon, elastane"),
                "cushion": ("light", "medium"),
                "sizes": SOCK_SIZES,
                "colour": ("moss", "slate", "brick", "navy"),
            },
        ),
        Style(
            "Heavy Wool Socks",
            1_800,
            3_400,
            (104, 138),
            "Thick terry socks in {material} for cold huts and big boots.",
            {"wool": True, "height": "knee", "cushion": "heavy", "warm": True},
            {
                "material": ("80% lambswool, nylon", "85% merino wool, nylon"),
                "sizes": SOCK_SIZES,
                "colour": ("oatmeal", "charcoal", "forest"),
            },
        ),
        Style(
            "Thin Wool Liner Socks",
            900,
            1_700,
            (34, 46),
            "A first layer in {material} that takes the rub between skin and outer sock.",
            {"wool": True, "height": "crew", "cushion": "none"},
            {
                "material": ("60% merino wool, polyamide", "50% merino wool, silk"),
                "sizes": SOCK_SIZES,
                "colour": ("black", "grey"),
            },
        ),
        Style(
            "Trail Running Socks",
            800,
            1_900,
            (38, 52),
            "Low, quick-drying socks in {material} with mesh over the foot.",
            {"wool": False, "height": "ankle"},
            {
                "material": ("nylon, elastane", "recycled polyester, elastane"),
                "cushion": ("light", "none"),
                "sizes": SOCK_SIZES,
                "colour": ("orange", "white", "teal"),
            },
        ),
        Style(
            "Waterproof Membrane Socks",
            2_900,
            4_600,
            (96, 120),
            "Three layers in {material} with a sealed membrane between, for fords and snowmelt.",
            {"wool": False, "waterproof": True, "height": "crew"},
            {
                "material": ("nylon, bamboo viscose", "nylon, polyester"),
                "cushion": ("light", "medium"),
                "sizes": SOCK_SIZES,
                "colour": ("black", "olive"),
            },
        ),
        Style(
            "Cotton Camp Socks",
            600,
            1_200,
            (58, 76),
            "Soft socks in {material} for the evening by the fire.",
            {"wool": False, "height": "crew"},
            {
                "material": ("80% cotton, nylon", "organic cotton, elastane"),
                "cushion": ("light", "medium"),
                "sizes": SOCK_SIZES,
                "colour": ("cream", "rust", "denim"),
            },
        ),
    ),
    (
        "The seam over the toes lies flat.",
        "Sold as one pair.",
        "Machine wash at 40 degrees, no softener.",
        "A ribbed arch keeps it from slipping.",
        "Heel and toe are reinforced.",
    ),
)

JACKETS = Kind(
    "jackets",
    "Jackets",
    "COAT",
    (
        Style(
            "Waterproof Rain Jacket",
            6_900,
            17_900,
            (310, 440),
            "A two-and-a-half-layer jacket in {material} with taped seams; it packs into its own"
            " pocket.",
            {"waterproof": True, "hood": True},
            {
                "material": ("ripstop nylon", "recycled polyester"),
                "sizes": CLOTHES_SIZES,
                "colour": ("yellow", "ocean", "moss"),
                "fit": ("men", "women", "unisex"),
            },
        ),
        Style(
            "Down Jacket",
            11_900,
            28_900,
            (320, 480),
            "A warm jacket with {fill} under {material}, for still, cold evenings.",
            {"insulated": True, "warm": True, "waterproof": False},
            {
                "fill": ("650-fill duck down", "750-fill goose down", "800-fill goose down"),
                "material": ("nylon taffeta", "recycled nylon"),
                "sizes": CLOTHES_SIZES,
                "colour": ("rust", "black", "lake"),
                "fit": ("men", "women"),
            },
        ),
        Style(
            "Softshell Jacket",
            7_900,
            15_900,
            (420, 560),
            "A stretchy jacket in {material} that stops wind and sheds a passing shower.",
            {"windproof": True, "waterproof": False},
            {
                "material": ("stretch nylon", "stretch polyester"),
                "sizes": CLOTHES_SIZES,
                "colour": ("graphite", "pine", "plum"),
                "fit": ("men", "women"),
            },
        ),
        Style(
            "Fleece Jacket",
            3_900,
            9_900,
            (300, 460),
            "A simple fleece in {material} that dries fast and goes under everything.",
            {"warm": True, "waterproof": False},
            {
                "material": ("recycled polyester fleece", "grid fleece", "high-pile fleece"),
                "sizes": CLOTHES_SIZES,
                "colour": ("oat", "forest", "sky"),
                "fit": ("men", "women", "unisex"),
            },
        ),
        Style(
            "Three-Layer Waterproof Shell Jacket",
            22_900,
            44_900,
            (380, 510),
            "A mountain shell in {material} with a helmet hood, for days when it rains sideways.",
            {"waterproof": True, "windproof": True, "hood": True},
            {
                "material": ("40-denier nylon", "70-denier nylon"),
                "sizes": CLOTHES_SIZES,
                "colour": ("flame", "ink", "spruce"),
                "fit": ("men", "women"),
            },
        ),
        Style(
            "Insulated Waterproof Parka",
            14_900,
            27_900,
            (820, 1090),
            "A long parka with {fill} behind {material}: town in January, camp in March.",
            {"waterproof": True, "insulated": True, "warm": True, "hood": True},
            {
                "fill": ("synthetic fill", "recycled synthetic fill"),
                "material": ("brushed polyester", "cotton-touch nylon"),
                "sizes": CLOTHES_SIZES,
                "colour": ("sand", "navy", "olive"),
                "fit": ("men", "women"),
            },
        ),
    ),
    (
        "Two hand pockets sit above the hip belt of a pack.",
        "The cuffs adjust with a tab.",
        "The hem draws tight with one hand.",
        "A chest pocket holds a phone or a map.",
        "Cut long enough to sit on.",
    ),
)

TENTS = Kind(
    "tents",
    "Tents",
    "TENT",
    (
        Style(
            "One Person Tent",
            8_900,
            27_900,
            (1150, 1780),
            "A tent for one with room for a pack beside you; {seasons} seasons, {poles} poles.",
            {"persons": 1, "waterproof": True, "freestanding": True},
            {"seasons": (3,), "poles": ("aluminium",), "colour": ("sage", "stone")},
        ),
        Style(
            "Two Person Tent",
            6_900,
            24_900,
            (2050, 2900),
            "Two doors, two porches and {poles} poles: nobody has to climb over anybody.",
            {"persons": 2, "waterproof": True, "freestanding": True},
            {
                "seasons": (3,),
                "poles": ("aluminium", "fibreglass"),
                "colour": ("sage", "amber", "slate"),
            },
        ),
        Style(
            "Ultralight Two Person Tent",
            31_900,
            56_900,
            (890, 1180),
            "For those who count grams: {material} and {poles}, pitched in four minutes.",
            {"persons": 2, "waterproof": True, "ultralight": True, "seasons": 3},
            {
                "material": ("silicone nylon", "silicone polyester"),
                "poles": ("trekking poles as supports", "carbon poles"),
                "colour": ("mist", "lichen"),
            },
        ),
        Style(
            "Three Person Tent",
            14_900,
            32_900,
            (2700, 3600),
            "Room for a small family or a couple with a dog, with {poles} poles and a deep porch.",
            {"persons": 3, "waterproof": True, "freestanding": True},
            {"seasons": (3,), "poles": ("aluminium",), "colour": ("moss", "amber")},
        ),
        Style(
            "Four Person Family Tent",
            19_900,
            44_900,
            (5200, 7900),
            "A family tent with standing height of {height_cm} cm and a dark bedroom.",
            {"persons": 4, "waterproof": True, "seasons": 3},
            {
                "height_cm": (185, 195, 205),
                "poles": ("steel", "fibreglass"),
                "colour": ("sand", "lake"),
            },
        ),
        Style(
            "Winter Expedition Tent",
            44_900,
            69_900,
            (3100, 4100),
            "Five {poles} poles, snow skirts and guy points for storms above the tree line.",
            {"persons": 2, "waterproof": True, "freestanding": True, "seasons": 4},
            {"poles": ("aluminium", "aluminium, 10 mm"), "colour": ("signal orange", "red")},
        ),
    ),
    (
        "Pegs and a repair sleeve are in the bag.",
        "The fly pitches first, so the inside stays dry in rain.",
        "Reflective guy lines show up well at night.",
        "Mesh pockets keep small things off the ground.",
        "The groundsheet is sold with it.",
    ),
)

SLEEPING_BAGS = Kind(
    "sleeping-bags",
    "Sleeping bags",
    "SBAG",
    (
        Style(
            "Summer Sleeping Bag",
            3_900,
            8_900,
            (620, 900),
            "A light bag with {fill} for summer nights, comfortable to {comfort}.",
            {"seasons": 1, "shape": "rectangular"},
            {"fill": ("synthetic fibre", "hollow fibre"), "comfort": ("12 C", "10 C")},
        ),
        Style(
            "Three-Season Synthetic Sleeping Bag",
            6_900,
            15_900,
            (1150, 1650),
            "A mummy bag with {fill} that still warms when damp; comfortable to {comfort}.",
            {"seasons": 3, "shape": "mummy"},
            {"fill": ("synthetic fibre", "recycled synthetic"), "comfort": ("2 C", "0 C")},
        ),
        Style(
            "Three-Season Down Sleeping Bag",
            17_900,
            34_900,
            (760, 1020),
            "A mummy bag with {fill}, comfortable to {comfort}, small in the pack.",
            {"seasons": 3, "shape": "mummy", "down": True},
            {
                "fill": ("650-fill duck down", "750-fill goose down"),
                "comfort": ("1 C", "-1 C", "-3 C"),
            },
        ),
        Style(
            "Winter Down Sleeping Bag",
            32_900,
            54_900,
            (1250, 1600),
            "A deep bag with {fill} and a draught collar, comfortable to {comfort}.",
            {"seasons": 4, "shape": "mummy", "down": True, "warm": True},
            {
                "fill": ("800-fill goose down", "850-fill goose down"),
                "comfort": ("-12 C", "-18 C"),
            },
        ),
        Style(
            "Ultralight Down Quilt",
            19_900,
            36_900,
            (480, 640),
            "An open-backed quilt with {fill} that straps to the mat; comfortable to {comfort}.",
            {"seasons": 3, "shape": "quilt", "down": True, "ultralight": True},
            {
                "fill": ("800-fill goose down", "850-fill duck down"),
                "comfort": ("4 C", "0 C"),
            },
        ),
        Style(
            "Kids Sleeping Bag",
            2_900,
            6_900,
            (700, 960),
            "A bag with {fill} that grows with the child: the foot end unrolls. Good to {comfort}.",
            {"seasons": 2, "shape": "mummy", "kids": True},
            {"fill": ("synthetic fibre", "hollow fibre"), "comfort": ("8 C", "6 C")},
        ),
    ),
    (
        "The zip runs from both ends and has a guard against snagging.",
        "A stuff sack and a large storage sack come with it.",
        "An inner pocket holds a phone.",
        "Left and right zips can be joined.",
        "The hood draws in with a soft cord.",
    ),
)

BACKPACKS = Kind(
    "backpacks",
    "Backpacks",
    "PACK",
    (
        Style(
            "Daypack",
            3_900,
            9_900,
            (420, 690),
            "A {capacity_litre} litre pack for a jacket, lunch and the small things of a day out.",
            {"hip_belt": False},
            {
                "capacity_litre": (18, 20, 22, 24),
                "material": ("recycled nylon", "ripstop polyester"),
                "colour": ("pine", "rust", "black"),
            },
        ),
        Style(
            "Hiking Backpack",
            7_900,
            15_900,
            (890, 1240),
            "A {capacity_litre} litre pack with a ventilated back and a rain cover in its base.",
            {"hip_belt": True, "rain_cover": True},
            {
                "capacity_litre": (28, 30, 34, 36),
                "material": ("recycled nylon", "210-denier nylon"),
                "colour": ("slate", "moss", "lake"),
            },
        ),
        Style(
            "Overnight Backpack",
            11_900,
            21_900,
            (1150, 1500),
            "A {capacity_litre} litre pack for one or two nights, with a long zip into the main"
            " space.",
            {"hip_belt": True, "rain_cover": True},
            {
                "capacity_litre": (42, 45, 48, 50),
                "material": ("210-denier nylon", "420-denier nylon"),
                "colour": ("ink", "olive", "clay"),
            },
        ),
        Style(
            "Trekking Backpack",
            16_900,
            31_900,
            (1700, 2300),
            "A {capacity_litre} litre load carrier with an adjustable back for week-long walks.",
            {"hip_belt": True, "rain_cover": True, "adjustable_back": True},
            {
                "capacity_litre": (60, 65, 70, 75),
                "material": ("420-denier nylon", "recycled 500-denier nylon"),
                "colour": ("forest", "navy", "brick"),
            },
        ),
        Style(
            "Waterproof Roll-Top Backpack",
            8_900,
            19_900,
            (780, 1150),
            "A welded {capacity_litre} litre pack that closes by rolling and stands in a canoe.",
            {"waterproof": True, "hip_belt": True},
            {
                "capacity_litre": (25, 30, 35),
                "material": ("TPU-coated nylon", "coated polyester"),
                "colour": ("yellow", "black", "ocean"),
            },
        ),
        Style(
            "Hydration Running Pack",
            5_900,
            13_900,
            (210, 340),
            "A close-fitting {capacity_litre} litre vest with two soft flasks in front.",
            {"hip_belt": False, "light": True},
            {
                "capacity_litre": (5, 8, 12),
                "material": ("stretch mesh", "ripstop nylon"),
                "colour": ("white", "coral", "black"),
            },
        ),
    ),
    (
        "Two side pockets can be reached while walking.",
        "Loops at the front take walking poles.",
        "The lid pocket has a clip for keys.",
        "Compression straps make a half-full pack ride well.",
        "A sleeve inside takes a drinking bladder.",
    ),
)

HEADLAMPS = Kind(
    "headlamps",
    "Headlamps",
    "LAMP",
    (
        Style(
            "Compact Headlamp",
            1_500,
            3_400,
            (42, 62),
            "A small lamp of {lumen} lumen on {battery}, for the tent and the path to the well.",
            {"waterproof": False},
            {"lumen": (120, 150, 200), "battery": ("two AAA cells", "three AAA cells")},
        ),
        Style(
            "Rechargeable Headlamp",
            2_900,
            6_400,
            (58, 88),
            "A lamp of {lumen} lumen with {battery}, filled by USB-C in two hours.",
            {"rechargeable": True, "waterproof": False},
            {"lumen": (300, 350, 400, 450), "battery": ("a 1200 mAh pack", "an 1800 mAh pack")},
        ),
        Style(
            "Waterproof Headlamp",
            3_400,
            7_400,
            (78, 110),
            "A sealed lamp of {lumen} lumen that survives a fall into a river; runs on {battery}.",
            {"waterproof": True, "ip_rating": "IPX7"},
            {"lumen": (300, 400, 500), "battery": ("three AAA cells", "a 1500 mAh pack")},
        ),
        Style(
            "Long-Range Headlamp",
            6_900,
            11_900,
            (110, 165),
            "A beam of {lumen} lumen that reaches {reach_metre} metres, fed by {battery}.",
            {"rechargeable": True, "waterproof": True},
            {
                "lumen": (800, 1000, 1200),
                "reach_metre": (160, 200, 230),
                "battery": ("a 3000 mAh pack", "a 4000 mAh pack"),
            },
        ),
        Style(
            "Red-Light Headlamp",
            2_400,
            4_900,
            (60, 84),
            "A lamp of {lumen} lumen with a red light that spares night vision; runs on {battery}.",
            {"red_light": True, "waterproof": False},
            {"lumen": (200, 250, 300), "battery": ("three AAA cells", "a 1000 mAh pack")},
        ),
        Style(
            "Kids Headlamp",
            1_200,
            2_200,
            (38, 52),
            "A gentle lamp of {lumen} lumen on {battery}, with a strap that opens under load.",
            {"kids": True, "waterproof": False},
            {"lumen": (40, 60, 80), "battery": ("two AAA cells",)},
        ),
    ),
    (
        "The switch works with gloves.",
        "It tilts in five steps.",
        "A lock keeps it from lighting up in the pack.",
        "The strap comes off for washing.",
        "A low mode gives light for a whole night of reading.",
    ),
)

STOVES = Kind(
    "stoves",
    "Stoves",
    "STOV",
    (
        Style(
            "Gas Canister Stove",
            2_400,
            6_900,
            (72, 120),
            "A folding burner in {material} that screws onto a gas canister and boils a litre in"
            " {boil_minutes} minutes.",
            {"fuel": "gas"},
            {"material": ("steel", "titanium"), "boil_minutes": (3.5, 4.0, 4.5)},
        ),
        Style(
            "Integrated Gas Stove System",
            8_900,
            16_900,
            (370, 460),
            "Burner and {pot_litre} litre pot in one, with a heat exchanger that saves gas.",
            {"fuel": "gas", "piezo_lighter": True},
            {"pot_litre": (0.8, 1.0), "boil_minutes": (2.5, 3.0)},
        ),
        Style(
            "Liquid Fuel Stove",
            11_900,
            19_900,
            (340, 480),
            "A roarer for cold and altitude that burns {fuel}; every part can be serviced.",
            {"serviceable": True},
            {"fuel": ("white gas", "white gas, petrol and kerosene"), "boil_minutes": (3.5, 4.0)},
        ),
        Style(
            "Alcohol Stove",
            1_500,
            3_900,
            (28, 110),
            "A silent burner in {material} without a moving part.",
            {"fuel": "alcohol", "ultralight": True},
            {"material": ("brass", "aluminium", "titanium"), "boil_minutes": (7.0, 8.5)},
        ),
        Style(
            "Wood Burning Camp Stove",
            3_900,
            9_900,
            (410, 940),
            "A folding stove in {material} that cooks on twigs: no fuel to carry.",
            {"fuel": "wood"},
            {"material": ("stainless steel", "titanium"), "boil_minutes": (6.0, 8.0)},
        ),
        Style(
            "Two-Burner Camping Stove",
            7_900,
            17_900,
            (3900, 5200),
            "A table stove with two burners of {power_kw} kW and wind flaps, for cooking properly.",
            {"fuel": "gas", "piezo_lighter": True},
            {"power_kw": (2.2, 2.9, 3.2), "boil_minutes": (4.0, 5.0)},
        ),
    ),
    (
        "The flame can be turned down to a simmer.",
        "Pot supports fold flat.",
        "A stuff sack comes with it; fuel is sold apart.",
        "It stands steady on uneven ground.",
        "Tested with pots up to 20 centimetres.",
    ),
)

BOTTLES = Kind(
    "water-bottles",
    "Water bottles",
    "BOTL",
    (
        Style(
            "Steel Water Bottle",
            1_400,
            2_900,
            (180, 290),
            "A single-walled bottle in {material} that holds {capacity_litre} litre and takes dents"
            " with grace.",
            {"material": "stainless steel", "insulated": False},
            {"capacity_litre": (0.5, 0.75, 1.0), "colour": ("bare", "forest", "brick")},
        ),
        Style(
            "Insulated Steel Water Bottle",
            2_400,
            4_900,
            (330, 520),
            "A double-walled bottle of {capacity_litre} litre: cold for a day, hot for half a day.",
            {"material": "stainless steel", "insulated": True},
            {"capacity_litre": (0.5, 0.75, 1.0), "colour": ("sky", "black", "sand")},
        ),
        Style(
            "Light Plastic Water Bottle",
            900,
            1_900,
            (90, 170),
            "A wide-mouthed bottle in {material}, {capacity_litre} litre, with marks on the side.",
            {"light": True, "insulated": False},
            {
                "material": ("copolyester", "recycled copolyester"),
                "capacity_litre": (0.75, 1.0),
                "colour": ("clear", "blue", "smoke"),
            },
        ),
        Style(
            "Soft Collapsible Bottle",
            1_200,
            2_600,
            (28, 60),
            "A soft bottle in {material} that rolls up when the {capacity_litre} litre are drunk.",
            {"collapsible": True, "light": True},
            {
                "material": ("TPU film", "silicone"),
                "capacity_litre": (0.5, 1.0, 2.0),
                "colour": ("clear", "teal"),
            },
        ),
        Style(
            "Filter Water Bottle",
            3_400,
            6_900,
            (130, 240),
            "A {capacity_litre} litre bottle with a hollow-fibre filter good for {filter_litre}"
            " litres of stream water.",
            {"filter": True},
            {
                "material": ("copolyester", "TPU film"),
                "capacity_litre": (0.6, 0.75, 1.0),
                "filter_litre": (1000, 1500, 2000),
            },
        ),
        Style(
            "Insulated Vacuum Flask",
            2_900,
            5_900,
            (380, 610),
            "A flask of {capacity_litre} litre with a cup for a lid; tea is hot at the summit.",
            {"material": "stainless steel", "insulated": True},
            {"capacity_litre": (0.5, 0.7, 1.0), "colour": ("olive", "bare", "ink")},
        ),
    ),
    (
        "The lid is tied on and cannot be lost.",
        "Fits the side pockets of our packs.",
        "Safe in the dishwasher without its lid.",
        "The mouth takes ice cubes.",
        "Spare seals can be had.",
    ),
)

POLES = Kind(
    "trekking-poles",
    "Trekking poles",
    "POLE",
    (
        Style(
            "Aluminium Trekking Poles",
            3_400,
            7_900,
            (480, 580),
            "A pair in three parts of {material} with {grip} grips, set by {lock}.",
            {"material": "aluminium", "foldable": False},
            {"grip": ("foam", "rubber"), "lock": ("lever lock", "twist lock")},
        ),
        Style(
            "Carbon Trekking Poles",
            8_900,
            17_900,
            (330, 410),
            "A pair of {material} that swings easily all day, with {grip} grips and {lock}.",
            {"material": "carbon fibre", "foldable": False, "light": True},
            {"grip": ("cork", "foam"), "lock": ("lever lock",)},
        ),
        Style(
            "Folding Trekking Poles",
            6_900,
            14_900,
            (400, 490),
            "A pair that folds to {folded_cm} cm for the bag, in {material} with {grip} grips.",
            {"foldable": True},
            {
                "material": ("aluminium", "aluminium and carbon"),
                "grip": ("cork", "foam"),
                "folded_cm": (36, 38, 40),
            },
        ),
        Style(
            "Folding Carbon Trekking Poles",
            12_900,
            21_900,
            (270, 350),
            "A pair of {material} that folds to {folded_cm} cm and weighs next to nothing.",
            {"material": "carbon fibre", "foldable": True, "ultralight": True},
            {"grip": ("foam", "cork"), "folded_cm": (33, 35, 37)},
        ),
        Style(
            "Shock-Absorbing Trekking Poles",
            4_900,
            9_900,
            (500, 600),
            "A pair of {material} with a spring that spares wrists downhill; {grip} grips, {lock}.",
            {"material": "aluminium", "shock_absorbing": True, "foldable": False},
            {"grip": ("rubber", "cork"), "lock": ("lever lock", "twist lock")},
        ),
        Style(
            "Snow Trekking Poles",
            5_900,
            11_900,
            (510, 610),
            "A pair of {material} with wide baskets and long {grip} grips for winter slopes.",
            {"material": "aluminium", "winter": True, "foldable": False},
            {"grip": ("foam", "rubber"), "lock": ("lever lock",)},
        ),
    ),
    (
        "Tips are carbide; rubber caps for roads come with it.",
        "Marks on the shaft show the length.",
        "The wrist straps are padded.",
        "Spare parts can be had for every piece.",
        "Sold as a pair.",
    ),
)

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

BRANDS = (
    "Alder & Ash",
    "Brightwater",
    "Cairnfield",
    "Dunmore",
    "Eastfell",
    "Fieldnote",
    "Greyhen",
    "Hollow Oak",
    "Ironbark",
    "Juniper Works",
)

PLACES = (
    "Alder Ridge",
    "Amber Hollow",
    "Arrow Pass",
    "Badger Moor",
    "Birch Hollow",
    "Black Tarn",
    "Cairn Hill",
    "Cedar Fork",
    "Clover Bank",
    "Copper Creek",
    "Crane Lake",
    "Dark Fen",
    "Eagle Stair",
    "Elk Meadow",
    "Fallen Larch",
    "Fern Gully",
    "Fox Hollow",
    "Granite Bay",
    "Grey Heron",
    "Hazel Bank",
    "Heather Top",
    "High Saddle",
    "Hunter Gap",
    "Juniper Bend",
    "Kestrel Edge",
    "Lark Rise",
    "Lone Pine",
    "Long Scree",
    "Marten Wood",
    "Mill Brook",
    "Moss Bridge",
    "North Col",
    "Old Quarry",
    "Otter Ford",
    "Owl Beck",
    "Pebble Strand",
    "Pine Ledge",
    "Quiet Valley",
    "Raven Crag",
    "Red Gorge",
    "River Bend",
    "Rowan Knoll",
    "Salt Marsh",
    "Silver Birch",
    "Snow Finch",
    "Stone Bridge",
    "Swift River",
    "Thistle Dale",
    "Timber Line",
    "Willow Reach",
)
"""Names of models; no two products of a kind share one."""
