"""Families that cannot be right are refused, with the place and what to change."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial

import pytest

from agent import plugins
from agent.interface import Action, Observation
from agent.methods import expert
from evaluators.scoring.context import ScoringContext
from rehearsal_errors import RehearsalError
from scenarios.kit import AnswerSchema, BadRight, Draw, Family, Right
from sites.forum.operations import reply, submit, subscribe, vote
from sites.site_app import COOKIE
from tests.contracts import declared
from tests.contracts.offline import OfflinePage, application
from tests.scenarios.kit.playing import family, generated

pytestmark = pytest.mark.usefixtures("unmeasured")
FREE = "SELECT name FROM forums WHERE name NOT IN (SELECT forum FROM subscriptions WHERE user = ?)"


def never(d: Draw) -> Right:
    forum = d.pick("SELECT name FROM forums").name
    d.need(len(forum) > 100)
    return Right({"forum": forum}, do=[subscribe(forum)])


def test_a_draw_that_never_succeeds_is_refused_with_its_line():
    line = never.__code__.co_firstlineno + 2
    words = rf"line {line}: 100 of 100 attempts .* relax this condition"
    with pytest.raises(BadRight, match=words):
        generated(family(never, "Subscribe to {forum}."))


def nothing(d: Draw) -> Right:
    return Right({})


def test_a_task_of_nothing_is_refused():
    with pytest.raises(BadRight, match="asks for nothing; give it do, read, end or draft"):
        generated(family(nothing, "Do nothing."))


def noted_twice(d: Draw) -> Right:
    forums = d.all("SELECT name FROM forums")[:2]
    return Right(
        {},
        via=[d.page("forum", "the rules", forum=each.name) for each in forums],
        end=d.page("forums"),
    )


def test_equal_notes_on_two_pages_are_refused():
    with pytest.raises(BadRight, match=r"two pages have the note “the rules”.* write notes"):
        generated(family(noted_twice, "Look at the forums."))


def counted(d: Draw) -> Right:
    return Right({}, read=d.list("forums"), answer="20")


def test_an_answer_without_a_form_is_refused():
    with pytest.raises(BadRight, match="give `Family` an AnswerSchema"):
        generated(family(counted, "How many forums are there?"))
    assert generated(family(counted, "How many?", answer=AnswerSchema("number"))).gold["answer"]


def test_an_unknown_skin_is_refused():
    made = family(counted, "How many?", answer=AnswerSchema("number"))
    with pytest.raises(plugins.UnknownName, match="there is no skin of forum 'harbour'"):
        made.of_variant("harbour")


def listed_as_a_page(d: Draw) -> Right:
    return Right({}, read=[d.list("forums")], answer="20")


def undone(d: Draw) -> Right:
    return Right({}, any_of=[subscribe("chess")], do=[subscribe("chess")])


def test_a_list_in_place_of_a_page_is_refused():
    made = family(listed_as_a_page, "How many?", answer=AnswerSchema("number"))
    with pytest.raises(BadRight, match=r"`read` holds pages .* write read=d\.list\(\.\.\.\) alone"):
        generated(made)


def test_an_end_that_is_no_list_of_operations_is_refused():
    with pytest.raises(BadRight, match=r"`any_of` holds lists of calls of operations"):
        generated(family(undone, "Subscribe."))


def about_the_front_page(d: Draw) -> Right:
    d.need(d.is_at_start(d.page("home")) and not d.is_at_start(d.page("forums")))
    return Right({}, read=[d.page("home")], answer="1")


def test_a_question_about_rows_of_the_start_page_is_refused():
    made = family(about_the_front_page, "How many?", answer=AnswerSchema("number"))
    with pytest.raises(BadRight, match=r"the start page shows .* already, so nobody has to open"):
        generated(made)


def test_a_wrong_right_is_one_line_on_the_command_line():
    assert issubclass(BadRight, RehearsalError)


# What contracts refuse ---------------------------------------------------------------------------


def joined(d: Draw) -> Right:
    forum = d.pick(FREE + " ORDER BY name", d.me).name
    return Right({}, do=[subscribe(forum)], instead={"the same": [subscribe(forum)]})


def test_an_alternative_that_is_right_is_refused_by_its_name():
    scenarios = [generated(family(joined, "Subscribe to a forum."))]
    [mistake] = declared.right_alternatives(scenarios)
    assert "instead 'the same' is right; leave it out" in mistake


def answered(d: Draw) -> Right:
    return Right({}, read=d.list("forums"), answer="20", instead={"again": "20", "one less": "19"})


def test_an_answer_that_is_right_is_refused_by_its_name():
    made = family(answered, "How many forums are there?", answer=AnswerSchema("number"))
    [mistake] = declared.right_alternatives([generated(made, seed) for seed in range(3)])
    assert "instead 'again' is the right answer on 3 of 3 seeds" in mistake


def one_forum(d: Draw) -> Right:
    forum = d.some(("sailing", "chess"))
    return Right({"forum": forum}, read=[d.page("forums")], answer=forum)


def mistakes_of(made: Family) -> list[str]:
    return [*declared.alike(made, [generated(made, seed) for seed in range(20)])]


def test_seeds_that_tell_one_task_are_refused():
    text = AnswerSchema("text")
    [mistake] = mistakes_of(family(one_forum, "Say {forum}.", answer=text))
    assert "of 20 seeds differ in instruction or gold; draw one more slot" in mistake
    [mistake] = mistakes_of(family(one_forum, "Say {forum}.", answer=text, has_slots=False))
    assert "let the signed-in user or the world decide" in mistake


def same_words(d: Draw) -> Right:
    posts = d.all("SELECT * FROM submissions WHERE author = ? ORDER BY at DESC, id", d.me)
    return Right({}, do=[reply(posts[0].id, f"Thank you, {d.rng.randint(1, 10**9)}.")])


def test_a_family_without_slots_has_to_say_so():
    [mistake] = mistakes_of(family(same_words, "Thank the readers of my newest post."))
    assert "say has_slots=False, or draw a slot" in mistake
    assert mistakes_of(family(same_words, "Thank my newest readers.", has_slots=False)) == []


def test_a_word_of_one_skin_in_an_instruction_is_refused():
    made = family(joined, "In Meadow Circles, use Join circle once.")
    words = [*declared.words_of_one_skin(made)]
    assert [word for word in ("'meadow circles'", "'join circle'") if word in " ".join(words)] == [
        "'meadow circles'",
        "'join circle'",
    ]
    assert not [*declared.words_of_one_skin(family(joined, "Subscribe to a forum."))]


def posted_twice(d: Draw) -> Right:
    mine = "SELECT * FROM submissions WHERE author = ? AND kind = 'text' ORDER BY at, id LIMIT 1"
    old = d.pick(mine, d.me)
    d.plant("submissions", **{**old, "id": None, "score": 0})
    return Right({}, do=[submit(old.forum, old.title, old.body)])


def test_a_change_that_holds_at_the_start_is_refused():
    [mistake] = declared.held_at_the_start(generated(family(posted_twice, "Post it again.")))
    assert "stands in submissions before anything was done; draw another row" in mistake


def down(d: Draw) -> Right:
    post = d.pick("SELECT * FROM submissions WHERE author != ? ORDER BY id", d.me)
    return Right({}, do=[vote(post.id, -1)])


def test_a_change_that_does_not_hold_at_the_start_is_taken():
    assert not [*declared.held_at_the_start(generated(family(down, "Vote it down.")))]


# Notes -------------------------------------------------------------------------------------------


def several_pages(d: Draw) -> Right:
    forums = d.all("SELECT name FROM forums ORDER BY name")
    names = [forums[at].name for at in (0, 7, 3)]
    pages = [d.page("forum", forum=name, sort="new", note=name) for name in names]
    return Right({}, read=pages, answer="3")


def test_the_expert_keeps_its_own_notes():
    made = family(several_pages, "How many?", answer=AnswerSchema("number"))
    scenario = generated(made, seed=1)
    app, worlds = application("forum")
    with made.world(scenario) as world:
        page = OfflinePage(app.test_client())
        token = worlds.admit(world)
        page.client.set_cookie(COOKIE, token, domain="127.0.0.1")
        page.open(scenario.start)
        answer = asyncio.run(expert.follow(OwnPage(page), partial(made.advise, scenario)))
        assert ScoringContext.of(scenario, made).score(world.snapshot(), answer).success
        worlds.revoke(token)
    assert page.steps == made.length(scenario)


@dataclass
class OwnPage:
    """A page without a notebook, as the expert acts on it."""

    page: OfflinePage

    async def observe(self) -> Observation:
        return self.page.observe()

    async def act(self, action: Action) -> Observation:
        return self.page.act(action)
