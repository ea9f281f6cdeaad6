"""The customer of a task, played by a model: it knows what it wants and speaks for itself."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from evals.tau_retail.script import STOP

GREETING = "Hello! How can I help you today?"
"""What the customer reads first."""

_INSTRUCTIONS = """\
You play a customer who writes to the chat of an online shop. The person on the other side is the \
shop's agent, and you never play that one.

Who you are and what you want:
{instruction}

How you write:
- One message at a time, short and in plain words, as people write in a chat.
- Say only what the situation asks for. Do not tell all that you want at once, and do not recite \
the text above.
- What stands there is all that you know. Where you are asked for something else (an order number, \
an e-mail address), say that you do not have it at hand, and never make anything up.
- Stay in the role and keep the wishes and the temper that are described.
- Confirm what the agent proposes when it is what you want, and refuse it when it is not.
- When all that you want is done, or has turned out to be impossible, or when you are handed over \
to somebody else, write {stop} and nothing else.
"""


class Customer:
    """Play one customer in one conversation."""

    def __init__(self, model: BaseChatModel, instruction: str) -> None:
        self._model = model
        told = _INSTRUCTIONS.format(instruction=instruction, stop=STOP)
        self._messages: list[BaseMessage] = [SystemMessage(told)]

    async def says(self, heard: str) -> str:
        """Say something to what the agent said.

        Raises:
            ModelUnavailable: the customer's model gave no answer.
        """
        self._messages.append(HumanMessage(heard))
        answer = await self._model.ainvoke(self._messages)
        self._messages.append(AIMessage(answer.text))
        return answer.text
