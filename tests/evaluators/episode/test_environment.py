"""Which lane an episode gets."""

from __future__ import annotations

from contextlib import AsyncExitStack


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
