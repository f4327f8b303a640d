// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.use;

import io.forebay.namespace.GroupCommand;
import io.forebay.namespace.tree.state.TreeLimits;
import io.forebay.ring.Instance;
import io.forebay.ring.protection.ProtectionPolicy;
import io.forebay.seat.part.HomeView;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Brings the limits of trees into the journal: a tree decides by its journalled limits, so that all
 * members decide alike.
 */
public final class TreeProtection {
  private record TreeKey(int instance, int tree) {}

  private final Policies policies;
  private final HomeView home;
  private final IntPredicate filesUsedUp;
  // The limits that are on their way into the journal. Looked up only, never walked.
  private final Map<TreeKey, TreeLimits.Limits> proposed = new HashMap<>();

  /**
   * For the trees of a home.
   *
   * @param filesUsedUp whether all trees of an instance together have as many files as allowed
   */
  public TreeProtection(Policies policies, HomeView home, IntPredicate filesUsedUp) {
    this.policies = policies;
    this.home = home;
    this.filesUsedUp = filesUsedUp;
  }

  /** Proposes the limits of a tree if its journalled ones differ; before the next change of it. */
  public void limit(Instance instance, int tree) {
    TreeLimits.Limits wanted = limits(instance);
    TreeKey key = new TreeKey(instance.id(), tree);
    TreeLimits.Limits coming = proposed.get(key);
    TreeLimits.Limits known = coming != null ? coming : home.state().limits(instance.id(), tree);
    if (wanted.equals(known)) return;
    proposed.put(key, wanted);
    home.propose(
        new GroupCommand.LimitTree(
            instance.id(), tree, wanted.fileBytesMax(), wanted.filesMax(), wanted.usedUp()),
        instance.forced(),
        applied -> proposed.remove(key, wanted));
  }

  private TreeLimits.Limits limits(Instance instance) {
    ProtectionPolicy policy = policies.of(instance);
    if (policy.isNone()) return TreeLimits.Limits.NONE;
    boolean limitsFiles = policy.allowedFiles() != TreeLimits.UNLIMITED;
    return new TreeLimits.Limits(
        policy.allowedFileBytes(),
        policy.allowedFiles(),
        limitsFiles && filesUsedUp.test(instance.id()));
  }
}
