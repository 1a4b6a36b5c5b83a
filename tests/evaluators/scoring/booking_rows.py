"""Snapshots of a desk of level 2, made by hand: one booking with two people, and its namesake."""

from __future__ import annotations

import copy
import json
from itertools import pairwise

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.scorers.crm import row_overlap
from scenarios.scenario import Scenario
from sites.crm.base.row_changes import changed

FLIGHT, DAY = "LW2041", "2026-03-13"


def snapshot(**tables):
    """The start: bookings KQ7XBM (Ada, Bo, paid by card 4242) and ZZ9YYY (Ada again)."""
    start = {
        "customers": [{"number": 1, "first_name": "Ada", "last_name": "Lund", "tier": "Blue"}],
        "bookings": [booking("KQ7XBM"), booking("ZZ9YYY")],
        "segments": [segment("KQ7XBM"), segment("ZZ9YYY")],
        "passengers": [
            passenger("KQ7XBM", 1, "Ada", "Lund"),
            passenger("KQ7XBM", 2, "Bo", "Lund"),
            passenger("ZZ9YYY", 1, "Ada", "Lund"),
        ],
        "seats": [seat("KQ7XBM", 1, "14C")],
        "bags": [],
        "payments": [payment("KQ7XBM", 7, 300), payment("ZZ9YYY", 8, 120)],
        "refunds": [],
        "vouchers": [{"code": "V1", "customer": 1, "balance": 50, "expires": "2026-06-01"}],
        "fees": [],
        "notes": [],
        "history": [{"number": 1, "reference": "KQ7XBM", "at": "t", "entry": "sold"}],
        "checkins": [],
        "log_pages": [],
        "log_drafts": [],
        "log_commits": [],
    }
    return copy.deepcopy(start | tables)


def booking(reference, status="confirmed", customer=1, brand="classic"):
    row = {"reference": reference, "status": status, "customer": customer}
    return row | {"brand": brand, "bought": "2026-01-02T10:00"}


def segment(reference, direction="outward", place=1, flight=FLIGHT, date=DAY):
    row = {"reference": reference, "direction": direction, "place": place}
    return row | {"flight": flight, "date": date}


def passenger(reference, number, first, last, **more):
    row = {"reference": reference, "number": number, "kind": "adult", "title": "Ms"}
    row |= {"first_name": first, "last_name": last, "gender": "female", "born": "1980-01-01"}
    return row | {"adult": None} | more


def seat(reference, number, code, flight=FLIGHT, date=DAY):
    row = {"reference": reference, "passenger": number, "flight": flight, "date": date}
    return row | {"seat": code}


def bag(reference, number, pieces, direction="outward"):
    row = {"reference": reference, "passenger": number, "direction": direction}
    return row | {"pieces": pieces}


def payment(reference, number, amount, method="card", source="4242"):
    row = {"number": number, "reference": reference, "at": "2026-01-15T12:00"}
    return row | {"method": method, "source": source, "amount": amount}


def refund(reference, number, of, amount):
    return {"number": number, "reference": reference, "payment": of, "amount": amount}


def fee(reference, number, kind, amount, passenger=None):
    row = {"number": number, "reference": reference, "kind": kind}
    return row | {"passenger": passenger, "amount": amount}


def with_rows(start, **tables):
    """The snapshot with these rows added."""
    added = {name: [*start.get(name, []), *rows] for name, rows in tables.items()}
    return copy.deepcopy(start | added)


def edited(start, table, place, **columns):
    """The snapshot with columns of one row changed."""
    after = copy.deepcopy(start)
    after[table][place] |= columns
    return after


def without(start, table, place):
    after = copy.deepcopy(start)
    del after[table][place]
    return after


def journal(*snapshots):
    """The commits that led from each of the snapshots to the next."""
    return [
        {
            "id": number,
            "control": "save",
            "screen": "booking",
            "subject": "KQ7XBM",
            "submitted": "{}",
            "recorded": json.dumps({"changes": changed(*step)}),
            "errors": None,
        }
        for number, step in enumerate(pairwise(snapshots), start=100)
    ]


def pages(*opened):
    return [
        {"id": number, "screen": screen, "subject": subject, "address": "/"}
        for number, (screen, subject) in enumerate(opened, start=1)
    ]


def scored(gold, before, after, answer=""):
    """The score of row_overlap for this gold, which goes through JSON as a record's does."""
    kept = json.loads(json.dumps(gold))
    scenario = Scenario("crm", "by hand", 1, "Do it", "/", {}, kept)
    context = ScoringContext(scenario, row_overlap, before, None)
    made = row_overlap.score(context, after, answer)
    json.dumps(made.to_json())
    return made


def failed(score):
    return [check.name for check in score.checks if not check.held]
