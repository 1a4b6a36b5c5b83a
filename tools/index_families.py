"""Write the index that `rehearse list` reads: `python -m tools.index_families`.

Do it when a family is added, or its name, level, tag or first line changes.
"""

from __future__ import annotations

import click

from scenarios import index

if __name__ == "__main__":
    click.echo(index.save())
