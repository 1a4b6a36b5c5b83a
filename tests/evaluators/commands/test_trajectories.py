"""The shipped exemplars: what the rules make of the states, and what the expert did."""

from __future__ import annotations

import re

import pytest

from agent import actions, prompting, renderings
from agent.interface import Element, Observation
from agent.methods.synapse import element_ranking, exemplar_files, memory
from agent.methods.synapse.element_ranking import Ranker
from agent.methods.synapse.exemplar_files import Exemplar, Round
from agent.sandbox import METHODS
from evaluators.commands.exemplars import memory_keys, trajectories
from evaluators.commands.exemplars.trajectories import (
    AbstractionRule,
    NoTrajectory,
    abstraction_rule,
)
from scenarios import registry
from tests.each import for_each
from tests.measuring import unmeasured

TASKS = memory_keys.known("widgets")
SITE = "widgets"
MOVED = [(site, task) for site in ("airline", "crm", "store") for task in memory_keys.known(site)]
"""Where exemplars are of single actions."""


def shipped(task: str, site: str = SITE) -> str:
    return (exemplar_files.FOLDER / site / f"{task}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("site", memory_keys.sites())
def test_every_known_task_has_exemplars_and_no_other(site):
    assert exemplar_files.tasks(site) == sorted(memory_keys.known(site))


@pytest.mark.wide
@pytest.mark.parametrize("task", TASKS)
def test_a_shipped_file_holds_what_its_rule_makes(runner, task):
    made, how = exemplar_files.load(SITE, task), abstraction_rule(task)
    assert made.abstraction == how.kind
    many = 5 if task in ("book-flight", "click-widget", "email-inbox-nl-turk") else 4
    assert len(made.exemplars) == many
    for each in made.exemplars:
        assert each.program == how.program_of(each.instruction)
        for turn in each.rounds:
            assert runner.run(how.apply(turn.state, each.instruction)) == turn.observation
            assert any(f"agent.{method}(" in turn.actions for method in METHODS)
    assert trajectories.text(made) == shipped(task)


@pytest.mark.parametrize("task", TASKS)
def test_a_clean_observation_is_shorter_and_holds_nothing_new(task):
    """It selects: without its marks and quotes every word of it is in the state."""
    known = exemplar_files.load(SITE, task).exemplars
    for turn in (turn for each in known for turn in each.rounds):
        assert len(turn.observation) < len(turn.state)
        assert set(_words(turn.observation)) <= set(_words(turn.state))


def test_clean_observations_are_an_eighth_of_the_states():
    """Of the outer HTML they are a sixteenth; the release keeps one to nine percent of that."""
    kept = [
        (len(turn.observation), len(turn.state), len(turn.source))
        for task in TASKS
        for each in exemplar_files.load(SITE, task).exemplars
        for turn in each.rounds
        if turn.observation
    ]
    clean, states, sources = (sum(column) for column in zip(*kept, strict=True))
    assert clean < 0.13 * states and clean < 0.065 * sources


@pytest.mark.parametrize("task", TASKS)
def test_a_program_names_elements_by_what_is_shown_of_them(task):
    """Where the state is abstracted; else all is shown, and some programs go over two pages."""
    known = exemplar_files.load(SITE, task).exemplars
    for turn in (turn for each in known for turn in each.rounds if turn.observation):
        for name, value in re.findall(r'@(data-id|id)="([^"]*)"', turn.actions):
            assert f' {name}="{value}"' in turn.shown, turn.actions


@pytest.mark.parametrize("task", TASKS)
def test_there_is_an_exemplar_of_every_mode(task):
    known = exemplar_files.load(SITE, task).exemplars
    for mode in memory_keys.modes(task):
        assert any(trajectories._is(each, mode) for each in known), mode


def test_what_nothing_new_is_looked_at_for_is_one_program():
    """As in the released code: one round, two where suggestions, prices or files are read. Of the
    tasks beyond the paper's those have more that move, wait or are read page by page."""
    rounds = {
        task: {len(each.rounds) for each in exemplar_files.load(SITE, task).exemplars}
        for task in TASKS
    }
    two = {"book-flight", "use-autocomplete", "terminal", "login-user-popup"}
    many = {"guess-number", "tic-tac-toe"}
    beyond = {
        *("click-menu-2", "find-greatest", "generate-number", "hover-shape", "moving-items"),
        *("phone-book", "simon-says", "stock-market"),
    }
    assert {task for task, count in rounds.items() if count != {1}} == two | many | beyond
    assert max(count for task in two for count in rounds[task]) <= 3


@pytest.mark.parametrize("task", TASKS)
def test_programs_have_remarks_and_press_what_the_prompt_offers(task):
    system = prompting.load("synapse", SITE).say(
        "system", nothing=False, list=task == "click-scroll-list"
    )
    [described] = [line for line in system.split("\n") if line.startswith("agent.press(key)")]
    keys = {*re.findall(r"command\+\w+|\w+", described.partition("presses a key: ")[2])}
    for each in exemplar_files.load(SITE, task).exemplars:
        for turn in each.rounds:
            pressed = re.findall(r"agent\.press\('(.*?)'\)", turn.actions)
            assert {*pressed} <= keys, pressed
            assert "# " in turn.actions or pressed


def _words(text: str) -> list[str]:
    return "".join(each if each.isalnum() else " " for each in text).split()


@pytest.mark.wide
@pytest.mark.parametrize("task", ["click-tab-2", "enter-password"])
def test_a_shipped_file_is_composed_again_byte_by_byte(runner, environments, task):
    assert runner.run(_built(environments, [task])) == {task: shipped(task)}


@pytest.mark.wide
@unmeasured()
def test_a_shipped_file_of_actions_is_composed_again_byte_by_byte(runner, environments):
    """One of the other site is composed in `test_exemplars_build`."""
    built = runner.run(_built(environments, ["buy_item"]))
    assert built == {"buy_item": shipped("buy_item", "store")}


@pytest.mark.deep
@pytest.mark.parametrize(("site", "task"), MOVED)
def test_every_shipped_file_of_actions_is_composed_again_byte_by_byte(
    runner, environments, site, task
):
    assert runner.run(_built(environments, [task])) == {task: shipped(task, site)}


@pytest.mark.deep
@pytest.mark.parametrize("task", TASKS)
def test_every_shipped_file_is_composed_again_byte_by_byte(runner, environments, task):
    assert runner.run(_built(environments, [task])) == {task: shipped(task)}


async def _built(environments, tasks):
    return {task: text async for task, text in trajectories.build(environments, tasks)}


@pytest.mark.wide
@pytest.mark.parametrize(("site", "task"), MOVED)
def test_a_shipped_file_of_actions_holds_what_the_ranker_keeps(site, task):
    """Three elements a page and the one acted on, nothing new, and the last action is STOP."""
    made, prompts = exemplar_files.load(site, task), prompting.load("synapse", site)
    page = renderings.get(prompts.rendering)
    assert (made.abstraction, len(made.exemplars)) == ("ranked", 3)
    for each in made.exemplars:
        assert [turn.actions.startswith("STOP") for turn in each.rounds] == [False] * (
            len(each.rounds) - 1
        ) + [True]
        for turn in each.rounds:
            action, seen = actions.parse(turn.actions), page.parse(turn.state)
            clean = element_ranking.past(Ranker(each.instruction), seen, action, trajectories.PAST)
            assert page.render(clean) == turn.observation
            target = getattr(action, "target", None)
            shown = [element.id for element in clean.elements]
            assert target is None or target in shown
            assert len(shown) <= trajectories.PAST + 1
    assert trajectories.text(made) == shipped(task, site)


def test_among_more_exemplars_the_widest_are_chosen():
    """The first, then the one that acts on something new, though it comes later."""
    found = [_exemplar(*names) for names in (("Go",), ("Go",), ("Go", "Not now"), ("Next",))]
    chosen = trajectories._widest(found, 2, "crm")
    assert chosen == [found[2], found[3]]
    assert trajectories._widest(found[:2], 2, "crm") == found[:2]


def _exemplar(*names: str) -> Exemplar:
    page = renderings.get(prompting.load("synapse", "crm").rendering)
    turns = []
    for name in names:
        seen = Observation(
            "http://crm.localhost/", "Page", (Element(1, "button", name, tag="button"),)
        )
        turns.append(Round(page.render(seen), "seen", "CLICK [1]"))
    return Exemplar("Do it", tuple(turns))


def test_what_the_expert_does_not_win_is_no_exemplar(runner, environments):
    with pytest.raises(NoTrajectory, match="click-tab-2: the expert succeeded on 1 of the seeds"):
        runner.run(trajectories.compose(environments, "click-tab-2", 2, [trajectories.SEEDS[0]]))


def test_the_seeds_are_neither_the_keys_nor_a_suites():
    from scenarios import suites

    names = [name for each in suites.names() for name in suites.load(each).scenarios]
    in_suites = {int(name.rsplit("/")[-1]) for name in names}
    assert not set(trajectories.SEEDS) & (in_suites | set(memory_keys.SEEDS))


# Rules --------------------------------------------------------------------------------------------

STATE = '<div role="note">Do it</div>\n  <p style="color:red" type="x">a</p>\n<b id="n">c</b>'


@pytest.mark.parametrize(
    ("how", "kind", "seen"),
    [
        (AbstractionRule(), "none", ""),
        (AbstractionRule(drop=("<div",)), "explicit", "  <p>a</p>\n<b>c</b>"),
        (AbstractionRule(drop=("<p", "<div"), ids=True), "explicit", '<b id="n">c</b>'),
        (AbstractionRule(drop=("<b",)), "explicit", '<div role="note">Do it</div>\n  <p>a</p>'),
        (AbstractionRule(programs=(("", "obs = state[:4]"),)), "implicit", "<div"),
        (AbstractionRule(programs=(("", "obs = TASK"),)), "implicit", "Do it"),
        (AbstractionRule(programs=(("x", "obs = 1"), ("it", "obs = 'y'"))), "implicit", "y"),
        (
            AbstractionRule(drop=("<d",), rows=(("<p", "^(?=.*it)"), ("<b", "^(?!.*it)"))),
            "explicit",
            "  <p>a</p>",
        ),
        (
            AbstractionRule(rows=(("<p", "[A-Z]\\w"), ("<b", "[a-z]t", "D|c")), drop=("<x",)),
            "explicit",
            '<div role="note">Do it</div>',
        ),
        (
            AbstractionRule(rows=(("<div", "Do"), ("<b", "x")), drop=("<x",)),
            "explicit",
            '<div role="note">Do it</div>\n  <p>a</p>',
        ),
        (AbstractionRule(rows=(("<b", "Do"),), drop=("<div",)), "explicit", "  <p>a</p>"),
        (
            AbstractionRule(rows=(("<b", "Do"),), drop=("<div",), block="<div"),
            "explicit",
            "  <p>a</p>\n<b>c</b>",
        ),
    ],
)
def test_what_a_rule_keeps(runner, how, kind, seen):
    assert (how.kind, runner.run(how.apply(STATE, "Do it"))) == (kind, seen)


def test_of_an_original_post_stays_its_user_and_the_button_beside_it(runner):
    """The button says nothing of the user: the lines of a post belong together."""
    post = "\n".join(
        f'''<span>Name</span>
<span style="x">@{user} 3h ago</span>
<span>Lorem ipsum.</span>
<span data-id="{at}" role="button">reply</span>
<span data-id="{at + 1}" role="button">more</span>'''
        for at, user in ((1, "ann"), (3, "bob"))
    )
    rule = abstraction_rule("social-media.original")
    asked = 'For the user @bob, click on the "{}" button.'
    for button, kept in (("Reply", "3"), ("Mute", "4")):
        user, pressed = runner.run(rule.apply(post, asked.format(button))).split("\n")
        assert user == "<span>@bob 3h ago</span>" and f'data-id="{kept}"' in pressed


def test_a_variant_without_rules_of_its_own_is_abstracted_as_its_task():
    assert (
        abstraction_rule("find-word.original")
        == abstraction_rule("find-word")
        != (AbstractionRule())
    )
    assert abstraction_rule("click-pie.original") != abstraction_rule("click-pie")
    assert memory_keys.modes("click-dialog-2.original") == memory_keys.modes("click-dialog-2")


def test_an_opened_mail_keeps_its_sender_and_its_subject(runner):
    opened = """
<div role="note" style="x">Forward Ann's mail to Bob</div>
<span data-id="1" id="close-email" role="button">close email</span>
<span data-id="2" role="button">trash Ann</span>
<h2>Lorem.</h2>
<span>Ann</span>
<span style="color:rgb(1, 2, 3)">Dolor sit amet.</span>
<span data-id="4" role="button">Reply</span>
<span data-id="5" role="button">Forward</span>""".strip()
    rule = abstraction_rule("email-inbox-nl-turk")
    kept = runner.run(rule.apply(opened, "Forward Ann's mail to Bob")).split("\n")
    assert kept == [opened.split("\n")[line] for line in (3, 4, 7)]
    kept = runner.run(rule.apply(opened, 'Answer "Yes" to the mail of Ann')).split("\n")
    assert kept == [opened.split("\n")[line] for line in (3, 4, 6)]


@for_each(
    ("asked", "line"),
    [
        ("Pass Ann's mail on to Bob", '<div data-id="2" role="link">Ann Hello</div>'),
        ('Answer "Yes" to the mail of Ann', '<div data-id="2" role="link">Ann Hello</div>'),
        ("remove what Ann sent", '<span data-id="3" role="button">trash Ann</span>'),
        ("star what Ann sent", '<span data-id="4" role="button">star Ann</span>'),
    ],
)
def test_of_mails_and_posts_stays_what_the_task_presses(runner, asked, line):
    """A mail is opened, or its button is pressed: never are both needed."""
    mails = "\n".join(
        f'''<div data-id="{at}" id="m" role="link">{name} Hello</div>
<span data-id="{at + 1}" role="button" style="x">trash {name}</span>
<span data-id="{at + 2}" role="button" style="x">star {name}</span>'''
        for at, name in ((2, "Ann"), (5, "Bob"))
    )
    assert runner.run(abstraction_rule("email-inbox-nl-turk").apply(mails, asked)) == line


@for_each(("button", "kept"), [("Like", "Like @ann"), ("Block", "More @ann")])
def test_of_a_post_stays_the_button_or_the_menu_that_holds_it(runner, button, kept):
    names = [f"{word} @{user}" for user in ("ann", "bob") for word in ("Reply", "Like", "More")]
    post = "\n".join(f'<span data-id="{at}">{name}</span>' for at, name in enumerate(names))
    asked = f'For the user @ann, click on the "{button}" button.'
    left = runner.run(abstraction_rule("social-media").apply(post, asked))
    assert left == f'<span data-id="{names.index(kept)}">{kept}</span>'


def test_exemplars_and_keys_at_an_airline_are_in_words_that_are_open():
    """One seed of five is phrased in words that are held out."""
    shown = {(task, each.instruction) for task, each in exemplar_files.all_of("airline")}
    shown |= {(key.task, key.instruction) for key in memory.load(memory.shipped("airline")).keys}
    for task in memory_keys.known("airline"):
        seeds = iter((*memory_keys.SEEDS, *trajectories.SEEDS))
        while task in dict(shown):
            scenario = registry.scenario(f"crm/{task}/{next(seeds)}")
            if (task, scenario.instruction) in shown:
                assert not memory_keys.is_held_out(scenario)
                shown.remove((task, scenario.instruction))
    assert not shown, "from other seeds"
