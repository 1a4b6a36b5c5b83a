"""Posts as the forum's families draw them."""

from __future__ import annotations

from scenarios import registry
from scenarios.kit import Found, stay
from tests.each import for_each


def posts(*scores: int) -> list[Found]:
    """Return posts with these scores, the highest first."""
    return [Found({"id": n, "score": score}) for n, score in enumerate(scores)]


def test_votes_that_move_a_later_post_to_another_page_are_refused() -> None:
    level = posts(*[5] * 20)
    assert not stay(level, [level[0], level[8]], -1)  # the ninth post is now the eighth
    assert stay(level, [level[8], level[0]], -1)  # it was voted on where it stood
    assert stay(level, [level[0], level[9]], 1)
    wide = posts(*range(200, 0, -10))
    assert stay(wide, wide[6:9], 1)
    assert stay(wide, wide[6:9], -1)


@for_each("seed", range(20))
def test_the_expert_votes_on_every_post_that_a_vote_could_move(seed: int) -> None:
    """The way of the expert is found on a copy of the world, with every vote done."""
    for name in ("vote_top", "vote_user_posts"):
        family = registry.family(name)
        scenario = family.generate(seed, registry.site_data("forum"))
        assert 0 < family.length(scenario) < 60
