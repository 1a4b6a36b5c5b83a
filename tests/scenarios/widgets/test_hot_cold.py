"""The expert of hot-cold needs no memory: the place that the mouse is at tells how far it is."""

from __future__ import annotations

from math import dist

import pytest

from scenarios.widgets.hot_cold import FAMILY, HEIGHT, WIDE, WIDTH, after


def heat(at, hot):
    away = dist(at, hot)
    words = ((5, "HOT"), (10, "WARM"), (40, "COLD"))
    return next((word for limit, word in words if away < limit), "ICE COLD")


@pytest.mark.parametrize("x", range(5, WIDTH - 4, 4))
def test_every_place_is_found_with_the_actions_that_there_are(x):
    for y in range(5, HEIGHT - 4, 3):
        at, actions = WIDE[0], 2
        while heat(at, (x, y)) != "HOT":
            at, actions = after(at, heat(at, (x, y))), actions + 1
        assert actions <= FAMILY.actions
