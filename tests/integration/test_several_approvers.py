"""Plans that take several people, certain people, or somebody who stands in for another."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command

from daybook import Ledger, Policy
from daybook.checkpoints.people.tokens import Sessions, Tokens, open_token_office
from daybook.state.clock import SYSTEM
from daybook.state.errors import DeclarationError, InputRefused, NothingPending
from daybook.state.ledger.recovery import Event
from daybook.state.people.policy import Rule
from daybook.state.people.questions.question import barred
from daybook.state.session import Person
from daybook.testing.model import last_result
from tests.answers import APPROVE, MAIL, REJECT, decisions, edit, question
from tests.cases.test_cases import fresh
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.cuts import Cut, CutLedger, Fuse
from tests.integration.test_policies import ruled, staff
from tests.integration.test_tokens import HOUR, YEAR
from tests.purchases import PURCHASE, asked_to_buy, entries, rebuilt

TWO: Any = {"name": "two", "tools": ("charge_payment",), "approval": "clerk", "approvals": 2}


async def answered(agent: Agent, talk: Conversation, user: str, role: str = "clerk", **more: Any):  # type: ignore[no-untyped-def]
    """Let somebody approve the question that waits, by its id."""
    id_ = (await question(talk))["approval_id"]
    by = staff(agent, talk, user, role)
    return await by.answer(more.get("word", APPROVE), approval_id=id_)


async def given(agent: Agent, talk: Conversation) -> list[tuple[str | None, str | None]]:
    """Return who has approved, before the decision."""
    found = [one for one in await entries(agent, talk) if one.event is Event.APPROVAL]
    return [(one.author, one.role) for one in found]


async def test_two_people_approve_and_neither_is_who_asked_or_the_same_one_twice(
    agent: Agent, shop: Shop
):
    agent = ruled(agent, Rule(**TWO))
    talk = Conversation(agent.graph, "ada", role="operator")
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.")
    await talk.say("add BOOT-001")
    agent.model.then([("checkout", {})], last_result)
    await talk.say("check out")
    first = await question(talk)
    assert (first["needs"]["approvals"], first["approved_by"]) == (2, [])
    await answered(agent, talk, "ada", "operator")
    assert await given(agent, talk) == []
    await answered(agent, talk, "cleo")
    second = await question(talk)
    assert [one["user"] for one in second["approved_by"]] == ["cleo"]
    assert second["approval_id"] != first["approval_id"]
    await answered(agent, talk, "cleo")
    await answered(agent, talk, "CLEO ")
    assert (shop.happened(), await decisions(agent, talk)) == ([], [])
    await answered(agent, talk, "dora")
    assert shop.happened() == PURCHASE
    assert await given(agent, talk) == [("cleo", "clerk")]
    (decided,) = await decisions(agent, talk)
    assert (decided.author, decided.detail["decisions"]) == ("dora", ["approved"])


async def test_an_answer_to_the_first_question_is_none_to_the_second(agent: Agent, shop: Shop):
    agent = ruled(agent, Rule(**TWO))
    talk = await asked_to_buy(agent)
    first = (await question(talk))["approval_id"]
    await staff(agent, talk).approve()
    for named in ({"approval_id": first}, {}):
        with pytest.raises(InputRefused, match="approval_id"):
            await staff(agent, talk, "dora").answer(APPROVE, **named)
    assert shop.happened() == []


async def test_anybody_may_say_no_at_any_time_and_nobody_may_approve_a_part(
    agent: Agent, shop: Shop
):
    agent = ruled(agent, Rule(**TWO))
    talk = await asked_to_buy(agent)
    await answered(agent, talk, "cleo")
    await talk.answer(REJECT)
    assert (await talk.state()).interrupts == ()
    (decided,) = await decisions(agent, talk)
    assert (decided.author, decided.detail["decisions"]) == ("ada", ["rejected"])
    agent.model.then(
        [("checkout", {}), ("send_email", {"subject": "Hi", "body": "All is well."})], last_result
    )
    asked = await talk.say("check out, and mail me")
    assert len(asked.interrupts[0].value["action_requests"]) == 2
    asked = await staff(agent, talk).answer(APPROVE, REJECT)
    assert "approve or reject all of it" in asked.interrupts[0].value["note"]
    assert len(await decisions(agent, talk)) == 1
    assert shop.happened() == []


async def test_an_edit_is_no_approval_and_what_moves_takes_all_of_them_again(
    agent: Agent, shop: Shop
):
    agent = ruled(agent, Rule(**TWO))
    talk = await asked_to_buy(agent, user="ben", card_id="card_ben_1", address_id="addr_ben_1")
    await answered(agent, talk, "cleo")
    change = edit(card_id="card_ben_2", address_id="addr_ben_1")
    await answered(agent, talk, "dora", word=change)
    asked = await question(talk)
    assert (asked["approved_by"], asked["needs"]["approvals"]) == ([], 2)
    await answered(agent, talk, "cleo")
    shop.product("BOOT-001", price=14_000)
    await answered(agent, talk, "dora")
    moved = await question(talk)
    assert moved["approved_by"] == []
    assert "This is asked again" in moved["note"]
    assert shop.happened() == []
    await answered(agent, talk, "cleo")
    await answered(agent, talk, "dora")
    assert shop.happened() == PURCHASE


@pytest.mark.parametrize("is_killed", [True, False])
async def test_an_approval_counts_once_for_who_gave_it_when_its_run_dies(
    agent: Agent, shop: Shop, is_killed: bool
):
    agent = ruled(agent, Rule(**TWO))
    talk = await asked_to_buy(agent)
    first = (await question(talk))["approval_id"]
    postgres, fuse = agent.resources.postgres, Fuse()
    kept, postgres.ledger = postgres.ledger, CutLedger(postgres, fuse, "after")
    if is_killed:
        fuse.light(0)
    with suppress(Cut):
        await staff(agent, talk).answer(APPROVE, approval_id=first)
    assert fuse.blown is is_killed
    postgres.ledger = kept
    assert await given(agent, talk) == [("cleo", "clerk")]
    # Somebody else comes; and a server that was killed gives the same answer once more.
    with pytest.raises((NothingPending, InputRefused)):
        await staff(agent, talk, "dora").answer(REJECT, approval_id=first)
    if is_killed:
        await staff(agent, talk).answer(APPROVE, approval_id=first)
    assert await given(agent, talk) == [("cleo", "clerk")]
    asked = await question(talk)
    assert [one["user"] for one in asked["approved_by"]] == ["cleo"]
    await answered(agent, talk, "dora", word=REJECT)
    assert shop.happened() == []
    (decided,) = await decisions(agent, talk)
    assert (decided.author, decided.detail["decisions"]) == ("dora", ["rejected"])


async def test_certain_people_may_approve_and_nobody_else_of_their_role(agent: Agent, shop: Shop):
    rule = Rule(
        name="treasury",
        tools=("charge_payment",),
        approval="clerk",
        approvals=2,
        people=("group:Treasury", "olga"),
    )
    policy = Policy(rules=(rule,), groups={"TREASURY": ("cleo", "Dora")})
    agent = rebuilt(agent, policy=policy)
    talk = await asked_to_buy(agent)
    assert (await question(talk))["needs"]["people"] == ["cleo", "dora", "olga"]
    await answered(agent, talk, "otto", "operator")
    assert "cleo or dora or olga" in (await question(talk))["note"]
    await answered(agent, talk, "dora")
    await answered(agent, talk, "olga", "operator")
    assert shop.happened() == PURCHASE


def test_two_effects_do_not_mean_different_people_by_one_group(postgres_url: str):
    ledger = Ledger(postgres_url)
    rule = Rule(name="treasury", approval="clerk", people=("group:treasury",))
    for name, person in (("pay", "cleo"), ("wire", "dora")):

        async def effect(to: str) -> str:
            """Pay somebody."""
            return to

        effect.__name__ = name
        ledger.effect(approval=Policy(rules=(rule,), groups={"treasury": (person,)}))(effect)
    with pytest.raises(DeclarationError, match="'treasury'"):
        ledger.calls.ready()


@pytest.mark.parametrize(
    "wrong",
    [
        {"approvals": 2, "approval": "customer"},
        {"people": ("cleo",), "approval": "nobody"},
        {"people": ("cleo",), "approvals": 2},
        {"people": ("group:nobody",)},
        {"people": (" ",)},
        {"escalate_after": 60.0},
        {"expires_after": 0.0},
    ],
)
def test_a_rule_that_nobody_could_keep_is_refused(wrong: dict[str, Any]):
    with pytest.raises(ValueError, match=r"."):
        Policy(rules=(Rule(**{**TWO, "approvals": 1, **wrong}),))


# -- standing in -----------------------------------------------------------------------------------


async def standing_in(agent: Agent, to: str, *absent: str, role: str = "clerk") -> int:
    number = None
    async with open_token_office(agent.resources.postgres) as office:
        for one in absent:
            until = SYSTEM.now() + timedelta(days=1)
            number = await office.delegate(Person(one, role), to, until, "olga")
    assert number is not None
    return number


async def test_whoever_stands_in_answers_as_the_absent_one_until_then_and_it_is_recorded(
    agent: Agent, shop: Shop
):
    agent = ruled(agent, Rule(**{**TWO, "approvals": 1, "people": ("cleo",)}))
    talk = await asked_to_buy(agent)
    await answered(agent, talk, "dora")
    assert shop.happened() == []
    number = await standing_in(agent, "dora", "cleo")
    async with open_token_office(agent.resources.postgres) as office:
        assert await office.end_delegation(number) == "dora"
        assert await office.end_delegation(99) is None
    await answered(agent, talk, "dora")
    assert shop.happened() == []
    await standing_in(agent, "dora", "cleo")
    await answered(agent, talk, "dora")
    assert shop.happened() == PURCHASE
    (decided,) = await decisions(agent, talk)
    assert (decided.author, decided.role) == ("dora", "clerk")
    assert decided.detail["stands_for"] == ["cleo"]


async def test_who_stands_in_for_who_asked_is_no_second_pair_of_eyes(agent: Agent, shop: Shop):
    agent = ruled(agent, Rule(**{**TWO, "approvals": 1, "four_eyes": True}))
    talk = await asked_to_buy(agent, user="ben", card_id="card_ben_1", address_id="addr_ben_1")
    await standing_in(agent, "cleo", "ben")
    await answered(agent, talk, "cleo")
    change = edit(card_id="card_ben_2", address_id="addr_ben_1")
    await answered(agent, talk, "cleo", word=change)
    assert shop.happened() == []
    await answered(agent, talk, "dora")
    assert shop.happened() == PURCHASE


async def test_nobody_approves_twice_by_standing_in_nor_in_the_place_of_who_asked(
    agent: Agent, shop: Shop
):
    agent = ruled(agent, Rule(**TWO))
    talk = await asked_to_buy(agent)
    await standing_in(agent, "dora", "cleo")
    await standing_in(agent, "otto", "ada", role="operator")
    await answered(agent, talk, "otto")
    assert "otto stands in for ada" in (await question(talk))["note"]
    await answered(agent, talk, "cleo")
    await answered(agent, talk, "dora")
    assert shop.happened() == []
    await answered(agent, talk, "fred")
    assert shop.happened() == PURCHASE


async def test_a_delegation_is_over_at_its_time_and_signs_in_until_then(agent: Agent):
    postgres = agent.resources.postgres
    async with open_token_office(postgres) as office:
        token = (await office.make(Person("dora"), YEAR)).text
        soon = SYSTEM.now() + timedelta(hours=1)
        assert await office.delegate(Person("cleo", "clerk"), "dora", soon, "olga")
        assert await office.delegate(Person("cleo", "clerk"), "dora", SYSTEM.now(), "olga") is None
    session = await Sessions(postgres.pool).begin(token, 2 * HOUR)
    assert session is not None
    for person in (
        await Tokens(postgres.pool).person_with(token),
        await Sessions(postgres.pool).person_with(session),
    ):
        assert person is not None
        assert (person.role, person.stands_for) == ("clerk", ("cleo",))
    await SYSTEM.sleep(3601)
    after = await Tokens(postgres.pool).person_with(token)
    assert after is not None
    assert (after.role, after.stands_for) == ("customer", ())


# -- in graphs of one's own ------------------------------------------------------------------------


class Told(TypedDict, total=False):
    told: str


@pytest.mark.parametrize("saver", ["ours", "another"])
async def test_an_effect_of_a_graph_of_ones_own_takes_two_people_and_its_own_time(
    postgres_url: str, saver: str
):
    sent: list[str] = []
    ledger = Ledger(
        postgres_url,
        user="ada",
        policy=Policy(rules=(Rule(**{**TWO, "tools": ("pay",), "expires_after": 600.0}),)),
    )

    @ledger.effect
    async def pay(to: str) -> str:
        sent.append(to)
        return f"paid {to}"

    async def node(state: Told) -> Told:
        return {"told": await pay("bob")}

    others = InMemorySaver()
    graph: Any = StateGraph(Told).add_node(node).add_edge(START, "node")
    graph = graph.compile(checkpointer=ledger.saver if saver == "ours" else others)
    approve = {"decisions": [APPROVE]}

    def by(user: str) -> Any:
        return {"configurable": {**config["configurable"], "user_id": user, "role": "clerk"}}

    async with ledger:
        config = fresh()
        [first] = (await graph.ainvoke({"told": ""}, config))["__interrupt__"]
        [second] = (await graph.ainvoke(Command(resume=approve), by("cleo")))["__interrupt__"]
        assert second.value["approved_by"][0]["user"] == "cleo"
        # Gone on with by somebody else, what cleo said is not said again in their name.
        for again in (None, Command(resume={first.id: approve})):
            [asked] = (await graph.ainvoke(again, by("dora")))["__interrupt__"]
            assert (asked.id, sent) == (second.id, [])
        named = {**approve, "approval_id": second.value["approval_id"]}
        done = await graph.ainvoke(Command(resume={second.id: named}), by("dora"))
        assert (done["told"], sent) == ("paid bob", ["bob"])


async def test_a_declaration_says_who_approves_and_for_how_long_it_waits(
    agent: Agent, postgres_url: str
):
    ledger = Ledger(postgres_url, user="ada")

    @ledger.effect(approval="clerk", expires_after=timedelta(minutes=5))
    async def pay(to: str) -> str:
        return f"paid {to}"

    async def node(state: Told) -> Told:
        return {"told": await pay("bob")}

    graph: Any = StateGraph(Told).add_node(node).add_edge(START, "node")
    graph = graph.compile(checkpointer=ledger.saver)
    async with ledger:
        [asked] = (await graph.ainvoke({"told": ""}, fresh()))["__interrupt__"]
    assert asked.value["needs"]["role"] == "clerk"
    left = timedelta(minutes=5)
    until = datetime.fromisoformat(asked.value["waits_until"])
    assert SYSTEM.now() < until <= SYSTEM.now() + left


async def test_a_rule_says_for_how_long_its_question_waits(agent: Agent, shop: Shop):
    agent = ruled(agent, Rule(**{**TWO, "expires_after": 60.0}))
    talk = await asked_to_buy(agent)
    await answered(agent, talk, "cleo")
    id_ = (await question(talk))["approval_id"]
    await SYSTEM.sleep(61)
    await staff(agent, talk, "dora").answer(APPROVE, approval_id=id_)
    assert shop.happened() == []
    (decided,) = await decisions(agent, talk)
    assert (decided.author, decided.detail["decisions"]) == (None, ["expired"])


async def test_a_clerk_who_asks_in_anothers_thread_is_no_second_pair_of_eyes(postgres_url: str):
    ledger = Ledger(postgres_url, user="ada")
    eyes = Rule(name="eyes", approval="clerk", four_eyes=True)

    @ledger.effect(approval=Policy(rules=(eyes,)))
    async def pay(to: str) -> str:
        return f"paid {to}"

    async def node(state: Told) -> Told:
        return {"told": await pay(state["told"])}

    graph: Any = StateGraph(Told).add_node(node).add_edge(START, "node")
    graph = graph.compile(checkpointer=ledger.saver)
    approve: Any = Command(resume={"decisions": [APPROVE]})
    async with ledger:
        config = fresh()
        await graph.ainvoke({"told": "bob"}, config)
        config["configurable"] |= {"user_id": "cleo", "role": "clerk"}
        await graph.ainvoke({"told": "carol"}, config)
        [asked] = (await graph.ainvoke(approve, config))["__interrupt__"]
        assert "cleo asked for it" in asked.value["note"]
        assert "cleo" in barred(asked.value, Person("cleo", "clerk"), "ada")
        config["configurable"] |= {"user_id": "dora"}
        assert (await graph.ainvoke(approve, config))["told"] == "paid carol"


async def test_a_word_about_a_doubt_says_by_what_right_it_was_given(agent: Agent, shop: Shop):
    rule = Rule(name="mails", tools=("send_email",), approval="customer", doubt="operator")
    talk = Conversation(ruled(agent, rule).graph)
    agent.model.then([MAIL], last_result)
    await talk.say("mail me")
    shop.fault("mail", "drop", seconds=30)
    await talk.approve()
    word = {"type": "respond", "message": "it happened"}
    barred = await answered(agent, talk, "dora", word=word)
    assert "This needs an answer from an operator" in barred.interrupts[0].value["note"]
    await standing_in(agent, "dora", "olga", role="operator")
    assert (await answered(agent, talk, "dora", word=word)).interrupts == ()
    said = next(one for one in await entries(agent, talk) if one.event is Event.HAPPENED)
    assert (said.author, said.role, said.detail["stands_for"]) == ("dora", "operator", ["olga"])
