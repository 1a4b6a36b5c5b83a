"""A successful episode of any agent as an exemplar, a policy's example, and lines to train on."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehearse
from agent import prompting
from agent.llm.recording.cassette import Cassette
from agent.methods.step import policy_library
from agent.methods.synapse import exemplar_files, memory
from evaluators.commands import policy_examples
from evaluators.commands.exemplars import from_run
from evaluators.commands.exemplars.build import BadExemplarFolder
from evaluators.episode.budget import NO_LIMITS, Limits
from evaluators.episode.demonstration import NoDemonstration
from evaluators.records import episode_names, run_folder, training_lines
from evaluators.records.training_lines import NothingToTrainOn
from evaluators.run import api
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry

SHOP = "store/buy_item/1000"


def run_of(
    out: Path, agent: str, family: str, seeds: range, lane: str = "text", limits: Limits = NO_LIMITS
) -> Path:
    tasks, executor = registry.from_family(family, seeds), ExecutorConfig(lane=lane)
    api.run([agent], tasks, RunConfig(out=out, executor=executor, limits=limits))
    return out


def recorded(run: Path, name: str) -> list[str]:
    """The actions of an episode, with the verb in capitals as exemplars have it."""
    text = (episode_names.find(run, name) / "trace.jsonl").read_text()
    done = [each["action"] for each in map(json.loads, text.splitlines()) if "action" in each]
    return [re.sub(r"^\w+", lambda verb: verb[0].upper(), each) for each in done]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """Two purchases by ReAct, which names elements by their texts."""
    return run_of(tmp_path_factory.mktemp("runs") / "shop", "react", "buy_item", range(1000, 1002))


@pytest.fixture(scope="module")
def made(shop, tmp_path_factory):
    lines, out = [], tmp_path_factory.mktemp("made")
    return from_run.build(shop, out, "hashed", lines.append), lines


# Exemplars ----------------------------------------------------------------------------------------


def test_an_episode_becomes_an_exemplar_of_its_actions_with_the_end(shop, made):
    folder, lines = made
    assert lines == ["store/buy_item.toml", "store/keys.jsonl"]
    exemplars = exemplar_files.load("store", "buy_item", folder)
    assert exemplars.abstraction == "ranked" and len(exemplars.exemplars) == 2
    rounds = exemplars.exemplars[0].rounds
    done = recorded(shop, SHOP)
    assert rounds[-1].actions == "STOP []" and len(rounds) == len(done) + 1
    for turn, action in zip(rounds, done, strict=False):
        page = exemplar_files.page(turn, "html")
        number = int(re.findall(r"\d+", turn.actions)[0])
        [name] = [each.name for each in page.elements if each.id == number]
        assert action in (turn.actions, f"CLICK [{name}]"), "by number where ReAct has the name"
        assert f'data-id="{number}"' in turn.observation


def test_the_keys_are_the_tasks_of_the_episodes(shop, made):
    folder, _ = made
    keys = memory.load(folder / "store" / "keys.jsonl").keys
    records = [record for _, record in run_folder.found(shop)]
    assert [each.instruction for each in keys] == [each.instruction for each in records]
    assert {each.task for each in keys} == {"buy_item"}


def test_synapse_plays_with_exemplars_of_a_run(made, tmp_path):
    folder, _ = made
    run = run_of(tmp_path / "run", f"synapse:exemplars={folder}", "buy_item", range(3, 4))
    [record] = run_folder.episodes(run)
    assert record.success and record.exemplars.shown > 0


def test_programs_are_made_of_an_episode_on_a_widget(tmp_path):
    """Actions whose elements the page has stand in one program; the program is run again."""
    run = run_of(tmp_path / "run", "react", "login-user", range(1000, 1001), lane="browser")
    from_run.build(run, tmp_path / "made", "hashed", print)
    [exemplar] = exemplar_files.load("widgets", "login-user", tmp_path / "made").exemplars
    [turn] = exemplar.rounds
    name, password = re.findall(r'"(.*?)"', exemplar.instruction)
    typed = [turn.actions.index(f"agent.type('{each}')") for each in (name, password)]
    assert typed == sorted(typed) and turn.actions.count("agent.click_xpath") == 3


def test_what_failed_is_left_out_and_said(shop, tmp_path):
    failed = run_of(tmp_path / "run", "nothing", "buy_item", range(1))
    with pytest.raises(NoDemonstration, match=r"no successful episode.*run its tasks"):
        from_run.build(failed, tmp_path / "made", "hashed", print)
    lines = []
    with pytest.raises(NoDemonstration):
        from_run.build(failed, tmp_path / "made", "hashed", lines.append, ["1"])
    assert lines == ["left out: nothing/store/buy_item/0/0 did not succeed"]
    assert not (tmp_path / "made").exists()


def test_an_action_on_another_page_is_not_made_an_exemplar(shop, tmp_path):
    """The element that the trace names is another one now: as after a change of the site."""
    run = Path(shutil.copytree(shop, tmp_path / "run"))
    home = episode_names.find(run, SHOP)
    text = (home / "trace.jsonl").read_text()
    (home / "trace.jsonl").write_text(text.replace("searchbox 'Search products'", "link 'Gone'"))
    lines = []
    with pytest.raises(NoDemonstration):
        from_run.build(run, tmp_path / "made", "hashed", lines.append, [SHOP])
    assert len(lines) == 1 and "finds another page now" in lines[0]


def test_a_folder_with_exemplars_is_kept(shop, made):
    with pytest.raises(BadExemplarFolder, match="is there already"):
        from_run.build(shop, made[0], "hashed", print)


# A policy's examples ------------------------------------------------------------------------------


def test_an_episode_becomes_a_trajectory_of_a_policy(shop, tmp_path):
    text = policy_examples.from_run(shop, print, [SHOP])
    [trajectory] = tomllib.loads(text)["trajectories"]
    done = recorded(shop, SHOP)
    assert [each["action"].partition(" ")[0] for each in trajectory["turns"]] == [
        *(each.partition(" ")[0].lower() for each in done),
        "stop",
    ]
    for turn in trajectory["turns"][:-1]:
        number = re.findall(r"\[(\d+)\]", turn["action"])[0]
        assert f"[{number}] " in turn["page"] and not turn["page"].startswith("url:")
    folder = Path(shutil.copytree(prompting.FOLDER, tmp_path / "prompts"))
    root = folder / "step" / "store" / "root.toml"
    root.write_text(root.read_text() + text)
    examples = policy_library.load("store", folder).root.examples
    assert examples[-1].objective == trajectory["objective"]
    assert len(examples[-1].previous) == len(done)


# Lines to train on --------------------------------------------------------------------------------


def test_a_run_becomes_a_line_for_each_request(shop, tmp_path):
    out = tmp_path / "train.jsonl"
    ran = CliRunner().invoke(rehearse.main, ["export", str(shop), "--sft", str(out)])
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert ran.exit_code == 0 and f"{len(lines)} lines" in ran.output
    calls = [
        call
        for home, _ in run_folder.found(shop)
        for call in Cassette.read(home / "llm.jsonl").calls
    ]
    assert len(lines) == len(calls) > 0
    for line, call in zip(lines, calls, strict=True):
        *asked, reply = line["messages"]
        assert asked == call.request["messages"]
        assert reply == {
            "role": "assistant",
            "content": call.reply["choices"][0]["message"]["content"],
        }


def test_a_reply_that_could_not_be_read_is_no_line(shop, tmp_path):
    """A trace says after which request the model was asked again."""
    run = Path(shutil.copytree(shop, tmp_path / "run"))
    path = episode_names.find(run, SHOP) / "trace.jsonl"
    whole = [*training_lines._lines(path.parent)]
    events = path.read_text().splitlines()
    second = [place for place, line in enumerate(events) if '"kind": "call"' in line][1]
    events.insert(second + 1, '{"word": "reask", "what": "", "kind": "event"}')
    path.write_text("\n".join(events) + "\n")
    assert [*training_lines._lines(path.parent)] == [whole[0], *whole[2:]]


def test_only_successful_episodes_are_trained_on(tmp_path):
    failed = run_of(tmp_path / "run", "react", "buy_item", range(1), limits=Limits(calls=2))
    assert not any(each.success for each in run_folder.episodes(failed))
    with pytest.raises(NothingToTrainOn, match="no successful episode"):
        training_lines.export(failed, tmp_path / "train.jsonl")
    ran = CliRunner().invoke(rehearse.main, ["export", str(failed), "--sft", "a", "-o", "b"])
    assert ran.exit_code != 0 and "give one of them" in str(ran.output) + str(ran.exception)
