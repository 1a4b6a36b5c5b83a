"""The summary of a run as a LaTeX table with booktabs' rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from evaluators.analysis.summary import summary
from evaluators.commands.terminal import plain
from evaluators.records.models import SummaryRow
from evaluators.report import figures
from evaluators.report.loading import Run
from evaluators.report.simulated import sentences

NEEDS = "% Made by `rehearse report --latex`. In the preamble: \\usepackage{booktabs}"
_SIGNS = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    '"': "\\char34{}",
    "`": "\\textasciigrave{}",
}

Figure = Callable[[SummaryRow], str]


def escaped(text: str) -> str:
    """Return a text that LaTeX prints as it stands; signs outside ASCII become a question
    mark.
    """
    signs = (each if " " <= each <= "~" else "?" for each in plain(text))
    return "".join(_SIGNS.get(each, each) for each in signs).replace("--", "-{}-")


def _number(value: float | None, digits: int = 2) -> str:
    return "--" if value is None else f"{value:,.{digits}f}"


def _interval(row: SummaryRow) -> str:
    low, high = row.success_ci
    return f"[{low:.2f}, {high:.2f}]"


COLUMNS: dict[str, Figure] = {
    "$n$": lambda row: str(row.scored),
    "Success": lambda row: _number(row.success),
    "95\\,\\%": _interval,
    "Progress": lambda row: _number(row.progress),
    "Reward": lambda row: _number(row.reward),
    "Steps": lambda row: _number(row.steps, 1),
    "Calls": lambda row: _number(row.llm_calls, 1),
    "Tokens": lambda row: _number(row.tokens, 0),
    "Cost (\\$)": lambda row: _number(row.cost_usd),
}


def text(run: Run) -> str:
    """Return the table, with a caption that says what was simulated and who answered."""
    rows = summary(run.folder.name, run.records).rows
    columns = {name: figure for name, figure in COLUMNS.items() if _is_filled(name, figure, rows)}
    lines = [
        NEEDS,
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{escaped(sentences(run))}}}",
        f"\\label{{tab:{_label(run)}}}",
        "\\smallskip",
        f"\\begin{{tabular}}{{ll{'r' * len(columns)}}}",
        "\\toprule",
        f"Agent & Site & {' & '.join(columns)} \\\\",
        *_body(rows, columns),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _body(rows: Sequence[SummaryRow], columns: dict[str, Figure]) -> list[str]:
    made = []
    for group in figures.groups(rows):
        about = f": {group.about}" if group.about else ""
        made.append("\\midrule")
        made.append(
            f"\\multicolumn{{{len(columns) + 2}}}{{l}}{{\\emph{{{group.label}{about}}}}} \\\\"
        )
        made += [_row(row, columns) for row in group.rows]
    return made


def _row(row: SummaryRow, columns: dict[str, Figure]) -> str:
    cells = [escaped(row.agent), escaped(row.site), *(each(row) for each in columns.values())]
    return f"{' & '.join(cells)} \\\\"


def _is_filled(name: str, figure: Figure, rows: Sequence[SummaryRow]) -> bool:
    """Return whether a column says anything: a cost of nothing for every row does not."""
    if name.startswith("Cost"):
        return any(row.cost_usd for row in rows)
    return any(figure(row) != "--" for row in rows)


def _label(run: Run) -> str:
    return re.sub("[^A-Za-z0-9]+", "-", run.folder.resolve().name).strip("-") or "run"
