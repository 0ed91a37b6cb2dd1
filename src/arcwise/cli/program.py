"""The program as typer sees it: commands grouped by what they are for, and what to say to an unknown one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from typer.core import TyperGroup

from arcwise.errors import OptionError, unknown_name
from arcwise.nearest import nearest
from arcwise.printing import in_shell

# Words that people try, and the command that does it.
ELSEWHERE = {
    "help": "--help",
    "version": "--version",
    "plot": "draw",
    "show": "draw",
    "inspect": "check",
    "describe": "check",
    "validate": "check",
    "summary": "check",
    "impute": "complete",
    "fill": "complete",
    "sample": "simulate",
    "generate": "simulate",
    "infer": "query",
    "ask": "query",
    "classify": "predict",
    "bin": "discretize",
    "cut": "discretize",
    "structure": "learn",
    "train": "learn",
    "estimate": "fit",
    "shd": "metrics",
    "list": "methods",
}


class Suggesting(TyperGroup):
    """Commands inside another; an unknown one is answered by those that are near."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        if name in self.commands or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        raise OptionError(self.instead(name, ctx.command_path))

    def instead(self, name: str, path: str) -> str:
        """What to say to an unknown command."""
        said = unknown_name("command", name, self.list_commands(None))  # type: ignore[arg-type]
        return said if said.endswith("?") else f"{said}; see {path} --help"


class Program(Suggesting):
    """GROUPS: titles of the page of help, with all commands in their order."""

    GROUPS: ClassVar[Mapping[str, Sequence[str]]] = {}

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for names in self.GROUPS.values() for name in names]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = max(map(len, self.commands))
        for title, names in self.GROUPS.items():
            limit = formatter.width - width - 6
            rows = [(f"{name:<{width}}", self.commands[name].get_short_help_str(limit)) for name in names]
            with formatter.section(title):
                formatter.write_dl(rows)

    def instead(self, name: str, path: str) -> str:
        if name.casefold() in ELSEWHERE:
            return f"unknown command {name!r}; use arcwise {ELSEWHERE[name.casefold()]}"
        if name.startswith("@") or Path(name).suffix:
            return f"unknown command {name!r}; to learn from it: arcwise learn {in_shell(name)}"
        return super().instead(name, path)


def unknown_option(error: Any) -> str | None:
    """One sentence about an option that a command does not have; None for other errors of usage."""
    name, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    if type(error).__name__ != "NoSuchOption" or name is None or context is None:
        return None
    known = [flag for one in context.command.params for flag in one.opts if flag.startswith("--")]
    meant = nearest(name, [*known, "--help"])
    hint = f"did you mean {' or '.join(meant)}?" if meant else f"see {context.command_path} --help"
    return f"{context.command_path} has no option {name}; {hint}"
