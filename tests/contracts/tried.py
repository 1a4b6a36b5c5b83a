"""What contract tests try of a method's scripted answers.

They try it on some of the families that it covers (`agent.llm.scripted`); this table says on which
besides, and which of them the method's own limits put out of its reach, whoever answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ExtraEpisode:
    """An episode that sends a text which the others do not.

    Without a `family` it is the first of each site. `context` is the model's, in tokens.
    """

    agent: str
    family: str = ""
    seed: int = 3
    context: int | None = None


@dataclass(frozen=True)
class Tried:
    """How a method is tried.

    Args:
        families: The number of families of each site, evenly spread, apart from those of `also`.
        beyond: By variant ("" for the method itself), families beyond the method's limits.
        seeds: By family, other seeds than the usual one.
        extra: Episodes that send the texts which the others do not.
        unsent: Texts and points that the scripted model gives no occasion to send; tests of the
            method, or of its prompt file, look at them.
    """

    families: int = 2
    also: tuple[str, ...] = ()
    beyond: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seeds: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    extra: tuple[ExtraEpisode, ...] = ()
    unsent: tuple[str, ...] = ()


def tried(method: str) -> Tried:
    """How a method, such as `plan_act` or `plan-act`, is tried."""
    return _TRIED.get(method.replace("_", "-"), Tried())


_OVER_30_ACTIONS = {
    "": ("book_party", "cheapest_fit"),
    # What counts lies below the viewport of this variant: the script notes it unseen, or scrolls.
    "paper": ("airports_within", "open_place"),
}
_BEYOND_PROGRAMS = (
    # The agent of a program has no places, paths or drags, marks no text and scrolls no part.
    *("bisect-angle", "circle-center", "daily-calendar", "drag-box", "drag-circle", "drag-cube"),
    *("drag-items", "drag-items-grid", "drag-shapes", "drag-shapes-2", "drag-single-shape"),
    *("drag-sort-numbers", "draw-circle", "draw-line", "find-midpoint", "highlight-text"),
    *("highlight-text-2", "hot-cold", "resize-textarea", "right-angle", "scroll-text-2"),
    *("sign-agreement", "text-editor"),
)
_BEYOND_THREE_OPERATIONS = (
    # MindAct clicks, types and selects: it has no keys, hovers, drags, places, waits or scrolling.
    *("ascending-numbers", "bisect-angle", "button-delay", "chase-circle", "circle-center"),
    *("click-menu", "daily-calendar", "drag-box", "drag-circle", "drag-cube", "drag-items"),
    *("drag-items-grid", "drag-shapes", "drag-shapes-2", "drag-single-shape"),
    *("drag-sort-numbers", "draw-circle", "draw-line", "find-midpoint", "form-sequence"),
    *("highlight-text", "highlight-text-2", "hot-cold", "hover-shape", "resize-textarea"),
    *("right-angle", "scroll-text-2", "sign-agreement", "simon-says", "stock-market"),
    *("terminal", "text-editor", "use-slider", "use-slider-2"),
)
_MANY_REFINEMENTS = ("hot-cold",)  # more than twenty pages; each tells only the next action
_LATER_PAGES = (  # the script plans only for the page that it sees
    *("ascending-numbers", "bisect-angle", "book-flight", "book-flight-nodelay", "choose-date"),
    *("choose-date-nodelay", "circle-center", "click-menu-2", "daily-calendar", "drag-box"),
    *("drag-circle", "drag-shapes", "drag-shapes-2", "drag-single-shape", "drag-sort-numbers"),
    *("draw-circle", "draw-line", "email-inbox-forward", "email-inbox-forward-nl"),
    *("email-inbox-forward-nl-turk", "email-inbox-noscroll", "email-inbox-reply"),
    *("email-inbox-star-reply", "find-greatest", "find-midpoint", "generate-number"),
    *("guess-number", "hot-cold", "hover-shape", "login-user-popup", "moving-items"),
    *("phone-book", "right-angle", "scroll-text-2", "search-engine", "sign-agreement"),
    *("simon-says", "stock-market", "terminal", "text-editor", "tic-tac-toe", "use-autocomplete"),
    *("use-autocomplete-nodelay", "use-colorwheel", "use-colorwheel-2"),
)
_OF_ORDERS = (  # points of states that LASER comes to on families that its script does not cover
    *("what was bought before stands in the orders", "what is needed later is noted"),
    *("an old product tells what is to stay", "the best of several is worked out"),
    *("a product is opened again to be bought", "the cart may have held something"),
    *("notes tell whose address it is", "what the shop has chosen is undone"),
    "an order is compared in every part",
)
_MAPPING = "mapping=model,backtrack=url@scripted-0.5"
_TRIED: Mapping[str, Tried] = {
    "react": Tried(
        # pressed by its place; ticked; counted over several pages
        also=("right-angle", "checkout_exact", "count_negative_comments"),
        seeds={"checkout_exact": (4,)},  # one that can be done, with an extra
        extra=(ExtraEpisode("react:instructions", "latest_order"),),  # no purchase
    ),
    "ash": Tried(  # most answers are those of ReAct
        families=1,
        also=("latest_order",),  # no purchase
        extra=(
            ExtraEpisode("ash:instructions=true"),
            ExtraEpisode("ash:instructions=true", "latest_order"),
        ),
    ),
    "flat": Tried(families=1),  # most answers are those of ReAct
    "rci": Tried(
        # The released code ends after as many actions as the plan has steps, and one more.
        beyond={
            "published-code": (
                *("book-flight", "choose-date", "click-checkboxes-large", "click-checkboxes-soft"),
                *("click-shades", "click-tab-2-hard", "find-greatest", "login-user-popup"),
                *("use-slider", "use-spinner"),
            )
        },
    ),
    "mindact": Tried(beyond={"": _BEYOND_THREE_OPERATIONS}),
    "adaplanner": Tried(beyond={"": _MANY_REFINEMENTS, "open-loop": _LATER_PAGES}),
    "step": Tried(  # for policies that no other family calls
        also=("click-tab-2", "email-inbox", "cheapest_in_list", "buy_wish")
    ),
    "laser": Tried(
        also=(
            "buy_wish",  # where look-alikes are examined
            "bought_configuration",  # a question, which is answered
            "TASK_UPDATE_FLIGHTS",  # where results are laid out
        ),
        seeds={
            "email-inbox-nl-turk": (4,),  # 3 asks for a star, a function without arguments
            "email-inbox": (2,),  # 0, 1 and 3 call by a part of a button's name
        },
        extra=(
            ExtraEpisode("laser:force_after=2"),  # a forced choice
            ExtraEpisode("laser:verify=true", "buy_item"),
        ),
        # It opens no product that is marked as visited.
        unsent=("examined_before", *_OF_ORDERS),
    ),
    "synapse": Tried(
        beyond={
            "": _BEYOND_PROGRAMS,
            # 4,097 tokens do not hold the exemplars whole; and where many elements are alike, the
            # few of the best rank often lack Buy Now or the right product.
            "paper": (
                *("TASK_BOOK_FLIGHT", "TASK_CANCEL_FLIGHT", "buy_item", "cheapest_in_list"),
                *("airline_search", "book_party", "create_project"),
                *("change_address", "newsletter"),  # what is pressed is among many alike
            ),
        },
        extra=(  # both kinds of abstraction
            ExtraEpisode("synapse", "email-inbox-nl-turk"),
            ExtraEpisode("synapse", "click-pie"),
        ),
    ),
    "anticipatory-reflection": Tried(
        also=("latest_order",),
        beyond=_OVER_30_ACTIONS,
        extra=(
            ExtraEpisode("anticipatory-reflection:history_tokens=20,screen_tokens=50"),
            ExtraEpisode("anticipatory-reflection:remedies=0@scripted-0.3"),  # a plan revised
            *(ExtraEpisode(f"anticipatory-reflection:{_MAPPING}", seed=n) for n in range(3, 9)),
            ExtraEpisode("anticipatory-reflection:loops=true", "wish_brand"),
        ),
        unsent=("reflect",),  # after a failed attempt only, with lessons=true
    ),
    "plan-act": Tried(
        beyond=_OVER_30_ACTIONS,
        extra=(
            ExtraEpisode("plan-act:batched=false,history_tokens=20"),
            ExtraEpisode("plan-act@scripted-0.3", seed=5),  # a plan revised
            ExtraEpisode("plan-act", "review_mentions", 0),  # notes taken
            ExtraEpisode("plan-act", context=1000),  # a page too long for the context
            ExtraEpisode("plan-act:loops=true", "wish_brand"),
        ),
        unsent=("reflect",),  # after a failed attempt only, with lessons=true
    ),
    "sampled-alternatives": Tried(
        families=1,  # most answers are those of Anticipatory Reflection
        also=("latest_order",),
        beyond=_OVER_30_ACTIONS,
        extra=(
            ExtraEpisode("sampled-alternatives:batched=false,history_tokens=20,screen_tokens=50"),
            ExtraEpisode("sampled-alternatives:samples=1@scripted-0.3"),  # a plan revised
            ExtraEpisode(f"sampled-alternatives:{_MAPPING}", "cheapest_in_list", 5),
            ExtraEpisode("sampled-alternatives:loops=true", "wish_brand"),
        ),
        unsent=("reflect",),  # after a failed attempt only, with lessons=true
    ),
    "lats": Tried(
        families=1,  # most answers are those of Anticipatory Reflection
        also=("latest_order",),
        # Fifteen levels are too few for a sale, and on pages that make one wait or follow.
        beyond={
            "": (
                *("TASK_BOOK_FLIGHT", "book_party", "cheapest_fit", "chase-circle"),
                *("hot-cold", "hover-shape", "sign-agreement", "stock-market"),
                *("airports_within", "best_order", "within_minutes"),  # six ways and more
            )
        },
        extra=(
            ExtraEpisode("lats:depth=2"),  # a failure to reflect on
            ExtraEpisode("lats:history_tokens=20,screen_tokens=50"),
        ),
    ),
}
