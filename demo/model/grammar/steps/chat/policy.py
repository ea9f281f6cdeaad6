"""The steps of questions about the shop's promises, and of having the last order again."""

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import ask_add
from daybook.demo.model.grammar.desk import Desk, Say, Step, refused
from daybook.demo.model.grammar.language.intents.orders import AskPolicy
from daybook.demo.model.grammar.steps.cancel import orders_listed


def policy(intent: AskPolicy, desk: Desk) -> Step:
    """Tell what the shop promises on a topic."""
    call = desk.take("get_policy", topic=intent.topic)
    if call is None:
        return desk.ask_for("get_policy", topic=intent.topic)
    sentence = refused(call)
    if sentence:
        return Say(wording.passed_on("get_policy", sentence))
    _, _, text = call.result.partition("\n")
    # On a line of its own it stands as it was read.
    return Say(f"The shop says:\n\n{wording.one_line(text, 600)}")


def same_again(desk: Desk) -> Step:
    """Tell what the last order held, and ask whether to have it again."""
    found = orders_listed(desk)
    if not isinstance(found, list):
        return found
    placed = [order for order in found if order.skus]
    if not placed:
        return Say("You have no earlier order here that I could repeat. What shall I look for?")
    last = placed[-1]
    said = f"Your last order was {last.order_id}: {wording.one_line(last.lines)}."
    if len(last.skus) == 1:
        desk.speak_of(last.skus[0])
        return Say(said, question=ask_add(last.skus[0]))
    return Say(said, question="Which one shall I add?")
