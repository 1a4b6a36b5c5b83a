"""What a family can call right: several ends, texts of one's own, a status, planted rows, and a
question with a change; and the length that an honest agent needs.
"""

from __future__ import annotations

import pytest

from scenarios.kit import AnswerSchema, BadRight, Draw, Gold, Right
from scenarios.scenario import budgeted_length
from sites.forum.operations import create_forum, reply, submit, subscribe, vote
from sites.kit import Do, Place
from sites.world import Row
from tests.each import for_each
from tests.scenarios.kit.playing import after, failed, family, generated, play, solvable

pytestmark = pytest.mark.usefixtures("unmeasured")
FREE = """SELECT name FROM forums
  WHERE name NOT IN (SELECT forum FROM subscriptions WHERE user = ?) ORDER BY name"""
MAY_FAIL = AnswerSchema("text", "NOT_ACHIEVABLE if it cannot be done")


# What the wording names --------------------------------------------------------------------------


def join(d: Draw) -> Right:
    forum, *_ = d.rng.sample(d.all(FREE, d.me), 4)
    return Right({"name": forum.name, "path": f"/f/{forum.name}"}, do=[subscribe(forum.name)])


def test_a_scenario_names_the_slots_of_its_own_wording_alone():
    made = family(join, "Subscribe to {name}.", "Subscribe to what lies at {path}.")
    for seed, start in enumerate(("Subscribe to ", "Subscribe to what lies at ")):
        scenario = generated(made, seed)
        assert scenario.details["named"] == [scenario.instruction.removeprefix(start)[:-1]]


# Several right ends ------------------------------------------------------------------------------


def join_one(d: Draw) -> Right:
    one, other, third, *_ = d.rng.sample(d.all(FREE, d.me), 4)
    title = f"Hello to all of {d.rng.randint(100, 999)}"
    return Right(
        {"one": one.name, "other": other.name, "title": title},
        do=[subscribe(one.name), submit(one.name, title, "")],
        any_of=[[subscribe(other.name), submit(other.name, title, "")]],
        instead={"a third": [subscribe(third.name), submit(third.name, title, "")]},
    )


JOIN = family(join_one, "Subscribe to {one} or to {other}, and post “{title}” there.")


def test_each_of_several_right_ends_is_right():
    scenario = generated(JOIN)
    first, other = (end.do for end in Gold.from_json(scenario.gold).ends)
    assert after(JOIN, scenario, first).success
    assert after(JOIN, scenario, other).success


def test_both_right_ends_at_once_and_half_of_each_are_wrong():
    scenario = generated(JOIN)
    first, other = (end.do for end in Gold.from_json(scenario.gold).ends)
    assert failed(after(JOIN, scenario, [*first, *other])) == {"subscriptions", "submissions"}
    assert not after(JOIN, scenario, [first[0], other[1]]).success


def test_a_visit_goes_on_to_the_end_that_it_began():
    scenario = generated(JOIN)
    first, other = (end.do for end in Gold.from_json(scenario.gold).ends)
    assert solvable(JOIN, scenario, other[:1])
    assert not solvable(JOIN, scenario, [first[0], other[0]])
    half = after(JOIN, scenario, other[:1]).progress
    assert 0 < after(JOIN, scenario, first[:1]).progress == half < 1


def test_a_family_with_several_ends_is_played():
    assert {"a third", "the last left out"} <= play(JOIN)


# Texts of one's own ------------------------------------------------------------------------------


def post_about(d: Draw) -> Right:
    forum, other = (each.name for each in d.rng.sample(d.all("SELECT name FROM forums"), 2))
    thing = d.some(("gloves", "lessons", "repairs"))
    return Right(
        {"forum": forum, "thing": thing},
        do=[submit(forum, f"A question on {thing}", f"Who has {thing} for me?")],
        has={"title": (), "body": (thing,)},
        instead={"in another forum": [submit(other, f"A question on {thing}", f"My {thing}?")]},
    )


POST = family(post_about, "Post in {forum}, under a title of your own, a text with “{thing}”.")


def own_post(scenario, **args):
    [do] = Gold.from_json(scenario.gold).ends[0].do
    return [Do(do.operation, {**do.args, **args})]


def test_a_text_of_ones_own_is_right_if_it_has_the_words():
    scenario = generated(POST)
    thing = Gold.from_json(scenario.gold).ends[0].do[0].args["body"].split()[2]
    other = own_post(scenario, title="My winter", body=f"Nothing but {thing.upper()}, please.")
    assert after(POST, scenario, other).success


@for_each("args", [{"title": "  "}, {"body": "Nothing at all."}, {"body": ""}])
def test_a_text_without_the_words_is_wrong(args):
    scenario = generated(POST)
    assert failed(after(POST, scenario, own_post(scenario, **args))) == {"submissions"}


def test_a_text_of_ones_own_counts_once():
    scenario = generated(POST)
    first, second = own_post(scenario), own_post(scenario, title="Another title")
    assert failed(after(POST, scenario, [*first, *second])) == {"submissions"}


def test_a_family_with_texts_of_ones_own_is_played():
    names = play(POST)
    assert any(each.startswith("body without a word") for each in names), names


def found_any(d: Draw) -> Right:
    return Right({}, do=[create_forum("a_new_one", "All new.")], has={"name": ()})


def test_a_key_cannot_be_a_text_of_ones_own():
    with pytest.raises(BadRight, match="the key of forums is made of this text"):
        generated(family(found_any, "Create a forum."))


# What cannot be done -----------------------------------------------------------------------------


def vote_for_post(d: Draw) -> Right:
    author = d.pick("SELECT author AS name FROM submissions WHERE author != ?", d.me).name
    posts = d.all("SELECT * FROM submissions WHERE author = ? ORDER BY at DESC", author)
    forums = d.all("SELECT name FROM forums ORDER BY name")
    there = {each.forum: each for each in posts}
    d.need(len(posts) <= 8 and len({each.forum for each in posts}) == len(posts))
    forum = d.some([each.name for each in forums])
    slots = {"author": author, "forum": forum}
    pages = d.list("user_posts", user=author)
    if forum in there:
        return Right(slots, via=pages[:1], do=[vote(there[forum].id, 1)])
    return Right(
        slots, read=pages, status="NOT_ACHIEVABLE", instead={"another": [vote(posts[0].id, 1)]}
    )


VOTE = family(vote_for_post, "Upvote the post of {author} in {forum}.", answer=MAY_FAIL)


def first_of(possible: bool):
    scenarios = (generated(VOTE, seed) for seed in range(200))
    return next(each for each in scenarios if bool(each.gold["do"]) == possible)


def test_what_cannot_be_done_needs_the_evidence_and_the_status():
    scenario = first_of(possible=False)
    pages = [each.place for each in Gold.from_json(scenario.gold).read]
    assert after(VOTE, scenario, pages=pages, answer="not achievable").success
    assert failed(after(VOTE, scenario, pages=pages, answer="NOT_FOUND")) == {"answer"}
    assert failed(after(VOTE, scenario, pages=pages)) == {"answer"}
    unseen = after(VOTE, scenario, answer="NOT_ACHIEVABLE")
    assert failed(unseen) == {"evidence"} and unseen.progress == 0


def test_what_can_be_done_must_not_be_given_up():
    scenario = first_of(possible=True)
    dos = Gold.from_json(scenario.gold).ends[0].do
    assert after(VOTE, scenario, dos, answer="Done.").success
    assert failed(after(VOTE, scenario, dos, answer="NOT_ACHIEVABLE")) == {"did not give up"}


def test_a_family_that_may_fail_is_played_both_ways():
    both = [first_of(possible=True).seed, first_of(possible=False).seed]
    names = play(VOTE, both)
    assert {"guessed", "claimed it", "did not find it", "another", "did it and denied it"} <= names


# A question with a change ------------------------------------------------------------------------


def count_and_join(d: Draw) -> Right:
    forum = d.pick(FREE, d.me).name
    posts = d.all("SELECT * FROM submissions WHERE forum = ?", forum)
    other = d.pick(FREE, d.me).name
    d.need(2 <= len(posts) <= 30 and other != forum)
    return Right(
        {"forum": forum},
        read=d.list("forum", forum=forum),
        do=[subscribe(forum)],
        answer=str(len(posts)),
        instead={"one too many": str(len(posts) + 1), "another forum": [subscribe(other)]},
    )


COUNT = family(
    count_and_join, "Subscribe to {forum}. How many posts has it?", answer=AnswerSchema("number")
)


def test_a_question_with_a_change_needs_both():
    scenario = generated(COUNT)
    gold = Gold.from_json(scenario.gold)
    pages, dos = [each.place for each in gold.read], gold.ends[0].do
    assert after(COUNT, scenario, dos, pages, gold.text).success
    assert failed(after(COUNT, scenario, dos, pages)) == {"answer"}
    assert failed(after(COUNT, scenario, (), pages, gold.text)) == {"subscriptions"}
    assert failed(after(COUNT, scenario, dos, (), gold.text)) == {"evidence"}


def test_a_question_with_a_change_is_played():
    assert {"one too many", "another forum", "guessed"} <= play(COUNT)


# A question on two records, whose ways lead over the start page ---------------------------------


def sum_of_two(d: Draw) -> Right:
    pages = [each.place for each in d.list("home", upto=4)]
    posts = [row for place in pages for row in d.map.shown(place, d.map.record(place)).rows]
    first, second = d.rng.sample(posts, 2)
    return Right(
        {"first": first["title"], "second": second["title"]},
        read=[
            d.page("thread", f"{post['title']}: score  {post['score']}", **thread_of(post))
            for post in (first, second)
        ],
        answer=str(first["score"] + second["score"]),
        instead={"the first": str(first["score"])},
    )


def thread_of(post: Row) -> Row:
    return {key: post[key] for key in ("forum", "id", "slug")}


SUM = family(
    sum_of_two,
    "What is the sum of the scores of “{first}” and “{second}”?",
    answer=AnswerSchema("number"),
)


def test_a_question_on_two_records_is_played():
    assert {"the first", "guessed", "the last page unread"} <= play(SUM)


# Planted rows, and the honest length -------------------------------------------------------------


def answer_planted(d: Draw) -> Right:
    author = d.pick("SELECT name FROM users WHERE name != ?", d.me).name
    forum = d.pick("SELECT name FROM forums").name
    title = f"Who can lend me {d.rng.randint(20, 999)} ladders?"
    post = d.plant(
        "submissions",
        forum=forum,
        author=author,
        title=title,
        slug="who-can-lend",
        body="For one day.",
        at=1_768_470_000.0,
        score=1,
    )
    text = f"I can, {author}."
    return Right(
        {"title": title, "text": text},
        do=[reply(post, text)],
        search=d.list("forum", forum=forum, upto=1),
    )


PLANTED = family(answer_planted, "Reply to “{title}” with “{text}”.")


def test_a_planted_row_stands_in_the_start_world_and_is_no_change_of_the_visit():
    scenario = generated(PLANTED)
    with PLANTED.world(scenario) as world:
        assert world.read("SELECT 1 FROM submissions WHERE slug = 'who-can-lend'")
        assert world.read("SELECT 1 FROM log_change") == []


def test_a_planted_row_is_played():
    play(PLANTED)


def test_the_budget_is_made_for_an_agent_that_has_to_look():
    scenario = generated(PLANTED)
    assert PLANTED.honest_length(scenario) > PLANTED.length(scenario)
    assert budgeted_length(PLANTED, scenario) == PLANTED.honest_length(scenario)
    assert JOIN.honest_length(generated(JOIN)) == JOIN.length(generated(JOIN))


# Several ways to find out ------------------------------------------------------------------------


def no_such_post(d: Draw) -> Right:
    forum, word = d.pick("SELECT name FROM forums").name, f"word{d.rng.randint(100, 999)}"
    search, everywhere = d.page("search", forum=forum, q=word), d.page("search", q=word)
    return Right(
        {"forum": forum, "word": word},
        read=[d.either(search, everywhere, d.page("forum", forum=forum, sort="new"))],
        status="NOT_FOUND",
    )


NONE = family(no_such_post, "Vote for the post with “{word}” in {forum}.", answer=MAY_FAIL)


def test_one_of_several_pages_is_evidence_that_a_row_is_not_there():
    scenario = generated(NONE)
    forum, word = scenario.details["named"]
    for page, args in (
        ("search", {"q": word.upper()}),
        ("search", {"q": word, "forum": forum}),
        ("forum", {"forum": forum, "sort": "new"}),
    ):
        assert after(NONE, scenario, (), [Place.of(page, args)], "NOT_FOUND").success


def test_a_list_without_rows_is_evidence_for_its_own_keyword():
    scenario = generated(NONE)
    other = [Place.of("search", {"q": "another1"})]
    assert failed(after(NONE, scenario, (), other, "NOT_FOUND")) == {"evidence"}
    assert failed(after(NONE, scenario, (), (), "NOT_FOUND")) == {"evidence"}


def test_a_family_with_several_ways_to_find_out_is_played():
    assert "guessed" in play(NONE)
