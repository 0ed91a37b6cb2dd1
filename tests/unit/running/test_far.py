"""Tables whose rows are elsewhere: every statistic has the bits that it has here, however the rows are divided."""

from __future__ import annotations

import pickle
from dataclasses import replace
from threading import Thread, get_ident
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcwise._kernels.counts.counting import plan_families
from arcwise.data.discretization import Discretization
from arcwise.data.rows.mapped import Place, place_of
from arcwise.data.rows.matrix import matrix_of
from arcwise.data.rows.store import open_store, write_store
from arcwise.errors import ClusterError, DataError, FileError
from arcwise.independence import GSquared
from arcwise.parts.monitor import SILENT
from arcwise.problem import Problem
from arcwise.running import library
from arcwise.running.far import far_columns
from arcwise.running.sending import sent
from arcwise.running.tallying import FarTallies
from arcwise.running.until_lost import learned
from arcwise.scores import BDeu, GaussianBIC
from arcwise.search import HillClimb
from arcwise.stats import group_sums
from arcwise.stats.moments import Moments
from arcwise.stats.tallies import Blocks
from tests.oracle.counting import discrete_table
from tests.oracle.gaussian import continuous_table
from tests.unit.running.in_parts import in_parts

CARDS = (2, 3, 2, 4, 20, 3)


def some_starts(rng, n_rows):
    return rng.integers(0, n_rows, rng.integers(0, 12)).tolist()


@given(st.integers(0, 10**6), st.booleans())
def test_tallies_are_those_of_rows_that_are_here(seed, weighted):
    rng = np.random.default_rng(seed)
    table = discrete_table(rng, CARDS, 300)
    if weighted:
        table = table.weighted(rng.integers(1, 3 if seed % 2 else 40, 300))
    far, _ = in_parts(table, some_starts(rng, 300))
    here, there = Blocks(table), far.elsewhere.tallies(far)
    assert there.n_counted == here.n_counted
    assert np.array_equal(there.levels(), here.levels())
    assert there.levels().dtype == here.levels().dtype
    for x in range(len(CARDS) - 1):
        assert np.array_equal(there.pairs(x), here.pairs(x))
    members = rng.permutation(len(CARDS))[:4].tolist()
    for found, wanted in zip(there.occurring(members), here.occurring(members), strict=True):
        assert np.array_equal(found, wanted)


@given(st.integers(0, 10**6))
def test_scores_and_tests_have_the_same_bits(seed):
    rng = np.random.default_rng(seed)
    table = discrete_table(rng, CARDS, 400)
    far, _ = in_parts(table, some_starts(rng, 400))
    sets = np.array([[-1, -1], [1, -1], [1, 2], [2, 4], [4, 5]])
    assert np.array_equal(BDeu().bind(far).local_scores(0, sets), BDeu().bind(table).local_scores(0, sets))
    here, there = GSquared().bind(table), GSquared().bind(far)
    assert np.array_equal(there.p_values(0, 3, sets), here.p_values(0, 3, sets), equal_nan=True)


def test_no_table_is_asked_for_ahead_that_has_no_lanes():
    # Each narrow column has too few others with lanes; asked for with the wide one, it had no room for its counts.
    far, _ = in_parts(discrete_table(np.random.default_rng(0), (300, 2, 3, 2, 2), 500), [200])
    asked = []
    tallies = FarTallies(far, lambda question: asked.append(question) or far.elsewhere.ask(far, question))
    wide, narrow = (plan_families(x, np.delete(np.arange(5), x)[:, None], tallies.shape) for x in (0, 1))
    assert wide.n_lanes
    assert not narrow.n_lanes
    totals, table = tallies.base(0, wide)
    assert [one.arguments[0] for one in asked[0].questions] == [0]
    assert totals.sum() == 500
    assert len(totals) == len(table) == 300
    with_none = plan_families(1, np.array([[-1], [2], [3], [4]]), tallies.shape)
    assert with_none.n_lanes
    assert tallies.base(1, with_none)[0].sum() == 500


@given(st.integers(0, 10**6), st.integers(40, 600))
def test_moments_have_the_same_bits(seed, n_rows):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((n_rows, 5)) @ rng.standard_normal((5, 5)) + 7
    table = continuous_table(values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_sums, "GROUP_ROWS", 32)
        far, library = in_parts(table, [32 * k for k in rng.integers(0, -(-n_rows // 32), 4).tolist()])
        here, there = Moments.of(table), Moments.of(far)
    for field in ("means", "log_sds", "correlations", "top_shares"):
        assert np.array_equal(getattr(here, field), getattr(there, field))
    assert library.questions == 3  # its extent, its first rows, its sums


def test_rows_that_are_brought_here():
    rng = np.random.default_rng(1)
    table = discrete_table(rng, CARDS, 100).weighted(rng.integers(1, 9, 100))
    far, _ = in_parts(table, [10, 50, 90])
    wanted = np.array([99, 3, 3, 50, 0])
    for found, own in (
        (far.take(wanted), table.take(wanted)),
        (far.take(slice(95, None)), table.take(slice(95, None))),
    ):
        assert found.elsewhere is None
        assert np.array_equal(found.codes(), own.codes())
        assert np.array_equal(found.weights, own.weights)
    assert (far.n_rows, far.n_stored, far.is_complete) == (table.n_rows, 100, True)


def test_columns_are_cut_where_they_are():
    values = np.random.default_rng(2).standard_normal((200, 3))
    table = continuous_table(values)
    far, _ = in_parts(table, [70])
    cuts = Discretization({"x00": [0.0], "x02": [-0.5, 0.5]})
    here, there = cuts.apply(table), cuts.apply(far)
    assert there.cardinalities == here.cardinalities
    assert [column.levels for column in there.columns] == [column.levels for column in here.columns]
    cut = ["x02", "x00"]
    assert np.array_equal(there.select(cut).take(slice(None)).codes(), here.select(cut).codes())


def test_values_cannot_be_read_one_by_one():
    far, _ = in_parts(discrete_table(np.random.default_rng(0), CARDS, 20), [])
    with pytest.raises(DataError, match="the rows of column 'x00' are on a cluster"):
        far.codes()
    assert "Far(name='x00'" in repr(far_columns(far.columns)[0])
    assert pickle.loads(pickle.dumps(far.columns[0])).levels == far.columns[0].levels


def search(table, monitor=SILENT, score=None):
    learner = HillClimb(score=BDeu() if score is None else score)

    def begin(watcher):
        return Problem.of(table, rng=np.random.default_rng(0), monitor=watcher, keep=True)

    return learned(learner, begin, monitor, table.names)[1]


def test_a_walk_is_a_question_or_two_a_step():
    table = discrete_table(np.random.default_rng(3), (2, 3, 2, 4, 3, 3, 2, 3, 2, 2), 2000)
    far, library = in_parts(table, [500, 1300])
    here, there = search(table), search(far)
    assert there.to_dict() | {"elapsed": 0} == here.to_dict() | {"elapsed": 0}
    edges = len(here.graph.edges)
    # one for all columns at the start, two for each column that a step changes (more parents, fewer), and afterwards
    # one for what each edge adds to the score
    assert library.questions <= 1 + 4 * len(here.trace) + edges
    assert library.questions >= len(here.trace)


class Ear:
    def __init__(self):
        self.heard = []

    def report(self, progress):
        self.heard.append(progress)

    def should_stop(self):
        return False


def test_a_cluster_that_is_lost_leaves_what_was_found():
    table = discrete_table(np.random.default_rng(3), (2, 3, 2, 4, 3, 3, 2, 3, 2, 2), 2000)
    whole, lengths = search(table), set()
    questions = len(whole.trace)  # a walk has at least as many
    for most in range(1, questions):
        far, ear = in_parts(table, [500, 1300], most)[0], Ear()
        found = search(far, ear)
        assert found.status == "stopped"
        assert [step.action for step in found.trace] == [step.action for step in whole.trace[: len(found.trace)]]
        assert found.graph is not None
        assert len(found.graph.edges) <= len(found.trace)
        assert found.warnings[-1] == "the cluster is lost: it was switched off; this is what was found until then"
        assert len([one for one in ear.heard if one.phase == "search"]) == len(found.trace)  # nobody is told twice
        assert found.score == (found.trace[-1].score if found.trace else found.score)
        lengths.add(len(found.trace))
    assert len(lengths) > 2


def test_a_cluster_that_is_lost_before_anything_was_found():
    numbers = continuous_table(np.random.default_rng(4).standard_normal((200, 3)))
    with pytest.raises(ClusterError, match="it was switched off; nothing was found until then"):
        search(in_parts(numbers, [], 0)[0], score=GaussianBIC())
    found = search(in_parts(discrete_table(np.random.default_rng(3), CARDS, 2000), [500], 0)[0])
    assert found.score is None
    assert "this is what was found until then" in found.warnings[-1]


def test_what_was_found_until_somebody_no_longer_waits_for_an_answer():
    table = discrete_table(np.random.default_rng(3), (2, 3, 2, 4, 3, 3, 2, 3, 2, 2), 2000)
    whole, lengths = search(table), set()
    for most in range(1, len(whole.trace), 2):
        far, library = in_parts(table, [500, 1300])
        far = replace(far, elsewhere=far.elsewhere.until(lambda library=library, most=most: library.questions >= most))
        found = search(far, Ear())
        assert found.status == "stopped"
        assert found.trace == whole.trace[: len(found.trace)]
        assert found.warnings[-1] == "stopped while the workers were counting; this is what was found until then"
        lengths.add(len(found.trace))
    assert len(lengths) > 2
    numbers, _ = in_parts(continuous_table(np.random.default_rng(4).standard_normal((200, 3))), [])
    found = search(replace(numbers, elsewhere=numbers.elsewhere.until(lambda: True)), score=GaussianBIC())
    assert found.status == "unanswered"
    assert found.graph.n_edges == 0


def test_other_threads_do_not_ask_whether_to_stop():
    table, heard = discrete_table(np.random.default_rng(3), CARDS, 100), []
    far, _ = in_parts(table, [])
    far = replace(far, elsewhere=far.elsewhere.until(lambda: heard.append(get_ident()) or False))
    other = Thread(target=far.elsewhere.tallies(far).levels)
    other.start()
    other.join()
    assert heard == []
    assert np.array_equal(far.elsewhere.tallies(far).pairs(0), Blocks(table).pairs(0))
    assert set(heard) == {get_ident()}


class Idle:
    """A client of a cluster that has the shelves of a table nowhere. works: what its workers are at."""

    status = "running"

    def __init__(self, works):
        self.works, self.looks = works, 0

    def who_has(self, shelves):
        self.looks += 1
        return {}

    def processing(self):
        return {"tcp://there": tuple(self.works[self.looks :][:1])}


def test_shelves_that_nobody_makes_are_given_up_and_others_waited_for(monkeypatch):
    monkeypatch.setattr(library, "PATIENCE", 0.05)
    monkeypatch.setattr(library, "LOOK", 0.02)
    shelf, asked = SimpleNamespace(status="pending", key="shelf"), library.Request(None, None)
    for works, least in (([], 3), (["shelf"] * 20, 20)):
        client = Idle(works)
        with pytest.raises(ClusterError, match="the cluster is lost: no worker has loaded the table for 0 seconds"):
            library.Library(client, [shelf]).ask(asked)
        assert least <= client.looks < least + 10
    with pytest.raises(ClusterError, match="stopped while the workers were counting"):
        library.Library(Idle(["shelf"] * 100), [shelf]).ask(asked, lambda: True)


def test_a_graph_that_was_finished_before_the_cluster_was_lost():
    table = continuous_table(np.random.default_rng(4).standard_normal((200, 3)).cumsum(axis=1))
    far, _ = in_parts(table, [], 3)
    assert search(far, score=GaussianBIC()).graph == search(table, score=GaussianBIC()).graph


def test_rows_in_files_are_not_sent(tmp_path):
    table = discrete_table(np.random.default_rng(5), (300, 2, 3), 50_000).weighted(np.arange(50_000) % 5 + 1)
    write_store(tmp_path / "t.arcwise", table)
    stored = open_store(tmp_path / "t.arcwise")
    content = sent({"table": stored, "part": stored.take(slice(100, 40_000))})
    assert len(content) < 20_000 < len(sent(table))
    found = pickle.loads(content)
    assert np.array_equal(found["table"].codes(), table.codes())
    assert np.array_equal(found["table"].weights, table.weights)
    assert np.array_equal(found["part"].codes(), table.codes()[:, 100:40_000])


def test_workers_do_not_copy_rows_that_are_in_files(tmp_path):
    table = discrete_table(np.random.default_rng(5), (4, 2, 3), 50_000)
    write_store(tmp_path / "t.arcwise", table)
    part = pickle.loads(sent(open_store(tmp_path / "t.arcwise").take(slice(100, 40_000))))
    columns = [part.column(name).values for name in sorted(part.names)]
    seen = matrix_of(columns)
    assert seen is not None
    assert np.array_equal(seen, table.by_name().codes()[:, 100:40_000])
    assert place_of(columns[1]).offset == place_of(columns[0]).offset + 50_000
    write_store(tmp_path / "t.arcwise", table.take(slice(None, None, -1)), replace=True)
    again = pickle.loads(sent(open_store(tmp_path / "t.arcwise")))
    assert np.array_equal(again.codes(), table.codes()[:, ::-1])  # not the old file, though it is still mapped
    assert np.array_equal(seen, table.by_name().codes()[:, 100:40_000])


def test_a_file_that_became_shorter_on_the_way(tmp_path):
    numbers = np.arange(5000.0)
    (tmp_path / "numbers").write_bytes(numbers.tobytes())
    place = Place(str(tmp_path / "numbers"), 8 * 4096, "<f8", 904)
    assert np.array_equal(place.open(), numbers[4096:])
    (tmp_path / "numbers").write_bytes(numbers[:4500].tobytes())
    with pytest.raises(FileError, match="has become shorter"):
        place.open()
    with pytest.raises(FileError, match="No such file"):
        replace(place, path=str(tmp_path / "nobody")).open()
