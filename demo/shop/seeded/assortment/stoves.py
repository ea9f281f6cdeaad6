"""Stoves that the shop sells."""

from daybook.demo.shop.seeded.assortment.kind import Kind, Style

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
