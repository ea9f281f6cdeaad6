"""A step whose attempt may have been done: wait, look, send again, fail, or ask a person."""

from dataclasses import replace
from datetime import timedelta

import pytest

from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.state.ledger.next_action import Claim, LookFor, Wait
from daybook.state.ledger.recovery import Event
from evals.protocol.parts import KEY, KEY_WITHOUT_D, NEITHER, ONLY, PROBE, STORED_KEY
from tests.unit.paper import PATIENCE, Paper, approved, step_id
from tests.unit.story import Story, stories

ID = step_id("only")
BEGIN = {
    "tried": "only unanswered",
    "doubted": "only unanswered; only doubted",
    "charge in doubt": "charge unanswered; charge doubted",
}

STORIES = """
# a tool that honours keys is sent again at once
only by STORED_KEY KEY KEY_WITHOUT_D: tried; -> claim only 2
# one whose sender died is sent again at once, too
only by STORED_KEY KEY KEY_WITHOUT_D: only claimed; -> claim only 2
# a key and a probe look first and send again without waiting
only by STORED_KEY_AND_PROBE KEY_AND_PROBE KEY_AND_PROBE_WITHOUT_D: tried; -> look only;
only absent; -> claim only 2
# a key counts while budget and D end before it is forgotten
only by KEYED: tried; the key runs out; -1us; only absent if probed; -> claim only 2
# a key that may be forgotten counts as no key
only by STORED_KEY KEY KEY_WITHOUT_D KEY_AND_PROBE_WITHOUT_D: tried; the key runs out;
only absent if probed; -> writes in_doubt
# the first attempt begins the retention and not the last
only by STORED_KEY: tried; 1800s; tried; the key runs out; -1800s; -> writes in_doubt
# with a probe a forgotten key leaves what the probe proves
only by STORED_KEY_AND_PROBE: tried; 3600s; -> look only; only absent; -> claim only 2
# a keyed step that is never answered is sent again with pauses
only by KEY: 3 x [only unanswered]; -> wait 4s only is tried again; 4s; -> claim only 4
# a tool with a probe is looked for first
only by PROBED: tried; -> look only
# a tool with a probe whose sender died is looked for first
only by PROBED: only claimed; -> look only
# what is found is done
only by PROBED: tried; only found; only is done
# without a key nothing is sent again while an attempt may still land
only by PROBE: tried; only absent; -> settle only; only settles; -> settle only
# absence is looked for again once every attempt has settled
only by PROBE: tried; 1s; only absent; only settled; -> look only; only absent; -> claim only 2
# a look that began when an attempt settled proves nothing
only by PROBE: tried; only settles; only absent; 1s; -> look only
# an attempt after a look makes the look worthless
only by PROBE: tried; only settled; only absent; -> claim only 2; 1s; only unanswered; -> look only;
only absent; -> settle only
# an unreachable probe blocks and is asked again with growing pauses
only by PROBED: tried; only unreachable; -> wait 1s look-up failed; 1s; -> look only;
only unreachable; -> wait 2s look-up failed; 2s; -> look only;
only unreachable; -> wait 4s look-up failed; 4s; -> look only;
only unreachable; -> wait 4s look-up failed; 4s; -> look only
# a service that is away is no reason for doubt until it is away for too long
only by PROBED: tried; 3600s; 6 x [only unreachable]; 5s; -> look only; 100s; -> writes in_doubt
# a look-up that fails by a fault of its own comes to a person once what was sent has landed
only by PROBED: tried; 3 x [only unreachable by a fault]; 10s; -> look only; 100s;
only unreachable by a fault; -> writes in_doubt
# a look that worked ends the row of failed ones
only by PROBE: tried; 2 x [only unreachable]; only absent; only settled; only unreachable;
-> wait 1s look-up failed
# without proof a person is asked once every attempt has settled
only by PROBE_WITHOUT_D NEITHER: tried; only absent if probed; -> settle only; only settles;
-> settle only; 1us; -> writes in_doubt; => ask only
# without proof a person is asked of one whose sender died, too
only by PROBE_WITHOUT_D NEITHER: only claimed; only absent if probed; -> settle only; only settles;
-> settle only; 1us; -> writes in_doubt; => ask only
# with a bound absence is proof and nobody is asked
only by PROBE: tried; only settled; only absent; -> claim only 2
# a step in doubt is put to a person
only: doubted; -> ask only
# a doubt stays while nothing answers it
only: doubted; only absent; -> ask only; only unreachable; -> ask only; only hears unanswered;
-> ask only
# a late acknowledgement withdraws the question
charge order: charge in doubt; charge hears acknowledged; -> claim order 1
# a person who says that it happened lets the plan go on
charge order: charge in doubt; charge happened; -> claim order 1
# a person who says that it did not happen lets it be sent again
only: doubted; only not_happened; -> claim only 2
# what was said not to have happened is doubted anew when sent again without an answer
only: doubted; only not_happened; tried; only settled; => ask only
# a refused retry without a key is not repeated before absence is certain again
only by PROBE: tried; only settled; only absent; only refused; 100s; -> look only
# what was tried often enough fails once absence is certain
only by PROBE KEY_AND_PROBE STORED_KEY_AND_PROBE: only claimed;
2 x [100s, only absent, only unanswered]; only absent; -> settle only; only settled; -> look only;
only absent; -> writes failed
# what was refused often enough fails once absence is certain
only by PROBE KEY_AND_PROBE STORED_KEY_AND_PROBE: only claimed;
2 x [100s, only absent, only refused]; -> settle only; only settled; -> look only;
only absent; -> writes failed
# a stored decline settles every attempt under the key
only by STORED_KEY: tried; only declined; -> writes failed
# a stored decline that was forgotten settles nothing that was sent since
only by STORED_KEY_AND_PROBE: only claimed; 3600s; only absent; 1s; only claimed;
only#1 hears declined; -> look only
# a decline is final when claimed after all earlier attempts had settled
only by KEY KEY_AND_PROBE PROBE: tried; only settled; only declined; -> writes failed
# a refused attempt does not hold back a decline
only by KEY: tried; only settled; only refused; 1s; only declined; -> writes failed
# a decline is final when every other attempt was refused
only by KEY: only claimed; only refused; only#1 hears declined; -> writes failed
# a decline claimed when an earlier attempt settled is not final
only by KEY: tried; only settles; only declined; => claim only 3; only is unknown
# a decline of an attempt that is not the last is not final
only by KEY: tried; only settled; only claimed; only claimed; only#2 hears declined;
=> wait; only is unknown
# without a bound a decline beside an open attempt is never final
only by KEY_WITHOUT_D KEY_AND_PROBE_WITHOUT_D: tried; only settled; only declined; => anything;
only is unknown
# evidence that does not match is put to a person whatever is guaranteed
only by STORED_KEY_AND_PROBE: doubted; -> ask only; only because no proof
# who was only ever turned away at the door has done nothing
only by ANY: only refused; 100s; only turned away; -> writes failed
# who is turned away at the door hears nothing of what was sent before
only by ANY: tried; 3 x [100s, only turned away]; 3 x [30s, only never fails]
# a refusal settles its own attempt only
only by ANY: tried; 3 x [only refused]; 3 x [30s, only never fails]
# a decline that is not stored settles its own attempt only, be it the first
only by KEY KEY_AND_PROBE PROBE PROBE_WITHOUT_D NEITHER: only claimed; only claimed;
only#1 hears declined; 3 x [1s, only never fails]
# a decline that is not stored settles its own attempt only, be it the second
only by KEY KEY_AND_PROBE PROBE PROBE_WITHOUT_D NEITHER: only claimed; only claimed;
only#2 hears declined; 3 x [1s, only never fails]
"""


@stories(STORIES, BEGIN)
def test_what_may_have_been_done(story: Story):
    story.play()


def unknown(guarantees: Guarantees) -> Paper:
    """Make a step that was attempted once, without an answer."""
    paper = approved(ONLY, guarantees=guarantees)
    paper.attempted("only", Event.UNANSWERED)
    return paper


def test_a_look_counts_from_when_it_began_and_not_from_when_it_was_written():
    paper = unknown(PROBE)
    began_at = paper.now.isoformat()
    paper.later(16)
    paper.write(Event.ABSENT, paper.step("only"), detail={"began_at": began_at})
    assert paper.due() == LookFor(ID)


def test_absence_needs_every_attempt_to_have_settled_and_not_the_last_alone():
    paper = approved(ONLY, guarantees=PROBE)
    paper.claimed("only")
    late = paper.now + timedelta(seconds=100)
    paper.step("only").attempts[0].settle_at = late
    paper.attempted("only", Event.UNANSWERED)
    paper.later(50)
    paper.looked("only", Event.ABSENT)
    assert paper.due() == Wait(late, "only may still be on its way")


@pytest.mark.parametrize("guarantees", [KEY, KEY_WITHOUT_D, STORED_KEY])
def test_what_is_sent_again_and_again_without_an_answer_comes_to_a_person(guarantees: Guarantees):
    paper = unknown(replace(guarantees, retention=timedelta(days=1)))
    for _ in range(PATIENCE.attempts):
        paper.claimed("only")
    paper.later(PATIENCE.unproved.total_seconds())
    assert isinstance(paper.due(), Claim)
    paper.later(100)
    assert paper.due_events() == [Event.IN_DOUBT]


def test_failures_that_are_stored_say_nothing_where_no_key_is_honoured():
    paper = approved(ONLY, guarantees=replace(PROBE, stores_failures=True))
    paper.claimed("only")
    paper.attempted("only", Event.DECLINED)
    assert paper.due() == LookFor(ID)


def test_pauses_double_up_to_their_limit_and_far_beyond_a_hiccup_go_on_to_grow():
    patience = Patience(backoff=timedelta(seconds=1), backoff_limit=timedelta(seconds=5))
    pauses = {n: patience.pause(n).total_seconds() for n in (0, 1, 2, 3, 4, 10, 11, 12, 16, 1_000)}
    assert list(pauses.values()) == [1, 1, 2, 4, 5, 5, 10, 20, 300, 300]


def test_where_d_is_unknown_a_pause_of_its_own_stands_for_it():
    assert PATIENCE.settle_after(NEITHER) == PATIENCE.unknown_settle
    assert PATIENCE.settle_after(PROBE) == PROBE.settle
