"""Texts that would run if a page were careless, in every place that a report shows."""

from __future__ import annotations

import json
from pathlib import Path

from agent.llm.completion import completion
from agent.llm.recording.cassette import CassetteWriter
from evaluators.report.texts import visible
from tests.evaluators.report.handmade import (
    FENCED,
    Written,
    action,
    call,
    end,
    event,
    look,
    record,
    say,
    use,
)
from tests.evaluators.report.reader import Reader

EVIL = (
    "<script>window.ran = 1; alert(1)</script></script>"
    '<img src=x onerror="window.ran = 2; alert(2)"><svg onload="window.ran = 3">'
    '<a href="javascript:alert(4)">go</a> javascript:alert(5) \' " ` ]]> {{ 7 * 7 }} '
    "one\u2028two\u2029three \x00 \ud800 &lt;b&gt; \U0001f600 <!--<script>"
)

RECORDED = EVIL.replace("\ud800", "?")
"""As a file of UTF-8 has it."""
SHOWN = visible(RECORDED)
"""As a page shows it where it comes from such a file."""
AGENT = "react<script>alert(7)<"
"""The name of an agent is that of a folder, so it is shorter."""


def plant(run: Written) -> None:
    """Every text that comes from a page, a model or a name is planted."""
    names = {"agents": [EVIL], "scenarios": [EVIL], "llm": f"replay:{EVIL}"}
    run.begin(run=EVIL, label=EVIL, config=names, versions={EVIL: EVIL}, started_at=EVIL)
    made = record(
        AGENT,
        **dict.fromkeys(("instruction", "answer", "error", "model"), EVIL),
        options={EVIL: EVIL},
        events={EVIL: 1},
        checks=[{"name": EVIL, "held": False, "found": EVIL, "wanted": EVIL}],
        collateral=[EVIL],
        reward_parts={EVIL: {EVIL: EVIL}},
        by_purpose={EVIL: use()},
        hashes={EVIL: EVIL},
        progress_steps=[{"name": EVIL, "progress": 0.5}],
    )
    trace = [
        look(0, EVIL, url="javascript:alert(6)", title=EVIL),
        call(1, EVIL, calls=[{"name": EVIL, "arguments": EVIL}], purpose=EVIL),
        event(EVIL, EVIL, **{EVIL: EVIL}),
        action(1, EVIL, EVIL),
        look(1, EVIL, error=EVIL),
        {"kind": "error", "text": EVIL},
        end(error=EVIL, cause=EVIL),
    ]
    home = run.add(made, trace, prompts=[])
    writer = CassetteWriter(home / "llm.jsonl", "scripted", {})
    prompt = [say("system", EVIL), say(EVIL, FENCED.format(EVIL))]
    tools = [{"type": "function", "function": {"name": EVIL}}]
    asked = {"model": EVIL, "messages": prompt, "tools": tools}
    writer.write(RECORDED, asked, completion([EVIL]))  # the trace has this purpose too
    writer.close()
    world = {RECORDED: [{RECORDED: RECORDED}]}
    (home / "final_world.json").write_text(json.dumps(world))
    cut = run.add(record('torn"><script>alert(8)<'))
    (cut / "episode.json").write_text('{"<script>alert(9)</script>')
    wrong = run.add(record("refuse"))
    ending = {**record("refuse").to_json(), "ended": "<script>alert(10)</script>"}
    (wrong / "episode.json").write_text(json.dumps(ending))


def nothing_ran(reader: Reader, target: Path) -> None:
    assert reader.ask("typeof window.ran") == "undefined"
    assert reader.dialogs == [] and reader.troubles == []
    assert reader.requests == [target.as_uri()]
    assert reader.ask("document.querySelectorAll('img, iframe, object, embed, base').length") == 0
    ours = "[...document.scripts].filter((each) => each.type !== 'application/json').length"
    assert reader.ask(ours) == 1
    links = reader.ask(
        "[...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href'))"
    )
    assert links and all(link.startswith("#") for link in links)
    handlers = (
        "[...document.querySelectorAll('*')].filter((each) =>"
        " [...each.attributes].some((one) => one.name.startsWith('on'))).length"
    )
    assert reader.ask(handlers) == 0
