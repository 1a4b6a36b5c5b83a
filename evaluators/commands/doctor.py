"""Check this machine: Python, browser, ports, API key, site data. Each problem comes with a
remedy.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rehearsal_errors import first_few

ROOT = Path(__file__).parents[2]
PACKAGES = ("agent", "sites", "scenarios", "evaluators")
SYSTEM_PACKAGES = ("chromium-headless-shell", "chromium")
PYTHONS = ((3, 11), (3, 12), (3, 13))
"""The supported versions of Python, the oldest first."""


@dataclass(frozen=True)
class Finding:
    """The result of one check of this machine.

    If it is not `well` and `fatal`, the exit code of `rehearse doctor` is 1.
    """

    what: str
    well: bool
    detail: str
    fatal: bool = True


def examine(*, fix: bool = False) -> list[Finding]:
    """Check this machine in every respect and return the findings.

    Args:
        fix: Install a Chromium if none is found.
    """
    return [
        _python(sys.version_info[:3]),
        *_packages(),
        _browser(fix),
        _ports(),
        *_site_data(),
        *_policies(),
        _key(),
    ]


def report(findings: Sequence[Finding]) -> bool:
    """Print the findings and return whether none of them is a fatal problem."""
    for each in findings:
        mark = "ok" if each.well else "MISSING" if each.fatal else "note"
        print(f"{mark:8} {each.what:10} {each.detail}")  # noqa: T201
    return all(each.well or not each.fatal for each in findings)


def _python(version: tuple[int, ...]) -> Finding:
    """Return the finding about the Python version.

    An unsupported older Python is fatal, a newer one only gets a note.
    """
    number, names = _dotted(version), ", ".join(map(_dotted, PYTHONS))
    if version[:2] in PYTHONS:
        return Finding("python", True, number)
    return Finding("python", False, f"{number}; supported are {names}", version < PYTHONS[0])


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _packages() -> Iterator[Finding]:
    """Check that the imported packages are Rehearsal's: another project may have installed its own
    `agent`.
    """
    for name in PACKAGES:
        found = Path(str(importlib.import_module(name).__file__)).parent
        well = found.resolve() == (ROOT / name).resolve()
        detail = str(found) if well else f"{found} is another package; uninstall it"
        yield Finding(name, well, detail)


def _browser(fix: bool) -> Finding:
    from agent.browser.chromium import find_chromium
    from agent.browser.faults import NoBrowser

    try:
        found = find_chromium()
    except NoBrowser as error:
        return Finding("browser", False, str(error))
    if found is None and fix:
        install()
        found = find_chromium()
    remedy = "none found; run: rehearse doctor --fix"
    return Finding("browser", found is not None, str(found or remedy))


def install() -> None:
    """Install a browser: Playwright's headless shell, or as root, if that fails, the system's
    package.
    """
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    if _tried(command):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _tried(["apt-get", "update", "-qq"])
        for package in SYSTEM_PACKAGES:
            if _tried(["apt-get", "install", "-y", "-qq", package]):
                return
    print("no browser could be installed; install Chromium and set REHEARSE_CHROMIUM to it")  # noqa: T201


def _tried(command: Sequence[str]) -> bool:
    print(f"running: {' '.join(command)}", flush=True)  # noqa: T201
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(  # noqa: S603 (the commands of this file)
            command, env=environment, capture_output=True, text=True, check=False, timeout=600
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"  failed: {error}")  # noqa: T201
        return False
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or [f"exit {done.returncode}"]
        why = next((line.strip() for line in lines if "rror" in line), lines[-1])
        print(f"  failed: {why}")  # noqa: T201
    return done.returncode == 0


def _ports() -> Finding:
    from sites.server import PortInUse, Server

    try:
        from flask import Flask

        server = Server(Flask("doctor"))
    except PortInUse as error:
        return Finding("ports", False, str(error))
    server.close()
    return Finding("ports", True, "a loopback port can be had")


def _site_data() -> Iterator[Finding]:
    """Check that this machine generates the same site data as the machine on which the suites
    (fixed lists of scenarios) were recorded.
    """
    from scenarios import registry, suites

    loaded = [suites.load(name) for name in suites.names()]
    wanted = {(site, digest) for suite in loaded for site, digest in suite.data.items()}
    frozen = {name.partition(".")[0] for suite in loaded for name in suite.expert}
    found = {site: _digests(registry.site_data(site), frozen) for site, _ in wanted}
    wrong = sorted({site for site, digest in wanted if digest not in found[site]})
    if wrong:
        stale = sorted(
            each.name
            for each in loaded
            if any(each.data.get(site, "") not in found[site] for site in each.data)
        )
        yield Finding("site data", False, _changed(wrong, stale))
    else:
        yield Finding("site data", True, "as the suites froze it")
    for site in sorted(found):
        if new := sorted({*getattr(registry.site_data(site), "pages", ())} - frozen):
            yield Finding("site data", False, f"{site}: in no suite yet: {', '.join(new)}", False)


def _changed(sites: Sequence[str], stale: Sequence[str]) -> str:
    """Say which sites changed since their suites were frozen, and what to do."""
    return (
        f"{', '.join(sites)}: changed since the suites {first_few(stale)} were frozen. If you"
        " changed it, run: python -m tools.freeze_suites NAME (docs/determinism.md); if not, check"
        " out a release. All but these suites works"
    )


def _policies() -> Iterator[Finding]:
    """Yield findings about policies of SteP that the scripted model never calls, because no family
    has a step for them.
    """
    from agent import prompting
    from scenarios import registry
    from scenarios.scenario import start_host

    families = registry.family_modules().values()
    for path in sorted(prompting.FOLDER.glob("step/*/*.toml")):
        host = path.parent.name
        known = {
            step
            for each in families
            if host in {each.SITE, start_host(each)}
            for step in each.STEPS
        }
        steps = prompting.parse(path).get("steps", [])
        if steps and not known.intersection(steps):
            detail = (
                f"{path.parent.name}/{path.stem}: its steps ({', '.join(steps)}) are in the STEPS"
                " of no family, so the scripted model never calls it"
            )
            yield Finding("policy", False, detail, fatal=False)


def _digests(data: Any, frozen: Collection[str]) -> set[str]:
    """Return two digests of a site's data: of the whole, and of the parts that the suites use.

    Most sites have only the first.
    """
    whole: str = data.digest
    return {whole, data.digest_of(frozen)} if hasattr(data, "digest_of") else {whole}


def _key() -> Finding:
    well = bool(os.environ.get("OPENAI_API_KEY"))
    detail = "set" if well else "OPENAI_API_KEY is not set; only live runs need it"
    return Finding("key", well, detail, fatal=False)
