"""Backpacks that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

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
