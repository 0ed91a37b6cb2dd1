"""Learners that ask independence tests. Each is a frozen dataclass of options with a `learn` method."""

from arcwise.constraint.pc import PC

__all__ = ["PC"]
