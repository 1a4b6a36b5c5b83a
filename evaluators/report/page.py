"""The page itself: templates, the data that its script reads, and the policy that guards it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from evaluators import recall, records
from evaluators.report import episodes, figures, lengths
from evaluators.report.reading import Run
from evaluators.report.texts import Texts, visible

TEMPLATES = Path(__file__).parent / "templates"


def html(run: Run) -> bytes:
    """The report of a run, in UTF-8."""
    script, style = _asset("report.js"), _asset("report.css")
    page = _environment().get_template("report.html")
    shown = page.render(
        **_overview(run), **_blocks(run), policy=_policy(script, style), script=script, style=style
    )
    return shown.encode("utf-8")


def _overview(run: Run) -> dict[str, Any]:
    rows = [episodes.row(each) for each in run.episodes]
    families = {(each["site"], each["family"]) for each in run.records}
    return {
        "about": run.about,
        "name": str(run.about.get("run") or run.folder.name),
        "facts": figures.facts(run),
        "groups": _groups(run, "site"),
        "by_family": _groups(run, "family") if len(families) > 1 else [],
        "evidences": lengths.evidences(run.records),
        "recalls": recall.recalls(run.records),
        "simulation": figures.simulation(run),
        "rows": rows,
        "endings": sorted(Counter(each.ended for each in rows if each.ended != "answered")),
        "infra": [each for each in rows if each.ended == records.INFRA],
        "unreadable": [each for each in rows if each.ended == episodes.UNREADABLE],
        "missing": max(0, (figures.planned(run.about) or 0) - len(rows)),
        "trials": any(each.trial for each in rows),
    }


def _groups(run: Run, by: str) -> list[figures.Group]:
    return figures.groups(records.summary(run.folder.name, run.records, by)["rows"])


def _blocks(run: Run) -> dict[str, Any]:
    """A JSON text for each episode, in the order of the rows, and one for all long texts."""
    texts = Texts()
    config = run.about.get("config") or {}
    blocks = [_block(episodes.view(each, config, texts)) for each in run.episodes]
    return {"blocks": blocks, "texts": _block(texts.table())}


def _block(value: Any) -> Markup:
    """JSON that may stand in a script element: nothing in it ends the element or opens a comment.

    Pure ASCII, so that line separators and the like are escaped too.
    """
    text = json.dumps(_visible(value), separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 (escaped above)


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(str(name)): _visible(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_visible(each) for each in value]
    return _visible(asdict(value)) if is_dataclass(value) else value  # type: ignore[arg-type]


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    made.filters.update(number=_number, money=_money, date=figures.date, note=figures.infra_note)
    return made


def _finalize(value: Any) -> Any:
    """Every text that a template puts into the page goes through here."""
    plain = isinstance(value, str) and not isinstance(value, Markup)
    return visible(value) if plain else value


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _money(value: float | None) -> str:
    if value is None:
        return "unknown"
    return f"${value:.2f}" if value >= 0.01 or not value else f"${value:.4f}"


def _asset(name: str) -> Markup:
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704 (a file of ours)


def _policy(script: str, style: str) -> str:
    """Nothing may be loaded, sent or run but this script and this style."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'",
            f"style-src '{_digest(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
