"""An option that is given twice is joined or refused, whichever option of whichever command."""

from __future__ import annotations

from collections.abc import Iterator

import click
from click.testing import CliRunner

import rehearse
from evaluators.commands.repetition import Several

VALUES = ("a", "b", "c")


def options(
    group: click.Group, above: str = ""
) -> Iterator[tuple[str, click.Command, click.Option]]:
    """Yield each option of each command, with the words that call the command."""
    for name, command in group.commands.items():
        words = f"{above} {name}".strip()
        if isinstance(command, click.Group):
            yield from options(command, words)
            continue
        for each in command.params:
            if isinstance(each, click.Option):
                yield words, command, each


ALL = [*options(rehearse.main)]
JOINED = [each for each in ALL if isinstance(each[2], Several)]


def test_every_command_is_read():
    assert {"run", "exemplars build"} <= {words for words, *_ in ALL}
    assert {"--agent", "--suite", "--family", "--env", "--skill", "--mistakes", "--site"} <= {
        each.opts[0] for _, _, each in JOINED
    }


def test_an_option_that_is_given_twice_is_joined_or_refused():
    for words, _, option in ALL:
        if isinstance(option, Several):
            continue
        given = [option.opts[0]] if option.is_flag else [option.opts[0], "1"]
        ended = CliRunner().invoke(rehearse.main, [*words.split(), *given, *given])
        assert (ended.exit_code, ended.stdout) == (2, ""), (words, option.opts, ended.output)
        assert f"{max(option.opts, key=len)} is given 2 times; give it once" in ended.stderr
        assert not option.multiple, (words, option.opts)


def test_what_is_joined_takes_commas_and_repetition_alike():
    for words, command, option in JOINED:
        name = option.opts[0]
        for line in (["a", "b,c"], ["a,b", "c"], ["a,b,c"], ["a", "b", "c"]):
            given = [word for each in line for word in (name, each)]
            context = command.make_context(words, given, resilient_parsing=True)
            assert context.params[option.name] == VALUES, (words, line)
        ended = CliRunner().invoke(rehearse.main, [*words.split(), name, "a,,b"])
        assert ended.exit_code == 2 and "'a,,b' has an empty part" in ended.stderr, (words, name)
