"""The pages of a site for a client of WebArena that has no visit yet.

Such a client logs in before it opens the start address of a task. So each site has a first page
with a link to log in, a form with the labels that the client looks for, and the pages by which the
client finds out whether it is still logged in. A login means nothing: the visit's own user is
signed in once the start address is open. The login also works during a visit, which it leaves as it
is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, make_response, redirect, render_template, request

from evaluators.integrations.webarena.kinds import Account, Kind, SignIn
from evaluators.integrations.webarena.tasks import FAILURE, SUCCESS, VERDICT
from evaluators.server.exported_visits import ExportedVisits
from sites.site_app import Refusal, is_prefetch, kept_world

PAGES = Path(__file__).parent / "webarena_pages"
"""The folder of an application that has only such pages."""
COOKIE = "signed-in"
WRONG = "This name and this password do not belong together. Try others."
NOT_YET = "This page is made when somebody opens it, not before."


def blueprint() -> Blueprint:
    """Return a blueprint with the templates and the style sheet of these pages."""
    folder = PAGES / "templates"
    return Blueprint("lobby", __name__, "static", "/front", template_folder=str(folder))


@dataclass(frozen=True)
class Lobby:
    """The pages of a site without a visit, and the addresses that begin and end visits.

    Attributes:
        kind: The kind of the site.
        visits: The visits of the exported tasks; None for a site that has none.
    """

    kind: Kind
    visits: ExportedVisits | None = None

    def mount(self, app: Flask) -> None:
        """Add the pages to the site's application before it is served."""
        pages = blueprint()
        pages.before_app_request(self._answer)
        app.register_blueprint(pages)

    def _answer(self) -> Any:
        """Answer a request for one of these pages; return None for any other request."""
        if self.visits and request.path.startswith(self._verdicts):
            return self._verdict(self.visits)
        if self.visits and self.visits.is_start(request.args.get("scenario")):
            return self._begin(self.visits)
        form = self.kind.sign_in
        has_visit = "scenario" in request.args or kept_world()
        if has_visit and _same(request.path, self._first):
            return None
        if form and _same(request.path, form.path):
            return self._sign_in(form)
        return None if has_visit else self._without_visit()

    def _begin(self, visits: ExportedVisits) -> Any:
        """Open a task, and lead to its first page."""
        _check_opened()
        return redirect(visits.begin(request.args["scenario"], self.kind.site), 303)

    def _verdict(self, visits: ExportedVisits) -> str:
        """End a visit, and show the verdict once."""
        _check_opened()
        is_right = visits.end(request.path.removeprefix(self._verdicts))
        return render_template(
            "lobby/verdict.html", id=VERDICT, word=SUCCESS if is_right else FAILURE
        )

    def _sign_in(self, form: SignIn) -> Any:
        """Show the form, or take it."""
        if request.method != "POST":
            return render_template("lobby/sign_in.html", kind=self.kind, form=form, error="")
        if Account(request.form.get("user", ""), request.form.get("password", "")) != form.account:
            return render_template(
                "lobby/sign_in.html", kind=self.kind, form=form, error=WRONG
            ), 401
        answer = make_response(redirect(self._after_sign_in, 303))
        answer.set_cookie(self._cookie, form.account.user, httponly=True, samesite="Lax")
        return answer

    def _without_visit(self) -> Response | str | None:
        """Show a page to a visitor without a visit."""
        path, (page, word) = request.path, self.kind.signed_in
        if request.method not in {"GET", "HEAD"}:
            return None
        if path == page and self.kind.sign_in:
            if not self._is_signed_in:
                return make_response(redirect(self.kind.sign_in.path, 303))
            return self._page(word)
        return self._page("") if _same(path, self._first) else None

    def _page(self, word: str) -> str:
        return render_template(
            "lobby/lobby.html", kind=self.kind, word=word, is_signed_in=self._is_signed_in
        )

    @property
    def _first(self) -> str:
        """The path of the first page."""
        return self.kind.base or "/"

    @property
    def _verdicts(self) -> str:
        """The beginning of the paths of the verdicts."""
        return f"{self.kind.base}/{VERDICT}/"

    @property
    def _after_sign_in(self) -> str:
        """The page after the form: the first page, unless that is the form."""
        form = self.kind.sign_in
        if form and _same(self._first, form.path):
            return self.kind.signed_in[0]
        return self._first

    @property
    def _is_signed_in(self) -> bool:
        return self._cookie in request.cookies

    @property
    def _cookie(self) -> str:
        """The name of the cookie of the login; browsers send a cookie to every port."""
        return f"{COOKIE}-{self.kind.name}"


def _check_opened() -> None:
    """Raise `Refusal` unless somebody opens the page to look at it."""
    if request.method != "GET" or is_prefetch():
        raise Refusal(403, NOT_YET)


def _same(path: str, other: str) -> bool:
    """Return whether two paths differ at most in a slash at the end."""
    return path.rstrip("/") == other.rstrip("/")
