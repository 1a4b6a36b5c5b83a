"""Options that are given more than once: their values are joined, or the command is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class Several(click.Option):
    """An option that takes several values: it is repeated, or has commas, or both.

    The command gets a tuple of texts, in the order of the command line.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{**settings, "multiple": True})

    def type_cast_value(self, ctx: click.Context, value: Any) -> tuple[str, ...]:
        """Return the values, split at their commas.

        Raises:
            click.BadParameter: There is nothing before, between or behind the commas.
        """
        given: tuple[str, ...] = super().type_cast_value(ctx, value)
        split = tuple(part for each in given for part in each.split(","))
        if not all(split):
            raise click.BadParameter(
                f"{','.join(given)!r} has an empty part; write values with a comma between two",
                ctx,
                self,
            )
        return split


def several(*names: str, **settings: Any) -> Callable[[F], F]:
    """Add an option that takes several values to a command, as `click.option` adds one."""
    return click.option(*names, cls=Several, **settings)


class Command(click.Command):
    """A command that refuses an option that is given twice and takes only one value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line. Raises `click.UsageError`."""
        _, _, given = self.make_parser(ctx).parse_args([*args])
        for option, count in Counter(given).items():
            if count > 1 and isinstance(option, click.Option) and not option.multiple:
                name = max(option.opts, key=len)
                raise click.UsageError(f"{name} is given {count} times; give it once", ctx)
        return super().parse_args(ctx, args)


class Group(click.Group):
    """A group of commands that refuse an option which is given twice but takes one value."""

    command_class = Command
    group_class = type
