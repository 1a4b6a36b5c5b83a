"""The page on the text lane says how many families play there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from scenarios import registry

PAGE = (Path(__file__).parents[3] / "docs" / "text-lane.md").read_text(encoding="utf-8")


def test_the_page_says_of_each_site_how_many_families_play_and_why_others_do_not() -> None:
    rows = re.findall(r"^\| `(\w+)`.*?\| (\d+).*?\| (.*) \|$", PAGE, re.MULTILINE)
    shown = Counter(
        {(site, reason.rpartition("not: ")[2]): int(count) for site, count, reason in rows}
    )
    families = registry.family_modules().values()
    reasons = [(made.SITE, registry.needs_browser(made)) for made in families]
    for (site, reason), count in Counter(reasons).items():
        offered = sum(
            shown[each] for each in shown if each[0] == site and each[1].startswith("all")
        )
        assert (shown[site, reason] if reason else offered) == count, (site, reason, count)
