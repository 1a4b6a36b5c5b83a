"""Action programs: what they can write, what they may call, and how they end."""

from __future__ import annotations

import asyncio
import textwrap

import pytest

from agent.interface import BudgetExceeded
from agent.sandbox import CallFailed, Limits, ProgramError
from agent.sandbox.monty import MontyRunner
from tests.each import for_each

TICKET = """
# From a town by its name, to an airport by its code
agent.click_xpath("//*[@id='from']")
agent.type("Galway, IE")
agent.press("arrowdown")
agent.press("enter")
agent.click_xpath("//*[@id='to']")
agent.type("(ORK)") # a code stands in parentheses
agent.press("arrowdown")
agent.press("enter")
# The calendar shows December; October is two clicks back
agent.click_xpath("//*[@id='day']")
for _ in range(2):
    agent.click_xpath("//*[@title='Back']")
agent.click_xpath("//a[text()='7']")
agent.click_xpath("//*[@id='search']")
"""


def test_a_program_with_a_loop_does_its_calls_in_order(sandbox):
    assert sandbox.act(TICKET) == [
        ("click_xpath", "//*[@id='from']"),
        ("type", "Galway, IE"),
        ("press", "arrowdown"),
        ("press", "enter"),
        ("click_xpath", "//*[@id='to']"),
        ("type", "(ORK)"),
        ("press", "arrowdown"),
        ("press", "enter"),
        ("click_xpath", "//*[@id='day']"),
        ("click_xpath", "//*[@title='Back']"),
        ("click_xpath", "//*[@title='Back']"),
        ("click_xpath", "//a[text()='7']"),
        ("click_xpath", "//*[@id='search']"),
    ]


@for_each(
    ("program", "typed"),
    [
        ("def say(x):\n    agent.type(x * 2)\nsay('ab')\nsay('c')", ["abab", "cc"]),
        ("for x in sorted(['b', 'a'], key=lambda x: x):\n    agent.type(f'{x!r:>4}')",
         [" 'a'", " 'b'"]),
        ("n = 3\nwhile n:\n    if n != 2:\n        agent.type(str(n))\n    n -= 1", ["3", "1"]),
        ("[agent.type(w) for w in 'to be'.split()]", ["to", "be"]),
        ("say = agent.type\nsay('x')\nsay(characters='y')", ["x", "y"]),
        ("agent.type(characters='z')", ["z"]),
        ("try:\n    int('x')\nexcept ValueError as e:\n    agent.type(str(e)[:7])", ["invalid"]),
        ("match 2:\n    case 1: agent.type('one')\n    case _: agent.type('many')", ["many"]),
        ("import re, math\nagent.type(re.sub(r'\\D', '', 'a1b2') + str(math.floor(2.7)))", ["122"]),
        ("x: int = 1\nagent.type('%d-%s' % (x, 'é漢'))", ["1-é漢"]),
        ("async def f():\n    agent.type('later')\nawait f()", ["later"]),
        ("print('nobody reads this')\nagent.type('x')", ["x"]),
        ("# nothing to do", []),
        ("", []),
    ],
)  # fmt: skip
def test_what_programs_are_written_with(sandbox, program, typed):
    assert sandbox.act(program) == [("type", text) for text in typed]


def test_all_five_methods_reach_the_host(sandbox):
    program = "agent.movemouse('//i')\nagent.click_option('//option')\nagent.press('space')"
    assert [method for method, _ in sandbox.act(program)] == ["movemouse", "click_option", "press"]


def test_nothing_is_printed(sandbox, capfd):
    sandbox.act("print('a')\nprint('b' * 100000)")
    assert capfd.readouterr() == ("", "")


@for_each(
    ("call", "message"),
    [
        ("agent.type()", "takes one string, characters"),
        ("agent.type('a', 'b')", "takes one string, characters"),
        ("agent.type(text='a')", "takes one string, characters"),
        ("agent.type('a', characters='b')", "takes one string, characters"),
        ("agent.type(7)", "takes one string, characters"),
        ("agent.press(None)", "takes one string, key"),
        ("agent.click_xpath(['//a'])", "takes one string, xpath"),
        ("agent.click_xpath(b'//a')", "takes one string, xpath"),
        ("agent.movemouse(agent)", "takes one string, xpath"),
        ("agent.click_option('x' * 4097)", "at most 4,096 characters"),
        ("agent.goto('http://store.localhost')", "agent has no goto; it has type, click_xpath"),
        ("agent.Type('x')", "agent has no Type"),
        ("go = agent.goto", "agent has no goto"),
        ("agent('x')", "agent has no __call__"),
    ],
)
def test_other_calls_are_refused_with_the_line(sandbox, call, message):
    with pytest.raises(ProgramError) as caught:
        sandbox.act(f"agent.type('first')\n{call}\nagent.type('last')")
    assert (caught.value.kind, caught.value.line) == ("refused", 2)
    assert str(caught.value).startswith("line 2: ") and message in caught.value.why
    assert sandbox.done == [("type", "first")]


def test_an_argument_may_be_just_as_long_as_the_limit(sandbox):
    assert sandbox.act("agent.type('x' * 4096)") == [("type", "x" * 4096)]


def test_the_calls_are_counted_over_the_whole_program(sandbox):
    flood = "for n in range(100):\n    agent.press('enter')"
    with pytest.raises(ProgramError, match="line 2: the program makes more than 7 calls") as caught:
        sandbox.act(flood, calls=7)
    assert caught.value.kind == "limit"
    assert len(sandbox.done) == 7
    assert len(sandbox.act(flood, calls=100)) == 100


def test_what_the_browser_could_not_do_ends_the_program(sandbox):
    async def no_match(argument: str) -> None:
        if argument == "//b":
            raise CallFailed("no element\nmatches //b")

    with pytest.raises(ProgramError) as caught:
        sandbox.act(
            "try:\n    agent.click_xpath('//a')\n    agent.click_xpath('//b')\n"
            "except BaseException:\n    pass\nagent.click_xpath('//c')",
            then=no_match,
        )
    assert (caught.value.kind, str(caught.value)) == ("failed", "line 3: no element matches //b")
    assert [argument for _, argument in sandbox.done] == ["//a", "//b"]


@pytest.mark.parametrize("problem", [BudgetExceeded("steps", 3), KeyError("bug")])
def test_what_the_host_raises_passes_unchanged_and_cannot_be_caught(sandbox, problem):
    async def spent(argument: str) -> None:
        raise problem

    with pytest.raises(type(problem)) as caught:
        sandbox.act(
            "while True:\n    try:\n        agent.press('a')\n    except BaseException:\n"
            "        pass",
            then=spent,
        )
    assert caught.value is problem
    assert len(sandbox.done) == 1
    assert sandbox.act("agent.type('on')") == [("type", "on")]


def test_the_time_of_the_host_is_not_the_programs(sandbox):
    sandbox.runner = MontyRunner(Limits(seconds=0.5))

    async def slow(argument: str) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + 0.51
        while loop.time() < end:
            await asyncio.to_thread(pow, 3, 100_000)

    assert len(sandbox.act("agent.press('a')\nagent.press('b')", then=slow)) == 2


@for_each(
    ("program", "kind", "line", "message"),
    [
        ("agent.press('a')\nagent.press('b'", "syntax", 2, "SyntaxError"),
        ("x = 1\n  y = 2", "syntax", 2, "SyntaxError"),
        ("Click on the button", "syntax", 1, "SyntaxError"),
        ("agent.type('\ud800')", "syntax", None, "surrogates"),
        ("def f():\n    yield 1", "unsupported", 2, "yield"),
        ("class A(dict):\n    pass", "unsupported", 1, "class inheritance"),
        ("import selenium", "unsupported", 1, "No module named 'selenium'"),
        ("x = 1\ncallable(x)", "unsupported", 2, "there is no callable here"),
        ("x = 1\ny = input", "unsupported", 2, "there is no input here"),
        ("list(map(agent.type, ['a']))", "unsupported", 1, "cannot suspend"),
        ("x = 1\n\nprint(y)", "runtime", 3, "NameError: name 'y' is not defined"),
        ("def f():\n    go()\nf()", "runtime", 2, "NameError: name 'go' is not defined"),
        ("def f(n):\n    return 1 / n\n\nf(0)", "runtime", 2, "ZeroDivisionError"),
        ("raise ValueError('a\\nb' * 1000)", "runtime", 1, "ValueError: a ba b"),
        ("assert 1 == 2", "runtime", 1, "AssertionError"),
        ("while True:\n    pass", "limit", None, "longer than 2 s"),
        ("x = 1\nx = 'a' * 10**9", "limit", 2, "more than 64 MB"),
        ("def f():\n    f()\nf()", "limit", 2, "too deeply"),
        ("#" * 20_001, "limit", None, "longer than 20,000 characters"),
    ],
)
def test_how_a_program_fails_is_said_in_one_line(sandbox, program, kind, line, message):
    with pytest.raises(ProgramError) as caught:
        sandbox.act(program)
    assert (caught.value.kind, caught.value.line) == (kind, line)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)
    assert "python-input" not in str(caught.value) and "/" not in str(caught.value)


def test_a_program_may_end_in_lines_of_another_system(sandbox):
    program = textwrap.dedent(TICKET).replace("\n", "\r\n")
    assert len(sandbox.act(program)) == 13


def test_clock_and_dice_are_the_same_each_time_and_sleeping_takes_no_time(sandbox):
    program = """
import asyncio, datetime, random, time
time.sleep(10**6)
await asyncio.sleep(10**6)
agent.type(f"{random.random()} {random.sample(range(99), 5)} {time.time()} {time.perf_counter()}")
agent.type(f"{datetime.datetime.now()} {datetime.date.today()} {hash('a')} {list({'b', 'a', 'c'})}")
"""
    first = list(sandbox.act(program))
    assert "946684800.0" in first[0][1] and "2000-01-01 00:00:00 2000-01-01" in first[1][1]
    assert sandbox.act(program) == first


def test_a_call_has_the_result_of_the_host_and_agent_the_methods_that_are_given(runner):
    asked = []

    async def host(method: str, argument: str) -> str:
        asked.append((method, argument))
        return f"{argument}, seen"

    program = (
        "page = agent.look('a lamp')\nassert 'lamp' in page\nlook = agent.look\nlook(thing=page)"
    )
    own = {"look": "thing"}
    runner.run(MontyRunner().act(program, host, calls=2, methods=own))
    assert asked == [("look", "a lamp"), ("look", "a lamp, seen")]
    with pytest.raises(ProgramError, match="agent has no press; it has look"):
        runner.run(MontyRunner().act("agent.press('enter')", host, calls=2, methods=own))
