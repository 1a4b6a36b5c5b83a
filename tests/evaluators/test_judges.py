"""Every site with families has a judge."""

from __future__ import annotations

import pytest

import evaluators.judges
from agent import plugins
from evaluators import casting

SITES = sorted({module.SITE for module in casting.family_modules().values()})


@pytest.mark.parametrize("site", SITES)
def test_a_site_has_a_judge(site):
    assert callable(casting.judge(site).judge)


def test_every_judge_belongs_to_a_site():
    assert set(plugins.names(evaluators.judges)) <= set(casting.site_names())
