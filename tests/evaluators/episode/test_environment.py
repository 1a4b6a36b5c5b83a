"""Which lane an episode gets."""

from __future__ import annotations

from contextlib import AsyncExitStack

from scenarios.scenario import ForeignPages


def test_an_episode_gets_the_lane_that_has_its_page_open(runner, environments):
    async def lanes() -> None:
        async with (
            environments.lane("widgets", "login-user") as login,
            environments.lane("widgets", "choose-date") as date,
        ):
            assert date is not login
        async with AsyncExitStack() as stack:
            for family, expected in (("choose-date", date), ("login-user", login)):
                got = await stack.enter_async_context(environments.lane("widgets", family))
                assert got is expected, family
        async with environments.lane("widgets", "click-pie") as other:
            assert other is not date, "the one that is unused for longest"

    runner.run(lanes())


def test_foreign_pages_have_lanes_of_their_own(runner, environments):
    foreign = ForeignPages(1000)

    async def lanes() -> None:
        async with environments.lane("widgets", "click-link", foreign) as theirs:
            pass
        async with (
            environments.lane("widgets", "click-link") as ours,
            environments.lane("widgets", "click-pie", ForeignPages(1000)) as theirs_again,
        ):
            assert ours is not theirs and theirs_again is theirs

    runner.run(lanes())
