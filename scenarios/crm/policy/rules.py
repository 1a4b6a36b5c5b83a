"""The rules of the handbook by the number of their article, one function for each rule.

A rule gets the edition (with the bulletins that apply), the facts, and a function that returns the
findings of other rules. It returns None if it does not apply to the facts.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenarios.crm.policy import asking, changing, giving_back, travelling
from scenarios.crm.policy.findings import Rule

RULES: Mapping[str, Rule] = {
    "1": giving_back.second_thoughts,
    "2": giving_back.fare_gives_back,
    "3": giving_back.part_used,
    "4": giving_back.back_to_the_source,
    "5": giving_back.cover,
    "6": giving_back.we_changed_it,
    "7": giving_back.missed,
    "8": changing.death_in_the_family,
    "9": changing.change_fee,
    "10": changing.same_day,
    "11": changing.fare_difference,
    "12": changing.connections,
    "13": changing.no_way_round,
    "14": asking.first_things_first,
    "15": travelling.rerouting,
    "16": travelling.compensation,
    "17": travelling.no_compensation,
    "18": travelling.care,
    "19": travelling.names,
    "20": travelling.children,
    "21": travelling.seats,
    "22": travelling.bags,
    "23": asking.vouchers,
    "24": asking.who_may_ask,
    "25": asking.limits,
}
