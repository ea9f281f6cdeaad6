"""Jackets that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

CLOTHES_SIZES = ("XS-XL", "S-XL", "S-XXL", "XS-XXL")

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
