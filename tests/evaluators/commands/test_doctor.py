"""Is this machine ready?"""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace

import pytest

from agent import prompting
from agent.browser.chromium import find_chromium
from evaluators.commands import doctor
from evaluators.commands.doctor import Finding
from scenarios import registry
from sites.widgets import WidgetsData
from tests.each import for_each


def findings() -> dict[str, Finding]:
    return {each.what: each for each in doctor.examine()}


def test_a_machine_that_runs_these_tests_is_ready(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    found = findings()
    assert {"python", "agent", "sites", "scenarios", "evaluators", "ports"} <= set(found)
    if find_chromium() is not None:
        assert all(each.well for each in found.values() if each.fatal), found
    key = found["key"]
    assert not key.well and not key.fatal and "OPENAI_API_KEY" in key.detail


@for_each(
    ("version", "well", "fatal"),
    [
        ((3, 10, 14), False, True),
        ((3, 11, 0), True, True),
        ((3, 12, 1), True, True),
        ((3, 13, 9), True, True),
        ((3, 14, 0), False, False),
    ],
)
def test_an_older_python_is_refused_and_a_newer_one_gets_a_note(monkeypatch, version, well, fatal):
    monkeypatch.setattr(sys, "version_info", (*version, "final", 0))
    found = next(each for each in doctor.examine() if each.what == "python")
    assert (found.well, found.fatal) == (well, fatal)
    assert found.detail.startswith(".".join(map(str, version)))
    assert well or "3.11, 3.12, 3.13" in found.detail


def test_a_key_is_seen_and_never_shown(monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")
    found = findings()
    assert found["key"].well
    doctor.report(list(found.values()))
    assert "secret" not in capsys.readouterr().out


def test_the_report_says_what_matters(capsys):
    well = [Finding("a", True, "fine"), Finding("b", False, "only live", fatal=False)]
    assert doctor.report(well)
    assert not doctor.report([*well, Finding("c", False, "run this")])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ok", "note", "ok", "note", "MISSING"]
    assert lines[-1].endswith("run this")


def test_without_a_browser_the_remedy_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv("REHEARSE_CHROMIUM", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    browser = findings()["browser"]
    assert browser.fatal and not browser.well and "rehearse doctor --fix" in browser.detail


def test_a_page_in_no_suite_is_a_note_and_a_changed_one_an_error(monkeypatch):
    data = registry.site_data("widgets")
    page = data.pages["click-test"]

    def site_data(pages):
        return lambda site: WidgetsData(pages) if site == "widgets" else real(site)

    real = registry.site_data
    monkeypatch.setattr(registry, "site_data", site_data({**data.pages, "my-page": page}))
    well, note = doctor._site_data()
    assert well.well and not note.fatal and "my-page" in note.detail
    changed = {**data.pages, "click-test": replace(page, digest="other")}
    monkeypatch.setattr(registry, "site_data", site_data(changed))
    [wrong] = doctor._site_data()
    assert wrong.fatal and not wrong.well and "widgets" in wrong.detail
    assert "were frozen" in wrong.detail and "tools.freeze_suites" in wrong.detail


def test_the_suites_were_frozen_on_the_sites_of_this_tree():
    assert [each.detail for each in doctor._site_data() if not each.well] == []


def test_a_policy_that_serves_no_family_is_a_note(monkeypatch, tmp_path):
    shutil.copytree(prompting.FOLDER / "step", tmp_path / "step")
    monkeypatch.setattr(prompting, "FOLDER", tmp_path)
    assert [*doctor._policies()] == []
    policy = 'steps = ["look up price"]\n'
    (tmp_path / "step" / "store" / "find_price.toml").write_text(policy)
    [note] = doctor._policies()
    assert not note.well and not note.fatal
    assert "store/find_price" in note.detail and "look up price" in note.detail


def test_a_browser_that_is_named_and_not_there_is_a_finding(monkeypatch):
    """The other findings are still wanted."""
    monkeypatch.setenv("REHEARSE_CHROMIUM", "/no/such/chromium")
    browser = findings()["browser"]
    assert not browser.well and "/no/such/chromium" in browser.detail


def test_a_package_of_another_project_is_named(monkeypatch, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(doctor, "PACKAGES", ("elsewhere",))
    found = findings()["elsewhere"]
    assert not found.well and str(tmp_path) in found.detail


@pytest.mark.parametrize("command", [["false"], ["/no/such/program"]])
def test_an_install_that_fails_is_told_and_survived(command, capsys):
    assert doctor._tried(command) is False
    out = capsys.readouterr().out
    assert out.startswith("running: ") and "failed" in out
