"""Every site with families has a scorer."""

from __future__ import annotations

import pytest

import evaluators.scoring.scorers
from agent import plugins
from evaluators.scoring.context import scorer
from scenarios import environments, registry

SITES = sorted({module.SITE for module in registry.family_modules().values()})


@pytest.mark.parametrize("site", SITES)
def test_a_site_has_a_scorer(site):
    assert callable(scorer(site).score)


def test_every_scorer_belongs_to_a_site():
    sites = {*registry.site_names(), environments.SITE}
    assert set(plugins.names(evaluators.scoring.scorers)) <= sites
