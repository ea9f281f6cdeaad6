"""Tents that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

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
