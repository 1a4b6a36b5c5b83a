"""The summary of a run as a LaTeX table with booktabs' rules."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from evaluators.analysis import dollars
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
Columns = dict[str, Figure]


def escaped(text: str) -> str:
    """Return a text that LaTeX prints as it stands; signs outside ASCII become a question
    mark.
    """
    signs = (each if " " <= each <= "~" else "?" for each in plain(text))
    return "".join(_SIGNS.get(each, each) for each in signs).replace("--", "-{}-")


def _number(value: float | None, digits: int = 2) -> str:
    return "--" if value is None else f"{value:,.{digits}f}"


def _cost(value: float | None) -> str:
    return "--" if value is None else dollars.shown(value).removeprefix("$")


def _interval(row: SummaryRow) -> str:
    low, high = row.success_ci
    return f"[{low:.2f}, {high:.2f}]"


PAGE, LONGEST_NAME, GAP = 345, 100, 6
"""The width of a page of the class `article`, the largest width of a name, and the space between
two columns, in points.
"""
SIGN, NARROW = 4.9, 2.7
"""The widths of a character and of a narrow sign of a small font in points, a little too wide."""
COLUMNS: Columns = {
    "$n$": lambda row: str(row.scored),
    "Success": lambda row: _number(row.success),
    "95\\,\\%": _interval,
    "Progress": lambda row: _number(row.progress),
    "Reward": lambda row: _number(row.reward),
    "Steps": lambda row: _number(row.steps, 1),
    "Calls": lambda row: _number(row.llm_calls, 1),
    "Tokens": lambda row: _number(row.tokens, 0),
    "Cost (\\$)": lambda row: _cost(row.cost_usd),
}
HEIGHT = 550
"""The height of the text of a page of the class `article`, in points."""
SIZES = {"small": 11.0, "footnotesize": 9.5, "scriptsize": 8.0}
"""Font sizes, with the height of a line in points, from the largest."""
RULES, CAPTION_LINE, LETTERS = 30, 12, 75
"""The height of a table's rules and of a line of a caption, and the letters in such a line."""
MEANS = {
    "Tokens": "Tokens are means over the scored episodes of a row.",
    "Cost (\\$)": "The cost is the sum over the scored episodes of a row.",
}
"""Sentences of a caption about columns that a reader may misread."""


def text(run: Run) -> str:
    """Return the table, with a caption that says what was simulated and who answered.

    Columns that do not fit beside the others follow below, with the same rows. The font is the
    largest with which the table fits on a page; each set of columns is a table of its own if none
    is small enough.
    """
    rows = summary(run.folder.name, run.records).rows
    columns = {name: figure for name, figure in COLUMNS.items() if _is_filled(name, figure, rows)}
    blocks, caption = [*_blocks(rows, columns)], _caption(run, columns)
    size = next((name for name in SIZES if _height(rows, blocks, caption, name) <= HEIGHT), "")
    begin = [
        "\\begin{table}",
        "\\centering",
        f"\\{size or [*SIZES][-1]}",
        f"\\setlength{{\\tabcolsep}}{{{GAP // 2}pt}}",
    ]
    lines = [NEEDS, *begin, f"\\caption{{{escaped(caption)}}}", f"\\label{{tab:{_label(run)}}}"]
    for number, block in enumerate(blocks):
        if number and not size:
            lines += ["\\end{table}", *begin, "\\caption{The same rows, with further columns.}"]
        lines += ["\\par\\smallskip", *_tabular(rows, block)]
    return "\n".join([*lines, "\\end{table}"]) + "\n"


def _caption(run: Run, columns: Columns) -> str:
    """Return the caption: what was simulated, who answered, and what the figures are."""
    whole = len(run.episodes) + run.missing
    unfinished = f"The run is not finished: {len(run.episodes)} of {whole} episodes have ended."
    means = [sentence for name, sentence in MEANS.items() if name in columns]
    return " ".join([sentences(run), *means, *([unfinished] if run.missing else [])])


def _height(
    rows: Sequence[SummaryRow], blocks: Sequence[Columns], caption: str, size: str
) -> float:
    """Return the height of the whole table in points, a little too large."""
    names = sum(math.ceil(_width([row.agent]) / LONGEST_NAME) for row in rows)
    lines = 2 + len(figures.groups(rows)) + names
    block = lines * SIZES[size] + RULES
    return len(blocks) * block + CAPTION_LINE * (1 + math.ceil(len(caption) / LETTERS))


def _blocks(rows: Sequence[SummaryRow], columns: Columns) -> Iterator[Columns]:
    """Yield the columns of as few tables as fit into the width of a page."""
    named = _name_width(rows) + GAP + _width(["Site", *(row.site for row in rows)])
    block: Columns = {}
    used = named
    for name, figure in columns.items():
        wide = GAP + _width([re.sub(r"[\\$]", "", name), *map(figure, rows)])
        if block and used + wide > PAGE:
            yield block
            block, used = {}, named
        block = {**block, name: figure}
        used += wide
    yield block


def _name_width(rows: Sequence[SummaryRow]) -> float:
    return min(LONGEST_NAME, _width(["Agent", *(row.agent for row in rows)]))


def _width(cells: Iterable[str]) -> float:
    return max(sum(NARROW if sign in ".,[] " else SIGN for sign in cell) for cell in cells)


def _tabular(rows: Sequence[SummaryRow], columns: Columns) -> list[str]:
    width = _name_width(rows)
    name = "l" if width < LONGEST_NAME else f"p{{{width:.0f}pt}}"
    return [
        f"\\begin{{tabular}}{{@{{}}{name}l{'r' * len(columns)}@{{}}}}",
        "\\toprule",
        f"Agent & Site & {' & '.join(columns)} \\\\",
        *_body(rows, columns),
        "\\bottomrule",
        "\\end{tabular}",
    ]


def _body(rows: Sequence[SummaryRow], columns: Columns) -> list[str]:
    made = []
    for group in figures.groups(rows):
        about = f": {group.about}" if group.about else ""
        made.append("\\midrule")
        made.append(
            f"\\multicolumn{{{len(columns) + 2}}}{{l}}{{\\emph{{{group.label}{about}}}}} \\\\"
        )
        made += [_row(row, columns) for row in group.rows]
    return made


def _row(row: SummaryRow, columns: Columns) -> str:
    agent = re.sub("(?<=[-:@,=/])(?=[^-])", "\\\\allowbreak{}", escaped(row.agent))
    cells = [agent, escaped(row.site), *(each(row) for each in columns.values())]
    return f"{' & '.join(cells)} \\\\"


def _is_filled(name: str, figure: Figure, rows: Sequence[SummaryRow]) -> bool:
    """Return whether a column says anything: a cost of nothing for every row does not."""
    if name.startswith("Cost"):
        return any(row.cost_usd for row in rows)
    return any(figure(row) != "--" for row in rows)


def _label(run: Run) -> str:
    return re.sub("[^A-Za-z0-9]+", "-", run.folder.resolve().name).strip("-") or "run"
