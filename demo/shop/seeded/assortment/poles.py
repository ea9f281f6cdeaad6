"""Trekking poles that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

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
