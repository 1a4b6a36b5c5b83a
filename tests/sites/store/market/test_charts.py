"""Size charts: rows and notes of every brand, and the rules by which they are read."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.store.market import wishes
from sites.store import create_app, load_data, new_world
from sites.store.market.goods import bank, charts
from sites.store.market.goods.bank import MeasuredFact
from sites.store.market.goods.charts import SIZE, Chart, Note
from sites.store.market.goods.goods import goods
from sites.store.market.goods.units import CONVENTIONS
from sites.store.shop.address import Visit
from sites.world import Worlds
from tests.sites.store.market.test_banks import stems

WORN = [kind for kind in bank.kinds().values() if charts.is_worn(kind.name)]
MEASURED = [kind for kind in bank.kinds().values() if not charts.is_worn(kind.name)]
BRANDS = [
    (kind.name, brand, convention)
    for kind in WORN
    for convention in CONVENTIONS
    for brand in bank.shared()[f"{convention}_brands"]
]
NOTES = [
    Note("larger", 0, ""),
    Note("smaller", 0, ""),
    Note("larger", 1, ""),
    Note("smaller", 1, ""),
]

brands = st.sampled_from(BRANDS).map(lambda each: charts.chart(*each))


def plain(note: Note) -> Chart:
    """Sizes 1 to 4, of 10 to 40 cm."""
    rows = tuple((str(size), 10.0 * size) for size in range(1, 5))
    return Chart("Size chart", "Size", "Chest", "cm", rows, note)


@pytest.mark.parametrize(
    ("cm", "padded", "sizes"),
    [
        (24.0, False, ["3", "2", "3", "2"]),
        (24.0, True, ["3", "2", "4", "3"]),
        (20.0, False, ["2", "2", "2", "2"]),
        (20.0, True, ["2", "2", "3", "3"]),
        (34.0, True, ["4", "3", "", "4"]),
        (10.0, False, ["1", "1", "1", "1"]),
        (40.0, False, ["4", "4", "4", "4"]),
        (9.9, False, ["", "", "", ""]),
        (40.1, False, ["", "", "", ""]),
    ],
)
def test_the_note_tells_the_size(cm: float, padded: bool, sizes: list[str]) -> None:
    assert [plain(note).size(cm, padded) for note in NOTES] == sizes


def test_inches_are_compared_with_inches() -> None:
    chart = replace(plain(NOTES[0]), unit="in")
    assert chart.size(24.0 * 2.54, padded=False) == "3"
    assert chart.size(24.0, padded=False) == "", "24 cm are less than 10 in"


@given(brands, st.data(), st.booleans(), st.floats(0.25, 0.75))
def test_a_body_made_for_a_size_takes_it(
    chart: Chart, data: st.DataObject, padded: bool, share: float
) -> None:
    size = data.draw(st.sampled_from([name for name, _ in chart.rows]))
    cm = chart.body(size, padded, share)
    assert not cm or chart.size(cm, padded) == size


@given(brands, st.floats(10, 140), st.floats(0, 20), st.booleans())
def test_a_larger_body_never_takes_a_smaller_size(
    chart: Chart, cm: float, more: float, padded: bool
) -> None:
    sizes = [name for name, _ in chart.rows]
    one, other = chart.size(cm, padded), chart.size(cm + more, padded)
    assert not one or not other or sizes.index(one) <= sizes.index(other)


@given(brands, st.floats(10, 140))
def test_the_two_notes_are_one_row_apart_between_rows(chart: Chart, cm: float) -> None:
    sizes = [name for name, _ in chart.rows]
    larger, smaller = chart.read(cm, "larger", 0), chart.read(cm, "smaller", 0)
    assert bool(larger) == bool(smaller)
    if larger and not chart.is_near(cm):
        assert sizes.index(larger) - sizes.index(smaller) == 1


@given(brands, st.floats(10, 140), st.booleans(), st.sampled_from([-1, 1]))
def test_rounding_never_decides_a_size(chart: Chart, cm: float, padded: bool, way: int) -> None:
    """A conversion to the chart's unit may be rounded to its decimals, one place fewer for
    inches."""
    if not chart.is_near(cm):
        off = 0.05 if chart.unit == "cm" else 0.005 * 2.54
        assert chart.size(cm + way * off, padded) == chart.size(cm, padded)


@pytest.mark.parametrize(("kind", "brand", "convention"), BRANDS)
def test_rows_rise_and_are_written_as_they_are_read(kind: str, brand: str, convention: str) -> None:
    chart = charts.chart(kind, brand, convention)
    assert all(low < high for (_, low), (_, high) in itertools.pairwise(chart.rows))
    assert [float(text.split()[0]) for _, text in chart.shown] == [x for _, x in chart.rows]
    assert "{" not in chart.note.text


def test_brands_differ_and_each_note_is_used() -> None:
    for kind, convention in itertools.product(WORN, CONVENTIONS):
        own = [charts.chart(*each) for each in BRANDS if each[::2] == (kind.name, convention)]
        assert len({chart.rows for chart in own}) > len(own) / 2
        assert {chart.note.between for chart in own} == {"larger", "smaller"}
        assert {chart.note.padded for chart in own} == {0, 1}


def test_what_is_worn_is_sold_in_sizes_of_its_chart_and_nothing_else_is() -> None:
    for good in goods().values():
        assert (SIZE in good.options) == charts.is_worn(good.kind.name)
        if SIZE in good.options:
            chart = charts.chart(good.kind.name, good.brand, good.convention)
            sizes = [name for name, _ in chart.rows]
            assert len(sizes) > len(good.options[SIZE]) > len(sizes) / 2
            assert [each for each in sizes if each in good.options[SIZE]] == [*good.options[SIZE]]


@pytest.mark.parametrize("kind", MEASURED, ids=lambda kind: kind.name)
def test_every_other_kind_has_a_rule_of_fit(kind: bank.Kind) -> None:
    assert charts.fits(kind.name)
    for rule in charts.fits(kind.name):
        fact = kind.facts[rule.fact]
        assert isinstance(fact, MeasuredFact) and fact.unit.other
        assert rule.form in (wishes.MOST, wishes.LEAST)
        texts = list(itertools.chain(*rule.wish.values()))
        assert all(text.count("{gap}") == text.count("{air}") == 1 for text in texts)
        shared = [
            (text, both)
            for text in texts
            if (
                both := stems(text.format(gap="", air=""))
                & stems(*fact.labels, fact.page, fact.answer)
            )
        ]
        assert not shared


@pytest.mark.parametrize("kind", WORN, ids=lambda kind: kind.name)
def test_bodies_are_told_in_words_of_their_own(kind: bank.Kind) -> None:
    worn = charts.measures()["worn"][kind.name]
    for texts in worn["wish"].values():
        assert not [text for text in texts if stems(text) & stems(worn["measure"])]
        assert all("{x}" in text for text in texts)


@given(st.sampled_from([rule for kind in MEASURED for rule in charts.fits(kind.name)]),
       st.floats(20, 200), st.floats(0.1, 5))  # fmt: skip
def test_a_rule_of_fit_is_a_sum_and_back(rule: charts.Fit, gap: float, air: float) -> None:
    bound = rule.bound(gap, air)
    assert (bound < gap) == (rule.form == wishes.MOST)
    assert rule.gap(bound, air) == pytest.approx(gap)


def test_a_chart_stands_on_the_description_of_what_is_worn_only() -> None:
    data, worlds = load_data(), Worlds()
    worlds.publish(new_world("s", "", stock="market"))
    worlds.publish(new_world("webshop", ""))
    client = create_app(data, worlds).test_client()
    for kind in (WORN[0], MEASURED[0]):
        good = next(each for each in goods().values() if each.kind is kind)
        html = client.get(Visit("s").sub_page(good.asin, "Description", {})).text
        assert ("Size chart" in html) == (kind is WORN[0])
        assert "Size chart" not in client.get(Visit("s").item(good.asin, {})).text
    asin = data.hits("shoes")[0]
    assert "chart" not in client.get(Visit("webshop").sub_page(asin, "Description", {})).text
