"""Leave a report over a span of days open."""

from scenarios.admin._settings import some_span
from scenarios.kit import Draw, Family, Right
from sites.admin.reports import PERIODS

WORDINGS = (
    "Create the {report} {span}, by {period}.",
    "Let me see the {report} {span}. Its period is the {period}.",
    "I need the {report} on the screen {span}; choose {period} as the period.",
    "Generate the {report}, with the period {period}, {span}.",
)
REPORTS = {
    "orders report": "report_orders",
    "tax report": "report_tax",
    "shipping report": "report_shipping",
    "refunds report": "report_refunds",
    "coupons report": "report_coupons",
    "product views report": "report_views",
    "bestsellers report": "report_bestsellers",
}


def draw(d: Draw) -> Right:
    """Draw a report, a span and the length of its rows' spans."""
    report, period = d.some([*REPORTS]), d.some([*PERIODS])
    words, first, last = some_span(d)
    span = {"since": first.isoformat(), "until": last.isoformat()}
    end = d.page(REPORTS[report], period=period, **span)
    return Right({"report": report, "span": words, "period": period}, end=end)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:268", "webarena:271"))
