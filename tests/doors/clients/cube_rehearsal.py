"""Use the package cube-rehearsal as CUBE's harnesses do, and print one JSON object of findings."""

import asyncio
import json
import multiprocessing
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx2
from cube.core import Action
from cube.integrations.nemogym import (
    CloseRequest,
    CubeResourcesServer,
    SeedSessionRequest,
    StepRequest,
    VerifyRequest,
)
from cube.seed import BasicSeedGenerator
from cube.server import make_task_jsonrpc_app
from cube.task import TaskConfig
from rehearsal_cube.benchmark import RehearsalBenchmarkConfig
from rehearsal_cube.catalogue import tasks
from rehearsal_cube.debug import make_debug_agent
from rehearsal_cube.task import RehearsalTaskConfig

from scenarios import registry

REPLY = "forum.reply.0"
FINDINGS = {}


def finding(find):
    """Keep what the function returns under its name."""
    FINDINGS[find.__name__] = find()
    return find


def config(task=REPLY, seed=None):
    return RehearsalTaskConfig(metadata=tasks()[task], seed=seed)


def refused(call, *arguments):
    """The name and the text of the error that a call raises."""
    try:
        call(*arguments)
    except Exception as error:
        return [type(error).__name__, str(error)]
    return None


def stepped(task, name, **arguments):
    """The outcome of a step: the error, the last text, the reward, and the end."""
    out = task.step(Action(name=name, arguments=arguments))
    text = out.obs.contents[-1].data if out.obs.contents else ""
    return {
        "error": out.error and out.error.error_type,
        "text": text,
        "reward": out.reward,
        "done": out.done,
        "info": out.info,
    }


def first(task):
    """The goal and the first page of a new episode."""
    return [content.data for content in task.reset()[0].contents]


def won(task, agent):
    """The rewards of the expert's episode."""
    task.reset()
    rewards, done = [], False
    while not done:
        out = task.step(agent(None, []))
        rewards.append(out.reward)
        done = out.done
    return rewards


@finding
def subsets():
    all_of = RehearsalBenchmarkConfig()
    sizes = {name: all_of.named_subset(name).num_tasks for name in all_of.named_subsets()}
    return {"sizes": sizes, "all": all_of.num_tasks, "said": all_of.benchmark_metadata.num_tasks}


@finding
def unknown():
    forged = tasks()[REPLY].model_copy(update={"scenario": "forum/repyl/0"})
    task = RehearsalTaskConfig(metadata=forged).make()
    try:
        with RehearsalBenchmarkConfig().subset_from_list(["forum.reply.1"]).make() as benchmark:
            outside = refused(benchmark.spawn, config())
        listed = refused(RehearsalBenchmarkConfig().subset_from_list, ["forum.repyl.0"])
        return {"outside": outside, "listed": listed, "forged": refused(task.reset)}
    finally:
        task.close()


@finding
def out_of_order():
    task = config().make()
    found = {
        "stepped": stepped(task, "click", element=1),
        "evaluated": refused(task.evaluate),
    }
    task.reset()
    found["stopped"] = stepped(task, "final_step")
    found["after"] = stepped(task, "click", element=1)
    found["again"] = task.evaluate()
    task.reset()
    found["fresh"] = task.finished()
    task.close()
    task.close()
    return {**found, "closed": stepped(task, "click", element=1), "reset": refused(task.reset)}


@finding
def bad_arguments():
    task = config().make()
    task.reset()
    calls = {
        "name": {"element": "Buy"},
        "none": {},
        "more": {"element": 1, "x": 2},
        "list": {"element": [1]},
        "absent": {"element": 99999},
    }
    found = {name: stepped(task, "click", **arguments) for name, arguments in calls.items()}
    found["long"] = stepped(task, "type", element=1, text="x" * 30_000)
    found["half"] = stepped(task, "type", element=1, text="\ud800")
    found["open"] = not task.finished()
    task.close()
    return found


@finding
def spent():
    task = config().make()
    task.reset()
    out, steps = {"done": False}, 0
    while not out["done"]:
        out = stepped(task, "click", element=99999)
        steps += 1
    task.close()
    return {**out, "steps": steps, "most": tasks()[REPLY].recommended_max_steps}


@finding
def fault():
    """A table of the world is gone, so the site fails."""
    task = config().make()
    task.reset()
    world = task.tool._session._episode.page.world
    world.write("DROP TABLE submissions")
    steps = [refused(partial(stepped, task, "click", element=at)) for at in range(1, 6)]
    verdict = refused(task.evaluate)
    task.reset()
    fresh = task.finished()
    task.close()
    return {"steps": steps, "verdict": verdict, "fresh": fresh}


@finding
def seeds():
    scenarios = {seed: config("reply.train", seed).scenario for seed in (None, 0, 1, 2**32 - 1)}
    training = RehearsalBenchmarkConfig().subset_from_list(["reply.train", "forum.l1.train"])
    training.seed_generator = BasicSeedGenerator(n_seed=3, meta_seed=0)
    drawn = [each.scenario for each in training.get_task_configs()]
    return {"train": scenarios, "drawn": drawn, "frozen": refused(config(REPLY, 3).make)}


@finding
def given():
    task = config().make()
    goal, page = first(task)
    found = {
        "goal": goal,
        "instruction": registry.scenario("forum/reply/0").instruction,
        "page": page,
        "privileged": task.get_privileged_info().data,
        "info": task.reset()[1],
        "tools": {each.name: each.parameters for each in task.action_set},
    }
    task.close()
    return found


@finding
def worlds():
    """Two tasks of one scenario in two threads: one plays while the other waits at its page."""
    one, two = config().make(), config().make()
    with ThreadPoolExecutor(2) as pool:
        before = [*pool.map(first, (one, two))]
        rewards = pool.submit(won, one, make_debug_agent(REPLY)).result()
        third = pool.submit(first, two).result()
        second = two.evaluate()[0]
    one.close()
    two.close()
    return {"same": before[0] == before[1] == third, "rewards": rewards, "second": second}


def _in_child(written, end):
    task = TaskConfig.model_validate_json(written).make()
    end.send(first(task))
    task.close()


@finding
def forked():
    """A task of a forked process, which CUBE's servers use, while this process has one open."""
    task = config().make()
    here = first(task)
    mine, child = multiprocessing.Pipe()
    fork = multiprocessing.get_context("fork")
    process = fork.Process(target=_in_child, args=(config().model_dump_json(), child))
    process.start()
    there = mine.recv()
    process.join()
    task.close()
    return {"same": here == there, "ended": process.exitcode}


@finding
def served():
    """The task behind CUBE's JSON-RPC, whose event loop calls it."""
    task = config().make()

    async def asked():
        transport = httpx2.ASGITransport(app=make_task_jsonrpc_app(task))
        async with httpx2.AsyncClient(transport=transport, base_url="http://task") as client:

            async def ask(method, **params):
                body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
                return (await client.post("/", json=body)).json()

            return {
                "early": await ask("cube/evaluate"),
                "tools": await ask("tools/list"),
                "reset": await ask("cube/reset"),
                "step": await ask("cube/step", name="note", arguments={"text": "hello"}),
                "evaluate": await ask("cube/evaluate"),
                "privileged": await ask("cube/privileged_info"),
                "close": await ask("cube/close"),
            }

    return asyncio.run(asked())


@finding
def nemo_gym():
    """The benchmark behind CUBE's server for NeMo-Gym."""
    server = CubeResourcesServer(RehearsalBenchmarkConfig().subset_from_list([REPLY]))
    session, agent = server.seed_session(SeedSessionRequest(task_idx=0)), make_debug_agent(REPLY)
    rewards, done = [], False
    while not done:
        action = agent(None, [])
        call = {"name": action.name, "arguments": action.arguments}
        reply = server.step(StepRequest(env_id=session.env_id, action=call))
        rewards.append(reply.reward)
        done = reply.done
    verdict = server.verify(VerifyRequest(env_id=session.env_id)).reward
    server.close_session(CloseRequest(env_id=session.env_id))
    server.benchmark.close()
    return {"rewards": rewards, "verdict": verdict, "tools": len(session.tools)}


left_open = config().make()  # a program that forgets to close a task still ends
left_open.reset()
json.dump(FINDINGS, sys.stdout)
