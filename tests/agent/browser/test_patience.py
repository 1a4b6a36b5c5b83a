"""A limit for pages that settle grows on a busy machine."""

from __future__ import annotations

import os

import pytest

from agent.browser.patience import MOST, patient


@pytest.mark.parametrize(("load", "factor"), [(0.0, 1.0), (16.0, 1.0), (32.0, 2.0), (900.0, MOST)])
def test_a_limit_grows_with_the_load_of_each_processor(monkeypatch, load, factor):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert patient(10.0) == 10.0 * factor


def test_a_system_that_tells_no_load_keeps_the_limit(monkeypatch):
    monkeypatch.delattr(os, "getloadavg", raising=False)
    assert patient(1500.0) == 1500.0
