"""Programs that mean harm: each ends with a typed error or does nothing, and the next one runs."""

from __future__ import annotations

from contextlib import nullcontext, suppress

import pytest

from agent.interface import BudgetExceeded
from agent.sandbox import ProgramError
from tests.each import for_each
from tests.measuring import unmeasured

HONEST = "for n in range(2):\n    agent.type(f'{n}')"
READING = "from bs4 import BeautifulSoup\nobs = BeautifulSoup(state).find('b', class_='x').text"

FILES = {
    "read a file": "agent.type(open('/etc/passwd').read()[:100])",
    "write a file": "open('/tmp/rehearsal-attack', 'w').write('x')",
    "read by pathlib": "import pathlib\nagent.type(pathlib.Path('/etc/hostname').read_text())",
    "is a file there": "import pathlib\nagent.type(str(pathlib.Path('/etc').exists()))",
    "list a folder": "import os\nagent.type(str(os.listdir('/')))",
    "environment": "import os\nagent.type(str(os.environ))",
    "one variable": "import os\nagent.type(os.getenv('PATH'))",
    "entropy": "import os\nagent.type(str(os.urandom(4)))",
    "read it by and by": "try:\n    open('x')\nexcept BaseException:\n    pass\nagent.type('on')",
}

IMPORTS = {
    "shell": "import subprocess\nsubprocess.run(['id'])",
    "sockets": "import socket",
    "foreign functions": "import ctypes",
    "our own package": "import agent.interface",
    "the sandbox itself": "import pydantic_monty",
    "pickle": "import pickle",
    "threads": "import threading",
    "garbage": "import gc",
    "frames": "import inspect",
    "import by name": "__import__('os').system('id')",
    "import by machinery": "import importlib\nimportlib.import_module('os')",
    "a page reader in an action program": "from bs4 import BeautifulSoup",
    "code objects": "compile('1', 'x', 'eval')",
    "the namespace": "globals()['agent']",
    "input": "input()",
}

ATTRIBUTES = {
    "system": "import os\nos.system('id')",
    "subclasses": "().__class__.__base__.__subclasses__()",
    "bases": "object.__subclasses__()",
    "builtins": "__builtins__['open']('/etc/passwd')",
    "loaded modules": "import sys\nsys.modules['os']",
    "frames by sys": "import sys\nsys._getframe()",
    "globals of a function": "def f(): pass\nf.__globals__",
    "code of a function": "(lambda: 0).__code__",
    "closure of a function": "(lambda: 0).__closure__",
    "the dictionary of agent": "agent.__dict__",
    "init of agent": "agent.__init__.__globals__",
    "format to globals": "agent.type('{0.__class__.__init__.__globals__}'.format(agent))",
    "format by index": "agent.type('{0[__class__]}'.format({}))",
    "traceback": "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_globals",
    "getattr chain": "getattr(getattr((), '__class__'), '__mro__')",
    "loader": "__loader__.load_module('os')",
    "a coroutine's frame": "async def f(): pass\nf().cr_frame",
}

CALLS = {
    "another method": "agent.goto('http://example.com')",
    "a private name": "agent._host",
    "the host's names": "agent.answer",
    "a method of a method": "agent.type.__self__",
    "a class of agents": "type(agent)('x')",
    "a method of the class": "type(agent).type(agent, 'x')",
    "agent as function": "agent('x')",
    "agent as mapping": "agent['type']('x')",
    "swallowing the refusal": "try:\n    agent.goto('x')\nexcept BaseException:\n    pass",
    "getattr with a default": "getattr(agent, 'goto', agent.type)('x')",
    "no argument": "agent.type()",
    "two arguments": "agent.type('a', 'b')",
    "keywords of another": "agent.type(**{'xpath': 'a'})",
    "starred": "agent.type(*'ab')",
    "100 kB of XPath": "agent.click_xpath('//a' + '[1]' * 33_000)",
    "ten megabytes": "agent.type('x' * 10**7)",
    "a list": "agent.type(['x'] * 1000)",
    "agent itself": "agent.type(agent)",
    "a function": "agent.type(print)",
    "a string that is none": "class S:\n    def __str__(self): return 'x'\nagent.type(S())",
    "itself in itself": "x = []\nx.append(x)\nagent.type(x)",
    "a deep list": "x = []\nfor n in range(500): x = [x]\nagent.type(x)",
    "raw control": "agent.type(b'\\x00')",
}

TIME = {
    "for ever": "while True: pass",
    "swallowing the limit": "while True:\n    try:\n        while True: pass\n"
    "    except BaseException:\n        pass",
    "swallowing it in finally": "def f():\n    try:\n        while True: pass\n    finally:\n"
    "        f()\nf()",
    "a long sum": "sum(range(10**13))",
    "a long search": "10**13 in (x for x in range(10**14))",
    "a backtracking one": "import re\nre.search('(?:(?=(a+))a)+b', 'a' * 50_000)",
    "a comparison that never ends": "class A:\n    def __eq__(self, o):\n        while True: pass\n"
    "[A()].index(1)",
    "a text that never ends": "class A:\n    def __str__(self):\n        while True: pass\n"
    "str(A())",
    "a slow key": "sorted(range(10**6), key=lambda n: sum(range(n)))",
    "counting": "import itertools\nfor n in itertools.count(): pass",
    "tasks": "import asyncio\nasync def f():\n    while True: await asyncio.sleep(0)\nawait f()",
    "much text to read": "exec('x = 1\\n' * 100_000)\nwhile True: exec('y = 2\\n' * 10_000)",
    "primes": "n = 10**9\nwhile True: n += all(n % k for k in range(2, 10**5))",
}

MEMORY = {
    "a long string": "'a' * 10**11",
    "a long list": "[0] * 10**10",
    "a large number": "9 ** 9 ** 9",
    "a shift": "1 << 10**12",
    "a product": "x = 10 ** 10**6\nwhile True: x = x * x",
    "width": "'{:>9999999999}'.format(1)",
    "width in an f-string": "f'{1:>{10**11}}'",
    "precision": "f'{1.5:.{10**9}f}'",
    "percent": "'%9999999999d' % 1",
    "padding": "'x'.ljust(10**11)",
    "replacing": "('a' * 10**5).replace('a', 'b' * 10**5)",
    "joining": "('a' * 10**5).join(['b'] * 10**5)",
    "substituting": "import re\nre.sub('a', 'b' * 10**5, 'a' * 10**5)",
    "growing": "x = []\nwhile True: x.append('y' * 1000 + str(len(x)))",
    "doubling": "x = 'ab'\nwhile True: x = x + x",
    "a dictionary": "x = {}\nwhile True: x[len(x)] = [len(x)] * 50",
    "all combinations": "import itertools\nlist(itertools.product(range(99), repeat=9))",
    "an endless list": "import itertools\nlist(itertools.count())",
    "closures": "f = None\nwhile True:\n    def g(f=f, x='y' * 999): return f\n    f = g",
    "a range as list": "list(range(10**10))",
    "splitting": "x = 'a,' * 10**6\ny = [x.split(',') for n in range(99)]",
    "a huge size": "' ' * (1 << 60)",
}

DEPTH = {
    "recursion": "def f(): return f()\nf()",
    "two in turn": "def f(): return g()\ndef g(): return f()\nf()",
    "a text of itself": "class A:\n    def __repr__(self): return repr(self)\nrepr(A())",
    "sorting in sorting": "def f(x): return sorted([1], key=f)\nf(1)",
    "parentheses": "(" * 9_000 + ")" * 9_000,
    "lists": "[" * 9_000 + "]" * 9_000,
    "negations": "not " * 4_000 + "1",
    "attributes": "x" + ".a" * 9_000,
    "evaluating parentheses": "eval('(' * 10**5 + ')' * 10**5)",
    "evaluating itself": "x = 'eval(x)'\neval(x)",
    "a deep value": "import json\njson.loads('[' * 10**5)",
    "a deep comparison": "a = []\nb = []\nfor n in range(10**5): a, b = [a], [b]\na == b",
    "long digits": "int('9' * 10**6)",
}

FLOODS = {
    "calls": "while True: agent.press('a')",
    "calls, swallowing": "while True:\n    try:\n        agent.press('a')\n"
    "    except BaseException: pass",
    "calls at once": "import asyncio\nasync def f(): agent.press('a')\n"
    "await asyncio.gather(*[f() for n in range(999)])",
    "calls by another name": "press = agent.press\nfor n in range(10**6): press('a')",
    "unknown names": "while True:\n    try:\n        nobody\n    except NameError: pass",
    "unknown functions": "while True:\n    try:\n        nobody()\n    except NameError: pass",
    "unknown modules": "while True:\n    try:\n        import nobody\n    except ImportError: pass",
    "asking for methods": "while True: agent.type",
    "printing": "while True: print('x' * 10_000)",
}

EXITS = {
    "leaving": "raise SystemExit(0)",
    "interrupting": "raise KeyboardInterrupt",
    "leaving by sys": "import sys\nsys.exit()",
    "leaving by name": "exit()",
    "leaving at once": "import os\nos._exit(1)",
    "a signal": "import signal",
    "a forged limit": "raise TimeoutError('time limit')",
    "forged memory": "raise MemoryError",
    "a generator's throw": "def f():\n    yield\nf().throw(ValueError)",
    "a waiting without end": "import asyncio\nawait asyncio.Event().wait()",
    "nothing to wait for": "await agent.type('x')",
}

GROUPS = (
    (FILES, {"refused"}),
    (IMPORTS, {"unsupported"}),
    (ATTRIBUTES, {"runtime", "refused", "unsupported"}),
    (CALLS, {"runtime", "refused"}),
    (TIME, {"limit", "runtime"}),
    (MEMORY, {"limit", "runtime"}),
    (DEPTH, {"limit", "runtime", "syntax"}),
    (FLOODS, {"limit"}),
    (EXITS, {"limit", "runtime", "unsupported"}),
)
ATTACKS = [(name, text, kinds) for group, kinds in GROUPS for name, text in group.items()]


def still_well(sandbox) -> bool:
    return sandbox.act(HONEST) == [("type", "0"), ("type", "1")]


@pytest.mark.wide
@for_each(("name", "attack", "kinds"), ATTACKS)
def test_an_attack_ends_with_a_typed_error_and_the_next_program_runs(
    sandbox, hurried, name, attack, kinds
):
    attacked = hurried if "limit" in kinds else sandbox
    with pytest.raises(ProgramError) as caught:
        attacked.act(attack, calls=20)
    assert caught.value.kind in kinds
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)
    assert len(attacked.done) <= 20
    assert still_well(sandbox)


@pytest.mark.parametrize(
    "program",
    [
        "agent.type = lambda text: None\nagent.type('x')",
        "agent.goto = print\nagent.goto('x')",
        "setattr(agent, 'click_xpath', 7)",
        "import re\nre.match('(a+)+$', 'a' * 60 + 'b')",
        "str = int = agent = None",
        "import time, asyncio\ntime.sleep(10**9)\nawait asyncio.sleep(10**9)",
        "print('x' * 10**6, sep='', end='')",
        "x = b'\\x00' * 1000\nhash(x)",
        "try:\n    raise BaseException('x')\nexcept BaseException:\n    pass",
        "class Agent:\n    def type(self, x): pass\nagent = Agent()\nagent.type('x')",
    ],
)
def test_what_changes_only_its_own_world_is_let_be(sandbox, program):
    assert sandbox.act(program) == []
    assert still_well(sandbox)


@pytest.mark.parametrize(
    "program",
    [
        "try:\n    agent.goto('x')\nexcept BaseException:\n    agent.type('on')",
        "try:\n    open('x')\nfinally:\n    agent.type('on')",
        "def f():\n    try:\n        agent.type(1)\n    except:\n        f()\nf()",
    ],
)
def test_a_refusal_cannot_be_caught(sandbox, program):
    with pytest.raises(ProgramError) as caught:
        sandbox.act(program)
    assert caught.value.kind == "refused"
    assert sandbox.done == []


def test_a_spent_budget_cannot_be_caught(sandbox):
    async def spent(argument: str) -> None:
        raise BudgetExceeded("steps", 1)

    greedy = "while True:\n    try:\n        agent.press('a')\n    except BaseException: pass"
    with pytest.raises(BudgetExceeded):
        sandbox.act(greedy, then=spent)
    assert len(sandbox.done) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 7", "agent.type(str(x))"),
        ("def f(): agent.press('enter')", "f()"),
        ("agent.secret = 'x'", "agent.type(agent.secret)"),
        ("import math as m", "agent.type(str(m.pi))"),
    ],
)
def test_nothing_is_kept_from_one_program_to_the_next(sandbox, before, after):
    assert sandbox.act(before) == []
    with pytest.raises(ProgramError):
        sandbox.act(after)
    assert sandbox.done == []


PAGE_ATTACKS = {
    "no HTML": "_nodes(7)",
    "no HTML at all": "_nodes()",
    "trees without end": "from bs4 import BeautifulSoup\nwhile True: BeautifulSoup('<p>')",
    "a tree without end": "from bs4 import BeautifulSoup\nBeautifulSoup('<b>' * 10**5)",
    "a wide tree": "from bs4 import BeautifulSoup\nBeautifulSoup('<br>' * 10**5)",
    "many pieces": "from bs4 import BeautifulSoup\nBeautifulSoup('<' * 10**6)",
    "a long page": "from bs4 import BeautifulSoup\nBeautifulSoup('x' * 3 * 10**6)",
    "names of all kinds": "from bs4 import BeautifulSoup\n"
    "BeautifulSoup(''.join([f'<a{n}>' for n in range(290)]) + '<br>' * 59_000)",
    "a slow selector": "from bs4 import BeautifulSoup\n"
    "obs = str(BeautifulSoup('<b>' * 290).select('i ' + 'b ' * 12))",
    "a loop in the tree": "from bs4 import BeautifulSoup\ns = BeautifulSoup('<p><b>')\n"
    "s.p.parent = s.b\ns.b.find_parents()",
    "a tag in itself": "from bs4 import BeautifulSoup\ns = BeautifulSoup('<p><b>')\n"
    "s.b.contents.append(s.p)\nobs = str(s)",
    "an endless observation": "class A:\n    def __str__(self):\n        while True: pass\n"
    "obs = A()",
    "a false string": "class A:\n    def __str__(self): return 'x'\nobs = A()",
    "a class": "class A: pass\nobs = A",
    "a function": "obs = lambda: 0",
    "a pattern": "import re\nobs = re.compile('x')",
    "bytes": "obs = b'x'",
    "a long observation": "obs = 'x' * 10**7",
    "a false text": "from bs4 import NavigableString\nNavigableString.__str__ = lambda self: 7\n"
    "obs = NavigableString('x', None, 0)",
    "a false str": "str = lambda x: 7\nobs = 'x'",
    "agent": "agent.type('x')",
    "files": "obs = open('/etc/passwd').read()",
    "the host's reader": "obs = _nodes.__globals__",
    "the package's roots": "import bs4\nobs = bs4.__dict__",
    "another package": "import bs4.dammit\nobs = bs4.dammit.x",
}

LARGE = {"trees without end", "a wide tree", "many pieces", "a long page", "names of all kinds"}
"""Pages that take long to read, and longer where coverage is measured."""


@pytest.mark.wide
@for_each(("name", "attack"), PAGE_ATTACKS.items())
def test_an_attack_by_an_abstraction_program_is_contained(sandbox, hurried, name, attack):
    measuring = unmeasured() if name in LARGE else nullcontext()
    with pytest.raises(ProgramError) as caught, measuring:
        hurried.abstract(attack, "<p>x</p>")
    assert len(str(caught.value)) < 400
    assert sandbox.abstract(READING, "<b class='x'>well</b>") == "well"


@pytest.mark.parametrize(
    "vandal",
    [
        "from bs4 import Tag\nTag.find = lambda *a, **k: None\nobs = ''",
        "import bs4\nbs4.BeautifulSoup = None\nobs = ''",
        "_nodes = BeautifulSoup = Tag = isinstance = _package = None\nobs = ''",
        "state = '<b class=x>forged</b>'\nobs = state",
        "import re\nre.compile = None\nobs = ''",
    ],
)
def test_what_a_program_breaks_is_whole_for_the_next(sandbox, vandal):
    with suppress(ProgramError):
        sandbox.abstract(vandal, "<p>x</p>")
    assert sandbox.abstract(READING, "<b class='x'>whole</b>") == "whole"


def test_a_slow_pattern_is_none(sandbox):
    program = (
        "import re\nfrom bs4 import BeautifulSoup\n"
        "obs = str(BeautifulSoup(state).find(string=re.compile('(a+)+$')))"
    )
    assert sandbox.abstract(program, "a" * 60 + "b") == "None"


def test_a_page_cannot_act(sandbox):
    """What a page says is text, also where it looks like a program."""
    page = "<b class='x'>'); agent.type('x'); open('/etc/passwd') #{state}{0.__class__}</b>"
    assert sandbox.abstract(READING, page).startswith("'); agent.type('x')")
