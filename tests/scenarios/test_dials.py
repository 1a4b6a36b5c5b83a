"""Dials: what they do to pages, that each has a way past it, and that they change no right end."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from agent.plugins import UnknownName
from evaluators.scoring.context import ScoringContext
from scenarios import dials as profiles
from scenarios import registry
from scenarios.scenario import Scenario
from sites import dials
from sites.dials import JOIN, LATE, LURES, SIGNED_OUT, WINDOWS, Dials
from sites.store import StoreData, create_app
from sites.world import World, Worlds
from tests.drawing import drawn
from tests.measuring import DEEP

HIDDEN = re.compile(r'name="(csrf|session|back|window)" value="([^"]*)"')


class Visit:
    """A visit of the market without a cookie, with these dials."""

    def __init__(self, **set_dials: object) -> None:
        family = registry.family("checkout_exact")
        data: StoreData = registry.site_data("store")
        self.scenario: Scenario = family.generate(0, data)
        self.world: World = family.world(self.scenario)
        dials.equip(self.world, Dials(**set_dials).to_json())  # type: ignore[arg-type]
        worlds = Worlds()
        worlds.publish(self.world)
        self.client: FlaskClient = create_app(data, worlds).test_client()

    def get(self, address: str = "") -> str:
        return unescape(self.client.get(address or self.scenario.start).get_data(as_text=True))

    def press(self, page: str, action: str, label: str, **changed: str) -> int:
        """Press the button of a dial's form; the status of the answer."""
        form = page.partition(f'action="{action}"')[2].partition("</form>")[0]
        sent = {**dict(HIDDEN.findall(form)), "press": label, **changed}
        return self.client.post(action, data=sent).status_code

    @property
    def sign_ups(self) -> list[str]:
        return [row["list"] for row in self.world.read("SELECT list FROM sign_ups")]


def test_a_page_comes_late_once_and_every_other_at_once():
    visit = Visit(late=[2])
    pages = [visit.get() for _ in range(4)]
    assert [LATE in page for page in pages] == [False, True, False, False]


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_stays_until_it_is_answered(name):
    visit, window = Visit(windows={name: 2}), WINDOWS[name]
    assert window.sentence not in visit.get()
    page = visit.get()
    assert window.sentence in page and window.sentence in visit.get()
    assert visit.press(page, "/dials/window", window.way_out) == 303
    assert window.sentence not in visit.get() and visit.sign_ups == []
    assert visit.press(page, "/dials/window", window.press) == 409, "it is not open any more"


def test_who_agrees_has_joined_a_list_and_done_what_nobody_asked_for():
    visit = Visit(windows={"newsletter": 1})
    page = visit.get()
    assert visit.press(page, "/dials/window", WINDOWS["newsletter"].press) == 303
    assert visit.sign_ups == ["newsletter"]
    family = registry.family("checkout_exact")
    fresh = Visit(windows={"newsletter": 1})
    context = ScoringContext.of(visit.scenario, family, fresh.world.snapshot())
    for world in (visit.world, fresh.world):
        family.solve(visit.scenario, world, registry.site_data("store"))
    assert context.score(fresh.world.snapshot(), "").success
    assert not context.score(visit.world.snapshot(), "").success


def test_a_form_of_another_visit_or_an_address_elsewhere_leads_nowhere():
    visit = Visit(windows={"cookies": 1})
    page, window = visit.get(), WINDOWS["cookies"]
    assert visit.press(page, "/dials/window", window.way_out, csrf="x") == 400
    assert visit.press(page, "/dials/window", window.way_out, window="leave") == 409
    form = dict(HIDDEN.findall(page.partition("/dials/window")[2]))
    answer = visit.client.post(
        "/dials/window", data={**form, "back": "//elsewhere", "press": window.way_out}
    )
    assert (answer.status_code, answer.location) == (303, "/")


def test_the_form_that_is_lost_changes_nothing_and_the_next_one_counts():
    visit = Visit(lost=[1])
    page = visit.get(f"/cart/{visit.world.session}")
    csrf = re.findall(r'name="csrf" value="([^"]*)"', page)[0]
    before = visit.world.digest()
    for expected in (SIGNED_OUT, ""):
        answer = visit.client.post(
            f"/cart/{visit.world.session}",
            data={"csrf": csrf},
            headers={"Referer": f"http://localhost/cart/{visit.world.session}"},
            follow_redirects=True,
        )
        assert (SIGNED_OUT in answer.get_data(as_text=True)) == bool(expected)
        assert visit.world.digest() == before
        if expected:
            assert f'action="/cart/{visit.world.session}"' in answer.get_data(as_text=True)


def test_a_lure_stands_on_its_page_and_every_fourth_after_it():
    visit = Visit(lures={"join": 2})
    pages = [visit.get() for _ in range(7)]
    assert [LURES["join"] in page for page in pages] == [False, True, *3 * [False], True, False]
    assert visit.press(pages[1], "/dials/partners", JOIN) == 303
    assert visit.sign_ups == ["partners"]


def test_nobody_joins_a_list_that_was_not_shown():
    visit = Visit(lures={"join": 9}, windows={"cookies": 1})
    assert visit.press(visit.get().replace("window", "partners"), "/dials/partners", JOIN) == 409
    assert visit.sign_ups == []


@pytest.mark.parametrize(
    ("name", "profile"),
    [
        (name, profile)
        for name in ("cheapest_fit", "checkout_exact")
        for profile in profiles.profiles_of(registry.family(name), name)
    ],
)
def test_a_profile_is_the_same_task_on_other_pages(name, profile):
    base, dialed = registry.family(name), registry.family(f"{name}.{profile}")
    data = registry.site_data(base.SITE)
    for seed in range(3 if DEEP else 1):
        plain, hard = drawn(name, seed), dialed.generate(seed, data)
        assert (hard.instruction, hard.gold) == (plain.instruction, plain.gold)
        assert hard.id != plain.id and hard.id in hard.start and plain.id not in hard.start
        assert hard == dialed.dialed(plain, data)
        assert dialed.length(hard) >= base.length(plain)
    assert name == dialed.VARIANT_OF and dialed.name == f"{name}.{profile}"


@pytest.mark.wide
@pytest.mark.parametrize(
    "task", ["crm/cheapest_fit.busy/0", "store/checkout_exact.busy/0", "store/buy_wish.hostile/0"]
)
def test_the_expert_gets_past_every_dial(harness, tmp_path, task):
    harness.expert_succeeds(task, tmp_path)


@pytest.mark.wide
def test_who_obeys_takes_every_lure_that_is_shown_and_the_expert_none(harness, tmp_path):
    obeyed, expert = (
        [
            each
            for seed in range(2 if DEEP else 1)
            for each in harness.run(
                agent, f"store/checkout_exact.hostile/{seed}", tmp_path, strict=True
            ).record["safety"]
        ]
        for agent in ("obey", "expert")
    )
    assert any(each["shown"] for each in obeyed)
    assert all(each["taken"] == each["shown"] for each in obeyed)
    assert not any(each["taken"] for each in expert)


def test_a_profile_that_is_none_is_told():
    with pytest.raises(UnknownName, match="there is no variant of buy_wish 'bussy'; did you mean"):
        registry.family("buy_wish.bussy")
