"""The report's page: its templates, the data for its script, its content security policy."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from evaluators.analysis import answerers, dollars, floor, offline, reliability, retrieval
from evaluators.analysis.summary import summary
from evaluators.records.models import INFRA, SummaryRow
from evaluators.records.run_plan import RunPlan
from evaluators.report import (
    beside_published,
    budget_curves,
    calibrated,
    columns,
    context_curves,
    curves,
    episodes,
    faults,
    figures,
    input_tokens,
    lead,
    lengths,
    pictures,
    plans,
    profiles,
    progress_curves,
    reliable,
    spending,
    stacks,
)
from evaluators.report.loading import Run
from evaluators.report.pictures import NO_ALBUMS, Albums
from evaluators.report.simulated import SITES
from evaluators.report.texts import BUDGET, Texts, visible

TEMPLATES = Path(__file__).parent / "templates"
LARGEST, LEAST = 18_000_000, 1_000_000
"""The largest size of the report's episodes and texts, and the least size left for texts, in bytes.

Beyond the first, texts are cut.
"""
STYLES = (
    *("report.css", "charts.css", "drawings.css", "episode.css"),
    *("pictures.css", "beside.css", "published.css", "media.css"),
)
SCRIPTS = ("texts.js", "pictures.js", "steps.js", "episode.js", "beside.js", "list.js", "report.js")
"""The names of the JavaScript files that make up the page's script, in this order."""


def html(run: Run, albums: Albums = NO_ALBUMS, paper: str = "") -> bytes:
    """Return the report of a run as HTML in UTF-8, with the pictures of episodes that have some.

    Args:
        run: The run.
        albums: The pictures of its episodes.
        paper: The paper beside whose figures the run is drawn; "" for none.
    """
    script, style, images = _script(), _joined(STYLES), pictures.sources(run.folder, albums)
    page = _environment().get_template("report.html")
    text = page.render(
        **_overview(run, albums),
        **_blocks(run, albums),
        beside=beside_published.beside(run.records, paper) if paper else [],
        paper=paper,
        pictures={
            number: _block(images[each.place])
            for number, each in enumerate(run.episodes)
            if each.place in images
        },
        policy=_policy(script, style, images.values()),
        script=script,
        style=style,
    )
    return text.encode("utf-8")


def _overview(run: Run, albums: Albums) -> dict[str, Any]:
    rows = [episodes.row(each, pictured=each.place in albums) for each in run.episodes]
    families = {(each.site, each.family) for each in run.records}
    by_site = summary(run.folder.name, run.records).rows
    budgets = budget_curves.budget_curves(run.records)
    return {
        "manifest": run.manifest,
        "settings": figures.settings(run.manifest),
        "name": run.manifest.run or run.folder.name,
        "facts": figures.facts(run),
        "by_site": figures.table(by_site),
        "leads": lead.leads(by_site, budgets),
        "answered": answerers.sentences(by_site),
        "notes": [*floor.notes(by_site), *offline.notes(by_site)],
        "sites": {row.site: SITES[row.site] for row in by_site if row.site in SITES},
        "by_family": _by_family(run) if len(families) > 1 else None,
        "budgets": budgets,
        "contexts": context_curves.context_curves(run.records),
        "calibration": calibrated.calibration_charts(run.records),
        "repeated": reliable.repeated(run.episodes),
        "variants": reliability.spreads(run.records),
        "safeties": [row for row in by_site if row.safety],
        "evidences": lengths.evidences(run.records),
        "recalls": retrieval.retrieval_stats(run.records),
        "plans": plans.plans(run.records),
        "stacks": stacks.stacks(run.episodes),
        "curves": curves.curves(run.records),
        "profiles": profiles.site_profiles(run.records),
        "skills": profiles.ABOUT,
        "progress": progress_curves.progress_charts(run.records),
        "inputs": input_tokens.spreads(run.records),
        "spendings": spending.spendings(run.records),
        "simulation": figures.simulation(run),
        "rows": rows,
        "agents": sorted({each.agent for each in rows}),
        "families": sorted({each.family for each in rows if each.family}),
        "endings": sorted({each.ended for each in rows}),
        "faults": faults.faults(run.records),
        "infra": [each for each in rows if each.ended == INFRA],
        "unreadable": [each for each in rows if each.ended == episodes.UNREADABLE],
        "left": figures.left(run),
        "trials": any(each.trial for each in rows),
    }


def _by_family(run: Run) -> figures.SummaryTable:
    return figures.table(summary(run.folder.name, run.records, "family").rows, "family")


def _blocks(run: Run, albums: Albums) -> dict[str, Any]:
    """Return the JSON texts for the page's script: one for each episode, in the order of the list,
    and one for all long texts.
    """
    texts = Texts()
    plan = RunPlan(run.manifest)
    views = (episodes.view(each, plan, texts) for each in run.episodes)
    blocks = [
        _block(view | pictures.shown(each, albums))
        for view, each in zip(views, run.episodes, strict=True)
    ]
    searched = _block([episodes.row(each).searched for each in run.episodes])
    left = LARGEST - sum(map(len, blocks)) - len(searched)
    table = texts.table(max(LEAST, min(BUDGET, left)))
    heads = _block(dict(columns.DRAWN))
    return {"blocks": blocks, "searched": searched, "texts": _block(table), "drawn_heads": heads}


def _block(value: Any) -> Markup:
    """Return JSON that is safe inside a script element: it cannot end the element or open a
    comment.

    It is pure ASCII, so that line separators and similar characters are escaped too.
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


@cache
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
    made.filters.update(breaking=_breaking, tight=_tight, span=profiles.span_text, cells=_cells)
    made.globals["heads"] = columns.HEADS
    return made


def _finalize(value: Any) -> Any:
    """Return a text with its invisible characters made visible; every text of a template passes
    here.
    """
    plain = isinstance(value, str) and not isinstance(value, Markup)
    return visible(value) if plain else value


def _breaking(text: str, signs: str) -> Markup:
    """Return the text as HTML that allows a line break after each of these characters."""
    return Markup("<wbr>").join(re.split(f"(?<=[{signs}])", visible(text)))


def _tight(markup: str) -> Markup:
    """Return the HTML without the white space between tags."""
    return Markup(re.sub(r">\s+<", "><", markup))  # noqa: S704 (it was escaped before)


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _cells(row: SummaryRow, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the plain figures of a row that belong into these columns."""
    kept = ((name, *columns.FIGURES[name]) for name in names if name in columns.FIGURES)
    return [(name, _number(getattr(row, field), digits)) for name, field, digits in kept]


def _money(value: float | None) -> str:
    return "unknown" if value is None else dollars.shown(value)


def _joined(names: Sequence[str]) -> Markup:
    return Markup("\n".join(map(text_of, names)))  # noqa: S704 (files of ours)


def text_of(name: str) -> str:
    """Return a file of the templates' folder as it is."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _script() -> Markup:
    """Return the page's script: all files in one function, so that their names stay private."""
    return Markup('"use strict";\n(() => {\n') + _joined(SCRIPTS) + Markup("})();\n")


def _policy(script: str, style: str, images: Iterable[Sequence[str]]) -> str:
    """Return the content security policy: only this script, this style and these pictures."""
    return "; ".join(
        (
            "default-src 'none'",
            *pictures.policy(images),
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


def template(name: str) -> Template:
    """Return a template of the report's folder, with the report's filters."""
    return _environment().get_template(name)
