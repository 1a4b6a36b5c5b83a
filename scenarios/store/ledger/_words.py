"""Wordings of questions about spending at the market; each split has its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

WIDE, DEEP = "wide", "deep"
SUM, MEAN, MONTH, SECOND, DIFFERENT = "sum", "mean", "month", "second", "different"
Texts = tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """The wordings of a split.

    By form and question, `asked` is the question, with `{when}`, `{who}` and `{department}`, and
    the field `counts` says which amounts are meant. By whether the first and the last day are
    included, the field `when` is the period, with `{first}` and `{last}`. To limit the question to
    a `{person}` there is `only`, and to leave a person out, `without`. A text in `canceled` says
    that canceled orders do not count, a text in `returned` that returned orders do not either, and
    a text in `nothing` what to answer if nothing is left.
    """

    asked: Mapping[tuple[str, str], Texts]
    when: Mapping[tuple[bool, bool], Texts]
    only: Texts
    without: Texts
    canceled: Texts
    returned: Texts
    counts: Mapping[tuple[str, str], Texts]
    nothing: Texts


_TEST = Words(
    asked={
        (WIDE, SUM): (
            "For the tax man: what do the totals of my orders placed {when}{who} add up to?",
            "One figure goes into a form: all order totals together, of orders placed {when}{who}.",
        ),
        (WIDE, MEAN): (
            ("What was an order of mine worth on average, by its total, of those placed"
            " {when}{who}? To the cent, half a cent up."),
        ),
        (WIDE, MONTH): (
            ("Which month cost me the most, by the totals of the orders placed in it, if I look"
            " only at those placed {when}{who}? Say the month and the year, such as May 2024."),
        ),
        (WIDE, SECOND): (
            "Of my orders placed {when}{who}, what was the total of the second dearest one?",
        ),
        (DEEP, SUM): (
            ("What did I really spend on what the shop files under {department}, in orders placed"
            " {when}{who}?"),
            ("My husband wants to know what went into {department}, as the shop calls it, in orders"
            " placed {when}{who}."),
        ),
        (DEEP, MEAN): (
            ("What did a single piece cost me on average, of what the shop files under"
            " {department}, in orders placed {when}{who}? To the cent, half a cent up."),
        ),
        (DEEP, MONTH): (
            ("In which month did I spend the most on what the shop files under {department}, in"
            " orders placed {when}{who}? The month and the year, please, such as May 2024."),
        ),
        (DEEP, SECOND): (
            ("Of what the shop files under {department}, what did one piece of the second dearest"
            " thing cost me, in orders placed {when}{who}?"),
        ),
        (DEEP, DIFFERENT): (
            ("How many different things have I bought here, in orders placed {when}{who}? Another"
            " model code makes it another thing, another color or size does not."),
        ),
    },
    when={
        (True, True): ("from {first} to {last}, both days in",
                       "between {first} and {last}, with both of those days"),
        (False, False): ("after {first} and before {last}, so without those two days",),
        (True, False): ("from {first} on, that day too, and before {last}, without that one",),
        (False, True): ("after {first}, without that day, and up to {last}, with that one",),
    },
    only=(", just those that went to {person}", " and sent to {person}, nobody else"),
    without=(", but not what went to {person}", ", leaving aside those sent to {person}"),
    canceled=(" What was canceled never cost me anything.", " Forget the canceled ones."),
    returned=(" Forget the canceled ones, and those marked as returned, too.",
              " Neither canceled nor returned orders are of interest."),
    counts={
        (WIDE, ""): (" Take each total as the list has it, whatever came back later.",),
        (DEEP, SUM): (
            (" I mean the prices beside the things, times how many there were, less what was paid"
            " back for these very things; no postage, no extras, and as if no code had been used."),
        ),
        (DEEP, MEAN): (
            (" I mean the prices beside the things, less what was paid back for these very things,"
            " all divided by the number of pieces; no postage, no extras, and as if no code had"
            " been used."),
        ),
        (DEEP, SECOND): (
            " I mean the price beside it, whatever came back later. No two of them cost the same.",
        ),
        (DEEP, DIFFERENT): ("",),
    },
    nothing=(" Should there be nothing of the kind, answer NOT_FOUND.",
             " If there is nothing like that at all, NOT_FOUND will do."),
)  # fmt: skip
_DEV = Words(
    asked={
        (WIDE, SUM): (
            "Our bookkeeper asks for the sum of the totals of what I ordered {when}{who}.",
        ),
        (WIDE, MEAN): (
            (
                "Take the totals of what I ordered {when}{who}: what is their mean? In dollars and"
                " cents, half a cent rounded up."
            ),
        ),
        (WIDE, MONTH): (
            (
                "Add up by months the totals of what I ordered {when}{who}: which month is the"
                " highest? With its year, as in May 2024."
            ),
        ),
        (WIDE, SECOND): (
            "Sort what I ordered {when}{who} by the total: how much is the second from the top?",
        ),
        (DEEP, SUM): (
            (
                "How much of my money stayed in {department}, the department, for what I ordered"
                " {when}{who}?"
            ),
        ),
        (DEEP, MEAN): (
            (
                "In the department {department}, how much per piece did I pay in the mean, for"
                " what I ordered {when}{who}? In dollars and cents, half a cent rounded up."
            ),
        ),
        (DEEP, MONTH): (
            (
                "Add up by months what I paid in the department {department}, for what I ordered"
                " {when}{who}: which month is the highest? With its year, as in May 2024."
            ),
        ),
        (DEEP, SECOND): (
            (
                "Look at the single prices in the department {department}, of what I ordered"
                " {when}{who}: how much is the second from the top?"
            ),
        ),
        (DEEP, DIFFERENT): (
            (
                "Count the models in what I ordered {when}{who}, each code once, in whatever"
                " color or size it came."
            ),
        ),
    },
    when={
        (True, True): ("starting with {first} and ending with {last}, these two included",),
        (False, False): ("strictly between {first} and {last}, these two excluded",),
        (True, False): ("starting with {first} itself and stopping short of {last}",),
        (False, True): ("later than {first} and no later than {last}, which is still in",),
    },
    only=(" for the address of {person} and no other",),
    without=(" for any address but that of {person}",),
    canceled=(" Canceled ones are to be skipped.",),
    returned=(" Skip the canceled ones and the returned ones.",),
    counts={
        (WIDE, ""): (" Refunds change nothing about it, only the listed totals matter.",),
        (DEEP, SUM): (
            (
                " Price times pieces of each thing, minus refunds for that thing. Leave postage,"
                " extras and codes out of it."
            ),
        ),
        (DEEP, MEAN): (
            (
                " That is price times pieces of each thing, minus refunds for that thing,"
                " divided by all these pieces. Leave postage, extras and codes out of it."
            ),
        ),
        (DEEP, SECOND): (" Refunds change nothing about it. No price is there twice.",),
        (DEEP, DIFFERENT): ("",),
    },
    nothing=(" Where nothing is left to look at, write NOT_FOUND.",),
)
_TRAIN = Words(
    asked={
        (WIDE, SUM): (
            (
                "I am doing my budget. Everything I had sent off {when}{who}: please give me the"
                " grand total over the single totals."
            ),
            (
                "What is the sum if you put together each order's total, for the ones made"
                " {when}{who}?"
            ),
        ),
        (WIDE, MEAN): (
            (
                "I am doing my budget. Per order, what was the average of the totals, for the"
                " ones made {when}{who}? Two decimals, .5 goes up."
            ),
        ),
        (WIDE, MONTH): (
            (
                "I am doing my budget. Which calendar month has the greatest sum of totals, for the"
                " ones made {when}{who}? Write it like May 2024."
            ),
        ),
        (WIDE, SECOND): (
            (
                "Leave out my most expensive order and tell me the total of the next one, for"
                " the ones made {when}{who}."
            ),
        ),
        (DEEP, SUM): (
            (
                "I am doing my budget by departments. How much did {department} swallow, for the"
                " orders made {when}{who}?"
            ),
        ),
        (DEEP, MEAN): (
            (
                "I am doing my budget by departments. In {department}, what did I give for one"
                " piece on average, for the orders made {when}{who}? Two decimals, .5 goes up."
            ),
        ),
        (DEEP, MONTH): (
            (
                "I am doing my budget by departments. Which calendar month was the dearest in"
                " {department}, for the orders made {when}{who}? Write it like May 2024."
            ),
        ),
        (DEEP, SECOND): (
            (
                "Leave out the most expensive thing from {department} and tell me the price of"
                " one of the next, for the orders made {when}{who}."
            ),
        ),
        (DEEP, DIFFERENT): (
            (
                "I make an inventory. For the orders made {when}{who}, how many kinds of goods"
                " came, if two of the same code are one kind, whatever their color or size?"
            ),
        ),
    },
    when={
        (True, True): ("in the time from {first} through {last}, first and last day included",),
        (False, False): ("in the days that lie between {first} and {last}, neither one included",),
        (True, False): ("since {first}, included, until {last}, not included",),
        (False, True): ("since {first}, not included, until {last}, included",),
    },
    only=(", shipped to {person} only",),
    without=(", except what was shipped to {person}",),
    canceled=(" Ignore whatever was canceled.",),
    returned=(" Ignore whatever was canceled or has come back as returned.",),
    counts={
        (WIDE, ""): (" Use the totals of the overview and ignore later refunds.",),
        (DEEP, SUM): (
            (
                " Use the line prices with their pieces, subtract the refunds of those lines, and"
                " ignore postage, extras and codes."
            ),
        ),
        (DEEP, MEAN): (
            (
                " Use the line prices with their pieces, subtract the refunds of those lines,"
                " ignore postage, extras and codes, and divide by the pieces."
            ),
        ),
        (DEEP, SECOND): (" Ignore refunds. All of them have different prices.",),
        (DEEP, DIFFERENT): ("",),
    },
    nothing=(" With nothing to show, reply NOT_FOUND.",),
)
BY_SPLIT = {"test": _TEST, "dev": _DEV, "train": _TRAIN}
