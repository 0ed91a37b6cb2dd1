"""Long tables: Parquet parts to a coded store to a network, by rows; and other libraries on ten million rows."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

NETWORK = "child"  # 20 columns, 60 levels
ROWS = (10_000_000, 100_000_000)
PARTS = 20
PEER_ROWS = 10_000_000
LIMIT = 300.0
READING = 90.0  # seconds to read the frame, at most
PEERS = ("arcwise", "pyagrum", "pybnesian", "pgmpy")


def write_parts(folder: Path, rows: int, parts: int = PARTS) -> None:
    """So many rows of the network in Parquet files with columns of text, a seed each."""
    import polars as pl

    from arcwise import networks

    network = networks.load(NETWORK)
    for part in range(parts):
        size = rows * (part + 1) // parts - rows * part // parts
        frame = network.sample(size, part).to_polars().with_columns(pl.all().cast(pl.String))
        frame.write_parquet(folder / f"part-{part:03d}.parquet")


def long_tables(*, rows: Sequence[int] = ROWS) -> Iterator[str]:
    """Seconds and peak memory of `arcwise code` and of `arcwise learn` on the store, and what a row costs."""
    yield "| rows | parts, GB | coded, s | GB | store, GB | hill climbing, s | GB | ns a row | times the first |"
    yield "|---" * 9 + "|"
    first = None
    for size in rows:
        with TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
            parts, store = Path(folder) / "parts", Path(folder) / "t.arcwise"
            parts.mkdir()
            write_parts(parts, size)
            coding = arcwise_command("code", str(parts), "--out", str(store), "--quiet")
            learning = arcwise_command("learn", str(store), "--method", "hill-climb", "--quiet")
            cost = learning[0] / size * 1e9
            first = first or cost
            yield (
                f"| {size:,} | {_gigabytes(parts):.2f} | {coding[0]:.1f} | {coding[1]:.2f} | {_gigabytes(store):.2f} | "
                f"{learning[0]:.1f} | {learning[1]:.2f} | {cost:.0f} | {cost / first:.2f} |"
            )


def long_peers(*, contenders: Sequence[str] = PEERS, limit: float = LIMIT) -> Iterator[str]:
    """Hill climbing with BDeu on one frame of categories: seconds and peak memory without reading it.

    frame: memory of the process before, with the frame, interpreter and library.
    """
    yield "| library | seconds | frame, GB | peak, GB | note |"
    yield "|---" * 5 + "|"
    with TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder:
        write_parts(Path(folder), PEER_ROWS, 1)
        table = str(Path(folder) / "part-000.parquet")
        for contender in contenders:
            call = [sys.executable, "-c", f"from benchmarks.long import peer; peer({contender!r}, {table!r}, {limit})"]
            _, peak, said = _measured(call, limit + READING)
            yield f"| {contender} | {said or f'| | {peak:.1f} | neither finished nor to be stopped in {limit:.0f} s'} |"


def peer(contender: str, table: str, limit: float) -> None:
    """In a process of its own: the cells of its row of the table, printed, when it is done or the time is over."""
    import polars as pl

    from benchmarks.contenders import CONTENDERS

    frame = pl.read_parquet(table).with_columns(pl.all().cast(pl.Categorical)).to_pandas()
    CONTENDERS[contender](frame.head(1000))  # the warm-up: imports, compilation
    gc.collect()
    pid = os.getpid()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is from now on
    before = _memory(pid, "VmRSS")
    began = time.perf_counter()

    def tell(note: str) -> None:
        took = "" if note else f"{time.perf_counter() - began:.1f}"
        print(f"{took} | {before:.1f} | {_memory(pid, 'VmHWM'):.1f} | {note}", flush=True)

    def give_up() -> None:
        tell(f"not finished in {limit:.0f} s")
        os._exit(0)

    timer = threading.Timer(limit, give_up)
    timer.daemon = True
    timer.start()
    CONTENDERS[contender](frame)
    timer.cancel()
    tell("")


def arcwise_command(*arguments: str) -> tuple[float, float]:
    """(seconds, peak memory in GB) of a command."""
    seconds, peak, _ = _measured([sys.executable, "-m", "arcwise", *arguments], None)
    return seconds, peak


def _measured(call: Sequence[str], limit: float | None) -> tuple[float, float, str]:
    """(seconds, peak memory in GB, what was printed) of a process; nothing was where it was given up on."""
    began = time.perf_counter()
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "."}) as process:
        peak, said = 0.0, ""
        while process.poll() is None:
            peak = max(peak, _memory(process.pid, "VmHWM"))
            if limit is not None and time.perf_counter() - began > limit:
                process.kill()
            time.sleep(0.05)
        if process.stdout is not None:
            said = process.stdout.read().strip()
    return time.perf_counter() - began, peak, said.splitlines()[-1] if said and process.returncode == 0 else ""


def _memory(pid: int, field: str) -> float:
    """Memory of a process in GB, VmRSS: now, VmHWM: the most so far; 0 where it has just ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1e6 for line in lines if line.startswith(field)), 0.0)


def _gigabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*")) / 1e9
