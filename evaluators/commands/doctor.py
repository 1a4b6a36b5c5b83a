"""Is this machine ready? Python, browser, ports, key, site data; and the remedy where it is not."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("agent", "sites", "scenarios", "evaluators")
SYSTEM_PACKAGES = ("chromium-headless-shell", "chromium")


@dataclass(frozen=True)
class Finding:
    """`fatal` findings that are not well make the exit code 1."""

    what: str
    well: bool
    detail: str
    fatal: bool = True


def examine(*, fix: bool = False) -> list[Finding]:
    """Look at everything; with `fix`, install a Chromium where there is none."""
    return [
        Finding("python", sys.version_info >= (3, 11), sys.version.split()[0]),
        *_packages(),
        _browser(fix),
        _ports(),
        _site_data(),
        _key(),
    ]


def report(findings: Sequence[Finding]) -> bool:
    """Print the findings; whether all that matter are well."""
    for each in findings:
        mark = "ok" if each.well else "MISSING" if each.fatal else "note"
        print(f"{mark:8} {each.what:10} {each.detail}")  # noqa: T201
    return all(each.well or not each.fatal for each in findings)


def _packages() -> Iterator[Finding]:
    """Generic names such as `agent` may belong to another project on this machine."""
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
    """Playwright's headless shell, or the system's package where we may install one."""
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
        done = subprocess.run(  # noqa: S603 (our own words)
            command, env=environment, capture_output=True, text=True, check=False, timeout=600
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"  failed: {error}")  # noqa: T201
        return False
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or [f"exit code {done.returncode}"]
        why = next((line.strip() for line in said if "rror" in line), said[-1])
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


def _site_data() -> Finding:
    """Whether this machine makes the data that the frozen suites were made on."""
    from scenarios import registry, suites

    wanted = {
        (site, digest) for name in suites.names() for site, digest in suites.load(name).data.items()
    }
    wrong = sorted({site for site, digest in wanted if registry.site_data(site).digest != digest})
    if wrong:
        remedy = f"{', '.join(wrong)}: not what the suites were frozen on; reinstall this version"
        return Finding("site data", False, remedy)
    return Finding("site data", True, "as the suites froze it")


def _key() -> Finding:
    well = bool(os.environ.get("OPENAI_API_KEY"))
    detail = "set" if well else "OPENAI_API_KEY is not set; only live runs need it"
    return Finding("key", well, detail, fatal=False)
