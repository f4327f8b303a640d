// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.parallel.Group;

/**
 * Where a rank stands in a step.
 *
 * @param ranks all ranks of the set
 * @param own the plan of its group
 * @param member its number in that group
 */
record Position(Group ranks, StepPlan plan, GroupPlan own, int member) {
  /** A message of the shuffle. */
  static final int SHUFFLE_TAG = 1;

  /** Bytes for an aggregator. */
  static final int GATHER_TAG = 2;

  /** The root's word that files exist. */
  static final int FILES_TAG = 3;

  static Position of(Group ranks, StepPlan plan) {
    int rank = ranks.rank();
    return new Position(ranks, plan, plan.groupOf(rank), plan.memberOf(rank));
  }

  int rank() {
    return ranks.rank();
  }

  /** The rank of a member of the own group. */
  int rankOf(int someMember) {
    return own.group().ranks().get(someMember);
  }
}
