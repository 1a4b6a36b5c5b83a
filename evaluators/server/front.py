"""The first page of a served site for people who come without a visit.

A site has pages for visits only. Its root address then says which site it is and offers one task to
try. Anybody may open that task, without a token; to open it again ends the visit before, so that
the site never has more than one. It is a draw like any other, so the control plane shows its
progress; it is not offered if an agent's visits are recorded or if the agent's browser is in the
jail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Flask, Response, redirect, render_template, request

from evaluators.commands import listing
from evaluators.server.authorization import PERSON
from evaluators.server.sessions import OpenScenario, Sessions, TooManyScenarios
from scenarios import registry
from sites.site_app import COOKIE, Refusal, is_prefetch

FAMILIES = {"store": "buy_item", "crm": "TASK_FIND_FLIGHT"}
"""The family of the task to try; other sites offer their first family."""
SEED = 271_828
"""The seed of the task to try, which no suite has."""


@dataclass(frozen=True)
class FrontPage:
    """The first page of a site.

    Attributes:
        site: The site's name.
        sessions: The open scenarios.
        control: The control plane's address for people; "" to keep it from the page.
        tries: Whether the page offers a task to try.
    """

    site: str
    sessions: Sessions
    control: str
    tries: bool

    def mount(self, app: Flask) -> None:
        """Add the page to the site's application before it is served."""
        front = Blueprint("front", __name__, "static", "/front", template_folder="templates/front")
        front.after_app_request(self._answer)
        if self.tries:
            front.post("/try")(self._try)
        app.register_blueprint(front)
        app.jinja_env.globals["control"] = self.control  # for a site with a first page of its own

    def _answer(self, response: Response) -> Response:
        """Put the page in place of the site's refusal of a visitor without a visit."""
        if response.status_code != 404 or not _is_without_visit():
            return response
        about = {row["site"]: row["about"] for row in listing.rows("sites")}
        name, _, more = about[self.site].partition(":")
        task = self._scenario().instruction if self.tries else ""
        page = render_template(
            "front.html", name=name, about=more.strip(), task=task, control=self.control
        )
        return Response(page, mimetype="text/html")

    def _try(self) -> Any:
        """Open the task to try, and lead to it."""
        if request.headers.get("Sec-Fetch-Site") not in PERSON | {None} or is_prefetch():
            raise Refusal(403, "Another page sent you here; press the button on the first page.")
        try:
            return redirect(self._open().url, 303)
        except TooManyScenarios as problem:
            raise Refusal(503, str(problem)) from None

    def _open(self) -> OpenScenario:
        scenario = self._scenario()
        return self.sessions.draw(
            self.site, scenario.family, scenario.seed, visit=f"try-{self.site}"
        )

    def _scenario(self) -> Any:
        families = [family for _, family in self.sessions.families(self.site)]
        family = FAMILIES.get(self.site, families[0])
        limit = registry.seeds_of(family, self.site)
        seed = SEED if limit is None else limit.stop - 1
        return registry.scenario(f"{self.site}/{family}/{seed}")


def _is_without_visit() -> bool:
    """Return whether the visitor asks for the root address and has no visit."""
    asks = request.method in {"GET", "HEAD"} and request.path == "/"
    return asks and not request.cookies.get(COOKIE) and "scenario" not in request.args
