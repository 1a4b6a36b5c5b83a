"""The scripted model's answers for SteP (`step/act`), whose policies (subprograms) know only their
objective, their own history and the page.

The root policy recognises the task by its instruction and calls the policy for the next step, with
the values that the policy will need. A called policy follows the same advice (the right next
actions), but it uses only values in its own input; it returns when the next step belongs to another
policy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import takewhile

from agent import actions, prompting
from agent.interface import Action, Advice, Click, Element, Note, Observation, Reply, Stop, Type
from agent.llm.simulated import form_fields, mistakes, reasons
from agent.llm.simulated.brackets import NOTHING, of_payment
from agent.llm.simulated.mistakes import Situation, element_of
from agent.llm.simulated.model import ReadRequest, SimulatedModel
from agent.llm.simulated.reading import Knowledge, Lost, Request
from agent.llm.simulated.remembered import unnoted
from agent.llm.simulated.shown_history import Input
from agent.methods.step import policy_library
from agent.methods.step.policy_library import ROOT, Policy

Written = tuple[str, str]
"""The text of an action or of a policy call, and the reason for it."""
REPEATED = "once more"  # a caller adds it to a call that returned without its part being done
OBJECTIVE = "objective"  # the argument of policies that get the objective of their caller
OPTIONS = "options, or none"  # the argument of policies that get only the options
NOTED = "notes, or none"  # the argument of policies that get what was found on other pages
WORDS = "words"  # the argument of the policy that searches
PROJECT = "project"  # the argument of the policy that looks through a single project
DATE_FIELD = "date field"  # the argument of the policy for a date of a form with other fields
AIRPORT_FIELD = "airport field"  # the same for an airport
PART = "part of the page"  # the argument of the policy for a single person
HALF = 0.5
LISTS = "search_projects"  # the policy that has projects looked through, one after another
BETWEEN = "; "  # stands between the notes that a policy returns
NEXT_PAGE = "turn_page"  # what advice calls a link to another page of the same list
PARTS = {DATE_FIELD, AIRPORT_FIELD, PART}
FLIGHT = "direction, airports, day or days, how many travel, and all wishes about this flight"
CARD = "card number"  # the first argument of the policy that pays
COUNTS = "adults, children and infants"  # the argument of the policy that searches for flights
AIRPORTS = ("from", "to")
ONE_WAY = "one-way"  # for a trip without a return
_CODE = re.compile(r"[A-Z0-9]{10}")
_DAYS = re.compile(r"\d|day\b|later|week")
"""A pattern that matches texts with days of travel, such as "3 days later", but no names
of people.
"""
_PATH = re.compile(r"[\w.-]+/[\w.-]+")
_AMOUNT = re.compile(r"\$(\d+\.\d\d)")


@dataclass(frozen=True)
class _PageView(ReadRequest):
    """A turn of one policy, read with knowledge of its task. Raises `Lost`."""

    @cached_property
    def input(self) -> Input:
        return Input(self.request)

    @cached_property
    def policy(self) -> Policy:
        """The policy named by the first word of the objective; the root if the objective is a whole
        task.
        """
        library = policy_library.load(self.simulated.only.site)
        name = self.input.objective.partition(" ")[0]
        return library.policies.get(name, library.root)

    @cached_property
    def task(self) -> Knowledge:
        returned = (each.response for each in self.input.history)
        known = [self.input.objective, *returned, *self.noted]
        if self.policy.name != ROOT:
            only = self.simulated.only
            lacks = dict(zip(self.policy.arguments, self.arguments, strict=False)).get(NOTED)
            own = self._at_first(only.advise) if lacks == NOTHING else only.advise
            advise = partial(_unknown, known, own)
            if OPTIONS in self.policy.arguments:
                advise = partial(_optional, advise)
            elif WORDS in self.policy.arguments:
                advise = partial(_searching, self.input.message, advise)
            elif self.policy.name == LISTS:
                advise = partial(_listing, [each for each in known[1:] if each], advise)
            return replace(only, advise=advise)
        task = self.simulated.task(self.request)
        if task.instruction not in self.input.objective:
            raise Lost("the objective is none of a known task")
        return replace(task, advise=partial(_unknown, known, self._at_first(task.advise)))

    def _at_first(self, advise: Callable[[Observation], Advice]) -> Callable[[Observation], Advice]:
        """Return the advice of a page where nothing has been done and nothing has been noted."""
        return advise if self.input.history else partial(unnoted, advise)

    @cached_property
    def rendering(self) -> str:
        return prompting.load("step", self.simulated.only.site).rendering

    @cached_property
    def page(self) -> Observation:
        return self.input.message.observation(self.rendering)

    @cached_property
    def advice(self) -> Advice:
        return self.task.advise(self.page)

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The arguments with which the policy was called."""
        return actions.call(self.input.objective)[1]

    @property
    def noted(self) -> list[str]:
        """The notes that the policy took."""
        return [each.text for each in self.input.operations if isinstance(each, Note)]

    @property
    def tried(self) -> list[Action]:
        """The actions that were done. If the policy's call returned on this page before, several
        stops instead, which make the model give up stopping.
        """
        done = list(self.input.operations)
        repeated = REPEATED in self.input.objective and not done
        return [Stop("")] * mistakes.GIVEN_UP_AFTER if repeated else done

    def why(self, action: Action, situation: Situation) -> str:
        return reasons.because(situation, action, self.input.objective)

    @cached_property
    def offered(self) -> list[Policy]:
        """The policies that the request offers to call, sorted: those for this kind of task and
        with many steps first, those for a single field last.
        """
        library = policy_library.load(self.simulated.only.site).policies.values()
        system = str(self.request.messages[0]["content"])
        listed = [each for each in library if each.description in system]
        return sorted(listed, key=self._place)

    @cached_property
    def kind(self) -> set[str]:
        """The steps of this kind of task."""
        return {*self.simulated.only.steps}

    def _place(self, policy: Policy) -> tuple[bool, int, bool, int]:
        """Return the sort key of a policy. A policy that calls others is meant for one kind of task
        only.
        """
        share = self.share(policy)
        leads = share < 1 and bool(policy.calls)
        strange = 2 * (share < HALF) + (share < 1)
        return bool(PARTS & {*policy.arguments}), strange, leads, -len(policy.steps)

    def share(self, policy: Policy) -> float:
        """Return the fraction of a policy's steps that belong to this task, 0 to 1.

        A policy that names no steps is for no task in particular: 0.
        """
        steps = {*policy.steps}
        return len(steps & self.kind) / len(steps) if steps else 0.0

    def serving(self) -> list[Policy]:
        """Return the offered policies that do the next step and whose arguments are known. The list
        is empty if the first needs search words but the next action types none.
        """
        step, types = self.advice.step, isinstance(next(iter(self.advice.actions), None), Type)
        able = (each for each in self.offered if step in each.steps)
        found = [each for each in able if all(_shown(self, each).values())]
        return [] if found and WORDS in found[0].arguments and not types else found


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the next turn of the running policy: an action, a call or a return."""
    view = _PageView(simulated, request)
    way = _lead if view.policy.name == ROOT else _OWN_WAYS.get(view.policy.name, _serve)
    return view.input.reply(*way(view))


def lost(simulated: SimulatedModel, request: Request) -> Reply:
    """Answer with the return of a policy whose input lacks needed values."""
    may_say = "stop [missing:" in request.text
    reason = "missing: what this is about" if may_say else "I do not know what to do"
    return Reply((f"ACTION: stop [{reason}]",))


def _unknown(
    known: Sequence[str], advise: Callable[[Observation], Advice], page: Observation
) -> Advice:
    """Return the advice (right next actions) for a page, without the leading notes that are already
    in `known`, the texts of the input, of earlier returns and of the policy's own notes.
    """
    advice = advise(page)
    held = [note for note in _first_notes(advice) if any(note.text in text for text in known)]
    return replace(advice, actions=tuple(advice.actions[len(held) :]))


def _first_notes(advice: Advice) -> list[Note]:
    """Return the notes to take before any other action of the advice (the right next actions)."""
    first = takewhile(lambda each: isinstance(each, Note), advice.actions)
    return [each for each in first if isinstance(each, Note)]


# The root, and policies that act on pages ---------------------------------------------------------


def _lead(view: _PageView) -> Written:
    """Return the root policy's turn: the final answer, a call of the best policy for the next step,
    or an action if no policy can be called.
    """
    if view.advice.answer is not None:
        return _end(view)
    serving = view.serving()
    return _call(view, serving[0]) if serving else _operation(view)


def _end(view: _PageView) -> Written:
    """Return a policy's stop with the answer to the task, which may be a scripted mistake."""
    situation = Situation(replace(view.advice, answer=_answer(view)), view.page)
    evidence = view.simulated.evidence(view.request, situation, list(view.input.operations))
    decision = view.simulated.believe(view.request, view.task, situation, evidence)
    return actions.show(decision.action), view.why(decision.action, situation)


def _serve(view: _PageView) -> Written:
    """Return a called policy's turn: the next step, or a return if the input does not tell what
    comes next. Raises `Lost` if the policy has done nothing yet.
    """
    try:
        return _own_step(view)
    except Lost:
        if not view.input.history:
            raise
        return _return(view, _notes(view))


def _own_step(view: _PageView) -> Written:
    """Act if the next step belongs to this policy, or call a policy for a smaller part of it;
    otherwise return.
    """
    own = view.policy.steps
    if view.advice.answer is not None or view.advice.step not in own:
        return _return(view, _answer(view) or _notes(view))
    smaller = [each for each in view.serving() if _is_smaller(each, view)]
    return _call(view, smaller[-1]) if smaller else _operation(view)


def _is_smaller(policy: Policy, view: _PageView) -> bool:
    """Return whether a policy may be called for a part of the calling policy: it does fewer of the
    task's steps, or fills a single field. A policy for a whole task of another kind is no part,
    unless the caller names it.
    """
    own, than = PARTS & {*policy.arguments}, view.policy
    whole = OBJECTIVE in policy.arguments and policy.name not in (than.calls or ())
    another = whole and view.share(policy) <= HALF
    if another or policy.name == than.name:
        return False
    its = {*policy.steps} & view.kind or {*policy.steps}
    return its < {*than.steps} or bool(own and not own & {*than.arguments})


def _return(view: _PageView, value: str) -> Written:
    """Return from the policy with a value, because the next step belongs to another policy."""
    what, title = reasons.quoted(view.input.objective), reasons.quoted(view.page.title)
    step = reasons.quoted(view.advice.step)
    reason = f"My part is {what}; on the page {title} the next step would be {step}."
    return actions.show(Stop(value)), reason


def _answer(view: _PageView) -> str:
    """Return the answer to the task, or "" if there is none yet. Raises `Lost` if the policy cannot
    know it: no call returned it, and the input lacks a value that it depends on.
    """
    answer = view.advice.answer or ""
    if answer and answer not in [each.response for each in view.input.history]:
        view.input.message.check(view.advice.needs)
    return answer


def _notes(view: _PageView) -> str:
    """Return the notes that the policy took and those that it would take on this page, joined by
    commas.
    """
    noted = (*view.noted, *(each.text for each in _first_notes(view.advice)))
    return ", ".join(each for each in dict.fromkeys(noted) if not _is_untold(view, each))


def _is_untold(view: _PageView, text: str) -> bool:
    """Return whether a text, or a fact in it, is a value that the task requires and that the
    policy's input does not contain.
    """
    facts = {text, *text.split(", ")}
    asked_for = [spellings for spellings in view.advice.needs if facts & {*spellings}]
    return not all(map(view.input.message.holds, asked_for))


def _operation(view: _PageView, task: Knowledge | None = None) -> Written:
    """Return the next action on the page, which may be a scripted mistake, and its reason."""
    done = list(view.input.operations)
    situation, decision = view.simulated.decide(
        view.input.message, view.rendering, already=done, tried=view.tried, task=task or view.task
    )
    action = _as_spelled(view, decision.action)
    return actions.show(action), view.why(action, situation)


def _as_spelled(view: _PageView, action: Action) -> Action:
    """Return the action with the text to type spelled as in the policy's input. Raises `Lost` if
    the input lacks it.
    """
    message = view.input.message
    if isinstance(action, Type) and not message.holds((action.text,)):
        for spellings in view.advice.needs:
            if action.text.casefold() in map(str.casefold, spellings):
                return replace(action, text=_spelt(message.text_without_pages, spellings))
    return action


# Calls --------------------------------------------------------------------------------------------


def _call(view: _PageView, policy: Policy, given: Sequence[str] = ()) -> Written:
    """Return the call of a policy with all values that the policy needs, which may be a scripted
    mistake, and its reason.
    """
    values = list(given) or _needed(view, policy)
    right = _written(view, policy, values)
    if view.input.history and view.input.history[-1].text == right:
        repeated = [*values[:-1], f"{values[-1]} {REPEATED}"]
        return _written(view, policy, repeated), _why_called(view, policy)
    takes_values = set(policy.arguments) - _shown(view, policy).keys()
    longest = max(values, key=len)
    believed = _believed(view, Type(policy.name, longest if takes_values else ""))
    if isinstance(believed, Type):
        misspelt = [believed.text or each if each == longest else each for each in values]
        return _written(view, policy, misspelt), _why_called(view, policy)
    return actions.show(believed), view.why(believed, Situation(view.advice, view.page))


def _why_called(view: _PageView, policy: Policy) -> str:
    """Return the reason for a policy call: the step that the policy does, and the values that the
    task names.
    """
    named = map(reasons.quoted, reasons.asked_for(view.advice.needs, view.input.objective))
    asked = f", for which the task names {', '.join(named)}" if view.advice.needs else ""
    title, step = reasons.quoted(view.page.title), reasons.quoted(view.advice.step)
    return f"On the page {title} comes the step {step}{asked}; {policy.name} does such a part."


def _needed(view: _PageView, policy: Policy) -> list[str]:
    """Return the arguments for a policy call, one text each; the whole objective if the policy asks
    for that.
    """
    if OBJECTIVE in policy.arguments:
        return [*_own_objective(view)]
    if PARTS & {*policy.arguments}:
        return [_of_part(view, policy)]
    if COUNTS in policy.arguments:
        return _search_of_flights(view)
    if CARD in policy.arguments:
        return of_payment(_spelt_all(view, view.advice.needs))
    text, needs = view.input.message.text_without_pages, view.advice.needs
    if FLIGHT in policy.arguments:
        return [", ".join([*_searched(view), _values(text, needs)])]
    if OPTIONS in policy.arguments:
        view.input.message.check(needs)
        return [_values(text, _offered(view.advice, view.page)) or NOTHING]
    if WORDS in policy.arguments:
        view.input.message.check(needs)
        needs = _searching(view.input.message, view.task.advise, view.page).needs
    brackets = len(set(policy.arguments) - _shown(view, policy).keys())
    if brackets < 2:
        return [_values(text, needs) or ", ".join(_own_objective(view))]
    found = [_spelt(text, each) for each in needs]
    apart = [*found, *[NOTHING] * (brackets - len(found))][: brackets - 1]
    return [*apart, ", ".join(found[brackets - 1 :]) or NOTHING]


def _searched(view: _PageView) -> list[str]:
    """Return the airports and days of the last call that searched for flights."""
    library = policy_library.load(view.simulated.only.site).policies
    searches = [each for each in view.input.history if COUNTS in _arguments(library, each.name)]
    values = searches[-1].arguments[:-1] if searches else ()
    return [each for each in values if each != ONE_WAY]


def _arguments(library: Mapping[str, Policy], name: str) -> tuple[str, ...]:
    return library[name].arguments if name in library else ()


def _own_objective(view: _PageView) -> tuple[str, ...]:
    """Return the arguments with which the current policy was called; at the root, the
    whole task.
    """
    return (view.input.objective,) if view.policy.name == ROOT else view.arguments


def _optional(advise: Callable[[Observation], Advice], page: Observation) -> Advice:
    """Return the advice (right next actions) for a product's page, without needed values that are
    no options of the page.
    """
    advice = advise(page)
    return replace(advice, needs=tuple(_offered(advice, page)))


def _searching(
    message: Request, advise: Callable[[Observation], Advice], page: Observation
) -> Advice:
    """Return the advice (right next actions) for a page. If it types search words that the input
    contains, only these words are marked as needed, not the whole shopping instruction.
    """
    advice = advise(page)
    words = next((each.text for each in advice.actions if isinstance(each, Type)), "")
    needed = {text.casefold() for spellings in advice.needs for text in spellings}
    one_or_many = words, words.removesuffix("s")
    if not words or words.casefold() in needed or not message.holds(one_or_many):
        return advice
    return replace(advice, needs=(one_or_many,))


def _offered(advice: Advice, page: Observation) -> list[tuple[str, ...]]:
    """Return the needed values, each with its spellings, that are options of the page."""
    offered = {each.name.casefold() for each in page.elements if each.role == "radio"}
    return [each for each in advice.needs if offered & set(map(str.casefold, each))]


def _written(view: _PageView, policy: Policy, values: Sequence[str]) -> str:
    shown, left = _shown(view, policy), iter(values)
    filled = (f"[{shown.get(each) or next(left, '')}]" for each in policy.arguments)
    return " ".join((policy.name, *filled))


def _shown(view: _PageView, policy: Policy) -> dict[str, str]:
    """Return the arguments of a policy that are read off the page or the history, as a dict from
    names to values.
    """
    readers = {
        "codes": lambda: ", ".join(_codes(view.page)),
        "field": lambda: _field(view),
        NOTED: lambda: _found_before(view) or NOTHING,
        DATE_FIELD: lambda: _date_field(view),
        AIRPORT_FIELD: lambda: _field_of_kind(view, form_fields.AIRPORT),
        PART: lambda: _part(view),
        PROJECT: lambda: _project(view),
    }
    return {each: readers[each]() for each in policy.arguments if each in readers}


def _found_before(view: _PageView) -> str:
    """Return the notes that were taken and the values that calls returned, joined by commas."""
    returned = [each.response for each in view.input.history]
    return ", ".join(dict.fromkeys(each for each in (*view.noted, *returned) if each))


def _field(view: _PageView) -> str:
    """Return the name of the field to fill next; "" if the next action fills none."""
    element = element_of(view.advice.actions[0], view.page) if view.advice.actions else None
    return element.name if element and element.value is not None else ""


def _values(text: str, needs: Sequence[Sequence[str]]) -> str:
    """Return the needed values as the text spells them, joined into one text. Raises `Lost` if it
    lacks a value.
    """
    found = list(dict.fromkeys(_spelt(text, each) for each in needs))
    return (", " if any(" " in each for each in found) else " ").join(found)


def _spelt(text: str, spellings: Sequence[str]) -> str:
    for each in sorted(spellings, key=len, reverse=True):
        whole = rf"(?<!\w){re.escape(each)}(?!\w)"
        found = re.search(whole, text) or re.search(whole, text, re.IGNORECASE)
        if found:
            return found[0]
    raise Lost(f"the input lacks {spellings[0]!r}")


def _believed(view: _PageView, call: Type) -> Action:
    """Return the call of a policy, encoded as `Type`, or a scripted mistake instead, such as a
    misspelt argument. A mistaken call is not repeated after it returned.
    """
    situation = Situation(Advice(f"call for {view.advice.step}", (call,)), view.page)
    calls = [Type(each.name, text) for each in view.input.history for text in each.arguments]
    tried = [*view.input.operations, *calls * mistakes.GIVEN_UP_AFTER]
    evidence = view.simulated.evidence(view.request, situation, tried)
    return view.simulated.believe(view.request, view.task, situation, evidence).action


# One field of a form, and one part of it ----------------------------------------------------------


def _date_field(view: _PageView) -> str:
    """Return the date field to fill next; "" if the next action fills none."""
    named = "date" in _field(view).casefold()
    return _field(view) if named else _field_of_kind(view, form_fields.DATE)


def _field_of_kind(view: _PageView, kind: str) -> str:
    """Return the name of the field to fill next; "" if it is not of this kind (date, airport)."""
    first = next(iter(view.advice.actions), None)
    if first is None or form_fields.kind_of(first, view.page) != kind:
        return ""
    return form_fields.field_of(first, view.page)


def _part(view: _PageView) -> str:
    """Return the person whose form fields come next, such as "passenger 2"; "" if they belong to
    nobody.
    """
    first = next(iter(view.advice.actions), None)
    return form_fields.part_of(first, view.page) if first else ""


def _search_of_flights(view: _PageView) -> list[str]:
    """Return the arguments of a flight search: origin, destination, two days (or one way), and the
    travellers; if the task names no travellers, the page's own numbers.
    """
    origin, destination, *others = _spelt_all(view, view.advice.needs)
    days = [each for each in others if _DAYS.search(each)]
    people = [each for each in others if each not in days]
    people = people or [*form_fields.counts(view.advice.actions, view.page)] or [NOTHING]
    return [origin, destination, *[*days, ONE_WAY][:2], ", ".join(people)]


def _of_part(view: _PageView, policy: Policy) -> str:
    """Return the value to enter in a part of the form (a field, or one person's fields), as the
    input spells it.
    """
    if PART in policy.arguments:
        return ", ".join(_spelt_all(view, _needs_of_part(view.advice, view.page)))
    action = _as_spelled(view, view.advice.actions[0])
    if isinstance(action, Type) and view.input.message.holds((action.text,)):
        return action.text
    if PART in view.policy.arguments:
        dates = filter(_is_dated, _needs_of_part(view.advice, view.page))
        return next(iter(_spelt_all(view, dates)), view.arguments[-1])
    return _given(view, AIRPORT_FIELD in policy.arguments)


def _spelt_all(view: _PageView, needs: Iterable[Sequence[str]]) -> list[str]:
    return [_spelt(view.input.message.text_without_pages, each) for each in needs]


def _is_dated(spellings: Sequence[str]) -> bool:
    return any(map(str.isdigit, spellings[0]))


def _given(view: _PageView, airport: bool) -> str:
    """Return the argument of the current policy for the next airport or date field, or several
    arguments if fields share a calendar.
    """
    named = dict(zip(view.policy.arguments, view.arguments, strict=True))
    fits = (each in AIRPORTS if airport else "date" in each for each in named)
    pairs = zip(named.values(), fits, strict=True)
    values = [value for value, fitting in pairs if fitting and value != ONE_WAY]
    kind = form_fields.AIRPORT if airport else form_fields.DATE
    left = form_fields.fields_left(kind, view.advice.actions, view.page)
    if not values:  # the day is in the only bracket, among other values
        return next(iter(filter(_DAYS.search, _spelt_all(view, view.advice.needs))), "")
    if left[0].count(", "):
        return ", ".join(values)
    return values[max(0, len(values) - len(left))]


def _needs_of_part(advice: Advice, page: Observation) -> list[Sequence[str]]:
    """Return the needed values of the person whose fields come next: the name, and the birthday
    that follows it.
    """
    part = form_fields.part_of(advice.actions[0], page)
    texts = {each.text for each in _of_this(part, advice, page) if isinstance(each, Type)}
    texts |= {each.value or "" for each in page.elements if each.name.endswith(f"({part})")}
    for at, spellings in enumerate(advice.needs):
        if {*spellings[0].split()} <= {word for text in texts for word in text.split()}:
            return list(advice.needs[at : at + 2])
    return list(advice.needs)


def _of_this(part: str, advice: Advice, page: Observation) -> list[Action]:
    """Return the first actions of the advice (right next actions) that belong to the same part of
    the form, such as one person's fields.
    """
    return [*takewhile(lambda each: form_fields.part_of(each, page) == part, advice.actions)]


def _choose_date(view: _PageView) -> Written:
    """Fill the date field that the policy's arguments name; a policy without such an argument takes
    the next action that is right on the page.
    """
    return _fill_field(view, _date_field) if DATE_FIELD in view.policy.arguments else _serve(view)


def _choose_airport(view: _PageView) -> Written:
    return _fill_field(view, _next_field)


def _next_field(view: _PageView) -> str:
    first = next(iter(view.advice.actions), None)
    return form_fields.field_of(first, view.page) if first else ""


def _fill_field(view: _PageView, next_field: Callable[[_PageView], str]) -> Written:
    """Fill the field that the objective names if it comes next; otherwise return to the caller."""
    if next_field(view) != view.arguments[0]:
        return _return(view, "")
    return _narrowed(view, partial(_first, value=view.arguments[1]))


def _fill_person(view: _PageView) -> Written:
    """Fill the fields of the person named in the objective, or call a smaller policy for a date;
    return if they are not next.
    """
    if _part(view) != view.arguments[0]:
        return _return(view, "")
    smaller = [each for each in view.serving() if _is_smaller(each, view)]
    return _call(view, smaller[-1]) if smaller else _narrowed(view, partial(_person, view=view))


def _narrowed(view: _PageView, narrow: Callable[[Advice], Advice]) -> Written:
    """Take the next action of the part of the page's advice (right next actions) that the function
    `narrow` keeps.
    """
    return _operation(view, replace(view.task, advise=lambda page: narrow(view.task.advise(page))))


def _first(advice: Advice, value: str) -> Advice:
    """Return the advice (right next actions) cut to its first action and to the needed values that
    belong to it. Raises `Lost` if the given value is none of them.
    """
    [action, *_] = advice.actions
    text = action.text.casefold() if isinstance(action, Type) else ""
    needs = [each for each in advice.needs if text in map(str.casefold, each)]
    if not needs:
        needs = [each for each in advice.needs if any(one in value for one in each)]
        if not needs or _is_more(value, needs):
            raise Lost(f"{value!r} is none of the values")
    return replace(advice, actions=(action,), needs=tuple(needs))


def _is_more(text: str, needs: Iterable[Sequence[str]]) -> bool:
    """Return whether a text contains words other than the spellings of these values."""
    for spellings in needs:
        text = text.replace(
            max((each for each in spellings if each in text), key=len, default=""), ""
        )
    return bool(re.search(r"\w", text))


def _person(advice: Advice, view: _PageView) -> Advice:
    """Return the advice (right next actions) cut to one person's fields and the values that they
    need.
    """
    part = view.arguments[0]
    needs = tuple(map(tuple, _needs_of_part(advice, view.page)))
    return replace(advice, actions=tuple(_of_this(part, advice, view.page)), needs=needs)


def _fill_text(view: _PageView) -> Written:
    """Fill the field that the objective names; if another field comes next, return to the
    caller.
    """
    if _field(view) not in ("", view.arguments[0]):
        return _return(view, "")
    return _serve(view)


# The recursive search through a list --------------------------------------------------------------


def _project(view: _PageView) -> str:
    """Return the path of the project to look through: the one that the task names, or the one whose
    link comes next; "" if there is neither.
    """
    element = element_of(view.advice.actions[0], view.page) if view.advice.actions else None
    linked = element.name.replace(" ", "") if element else ""
    named = (text for spellings in view.advice.needs for text in spellings)
    return next(filter(_PATH.fullmatch, (*named, linked)), "")


def _find_commits(view: _PageView) -> Written:
    """Look through one project; return what was noted if nothing more of its list is to be read."""
    advice = view.advice
    if advice.answer is not None:
        return _return(view, _answer_or_notes(view))
    reads_on = advice.call == NEXT_PAGE or isinstance(advice.actions[0], Note)
    if view.noted and not reads_on:
        return _return(view, BETWEEN.join(view.noted))
    link = None if view.input.history else _link_to(view.page, view.arguments[-1])
    return _narrowed(view, partial(_pressing, link)) if link else _serve(view)


def _answer_or_notes(view: _PageView) -> str:
    """Return the answer to the task; what was noted if the answer depends on other projects."""
    try:
        return _answer(view)
    except Lost:
        return BETWEEN.join(view.noted)


def _link_to(page: Observation, project: str) -> Element | None:
    """Return the link to a project, None if the page has none."""
    return next((each for each in page.elements if each.name.replace(" ", "") == project), None)


def _pressing(element: Element, advice: Advice) -> Advice:
    """Return the advice to press an element, in the same step."""
    return replace(advice, actions=(Click(element.id),), call="")


def _listing(
    returned: Iterable[str], advise: Callable[[Observation], Advice], page: Observation
) -> Advice:
    """Return the advice (right next actions) for a page, for a policy that keeps what its calls
    returned as its notes.
    """
    return advise(
        replace(page, notes=tuple(note for each in returned for note in each.split(BETWEEN)))
    )


def _codes(page: Observation) -> list[str]:
    """Return the codes of products on a page of results that were not opened yet, cheapest
    first.
    """
    prices: dict[str, float] = {}
    code = ""
    for node in page.content:
        if isinstance(node, Element):
            listed = _CODE.fullmatch(node.name) and "visited" not in node.states
            code = node.name if listed else ""
        elif code and (amount := _AMOUNT.match(node.text)):
            prices[code], code = float(amount[1]), ""
    return sorted(prices, key=lambda each: prices[each])


def _search_list(view: _PageView) -> Written:
    """Search a list of products recursively (SteP's example): look inside the next product, and if
    it does not fit, search the rest.
    """
    step, able = view.advice.step, {each.name for each in view.offered}
    last = view.input.history[-1] if view.input.history else None
    if last and last.name == view.policy.name:
        return _return(view, last.response or "none")
    if step not in view.policy.steps:
        return _return(view, next(filter(_CODE.fullmatch, view.page.url.split("/")), "none"))
    if step != "look inside" or not {"look_inside", "search_list"} <= able:
        return _operation(view)
    what, listed = view.arguments
    unopened = _codes(view.page)
    left = [code for code in listed.split(", ") if code in unopened]
    if not left:
        return _return(view, "none")
    reason = f"Of {reasons.quoted(listed)} the page lists {len(left)} that were not opened yet."
    if last is None:
        return f"look_inside [{left[0]}] [{what}]", reason
    return f"search_list [{what}] [{', '.join(left)}]", reason


def _look_inside(view: _PageView) -> Written:
    """Open the product that the objective names, then return whether it meets the condition; may be
    a scripted mistake.
    """
    advice = view.advice
    code = view.arguments[0]
    if advice.step == "look inside":
        right = element_of(advice.actions[0], view.page)
        if right is None or right.name != code:
            raise Lost(f"there is no {code!r} to look into")
        return _operation(view)
    view.input.message.check(advice.needs)
    situation = Situation(Advice("look inside", answer=_verdict(advice)), view.page)
    about = f"verdict on {code}", _verdict(advice)
    wrong = view.simulated.errs(
        view.request, view.task, about, mistakes.DECISION, 1 - view.simulated.skill
    )
    verdict = {"yes": "no", "no": "yes"}[_verdict(advice)] if wrong else _verdict(advice)
    return actions.show(Stop(verdict)), view.why(Stop(verdict), situation)


def _verdict(advice: Advice) -> str:
    return "no" if advice.step == "go on" else "yes"


_OWN_WAYS: dict[str, Callable[[_PageView], Written]] = {
    "choose_airport": _choose_airport,
    "choose_date": _choose_date,
    "find_commits": _find_commits,
    "fill_person": _fill_person,
    "fill_text": _fill_text,
    "search_list": _search_list,
    "look_inside": _look_inside,
}
