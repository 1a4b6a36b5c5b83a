"""Runs made by hand, written by the same code that writes real ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from agent.llm.completion import completion
from agent.llm.recording.cassette import CassetteWriter
from evaluators.records import files, run_folder
from evaluators.records.models import EpisodeRecord, RunManifest
from tests.evaluators.records.example_records import episode, manifest, sum_up

AGENTS = ("expert", "react", "nothing")


def record(agent: str = "react", seed: int = 0, **changes: Any) -> EpisodeRecord:
    """A whole episode.json; a failed episode of react unless it is changed."""
    success = changes.get("success", False)
    made = {
        "episode": f"{agent}/store/buy_item/{seed}/0",
        "scenario": f"store/buy_item/{seed}",
        "seed": seed,
        "agent": agent,
        "method": agent.partition("@")[0],
        "success": success,
        "success_published": success,
        "progress": 1.0 if success else 0.25,
        "reward": 1.0 if success else 0.5,
        "reward_strict": float(success or 0),
        "reward_parts": {
            "published": {"reward": 0.5, "r_type": 1.0, "w_att": 1 / 3},
            "strict": {"reward": 0.0, "r_type": 0.0, "matched": {"attributes": []}},
        },
        "checks": [
            {"name": "one purchase", "held": True, "found": "1 purchase", "wanted": "1 purchase"},
            {"name": "price", "held": bool(success), "found": "$30.00", "wanted": "at most $20.00"},
        ],
        "attempts": [{"success": bool(success), "progress": 0.25, "actions": 2}],
        "steps": 2,
        "llm_calls": 2 if agent.startswith("react") else 0,
        "events": {"think": 1},
        "usage": {"completion": 5, "prompt": 1000 + seed},
        "cost_usd": 0.0,
        "by_purpose": {"react/act": use()},
        "hashes": {"scenario": "abc123", "cassette": ""},
    }
    return episode(**made | changes)


def use(**changes: Any) -> dict[str, Any]:
    """What the requests of a purpose took."""
    tokens = {"prompt_tokens": 1000, "completion_tokens": 5}
    return {"calls": 2, **tokens, "model_s": 0.01, "cost_usd": None, **changes}


def look(step: int, text: str, error: str | None = None, **changes: Any) -> dict[str, Any]:
    shown = {"url": f"http://store.localhost/{step}", "title": f"Page {step}", "text": text}
    return {
        "kind": "observation",
        "step": step,
        **shown,
        "error": error,
        "capped": False,
        **changes,
    }


def call(number: int, reply: str, **changes: Any) -> dict[str, Any]:
    return {
        "kind": "call",
        "call": number,
        "purpose": "react/act",
        "reply": [reply],
        "calls": [],
        "tokens": [500, 3],
        "model_s": 0.004,
        **changes,
    }


def event(word: str, what: str = "", **details: Any) -> dict[str, Any]:
    return {"kind": "event", "word": word, "what": what, **details}


def action(step: int, text: str, target: str = "") -> dict[str, Any]:
    return {"kind": "action", "step": step, "action": text, "target": target}


def end(**changes: Any) -> dict[str, Any]:
    return {"kind": "end", "ended": "answered", "cause": "", "answer": "", "error": "", **changes}


TRACE = (
    look(0, "start page as text"),
    call(1, "think[hm]"),
    event("think", "hm"),
    action(1, "click [Lamp]", "link 'Lamp'"),
    look(1, "lamp page as text", error="No element on this page is named Lamp."),
    call(2, "click[Buy]"),
    action(2, "click [Buy]", "button 'Buy'"),
    look(2, "receipt as text"),
    end(),
)


def say(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


FENCED = "<<<observation\n{}\nobservation>>>\nAction:"
FIRST = (
    say("system", "You shop in a web store for somebody."),
    say("user", FENCED.format("start as the model saw it")),
)
SECOND = (
    *FIRST,
    say("assistant", "think[hm]"),
    say("user", FENCED.format("lamp as the model saw it")),
)
PROMPTS = ((FIRST, "think[hm]"), (SECOND, "click[Buy]"))
Prompts = Sequence[tuple[Sequence[Mapping[str, Any]], str]]


@dataclass
class Written:
    """A run's folder under construction."""

    path: Path
    manifest: RunManifest | None = None

    def begin(self, config: Mapping[str, Any] = MappingProxyType({}), **changes: Any) -> None:
        settings = {"agents": list(AGENTS), "scenarios": ["store/buy_item/0"], **config}
        self.manifest = manifest("first-light", settings, **changes)
        run_folder.save_manifest(self.path, self.manifest)

    def add(
        self,
        made: EpisodeRecord,
        trace: Sequence[Mapping[str, Any]] = TRACE,
        prompts: Prompts = PROMPTS,
    ) -> Path:
        """Write an episode; its folder."""
        home = run_folder.folder(self.path, made.agent, made.family, made.seed, made.trial)
        home.mkdir(parents=True)
        files.save(home / "episode.json", made.to_json())
        lines = "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in trace).encode(
            "utf-8", "replace"
        )
        (home / "trace.jsonl").write_bytes(lines)
        world = {"log_pages": [{"id": 1}], "purchases": [{"asin": "B000000001", "price": 30.0}]}
        files.save(home / "final_world.json", world)
        if made.llm_calls:
            self.record(home / "llm.jsonl", prompts)
        sum_up(home)
        return home

    def record(self, path: Path, prompts: Prompts) -> None:
        writer = CassetteWriter(path, "scripted", {})
        for messages, reply in prompts:
            asked = {"model": "scripted", "messages": list(messages)}
            writer.write("react/act", asked, completion([reply]))
        writer.close()
