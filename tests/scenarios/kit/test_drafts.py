"""A form that is filled in and not sent, on a forum whose form for replies keeps drafts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from evaluators.scoring.score import Score
from scenarios import registry
from scenarios.kit import BadRight, Draw, Gold, Right
from scenarios.scenario import Scenario
from sites.forum.operations import reply, subscribe
from sites.kit import Do, Form, Page, Skin, hold
from sites.world import World
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
    return replace(form, keeps=form.name == "reply")


def _with_words(skin: Skin) -> Skin:
    return replace(skin, words={**skin.words, "keep": "Keep as a draft", "kept": "A draft."})


def drafted_reply(d: Draw) -> Right:
    post = d.pick("SELECT * FROM submissions GROUP BY title HAVING count(*) = 1 ORDER BY title")
    text = f"Thank you, {post.author}, for all {d.rng.randint(2, 99)} hints."
    return Right({"title": post.title, "text": text}, draft=reply(post.id, text))


DRAFT = family(drafted_reply, "Draft the reply “{text}” to “{title}”, and do not send it.")


def kept(scenario: Scenario, *dos: Do) -> Score:
    """The score after drafts were kept, one after the other."""
    held = Gold.from_json(scenario.gold).draft
    assert held is not None

    def act(world: World) -> None:
        for do in dos or [held.do]:
            hold(world, held.form, held.url, do)

    return ended(DRAFT, scenario, act)


def draft_of(scenario: Scenario) -> Do:
    held = Gold.from_json(scenario.gold).draft
    assert held is not None
    return held.do


def test_a_draft_is_right_while_it_is_not_sent():
    scenario = generated(DRAFT)
    assert kept(scenario).success
    assert failed(after(DRAFT, scenario, [draft_of(scenario)])) == {"draft", "nothing else"}


def test_the_last_draft_counts():
    scenario, draft = generated(DRAFT), draft_of(generated(DRAFT))
    score = kept(scenario, draft, reply(draft.args["submission"], "Thank you."))
    assert failed(score) == {"draft"}
    [check] = [each for each in score.checks if not each.held]
    assert "Thank you." in check.found and draft.args["comment"] in check.wanted


def test_a_family_of_drafts_is_played():
    assert {"sent it", "comment left empty", "comment cut"} <= play(DRAFT)


def bad_draft(d: Draw) -> Right:
    return Right({}, draft=subscribe(d.pick("SELECT name FROM forums").name))


def test_a_draft_of_a_form_that_keeps_none_is_refused():
    with pytest.raises(BadRight, match="no form keeps a draft of subscribe; declare its form"):
        generated(family(bad_draft, "Draft it."))
