"""One question to all shelves of a table, and one answer: sent out and summed up in a tree of workers.

The client asks one worker; this one asks up to `FAN` others, each for its own branch, answers for its own shelves
meanwhile, and joins what comes back. So a question takes one round trip of the client and log(workers) hops, and no
more than FAN answers meet at any place. Workers call each other directly: tasks of the scheduler would take some ten
milliseconds a question.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from arcwise.errors import ArcwiseError, ClusterError
from arcwise.stats.threads import at_most

FAN = 8  # branches of a worker


class Holder(NamedTuple):
    """A worker, and the keys of the shelves that it has."""

    address: str
    shelves: tuple[str, ...]


class Reply(NamedTuple):
    """An answer, pickled; or why there is none: the worker that did not answer, or an error of the question itself."""

    answer: bytes | None = None
    lost: str = ""
    error: ArcwiseError | None = None


async def answer(holders: Sequence[Holder], content: bytes, dask_worker: Any = None) -> Reply:
    """The joint answer of these holders, asked of the first of them. content: a `Request`, pickled."""
    own, others = holders[0], holders[1:]
    loop = asyncio.get_running_loop()
    here = loop.run_in_executor(dask_worker.executors["default"], _answer_here, dask_worker, own, content)
    calls = [_call(dask_worker, branch, content) for branch in branches(others)]
    replies: list[Reply] = await asyncio.gather(here, *calls)
    for reply in replies:
        if reply.answer is None:
            return reply
    if len(replies) == 1:
        return replies[0]
    return await loop.run_in_executor(dask_worker.executors["default"], _join, content, replies)


def branches(holders: Sequence[Holder]) -> list[Sequence[Holder]]:
    """At most FAN parts of about equal size."""
    n = min(FAN, len(holders))
    return [holders[a:b] for a, b in pairwise(len(holders) * i // n for i in range(n + 1))] if n else []


async def _call(dask_worker: Any, branch: Sequence[Holder], content: bytes) -> Reply:
    address = branch[0].address
    try:
        found = await dask_worker.rpc(address).run(
            function=pickle.dumps(answer), args=pickle.dumps((branch, content)), kwargs=pickle.dumps({})
        )
    except Exception as error:  # whatever it is, this worker cannot be asked any more
        return Reply(lost=f"{address} ({type(error).__name__}: {error})")
    if found["status"] != "OK":
        return Reply(error=ClusterError(f"worker {address} failed: {found.get('exception_text')}"))
    reply: Reply = found["result"]
    return reply


def _answer_here(dask_worker: Any, own: Holder, content: bytes) -> Reply:
    """In a thread of the worker."""
    try:
        shelves = [dask_worker.data[key] for key in own.shelves]
    except KeyError:
        return Reply(lost=f"{own.address} (its rows were moved)")
    try:
        with at_most(max(1, dask_worker.state.nthreads)):
            request = pickle.loads(content)
            answers = [shelf.answer(request) for shelf in shelves]
            found = answers[0] if len(answers) == 1 else request.question.join(answers)
    except ArcwiseError as error:
        return Reply(error=error)
    except Exception as error:
        return Reply(error=ClusterError(f"worker {own.address} failed: {type(error).__name__}: {error}"))
    return Reply(pickle.dumps(found, protocol=pickle.HIGHEST_PROTOCOL))


def _join(content: bytes, replies: Sequence[Reply]) -> Reply:
    question = pickle.loads(content).question
    found = question.join([pickle.loads(reply.answer) for reply in replies if reply.answer is not None])
    return Reply(pickle.dumps(found, protocol=pickle.HIGHEST_PROTOCOL))
