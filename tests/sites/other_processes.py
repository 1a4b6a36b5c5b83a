"""What is drawn in other processes, of other hash seeds and time zones: all of it in one for each.

A process takes a second to start and to import a site; so the tests that want one share it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.between import shared
from tests.measuring import unmeasured

ROOT = Path(__file__).parents[2]
PLACES = (("0", "UTC"), ("1", "Asia/Tokyo"))
"""Hash seed and time zone of each process."""
PRINTED = {
    "network": """
from sites.crm.base.airports import load_airports
from sites.crm.base.network import Network
print(Network(load_airports()).offers("OSL", "LGW", "2026-03-13"))
""",
    "seats": """
from sites.crm.base.airports import load_airports
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.base.network import Network
print(cabin(Network(load_airports()).on("OSL", "AMS", "2026-02-01")[0]).places)
""",
    "timetable": """
from sites.crm import load_data
print(load_data().digest)
""",
    "goods": """
from sites.store import load_data
from sites.store.market.goods import stock
print(stock.digest(), load_data().market.digest)
""",
    "country": """
import hashlib
from sites._land.land import land
made = land("small", 3)
drawn = repr((made.streets, made.districts, made.region, made.places))
print(hashlib.sha256(drawn.encode()).hexdigest())
""",
    "account": """
from random import Random
from sites.store import load_data
from sites.store.market.account.draw import draw_account
print(draw_account(Random("x"), load_data().market))
""",
    "first account": """
import json, tempfile
from pathlib import Path
from random import Random
from sites.store import load_data
from sites.store.account.draw import draw_account
with tempfile.TemporaryDirectory() as folder:
    data = load_data(300, 0, Path(folder))
    print(json.dumps(draw_account(Random("a"), data).to_json()))
    data.close()
""",
    "products": """
import hashlib
from sites.store.catalogue.generator import products
lines = "".join(each.to_json() for each in products(700, 5))
print(hashlib.sha256(lines.encode()).hexdigest())
""",
}
"""Programs, each of which prints one line."""
EACH = """
import contextlib, io, json, sys
printed = {}
for name, code in json.load(sys.stdin).items():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(code, {})
    printed[name] = out.getvalue().strip()
print(json.dumps(printed))
"""


def printed_elsewhere(name: str) -> set[str]:
    """What the program of that name prints in the other processes."""
    return {_printed(*place)[name] for place in PLACES}


def _printed(hash_seed: str, zone: str) -> dict[str, str]:
    found: dict[str, str] = shared("processes", hash_seed, lambda: _run(hash_seed, zone))
    return found


def _run(hash_seed: str, zone: str) -> dict[str, str]:
    with unmeasured():
        done = subprocess.run(
            [sys.executable, "-c", EACH],
            input=json.dumps(PRINTED),
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
        )
    found: dict[str, str] = json.loads(done.stdout)
    return found
