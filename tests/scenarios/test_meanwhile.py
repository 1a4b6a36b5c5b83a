"""What changes while somebody works: fares, an offer, a name that is cut, mail; never the end."""

from __future__ import annotations

import pytest

from agent.browser.chromium import find_chromium
from agent.interface import Click, Type
from agent.plugins import UnknownName
from scenarios import dials as profiles
from scenarios import registry
from scenarios.crm.airline_desk import desk, fits
from scenarios.crm.airline_desk.fits import Condition, Option
from scenarios.scenario import Scenario
from sites.crm import create_app
from sites.crm.airline_desk.model import outdated
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.model.outdated import Way
from sites.crm.airline_desk.model.records import Trip
from sites.crm.airline_desk.operations import late_mail, looking, selling
from sites.crm.base.forms import Invalid
from sites.crm.base.network import Offer
from sites.world import World, Worlds
from tests.drawing import drawn
from tests.measuring import DEEP
from tests.scenarios.crm.airline_desk.clerk import Unreadable
from tests.scenarios.crm.airline_desk.test_clerk import episode
from tests.scenarios.with_dials import ends_as_without
from tests.sites.crm.airline_desk.served import Visitor

NAMES = [f"{name}.{each}" for name in profiles.BOOKED for each in ("repriced", "sold_out")]
NAMES += [f"{name}.trimmed" for name in profiles.BOOKED]
NAMES += [f"{name}.late_mail" for name in profiles.LETTERS]
FEW = (
    *("cheapest_fit.repriced", "book_party.sold_out", "cheapest_fit.trimmed"),
    "ticket_third_party.late_mail",
)
"""The families that are run whole in every run; with `tox -e deep` all are."""
SEEDS = range(12 if DEEP else 3)
DATA = registry.site_data("crm")


class Sale:
    """The first list of offers of a scenario's own sale."""

    def __init__(self, name: str, seed: int) -> None:
        self.scenario = drawn(name, seed)
        self.world: World = registry.family(name).world(self.scenario)
        self.order = desk.order_of(self.scenario)
        self.trip: Trip = desk.search(self.world, DATA, self.order.search)
        [(_, here, there, day), *_] = self.trip.search.ways()
        self.way: Way = (here, there, day)
        self.offers = looking.offers(self.world, DATA, *self.way)

    @property
    def listed(self) -> list[Offer]:
        return outdated.listed(self.world, DATA.network, self.way, self.offers)

    @property
    def gone(self) -> list[Offer]:
        network = DATA.network
        return [
            each for each in self.listed if outdated.is_gone(self.world, network, self.way, each.id)
        ]

    def choose(self, offer: str) -> Trip:
        values = {"offer": offer}
        return selling.choose(self.world, DATA, self.trip.number, "outward", values)


def visitor_of(scenario: Scenario) -> Visitor:
    worlds, world = Worlds(), registry.family(scenario.family).world(scenario)
    airline = airlines()[scenario.details["airline"]]
    return Visitor(create_app(DATA, worlds), worlds, world, airline)


# Fares -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_all_fares_of_the_first_list_move_alike_and_then_they_are_those_that_are_charged(seed):
    sale = Sale("cheapest_fit.repriced", seed)
    moved = sale.scenario.details["dials"]["raised"]
    assert (moved > 0) == sale.scenario.gold["possible"]
    for shown, now in zip(sale.listed, sale.offers, strict=True):
        assert [fare.price + moved for fare in shown.fares] == [fare.price for fare in now.fares]
    trip = sale.choose(sale.order.offers["outward"])
    assert sale.listed == [*sale.offers]
    assert outdated.raised(sale.world, trip, "outward") == moved
    later = desk.search(sale.world, DATA, sale.order.search)
    assert outdated.raised(sale.world, later, "outward") == 0, "its list was up to date"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_by_price_stays_for_every_party(seed):
    """What a fare went up by is whole dollars for a child, too."""
    sale = Sale("cheapest_fit.repriced", seed)
    moved, kinds = sale.scenario.details["dials"]["raised"], sale.trip.search.kinds
    fares = sorted({fare.price for offer in sale.offers for fare in offer.fares})
    steps = {
        selling.prices.fares(fare, kinds) - selling.prices.fares(fare - moved, kinds)
        for fare in fares
    }
    assert len(steps) == 1


def test_a_clerk_who_counts_with_the_list_is_told_another_sum_which_the_request_allows():
    scenario = drawn("cheapest_fit.repriced", 1)
    limit, total = scenario.gold["limit"], desk.order_of(scenario).total
    assert scenario.gold["possible"] and total <= (limit or total)
    with pytest.raises(Unreadable, match="is due, not"):
        episode(scenario)


def test_the_pages_behind_the_list_say_what_a_fare_was_and_is():
    sale = Sale("book_party.repriced", 0)
    visitor, moved = visitor_of(sale.scenario), sale.scenario.details["dials"]["raised"]
    desk.prepare(visitor.world, DATA, sale.order)
    chosen = looking.chosen(visitor.world, DATA, looking.trip(visitor.world, 1))
    money, (_, fare) = visitor.airline.formats.money, chosen["outward"]
    notice = word(visitor, "price-moved", before=money(fare.price - moved), now=money(fare.price))
    for screen in ("party", "payment"):
        assert visitor.open(visitor.airline.address(screen, 1)).text.count(notice) == 1


# An offer that is sold out -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_the_request_would_have_the_offer_that_is_sold_out_and_then_the_right_one(seed):
    sale = Sale("cheapest_fit.sold_out", seed)
    right, _, brand = sale.order.offers["outward"].partition("/")
    [gone], number = sale.gone, sale.trip.search.seats
    conditions = [Condition(**each) for each in sale.scenario.gold["conditions"]]
    found = [
        Option(sale.way[2], each, brand, each.fare(brand).price) for each in (gone, *sale.offers)
    ]
    first, *others = sorted(fits.fitting(found, conditions), key=lambda each: each.total)
    assert first.offer == gone and gone.fare(brand).seats >= number
    assert right in [each.offer.id for each in others]
    with pytest.raises(Invalid, match="sold out while you were choosing"):
        sale.choose(f"{gone.id}/{brand}")
    assert [fare.seats for fare in sale.gone[0].fares] == [0] * len(gone.fares)
    assert sale.choose(f"{right}/{brand}").choices["outward"].offer == right


@pytest.mark.parametrize("seed", SEEDS)
def test_a_flight_that_is_described_as_first_or_last_has_one_beyond_it(seed):
    sale = Sale("book_party.sold_out", seed)
    right = sale.order.offers["outward"].partition("/")[0]
    own = next(each for each in sale.offers if each.id == right)
    is_first = sale.scenario.gold["known"]["first"].startswith("the first")
    assert [each.departs - own.departs for each in sale.gone] == [-3 if is_first else 3]


def test_a_page_says_that_it_was_sold_out_and_a_list_counts_it():
    sale = Sale("cheapest_fit.sold_out", 0)
    visitor = visitor_of(sale.scenario)
    desk.search(visitor.world, DATA, sale.order.search)
    page = visitor.open(visitor.airline.address("results", 1, "outward"))
    assert f"{len(sale.offers) + 1} offers" in page.text
    [gone] = sale.gone
    name = page.control(next(c.label for c in page.controls if c.value == f"{gone.id}/flex")).name
    page = visitor.press(visitor.airline.word("confirm-flights"), {name: f"{gone.id}/flex"})
    assert page.status == 400 and outdated.GONE in page.text
    [own] = [each for each in page.controls if each.value == f"{gone.id}/flex"]
    assert not own.enabled and visitor.airline.word("sold-out") in own.label


# Names that are cut ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_fields_of_names_are_too_short_for_one_until_they_are_made_longer(seed):
    sale = Sale("book_party.trimmed", seed)
    visitor = visitor_of(sale.scenario)
    desk.search(visitor.world, DATA, sale.order.search)
    for direction, offer in sale.order.offers.items():
        selling.choose(visitor.world, DATA, 1, direction, {"offer": offer})
    page = visitor.open(visitor.airline.address("party", 1))
    lengths = {int(each) for each in page.tree.xpath("//input/@maxlength")}
    names = [text for key, text in sale.order.party.items() if "name" in key]
    assert len(lengths) == 1 and max(map(len, names)) > max(lengths)
    page = visitor.follow(visitor.airline.word("longer-fields"))
    assert page.tree.xpath("//input/@maxlength") == []
    assert visitor.airline.word("longer-fields") not in page.links
    page = visitor.press(visitor.airline.word("save-party"))
    assert page.status == 400 and page.tree.xpath("//input/@maxlength") == []


@pytest.mark.wide
@pytest.mark.skipif(find_chromium() is None, reason="no Chromium; run: rehearse doctor --fix")
def test_what_is_typed_into_a_short_field_is_cut_and_shown(harness):
    """As a browser does it: the field holds fewer letters, and nothing says so."""
    scenario = drawn("cheapest_fit.trimmed", 0)  # at Contrail, where names are typed
    letters, family = scenario.details["dials"]["letters"], registry.family(scenario.family)
    longest = max(desk.order_of(scenario).party.values(), key=len)

    async def typed(visit) -> list[str]:
        seen = await visit.page.observe()
        while not (fields := [each for each in seen.elements if "First name" in each.name]):
            for action in family.advise(scenario, seen).actions:
                seen = await visit.page.act(action)
        seen = await visit.page.act(Type(fields[0].id, longest))
        held = next(each.value for each in seen.elements if each.name == fields[0].name)
        longer = next(each for each in seen.elements if each.name == "Longer fields for names")
        seen = await visit.page.act(Click(longer.id))
        field = next(each for each in seen.elements if each.name == fields[0].name)
        seen = await visit.page.act(Type(field.id, longest))
        return [held, next(e.value for e in seen.elements if e.name == field.name)]

    held, whole = harness.visit(scenario.name, typed)
    assert (held, whole) == (longest[:letters], longest)


# Mail that comes late ----------------------------------------------------------------------------


@pytest.mark.parametrize("family", profiles.LETTERS if DEEP else profiles.LETTERS[:3])
def test_a_part_of_the_mail_comes_later_and_every_page_says_so_until_it_is_read(family):
    scenario = drawn(f"{family}.late_mail", 0)
    visitor, ticket = visitor_of(scenario), scenario.gold["ticket"]
    _, pages = map(int, scenario.details["dials"]["mail"].split())
    [body] = [m["body"] for m in scenario.gold["rows"]["messages"] if m["ticket"] == ticket]
    own, news = visitor.airline.address("ticket", ticket), word(visitor, "new-mail", number=ticket)
    now, later = (text.split("\n") for text in late_mail.held_back(body))
    assert sorted([*now, *later[:-1]]) == sorted(body.split("\n")) and later[-1] == now[-1]
    first = visitor.open(own).paragraphs
    assert {*now} <= {*first} and not {*later[:-1]} & {*first}
    for number in range(1, pages + 2):
        assert (news in visitor.open(visitor.airline.address("search")).links) == (number >= pages)
    second = visitor.follow(news)
    assert {*now, *later} <= {*second.paragraphs} and news not in second.links
    assert news not in visitor.open(visitor.airline.address("search")).links


def word(visitor: Visitor, key: str, **slots: object) -> str:
    return visitor.airline.word(key, **slots)


def test_who_does_not_read_the_late_mail_does_not_know_who_asks():
    """A clerk who reads the ticket once, wins the plain scenario and not this one."""
    seed = 10
    assert episode(drawn("ticket_refund", seed))[0].success
    assert not episode(drawn("ticket_refund.late_mail", seed), "//nothing")[0].success


# All of them -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES if DEEP else FEW)
def test_the_ends_of_a_family_are_the_same(name):
    for seed in range(5 if DEEP else 1):
        ends_as_without(name, seed)


@pytest.mark.wide
def test_the_expert_gets_past_all_of_it(harness, tmp_path):
    for name in NAMES if DEEP else FEW:
        for seed in range(5 if DEEP else 1):
            harness.expert_succeeds(f"crm/{name}/{seed}", tmp_path)


@pytest.mark.parametrize("name", ["find_by_name.sold_out", "ticket_refund.trimmed"])
def test_a_family_whose_pages_have_no_such_thing_has_no_such_variant(name):
    with pytest.raises(UnknownName, match="no variant of"):
        registry.family(name)
