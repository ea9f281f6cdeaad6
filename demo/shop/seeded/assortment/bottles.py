"""Water bottles that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

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
