"""The commands `rehearse mind2web ...`: runs on recorded tasks, and their figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from evaluators.commands import answering_page, repetition
from evaluators.commands.repetition import several
from rehearsal_errors import FAILED, first_few

_FOLDER = click.Path(file_okay=False, path_type=Path)
_DATA = click.argument("data", type=click.Path(path_type=Path))
_RULES = click.Choice(["mindact", "synapse"])


@click.group("mind2web", cls=repetition.Group)
def mind2web() -> None:
    """Recorded tasks of Mind2Web: check and rank them, run agents on them, build our own.

    DATA is the folder with train/, test_task/, test_website/ and test_domain/.
    """


@mind2web.command("check")
@_DATA
@several("--split", "splits", metavar="NAME", help="Only these splits.")
@click.option("--ranks", type=click.Path(path_type=Path), help="Ranks, for the recall.")
@click.option("--json", "as_json", is_flag=True)
def check_command(data: Path, splits: tuple[str, ...], ranks: Path | None, as_json: bool) -> int:
    """Count the tasks and steps of DATA, and name bad data; exit with 1 if there are any.

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


@mind2web.command("rank")
@_DATA
@several(
    "--ranker",
    "names",
    required=True,
    metavar="NAME",
    help="words, bm25, minilm[:FILE], trained:FILE, cross:DIR, or pickle:FILE.",
)
@several("--split", "splits", metavar="NAME", help="Only these splits.")
@click.option("--fit", is_flag=True, help="First train trained:FILE on the split train.")
@click.option("-o", "out", type=click.Path(dir_okay=False, path_type=Path), help="The ranks.")
@click.option("--json", "as_json", is_flag=True)
def rank_command(
    data: Path,
    names: tuple[str, ...],
    splits: tuple[str, ...],
    fit: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Order the candidates of each step by a ranker, and print its recall by split.

    \b
    Examples:
      rehearse mind2web rank DATA --ranker pickle:DATA/scores_all_data.pkl -o ranks.jsonl
      rehearse mind2web rank DATA --ranker trained:weights.json --fit -o ranks.jsonl
    """
    from agent.mind2web import files
    from evaluators.mind2web import ranking

    if out and len(names) > 1:
        raise click.UsageError("-o takes the ranks of one ranker; leave it out to compare several")
    if fit:
        for each in names:
            ranking.fit(data, each)
    chosen = splits or files.splits(data)
    found = [one for each in names for one in ranking.rank(data, chosen, each, out)]
    _show_rows([each.row for each in found], as_json)


@mind2web.command("run")
@_DATA
@click.option("--split", required=True, help="The split, such as test_task.")
@several(
    "--method",
    "names",
    required=True,
    metavar="NAME",
    help="Agents, such as synapse, synapse:no-memory, synapse:top=10, mindact.",
)
@click.option(
    "--ranks",
    required=True,
    type=click.Path(path_type=Path),
    help="The ranks of the candidates (rehearse mind2web rank).",
)
@click.option("--tasks", help="Tasks by their place in the split, such as 0:50, without the end.")
@click.option("--llm", default="scripted", help="live, scripted, person or replay:DIR.")
@click.option("--record", type=_FOLDER, help="A folder for recordings of the replies.")
@click.option("--model", default="", help="The model of --llm live (default: OPENAI_MODEL).")
@several("--skill", metavar="S", help="Skills of the scripted model, such as 0.5,0.7.")
@click.option("--trials", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("-n", "processes", type=click.IntRange(min=1), default=1, help="Processes.")
@click.option("--concurrency", type=click.IntRange(min=1), help="Tasks at once in each process.")
@click.option("--context", type=click.IntRange(min=1), help="The model's context in tokens.")
@click.option("--max-cost", type=click.FloatRange(min=0), help="US dollars a task may cost.")
@click.option(
    "--max-run-cost", type=click.FloatRange(min=0), help="US dollars the whole run may cost."
)
@click.option("--rpm", type=click.FloatRange(min=0), default=0, help="Requests a minute.")
@click.option("--tpm", type=click.FloatRange(min=0), default=0, help="Tokens a minute.")
@click.option("--prompts", type=_FOLDER, help="A folder of prompts in place of agent/prompts.")
@click.option("--shard", default="", help="Only this part, such as 2/4; see rehearse merge.")
@click.option("--strict", is_flag=True, help="Stop at the first exception of a method.")
@click.option("-o", "out", type=_FOLDER, help="The run's folder; resumes the run there.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON document.")
def run_command(as_json: bool, **options: Any) -> int:
    """Let agents predict the steps of recorded tasks, and print the figures.

    \b
    Example:
      rehearse mind2web run DATA --split test_task --method synapse,mindact --ranks ranks.jsonl
    """
    from evaluators.mind2web import arguments, results, run
    from evaluators.run import run_lock
    from evaluators.run.cost_limit import CostLimitReached
    from evaluators.run.progress import progress

    request = arguments.parse(**options)
    run_lock.check(request.out)
    prepared = run.prepare(request, _say)
    try:
        with (
            answering_page.opened(request.config.llm, request.out),
            progress(prepared.episodes, request.out, quiet=as_json) as on_record,
        ):
            prepared.carry_out(on_record)
    except CostLimitReached:
        _show(request.out, results.Choice(), as_json)
        raise
    found = _show(request.out, results.Choice(), as_json)
    return FAILED if any(each.unscored for each in found) else 0


@mind2web.command("score")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option(
    "--by", type=click.Choice(["website", "domain", "op"]), default=None, help="More rows."
)
@click.option("--rule", type=_RULES, default=None, help="One rule for all (default: their own).")
@click.option(
    "--skip-no-positive",
    is_flag=True,
    help="Leave out steps without a right element; the published figures count them as failed.",
)
@click.option("--json", "as_json", is_flag=True)
def score_command(
    folder: Path, by: str | None, rule: str | None, skip_no_positive: bool, as_json: bool
) -> None:
    """Print the figures of RUN from its records, by the methods' own rules or by one.

    \b
    Example:
      rehearse mind2web score runs/m2w --by website --rule mindact
    """
    from evaluators.mind2web.results import Choice

    _show(folder, Choice(by or "", rule or "", skip_no_positive), as_json)


@mind2web.command("sft")
@_DATA
@click.option("--split", default="train", show_default=True, help="The split.")
@click.option("--ranks", required=True, type=click.Path(path_type=Path), help="As in run.")
@click.option("--method", "name", default="synapse:top=20", show_default=True, help="The agent.")
@click.option("-o", "out", type=click.Path(dir_okay=False, path_type=Path), required=True)
def sft_command(data: Path, split: str, ranks: Path, name: str, out: Path) -> None:
    """Write the requests of a method with the annotators' actions as replies, for fine-tuning.

    \b
    Example:
      rehearse mind2web sft DATA --ranks ranks.jsonl -o train.jsonl
    """
    from evaluators.mind2web import sft

    click.echo(f"{out}: {sft.write(data, split, ranks, name, out)} lines")


@mind2web.command("build")
@click.option("--splits", "name", help="own-mind2web-1, or a TOML file of splits.")
@several("--only", metavar="SPLIT", help="Only these splits of --splits.")
@several("--family", "families", metavar="NAME", help="Families, such as reply or reply.meadow.")
@several("--site", "sites", metavar="NAME", help="All families of these sites.")
@click.option("--seeds", default="3000:3005", show_default=True, help="Seeds of each family.")
@click.option("--run", type=_FOLDER, help="A run whose successful episodes are done again.")
@click.option("--split", default="train", show_default=True, help="The split without --splits.")
@click.option("--one-positive", is_flag=True, help="Only the element of an action is right.")
@click.option("-o", "out", type=_FOLDER, required=True, help="A new folder.")
def build_command(
    name: str | None,
    only: tuple[str, ...],
    families: tuple[str, ...],
    sites: tuple[str, ...],
    seeds: str,
    run: Path | None,
    split: str,
    one_positive: bool,
    out: Path,
) -> None:
    """Write our tasks in the format of Mind2Web, as the experts or the agents of a run do them.

    \b
    Examples:
      rehearse mind2web build --splits own-mind2web-1 -o own
      rehearse mind2web build --family reply.meadow,buy_item --seeds 3000:3020 -o own
      rehearse mind2web build --run runs/mine -o own
    """
    from evaluators.mind2web.build import building, frozen, splits

    named = bool(families or sites)
    if [bool(name), named, bool(run)].count(True) != 1:
        raise click.UsageError("give --splits, --run, or some of --family and --site")
    if run:
        built = building.from_run(run, out, split, _say, one_positive=one_positive)
    else:
        chosen = splits.load(name) if name else splits.of(families, sites, seeds, split)
        built = building.build(chosen, out, _say, only, one_positive=one_positive)
    _show_rows(built.rows, as_json=False)
    if name and frozen.digests(name) and not one_positive:
        other = frozen.changed(name, built.writer.scenarios)
        _say(f"not as frozen: {first_few(other)}" if other else "all tasks are as frozen")
    click.echo(out)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _show_rows(rows: list[dict[str, Any]], as_json: bool) -> None:
    from evaluators.commands import listing
    from evaluators.records import plain_json

    if as_json:
        click.echo(plain_json.text(rows, indent=1))
    else:
        listing.table(rows)


def _show(folder: Path, choice: Any, as_json: bool) -> Any:
    """Print the figures of a run and return them."""
    from evaluators.mind2web import results
    from evaluators.records import plain_json

    found = results.results(folder, choice)
    if as_json:
        click.echo(plain_json.text([each.to_json() for each in found], indent=1))
    else:
        results.show(found)
        click.echo(f"run: {folder}")
    return found
