"""Every cheater on every family: none ends as a fault of ours, and none wins more than its ceiling.

`tox` takes one family of each site for a cheater, of level 1, no variant, with a ceiling of 0, each
another one, and of the task pages two from all over their list; deep runs take all. On every family
of the store and the desk the ceiling is 0.00.
"""

from __future__ import annotations

import math

import pytest

import agent.cheaters
from agent import agent_spec, plugins
from agent.agent_spec import CHEAT
from evaluators.records.models import INFRA
from scenarios import registry
from tests.contracts.harness import EpisodeHarness
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

SEEDS = range(5 if DEEP else 1)
CHEATERS = plugins.names(agent.cheaters)
SHORT = {"restart": ":attempts=6", "crawl": ":pages=12", "dump": ":rounds=2", "na": ":pages=4"}
"""Cheaters that go on for long do so with `tox -e deep` only."""
SURE = {
    "click-test": "its only button is the right one",
    "click-dialog": "its only button is the right one",
    "focus-text": "its only field is the right one",
    "click-button-sequence": "its two buttons are wanted in the order in which they stand",
    "moving-items": "all that is shown is to be clicked, in any order",
    "click-collapsible": "the heading and the button are wanted in the order in which they stand",
    "click-collapsible-nodelay": "as click-collapsible",
    "click-tab-2-medium": "one tab after the other is opened, and what it shows is clicked",
    "click-test-transfer": "the first of its two buttons is the right one",
}
"""Who clicks everything once wins these: 1.00, and why."""
FEW = (
    *("choose-list", "click-button", "click-color", "click-link", "click-option"),
    *("click-pie", "click-tab", "click-tab-2", "click-widget"),
    *("click-collapsible-2", "count-shape", "email-inbox", "focus-text-2", "grid-coordinate"),
    *("guess-number", "identify-shape", "simple-algebra", "unicode-test"),
    *("click-menu", "navigate-tree", "use-spinner"),
    *("buy-ticket", "click-collapsible-2-nodelay", "click-pie-nodelay", "click-tab-2-easy"),
    *("click-menu-2", "count-sides", "drag-cube"),
    *("find-greatest", "odd-or-even", "email-inbox-delete", "email-inbox-important"),
    "highlight-text-2",  # one of its three paragraphs is to be marked whole
    "sign-agreement",  # now and then it is to be canceled, and nothing else
    "click-checkboxes-transfer",  # now and then nothing is to be ticked
)
HALF = (
    *("click-test-2", "click-dialog-2", "click-shape", "tic-tac-toe"),
    "highlight-text",  # its only paragraph is to be marked whole
    "generate-number",  # half of the numbers are of the kind that is asked for
    "stock-market",  # at half of the seeds the price is low enough at once
    "scroll-text-2",  # one of the two ends; the Tab key scrolls to the upper one
    *("drag-circle", "drag-single-shape"),  # a corner is two of the four ways, as in MiniWoB
    "resize-textarea",  # larger or smaller, and a corner changes both sides
)
CHANCE = dict.fromkeys(FEW, 0.35) | dict.fromkeys(HALF, 0.6)
"""One of a few elements, or one short row of inputs, is the right one: at most about a third; or
about half."""


TICKETS = {"comply": 0.15, "decline": 0.05}
"""What may be won on tickets by who does as the mail asks, or refuses everything."""


PAGES = "widgets"


def ceiling(family: str, cheater: str = "") -> float:
    if registry.family_modules()[family].LEVEL == 3 and cheater in TICKETS:
        return TICKETS[cheater] if registry.family(family).SITE == "crm" else 0.0
    return 1.0 if family in SURE else CHANCE.get(family, 0.0)


def most(family: str, cheater: str, seeds: int) -> int:
    """So many wins in so many seeds are chance: three standard deviations above the mean."""
    share = ceiling(family, cheater)
    return math.floor(seeds * share + 3 * math.sqrt(seeds * share * (1 - share)))


def pairs() -> list[tuple[str, str]]:
    families = registry.family_modules()
    if DEEP:
        return [(cheater, family) for cheater in CHEATERS for family in sorted(families)]
    found = []
    for at, cheater in enumerate(CHEATERS):
        for site in registry.site_names():
            of_site = [name for name, made in sorted(families.items()) if site == made.SITE]
            short = [name for name in of_site if families[name].LEVEL == 1]
            strict = [name for name in short if not (ceiling(name) or registry.is_variant(name))]
            if site == PAGES:
                single = [name for name in strict if takes(cheater, name)]
                found.append((cheater, single[(2 * at + 1) * len(single) // (2 * len(CHEATERS))]))
            found.append((cheater, strict[at % len(strict)]))
    return found


def takes(cheater: str, family: str) -> bool:
    """Whether it is a page of its own, with inputs beyond the usual ones for who uses these."""
    page = registry.site_data(PAGES).pages.get(family)
    return page is not None and (cheater != "gesture" or "inputs: [" in page.html)


@pytest.mark.parametrize(("cheater", "family"), pairs())
def test_a_cheater_wins_no_more_than_its_ceiling(harness, tmp_path, cheater, family):
    wins = 0
    for seed in SEEDS:
        scenario = f"{registry.family(family).SITE}/{family}/{seed}"
        spec = f"{CHEAT}{cheater}{'' if DEEP else SHORT.get(cheater, '')}"
        episode = harness.run(spec, scenario, tmp_path / str(seed))
        assert episode.record["ended"] != INFRA, episode.record["error"]
        wins += episode.record["success"]
    assert wins <= most(family, cheater, len(SEEDS)), (
        f"{cheater} won {wins} of {len(SEEDS)}; let the scorer ask for deeds that the cheater does"
        " not do, or draw from more"
    )


def test_every_site_meets_every_cheater():
    met = {(cheater, registry.family(family).SITE) for cheater, family in pairs()}
    assert met == {(cheater, site) for cheater in CHEATERS for site in registry.site_names()}


def test_a_hang_is_the_agents_own(harness: EpisodeHarness, tmp_path):
    """It ends by the agent's own doing, is not run again, and the next episode has its page."""
    record = harness.run("cheat:hang", "widgets/click-shades/0", tmp_path / "hang").record
    assert record["ended"] in ("answered", "agent_error") and record["tries"] == 1
    after = harness.run("expert", "widgets/click-shades/0", tmp_path / "after").record
    assert after["success"]


@pytest.mark.wide
def test_restarts_are_steps_and_show_no_reward(harness: EpisodeHarness, tmp_path):
    episode = harness.run("cheat:restart", "widgets/click-shades/0", tmp_path)
    attempts = sum(each.get("word") == "attempt" for each in episode.trace)
    acted = sum(each["kind"] == "action" for each in episode.trace)
    assert attempts >= 2
    assert episode.record["steps"] == acted + attempts
    assert (episode.record["ended"], episode.record["cause"]) == ("truncated", "budget")


def test_cheaters_are_named_but_not_listed():
    assert not {*CHEATERS} & {*agent_spec.names()}
    assert agent_spec.read("cheat:na:pages=3").build().pages == 3
    with pytest.raises(plugins.UnknownName, match="did you mean restart"):
        agent_spec.read("cheat:restrat")
