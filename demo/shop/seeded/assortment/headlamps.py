"""Headlamps that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

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
