"""Damage to files: bytes flipped, cut, repeated, spliced and replaced by what has broken readers before.

A reader holds if each damaged file is read or refused with an ArcwiseError of one line. How many files are tried is
ROUNDS: few in `make test`, many in `make fuzz`, which sets ARCWISE_FUZZ_ROUNDS.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence

ROUNDS = int(os.environ.get("ARCWISE_FUZZ_ROUNDS", "120"))
SEED = int(os.environ.get("ARCWISE_FUZZ_SEED", "0"))

TOKENS = (
    *(b'"', b"'", b'""', b"\n", b"\r\n", b"\r", b"\t", b",", b";", b"|", b" ", b"\\", b"\x00", b"\xff", b"\x1b[31m"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3", b"\xe2\x80\xae", b"\xf0\x9f\x8c\xb2", b"\x85", b"\xc2\xa0"),
    *(b"0", b"-1", b"1e999", b"-0.0", b"nan", b"inf", b"9007199254740993", b"1" * 400, b"0x10", b"1_000", b"1,5"),
    *(b"null", b"true", b"{", b"}", b"[", b"]", b"(", b")", b"<", b">", b"/>", b"<!--", b"&amp;", b"->", b"--", b"#"),
)


def mutants(seeds: Sequence[bytes], rounds: int = ROUNDS, tokens: Sequence[bytes] = TOKENS) -> Iterator[bytes]:
    """`rounds` damaged copies of the seeds, the same ones for the same SEED."""
    rng = random.Random(SEED)
    for _ in range(rounds):
        content = rng.choice(seeds)
        for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
            content = _damaged(content, rng, seeds, tokens)
        yield content


def _damaged(content: bytes, rng: random.Random, seeds: Sequence[bytes], tokens: Sequence[bytes]) -> bytes:
    a, b = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    match rng.randrange(8):
        case 0:  # one byte becomes another
            return content[:a] + bytes([rng.randrange(256)]) + content[a + 1 :]
        case 1:  # one bit flips
            return content[:a] + bytes(byte ^ (1 << rng.randrange(8)) for byte in content[a : a + 1]) + content[a + 1 :]
        case 2:  # something known to be nasty is put in
            return content[:a] + rng.choice(tokens) + content[a:]
        case 3:  # or replaces a few bytes
            return content[:a] + rng.choice(tokens) + content[min(b, a + 8) :]
        case 4:  # a piece is lost
            return content[:a] + content[min(b, a + 40) :]
        case 5:  # a piece comes twice
            return content[:b] + content[a:b] + content[b:]
        case 6:  # the end is missing
            return content[:b]
        case _:  # the end is another file's
            other = rng.choice(seeds)
            return content[:a] + other[rng.randrange(len(other) + 1) :]
