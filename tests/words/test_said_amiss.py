"""What was done without trouble, who praised what, the only one without a part: false sentences are found, true ones stand."""

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.known import Known

from tests.words.known_of import came, read

ORDER = """r1 get_order ok
DB-55902174 | placed | 153.70 USD | BOOT-013 x1, SOCK-009 x2"""
ORDERS = """r1 list_orders ok: 3 orders
DB-40112876 | placed | 48.50 USD | POLE-005 x1
DB-40239018 | cancelled | 87.60 USD | BOTL-022 x4
DB-40377154 | placed | 97.00 USD | SBAG-018 x2"""
SOCKS = """r3 get_product ok
SOCK-019 | Clover Bank Merino Wool Hiking Socks | 23.95 USD | 2.7 of 5 (7) | 27 in stock
Crew socks in 65% merino wool, nylon, elastane.
attributes: wool=yes, height=crew, material=65% merino wool, nylon, elastane, cushion=medium, sizes=38-48"""
SHELLS = (
    """r1 get_product ok
COAT-005 | Badger Moor Three-Layer Shell Jacket | 228.95 USD | 3.3 of 5 (3) | 8 in stock
A mountain shell with a helmet hood.
attributes: waterproof=yes, windproof=no, hood=yes, pit_zips=no, fit=men, weight_g=440""",
    """r2 get_product ok
COAT-011 | Heather Top Three-Layer Shell Jacket | 283.90 USD | 4.8 of 5 (5) | 42 in stock
A mountain shell with a helmet hood.
attributes: waterproof=yes, windproof=yes, hood=yes, pit_zips=yes, fit=women, weight_g=466""",
    """r3 get_product ok
COAT-029 | Elk Meadow Three-Layer Shell Jacket | 448.50 USD | 4.0 of 5 (4) | 6 in stock
A mountain shell with a helmet hood.
attributes: waterproof=yes, windproof=yes, hood=yes, pit_zips=no, fit=women, weight_g=396""",
)
TENT = """r1 get_product ok
TENT-014 | Fern Gully Two Person Tent | 158.50 USD | 3.9 of 5 (8) | 42 in stock
Two doors and aluminium poles. The groundsheet is sold with it.
attributes: persons=2, weight_g=2532"""
REVIEWS = """r2 get_reviews ok: 4 reviews of TENT-014
4 of 5 | Good with small flaws | Dry and roomy. The pegs are too soft, bring your own.
4 of 5 | Does not leak | Upside down in my garden since May.
3 of 5 | Drips in the morning | Open both vents or it drips on you at six.
5 of 5 | Good colours | The zips run smoothly and the bag is large."""
WARRANTY = """r4 get_policy ok: warranty
Everything has a warranty of two years against faults of material and making. Wear and accidents are not covered."""

REFUSED = came("not done", "mail", "send_email refused: ", ORDER)
MAILED = came("done", "mail", "send_email done: ", ORDER)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (REFUSED, "The mail with your order details was sent without problems."),
        (REFUSED, "The mail was sent without any trouble."),
        (REFUSED, "Your mail went out without issues."),
        (REFUSED, "The email was sent, without any errors."),
        (REFUSED, "The mail was sent without difficulty."),
        (read(SOCKS), "The Clover Bank pair is a blend of merino and nylon with heavy cushioning."),
        (read(SOCKS), "They have light cushioning."),
        (read(SOCKS), "The cushioning is heavy."),
        (read(SOCKS), "They are thickly cushioned."),
        (read(SOCKS), "Cushion: light"),
        (read(*SHELLS), "Just note that the Heather Top is the lone one without a hood."),
        (read(*SHELLS), "The Elk Meadow is the only one without a hood."),
        (read(*SHELLS), "The Heather Top is the only one that is waterproof."),
        (read(*SHELLS), "The Badger Moor is the only one with a hood."),
        (read(*SHELLS), "The Elk Meadow is the only jacket with pit zips."),
        (read(TENT, REVIEWS), "Lena calls it dry and roomy and praises how sturdy the pegs are."),
        (read(TENT, REVIEWS), "One reviewer praises the pegs."),
        (read(TENT, REVIEWS), "Frank loves the pegs."),
        (read(TENT, REVIEWS), "Reviewers praise the sturdy pegs."),
        (read(TENT, REVIEWS), "Two people were happy with the pegs."),
        (read(TENT, REVIEWS), "The one serious complaint is from Marta, who says hers leaked."),
        (read(TENT, REVIEWS), "The main criticism comes from Hanna: it leaked in June."),
        (read(TENT, REVIEWS), "According to Marta it leaks."),
        (read(TENT, REVIEWS), "Hers leaked, writes Marta."),
        (read(TENT, REVIEWS), "Marta, on the other hand, reports that hers leaked."),
        (read(WARRANTY), "The warranty covers material faults and also accidental damage."),
        (
            read(WARRANTY),
            "Everything comes with a two-year warranty, which covers material faults and also accidental damage.",
        ),
        (read(WARRANTY), "It covers faults of material, accidents and wear."),
        (read(WARRANTY), "The warranty covers making, material and normal wear."),
        (read(WARRANTY), "The warranty includes faults, plus accidental damage."),
        (
            read(ORDERS),
            "DB-40239018 was cancelled. So far only half of the $87.60 has been refunded.",
        ),
        (read(ORDERS), "Only a part of the $87.60 was refunded."),
        (read(ORDERS), "The $87.60 has not been refunded yet."),
        (read(ORDERS), "You're still waiting for the refund of $87.60."),
        (read(ORDERS), "The refund of $87.60 is still pending."),
    ],
)
def test_what_is_told_amiss_is_found(about: Known, said: str) -> None:
    assert untrue_in(said, about)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (MAILED, "The mail with your order details was sent without problems."),
        (MAILED, "The email went out without any trouble."),
        (REFUSED, "The mail could not be sent without problems."),
        (REFUSED, "The mail was not sent."),
        (REFUSED, "I can't get the mail through without errors."),
        (read(SOCKS), "They have medium cushioning."),
        (read(SOCKS), "If you want heavy cushioning, I can search for it."),
        (read(SOCKS), "For heavy cushioning you would need another pair."),
        (read(SOCKS), "Compared with heavy cushioning, medium dries faster."),
        (read(SOCKS), "The cushioning is medium."),
        (read(*SHELLS), "The Badger Moor is the only one that isn't windproof."),
        (read(*SHELLS), "The Heather Top is the only one with pit zips."),
        (read(*SHELLS), "None of the three is without a hood."),
        (read(*SHELLS), "The Badger Moor is the only one for men."),
        (read(*SHELLS), "The Elk Meadow is the only one under 400 g."),
        (read(*SHELLS), "If the only one without a hood is what you want, there is none."),
        (read(TENT, REVIEWS), "Lena calls it dry and roomy but finds the pegs too soft."),
        (read(TENT, REVIEWS), "One reviewer praises the zips."),
        (read(TENT, REVIEWS), "Nobody praises the pegs."),
        (read(TENT, REVIEWS), "A reviewer praises how dry it is, though the pegs are too soft."),
        (read(TENT, REVIEWS), "I'd be happy with the pegs of another tent."),
        (read(TENT, REVIEWS), "Marta says hers doesn't leak."),
        (read(TENT, REVIEWS), "The one complaint is from Dora, who says it drips in the morning."),
        (read(TENT, REVIEWS), "According to one review, it drips at six."),
        (read(WARRANTY), "The warranty covers material faults but not accidental damage."),
        (read(WARRANTY), "It covers material and making; wear and accidents are left out."),
        (
            read(WARRANTY),
            "The warranty covers faults, and accidental damage is something you would pay for yourself.",
        ),
        (read(WARRANTY), "It covers faults of material and making, for two years."),
        (read(WARRANTY), "The warranty covers faults, no accidents and no wear."),
        (read(ORDERS), "The $87.60 for DB-40239018 was refunded in full."),
        (read(ORDERS), "The $48.50 has not been refunded, as the order stands."),
        (read(ORDERS), "Only one of the three, the $87.60 one, was refunded."),
        (read(ORDERS), "Nothing of the $97.00 was refunded: that order is placed."),
        (read(ORDERS), "If the refund of $87.60 has not arrived, ask your bank."),
    ],
)
def test_what_is_so_of_the_same_stands(about: Known, said: str) -> None:
    assert [one.so for one in untrue_in(said, about)] == []
