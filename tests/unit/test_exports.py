"""Where traces go: nowhere unless somebody says so, and never by LangChain's own tracer."""

from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.callbacks import AsyncCallbackManager, BaseCallbackHandler
from langchain_core.tracers import LangChainTracer
from langsmith.utils import get_env_var

from daybook.graph.settings.environment import settings_from
from daybook.graph.tracer import untraced

KEY = {"LANGSMITH_API_KEY": "lsv2_pt_0123456789abcdef"}
COLLECTOR = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}


@pytest.mark.parametrize(
    ("given", "otlp", "langsmith"),
    [
        ({}, False, False),
        (COLLECTOR, True, False),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:4318/v1"}, True, False),
        ({**COLLECTOR, "OTEL_SDK_DISABLED": "true"}, False, False),
        ({**COLLECTOR, "OTEL_TRACES_EXPORTER": "none"}, False, False),
        (KEY, False, False),
        ({"LANGSMITH_TRACING": "true"}, False, False),
        ({"LANGSMITH_TRACING": "false", **KEY}, False, False),
        ({"LANGSMITH_TRACING": "true", **KEY}, False, True),
        ({"LANGSMITH_TRACING": "true", "LANGSMITH_TRACING_MODE": "otel", **KEY}, False, False),
    ],
)
def test_traces_leave_the_process_only_where_somebody_says_so(given, otlp, langsmith):
    settings = settings_from(given)
    assert settings.exports_otlp is otlp
    assert settings.exports_langsmith is langsmith


@pytest.fixture
def switched_on(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Switch LangSmith on, as a shell that has it set does."""
    get_env_var.cache_clear()
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    yield
    monkeypatch.undo()
    get_env_var.cache_clear()


def tracers(callbacks: Any) -> list[LangChainTracer]:
    handlers = getattr(callbacks, "inheritable_handlers", callbacks)
    return [one for one in handlers if isinstance(one, LangChainTracer)]


async def test_a_run_is_as_it_was_where_langsmith_is_off():
    given = {"callbacks": [BaseCallbackHandler()]}
    assert await untraced(given) is given


@pytest.mark.usefixtures("switched_on")
@pytest.mark.parametrize("given", [None, [BaseCallbackHandler()], AsyncCallbackManager([])])
async def test_a_tracer_that_sends_nothing_takes_the_place_of_langchains_own(given: Any):
    callbacks = (await untraced({"callbacks": given}))["callbacks"]
    (silent,) = tracers(callbacks)
    assert silent.client.tracing_sample_rate == 0
    assert tracers(given or ()) == [], "what the caller holds is not changed"


@pytest.mark.usefixtures("switched_on")
async def test_a_tracer_that_a_caller_gives_stays():
    own = LangChainTracer(client=(await silent_one()).client)
    for given in ([own], AsyncCallbackManager([own], [own])):
        assert tracers((await untraced({"callbacks": given}))["callbacks"]) == [own]


async def silent_one() -> LangChainTracer:
    (silent,) = tracers((await untraced({}))["callbacks"])
    return silent
