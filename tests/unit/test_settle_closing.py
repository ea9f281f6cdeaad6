"""The next move of an action that closes, and of a plan that is over."""

from daybook.state.ledger.next_action import AskDoubt, Claim
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.work_list import open_steps
from evals.protocol.parts import CHARGE, KEY_AND_PROBE, ORDER
from tests.unit.paper import approved, step_id
from tests.unit.story import Story, stories

BEGIN = {
    "cut off": "reserve done; charge unanswered; closed",
    "refused": "reserve done; charge refused; closed",
    "all done": "reserve done; charge done; order done; closed",
    "stuck": "all done; order undo claimed; order undo failed for good; -> writes undo_stuck",
    "unanswered": "all done; 3 x [order undo claimed, 1s]; order undo unproved",
    "over without a charge": "cut off; charge settled; charge absent; => undo reserve 1; "
    "reserve undone; -> end; ended; -> over",
}

STORIES = """
# with a key alone a closing step is pushed and what it gives is undone
reserve charge order | charge by STORED_KEY KEY KEY_WITHOUT_D: cut off; -> claim charge 2;
charge claimed; charge hears acknowledged; -> undo charge 1; charge undone; -> undo reserve 1
# with a key and a probe that has no bound a closing step is pushed
reserve charge order | charge by KEY_AND_PROBE_WITHOUT_D: cut off; -> look charge;
charge absent; -> claim charge 2
# with a probe and a bound a closing step waits, looks and is not sent again
reserve charge order | charge by STORED_KEY_AND_PROBE KEY_AND_PROBE PROBE: cut off; -> look charge;
charge absent; -> settle charge; charge settled; -> look charge; charge absent; -> writes failed;
=> undo reserve 1
# what a closing look finds is undone
reserve charge order | charge by STORED_KEY_AND_PROBE KEY_AND_PROBE PROBE: cut off; charge found;
-> undo charge 1
# without proof a closing step is put to a person once it has settled
reserve charge order | charge by PROBE_WITHOUT_D NEITHER: cut off; charge absent if probed; -> wait;
charge settled; => ask charge
# a closing action does not send again what was refused
reserve charge order | charge by ANY: refused; -> writes failed; => undo reserve 1
# a closing action claims no step that was never attempted
reserve order mail: reserve done; asked to undo it; => undo reserve 1; order is void; mail is void
# a person says that a closing step did not happen and the rest is undone
reserve charge order | charge by NEITHER: cut off; charge settled; => ask charge;
charge not_happened; -> writes failed; => undo reserve 1
# a person says that a closing step happened and it is undone
reserve charge order | charge by NEITHER: cut off; charge settled; => ask charge; charge happened;
-> undo charge 1
# steps are undone in reverse and each only when the later one is
reserve charge order mail: all done; -> undo order 1; order undone; -> undo charge 1; charge undone;
-> undo reserve 1; reserve undone; -> end; ended; -> over
# an earlier step waits for the undo of a later one
reserve charge order mail: all done; order undo claimed; -> wait; 1s; -> undo order 2
# what was done and comes to be in doubt is not undone before a person was asked
reserve charge order: reserve done; charge done; charge doubted; closed; => ask charge;
charge happened; -> undo charge 1
# an undo without an answer is repeated after a pause
reserve charge order mail: all done; order undo claimed; -> wait 1s the undo of order is tried again;
1s; -> undo order 2
# an undo that failed is repeated after a pause that begins with the failure
reserve charge order mail: all done; order undo claimed; 1s; order undo failed;
-> wait 1s the undo of order is tried again; 1s; -> undo order 2
# the pause between undos doubles
reserve charge order mail: all done; order undo claimed; 1s; order undo claimed;
-> wait 2s the undo of order is tried again
# an undo that nothing proves for too long is put to a person
reserve charge order mail: unanswered; -> undo order 4; 1us; -> writes undo_stuck; => ask order
# an undo is sent as often as may be before a person is asked
reserve charge order mail: all done; 2 x [order undo claimed, 1s]; order undo unproved; 100s;
-> undo order 3
# an undo of which a person says that it did not happen is sent once more
reserve charge order mail: unanswered; 1s; => ask order; order not_happened; 100s; -> undo order 4
# an undo that is refused for good is put to a person with the reason
reserve charge order mail: stuck; => ask order; order because already shipped
# a person who undid it by hand lets the earlier steps be undone
reserve charge order mail: stuck; => ask order; order happened; order is undone; -> undo charge 1
# a person who says that the undo did not happen lets it be repeated
reserve charge order mail: stuck; => ask order; order not_happened; 100s; -> undo order 2
# a late acknowledgement reopens a plan that is over, and is undone once a look-up shows it
reserve charge order | charge by PROBE: over without a charge; charge answers; -> wait;
charge verified; -> undo charge 1; charge gave charge; charge undone; -> over
# a late effect that is found reopens a plan that is over, and is undone
reserve charge order | charge by PROBE: over without a charge; charge found; -> undo charge 1;
charge gave charge; charge undone; -> over
# a late silence reopens nothing
reserve charge order | charge by PROBE: over without a charge; charge hears unanswered; -> over
# a late refusal reopens nothing
reserve charge order | charge by PROBE: over without a charge; charge hears refused; -> over
# a late decline reopens nothing
reserve charge order | charge by PROBE: over without a charge; charge hears declined; -> over
# a late acknowledgement before the end is undone before the earlier steps
reserve charge order | charge by PROBE: refused; => undo reserve 1; charge is negative;
charge hears acknowledged; -> undo charge 1
# a late acknowledgement of a step that was undone changes nothing
reserve charge order mail: all done; order undone; charge undone; reserve undone;
charge hears acknowledged; -> end
# a late acknowledgement of a declined mail reopens no order
order mail: order done; mail declined; => end; succeeded; mail hears acknowledged; -> over
# what closes says why
charge order: 3 x [charge refused, 10s]; => end; reason: no connection
# nothing is undone while a step is unknown whose sender died
reserve charge order | charge by ANY: reserve done; charge claimed; closed;
4 x [charge keeps the rest, 1s]
# nothing is undone while a step is unknown that was not answered
reserve charge order | charge by ANY: cut off; 4 x [charge keeps the rest, 1s]
# a step that nothing undoes is passed over
reserve cancel refund: reserve done; cancel done; refund declined; => undo reserve 1;
reserve undone; -> end; cancel is done
# a late acknowledgement of an open plan lets it go on
charge order: charge declined; -> writes failed; written; charge hears acknowledged;
-> claim order 1
"""


@stories(STORIES, BEGIN)
def test_closing(story: Story):
    story.play()


def test_nobody_comes_again_and_again_while_a_person_is_asked():
    # What came under a key is built upon although no look-up shows it yet.
    paper = approved(CHARGE, ORDER, guarantees=KEY_AND_PROBE)
    paper.claimed("charge")
    paper.answered("charge", Event.ACKNOWLEDGED, payload={"result": {"id": "CH-1"}})
    paper.looked("charge", Event.ABSENT)
    assert paper.due() == Claim(step_id("order"), 1)
    paper.claimed("order")
    paper.write(Event.IN_DOUBT, paper.step("order"))
    assert paper.due() == AskDoubt(step_id("order"))
    assert [row.due_at for row in open_steps(paper.plan).values()] == [None, None]
