"""What `audit_yesterday` draws: acts on both sides of limits, and what each flag is worth."""

from __future__ import annotations

import re

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.crm.airline_desk import desk, forms
from scenarios.crm.policy import without
from scenarios.crm.policy.facts import NOW
from scenarios.crm.shift import audit as audit_yesterday
from scenarios.crm.shift.audit import case
from scenarios.crm.shift.audit.acts import GIVING, OVERLOOKED
from scenarios.crm.shift.audit.case import ALL, COMPANY, CUSTOMERS, Audit
from scenarios.scenario import Scenario
from sites.crm.airline_desk.model.airline import airlines
from tests.drawing import drawn
from tests.measuring import DEEP

SEEDS = range(60 if DEEP else 3)
NAME = audit_yesterday.CHECK.name
FAMILY = registry.family(NAME)


@pytest.fixture(scope="module")
def audits() -> list[Audit]:
    data = registry.site_data("crm")
    return [
        case.draw(desk.rng(NAME, seed), data, audit_yesterday.TOTALS[seed % 3])[0] for seed in SEEDS
    ]


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    return [drawn(NAME, seed) for seed in SEEDS]


@pytest.mark.wide
def test_some_twenty_acts_of_seven_kinds_and_six_to_nine_flags(audits):
    for audit in audits:
        assert 18 <= len(audit.checked) <= 25
        assert len({each.act.kind for each in audit.checked.values()}) == 7
        assert len(audit.flagged) in range(6, 10)


def test_every_act_is_decided_at_its_own_time_of_yesterday(audits):
    for audit in audits:
        for each in audit.checked.values():
            assert each.act.facts.now == each.act.at
            assert (NOW.date() - each.act.at.date()).days == 1


def test_of_nearly_every_act_something_can_be_overlooked(audits):
    """Each is a decision with a plausible wrong way."""
    for audit in audits:
        assert sum(bool(each.mistakes) for each in audit.checked.values()) >= 18


def test_an_act_is_right_by_a_bulletin_only(audits):
    for audit in audits:
        excused = audit.checked[audit.excused]
        bulletins = [each for each in excused.decision.derivation if each.startswith("B")]
        assert excused.is_right and bulletins
        other = without(bulletins, audit.edition, excused.act.facts)
        assert other.amount != excused.act.done


def test_of_two_acts_that_differ_on_another_page_one_is_right(audits):
    for audit in audits:
        for twin in ("name", "voucher"):
            pair = [each for each in audit.checked.values() if each.act.twin == twin]
            assert sorted(each.is_right for each in pair) == [False, True]


def test_the_totals_are_those_of_the_differences(audits):
    for audit in audits:
        parts = [audit.figure(each) for each in (CUSTOMERS, COMPANY)]
        assert (
            sum(parts)
            == audit.figure(ALL)
            == sum(each.difference for each in audit.flagged.values())
        )
        assert 0 not in parts
        assert audit.answer == audit.figure(audit.total)


def test_who_gave_too_much_lost_it_and_who_took_too_much_did_not(audits):
    for each in (one for audit in audits for one in audit.flagged.values()):
        more = each.act.done - each.due.amount
        assert each.loss == (more if each.act.kind in GIVING else -more)


def test_every_history_begins_with_the_sale(scenarios):
    for rows in (scenario.gold["rows"] for scenario in scenarios):
        for one in rows["bookings"]:
            own = [each for each in rows["history"] if each["reference"] == one["reference"]]
            assert min(own, key=lambda each: each["at"])["entry"] == "Sold"


def test_the_instruction_tells_the_number_alone(scenarios):
    for scenario in scenarios:
        assert str(scenario.gold["ticket"]) in scenario.instruction
        assert not [each for each in scenario.gold["references"] if each in scenario.instruction]


def test_every_kind_of_wrong_end_is_among_the_near_misses(scenarios):
    wanted = {"rule left out", "false flag", "excused act flagged", "one missed", "twins alike"}
    wanted |= {"wrong amount", "another article", "flagged", "answered only"}
    for scenario in scenarios:
        misses = FAMILY.near_misses(scenario, registry.site_data("crm"))
        assert wanted <= {label.partition(":")[0] for label in misses}


def test_the_article_of_what_was_overlooked_will_do_too(audits):
    flagged = [each for audit in audits for each in audit.flagged.values()]
    made = [each for each in flagged if each.act.mistake in OVERLOOKED[each.act.kind]]
    assert made
    for each in made:
        assert OVERLOOKED[each.act.kind][each.act.mistake][0] in each.articles


def test_money_that_was_taken_is_paid_money_of_the_booking(scenarios):
    """Also where somebody else took it, or on another day."""
    for rows in (scenario.gold["rows"] for scenario in scenarios):
        paid = {(each["reference"], each["at"]) for each in rows["payments"]}
        taken = [
            (each["reference"], each["at"])
            for each in rows["history"]
            if re.search(r"; \D*[1-9][^;]* taken", each["entry"])
        ]
        assert taken
        assert {*taken} <= paid


@pytest.mark.wide
def test_any_of_the_accepted_articles_will_do_and_no_other(scenarios):
    for scenario in scenarios:
        for place, accepted in scenario.gold["accepted"].items():
            assert success(scenario, place, accepted[-1])
        assert not success(scenario, next(iter(scenario.gold["accepted"])), "X1")


def success(scenario: Scenario, place: str, article: str) -> bool:
    """Whether all that is right is a success where one flag names this article."""
    world, data = FAMILY.world(scenario), registry.site_data("crm")
    context = ScoringContext.of(scenario, before=world.snapshot())
    audit_yesterday.CHECK.guide.read(scenario, world)
    for each in forms.to_do(scenario):
        named = article if "/".join(each.parts) == place else each.values["flag-article"]
        values = {**each.values, "flag-article": named}
        forms.do(world, data, [forms.Do(each.control, each.parts, values)])
    return context.score(world.snapshot(), scenario.gold["text"]).success


def test_who_guessed_all_of_it_and_read_nothing_has_no_success(scenarios):
    scenario, data = scenarios[0], registry.site_data("crm")
    world = FAMILY.world(scenario)
    context = ScoringContext.of(scenario, before=world.snapshot())
    forms.finish(world, data, scenario)
    score = context.score(world.snapshot(), scenario.gold["text"])
    assert [each.name for each in score.checks if not each.held] == ["evidence"]


def test_no_two_seeds_share_a_ticket():
    assert len({*map(audit_yesterday.CHECK.number_of, range(9000))}) == 9000


def test_a_flag_that_was_taken_back_is_no_flag(scenarios):
    scenario = scenarios[0]
    world, data = FAMILY.world(scenario), registry.site_data("crm")
    context = ScoringContext.of(scenario, before=world.snapshot())
    airline = airlines()[scenario.details["airline"]]
    day = audit_yesterday.CHECK.filed(scenario.seed, airline, data).case
    excused = day.audit.excused
    parts = day.audit.files[excused.file].held.reference, str(day.line(excused))
    values = {"flag-article": "1", "flag-amount": "0"}
    extra = forms.Do("save-flag", parts, values)
    forms.do(world, data, [extra])
    forms.flags.drop_flag(world, extra.reference, int(extra.parts[1]), {})
    answer = FAMILY.solve(scenario, world, data)
    assert context.score(world.snapshot(), answer).success
