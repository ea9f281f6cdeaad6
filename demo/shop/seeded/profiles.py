import hashlib
import re
from dataclasses import dataclass

STREETS = ("14 Larch Lane", "203 Mill Road", "8 Harbour Steps", "77 Orchard Way", "5 Quarry Hill")
CITIES = (("Boulder", "80302"), ("Bend", "97701"), ("Asheville", "28801"), ("Moab", "84532"))
BRANDS = ("visa", "mastercard", "amex")


@dataclass(frozen=True)
class Address:
    """Say where parcels of a person may go."""

    address_id: str
    label: str
    street: str
    city: str
    postcode: str
    country: str = "US"


@dataclass(frozen=True)
class Card:
    """Name a card by its last four digits; no full number exists anywhere."""

    card_id: str
    brand: str
    last4: str
    expires: str = "2031-08"
    declines: bool = False


@dataclass(frozen=True)
class Person:
    """Describe a customer with addresses and cards."""

    user_id: str
    name: str
    addresses: tuple[Address, ...]
    cards: tuple[Card, ...]
    default_address_id: str | None
    default_card_id: str | None

    @property
    def email(self) -> str:
        """Return an address in the domain reserved for examples."""
        local = re.sub(r"[^a-z0-9_-]+", ".", self.user_id).strip(".")
        return f"{local or 'customer'}@example.org"


def starter(user_id: str) -> Person:
    """Return the profile that an unseen user id is signed up with: the same for the same id."""
    digest = hashlib.sha256(user_id.encode()).digest()
    city, postcode = CITIES[digest[0] % len(CITIES)]
    address = Address(
        f"addr_{user_id}_1", "Home", STREETS[digest[1] % len(STREETS)], city, postcode
    )
    last4 = f"{int.from_bytes(digest[2:4], 'big') % 10_000:04d}"
    card = Card(f"card_{user_id}_1", BRANDS[digest[4] % len(BRANDS)], last4)
    name = " ".join(re.findall(r"[a-z0-9]+", user_id)).title() or "Customer"
    return Person(user_id, name, (address,), (card,), address.address_id, card.card_id)


SEEDED = (
    Person(
        "ada",
        "Ada Lindqvist",
        (Address("addr_ada_1", "Home", "12 Birch Street", "Portland", "97205"),),
        (Card("card_ada_1", "visa", "4242"),),
        "addr_ada_1",
        "card_ada_1",
    ),
    Person(
        "ben",
        "Ben Okafor",
        (
            Address("addr_ben_1", "Home", "48 Juniper Court", "Denver", "80205"),
            Address("addr_ben_2", "Work", "900 Market Square, Floor 3", "Denver", "80202"),
        ),
        (Card("card_ben_1", "visa", "1881"), Card("card_ben_2", "mastercard", "4444")),
        None,
        None,
    ),
    Person(
        "cleo",
        "Cleo Marchetti",
        (Address("addr_cleo_1", "Home", "3 Canal View", "Madison", "53703"),),
        (),
        "addr_cleo_1",
        None,
    ),
    Person(
        "dan",
        "Dan Whitfield",
        (Address("addr_dan_1", "Home", "61 Ridge Road", "Missoula", "59801"),),
        (
            Card("card_dan_1", "visa", "0002", declines=True),
            Card("card_dan_2", "mastercard", "5100"),
        ),
        "addr_dan_1",
        "card_dan_1",
    ),
    Person(
        "esme",
        "Esme Tran",
        (
            Address("addr_esme_1", "Home", "27 Cedar Terrace", "Seattle", "98109"),
            Address("addr_esme_2", "Cabin", "Mile 9, Lake Road", "Leavenworth", "98826"),
        ),
        (Card("card_esme_1", "amex", "3007"),),
        "addr_esme_1",
        "card_esme_1",
    ),
    Person(
        "finn",
        "Finn Gallagher",
        (),
        (Card("card_finn_1", "visa", "6011"),),
        None,
        "card_finn_1",
    ),
    Person(
        "gita",
        "Gita Raman",
        (Address("addr_gita_1", "Home", "150 Prospect Avenue", "Burlington", "05401"),),
        (Card("card_gita_1", "visa", "0341", declines=True),),
        "addr_gita_1",
        "card_gita_1",
    ),
    Person(
        "hugo",
        "Hugo Brandt",
        (Address("addr_hugo_1", "Home", "9 Lindenweg", "Freiburg", "79098", "DE"),),
        (Card("card_hugo_1", "mastercard", "2720"), Card("card_hugo_2", "visa", "1117")),
        "addr_hugo_1",
        "card_hugo_2",
    ),
)
"""The people that every shop starts with: ada is the everyday case, ben must choose, cleo cannot
pay, dan's first card is declined, finn has no address, gita's only card is declined."""
