"""Distracting values in a request, which belong to other people or to another year."""

from __future__ import annotations

from random import Random

from scenarios.crm.airline_desk import dates
from sites.crm import CrmData


def decoys(rng: Random, data: CrmData) -> dict[str, object]:
    """Draw a city, day, price and flight number that the task is not about, for a misleading remark
    in the request.
    """
    city = rng.choice([each.city for each in data.airports.values()])
    day = dates.plain(dates.FIRST.replace(month=rng.randint(1, 12), day=rng.randint(1, 28)))
    flight = f"{rng.choice(('XB', 'ZN', 'QV'))}{rng.randrange(1000, 9999)}"
    return {"city": city, "day": day, "price": rng.randrange(90, 900), "flight": flight}
