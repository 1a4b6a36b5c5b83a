"""The store for clients of WebShop's web application ("WebShop", Yao et al. 2022).

Such clients rely on two addresses in addition to the store's pages. `/fixed_<n>` opens the goal
with that number, without a draw or a token. `GET /done/<session>/<asin>/<options>` buys, and its
page shows the published reward. A tree search buys many times in a session, so each purchase is
scored alone, on a start world of its own. The first purchase also counts for the session, whose
score the control plane shows at `/evaluate?scenario=<session>`.

Anyone who reaches the site can read scores without a token: evaluations say so (`compat`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Flask, render_template, request

from evaluators.integrations import webshop_goals
from evaluators.run.catalogues import GOAL_FAMILY
from evaluators.scoring.context import ScoringContext
from evaluators.server.app import current_sessions
from evaluators.server.sessions import OpenScenario, Sessions
from scenarios import registry
from sites.site_app import Refusal, enter
from sites.store.catalogue.product import Product
from sites.store.shop import operations
from sites.store.shop.requests import read_options, stock_of
from sites.world import World

SITE = "store"
PORT = 3000
"""The port of WebShop's own application."""
WARNING = (
    "Whoever buys in the store is told the score, and may buy again; sessions named fixed_0,"
    " fixed_1, … are its goals. Say so where you report results that were made with it."
)
_PURCHASES = ("pages.done", "pages.buy")

purchases = Blueprint("webshop", __name__, template_folder="templates/webshop")


def mount(app: Flask, sessions: Sessions) -> None:
    """Let the store's application show scores to WebShop's clients; call this before it is
    served.
    """
    app.extensions["sessions"] = sessions
    app.register_blueprint(purchases)


def open_goal(session: str) -> World:
    """Open WebShop's goal that a new session names, and return the session's database.

    Raises:
        Refusal: No such goal (404).
    """
    try:
        goal = webshop_goals.named(session)
    except webshop_goals.NoSuchGoal as problem:
        raise Refusal(404, f"{str(problem).capitalize()}.") from None
    family = registry.family(GOAL_FAMILY)
    scenario = family.generate(goal, registry.site_data(SITE))
    world = family.world(scenario)
    world.session = session
    url = f"{request.host_url}{session}"
    current_sessions().add(OpenScenario(session, scenario, world, url, unseen=False, compat=True))
    return world


@purchases.before_app_request
def tell_score() -> str | None:
    """Carry out a purchase by a client of WebShop and return the page with the score.

    Return None for any other request. A form of the store's own page is left to the store, which
    leads on to `/done`.
    """
    if request.endpoint not in _PURCHASES or "csrf" in request.form:
        return None
    asked: Mapping[str, Any] = request.view_args or {}
    world = enter(asked["session"])
    opened = current_sessions().named(world.session)
    if opened is None:
        return None
    item = operations.sold(stock_of(world), asked["asin"])
    options = read_options(asked["options"])
    page = _scored_alone(opened, item, options)
    with world.lock:  # only one of two simultaneous purchases is the first
        if not operations.purchase_count(world):
            operations.buy(world, item, options)
    return page


def _scored_alone(opened: OpenScenario, item: Product, options: Mapping[str, str]) -> str:
    """Return the page with WebShop's published reward of this purchase, as if it were the only
    one.
    """
    family = registry.family(GOAL_FAMILY)
    context = ScoringContext.of(opened.scenario, family, opened.before)
    with family.world(opened.scenario) as bought:
        purchase = operations.buy(bought, item, options)
        reward = context.score(bought.snapshot()).reward
    return render_template("score.html", product=item, purchase=purchase, score=reward)
