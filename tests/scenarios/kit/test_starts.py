"""Plans that a process keeps own their worlds, and release them."""

from __future__ import annotations

import pytest

from scenarios._kit.starts import Starts, start_world
from scenarios.kit import Draw, Right
from scenarios.scenario import Scenario
from sites.forum.operations import subscribe
from sites.site_app import Refusal
from tests.scenarios.kit.playing import family, generated

pytestmark = pytest.mark.usefixtures("unmeasured")


def joined(d: Draw) -> Right:
    forum = d.pick("SELECT name FROM forums ORDER BY name").name
    return Right({"forum": forum}, do=[subscribe(forum)])


def scenarios() -> list[Scenario]:
    made = family(joined, "Subscribe to {forum}.")
    return [generated(made, seed) for seed in range(3)]


def test_a_plan_is_kept_until_others_take_its_place():
    starts, (first, second, third) = Starts(most=2), scenarios()
    with starts.open(first) as plan:
        worlds = plan.map.world, plan.ended.world
    with starts.open(first) as second_time:
        assert second_time is plan
    for other in (second, third):
        with starts.open(other):
            pass
    assert [world.released for world in worlds] == [True, True]
    starts.release()


def test_a_plan_in_use_is_not_released():
    starts, (first, second, _) = Starts(most=1), scenarios()
    with starts.open(first) as plan:
        with starts.open(second):
            pass
        starts.release()
        assert not plan.map.world.released
        assert plan.map.world.read("SELECT 1 FROM forums")
    starts.release()
    assert plan.map.world.released and plan.ended.world.released


def test_a_gold_that_the_site_refuses_leaves_no_world_open():
    starts, [first, *_] = Starts(), scenarios()
    bad = {**first.gold, "do": [["subscribe", {"forum": "no such forum"}]]}
    broken = Scenario(**{**first.__dict__, "gold": bad})
    with pytest.raises(Refusal), starts.open(broken):
        pass


def test_a_start_world_is_a_copy_of_its_own():
    [first, *_] = scenarios()
    with start_world(first) as one, start_world(first) as other:
        one.write("DELETE FROM forums")
        assert other.read("SELECT 1 FROM forums") and other.session == first.id
