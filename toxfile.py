"""Let `tox -e py312,py313` find the Pythons of pyenv, which puts only one of them on the path."""

from __future__ import annotations

import os
from pathlib import Path

from tox.config.sets import ConfigSet
from tox.plugin import impl
from tox.session.state import State


@impl
def tox_add_core_config(core_conf: ConfigSet, state: State) -> None:
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = sorted(map(str, root.glob("versions/3.*/bin/python3")))
    state.conf.options.discover = [*state.conf.options.discover, *found]
