"""Bad input through the pages: a sentence at the field, the text is kept, nothing is changed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sites.codehost import SITE
from sites.kit import Place

PROJECT = {"visibility": "public", "template": "", "description": "Seven knots"}
ISSUE = {"title": "Seven knots", "body": "Every day", "assignee": "", "due": "", "milestone": ""}
ASSIGN = {"assignee": "", "due": "", "milestone": ""}
FILE = {"file": "docs/a.txt", "body": "Seven knots", "message": "Add it"}
REQUEST = {"title": "Seven knots", "body": "", "assignee": "", "reviewer": ""}
MILESTONE = {"title": "Seven knots", "starts": "2026-02-01", "due": "2026-03-01"}
LONG, NAME, DATE = "x" * 300, "Use up to 50 small letters", "write a date as 2026-01-31"
DAYS = {
    "2026-06-31": "the calendar has no such day",
    "2026-13-01": "the calendar has no such day",
    "2026-02-29": "the calendar has no such day",
    "31/06/2026": DATE,
    "31 June": DATE,
    "tomorrow": DATE,
}


def wrong(form, page, values, **changes):
    """The cases of a form in which one field is wrong: name, form, page, values and sentence."""
    for field, texts in changes.items():
        for text, sentence in texts.items():
            name = f"{form}, {field}, {text[:20] or 'nothing'}"
            yield pytest.param(form, page, {**values, field: text}, field, sentence, id=name)


NAMES = {"a/b": NAME, LONG: NAME, "x" * 301: "at most 300", "": "fill this in", "A b": NAME}
USER = {"nobody": "choose one of the list", "": "fill this in", "ME": "This is you"}
WRONG = [
    *wrong("create_project", "new_project", PROJECT, slug=NAMES),
    *wrong(
        "create_project",
        "new_project",
        {**PROJECT, "slug": "knots"},
        ns={"nobody": "of the list", "": "fill this in"},
        visibility={"secret": "of the list", "": "fill this in"},
        template={"a castle": "of the list"},
        description={"x" * 201: "at most 200"},
    ),
    *wrong("fork", "fork_page", {}, called=NAMES),
    *wrong(
        "create_group",
        "new_group",
        {"heading": "Knots", "visibility": "public"},
        team={**NAMES, "groups": "Choose another name."},
    ),
    *wrong(
        "create_issue",
        "new_issue",
        ISSUE,
        due=DAYS,
        title={"": "fill this in", "x" * 151: "at most 150", "a\nb": "one line only"},
        body={"x" * 4001: "at most 4000"},
        assignee={"nobody": "of the list"},
        milestone={"nothing": "of the list"},
    ),
    *wrong("assign", "issue", ASSIGN, due=DAYS, assignee={"nobody": "of the list"}),
    *wrong("add_label", "issue", {}, label={"nothing": "of the list", "": "fill this in"}),
    *wrong("comment_issue", "issue", {}, comment={" \n ": "fill this in"}),
    *wrong("create_milestone", "new_milestone", MILESTONE, starts=DAYS),
    *wrong(
        "create_milestone",
        "new_milestone",
        MILESTONE,
        due={**DAYS, "2026-01-31": "before the first"},
    ),
    *wrong("invite", "invite_page", {"role": "Guest"}, user=USER),
    *wrong("invite_to_group", "group_members", {"role": "Guest"}, user=USER),
    *wrong("invite", "invite_page", {}, role={"Anyone": "of the list", "Emperor": "of the list"}),
    *wrong(
        "create_file",
        "new_file",
        FILE,
        file={
            **dict.fromkeys(("../a.txt", "/a.txt", "a b", "./a"), "Use letters, digits"),
            LONG: "at most 200",
            "index.html": "Open it and edit it",
        },
        message={"": "fill this in"},
    ),
    *wrong("save_file", "edit_file", {"body": "Seven knots"}, message={"": "fill this in"}),
    *wrong(
        "create_request",
        "new_request",
        REQUEST,
        source={"no-such-branch": "of the list", "TARGET": "This is the target branch"},
        target={"no-such-branch": "of the list", "": "fill this in"},
        reviewer={"nobody": "of the list"},
    ),
    *wrong("save_profile", "profile", {}, website={"a-knot": "Write a whole address"}),
    *wrong("set_status", "profile", {}, status={"x" * 101: "at most 100"}),
]


@pytest.fixture
def owner(foundry):
    """A visit by an owner of the project and of its group."""
    visit = foundry.holding("Owner")
    values = visit.project()["ns"], visit.me
    visit.world.write("INSERT INTO team_members VALUES (?, ?, 'Owner')", values)
    visit.world.write("DELETE FROM log_change")
    return visit


def known_to(visit):
    """A right value for each field and each part of an address."""
    return {**visit.values(), "ns": visit.project()["ns"], "website": "", "status": ""}


@pytest.mark.parametrize(("form", "page", "values", "field", "sentence"), WRONG)
def test_a_wrong_field_is_named_and_nothing_is_changed(owner, form, page, values, field, sentence):
    known = known_to(owner)
    args = {each: known[each] for each in SITE.page[page].args}
    values = {**known, "place": known["ns"], **values}
    named = {"ME": owner.me, "TARGET": known["target"]}
    values[field] = named.get(values[field], values[field])
    response = owner.send(form, page, values, **args)
    assert response.status_code == 400
    assert sentence in response.text
    assert response.text.count('aria-invalid="true"') == (field not in ("visibility",))
    assert owner.world.read("SELECT * FROM log_change") == []


def test_what_was_written_is_kept_beside_the_mistake(owner):
    known = known_to(owner)
    args = {key: known[key] for key in ("ns", "slug")}
    sent = {"project": known["project"], **ISSUE, "due": "2026-06-31"}
    page = owner.send("create_issue", "new_issue", sent, **args).text
    assert 'value="Seven knots"' in page
    assert "Every day</textarea>" in page
    assert 'value="2026-06-31"' in page


def test_a_form_of_another_page_or_without_the_token_changes_nothing(owner):
    known = known_to(owner)
    args = {key: known[key] for key in ("ns", "slug")}
    assert owner.send("invite", "project", {**known}, **args).status_code == 400
    sent = {"form": "star", "once": "0", "project": known["project"], "csrf": "guess"}
    assert owner.client.post(owner.url("project", **args), data=sent).status_code == 400
    assert owner.world.read("SELECT * FROM log_change") == []


def test_ten_megabytes_are_refused(owner):
    known = known_to(owner)
    args = {key: known[key] for key in ("ns", "slug")}
    values = {**known, **FILE, "body": "x" * 10_000_000}
    assert owner.send("create_file", "new_file", values, **args).status_code == 413


# Anything


ANYTHING = st.text(max_size=20) | st.sampled_from(
    ("", " ", "'", '"', "%", "\0", "\r\n", "-1", "1e9", "²", "../..", "None", "{me}", "x" * 400)
)
FORMS = [(page, form) for page in SITE.pages for form in page.sent]
ONE_VISIT = [HealthCheck.function_scoped_fixture]


@pytest.fixture
def before(owner):
    with owner.world.fork() as made:
        yield made


@given(chosen=st.sampled_from(FORMS), data=st.data())
@settings(max_examples=120, suppress_health_check=ONE_VISIT)
def test_a_form_that_is_filled_with_anything_is_answered(owner, before, chosen, data):
    page, form = chosen
    owner.world.restore(before)
    known = known_to(owner)
    names = [*form.given, *(each.name for each in form.fields)]
    values = {
        name: data.draw(st.just(str(known.get(name, ""))) | ANYTHING, label=name) for name in names
    }
    args = {each: known[each] for each in page.args}
    answer = owner.send(form.name, page.name, values, **args)
    assert answer.status_code in (303, 400, 403, 404, 409)
    if answer.status_code == 303:
        assert owner.client.get(answer.location).status_code == 200
    assert owner.world.fault == ""


@given(page=st.sampled_from(SITE.pages), data=st.data())
@settings(max_examples=60, suppress_health_check=ONE_VISIT)
def test_an_address_with_anything_in_it_is_answered(owner, page, data):
    known = known_to(owner)
    parts = {
        each: data.draw(st.just(str(known[each])) | ANYTHING.filter(bool), label=each)
        for each in page.args
    }
    options = {each: data.draw(ANYTHING, label=each) for each in ("page", "sort", "q", "state")}
    url = owner.map.url(Place.of(page.name, parts))
    assert owner.client.get(url, query_string=options).status_code in (200, 404)
    assert owner.world.fault == ""
