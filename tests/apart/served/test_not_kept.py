"""What somebody types and nobody may keep: the server's own files do not hold it either."""

import pytest
from langgraph_sdk.client import LangGraphClient

from tests.apart.served.conftest import Talk
from tests.apart.served.test_refusals import message
from tests.dev_server import DevServer
from tests.production_server import PYTHON
from tests.purchases import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

CARD, TOKEN = "4242 4242 4242 4242", "sk-proj-Zx81kfJq02LmNvTy77PbQw55RsDc"


@pytest.mark.skipif(bool(PYTHON), reason="tests/apart/production looks at its tables")
async def test_a_card_number_and_a_token_stand_in_no_file_of_the_server(
    served: DevServer, client: LangGraphClient
):
    talk = await Talk.begun(client)
    marker = "hiking in Patagonia"
    await talk.run(input=message(f"{marker}: pay with {CARD} and {TOKEN}"))
    folder = served.folder / ".langgraph_api"

    def kept() -> bytes:
        return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())

    # The server writes its registry down every ten seconds; what was said stands in it then.
    await until(lambda: marker.encode() in kept(), "the registry is written")
    held = kept()
    for secret in (CARD, CARD.replace(" ", ""), TOKEN):
        assert secret.encode() not in held
    assert b"4242" in held, "the last four digits say which card was meant"
    assert served.calls_out == [], "nothing leaves the machine"
