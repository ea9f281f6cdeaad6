"""Sleeping bags that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

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
