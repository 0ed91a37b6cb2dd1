"""Kernels are plain Python, too: with the compiler switched off their twins find nothing else in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = """
graph/test_enumerate.py::test_the_same_graphs_and_classes_as_by_trying
search/test_exhaustive_kernels.py
search/test_moves.py
search/test_greedy.py::test_a_climb_that_scores_by_itself_is_the_one_that_asks
search/test_sparse_candidate.py::test_candidates_are_the_best_by_the_measure
search/test_memory.py
search/test_listed.py
search/test_nearby.py::test_moves_are_those_of_the_plain_walk[4.0-True]
search/test_nearby.py::test_tucks_are_those_of_the_plain_walk
search/test_nearby.py::test_attempts_gain_or_leave_all_as_it_was[True]
search/test_nearby.py::test_a_journal_without_room_is_made_larger
search/test_candidates.py::test_parents_on_lists_of_all_columns_are_those_without_lists[gaussian-bic]
search/test_candidates.py::test_nobody_outside_a_list_would_raise_a_score_when_nobody_is_missed[gaussian-bic]
stats/test_ordered.py
stats/test_ranks.py::test_places_by_a_guide_are_those_of_a_search
stats/test_latent_normal.py::test_shares_of_cells_are_those_of_quadrature[-0.95]
stats/test_latent_normal.py::test_published_tables
stats/test_latent_normal.py::test_polyserial_is_the_most_probable[0]
stats/test_latent_normal.py::test_joint_counts_by_hand_with_weights_and_elsewhere
stats/test_tallies.py::test_families_from_several_places[ends1-3]
stats/test_tallies.py::test_tests_from_several_places[0-False-0-3]
stats/test_tallies.py::test_tests_from_several_places[0-True-0-3]
stats/test_long_tables.py::test_tables_too_large_for_four
stats/test_long_tables.py::test_lanes_packed_each_time
search/test_boss.py::test_no_place_has_more_than_its_bound
search/test_boss.py::test_tucks_are_found_where_the_twin_finds_them[bdeu-required]
search/test_boss.py::test_turns_are_taken_in_a_kernel_as_one_by_one[factor]
search/test_boss.py::test_moves_one_after_the_other_lead_to_what_the_twin_finds[factor-True]
search/test_boss.py::test_a_column_goes_to_the_best_of_all_its_places[bge-required]
search/test_boss.py::test_a_column_goes_to_the_best_of_all_its_places[bdeu-required]
constraint/test_max_min_kernels.py::test_planes_hold_the_rows_of_each_level
constraint/test_max_min_kernels.py::test_residuals_give_fishers_z
constraint/test_max_min_kernels.py::test_critical_values
independence/test_counted.py::test_more_joint_states_than_a_number_can_name
search/test_optimal_reinsertion.py::test_ancestors_are_those_of_the_graph_without_the_target
search/test_optimal_reinsertion.py::test_the_best_parents_are_those_of_the_twin
search/test_ges.py::test_other_classes_that_are_as_good_count_as_ties
../property/test_ges.py::test_operators_of_every_class[3-11]
../property/test_ges.py::test_a_permitted_member_is_found_just_when_there_is_one
../property/test_hartemink.py::test_by_tables_alone_and_by_rows_alone
discretize/test_threshold_search.py::test_every_cut_of_every_interval_equals_brute_force
discretize/test_threshold_search.py::test_counts_beyond_the_tables_change_nothing
discretize/test_top_down.py::test_the_modes_equal_brute_force
discretize/test_optimal.py::test_of_equal_partitions_the_one_with_lower_cuts
discretize/test_optimal.py::test_it_is_the_best_of_2048_partitions
independence/test_tails.py
independence/test_multi_resolution.py::test_many_levels
independence/test_recursive_median.py::test_levels_of_a_given_column_are_slices
independence/test_recursive_median.py::test_awkward_tables
independence/test_counted.py::test_a_diagonal_table_by_hand
independence/test_counted.py::test_pairwise_is_the_batch_of_empty_sets
independence/test_information.py::test_counts_give_the_sum_of_its_definition
independence/test_information.py::test_all_pairs_at_once
independence/test_fisher_z.py::test_a_correlation_of_one_half_in_28_rows
independence/test_fisher_z.py::test_pairwise_is_the_batch_of_empty_sets
scores/test_gaussian_scores.py::test_batches_of_any_sets_equal_single_scores
scores/test_conditional_gaussian.py::test_tables_of_one_kind_have_the_scores_of_these
scores/test_conditional_gaussian.py::test_few_rows_and_levels_that_determine_a_number
scores/test_conditional_gaussian.py::test_the_numbers_of_bnlearn
scores/test_smooth.py::test_closed_forms_against_twins[latent-classes]
scores/test_smooth.py::test_constants_and_copies
scores/test_smooth.py::test_batches_that_have_parents_in_common_equal_single_scores[canonical-additive-processes]
scores/test_smooth.py::test_weights_are_repeated_rows
scores/test_smooth.py::test_regressions_against_a_twin_of_their_parts[logistic]
scores/test_smooth.py::test_regressions_against_a_twin_of_their_parts[varying-spread]
scores/test_smooth.py::test_regressions_against_a_twin_of_their_parts[interactions]
scores/test_kgv.py::test_a_dependence_without_correlation_is_found
stats/test_counts.py::test_candidates_of_a_common_base_are_counted_by_lanes
stats/test_counts.py::test_planes_and_lanes_count_the_same
stats/test_counts.py::test_lanes_of_columns_that_did_not_change_are_taken_over
stats/test_counts.py::test_wide_columns_mixed_with_narrow_ones
stats/test_counts.py::test_large_tables_are_counted_sparsely_with_the_same_sum
stats/test_hidden_cells.py::test_draw_by_draw_as_the_twin[1]
stats/test_hidden_cells.py::test_draws_weighed_by_what_was_recorded[1]
stats/test_hidden_cells.py::test_probabilities_given_the_rest_are_exact
stats/test_hidden_cells.py::test_products_too_small_for_a_number_are_worked_out_in_logarithms[100]
stats/test_states.py::test_fits_are_those_of_the_twin[1-4.0-False]
stats/test_features.py::test_incomplete_cholesky_against_its_twin
stats/test_features.py::test_features_of_a_block_against_their_formula
stats/test_features.py::test_products_against_matrix_multiplication
networks/models/test_training.py::test_the_exponential_is_exact_and_never_overflows
networks/test_hidden_rows.py::test_levels_above_numbers[0.6]
networks/test_hidden_rows.py::test_expected_counts_are_sums_of_posteriors
networks/test_hidden_rows.py::test_tables[1]
networks/test_completing.py::test_seed_and_row_order
networks/models/test_kernel.py::test_the_likelihood_of_rows_by_the_others_and_its_slopes
networks/models/test_kernel.py::test_levels_are_those_of_the_twin[parents2]
networks/models/test_kernel.py::test_any_values_have_a_finite_density[values2]
networks/models/test_kernel.py::test_a_small_sample
networks/models/test_hidden_states.py::test_levels_left_out_of_large_tables_lose_nothing_that_shows
networks/models/test_hidden_states.py::test_expected_counts_are_sums_of_posteriors
networks/models/test_training.py::test_few_steps_of_a_small_network_lower_the_loss
"""

# What the compiler does not mind goes wrong in numbers that are too small for it; hashes and random streams may wrap,
# and a distance may be infinite.
WRAPPING = ("counts.strata", "evidence.gibbs", "ranks.places")
IGNORED = (f"ignore:overflow:RuntimeWarning:arcwise._kernels.{place}" for place in WRAPPING)
WARNINGS = ["-W", "error::RuntimeWarning", *(word for one in IGNORED for word in ("-W", one))]

RUN = """
import sys, threading
import pytest
from tests.unit.kernels.test_signatures import functions
from tests.unit.stats.test_without_compiling import answers
called = set()
def note(frame, event, argument):
    if event == "call":
        called.add(frame.f_code)
threading.setprofile(note)
sys.setprofile(note)
failed = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]])
answers()  # which that test compares with the compiled ones
sys.setprofile(None)
print("not run:", *sorted(place for place, function in functions() if function.__code__ not in called))
sys.exit(failed)
"""


def test_all_kernels_run_without_the_compiler_and_agree_with_their_twins():
    unit = Path(__file__).parent.parent
    run = subprocess.run(
        [sys.executable, "-c", RUN, *WARNINGS, *(str(unit / test) for test in TESTS.split())],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    left = run.stdout.splitlines()[-1].removeprefix("not run:").split()
    assert not left
