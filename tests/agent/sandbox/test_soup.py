"""The stand-in for BeautifulSoup: the same programs in the sandbox, here, and over the real one."""

from __future__ import annotations

import inspect
import re
import sys
from functools import partial
from types import ModuleType
from typing import Any

import pytest

from agent import prompting
from agent.sandbox import Limits, ProgramError, soup
from agent.sandbox.monty import MontyRunner
from tests.each import for_each

FLIGHTS = """
<div id="wrap"><div id="query">Book the <b class="bold">cheapest</b> flight</div>
<div id="results">
 <div class="flight"><div class="times"><span>8:05</span> to <span>13:25</span></div>
  <div class="time-duration">5h 20m</div><button class="flight-price" data-price="417">$417</button>
 </div>
 <div class="flight early"><div class="times"><span>6:00</span> to <span>7:45</span></div>
  <div class="time-duration">45m</div><button class="flight-price" data-price="683">$683</button>
 </div>
 <div class="flight"><div class="times"><span>9:30</span> to <span>11:30</span></div>
  <div class="time-duration">2h 0m</div><button class="flight-price" data-price="92">$92</button>
 </div>
</div></div>
"""

LEAST = """
from bs4 import BeautifulSoup
page = BeautifulSoup(state, 'html.parser')
wish = 'cheapest'
least = float('inf')
# One after the other
for offer in page.find_all("div", class_="flight"):
    cost = int(offer.find("button", class_="flight-price")["data-price"])
    if cost < least:
        least = cost
cost = least
obs = f'The {wish} one-way flight costs ${cost}.'
"""

QUICKEST = """
from bs4 import BeautifulSoup
page = BeautifulSoup(state, 'html.parser')
wish = 'shortest'
record = float('inf')
winner = None
for offer in page.find_all("div", class_="flight"):
    words = offer.find("div", class_="time-duration").text.split()
    hours = int(words[0][:-1]) if 'h' in words[0] else 0
    minutes = int(words[-1][:-1]) if 'm' in words[-1] else 0
    if hours * 60 + minutes < record:
        record = hours * 60 + minutes
        winner = offer
cost = int(winner.find("button", class_="flight-price")["data-price"])
obs = f'The {wish} one-way flight costs ${cost}.'
"""

PAGE = """
<!DOCTYPE html><html><head><title>Post &amp; parcel</title><style>p { color: red }</style></head>
<body class="plain wide"><!-- a comment -->
<h1 id="top">  Letters <em>and</em> more </h1>
<ul id="menu"><li class="on first"><a href="/in">In</a></li><li><a href="/out" rel="next up">Out
</a></li><li class="off"><a>Bin</a></li></ul>
<form action="/find"><label for="q">Find</label><input id="q" name="q" value="stamp" checked>
<select name="size"><option value="s">Small</option>
<option value="l" selected>Large</option></select></form>
<table><tr><th>From</th><th>Date</th></tr><tr><td>Ida</td><td>3 May</td></tr>
<tr><td>Otto</td><td>9 May</td></tr></table>
<p>One<br>two &lt;three&gt;</p><p class="note" data-k="v w">note <b>bold</b></p>
<svg><text>drawn</text></svg><script>var x = "<p>no</p>";</script>
</body></html>
"""


def run(program: str, state: str, **names: Any) -> str:
    """The program's observation; here run in the open, since it is the tests' own."""
    names["state"] = state
    exec(program, names)
    return str(names["obs"])


@pytest.fixture(params=["sandbox", "here"])
def read(request, sandbox, monkeypatch):
    if request.param == "sandbox":
        return sandbox.abstract
    package = ModuleType("bs4")
    vars(package).update(vars(soup._package), __path__=[])
    monkeypatch.setitem(sys.modules, "bs4", package)
    monkeypatch.setitem(sys.modules, "bs4.element", package)
    return partial(run, isinstance=soup.isinstance)


BEST = [
    (LEAST, "The cheapest one-way flight costs $92."),
    (QUICKEST, "The shortest one-way flight costs $683."),
]


@pytest.mark.parametrize(("program", "seen"), BEST)
def test_the_best_flight_is_found(read, program, seen):
    assert read(program, FLIGHTS) == seen


QUERIES = [
    ("s.title.text", "Post & parcel"),
    ("s.title.string", "Post & parcel"),
    ("s.h1.text", "  Letters and more "),
    ("s.h1.string", None),
    ("s.h1.get_text(strip=True)", "Lettersandmore"),
    ("s.h1.get_text(' ', strip=True)", "Letters and more"),
    ("s.h1.getText('|')", "  Letters |and| more "),
    ("list(s.h1.stripped_strings)", ["Letters", "and", "more"]),
    ("s.script.get_text(strip=True)", 'var x = "<p>no</p>";'),
    ("s.find('li').text", "In"),
    ("s.find('nav')", None),
    ("[a.get('href') for a in s.find_all('a')]", ["/in", "/out", None]),
    ("[a['href'] for a in s.find_all('a', href=True)]", ["/in", "/out"]),
    ("s.find('a', href='/out').get('rel')", ["next", "up"]),
    ("s.find('a').get('rel', 'none')", "none"),
    ("len(s.find_all(['th', 'td']))", 6),
    ("len(s.find_all('td', limit=3))", 3),
    ("[t.text for t in s.find_all(class_='on')]", ["In"]),
    ("[t.text for t in s.find_all('li', 'off')]", ["Bin"]),
    ("[t.text for t in s.find_all('li', {'class': 'first'})]", ["In"]),
    ("[t.text for t in s.find_all('li', class_=['off', 'on'])]", ["In", "Bin"]),
    ("[t.text for t in s.find_all('li', class_='on first')]", ["In"]),
    ("len(s.find_all('li', class_='first on'))", 0),
    ("len(s.find_all('li', class_=None))", 1),
    ("s.find(id='q')['value']", "stamp"),
    ("s.find(attrs={'data-k': 'v w'}).b.text", "bold"),
    ("s.find('option', selected=True).text", "Large"),
    ("s.find('option', string='Small')['value']", "s"),
    ("s.find(string='Otto').parent.name", "td"),
    ("s.find(text='Otto').find_next('td').text", "9 May"),
    ("[str(t) for t in s.find_all(string=re.compile('May'))]", ["3 May", "9 May"]),
    ("[t.name for t in s.find_all(re.compile('^t[hd]$'))][:3]", ["th", "th", "td"]),
    ("[t['href'] for t in s.find_all(href=re.compile('o'))]", ["/out"]),
    ("[t.name for t in s.find_all(lambda t: t.has_attr('checked'))]", ["input"]),
    ("[t.name for t in s.find_all(id=lambda v: v is not None and len(v) > 2)]", ["h1", "ul"]),
    ("[t.name for t in s.form.find_all(True, recursive=False)]", ["label", "input", "select"]),
    ("[t.name for t in s.form('option')]", ["option", "option"]),
    ("len(s.findAll('tr'))", 3),
    ("s.body['class']", ["plain", "wide"]),
    ("s.input.attrs", {"id": "q", "name": "q", "value": "stamp", "checked": ""}),
    ("s.body.get('id')", None),
    ("s.em.parent.name", "h1"),
    ("[c.name for c in s.h1.children]", [None, "em", None]),
    ("[str(c) for c in s.h1]", ["  Letters ", "<em>and</em>", " more "]),
    ("s.h1.contents[0].strip()", "Letters"),
    ("s.h1.contents[0] == '  Letters '", True),
    ("'tt' in s.h1.contents[0]", True),
    ("[isinstance(c, str) for c in s.h1.contents]", [True, False, True]),
    ("[isinstance(c, NavigableString) for c in s.h1.contents]", [True, False, True]),
    ("[isinstance(c, (Tag, int)) for c in s.h1.contents]", [False, True, False]),
    ("s.em.next_sibling.strip()", "more"),
    ("s.em.previous_sibling.text", "  Letters "),
    ("s.li.next_sibling.name", "li"),
    ("s.li.find_next_sibling('li').get_text(strip=True)", "Out"),
    ("[t.a.text.strip() for t in s.li.find_next_siblings('li')]", ["Out", "Bin"]),
    ("s.find(class_='off').find_previous_sibling('li').a['href']", "/out"),
    ("len(s.find(class_='off').find_previous_siblings('li'))", 2),
    ("s.find('td', string='9 May').find_parent('tr').td.text", "Otto"),
    ("s.em.find_parent(id='top').name", "h1"),
    ("s.em.find_parent('table')", None),
    ("[t.name for t in s.em.find_parents()]", ["h1", "body", "html", "[document]"]),
    ("s.label.find_next('option').text", "Small"),
    ("[[c.text for c in r.find_all('td')] for r in s.select('tr')[1:]]",
     [["Ida", "3 May"], ["Otto", "9 May"]]),
    ("s.select_one('#menu .off a').text", "Bin"),
    ("s.select_one('#menu > .nothing')", None),
    ("[t.text for t in s.select('ul > li:first-child, li:last-child')]", ["In", "Bin"]),
    ("[t.text for t in s.select('td:nth-child(2)')]", ["3 May", "9 May"]),
    ("s.select_one('p:nth-of-type(2)')['class']", ["note"]),
    ("[t.name for t in s.select('[selected], [name=q]')]", ["input", "option"]),
    ("[t.name for t in s.select('[data-k=\"v w\"], a[rel~=up]')]", ["a", "p"]),
    ("[t['href'] for t in s.select('a[href^=\"/o\"], a[href$=in]')]", ["/in", "/out"]),
    ("[t.name for t in s.select('[class*=ote], [action|=x]')]", ["p"]),
    ("[t.name for t in s.select('label + input, label ~ select')]", ["input", "select"]),
    ("len(s.select('li.on.first')) + len(s.select('li.on.off'))", 1),
    ("len(s.select('* li'))", 3),
    ("len(s.ul.select('body a'))", 3),
    ("len(s.select('td', limit=1))", 1),
    ("s.p.text", "Onetwo <three>"),
    ("str(s.p)", "<p>One<br/>two &lt;three&gt;</p>"),
    ("str(s.find(class_='note'))", '<p class="note" data-k="v w">note <b>bold</b></p>'),
    ("str(s.script)", '<script>var x = "<p>no</p>";</script>'),
    ("s.script.string", 'var x = "<p>no</p>";'),
    ("'color' in s.text or 'var x' in s.text or 'comment' in s.get_text()", False),
    ("s.svg.text", "drawn"),
    ("s.find('text').text", "drawn"),
    ("s.name", "[document]"),
    ("s.parent", None),
    ("bool(s.em)", True),
    ("sorted(set(t.name for t in s.table.find_all(True)))", ["td", "th", "tr"]),
    ("BeautifulSoup(features='html.parser', markup='<i>1</i>').i.text", "1"),
    ("BeautifulSoup(str(s.ul)).find_all('a')[1].text.strip()", "Out"),
    ("BeautifulSoup('').find('p')", None),
]  # fmt: skip


ASKING = """
import re
from bs4 import BeautifulSoup, NavigableString
from bs4.element import Tag
s = BeautifulSoup(state, 'html.parser')
obs = repr({})
"""


CHANGING = "from bs4 import BeautifulSoup\ns = BeautifulSoup(state, 'html.parser')\n"
TREE = (
    "<div><script>x()</script><p>a <b>x1</b> <br> <i>y2</i></p>"
    "<p class='n'>z &amp; <b>w</b></p></div>"
)
CHANGES = [
    (
        "for t in s(['script', 'b']):\n    t.decompose()\nobs = str(s)",
        '<div><p>a  <br/> <i>y2</i></p><p class="n">z &amp; </p></div>',
    ),
    ("s.script.decompose()\nobs = s.get_text('|', strip=True)", "a|x1|y2|z &|w"),
    ("s.b.decompose()\nobs = s.b.text + s.p.text + str(s.find_all('b'))", "wa   y2[<b>w</b>]"),
    ("s.p.decompose()\nobs = s.div.p.text + s.script.next_sibling.text", "z & wz & w"),
    ("t = s.p.extract()\nobs = t.i.text + str(t.parent) + str(t.find('b'))", "y2None<b>x1</b>"),
    ("s.p.b.decompose()\ns.p.br.decompose()\ns.p.i.decompose()\nobs = s.p.string or ''", ""),
    ("[t.extract() for t in s.find_all('b')]\nobs = str(s.find(class_='n').string)", "z & "),
    ("obs = s.find(class_='n').prettify()", '<p class="n">\n z &amp;\n <b>\n  w\n </b>\n</p>\n'),
    ("obs = s.prettify()[:26]", "<div>\n <script>\n  x()\n </s"),
]


@for_each(("query", "seen"), QUERIES)
def test_queries(read, query, seen):
    assert read(ASKING.format(query), PAGE) == repr(seen)


def test_beautiful_soup_itself_says_the_same():
    pytest.importorskip("bs4", reason="beautifulsoup4 is not installed: nothing to compare with")
    assert [run(LEAST, FLIGHTS), run(QUICKEST, FLIGHTS)] == [BEST[0][1], BEST[1][1]]
    for query, seen in QUERIES:
        assert run(ASKING.format(query), PAGE) == repr(seen), query
    for program, seen in CHANGES:
        assert run(CHANGING + program, TREE) == seen, program


@for_each(
    "opening",
    [
        "from bs4 import BeautifulSoup as Soup",
        "import bs4\nSoup = bs4.BeautifulSoup",
        "import bs4 as b, re\nSoup = b.BeautifulSoup",
        "from bs4 import (\n    BeautifulSoup,\n    Tag,\n)\nSoup = BeautifulSoup",
        "def Soup(html):\n    from bs4 import BeautifulSoup; return BeautifulSoup(html)",
        "import bs4.element\nfrom bs4 import BeautifulSoup as Soup",
    ],
)
def test_every_way_to_import_it(read, opening):
    assert read(f"{opening}\nobs = Soup(state).p.text", "<p>one</p>") == "one"


@for_each(("program", "seen"), CHANGES)
def test_tags_are_taken_out_and_written_out(read, program, seen):
    assert read(CHANGING + program, TREE) == seen


@for_each(
    ("program", "seen"),
    [
        ("import re\nobs = re.sub(r'(\\d)', lambda m: '<' + m.group(1) + '>', state)", "a<1>b<2>"),
        ("import re\nobs = re.sub(re.compile('B', re.I), lambda m: m[0] * 2, state)", "a1bb2"),
        ("import json, re\nobs = re.sub('.', lambda m: json.dumps(m[0]), state, 1)", '"a"1b2'),
        ("import re\nobs = re.sub('[ab]', r'<\\g<0>>', state)", "<a>1<b>2"),
        (
            "def f():\n    import re\n    return re.findall('[ab]', state)\nobs = str(f())",
            "['a', 'b']",
        ),
        ("obs = next(c for c in state if c.isdigit())", "1"),
        ("obs = next((c for c in state if c == 'x'), 'none')", "none"),
        ("it = iter(state)\nnext(it)\nobs = next(it)", "1"),
    ],
)
def test_functions_as_replacements_and_generator_expressions(sandbox, program, seen):
    assert sandbox.abstract(program, "a1b2") == seen


def test_what_the_prompt_says_of_the_sandbox_is_true(sandbox):
    """The modules that it offers are there; attributes stay as they are, and re.sub cuts them."""
    text = prompting.load("synapse", "widgets").say(
        "code", programs=[], instruction="", observation=""
    )
    [offered] = re.findall(r"You can import (.*), and BeautifulSoup from bs4", text)
    assert sandbox.abstract(f"import {offered}\nobs = ''") == ""
    assert "attributes of a tag cannot be changed" in text and "re.sub" in text
    read = "from bs4 import BeautifulSoup\ntag = BeautifulSoup(state).find('b')\n"
    for change in ("tag['style'] = ''", "del tag['style']"):
        with pytest.raises(ProgramError):
            sandbox.abstract(f"{read}{change}\nobs = str(tag)", "<b style='x'>y</b>")
    cut = "import re\nobs = re.sub(' style=.*?(?=>)', '', state)"
    assert sandbox.abstract(cut, "<b style='x'>y</b>") == "<b>y</b>"


@for_each(
    ("program", "kind", "line", "message"),
    [
        ("from bs4 import BeautifulSoup\n\nobs = BeautifulSoup(state).find('u').text", "runtime", 3,
         "'NoneType' object has no attribute 'text'"),
        ("from bs4 import BeautifulSoup\nobs = BeautifulSoup(state).p['id']", "runtime", 2,
         "KeyError: id"),
        ("from bs4 import BeautifulSoup\nobs = BeautifulSoup(state).tabel", "runtime", 2,
         "'Tag' object has no attribute 'tabel'"),
        ("from bs4 import BeautifulSoup\ns = BeautifulSoup(state)\nobs = s.select('p:has(b)')",
         "runtime", 3, "the selector 'p:has(b)' cannot be read at ':has(b)'"),
        ("from bs4 import BeautifulSoup\ns = BeautifulSoup(state)\nobs = s.select('p >')",
         "runtime", 3, "the selector 'p >' "),
        ("from bs4 import SoupStrainer", "unsupported", 1, "SoupStrainer"),
        ("from bs4 import BeautifulSoup\nobs = BeautifulSoup(state).p", "runtime", None,
         "must set obs to a string"),
        ("x = state", "runtime", None, "must set obs to a string"),
        ("", "runtime", None, "must set obs to a string"),
        ("obs = 3", "runtime", None, "must set obs to a string"),
        ("obs = ['a']", "runtime", None, "must set obs to a string"),
        ("obs = state * 20000", "limit", None, "obs is longer than 100,000 characters"),
        ("from bs4 import BeautifulSoup\nfor n in range(99):\n    BeautifulSoup('x' * 30000)",
         "limit", None, "reads more than 2,000,000 characters"),
        ("from bs4 import BeautifulSoup\nBeautifulSoup('<b>' * 301)", "limit", None, "deeper"),
        ("agent.type('x')", "runtime", 1, "name 'agent' is not defined"),
    ],
)  # fmt: skip
def test_how_an_abstraction_program_fails(sandbox, program, kind, line, message):
    with pytest.raises(ProgramError) as caught:
        sandbox.abstract(program, "<p>one</p>")
    assert (caught.value.kind, caught.value.line) == (kind, line)
    assert message in str(caught.value)


def test_a_page_that_is_too_long_is_not_read(sandbox):
    with pytest.raises(ProgramError, match="the page is longer than 2,000,000 characters"):
        sandbox.abstract("obs = ''", "x" * 2_000_001)


def test_without_a_soup_the_state_is_a_string(sandbox):
    program = "import re\nobs = ', '.join(re.findall('<b>(.*?)</b>', state))"
    assert sandbox.abstract(program, "<b>a</b> <b>é</b>") == "a, é"


@pytest.mark.parametrize("parser", ["", ", 'lxml'", ", features='html5lib'"])
def test_whatever_parser_is_named_there_is_one(sandbox, parser):
    program = f"from bs4 import BeautifulSoup\nobs = BeautifulSoup(state{parser}).i.text"
    assert sandbox.abstract(program, "<i>1</i>") == "1"


def test_a_text_of_the_page_may_be_the_observation(sandbox):
    program = "from bs4 import BeautifulSoup\nobs = BeautifulSoup(state).find(string=True)"
    assert sandbox.abstract(program, "<p>one</p>") == "one"


def test_a_large_page_is_read_within_the_limits(sandbox):
    """Some 120 kB and 9,000 nodes, in the memory of an ordinary program."""
    row = '<tr class="flight r{0}"><td><a href="/{0}">no {0}</a></td><td class="n">{0}</td></tr>\n'
    page = "<table>" + "".join(row.format(n) for n in range(1400)) + "</table>"
    program = (
        "from bs4 import BeautifulSoup\ns = BeautifulSoup(state)\n"
        "obs = str(sum(int(t.text) for t in s.find_all('td', class_='n')))"
    )
    sandbox.runner = MontyRunner(Limits(seconds=4.0))
    assert sandbox.abstract(program, page) == str(sum(range(1400)))


def test_the_file_that_runs_in_the_sandbox_is_the_one_that_is_tested_here():
    """What is left out there is one import of ours and nothing else."""
    from agent.sandbox import monty

    ours = inspect.getsource(soup)
    gone = set(ours.splitlines()) - set(monty._soup().splitlines())
    assert gone and all(
        re.match(r"from agent\.sandbox\.markup import \w+ as _\w+$", x) for x in gone
    )
