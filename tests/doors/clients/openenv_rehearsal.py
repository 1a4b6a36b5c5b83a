"""Use the environment of OpenEnv as its clients do, and print the results as JSON.

`python openenv_rehearsal.py FOLDER`: the folder is `clients/openenv-rehearsal`, whose server runs
in this process at a free port. It and its `validation` have to be on PYTHONPATH.
"""

import asyncio
import json
import re
import socket
import sys
import threading
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import httpx
import oracle
import uvicorn
import yaml
from openenv import GenericEnvClient
from openenv.cli._validation import validate_running_environment
from openenv.core.env_server.mcp_types import CallToolAction, ListToolsAction
from openenv.core.mcp_client import MCPToolClient
from oracle import call
from server.app import app

from evaluators.integrations import openenv as ours
from evaluators.integrations.ground_thread import shared

DECLARED = yaml.safe_load(Path(sys.argv[1], "openenv.yaml").read_text())["validation"]
TASKS = [("reply:test", 0), ("count_negative_comments:test", 1), ("forum-60", 7), ("shop-60", 3)]
CLICK = call("click", element=2)


@contextmanager
def served(application):
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


async def refusal(coroutine):
    try:
        await coroutine
    except Exception as error:
        return str(error)
    return ""


async def experts(url):
    """The last result of each task, as its expert plays it."""
    ends = [await oracle.play(url, *task) for task in TASKS]
    return [(end.reward, end.done, end.observation["metadata"]) for end in ends]


async def floors(url):
    async with GenericEnvClient(base_url=url) as client:
        ends = []
        for split, index in TASKS:
            await client.reset(split=split, index=index)
            ends.append((await client.step(call("stop"))).reward)
        return ends


async def worlds(url):
    """Two clients with the same task: what one does is not seen by the other."""
    async with GenericEnvClient(base_url=url) as one, GenericEnvClient(base_url=url) as other:
        first = [await each.reset(split="reply:test", index=2, seed=5) for each in (one, other)]
        seeded = await other.reset(split="reply:test", seed=2)
        moved = await one.step(CLICK)
        waiting = await other.step(call("note", text="I wait."))
        repeated = await one.reset(split="reply:test", index=2)
        return {
            "equal": first[0].observation == first[1].observation == seeded.observation,
            "titles": [
                re.findall("title: '(.*)'", each.observation["result"]) for each in (moved, waiting)
            ],
            "again": repeated.observation == first[0].observation,
            "opened": {**first[0].observation, "text": ""},
            "fields": sorted(moved.observation),
            "rewards": [first[0].reward, moved.reward],
        }


async def refusals(url):
    async with GenericEnvClient(base_url=url) as client:
        found = {"before": await refusal(client.step(CLICK))}
        for name, asked in {
            "split": {"split": "no-such-split"},
            "kind": {"split": ["reply:test"]},
            "huge": {"split": "reply:test", "index": 10**30},
            "negative": {"split": "reply:test", "index": -1},
            "word": {"split": "reply:test", "index": "1"},
        }.items():
            found[name] = await refusal(client.reset(**asked))
        await client.reset(split="reply:test", index=0, episode_id="mine")
        calls = {
            "element": call("click", element=999),
            "tool": call("jump"),
            "missing": call("click"),
            "wrong": call("click", element="door"),
            "extra": call("click", element=2, gold=True),
            "long": call("note", text="x" * 50_000),
        }
        for name, action in calls.items():
            found[name] = (await client.step(action)).observation["error"]
        state = await client.state()
        await client.step(call("stop"))
        found["after"] = await refusal(client.step(CLICK))
        return {**found, "state": [state["episode_id"], state["step_count"]]}


async def inside():
    """Several steps at once in one session, a fault of a site, and a session closed twice."""
    place = ours.TextEnvironment()
    await place.reset_async(split="reply:test", index=0)
    action = CallToolAction(tool_name="click", arguments={"element": 2})

    async def at_once():
        steps = (place._step(action) for _ in range(3))
        return await asyncio.gather(*steps, return_exceptions=True)

    ends = [type(each).__name__ for each in await asyncio.to_thread(shared().run, at_once())]
    session = place._session
    session._episode.page.world.write("DROP TABLE submissions")
    front = CallToolAction(tool_name="click", arguments={"element": 1})
    fault = await refusal(place.step_async(front))
    await place.reset_async(split="reply:test", index=0)

    async def cut_off():
        step = asyncio.ensure_future(place._step(action))
        await asyncio.sleep(0)
        await session.close()
        return await refusal(step)

    cut = await asyncio.to_thread(shared().run, cut_off())
    place.close()
    place.close()
    return {"at_once": ends, "fault": fault, "cut": cut, "closed": bool(session.closed)}


async def places():
    """Ask for more sessions than there are: at a server, and 10,000 in a process."""
    with served(ours.application(sessions=2)) as url:
        async with AsyncExitStack() as stack:
            held = [await stack.enter_async_context(GenericEnvClient(base_url=url)) for _ in "ab"]
            for each in held:
                await each.reset(split="reply:test", index=0)
            third = GenericEnvClient(base_url=url)
            refused = await refusal(third.reset(split="reply:test", index=0))
            await refusal(third.close())
        async with GenericEnvClient(base_url=url) as client:
            freed = (await client.reset(split="reply:test", index=0)).observation["goal"] != ""
    asked = [ours.TextEnvironment(sessions=3) for _ in range(10_000)]
    named = [await refusal(each.reset_async(split="reply:test", index=0)) for each in asked]
    for each in asked:
        each.close()
    left = len(shared(0.0, 3).ground.sessions) + len(shared(0.0, 2).ground.sessions)
    return {"refused": refused, "freed": freed, "named": named, "left": left}


async def over_http(url):
    async with httpx.AsyncClient(base_url=url) as client:

        async def post(path, **body):
            answer = await client.post(path, json=body)
            return [answer.status_code, answer.json()]

        listed = (await client.get("/rehearsal/splits")).json()
        return {
            "splits": [each["name"] for each in listed],
            "num": await post("/rehearsal/num_tasks", split="forum-60"),
            "tasks": await post("/rehearsal/tasks", split="reply:train"),
            "range": await post("/rehearsal/task_range", split="reply:test", start=98, stop=None),
            "unknown": await post("/rehearsal/num_tasks", split="no-such-split"),
            "huge": await post("/rehearsal/task", split="forum-60", index=60),
            "before": await post("/step", action=CLICK),
            "tools": await post("/mcp", jsonrpc="2.0", id=1, method="tools/list"),
            "reset": (await post("/reset", split="reply:test", index=0))[0],
            "schema": (await client.get("/schema")).json(),
        }


async def over_mcp(url):
    """As OpenEnv's own client for tools plays."""
    async with MCPToolClient(base_url=url) as client:
        opened = await client.reset(split="reply:test", index=0)
        shown = await client.call_tool("click", element=2)
        ended = await client.step(CallToolAction(tool_name="stop"))
        return {
            "tools": [each.name for each in await client.list_tools()],
            "goal": opened.observation.goal,
            "shown": shown["result"],
            "end": [ended.reward, ended.done],
        }


async def in_a_loop():
    """As NeMo-Gym's adapter plays: synchronous calls inside an event loop."""
    place = ours.TextEnvironment()
    place.reset()
    tools = [each.name for each in place.step(ListToolsAction()).tools]
    place.reset(split="reply:test", index=0)
    typed = {"element": 3, "text": None}
    shown = place.step(CallToolAction(tool_name="click", arguments={"element": 2, "text": None}))
    missing = place.step(CallToolAction(tool_name="type", arguments=typed))
    ended = place.step(CallToolAction(tool_name="stop", arguments={"answer": None}))
    place.close()
    return {
        "tools": tools,
        "shown": shown.result,
        "missing": str(missing.error.message),
        "end": [ended.reward, ended.done],
    }


async def main():
    with served(app) as url:
        found = {
            each.__name__: await each(url)
            for each in (experts, floors, worlds, refusals, over_http, over_mcp)
        }
        report = await asyncio.to_thread(validate_running_environment, url)
    found |= {each.__name__: await each() for each in (inside, places, in_a_loop)}
    found["report"] = {each["id"]: each["passed"] for each in report["criteria"]}
    print(json.dumps(found | {"declared": DECLARED}))


asyncio.run(main())
