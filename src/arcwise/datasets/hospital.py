"""A made-up table like a hospital's export: 30 columns with all that is wrong with such tables, and the clean one.

The columns depend on each other: age and weight act on blood pressure, the diagnosis on inflammation, and that on
lactate, which with age and the heart's function acts on who dies.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcwise.checking import Seed, checked
from arcwise.data.dataset import Dataset
from arcwise.data.notation import MASS
from arcwise.data.reading.door import as_dataset
from arcwise.data.text_files import write_text
from arcwise.errors import OptionError

FIRST_DAY = date(2024, 1, 2)
DAYS = 360
LEAST_ROWS = 300
DIAGNOSES = ("pneumonia", "fracture", "heart failure", "sepsis", "porphyria", "tularemia")
SHARES = (0.33, 0.3, 0.22, 0.15)  # of the first four; the others are rare
WARDS = ("007", "012", "031", "104", "110")
_WORDS = (
    "stable", "improving", "confused", "mobile", "afebrile", "in pain", "seen by family", "walks with help",
    "eats well", "short of breath", "sleeps badly", "asks for a second opinion", "referred from another clinic",
    "lives alone",
)  # fmt: skip
Column = NDArray[Any]


@checked
def hospital(path: str | Path, rows: int = 3000, seed: Seed = 0) -> Dataset:
    """Write the table as CSV to `path`; what comes back is the clean one, as it should be read.

    Columns that say nothing (identifiers, notes, copies, a constant, an empty one) are not in the clean table.
    """
    if rows < LEAST_ROWS:
        raise OptionError(f"the hospital needs at least {LEAST_ROWS} rows, so that every fault is there, not {rows}")
    if seed < 0:
        raise OptionError(f"seed {seed} is negative; give an integer of 0 or more")
    rng = np.random.default_rng(seed)
    clean = _people(rng, rows)
    cells = _written(clean, rng, rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(cells)
    writer.writerows(zip(*cells.values(), strict=True))
    write_text(path, text.getvalue())
    discrete = [name for name, column in clean.items() if column.dtype.kind in "OU"]
    table = {name: clean[name] for name in cells if name in clean}
    return as_dataset(table, discrete=discrete, continuous=[name for name in table if name not in discrete])


def _people(rng: np.random.Generator, n: int) -> dict[str, Column]:
    """The true values; of what lies beyond a limit, the limit, since no more can be read from the table."""
    age = np.clip(rng.normal(63, 17, n), 18, 97).round()
    sex = rng.choice(["Female", "Male"], n)
    smoker = np.where(rng.random(n) < 0.25 + 0.1 * (sex == "Male"), "yes", "no").astype(object)
    kinds = rng.choice(4, n, p=SHARES)
    kinds[rng.choice(n, 6, replace=False)] = [4, 4, 4, 5, 5, 4]
    diagnosis = np.array(DIAGNOSES)[kinds]
    ill = np.array([0.6, 0.0, 0.3, 1.6, 0.4, 1.0])[kinds]
    ward = np.array(WARDS)[np.where(rng.random(n) < 0.8, np.minimum(kinds, 3), rng.integers(0, 5, n))]
    weight = (68 + 11 * (sex == "Male") + rng.normal(0, 11, n)).clip(40, 160).round()
    crp = np.exp(1.4 + 1.5 * ill + rng.normal(0, 1.1, n)).round(1).clip(0.5, 200.0)
    lactate = np.exp(0.1 + 0.35 * np.log(crp) + rng.normal(0, 0.3, n)).round(1)
    temperature = (36.7 + 0.35 * np.log1p(crp) - 0.3 + rng.normal(0, 0.3, n)).round(1)
    systolic = (92 + 0.45 * age + 0.25 * weight + rng.normal(0, 9, n)).round()
    heaped = rng.random(n) < 0.5
    systolic = np.where(heaped, 10 * np.round(systolic / 10), systolic)
    diastolic = (18 + 0.45 * systolic + rng.normal(0, 6, n)).round()
    glucose = (40 + 0.9 * weight + rng.normal(0, 14, n)).clip(55, 300).round()
    insulin = (0.6 * glucose - 20 + rng.normal(0, 9, n)).clip(14, None).round()
    creatinine = np.exp(-0.9 + 0.013 * age + rng.normal(0, 0.22, n)).round(2)
    albumin = (4.4 - 0.25 * np.log(crp) + rng.normal(0, 0.25, n)).clip(1.2, None).round(1)
    oxygen = (96 - 3 * (smoker == "yes") - 4 * ill + rng.normal(0, 3, n)).clip(70, 100).round()
    ejection = (72 - 0.2 * age - 8 * (kinds == 2) + rng.normal(0, 5, n)).clip(15, 80).round()
    charges = np.exp(7.6 + 0.5 * ill + rng.normal(0, 0.95, n)).clip(200, None).round(2)
    deposit = (1000 + 0.3 * charges + rng.normal(0, 120, n)).clip(1000, 990_000).round()
    risk = -3.4 + 0.045 * (age - 63) + 0.9 * (lactate - 3.0) / 1.5 - 0.06 * (ejection - 57)
    died = np.where(rng.random(n) < 1 / (1 + np.exp(-risk)), "yes", "no")
    days = np.sort(rng.integers(0, DAYS, n)).astype(np.float64)
    days -= days.min()
    minutes = (60 * 14 + rng.normal(0, 200, n)).clip(0, 60 * 24 - 1).round()
    return {
        "admitted": days, "admitted_at": 60.0 * minutes, "age": age, "sex": sex, "smoker": smoker,
        "diagnosis": diagnosis, "ward": ward, "weight": weight, "temperature": temperature, "systolic": systolic,
        "diastolic": diastolic, "crp": crp, "lactate": lactate, "glucose": glucose, "insulin": insulin,
        "creatinine": creatinine, "albumin": albumin, "oxygen": oxygen, "ejection": ejection / 100,
        "charges": charges, "deposit": deposit, "died": died,
    }  # fmt: skip


def _written(clean: dict[str, Column], rng: np.random.Generator, n: int) -> dict[str, Sequence[str]]:
    """The cells as they stand in the export; what is missing there becomes missing in the clean table, too."""

    def some(share: float) -> Column:
        return rng.random(n) < share

    def missing(name: str, share: float, words: Sequence[str], cells: Sequence[str]) -> list[str]:
        """The cells with these words in some rows, which have no true value."""
        gone = some(share)
        column = clean[name].astype(object if clean[name].dtype.kind in "OU" else np.float64)
        column[gone] = None
        clean[name] = column
        return [str(rng.choice(words)) if lost else cell for cell, lost in zip(cells, gone, strict=True)]

    first = FIRST_DAY
    admitted = [first + timedelta(days=int(day)) for day in clean["admitted"]]
    pounds = some(0.12)
    heavy = (clean["weight"] / MASS["lb"]).round()
    clean["weight"] = np.where(pounds, heavy * MASS["lb"], clean["weight"])
    codes = np.where(clean["sex"] == "Male", 2, 1)
    plain = _cells(clean)
    cells: dict[str, Sequence[str]] = {
        "row": [str(i + 1) for i in range(n)],
        "patient_id": [f"P{number:07d}" for number in rng.choice(10**7, n, replace=False)],
        "record_key": [blake2b(f"{seed}".encode(), digest_size=8).hexdigest() for seed in rng.integers(0, 2**62, n)],
        "admitted": [f"{day:%d.%m.%Y}" for day in admitted],
        "admitted_at": [f"{int(s) // 3600:02d}:{int(s) // 60 % 60:02d}" for s in clean["admitted_at"]],
        "hospital": ["St Mary"] * n,
        "ward": plain("ward", str),
        "diagnosis": plain("diagnosis", str),
        "age": missing("age", 0.02, ["999"], plain("age", "{:.0f}".format)),
        "sex": [_spelled(sex, rng) for sex in clean["sex"]],
        "sex_code": [str(code) for code in codes],
        "smoker": missing("smoker", 0.04, ["-"], plain("smoker", str)),
        "weight": _either(pounds, heavy, "{:.0f} lb".format, clean["weight"], "{:.0f} kg".format),
        "temperature": plain("temperature", "{:.1f}°C".format),
        "temperature_f": [f"{degrees:.1f}" for degrees in 1.8 * clean["temperature"] + 32 + rng.normal(0, 0.02, n)],
        "systolic": plain("systolic", "{:.0f}".format),
        "diastolic": missing("diastolic", 0.03, ["-9"], plain("diastolic", "{:.0f}".format)),
        "crp": plain("crp", lambda x: "<0.5" if x <= 0.5 else ">200" if x >= 200 else f"{x:.1f}"),
        "lactate": missing("lactate", 0.03, ["hemolyzed", "pending"], plain("lactate", "{:.1f}".format)),
        "glucose": missing("glucose", 0.04, ["-99"], plain("glucose", "{:.0f}".format)),
        "insulin": missing("insulin", 0.15, ["0"], plain("insulin", "{:.0f}".format)),
        "creatinine": missing("creatinine", 0.02, [""], plain("creatinine", lambda x: f"{x:.2f}".replace(".", ","))),
        "albumin": _either(some(0.2), clean["albumin"], lambda x: f"{x:.1f}".replace(".", ","), clean["albumin"], str),
        "oxygen": plain("oxygen", "{:.0f}%".format),
        "ejection": _either(some(0.6), clean["ejection"], "{:.0%}".format, clean["ejection"], "{:.2f}".format),
        "charges": plain("charges", "{:,.2f}".format),
        "deposit": plain("deposit", "{:,.0f}".format),
        "note": _notes(rng, n),
        "reserved": [""] * n,
        "died": plain("died", str),
    }  # fmt: skip
    return cells


def _cells(clean: dict[str, Column]) -> Callable[[str, Callable[[Any], str]], list[str]]:
    return lambda name, write: [write(value) for value in clean[name]]


def _either(
    odd: Column, values: Column, write: Callable[[Any], str], others: Column, usual: Callable[[Any], str]
) -> list[str]:
    """Cells of which the odd ones are written in another way than the others."""
    return [write(a) if is_odd else usual(b) for is_odd, a, b in zip(odd, values, others, strict=True)]


def _spelled(sex: str, rng: np.random.Generator) -> str:
    """One of several people typed it."""
    return str(rng.choice([sex, sex, sex, sex.lower(), sex[0], f" {sex.lower()} "]))


def _notes(rng: np.random.Generator, n: int) -> list[str]:
    picks = rng.integers(0, len(_WORDS), (n, 3))
    hours = rng.integers(0, 10_000, n)
    told = ((_WORDS[a].capitalize(), _WORDS[b], _WORDS[c]) for a, b, c in picks)
    return [f"{a}, {b}, {c}; visit {hour}" for (a, b, c), hour in zip(told, hours, strict=True)]
