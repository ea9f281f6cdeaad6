"""Socks that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

SOCK_SIZES = ("35-46", "36-47", "38-48")

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
