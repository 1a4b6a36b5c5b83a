"""The command line of Rehearsal: it reads arguments and calls functions.

From a program, `from rehearse import run, generate, score` gives the same functions.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.llm.efforts import EFFORTS
from evaluators.commands import answering_page, repetition, streams, terminal
from evaluators.commands.catalogue_options import catalogue_options
from evaluators.commands.environment_options import environment_options
from evaluators.commands.mind2web import mind2web
from evaluators.commands.repetition import several
from evaluators.run.engines import ENGINES, PROCESSES
from rehearsal_errors import FAILED, MISUSED, RehearsalError

if TYPE_CHECKING:
    from evaluators.records.models import Summary
    from evaluators.run.api import generate, run, score
    from evaluators.server.outside_run import OutsideRun
    from sites.store import CatalogueSource

__all__ = ["generate", "main", "run", "score"]

_FOLDER = click.Path(file_okay=False, path_type=Path)
_OWN_FAMILIES = several(
    "--family",
    "families",
    metavar="FILE",
    help="The files of families of your own that the run has.",
)
_SUITES = several("--suite", "suites", metavar="NAME", help="Frozen suites (rehearse list suites).")
_SEEDS = click.option(
    "--seeds",
    help="Seeds of each --family (or --env), such as 0:20, without the end. A --suite has its own;"
    " alone, it is cut to these.",
)


def __getattr__(name: str) -> Any:
    """Import the public functions on first use, so that `--help` stays fast."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from evaluators.run import api

    return getattr(api, name)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _print_json(value: Any) -> None:
    from evaluators.records import plain_json

    click.echo(plain_json.text(value, indent=1))


class _OneLine(repetition.Group):
    """A group of commands that prints an expected error as one line on stderr.

    A bug still prints its traceback. All output is plain: text from elsewhere reaches the terminal
    without control sequences.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        sys.excepthook = terminal.print_traceback
        streams.reopen()
        with terminal.plain_output() as printed:
            try:
                self._main(*args, **kwargs)
            except SystemExit as end:
                if problem := streams.unprinted(printed):
                    if printed.why != streams.READER_GONE:
                        click.echo(f"rehearse: {problem}", err=True)
                    sys.exit(end.code or os.EX_IOERR)
                raise

    def _main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.exceptions.Exit as stop:
            sys.exit(stop.exit_code)
        except click.Abort:
            click.echo("stopped; what is done is kept, resume with -o", err=True)
            sys.exit(130)
        except click.ClickException as error:
            click.echo(f"rehearse: {' '.join(error.format_message().split())}", err=True)
            sys.exit(MISUSED)
        except RehearsalError as error:
            click.echo(f"rehearse: {error}", err=True)
            sys.exit(error.exit_code)
        sys.exit(code if isinstance(code, int) else 0)


def _version(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked:
        from evaluators.run.manifest import package_version

        click.echo(f"{context.find_root().info_name}, version {package_version()}")
        context.exit()


@click.group(cls=_OneLine, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version)
def main() -> None:
    """Rehearse web agents before they meet the web."""


@main.command()
@click.option("--fix", is_flag=True, help="Install a Chromium where there is none.")
def doctor(fix: bool) -> int:
    """Check Python, browser, ports, API key and site data; exit with 1 if something is missing.

    \b
    Example:
      rehearse doctor --fix
    """
    from evaluators.commands import doctor as checks

    return 0 if checks.report(checks.examine(fix=fix)) else FAILED


@main.command("list")
@click.argument(
    "what",
    type=click.Choice(["methods", "sites", "families", "suites", "templates", "cassettes"]),
)
@click.argument("name", default="")
@click.option("--site", default="", help="Only families of this site.")
@click.option("--tag", default="", help="Only families of this category or published template.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON document.")
def list_command(what: str, name: str, site: str, tag: str, as_json: bool) -> None:
    """List methods, sites, families, suites, WebArena's templates or cassettes; with NAME, show one
    item in full.

    \b
    Example:
      rehearse list families --site store
      rehearse list families --tag webarena:27
      rehearse list suites store-20
    """
    from evaluators.commands import listing

    if site and what != "families":
        raise click.UsageError(f"--site chooses families; leave it out for {what}")
    if tag and what != "families":
        raise click.UsageError(f"--tag chooses families; leave it out for {what}")
    rows = listing.rows(what, name, site, tag)
    if as_json:
        _print_json(rows)
        return
    listing.show(what, rows, whole=bool(name) or what == "templates")
    if what == "templates":
        click.echo(listing.covered(rows), err=True)
    if what == "suites" and name:
        click.echo("rehearse list families NAME says what a family asks", err=True)
    if note := listing.not_installed(name):
        click.echo(note, err=True)


@main.command("generate")
@click.option("--family", required=True, help="A family's name, or a file of your own.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The first seed."
)
@click.option(
    "-n", "count", type=click.IntRange(min=1), default=1, show_default=True, help="Scenarios."
)
@click.option("--json", "as_json", is_flag=True, help="Also the details and the gold.")
@catalogue_options
def generate_command(
    family: str, seed: int, count: int, as_json: bool, catalogue: CatalogueSource | None
) -> None:
    """Print the names and instructions of a family's scenarios.

    \b
    Example:
      rehearse generate --family buy_item --seed 3 -n 2
    """
    from evaluators.run import api, catalogues

    with catalogues.in_use(catalogue, _say):
        drawn = [api.generate(family, each) for each in range(seed, seed + count)]
    if as_json:
        _print_json([each.to_json() for each in drawn])
    else:
        for each in drawn:
            click.echo(f"{each.name}  {each.id}\n  {each.instruction}")


@main.command("run")
@several("--agent", "names", required=True, metavar="NAME", help="Agents (rehearse list methods).")
@_SUITES
@several(
    "--family",
    "families",
    metavar="NAME",
    help="Families, or files of your own; they need --seeds.",
)
@_SEEDS
@click.option(
    "--llm",
    default="scripted",
    show_default=True,
    help="live, scripted, replay:DIR, or person: you answer on a local page.",
)
@click.option("--record", type=_FOLDER, help="A folder for recordings of the replies.")
@click.option("--model", default="", help="The model of --llm live (default: OPENAI_MODEL).")
@several("--skill", metavar="S", help="Skills of the scripted model, such as 0.5,0.7.")
@several(
    "--mistakes",
    metavar="KIND",
    default=["sticky"],
    show_default=True,
    help="Mistakes of the scripted model: sticky, memoryless, or both.",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs of each scenario.",
)
@click.option(
    "-n",
    "processes",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes, or actors.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=PROCESSES,
    show_default=True,
    help="Processes of this machine, or actors of a Ray cluster (RAY_ADDRESS; extra: ray).",
)
@click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    help="Episodes at once in each process (default: by memory, and whether the model is live).",
)
@click.option(
    "--reasoning-effort",
    type=click.Choice(EFFORTS),
    help="How long a live model is to think before it answers (default: the server's).",
)
@several(
    "--context",
    metavar="TOKENS",
    help="The model's context, such as 8192; each agent runs once with each of 4k,8k,16k.",
)
@click.option(
    "--max-steps",
    type=click.IntRange(min=0),
    help="Actions an episode may take, instead of its method's budget; 0 is no limit.",
)
@click.option("--max-calls", type=click.IntRange(min=0), help="The same of requests to the model.")
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0),
    help="The same of its own seconds, without waiting for the model (600 unless said, from level 2"
    " on 20 a step).",
)
@click.option(
    "--request-seconds",
    type=click.FloatRange(min=0),
    help="How long a request to a live model may take, with all its repeats; 0 is no limit"
    " (default: 300, of which 120 without a byte).",
)
@click.option("--max-cost", type=click.FloatRange(min=0), help="US dollars an episode may cost.")
@click.option(
    "--max-run-cost", type=click.FloatRange(min=0), help="US dollars the whole run may cost."
)
@click.option(
    "--rpm",
    type=click.FloatRange(min=0),
    default=0,
    envvar="REHEARSE_MAX_RPM",
    help="Requests a minute to a live model, over all processes.",
)
@click.option(
    "--tpm",
    type=click.FloatRange(min=0),
    default=0,
    envvar="REHEARSE_MAX_TPM",
    help="Tokens a minute to a live model, over all processes.",
)
@click.option(
    "--confirm",
    type=click.Choice(["ask", "stop"]),
    help="Before an action that cannot be taken back: ask you, or end there and score it.",
)
@click.option(
    "--prompts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of prompts in place of agent/prompts.",
)
@click.option("--shard", default="", help="Only this part, such as 2/4; see rehearse merge.")
@click.option(
    "-o", "out", type=_FOLDER, help="The run's folder; resumes the run there, or adds to it."
)
@click.option("--headed", is_flag=True, help="Show the browser.")
@click.option(
    "--lane",
    type=click.Choice(["browser", "text"]),
    default="browser",
    show_default=True,
    help="Read pages in Chromium, or without a browser: faster, for pages without scripts.",
)
@click.option("--isolate", is_flag=True, help="Run each agent in a process of its own, shut in.")
@click.option("--strict", is_flag=True, help="Stop at the first exception of a method.")
@click.option(
    "--fail-on-error", is_flag=True, help="Exit with 1 where an agent_error or format_error is."
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON document.")
@environment_options
@catalogue_options
def run_command(catalogue: CatalogueSource | None, **options: Any) -> int:
    """Run agents on scenarios and print their results.

    The scenarios are those of all suites, families and environments together. --agent, --suite,
    --family, --env, --skill and --mistakes take several values: repeat them, or write commas.

    \b
    Example:
      rehearse run --agent laser,react --suite store-20 -o runs/first
    """
    from evaluators.run import catalogues

    with catalogues.in_use(catalogue, _say):
        return _run(catalogue=catalogue, **options)


def _run(as_json: bool, fail_on_error: bool, **options: Any) -> int:
    from agent.isolation import launcher
    from evaluators.records import run_folder
    from evaluators.report import console_table
    from evaluators.run import api, arguments, cost_limit, environments, resume, run_lock
    from evaluators.run.progress import progress

    request = arguments.parse(**options)
    run_folder.check_plain(request.out)
    run_lock.check(request.out)
    unkept = [launcher.warning()] if options["isolate"] else []
    untried = environments.warnings(request.tasks, request.config.gym_python)
    for note in (*filter(None, unkept), *untried, *resume.notes(request.out)):
        click.echo(note, err=True)
    quiet = as_json or options["confirm"] == "ask"
    show = _print_summary if as_json else console_table.table
    try:
        with (
            answering_page.opened(request.config.llm, request.out),
            progress(request.episodes, request.out, quiet=quiet) as on_record,
        ):
            summary = request.carry_out(on_record, _say)
    except cost_limit.CostLimitReached:
        show(api.summarize(request.out), request.out)
        raise
    show(summary, request.out)
    if more := resume.also(request):
        click.echo(more, err=True)
    records = list(run_folder.episodes(request.out))
    if beyond := cost_limit.overspent(records, request.config.run_dollars):
        click.echo(beyond, err=True)
    console_table.faults(records)
    if not as_json:
        console_table.failed_checks(records)
    failed = console_table.failure_reasons(request.out, records) and fail_on_error
    return FAILED if failed or any(row.infra for row in summary.rows) else 0


def _print_summary(summary: Summary, folder: Path) -> None:
    _print_json(summary.to_json())


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--model", required=True, help="The live model.")
@click.option(
    "--trials", type=click.IntRange(min=1), default=1, show_default=True, help="Of the live run."
)
@click.option("--rpm", type=click.FloatRange(min=0), default=0, help="Requests a minute.")
@click.option("--json", "as_json", is_flag=True)
def estimate(folder: Path, model: str, trials: int, rpm: float, as_json: bool) -> None:
    """Estimate the cost of FOLDER, a run of the scripted model, with a live model.

    \b
    Example:
      rehearse estimate runs/first --model gpt-4o --rpm 60
    """
    from evaluators.commands import listing
    from evaluators.run.cost_estimate import estimate as estimated

    found = estimated(folder, model, trials, rpm)
    if as_json:
        _print_json([each.to_json() for each in found])
    else:
        listing.table([each.shown() for each in found])


@main.command()
@click.argument("parts", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "out", type=_FOLDER, required=True, help="The folder of the whole run.")
@click.option("--json", "as_json", is_flag=True)
def merge(parts: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Merge runs into one: the parts of a run (--shard), or different agents or scenarios.

    \b
    Example:
      rehearse merge runs/part-1 runs/part-2 -o runs/whole
    """
    from evaluators.report import console_table
    from evaluators.run import merge

    merged = merge.merge(parts, out)
    rows = merged.summary
    _print_json(rows.to_json()) if as_json else console_table.table(rows, out)
    for double in merged.doubles:
        click.echo(f"{double}: more than one part has it; the first counts", err=True)


@main.command("score")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--by", type=click.Choice(["site", "family", "tag"]), default="site", show_default=True
)
@_OWN_FAMILIES
@click.option(
    "--from",
    "form",
    type=click.Choice(["webarena"]),
    help="FOLDER has the results of a client of WebArena; needs --tasks and --server.",
)
@click.option("--tasks", type=_FOLDER, help="The folder of rehearse export --to webarena.")
@click.option("--server", default="", help="The control plane's address with its token.")
@click.option("--json", "as_json", is_flag=True)
@catalogue_options
def score_command(
    folder: Path,
    by: str,
    families: tuple[str, ...],
    form: str | None,
    tasks: Path | None,
    server: str,
    as_json: bool,
    catalogue: CatalogueSource | None,
) -> None:
    """Score a run again from its records, without a browser or a model.

    \b
    Examples:
      rehearse score runs/first --by family
      rehearse score --from webarena results --tasks tasks --server http://127.0.0.1:...
    """
    from evaluators.report import console_table
    from evaluators.run import api

    if form:
        _score_answers(folder, tasks, server, as_json)
        return
    summary = api.score(folder, by, catalogue, families)
    _print_json(summary.to_json()) if as_json else console_table.table(summary, folder)


def _score_answers(results: Path, tasks: Path | None, server: str, as_json: bool) -> None:
    """Score the answers of a client of WebArena against the worlds that a server keeps."""
    from evaluators.integrations.webarena import scores

    if tasks is None or not server:
        raise click.UsageError(
            "--from webarena needs --tasks FOLDER and --server ADDRESS, which"
            " `rehearse serve --webarena` printed"
        )
    made = [*scores.scores(results, tasks, server)]
    if as_json:
        _print_json([each.to_json() for each in made])
    else:
        click.echo("\n".join((*(each.line() for each in made), scores.summary(made))))


@main.command("export")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("-o", "out", type=click.Path(path_type=Path), help="[default: in the run]")
@click.option(
    "--sft",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write this instead: the requests of successful episodes as chat messages to train on.",
)
@click.option(
    "--to",
    "form",
    type=click.Choice(["webarena", "webarena-verified"]),
    help="RUN is the name of a suite; write its tasks for clients of WebArena into the folder -o.",
)
def export_command(folder: Path, out: Path | None, sft: Path | None, form: str | None) -> None:
    """Write a run into one file, with the worlds that rehearse verify scores again.

    \b
    Examples:
      rehearse export runs/first -o first.jsonl
      rehearse export runs/first --sft train.jsonl
      rehearse export --to webarena map-60 -o tasks
    """
    from evaluators.records import episode_names, submission, training_lines

    if out and sft:
        raise click.UsageError("-o and --sft are two files of different kinds; give one of them")
    if form:
        _export_tasks(str(folder), form, out)
        return
    episode_names.check_run(folder)
    if sft:
        click.echo(f"{sft}: {training_lines.export(folder, sft)} lines")
        return
    out = out or folder / submission.NAME
    count = submission.export(folder, out)
    click.echo(f"{out}: {count} episodes")


def _export_tasks(suite: str, form: str, out: Path | None) -> None:
    """Write the tasks of a suite for clients of WebArena."""
    from evaluators.integrations.webarena import export
    from scenarios import registry

    if out is None:
        raise click.UsageError("--to needs the folder for the tasks; add -o tasks")
    file, count = export.export(registry.from_suite(suite).names, form, out)
    click.echo(f"{file}: {count} tasks; they hold the solutions, so keep them from the agent")


@main.command("verify")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_OWN_FAMILIES
@click.option("--json", "as_json", is_flag=True)
@catalogue_options
def verify_command(
    file: Path, families: tuple[str, ...], as_json: bool, catalogue: CatalogueSource | None
) -> int:
    """Score an exported FILE again; exit with 1 if its claims do not hold.

    \b
    Example:
      rehearse verify first.jsonl
    """
    from evaluators.report import console_table
    from evaluators.run.verification import verify
    from scenarios import registry

    found = verify(file, catalogue, registry.own_families(families))
    _print_json(found.to_json()) if as_json else console_table.verification(found)
    return FAILED if found.findings else 0


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--pictures",
    is_flag=False,
    flag_value="failed",
    metavar="[failed|all|N]",
    help="Replay these episodes, and show a picture of each step.",
)
@click.option("--live", is_flag=True, help="Serve it on loopback instead, as the run goes on.")
@click.option(
    "--csv",
    "csv_folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write tables of agents, families and episodes as CSV.",
)
@click.option(
    "--latex",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the summary as a LaTeX table.",
)
@click.option(
    "--svg",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write each chart as an SVG.",
)
@click.option(
    "--beside",
    "paper",
    default="",
    metavar="PAPER",
    help="Draw it beside a paper's figures: step or synapse.",
)
@catalogue_options
def report(
    folder: Path,
    pictures: str | None,
    live: bool,
    paper: str,
    csv_folder: Path | None,
    latex: Path | None,
    svg: Path | None,
    catalogue: CatalogueSource | None,
) -> None:
    """Write report.html into the run's folder, and its tables and charts for a paper.

    \b
    Examples:
      rehearse report runs/first --pictures failed
      rehearse report runs/first --csv paper --latex paper/table.tex --svg paper
      rehearse report runs/widgets --beside synapse
    """
    from evaluators import report as reports
    from evaluators.report import exports
    from evaluators.run import catalogues

    wanted = exports.Exports(csv_folder, latex, svg)
    if live and (pictures or paper or wanted != exports.Exports()):
        raise click.UsageError(
            "--pictures, --beside, --csv, --latex and --svg are for a run that has ended;"
            " leave out --live"
        )
    if live:
        _serve_report(folder, catalogue)
        return
    with catalogues.of_run(folder, catalogue):
        click.echo(reports.write(folder, pictures or "", _say, paper))
        if wanted != exports.Exports():
            for path in exports.write(folder, wanted):
                click.echo(path)


def _serve_report(folder: Path, catalogue: CatalogueSource | None) -> None:
    from evaluators.report import live
    from evaluators.run import catalogues

    with contextlib.suppress(KeyboardInterrupt):
        live.wait_for_run(folder, _say)
        with catalogues.of_run(folder, catalogue), live.serve(folder) as page:
            click.echo(f"The report of {folder}, as the run goes on: {page.url}\nStop with Ctrl-C.")
            page.wait()


@main.command("replay")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("episode")
@click.option("--headed", is_flag=True, help="Show the browser.")
@click.option("--slow", type=click.FloatRange(min=0), default=0, help="Milliseconds an action.")
@click.option(
    "--film", type=click.Path(dir_okay=False, path_type=Path), help="A .webp or .gif file."
)
@_OWN_FAMILIES
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as one JSON document.")
@catalogue_options
def replay_command(
    folder: Path,
    episode: str,
    headed: bool,
    slow: float,
    film: Path | None,
    families: tuple[str, ...],
    as_json: bool,
    catalogue: CatalogueSource | None,
) -> int:
    """Replay EPISODE of RUN on a fresh world, and report pages that differ from the recording.

    EPISODE is the episode's address in the report, its name, the beginning of its name, its
    number in the report, or its scenario if only one episode has that.

    \b
    Example:
      rehearse replay runs/first nothing/store/buy_item/3
      rehearse replay runs/first store/buy_item/3 --headed --slow 500
    """
    from evaluators.commands import replay
    from evaluators.run.config import ExecutorConfig

    look = ExecutorConfig(headed=headed, slow_ms=slow)
    replayed = replay.run(folder, episode, look, families, film, catalogue)
    if as_json:
        _print_json(replayed.to_json())
    else:
        for line in replayed.lines():
            click.echo(line)
    return 0 if replayed.replay.is_same else FAILED


@main.command()
@click.argument("run_a", type=click.Path(path_type=Path))
@click.argument("run_b", type=click.Path(path_type=Path))
@click.option("--agent", default="", help="Only this agent (of RUN_A).")
@click.option("--with", "other", default="", help="The agent of RUN_B, where it is another one.")
@click.option("--force", is_flag=True, help="Also where scenarios, sites or evaluators differ.")
@click.option("--fail-on-regression", is_flag=True, help="Exit with 1 where RUN_B is worse.")
@click.option("--json", "as_json", is_flag=True)
def compare(
    run_a: Path,
    run_b: Path,
    agent: str,
    other: str,
    force: bool,
    fail_on_regression: bool,
    as_json: bool,
) -> int:
    """Test whether RUN_B is better than RUN_A on the episodes that both have.

    \b
    Example:
      rehearse compare runs/before runs/after --fail-on-regression
    """
    from evaluators.analysis import compare
    from evaluators.report import console_table

    found = compare.compare(run_a, run_b, agent, other, force=force)
    if remark := compare.with_itself(run_a, run_b, found):
        click.echo(remark, err=True)
    if as_json:
        _print_json([each.to_json() for each in found])
    else:
        console_table.comparisons(found, (run_a, run_b))
    worse = any(each.verdict == "worse" for each in found)
    return FAILED if fail_on_regression and worse else 0


@main.command()
@several("--site", "sites", metavar="NAME[:PORT]", help="Only these sites, on these ports.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The control plane's port; with --one-port the CRM's.",
)
@click.option(
    "--webshop",
    "for_webshop",
    is_flag=True,
    help="The store serves clients of WebShop's application, on port 3000 unless --site says.",
)
@click.option("--open-sessions", is_flag=True, help="Unknown sessions are created, as in WebShop.")
@click.option("--attributes", is_flag=True, help="Items have a tab of attributes, as WebShop's.")
@click.option("--one-port", is_flag=True, help="The CRM's address answers the published calls.")
@click.option(
    "--jail", "jailed", is_flag=True, help="A proxy for an agent's browser; it leads to sites only."
)
@click.option(
    "-o",
    "out",
    type=_FOLDER,
    help="Each visit becomes an episode of a run in this folder; adds to the run that is there.",
)
@click.option("--as", "client", default="", help="What to call your agent, in the agent's name.")
@click.option(
    "--webarena",
    "tasks",
    metavar="FOLDER",
    type=_FOLDER,
    help="Serve clients of WebArena the tasks that rehearse export --to webarena wrote.",
)
@click.option("--json", "as_json", is_flag=True, help="First line: addresses and token as JSON.")
@catalogue_options
def serve(
    sites: tuple[str, ...],
    port: int,
    open_sessions: bool,
    attributes: bool,
    one_port: bool,
    jailed: bool,
    for_webshop: bool,
    out: Path | None,
    client: str,
    tasks: Path | None,
    as_json: bool,
    catalogue: CatalogueSource | None,
) -> None:
    """Serve the sites and their control plane for people and for your own agents.

    \b
    Example:
      rehearse serve --site store:8000 --port 8001
      rehearse serve -o runs/mine --as my-agent
      rehearse serve --webarena tasks -o runs/mine
    """
    from evaluators.run import catalogues, signals
    from evaluators.server import serve

    options = sites, port, open_sessions, one_port, jailed, attributes, for_webshop, out, client
    run = None
    with signals.graceful_stop(), catalogues.in_use(catalogue, _say):
        serving = serve.serve(*options, tasks)
        with contextlib.suppress(KeyboardInterrupt), serving as served:
            run = served.run
            if served.warning:
                click.echo(f"rehearse: {served.warning}", err=True)
            click.echo(json.dumps(served.addresses()) if as_json else served.greeting())
            sys.stdout.flush()
            served.wait()
        if run:
            _show_outside(run, as_json)


def _show_outside(run: OutsideRun, as_json: bool) -> None:
    """Print the table of a run that an agent outside made; with `as_json`, its folder on stderr."""
    from evaluators.report import console_table

    summary = run.summary()
    if summary is None:
        click.echo("no page of a scenario was shown, so nothing was recorded", err=True)
    elif as_json:
        click.echo(f"run: {run.folder}", err=True)
    else:
        console_table.table(summary, run.folder)


@main.command("mcp")
@_SUITES
@several("--family", "families", metavar="NAME", help="Families; they need --seeds.")
@_SEEDS
@click.option("--client", default="", help="What to call the client, in the agent's name.")
@click.option("--max-steps", type=click.IntRange(min=0), help="As in rehearse run.")
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0),
    help="As in rehearse run; waiting for the client does not count.",
)
@click.option(
    "-o", "out", type=_FOLDER, help="The run's folder; resumes the run there, or adds to it."
)
@click.option("--headed", is_flag=True, help="Show the browser.")
def mcp_command(**options: Any) -> int:
    """Let an MCP client do tasks with three tools over stdin and stdout (extra: mcp).

    \b
    Example:
      rehearse mcp --suite store-20 -o runs/desktop
    """
    from evaluators.commands import mcp

    return mcp.serve(_say, **options)


@main.group("new")
def new_group() -> None:
    """Write the first files of a site, or of a family of tasks."""


@new_group.command("site")
@click.argument("name")
def new_site(name: str) -> None:
    """Write a declared site with one page, which works at once.

    \b
    Example:
      rehearse new site library
    """
    from evaluators.commands import new

    _show_new(new.site(name), new.next_steps(name))


@new_group.command("family")
@click.argument("site")
@click.argument("name")
def new_family(site: str, name: str) -> None:
    """Write a family of tasks NAME for the declared site SITE, which works at once.

    \b
    Example:
      rehearse new family library borrow_book
    """
    from evaluators.commands import new

    _show_new(new.family(site, name), new.next_steps(site, name))


def _show_new(files: list[Path], next_steps: str) -> None:
    click.echo("\n".join(map(str, files)))
    _say(next_steps)


@main.group()
def exemplars() -> None:
    """Build and measure Synapse's exemplars and the memory that retrieves them."""


_EPISODES = several(
    "--episode", "episodes", metavar="NAME", help="Only these; without it, all that succeeded."
)
_EMBEDDER = click.option(
    "--embedder", default="hashed", show_default=True, help="hashed, minilm, openai[/MODEL]."
)


@exemplars.command("build")
@_EMBEDDER
@several("--task", "tasks", metavar="NAME", help="Only these tasks.")
@click.option("--paper", is_flag=True, help="Only the 48 tasks of the paper's memory.")
@click.option("--original", is_flag=True, help="Of widgets on the original MiniWoB++ pages.")
@click.option("-o", "out", type=_FOLDER, required=True, help="A folder without exemplars.")
def exemplars_build(
    embedder: str, tasks: tuple[str, ...], paper: bool, original: bool, out: Path
) -> None:
    """Run the expert, and write exemplar files and a memory for `exemplars=DIR`.

    \b
    Examples:
      rehearse exemplars build --embedder minilm -o exemplars
      rehearse exemplars build --paper -o paper-exemplars
      rehearse exemplars build --paper --original -o original-exemplars
    """
    from evaluators.commands.exemplars import build, memory_keys

    chosen = [*tasks, *(memory_keys.paper_tasks() if paper else ())]
    if original:
        chosen, unread = memory_keys.on_original_pages(chosen or memory_keys.known("widgets"))
        if not chosen:
            raise click.UsageError(
                f"the expert cannot read the page of {', '.join(unread)}; name another --task"
            )
        for each in unread:
            _say(f"left out: {each}, because the expert cannot read its page")
    click.echo(build.build(out, embedder, chosen, partial(click.echo, err=True)))


@exemplars.command("from-run")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@_EMBEDDER
@_EPISODES
@click.option("-o", "out", type=_FOLDER, required=True, help="A folder without exemplars.")
@_OWN_FAMILIES
@catalogue_options
def exemplars_from_run(
    folder: Path,
    embedder: str,
    episodes: tuple[str, ...],
    out: Path,
    families: tuple[str, ...],
    catalogue: CatalogueSource | None,
) -> None:
    """Write the successful episodes of a run, of people or agents, as exemplars with a memory.

    \b
    Example:
      rehearse exemplars from-run runs/first -o exemplars
    """
    from evaluators.commands.exemplars import from_run

    click.echo(
        from_run.build(
            folder, out, embedder, partial(click.echo, err=True), episodes, families, catalogue
        )
    )


@exemplars.command("from-mind2web")
@click.argument("data", metavar="DATA", type=click.Path(path_type=Path))
@click.option("--split", default="train", show_default=True, help="The split of DATA.")
@click.option("--site", required=True, help="The site on whose pages they are shown.")
@_EMBEDDER
@click.option("-o", "out", type=_FOLDER, required=True, help="A folder without exemplars.")
def exemplars_from_mind2web(data: Path, split: str, site: str, embedder: str, out: Path) -> None:
    """Write recorded tasks in the format of Mind2Web as exemplars for living pages.

    \b
    Example:
      rehearse exemplars from-mind2web DATA --site store -o exemplars
    """
    from evaluators.commands.exemplars import from_mind2web

    say = partial(click.echo, err=True)
    click.echo(from_mind2web.build(data, split, site, out, embedder, say))


@exemplars.command("table")
@_EMBEDDER
@click.option("--site", default="widgets", show_default=True, help="Of this site.")
@click.option("--json", "as_json", is_flag=True)
def exemplars_table(embedder: str, site: str, as_json: bool) -> None:
    """Measure how often the memory finds a task of the right kind for a fresh page.

    \b
    Example:
      rehearse exemplars table --site widgets
    """
    from evaluators.commands import listing
    from evaluators.commands.exemplars import build

    found, total = build.table(embedder, site)
    rows = build.rows(found)
    if as_json:
        _print_json({**asdict(total), "rows": rows})
    else:
        listing.table(rows)
        click.echo(total.text)


@main.group()
def policies() -> None:
    """Make examples for SteP's policies."""


@policies.command("from-run")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@_EPISODES
@_OWN_FAMILIES
def policies_from_run(folder: Path, episodes: tuple[str, ...], families: tuple[str, ...]) -> None:
    """Print the successful episodes of a run, of people or agents, as examples of a policy.

    \b
    Example:
      rehearse policies from-run runs/first --episode react/crm/TASK_CANCEL_FLIGHT/0
    """
    from evaluators.commands import policy_examples

    say = partial(click.echo, err=True)
    click.echo(policy_examples.from_run(folder, say, episodes, families), nl=False)


main.add_command(mind2web)


@main.command()
@click.option("--headed", is_flag=True, help="Show the browser.")
@click.option("--slow", type=click.FloatRange(min=0), default=0, help="Milliseconds an action.")
@click.option("-o", "out", type=click.Path(path_type=Path))
def demo(headed: bool, slow: float, out: Path | None) -> int:
    """Run five agents on store, CRM and widgets, offline; print a table and write a report.

    \b
    Example:
      rehearse demo --headed --slow 500
    """
    from evaluators.commands import demo

    return demo.show(headed=headed, slow_ms=slow, out=out)


if __name__ == "__main__":
    main()
