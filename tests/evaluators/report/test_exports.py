"""The tables and charts for a paper: CSV, LaTeX and SVG say what the records say."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from evaluators.analysis.summary import summary
from evaluators.records import run_folder
from evaluators.report import (
    csv_tables,
    exports,
    figures,
    latex_table,
    loading,
    page,
    simulated,
    svg_files,
)
from evaluators.report.exports import Exports
from rehearse import main
from tests.evaluators.report.handmade import Written, record
from tests.evaluators.report.planted import AGENT, plant
from tests.measuring import HANG
from tests.sources import ROOT


@pytest.fixture
def recorded(run: Written) -> Written:
    """Two episodes each of expert, react and nothing; react won one."""
    for seed in (0, 1):
        run.add(record("expert", seed, success=True))
        run.add(record("react", seed, success=seed == 0))
        run.add(record("nothing", seed, cost_usd=None))
    return run


def tables(run: Written, folder: Path) -> dict[str, list[dict[str, str]]]:
    made = exports.write(run.path, Exports(csv=folder))
    assert [path.name for path in made] == [*csv_tables.TABLES, "columns.csv"]
    return {path.stem: rows_of(path) for path in made}


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# CSV ---------------------------------------------------------------------------------------------


def test_rows_of_agents_and_families_are_those_of_the_summary(recorded, tmp_path):
    recorded.add(record("react", 2, family="find_price", scenario="store/find_price/2"))
    made = tables(recorded, tmp_path / "csv")
    for name, by in (("agents", "site"), ("families", "family")):
        rows = summary("", run_folder.episodes(recorded.path), by).rows
        assert len(made[name]) == len(rows) > 2
        for shown, row in zip(made[name], rows, strict=True):
            assert (shown["agent"], shown["site"]) == (row.agent, row.site)
            assert float(shown["success"]) == row.success
            ends = (float(shown["success_low"]), float(shown["success_high"]))
            assert ends == row.success_ci
            assert shown["scored"] == str(row.scored) == shown["answered"]
            assert shown["cost_usd"] == ("" if row.cost_usd is None else str(row.cost_usd))
    assert [row["family"] for row in made["families"]].count("find_price") == 1


def test_every_episode_is_a_row_whose_yes_and_no_can_be_summed(recorded, tmp_path):
    recorded.add(record("react", 5, success=None, ended="infra_error", cause="site"))
    rows = [row for row in tables(recorded, tmp_path)["episodes"] if row["agent"] == "react"]
    assert [row["success"] for row in rows] == ["1", "0", ""]
    assert [row["failed_checks"] for row in rows][:2] == ["", "price"]
    assert [row["prompt_tokens"] for row in rows][:2] == ["1000", "1001"]
    assert rows[2]["ended"] == "infra_error" and rows[2]["failure"] == ""


def test_the_class_of_a_failure_is_that_of_the_summary(recorded, tmp_path):
    recorded.add(record("mine", 5, success=False, ended="agent_error", cause="exception"))
    rows = [row for row in tables(recorded, tmp_path)["episodes"] if row["success"] == "0"]
    assert all(row["failure"] for row in rows)
    assert [row["failure"] for row in rows if row["agent"] == "mine"] == ["exception"]
    [mine] = [
        row for row in summary("", run_folder.episodes(recorded.path)).rows if row.agent == "mine"
    ]
    assert mine.failures == {"exception": 1}


def test_every_column_is_explained_beside_the_data_and_on_the_page(recorded, tmp_path):
    made = tables(recorded, tmp_path)
    explained = {(row["file"], row["column"]): row["meaning"] for row in made["columns"]}
    shown = {(f"{name}.csv", column) for name, rows in made.items() for column in rows[0]}
    assert shown - {*explained} == {("columns.csv", each) for each in ("file", "column", "meaning")}
    about = (ROOT / "docs" / "from-run-to-paper.md").read_text(encoding="utf-8")
    for (_, column), meaning in explained.items():
        assert meaning.endswith(".")
        assert f"| `{column}` | {meaning} |" in about or column == "family" in about


def test_the_columns_of_a_model_are_empty_for_agents_that_ask_none(run, tmp_path):
    """As the manifest of a live run of react, rules and nothing says it."""
    settings = {"agents": ["react", "rules", "nothing"], "models": {"react": "gpt-x"}}
    run.begin(config={**settings, "prompts": {"react": {"store": "0" * 64}}, "llm": "live"})
    run.add(record("react", 0, model="gpt-x"))
    for agent in ("rules", "nothing"):
        run.add(record(agent, 0, model="scripted", llm_calls=0))
    for rows in ("agents", "episodes", "families"):
        found = {row["agent"]: row for row in tables(run, tmp_path)[rows]}
        shown = {
            agent: [row[each] for each in csv_tables.OF_MODELS] for agent, row in found.items()
        }
        assert shown == {
            "react": ["gpt-x", "", ""], "rules": ["", "", ""], "nothing": ["", "", ""]
        }  # fmt: skip


def test_a_setting_without_a_value_in_a_part_is_left_out_of_the_configuration(run):
    first, *_ = run.manifest.parts
    live = first.config.model_copy(update={"model": "mock-1", "llm": "live", "confirm": "stop"})
    added = first.model_copy(update={"config": live})
    shown = figures.settings(run.manifest.with_parts([first, added]))
    assert (shown["model"], shown["confirm"]) == ("mock-1", "stop")
    assert [
        value for value in shown.values() if "None" in value or value.strip("; ") != value
    ] == []


@pytest.mark.parametrize("text", ["=1+2", "+1", "-1", "@SUM(A1)", "\t=1+2", " =1+2"])
def test_no_cell_is_a_formula(run, tmp_path, text):
    run.add(record("react", 0, failure=text, near_miss=text, cost_usd=0.5))
    [row] = tables(run, tmp_path)["episodes"]
    assert row["near_miss"] == row["failure"] == f"'{text}"
    assert row["cost_usd"] == "0.5"


# LaTeX -------------------------------------------------------------------------------------------


def latex(run: Written, target: Path) -> str:
    assert exports.write(run.path, Exports(latex=target)) == [target]
    return target.read_text(encoding="utf-8")


def test_the_table_has_intervals_and_the_number_of_episodes(recorded, tmp_path):
    text = latex(recorded, tmp_path / "table.tex")
    row = next(each for each in text.splitlines() if each.startswith("react &"))
    low, high = summary("", run_folder.episodes(recorded.path)).rows[2].success_ci
    assert row.startswith(f"react & store & 2 & 0.50 & [{low:.2f}, {high:.2f}] & 0.62")
    order = [text.index(each) for each in ("Ceiling", "expert &", "Agents", "react &", "Floor")]
    assert order == sorted(order)
    for block in text.split(r"\begin{tabular}")[1:]:
        head = next(each for each in block.splitlines() if each.startswith("Agent & Site"))
        assert {each.count(" & ") for each in block.splitlines() if each.endswith(r"\\")} == {
            *(0, head.count(" & "))
        }
    assert r"\toprule" in text and r"\midrule" in text and r"\bottomrule" in text
    assert r"\usepackage{booktabs}" in text and "Cost" not in text


def test_names_are_escaped(run, tmp_path):
    run.add(record("a_b{c}%&#$~^", 0, success=True))
    text = latex(run, tmp_path / "table.tex")
    assert r"a\_b\{c\}\%\&\#\$\textasciitilde{}\textasciicircum{} & store" in text
    assert latex_table.escaped("\\input{x} a--b é\n") == (
        r"\textbackslash{}input\{x\} a-{}-b ?" + "?"
    )


def test_nothing_planted_is_a_command_of_latex(run, tmp_path):
    plant(run)
    text = latex(run, tmp_path / "table.tex")
    ours = r"[%&#$_{}]|text\w+|char34|multicolumn|emph|,"
    ours += r"|(?:top|mid|bottom)rule|caption|label|begin|end|centering|small|smallskip"
    ours += r"|setlength|tabcolsep|par|allowbreak"
    body = "\n".join(each.removesuffix(r"\\") for each in text.splitlines()[1:])
    assert re.findall(rf"\\(?!{ours})", body) == []
    assert re.findall(r"[^\x20-\x7e\n]", body) == []
    bare = re.sub(r"\\.", "", body)
    assert bare.count("{") == bare.count("}")


@pytest.mark.parametrize(
    ("models", "says"),
    [
        (["scripted"], "The scripted model, a program and not a language model, answered"),
        (["gpt-x"], "gpt-x answered the requests of the agents."),
        (["person"], "A person answered requests."),
        (["gpt-x", "scripted"], "say nothing about how good a method is."),
    ],
)
def test_the_caption_says_what_was_simulated_and_who_answered(run, models, says):
    for seed, model in enumerate(models):
        run.add(record("react", seed, model=model))
    text = simulated.sentences(loading.read(run.path))
    assert "The sites were simulated (store: web shops)" in text and says in text
    assert ("say nothing about" in text) == ("scripted" in models)
    assert "brackets hold 95% score intervals" in text


def test_an_episode_without_a_verdict_is_counted_in_the_caption(recorded):
    recorded.add(record("react", 5, success=None, ended="infra_error", cause="site"))
    text = simulated.sentences(loading.read(recorded.path))
    assert "1 of 7 episodes have no verdict of ours and are in no figure." in text


def test_the_caption_names_all_parts_of_a_run_that_grew(run):
    first, *_ = run.manifest.parts
    added = first.model_copy(update={"label": "click-test 0:3"})
    run_folder.save_manifest(run.path, run.manifest.with_parts([first, added, first]))
    run.add(record("react", 0))
    assert f", {first.label}; click-test 0:3: 1 scenarios." in simulated.sentences(
        loading.read(run.path)
    )


LONG = ("anticipatory-reflection:paper@gpt-4o-mini", "sampled-alternatives")
MANY = ("react", "flat", "step", "lats", "laser", "synapse")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("agents", [LONG, MANY, (*MANY, *LONG), [f"agent-{n}" for n in range(12)]])
def test_the_table_fits_into_the_document_of_the_page(recorded, tmp_path, agents):
    """The page's own document, with every column, long names and many rows."""
    for agent in agents:
        for site in ("store", "widgets", "browsergym"):
            recorded.add(record(agent, 0, site=site, scenario=f"{site}/x/0", family=f"of-{site}",
                                method="react", cost_usd=12.5))  # fmt: skip
    latex(recorded, tmp_path / "table.tex")
    page = (ROOT / "docs" / "from-run-to-paper.md").read_text(encoding="utf-8")
    document = page.partition("```latex\n")[2].partition("```")[0]
    document = re.sub(r"\\includegraphics\[[^]]*\]\{[^}]*\}", "", document)
    (tmp_path / "paper.tex").write_text(document)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG)
    assert done.returncode == 0, done.stdout
    assert re.findall(r"Overfull.*|.*too large for page.*", done.stdout) == []


def test_a_cost_has_a_column_if_something_was_paid(run, tmp_path):
    run.add(record("react", 0, cost_usd=0.25))
    text = latex(run, tmp_path / "table.tex")
    assert "Cost (\\$)" in text and "& 0.25 " in text
    run.add(record("flat", 0, cost_usd=0.0042))
    assert "& 0.0042 " in latex(run, tmp_path / "table.tex")


def test_the_caption_says_what_tokens_and_cost_are_and_whether_the_run_is_finished(run, tmp_path):
    run.add(record("react", 0, cost_usd=0.25))
    text = latex(run, tmp_path / "table.tex")
    assert "Tokens are means over the scored episodes of a row. The cost is the sum" in text
    missing = loading.read(run.path).missing
    unfinished = f"The run is not finished: 1 of {1 + missing} episodes have ended."
    assert (unfinished in text) == bool(missing) and missing


# SVG ---------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def pictures(run: Written, folder: Path) -> dict[str, ElementTree.Element]:
    made = exports.write(run.path, Exports(svg=folder))
    assert len({*made}) == len(made)
    return {path.stem: ElementTree.parse(path).getroot() for path in made}


def words(root: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in root.iter(f"{SVG}text")]


@pytest.fixture
def charted(run: Written) -> Written:
    """A run that has every chart."""
    for skill, seed in ((1.0, 0), (0.5, 1)):
        name = f"react@scripted-{skill:g}"
        curve = {"progress": [[1, 0.5]], "no_return": None}
        skills = dict.fromkeys(("find", "inspect", "compute", "commit", "restrain"), 0.5)
        steps = [{"name": "open the item", "progress": 0.5}]
        left = [{"success": each, "progress": 0.0, "actions": 3} for each in (False, True)]
        more = {"progress_curve": curve, "skills": skills, "progress_steps": steps}
        plan = {"plan_length": [4, 6], "attempts": left}
        run.add(record(name, seed, success=seed == 0, skill=skill, **more, **plan))
    run.add(record("nothing", 0))
    return run


def test_each_chart_of_the_report_is_a_file(charted, tmp_path):
    made = pictures(charted, tmp_path / "charts")
    groups = (
        "success",
        "budget",
        "lengths",
        "inputs",
        "skills",
        "reach",
        "progress",
        "plans",
        "attempts",
        "skill",
    )
    assert {name.partition("-")[0] for name in made} == {*groups}
    source = page.html(loading.read(charted.path)).decode()
    drawn = len(re.findall(r'<svg class="(?:skills|reach|lengths)"|<figure class="chart"', source))
    assert len(made) - 1 == drawn, "and one for the intervals of the summary"


def test_a_chart_keeps_its_text_and_loads_nothing(charted, tmp_path):
    for name, root in pictures(charted, tmp_path).items():
        source = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
        assert words(root), name
        assert not re.search(r"var\(|url\(|href|<script|<image|@import", source), name
        assert source.replace("http://www.w3.org/2000/svg", "").count("://") == 0, name
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert "react" in words(pictures(charted, tmp_path)["skill-store-success-sticky"])


def test_the_chart_of_success_is_to_scale(recorded, tmp_path):
    root = pictures(recorded, tmp_path)["success-store"]
    ticks = {each.text: float(each.get("x", "")) for each in root.iter(f"{SVG}text")}
    zero, one = ticks["0"], ticks["1"]
    rows = {row.agent: row for row in summary("", run_folder.episodes(recorded.path)).rows}
    agents = [each for each in words(root) if each in rows]
    assert agents == ["expert", "react", "nothing"], "the ceiling first, the floor last"
    ranges = [each.get("d", "") for each in root.iter(f"{SVG}path") if each.get("class") == "range"]
    for agent, drawn in zip(agents, ranges, strict=True):
        low, high = re.fullmatch(r"M([\d.]+) \d+H([\d.]+)", drawn).groups()  # type: ignore[union-attr]
        shares = [(float(each) - zero) / (one - zero) for each in (low, high)]
        assert shares == pytest.approx(rows[agent].success_ci, abs=0.001)
    assert "0.50 (0.09–0.91), n = 2" in words(root)


def test_nothing_planted_ends_an_element_and_names_stay_in_the_folder(run, tmp_path):
    plant(run)
    folder = tmp_path / "charts"
    made = pictures(run, folder)
    assert AGENT in words(next(root for name, root in made.items() if name.startswith("success")))
    assert {each.tag for root in made.values() for each in root.iter()} <= {
        f"{SVG}{name}"
        for name in ("svg", "title", "desc", "style", "text", "path", "rect", "circle", "g")
    }
    assert {path.parent for path in tmp_path.rglob("*.svg")} == {folder}


def test_names_that_are_alike_are_numbered(charted):
    one = next(svg_files.drawings(loading.read(charted.path)))
    assert [each.name for each in svg_files._apart([one, one, one])] == [
        *("success-store", "success-store-2", "success-store-3")
    ]


# The command -------------------------------------------------------------------------------------


def rehearse(*words: object):
    return CliRunner().invoke(main, ["report", *map(str, words)])


def test_the_options_go_together_and_every_path_is_printed(recorded, tmp_path):
    out = tmp_path / "paper"
    options = ("--csv", out, "--latex", out / "table.tex", "--svg", out / "charts")
    done = rehearse(recorded.path, *options)
    assert done.exit_code == 0, done.output
    printed = [Path(each) for each in done.stdout.split()]
    assert {*printed} == {recorded.path / "report.html", *(p for p in out.rglob("*.*"))}
    assert {each.suffix for each in printed} == {".html", ".csv", ".tex", ".svg"}


@pytest.mark.parametrize("option", ["--csv", "--latex", "--svg"])
def test_a_run_under_way_is_not_for_a_paper(recorded, tmp_path, option):
    done = rehearse(recorded.path, "--live", option, tmp_path / "out")
    assert done.exit_code == 2 and "leave out --live" in done.stderr
