"""Libraries of policies: what a file may hold, and that the shipped ones hold what they should."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent import actions, prompting, renderings
from agent.llm import tokens
from agent.methods.step import policy_library
from agent.prompting import FOLDER, BadPrompt
from tests.each import for_each

SITES = sorted(path.name for path in (FOLDER / "step").iterdir() if path.is_dir())
FILES = sorted((FOLDER / "step").glob("*/*.toml"))
ROOT = 'description = "does it all"\ninstruction = "1. Delegate."\n'
FIND = 'description = "find [what]: finds it"\ninstruction = "1. Look."\n'


def written(folder: Path, **files: str) -> Path:
    home = folder / "step" / "shop"
    home.mkdir(parents=True)
    for name, text in {"root": ROOT, **files}.items():
        (home / f"{name}.toml").write_text(text)
    return folder


# Any library --------------------------------------------------------------------------------------


def test_each_file_is_a_policy_that_every_policy_may_call(tmp_path):
    library = policy_library.load(
        "shop", written(tmp_path, find=FIND, ask=FIND.replace("find", "ask"))
    )
    assert [each.name for each in library.all] == ["root", "ask", "find"]
    for policy in library.all:
        assert list(library.offered(policy)) == ["ask", "find"], "itself included"
    assert library.policies["find"].form == "find [what]"
    assert library.policies["find"].arity == 1


def test_calls_narrows_what_a_policy_may_call(tmp_path):
    own = written(
        tmp_path, find=f"{FIND}calls = ['find']\n", ask=f"{FIND}calls = []\n".replace("find", "ask")
    )
    library = policy_library.load("shop", own)
    offered = {name: list(library.offered(each)) for name, each in library.policies.items()}
    assert offered == {"find": ["find"], "ask": []}
    assert list(library.offered(library.root)) == ["ask", "find"]


def test_a_trajectory_that_begins_later_shows_what_was_done_before(tmp_path):
    turns = "".join(
        f"[[trajectories.turns]]\nurl = 'u'\npage = 'a'\naction = '{each}'\n"
        for each in ("click [2]", "stop []")
    )
    trajectory = "[[trajectories]]\nobjective = 'find [x]'\nprevious = ['click [1]']\n"
    library = policy_library.load("shop", written(tmp_path, find=f"{FIND}\n{trajectory}{turns}"))
    histories = [each.previous for each in library.policies["find"].examples]
    assert histories == [("click [1]",), ("click [1]", "click [2]")]


def example(action: str) -> str:
    return (
        f"{FIND}\n[[examples]]\nobjective = 'find [x]'\nobservation = 'a'\nurl = 'u'\n"
        f"action = '{action}'\n"
    )


WRONG = {
    "no description": (FIND.partition("\n")[2], "there is no description"),
    "no instruction": (FIND.partition("\n")[0], "there is no instruction"),
    "an unknown key": (f"{FIND}advice = 'x'\n", "leave out advice"),
    "another name": (FIND.replace("find [", "seek ["), r"must begin with `find \[argument\]:`"),
    "no argument": (FIND.replace(" [what]", ""), "must begin with"),
    "an open bracket": (FIND.replace("what]", "what"), "bracket"),
    "two lines": (FIND.replace("finds it", "finds\\nit"), "more than a line"),
    "an unknown tier": (f"{FIND}tier = 'huge'\n", "tier 'huge'"),
    "an unknown policy to call": (f"{FIND}calls = ['fnd']\n", "did you mean find"),
    "an example that calls nobody": (example("fnd [x]"), "did you mean find"),
    "an example with too much": (example("find [x] [y]"), r"write find \[what\]"),
    "an example that is no action": (example("click"), "click"),
    "an example without a page": (example("stop").replace("observation", "page"), "an example"),
    "no TOML": ("description = ", r"find\.toml"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_cannot_be_used_is_refused_with_the_file(tmp_path, kind):
    text, why = WRONG[kind]
    with pytest.raises(BadPrompt, match=rf"find\.toml.*{why}" if kind != "no TOML" else why):
        policy_library.load("shop", written(tmp_path, find=text))


@pytest.mark.parametrize("name", ["click", "stop", "Find", "find-it", "2nd"])
def test_a_name_that_nobody_can_call_is_refused(tmp_path, name):
    with pytest.raises(BadPrompt, match="rename the file"):
        policy_library.load("shop", written(tmp_path, **{name: FIND.replace("find", name)}))


def test_a_library_begins_with_a_root(tmp_path):
    (written(tmp_path) / "step" / "shop" / "root.toml").unlink()
    with pytest.raises(BadPrompt, match=r"there is no root\.toml"):
        policy_library.load("shop", tmp_path)


# The shipped ones ---------------------------------------------------------------------------------


@for_each("path", FILES)
def test_a_shipped_policy_says_where_it_is_from_and_makes_its_points(path):
    data = prompting.parse(path)
    assert data["source"].strip() and data["covers"]
    missing = [each for each in data["covers"].values() if each not in data["instruction"]]
    assert missing == []
    assert not re.search("B0(?!EXAMPLE)", str(data)), "the code of a product"


ROOT_ALONE = (prompting.WEBSITE,)
"""Of any website there is nothing to be known that a policy could be for."""


@pytest.mark.parametrize("site", SITES)
def test_a_shipped_library_is_whole(site):
    library = policy_library.load(site)
    advised = {
        name for each in library.all for name in library.policies if f"{name}" in each.instruction
    }
    assert (len(library.policies) >= 4 and advised) or site in ROOT_ALONE
    for policy in library.all:
        assert policy.instruction.lstrip().startswith("1. ")
        assert policy.examples, policy.name
        text = policy.instruction + "".join(map(str, policy.examples))
        assert tokens.of_text(text) < 3000, "the paper's prompts stay below 4,000 tokens"
        for each in policy.examples:
            head = actions.call(each.objective)[0] if policy.name != "root" else ""
            assert head in ("", policy.name)


@pytest.mark.parametrize("site", ["crm", "store"])
def test_the_examples_of_a_policy_are_whole_from_its_start_to_a_stop(site):
    for policy in policy_library.load(site).all:
        assert not policy.examples[0].previous, policy.name
        stops = [each for each in policy.examples if actions.call(each.action)[0] == "stop"]
        assert stops, policy.name


@pytest.mark.parametrize("site", SITES)
def test_a_subroutine_is_written_in_one_way(site):
    """Advice that writes brackets behind the name of a subroutine writes those of its line."""
    library = policy_library.load(site)
    for policy in library.all:
        for name, called in library.policies.items():
            for brackets in re.findall(rf"\b{name}((?: \[[^]]*\])+)", policy.instruction):
                assert f"{name}{brackets}" == called.form, (policy.name, brackets)


EXAMPLES = [
    (site, f"{policy.name}/{number}", each)
    for site in SITES
    for policy in policy_library.load(site).all
    for number, each in enumerate(policy.examples)
]


@for_each(("site", "name", "example"), EXAMPLES)
def test_an_example_shows_a_page_and_acts_on_what_it_shows(site, name, example):
    """In the rendering of the site, on elements that are there."""
    written = example.observation.strip("\n")
    page = renderings.get(prompting.load("step", site).rendering).parse(f"url: u\n\n{written}")
    assert page.content
    if actions.call(example.action)[0] in actions.VERBS:
        target = getattr(actions.parse(example.action), "target", None)
        assert target in {None, *(each.id for each in page.elements)}


@for_each("path", FILES)
def test_an_example_reasons_by_a_point_that_there_is(path):
    policy = next(
        each for each in policy_library.load(path.parent.name).all if each.name == path.stem
    )
    points = re.findall(r"^(\d+)\. ", policy.instruction, re.MULTILINE)
    assert points == [str(n) for n in range(1, len(points) + 1)]
    for each in policy.examples:
        [point] = re.findall(r"^Point (\d+): ", each.reason)
        assert point in points


@for_each(
    ("site", "name"),
    [(site, each.name) for site in SITES for each in policy_library.load(site).all],
)
def test_a_policy_may_call_whom_its_prompt_names(site, name):
    library = policy_library.load(site)
    policy = next(each for each in library.all if each.name == name)
    examples = {actions.call(each.action)[0] for each in policy.examples}
    named = {each for each in library.policies if each in policy.instruction} | examples
    assert named & set(library.policies) <= {policy.name, *library.offered(policy)}


# The desk -----------------------------------------------------------------------------------------

DESK = sorted((FOLDER / "step" / "crm").glob("*.toml"))


@for_each("path", DESK)
def test_a_trajectory_at_the_desk_ends_and_begins_at_the_beginning(path):
    """Or it shows what was done before."""
    data = prompting.parse(path)
    assert "examples" not in data and data["trajectories"]
    for trajectory in data["trajectories"]:
        assert actions.call(trajectory["turns"][-1]["action"])[0] == "stop"
        whole = len(trajectory["turns"]) > 1 or "previous" in trajectory
        assert whole or _can_end_at_once(trajectory["turns"][0]["page"])


def _can_end_at_once(page: str) -> bool:
    """Pages that show by themselves that there is nothing to do."""
    return "Cancelled" in page or "sold out" in page


def test_the_root_of_the_desk_shows_a_call_of_each_policy_that_it_names():
    root = policy_library.load("crm").root
    named = set(re.findall(r"[a-z]+_[a-z]+", root.instruction))
    called = {actions.call(each.action)[0] for each in root.examples} - {"stop"}
    assert named == called
    assert {"modify_passenger", "modify_flights"} <= named


def test_what_is_checked_before_a_flight_is_chosen_is_told():
    policies = policy_library.load("crm").policies
    search, choice = policies["find_flight"].arguments, policies["select_flights"].arguments
    assert choice[: len(search)] == search and len(choice) == len(search) + 2


@for_each("path", DESK)
def test_advice_at_the_desk_speaks_of_clicks(path):
    """`press [keys]` is another action."""
    assert "press" not in prompting.parse(path)["instruction"].lower()


def test_a_site_without_a_library_has_that_for_any_website():
    made = policy_library.load("lamp")
    assert made == policy_library.load(prompting.WEBSITE) and not made.policies
