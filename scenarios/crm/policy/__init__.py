"""The rules of the airline desk's handbook as code: they decide how to treat a customer's request.

The site does not import this package. The articles that the site shows state the same rules, with
the numbers of the same edition (`sites.crm.airline_desk.handbook`).
"""

from scenarios.crm.policy.asking import vouchers as payable
from scenarios.crm.policy.changing import least_waiting
from scenarios.crm.policy.decision import Decision
from scenarios.crm.policy.engine import counting, decide, limit, without
from scenarios.crm.policy.rules import RULES
from scenarios.crm.policy.several import decide_all, without_all
from scenarios.crm.policy.together import Both, both_without, decide_both
from scenarios.crm.policy.travelling import letters_wrong
from scenarios.crm.policy.ways import seated

__all__ = [
    "RULES",
    "Both",
    "Decision",
    "both_without",
    "counting",
    "decide",
    "decide_all",
    "decide_both",
    "least_waiting",
    "letters_wrong",
    "limit",
    "payable",
    "seated",
    "without",
    "without_all",
]
