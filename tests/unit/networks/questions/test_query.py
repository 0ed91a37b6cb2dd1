"""Questions given evidence, whatever the models: answers, words, rows, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import arcwise
from arcwise import networks
from arcwise.data.dataset import Column, Dataset, Kind
from arcwise.errors import DataError, GraphError, OptionError
from arcwise.graph.dag import Dag
from arcwise.networks import BayesianNetwork, Network, random_dag, random_gaussian_network
from arcwise.networks.models.fit import fit
from arcwise.networks.questions import sampling
from arcwise.networks.questions.mixtures import quantiles
from tests.oracle import posterior as twins
from tests.oracle.queries import conditional_normal, given_weights, marginal, one_hot, whole_joint

RAIN = BayesianNetwork(
    ("rain", "sprinkler", "wet grass"),
    (("no", "yes"), ("off", "on"), ("dry", "wet")),
    ((), (), ("rain", "sprinkler")),
    (np.array([0.8, 0.2]), np.array([0.7, 0.3]), np.array([[[1.0, 0.0], [0.2, 0.8]], [[0.1, 0.9], [0.0, 1.0]]])),
)


def mixed_data(n: int = 400, seed: int = 1) -> Dataset:
    """Levels above numbers above a number; age is to be cut."""
    rng = np.random.default_rng(seed)
    ward = rng.integers(0, 3, n)
    age = rng.normal(50 + 5 * ward, 12)
    pressure = rng.normal(120 + 10 * (ward == 1) + 0.3 * age, 5)
    dose = rng.normal(0.5 * pressure - 2 * ward, 3)
    levels = ("a", "b", "c")
    return Dataset(
        (
            Column("ward", Kind.DISCRETE, ward.astype(np.uint8), levels),
            *(Column(n, Kind.CONTINUOUS, v) for n, v in (("age", age), ("pressure", pressure), ("dose", dose))),
        )
    )


MIXED_DAG = Dag(
    ("ward", "age", "pressure", "dose"),
    [("ward", "age"), ("ward", "pressure"), ("age", "pressure"), ("pressure", "dose"), ("ward", "dose")],
)


@pytest.fixture(scope="module")
def mixed() -> Network:
    return fit(MIXED_DAG, mixed_data(), "gaussian")


@pytest.fixture(scope="module")
def cut() -> Network:
    thresholds = arcwise.Discretization({"age": [42.0, 61.5], "pressure": [135.0], "dose": [65.0, 70.0]})
    return fit(MIXED_DAG, mixed_data(), "cpt", discretization=thresholds)


def test_explaining_away() -> None:
    joint = whole_joint(RAIN)
    wet = RAIN.query("rain", {"wet grass": "wet"})
    both = RAIN.query("rain", given={"wet grass": "wet", "sprinkler": "on"})
    for found, given in ((wet, {"wet grass": "wet"}), (both, {"wet grass": "wet", "sprinkler": "on"})):
        weights = {name: one_hot(RAIN, name, level) for name, level in given.items()}
        truth = given_weights(RAIN, joint, weights)
        want = marginal(RAIN, truth, "rain")
        np.testing.assert_allclose(found["rain"].probabilities, want / want.sum(), rtol=1e-12)
        assert found.evidence_probability == pytest.approx(truth.sum())
    assert both["rain"].probability("yes") < wet["rain"].probability("yes")
    assert wet["rain"].likeliest == "no"
    assert wet.exact
    assert wet.given == ("wet grass = wet",)


def test_without_evidence_it_is_the_marginal() -> None:
    alarm = networks.load("alarm")
    found = alarm.query(alarm.names)
    assert found.log_evidence == pytest.approx(0.0, abs=1e-12)
    for name in alarm.names:
        np.testing.assert_allclose(found[name].probabilities, alarm.marginal(name), atol=1e-12)


def test_weights_and_several_levels() -> None:
    joint = whole_joint(RAIN)
    for given, weights in (
        ({"wet grass": {"wet": 0.9, "dry": 0.3}}, {"wet grass": np.array([0.3, 0.9])}),
        ({"wet grass": ["wet", "dry"]}, {}),
        ({"rain": {"yes": 4, "no": 1}}, {"rain": np.array([0.25, 1.0])}),
    ):
        wanted = ["sprinkler"] if "rain" in given else ["rain", "sprinkler"]
        found, truth = RAIN.query(wanted, given), given_weights(RAIN, joint, weights)
        for name in wanted:
            want = marginal(RAIN, truth, name)
            np.testing.assert_allclose(found[name].probabilities, want / want.sum(), rtol=1e-12)
        assert found.evidence_probability == pytest.approx(truth.sum())
    words = RAIN.query("rain", {"wet grass": {"wet": 0.9, "dry": 0.3}}).given
    assert words == ("wet grass = dry (weight 0.3) or wet grass = wet (weight 0.9)",)


def test_a_list_means_any_of_its_levels_however_often_it_names_them(cut: Network) -> None:
    for name, several, once in (
        ("age", [70, 80, 30], [">= 61.5", "< 42"]),
        ("ward", ["a", "a", "c"], ["a", "c"]),
    ):
        found, want = (cut.query("dose", {name: given}) for given in (several, once))
        np.testing.assert_array_equal(found["dose"].probabilities, want["dose"].probabilities)
        assert found.given == want.given
        assert "weight" not in found.given[0]
        assert found.evidence_probability == pytest.approx(want.evidence_probability)


def test_a_joint_answer_sums_to_each_by_itself() -> None:
    given = {"wet grass": "wet"}
    both = RAIN.query(["sprinkler", "rain"], given, joint=True)
    assert both.joint is not None
    want = marginal(RAIN, whole_joint(RAIN)[..., 1:], "sprinkler", "rain")
    np.testing.assert_allclose(both.joint.probabilities, want / want.sum(), rtol=1e-12)
    for name in ("sprinkler", "rain"):
        np.testing.assert_allclose(both[name].probabilities, RAIN.query(name, given)[name].probabilities)
    table = both.table()
    assert table.columns == ["sprinkler", "rain", "probability"]
    assert table.filter(pl.col("rain") == "yes", pl.col("sprinkler") == "off")["probability"][0] == pytest.approx(
        want[0, 1] / want.sum()
    )


def test_numbers_are_cut_and_intervals_are_words(cut: Network) -> None:
    by_number = cut.query("ward", {"age": 61.5})
    by_label, by_words, by_text = (cut.query("ward", {"age": how}) for how in (">= 61.5", "age >= 61.5", "80"))
    for other in (by_label, by_words, by_text):
        np.testing.assert_array_equal(by_number["ward"].probabilities, other["ward"].probabilities)
    assert by_number.given == ("age = 61.5 (age ≥ 61.5)",)
    assert by_label.given == ("age ≥ 61.5",)
    assert cut.query("ward", {"age": 50}).given == ("age = 50 (42 ≤ age < 61.5)",)
    age = cut.query("age", {"ward": "c"})["age"]
    assert age.words == ("age < 42", "42 ≤ age < 61.5", "age ≥ 61.5")
    assert age.levels == ("< 42", "42 to 61.5", ">= 61.5")
    assert age.probabilities is not None
    assert age.mean == pytest.approx(age.probabilities @ np.array(cut.cuts["age"].means))
    assert age.sd is not None
    assert 5 < age.sd < 25


def test_rows_behind_an_answer(cut: Network) -> None:
    data = mixed_data()
    codes = np.searchsorted([42.0, 61.5], data.column("age").values, side="right")
    ward = data.column("ward").values
    family = cut.query("age", {"ward": "c"})  # both in one family: the fitted counts tell
    assert family.counted
    assert family.rows == 400
    assert family.matching == (ward == 2).sum()
    assert family["age"].counts == tuple(np.bincount(codes[ward == 2], minlength=3).tolist())
    assert str(int((ward == 2).sum())) in str(family)
    apart = cut.query("dose", {"age": 80})
    assert not apart.counted
    assert apart.matching == pytest.approx(400 * np.exp(apart.log_evidence))
    assert "about " in str(apart)
    counted = cut.query("dose", {"age": 80}, data=data)
    assert counted.counted
    assert counted.matching == (codes == 2).sum()
    assert sum(counted["dose"].counts or ()) == counted.matching
    frame = cut.query("dose", {"age": 80}, data=data.to_pandas())
    assert frame.to_dict() == counted.to_dict()
    weighted = cut.query("dose", {"age": 80}, data=data.weighted(np.full(400, 3)))
    assert weighted.matching == 3 * counted.matching
    assert weighted.rows == 1200


def test_missing_cells_are_not_counted(cut: Network) -> None:
    frame = mixed_data().to_polars().with_columns(age=pl.lit(None, dtype=pl.Float64))
    assert cut.query("ward", {"age": 80}, data=frame).matching == 0


def test_rows_without_a_value_are_told(cut: Network) -> None:
    data = mixed_data()
    ward, gone = data.column("ward").values, np.arange(400) % 4 == 0
    frame = data.to_polars().with_columns(dose=pl.when(pl.Series(~gone)).then("dose"))
    found = cut.query("dose", {"ward": "b"}, data=frame)
    rows, lost = int((ward == 1).sum()), int(((ward == 1) & gone).sum())
    assert found.without_value(found["dose"]) == lost
    assert f"\n  no value in {lost} of {rows} rows\n" in str(found)
    assert f"no value in {gone.sum()} of 400 rows" in str(cut.query("dose", data=frame))
    assert "no value" not in str(cut.query("dose", {"ward": "b"}, data=data))


def test_a_table_that_was_not_fitted_to_is_called_counted(cut: Network) -> None:
    found = cut.query("dose", data=mixed_data().take(slice(2)))
    assert str(found).endswith("\n\nCounted in 2 rows.")
    assert found.in_table
    other = cut.query("dose", data=mixed_data().take(slice(2)).select(["ward"]))
    assert str(other).endswith("\n\nFor a table of 2 rows.")  # which has nothing to count
    assert str(cut.query("dose")).endswith("\n\nFrom a fit to 400 rows.")


def test_a_probability_below_all_floats_is_a_power_of_ten() -> None:
    n = 120
    names = ("a", *(f"b{k}" for k in range(n)))
    cpts = (np.array([0.5, 0.5]), *[np.array([[1e-3, 1 - 1e-3]] * 2)] * n)
    net = BayesianNetwork(names, (("0", "1"),) * (n + 1), ((), *[("a",)] * n), cpts)
    found = net.query("a", dict.fromkeys(names[1:], "0"))
    assert found.log_evidence == pytest.approx(n * np.log(1e-3))
    assert "The evidence has probability about 1e-360." in str(found)
    assert "probability 1e-06." in str(net.query("a", dict.fromkeys(names[1:3], "0")))


def test_linear_gaussians_in_closed_form() -> None:
    for seed in range(6):
        net = random_gaussian_network(random_dag(6, seed=seed, n_edges=8), seed=seed)
        given = {net.names[0]: 0.7, net.names[3]: -1.2}
        wanted = [name for name in net.names if name not in given]
        found = net.query(wanted, given)
        for name in wanted:
            mean, sd = conditional_normal(net, name, given)
            assert found[name].mean == pytest.approx(mean, abs=1e-9)
            assert found[name].sd == pytest.approx(sd, rel=1e-9)
            assert found[name].quantiles[0.5] == pytest.approx(mean, abs=1e-9)
            assert found[name].quantiles[0.95] == pytest.approx(mean + 1.6448536269514722 * sd, abs=1e-8)
        assert found.density
        assert found.evidence_probability is None
        free = net.query(wanted[0])[wanted[0]]
        assert free.mean == pytest.approx(net.means[net.dag.index(wanted[0])])


def test_tables_with_linear_gaussians(mixed: Network) -> None:
    given = {"dose": 62.0, "age": 45.0}
    row = Dataset(tuple(Column(n, Kind.CONTINUOUS, np.array([v])) for n, v in given.items()))
    found = mixed.query(["ward", "pressure"], given)
    np.testing.assert_allclose(found["ward"].probabilities, twins.mixed(mixed, "ward", row), rtol=1e-9)
    assert found["pressure"].mean == pytest.approx(twins.mixed(mixed, "pressure", row), rel=1e-9)
    soft = mixed.query("dose", {"ward": {"a": 1.0, "c": 0.5}})
    shares = mixed.query("ward")["ward"].probabilities
    each = [mixed.query("dose", {"ward": level})["dose"].mean for level in ("a", "b", "c")]
    weights = np.asarray(shares) * [1.0, 0.0, 0.5]
    assert soft["dose"].mean == pytest.approx(weights @ np.array(each) / weights.sum(), rel=1e-9)
    joint = mixed.query(["ward"], given, joint=True)
    np.testing.assert_allclose(joint.joint.probabilities, found["ward"].probabilities, rtol=1e-9)  # type: ignore[union-attr]


def test_quantiles_of_a_mixture() -> None:
    weights, means, sds = np.array([0.3, 0.7]), np.array([-2.0, 5.0]), np.array([0.5, 2.0])
    rng = np.random.default_rng(0)
    which = rng.random(400_000) < 0.3
    draws = np.where(which, rng.normal(-2.0, 0.5, 400_000), rng.normal(5.0, 2.0, 400_000))
    shares = (0.05, 0.25, 0.5, 0.75, 0.95)
    np.testing.assert_allclose(quantiles(weights, means, sds), np.quantile(draws, shares), atol=0.03)


def test_samples_agree_with_the_exact_answer(mixed: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same question to the same models: within four standard errors."""
    given = {"dose": 62.0, "age": 45.0}
    exact = mixed.query(["ward", "pressure"], given)
    monkeypatch.setattr("arcwise.networks.questions.ask.sums_exactly", lambda models: False)
    found = mixed.query(["ward", "pressure"], given)
    again = mixed.query(["ward", "pressure"], given)
    assert not found.exact
    assert found.effective is not None
    assert found.to_dict() == again.to_dict()
    ward, truth = found["ward"], exact["ward"]
    assert ward.probabilities is not None
    assert truth.probabilities is not None
    assert ward.error is not None
    assert (np.abs(ward.probabilities - truth.probabilities) < 4 * ward.error + 1e-12).all()
    pressure = found["pressure"]
    assert pressure.error is not None
    assert abs(pressure.mean - exact["pressure"].mean) < 4 * pressure.error[0]  # type: ignore[operator]
    assert pressure.sd == pytest.approx(exact["pressure"].sd, rel=0.05)
    assert found.log_evidence == pytest.approx(exact.log_evidence, abs=0.1)
    assert "±" in str(found)
    joint = mixed.query(["ward"], {"age": 45.0}, joint=True)
    assert joint.joint is not None
    np.testing.assert_allclose(joint.joint.probabilities, joint["ward"].probabilities)
    soft, truth = mixed.query("age", {"ward": {"a": 1.0, "c": 0.5}}), 0.0
    for level, weight in (("a", 1.0), ("c", 0.5)):
        truth += (
            weight * mixed.query("ward")["ward"].probability(level) * mixed.query("age", {"ward": level})["age"].mean
        )
    shares = mixed.query("ward")["ward"].probabilities @ [1.0, 0.0, 0.5]
    assert soft["age"].mean == pytest.approx(truth / shares, rel=0.02)


def test_rare_evidence_is_told(mixed: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcwise.networks.questions.ask.sums_exactly", lambda models: False)
    monkeypatch.setattr(sampling, "DRAWS", 2000)
    found = mixed.query("ward", {"dose": 95.0})
    assert found.effective is not None
    assert found.effective < 200
    assert "is worth" in found.warnings[0]
    with pytest.raises(DataError, match="none of 2,000 samples agrees with the evidence"):
        mixed.query("ward", {"dose": 1e200})


def test_only_models_above_the_question_decide_how_it_is_answered(mixed: Network) -> None:
    """Nothing is sampled for a table whose children are other models."""
    data = mixed_data(60)
    neural = fit(MIXED_DAG, data, "neural", restarts=1)
    ward = fit(Dag(("ward",)), data).models[0]
    models = tuple(ward if model.child == "ward" else model for model in neural.models)
    found = neural.changed(models=models).query("ward")
    assert found.exact
    np.testing.assert_allclose(found["ward"].probabilities, ward.probabilities)
    assert not neural.query("dose").exact


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda: RAIN.query("snow"), GraphError, "unknown node 'snow'"),
        (lambda: RAIN.query("rain", {"snow": 1}), GraphError, "unknown node 'snow'"),
        (lambda: RAIN.query("rain", {"wet grass": "damp"}), DataError, "node 'wet grass': unknown level 'damp'"),
        (lambda: RAIN.query("rain", {"rain": "yes"}), OptionError, "'rain' is asked about and given, too"),
        (lambda: RAIN.query([]), OptionError, "at least one name"),
        (lambda: RAIN.query(["rain", "rain"]), OptionError, "each name once"),
        (lambda: RAIN.query("rain", {"wet grass": {"wet": -1}}), OptionError, "must be a number from 0, not -1"),
        (lambda: RAIN.query("rain", {"wet grass": {"wet": 0}}), OptionError, "allows no level"),
        (lambda: RAIN.query("rain", {"wet grass": []}), OptionError, "allows no level"),
        (lambda: RAIN.query("rain", 7), OptionError, "'given' of query must be a dict"),
    ],
)
def test_what_is_refused(ask: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ask()  # type: ignore[operator]


def test_impossible_evidence() -> None:
    cpts = (np.array([0.5, 0.5]), np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.5, 0.5], [0.1, 0.9]]))
    net = BayesianNetwork(("a", "b", "c"), (("0", "1"),) * 3, ((), ("a",), ("b",)), cpts)
    with pytest.raises(
        DataError, match=r"the evidence is impossible under the network \(a = 0 and b = 1\), so nothing"
    ):
        net.query("c", {"a": 0, "b": 1})
    with pytest.raises(DataError, match="the evidence is impossible"):
        net.query(["c"], {"a": {"0": 1.0}, "b": 1}, joint=True)


def test_numbers_that_are_none(mixed: Network, cut: Network) -> None:
    for wrong in ("high", None, float("nan"), float("inf"), "inf", "1_000", [1.0]):
        with pytest.raises(DataError, match="node 'age' is a number, not"):
            mixed.query("ward", {"age": wrong})
    for wrong in ("high", None, float("nan"), "1_000"):
        with pytest.raises(DataError, match=r"column 'age' is cut into levels, and .* is none of them and no number"):
            cut.query("ward", {"age": wrong})
    with pytest.raises(OptionError, match="node 'dose' is a number, and a joint answer is a table of levels"):
        mixed.query(["ward", "dose"], joint=True)


def test_labels_that_are_numbers_or_truths() -> None:
    states = (("1", "2", "10"), ("false", "true"))
    net = BayesianNetwork(("n", "t"), states, ((), ("n",)), (np.full(3, 1 / 3), np.array([[0.1, 0.9]] * 3)))
    for given in ({"n": 10}, {"n": 10.0}, {"n": "10.0"}, {"n": np.int64(10)}):
        assert net.query("t", given).given == ("n = 10",)
    assert net.query("n", {"t": True}).given == ("t = true",)
    assert net.query("n", {"t": np.bool_(False)}).given == ("t = false",)


def test_order_of_nodes_does_not_matter() -> None:
    net = networks.load("insurance")
    turned = net.reordered(net.names[::-1])
    given = {"Age": net.model("Age").levels[1], "CarValue": net.model("CarValue").levels[0]}
    wanted = [name for name in net.names if name not in given]
    one, other = net.query(wanted, given), turned.query(wanted, given)
    assert one.log_evidence == pytest.approx(other.log_evidence, abs=1e-12)
    for name in wanted:
        np.testing.assert_allclose(one[name].probabilities, other[name].probabilities, atol=1e-12)


def test_an_answer_is_kept_as_text_table_and_json(cut: Network, mixed: Network) -> None:
    found = cut.query(["age", "dose"], {"ward": "b"})
    text = str(found)
    assert text.splitlines()[0] == "age, dose given ward = b"
    assert "42 to 61.5" in text
    content = json.loads(json.dumps(found.to_dict()))
    assert content["answers"][0]["words"][2] == "age ≥ 61.5"
    table = found.table()
    assert table.columns == ["name", "level", "probability", "rows"]
    assert table["probability"].sum() == pytest.approx(2.0)
    numbers = mixed.query("dose", {"ward": "b"}).table()
    assert numbers.columns == ["name", "mean", "sd", "q5", "q25", "q50", "q75", "q95"]
    assert repr(found) == "Posterior(age, dose given ward = b)"


def test_awkward_names_and_many_levels_fit_into_80_columns() -> None:
    name = "<b>a very long name of a column " + "x" * 90 + "</b>"
    levels = tuple(f"<i>level {k} " + "y" * 60 for k in range(20))
    net = BayesianNetwork(
        (name, "b\x1b[2J"), (levels, ("u", "v")), ((), (name,)), (np.full(20, 0.05), np.full((20, 2), 0.5))
    )
    found = net.query([name, "b\x1b[2J"])
    assert max(map(len, str(found).splitlines())) <= 80
    assert "\x1b" not in str(found)
    assert "<b>" not in found._repr_html_()
    assert "&lt;i&gt;level" in found._repr_html_()
    with_evidence = net.query("b\x1b[2J", {name: levels[3]})
    assert max(map(len, str(with_evidence).splitlines())) <= 80
    fitted = fit(net.dag, net.sample(3000, seed=1))
    for answer in (fitted.query(name), fitted.query(name, {"b\x1b[2J": "u"}), fitted.do({"b\x1b[2J": "u"}).query(name)):
        assert max(map(len, str(answer).splitlines())) <= 80
        assert "level 19" in str(answer)
    joint = net.query([name, "b\x1b[2J"], joint=True)
    assert max(map(len, str(joint).splitlines())) <= 80
