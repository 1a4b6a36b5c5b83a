"""The progress and the skills of a visit to a declared site, by visits to two small tasks."""

from __future__ import annotations

import pytest

from scenarios.kit import AnswerSchema, Draw, Gold, Right
from sites.forum.operations import subscribe, unsubscribe, vote
from tests.scenarios.kit.playing import after, family, generated

pytestmark = pytest.mark.usefixtures("unmeasured")
FREE = "SELECT name FROM forums WHERE name NOT IN (SELECT forum FROM subscriptions WHERE user = ?)"


def join_two(d: Draw) -> Right:
    one, other = d.rng.sample(d.all(FREE + " ORDER BY name", d.me), 2)
    return Right(
        {"one": one.name, "other": other.name}, do=[subscribe(one.name), subscribe(other.name)]
    )


def count_comments(d: Draw) -> Right:
    many = "GROUP BY author HAVING count(*) BETWEEN 35 AND 60"
    user = d.pick(f"SELECT author AS name, count(*) AS n FROM comments {many} ORDER BY author")
    return Right(
        {"user": user.name},
        read=d.list("user_comments", user=user.name),
        answer=str(user.n),
    )


JOIN = family(join_two, "Subscribe to {one} and {other}.")
COUNT = family(count_comments, "How many comments has {user}?", answer=AnswerSchema("number"))


def test_progress_is_the_share_of_what_is_wanted_or_made():
    scenario = generated(JOIN)
    first, second = Gold.from_json(scenario.gold).ends[0].do
    with JOIN.world(scenario) as world:
        stray = vote(world.read("SELECT id FROM submissions LIMIT 1")[0]["id"], 1)
    assert after(JOIN, scenario).progress == 0
    assert after(JOIN, scenario, [first]).progress == 0.5
    assert after(JOIN, scenario, [first, stray]).progress < 0.5
    assert after(JOIN, scenario, [first, stray, second]).progress < 1
    assert after(JOIN, scenario, [second, first]).progress == 1


def test_a_change_that_was_taken_back_is_no_change():
    scenario = generated(JOIN)
    first, second = Gold.from_json(scenario.gold).ends[0].do
    undone = unsubscribe(first.args["forum"])
    assert after(JOIN, scenario, [first, undone]).progress == 0
    assert after(JOIN, scenario, [first, undone, second, first]).success


def test_progress_of_a_question_is_half_for_the_evidence_and_half_for_the_answer():
    scenario = generated(COUNT)
    gold = Gold.from_json(scenario.gold)
    first, *rest = [each.place for each in gold.read]
    some = after(COUNT, scenario, pages=[first]).progress
    assert 0 < some < 0.5
    assert after(COUNT, scenario, pages=[first], answer=gold.text).progress == some
    assert after(COUNT, scenario, pages=[first, *rest]).progress == 0.5
    assert after(COUNT, scenario, pages=[*rest, first], answer=gold.text).progress == 1
    assert after(COUNT, scenario, answer=gold.text).progress == 0


def test_a_needless_change_costs_progress_of_a_question():
    scenario = generated(COUNT)
    gold = Gold.from_json(scenario.gold)
    with COUNT.world(scenario) as world:
        forum = world.read(FREE, (scenario.details["me"],))[0]["name"]
    pages = [each.place for each in gold.read]
    score = after(COUNT, scenario, [subscribe(forum)], pages, gold.text)
    assert not score.success and score.progress < 0.5
    assert len(score.collateral) == 2
    assert score.skills["restrain"] == 0 and score.skills["compute"] == 1


def test_skills_tell_what_a_visit_could_do():
    scenario = generated(COUNT)
    gold = Gold.from_json(scenario.gold)
    first, *_ = [each.place for each in gold.read]
    skills = after(COUNT, scenario, pages=[first], answer=gold.text).skills
    assert skills["find"] == pytest.approx(1 / len(gold.read))
    assert 0 < skills["inspect"] < 1
    assert (skills["compute"], skills["commit"], skills["restrain"]) == (1, None, 1)
    joining = generated(JOIN)
    first_do, _ = Gold.from_json(joining.gold).ends[0].do
    skills = after(JOIN, joining, [first_do]).skills
    assert skills == {
        "find": None,
        "inspect": None,
        "compute": None,
        "commit": 0.5,
        "restrain": 1.0,
    }
