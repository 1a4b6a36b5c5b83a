"""The commands `rehearse mind2web ...`: runs on recorded tasks, and their figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from evaluators.commands import repetition
from evaluators.commands.repetition import several
from rehearsal_errors import FAILED

_DATA = click.argument("data", type=click.Path(path_type=Path))


@click.group("mind2web", cls=repetition.Group)
def mind2web() -> None:
    """Recorded tasks of Mind2Web: check, rank, run, score.

    DATA is the folder with train/, test_task/, test_website/ and test_domain/.
    """


@mind2web.command("check")
@_DATA
@several("--split", "splits", metavar="NAME", help="Only these splits.")
@click.option("--ranks", type=click.Path(path_type=Path), help="Ranks, for the recall.")
@click.option("--json", "as_json", is_flag=True)
def check_command(data: Path, splits: tuple[str, ...], ranks: Path | None, as_json: bool) -> int:
    """Count what DATA holds, and name what cannot be used; exit with 1 if there is any.

    \b
    Example:
      rehearse mind2web check DATA --split test_task --ranks ranks.jsonl
    """
    from agent.mind2web import files
    from agent.mind2web.ranks import Ranks
    from evaluators.mind2web import checking

    known = Ranks(ranks) if ranks else None
    chosen = splits or files.splits(data)
    found = [checking.check(data, each, _say, known) for each in chosen]
    _show_rows([each.row for each in found], as_json)
    return FAILED if any(each.problems for each in found) else 0


def _say(line: str) -> None:
    click.echo(line, err=True)


def _show_rows(rows: list[dict[str, Any]], as_json: bool) -> None:
    from evaluators.commands import listing
    from evaluators.records import plain_json

    if as_json:
        click.echo(plain_json.text(rows, indent=1))
    else:
        listing.table(rows)
