"""Score a visit to a declared site by the rows that it changed, the pages that it opened and what
it answered. Each table that the gold changes has a check of its own; what is changed anywhere else
fails "nothing else".

Progress: the changes that are wanted and made, of those that are wanted or made; of a question,
half for the pages that tell and half for the answer, which counts once all were opened, divided by
one more than the changes made. Where both are asked for, 0.75 and 0.25.
"""

from __future__ import annotations

import json

from agent.interface import AnswerSchema
from evaluators.scoring import answers
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score
from scenarios import registry
from sites.kit import changes, plain
from sites.world import Snapshot

MOST = 0.99


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    gold, site = context.scenario.gold, registry.site_data(context.scenario.site).site
    wanted, made = set(plain(gold["changes"])), set(changes(site, after))
    tables = list(dict.fromkeys(each[0] for each in plain(gold["changes"])))
    checks = []
    for table in tables:
        missing = sorted(_text(each) for each in wanted - made if each[0] == table)
        extra = sorted(_text(each) for each in made - wanted if each[0] == table)
        held = not (missing or extra)
        checks.append(Check(table, held, "; ".join(extra) or "nothing else", "; ".join(missing) or "nothing more"))
    strays = sorted(_text(each) for each in made if each[0] not in tables)
    checks.append(Check("nothing else", not strays, "; ".join(strays), "no other change"))
    shown = {each for row in after["log_pages"] for each in json.loads(row["shown"])}
    pages = gold["evidence"]
    unopened = [each for each in pages if each not in shown]
    seen_share = 1 - len(unopened) / len(pages) if pages else None
    if pages:
        checks.append(Check("evidence", not unopened, f"not shown: {unopened}" if unopened else "all was shown", f"{len(pages)} rows shown"))
    if gold["end"]:
        page, args = gold["end"]
        last = [(row["page"], row["args"]) for row in after["log_pages"][-1:]]
        ended = last == [(page, json.dumps(args, sort_keys=True))]
        checks.append(Check("page at the end", ended, str(last), f"{page} {args}"))
        wide = any(row["page"] == page and all(f'"{v}"' in row["args"] for v in args.values())
                   for row in after["log_pages"])  # fmt: skip
        seen_share = (seen_share or 0.0) + (0.5 * wide + 0.5 * ended) / (1 if seen_share is None else 2)
    likeness = 0.0
    if "answer" in gold:
        schema = AnswerSchema(gold["answer"]["kind"])
        given, right = answers.read(schema, answer), answers.read(schema, gold["answer"]["text"])
        checks.append(Check("answer", given == right, answer[:200], gold["answer"]["text"]))
        likeness = float(given == right and not unopened)
    success = all(each.held for each in checks)
    state = len(wanted & made) / len(wanted | made) if wanted else None
    if state is None:
        asked = [each for each in (seen_share, likeness if "answer" in gold else None) if each is not None]
        progress = sum(asked) / len(asked) / (1 + len(made)) if asked else 0.0
    else:
        progress = state if seen_share is None else 0.75 * state + 0.25 * seen_share
    return Score(
        success=success,
        success_published=success,
        progress=1.0 if success else round(min(MOST, progress), 4),
        checks=tuple(checks),
        collateral=tuple(sorted(map(_text, made - wanted))),
        failure="" if success else "missed detail" if progress else "gave up",
    )


def _text(change: tuple[str, str, str, object]) -> str:
    return " ".join(str(part) for part in change)
