"""A form that is filled in and not sent, on a forum whose form for replies keeps drafts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from scenarios import registry
from scenarios.kit import Draw, Gold, Right
from sites.forum.operations import reply
from sites.kit import Form, Page, Skin, keep
from tests.contracts import offline
from tests.scenarios.kit.playing import after, ended, failed, family, generated, play

pytestmark = pytest.mark.usefixtures("unmeasured")


@pytest.fixture(autouse=True, scope="module")
def _drafts() -> Iterator[None]:
    """Let the form for replies keep drafts."""
    data = registry.site_data("forum")
    site = replace(
        data.site,
        pages=tuple(_with_drafts(each) for each in data.site.pages),
        skins=tuple(_with_words(each) for each in data.site.skins),
    )
    offline.application.cache_clear()
    with registry.using("forum", registry.ChosenData(replace(data, site=site))):
        yield
    offline.application.cache_clear()


def _with_drafts(page: Page) -> Page:
    return replace(page, forms=tuple(map(_with_draft, page.forms)))


def _with_draft(form: Form) -> Form:
    return replace(form, draft=form.name == "reply")


def _with_words(skin: Skin) -> Skin:
    return replace(skin, words={**skin.words, "keep": "Keep as a draft", "kept": "A draft."})


def drafted_reply(d: Draw) -> Right:
    post = d.pick("SELECT * FROM submissions GROUP BY title HAVING count(*) = 1 ORDER BY title")
    text = f"Thank you, {post.author}, for all {d.rng.randint(2, 99)} hints."
    return Right({"title": post.title, "text": text}, draft=reply(post.id, text))


DRAFT = family(drafted_reply, "Draft the reply “{text}” to “{title}”, and do not send it.")


def test_a_draft_is_right_while_it_is_not_sent():
    scenario = generated(DRAFT)
    draft = Gold.from_json(scenario.gold).draft
    assert draft is not None
    assert ended(DRAFT, scenario, lambda world: keep(world, draft)).success
    assert failed(after(DRAFT, scenario, [draft])) == {"draft", "nothing else"}


def test_the_last_draft_counts():
    scenario = generated(DRAFT)
    draft = Gold.from_json(scenario.gold).draft
    assert draft is not None
    other = reply(draft.args["submission"], "Thank you.")

    def twice(world):
        keep(world, draft)
        keep(world, other)

    score = ended(DRAFT, scenario, twice)
    assert failed(score) == {"draft"}
    [check] = [each for each in score.checks if not each.held]
    assert "Thank you." in check.found and draft.args["comment"] in check.wanted


def test_a_family_of_drafts_is_played():
    assert {"sent it", "comment left empty", "comment cut"} <= play(DRAFT)
