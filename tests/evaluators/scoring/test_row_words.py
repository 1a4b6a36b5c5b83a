"""The rows of the desk in words."""

from __future__ import annotations

from evaluators.scoring.scorers.crm import row_words
from evaluators.scoring.scorers.crm.row_words import RowWords
from sites.crm.base.row_changes import by_key
from sites.crm.base.row_names import made
from tests.each import for_each
from tests.evaluators.scoring.booking_rows import (
    edited,
    fee,
    passenger,
    payment,
    refund,
    seat,
    snapshot,
    with_rows,
)

START = snapshot()


def sides(wanted, own):
    """What was found and wanted between two ends, at every place that either changes."""
    words = RowWords(by_key(START), by_key(own), {})
    return words.sides(made(START, wanted), made(START, own))


def test_the_value_of_a_row_stands_beside_the_wanted_one():
    right, own = (edited(START, "segments", 0, date=day) for day in ("2026-06-07", "2026-06-06"))
    found, wanted = sides(right, own)
    assert found.endswith("of booking KQ7XBM: 6 June 2026")
    assert wanted.endswith("of booking KQ7XBM: 7 June 2026")


def test_what_was_not_changed_is_found_as_it_was():
    found, wanted = sides(edited(START, "passengers", 1, last_name="Lunde"), START)
    was = START["passengers"][1]["last_name"]
    assert found.endswith(f"in booking KQ7XBM: last name {was}")
    assert wanted.endswith("in booking KQ7XBM: last name Lunde")


def test_a_new_row_is_named_by_its_person_and_its_payment():
    after = with_rows(
        START,
        passengers=[passenger("KQ7XBM", 3, "NORA", "Berg", kind="child", born="2016-05-01")],
        seats=[seat("KQ7XBM", 3, "15A")],
        payments=[payment("KQ7XBM", 9, 80, "voucher", "V1")],
        refunds=[refund("KQ7XBM", 2, 9, 5)],
        fees=[fee("KQ7XBM", 1, "change", 40, 3)],
    )
    found, wanted = sides(START, after)
    for part in (
        "Nora Berg in booking KQ7XBM: ",
        "born 1 May 2016",
        "seat of Nora Berg on ",
        "payment by voucher V1 for booking KQ7XBM: $80",
        "refund of the payment by voucher V1 for booking KQ7XBM: $5",
        "change fee of Nora Berg in booking KQ7XBM: $40",
    ):
        assert part in found, found
    assert wanted.count(row_words.NOT_MADE) == found.count("; ") + 1


@for_each(
    ("key", "expected"),
    [
        (
            ("bags", "new-2/paul/richards/return"),
            "return bags of Paul Richards in the new booking 2",
        ),
        (("bookings", "new"), "the new booking"),
        (("vouchers", "new/ann/lee"), "voucher for Ann Lee"),
        (("customers", "new/ann/lee"), "customer Ann Lee"),
        (("replies", "4718/a@b.example"), "mail to a@b.example on ticket 4718"),
        (("flags", "KQ7XBM/3 (2)"), "flag on line 3 of the history of booking KQ7XBM, number 2"),
    ],
)
def test_a_key_is_a_sentence(key, expected):
    assert RowWords({}, {}, {}).row(*key) == expected


def test_a_page_is_its_screen_and_its_subject():
    assert row_words.page("people", "name=phillips 1/2") == "people name phillips, page 1 of 2"
    assert row_words.page("flight", "KW4300 2026-01-16 1/1") == (
        "flight KW4300 16 January 2026, page 1 of 1"
    )
