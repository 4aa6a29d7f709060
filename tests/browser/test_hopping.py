"""Steps that are too large: neurons that are thrown over data at nearly every epoch are told as such."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.playing import at_sizes, opened, settle
from tests.browser.sizes import LAPTOP
from tests.browser.test_sizes import measured

SLOW = "/?target=sin(5*pi*x)&width=7"
"""The first thing that a student tried; one of its neurons hopped at nearly every epoch, each hop a stage."""
FAST = f"{SLOW}&epochs=1e4&learning_rate=0.05"
"""With this step neurons begin to hop within some thousand epochs."""
BOWTIES = """[...document.querySelector('#plot-biases .js-plotly-plot').data]
  .filter((trace) => trace.meta.table === 'hops').flatMap((trace) => Array.from(trace.x)).length"""
MOST_WORDS = 25


def stages(page: Page) -> int:
    """How many the read-out counts."""
    found = re.search(r"stage \d+/(\d+)", page.locator(".pl-read").text_content() or "")
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("link", [pytest.param(SLOW, marks=pytest.mark.long), FAST], ids=["slow", "fast"])
def test_hops_are_few_stages_a_mark_and_one_plain_sentence(open_page: OpenPage, link: str) -> None:
    page = opened(open_page, link, size=LAPTOP)
    page.keyboard.press("End")
    settle(page)
    assert 2 < stages(page) < 200
    predicted, sentence = page.locator(".pl-forecast"), page.locator(".pl-sentence")
    if link == SLOW:
        expect(predicted).to_contain_text("about epoch")
        return
    assert page.evaluate(BOWTIES) >= 3
    expect(sentence).to_contain_text(re.compile(r"neuron \d hops over x = "))
    too_large = re.compile(r"^\s*Neuron \d hops over x = .*: the step is too large here\.")
    expect(predicted).to_have_text(too_large)
    expect(predicted).not_to_contain_text(
        re.compile("epoch|predicted|guaranteed to end", re.IGNORECASE), use_inner_text=True
    )
    for told in (sentence, predicted):
        for one in re.split(r"(?<=[a-z])\. ", told.inner_text()):
            assert len(one.split()) <= MOST_WORDS, one
    for _ in at_sizes(page):
        assert measured(page) == {}
        expect(sentence).to_be_visible()
