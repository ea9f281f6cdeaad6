"""The progress document: what is written is read back, whatever was said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.state.prompt.progress import Known, Progress, Section, fitting, parse, render
from daybook.state.prompt.tokens import estimated

TEXT = st.text(min_size=1, max_size=60).filter(lambda text: " ".join(text.split()))
SUBJECT = TEXT.map(lambda text: text.replace(":", ";")).filter(lambda text: text.strip())
LINES = st.lists(TEXT, max_size=4).map(tuple)
KINDS = ("fact", "preference", "constraint")
FACTS = st.lists(
    st.builds(Known, subject=SUBJECT, value=TEXT, kind=st.sampled_from(KINDS)), max_size=6
).map(lambda facts: tuple(sorted(facts, key=lambda fact: KINDS.index(fact.kind))))
SECTIONS = st.lists(
    st.builds(
        Section,
        title=st.sampled_from(["Cart", "Checkout", "Orders", "Brief"]),
        lines=st.lists(TEXT, min_size=1, max_size=3).map(tuple),
    ),
    max_size=4,
    unique_by=lambda section: section.title,
).map(tuple)
DOCUMENTS = st.builds(
    Progress,
    goal=st.one_of(st.just(""), TEXT),
    facts=FACTS,
    said=LINES,
    words=LINES,
    decided=LINES,
    now=SECTIONS,
    questions=LINES,
    failed=LINES,
    reads=LINES,
)


@given(DOCUMENTS, st.integers(20, 400))
def test_what_is_written_is_read_back_and_fits_where_it_stands_in_a_prompt(progress, most: int):
    assert parse(render(progress)) == progress
    lasting = parse(render(progress.lasting))
    assert (lasting.facts, lasting.decided) == (progress.facts, progress.decided)
    assert (lasting.said, lasting.words) == (progress.said, progress.words)
    assert (lasting.now, lasting.questions) == ((), ()), "what changes with every call"
    fitted = fitting(progress.lasting, most)
    assert estimated(render(fitted)) <= most
    assert parse(render(fitted)) == fitted
    if fitted.reads or fitted.failed or fitted.decided:
        assert (fitted.said, fitted.facts) == (progress.said, progress.facts)


@pytest.mark.parametrize("text", ["", "# Other", "# Progress\n\n## Facts\nno list"])
def test_what_is_no_such_document_is_refused(text: str):
    with pytest.raises(ValueError, match=r"Progress|list"):
        parse(text)
