"""Hiking boots that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

SHOE_SIZES = ("36-47", "37-46", "38-48", "40-49")

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
